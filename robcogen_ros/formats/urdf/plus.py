"""Reads loops and couplings of URDF+ (Chignoli et al., 2024), and loop joints of Isaac Sim.

A `<loop>` joins a frame of its predecessor with one of its successor, as a `<loop_joint>` does of
its two links, whose elements have `xyz` and `rpy`. With a `<coupling>` the positions of the joints
that move the successor alone add up to `ratio` times those that move the predecessor alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.urdf.origin import Origins
from robcogen_ros.model.axis import rotation_onto
from robcogen_ros.model.closures.closure import closing_frames
from robcogen_ros.model.description import (
    ClosureDescription,
    FrameDescription,
    JointDescription,
    LoopDescription,
    LoopsDescription,
    Mimic,
)
from robcogen_ros.model.names import listed, nearest
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.model.scalars.number import number
from robcogen_ros.model.spatial import Pose, Vector

LOOPS = ("loop", "loop_joint")
"""Tags of elements that close loops."""

_TYPES = {"revolute": "axis_z", "continuous": "axis_z", "spherical": "point", "fixed": "all"}
_ENDS = {"loop_joint": ("link1", "link2")}
_OF_URDF_PLUS = ("predecessor", "successor")
_HERE = Pose().map(expression)


@dataclass
class Closing:
    """Closed loops of a URDF+.

    Attributes:
        joints: Joints of the tree, some of which follow others.
        unread: Elements that cannot be read, each with what is wrong.
        frames: Frames that loops join.
        loops: What closes loops; None where nothing does.
        couplings: What makes a joint follow several others.
    """

    joints: list[JointDescription]
    unread: list[tuple[Element, str]] = field(default_factory=list)
    frames: list[FrameDescription] = field(default_factory=list)
    loops: LoopsDescription | None = None
    couplings: list[ClosureDescription] = field(default_factory=list)


def closing(root: Element, joints: Iterable[JointDescription], origins: Origins) -> Closing:
    """Returns the closed loops of a document that can be read."""
    found = Closing([*joints])
    for element in root.all("coupling"):
        if wrong := _couple(element, found):
            found.unread.append((element, wrong))
    for element in root.all("coupling"):
        if wrong := _couple_many(element, found):
            found.unread.append((element, wrong))
    loops = [loop for element in root.all(*LOOPS) if (loop := _loop(element, found, origins))]
    moving = {joint.name for joint in found.joints if joint.motion and not joint.mimic}
    independent = [
        (element.attributes.get("name", ""), element.attribute_location("independent"))
        for element in root.all("joint")
        if element.attributes.get("independent") == "true"
    ]
    wanted = tuple(each for each in independent if each[0] in moving)
    if loops:
        found.loops = LoopsDescription(tuple(loops), wanted, True, location=root.location)
    return found


def left_open(root: Element, joints: Iterable[JointDescription], _: Origins) -> Closing:
    """Returns no closed loops, and all elements that close one as unread."""
    return Closing([*joints], [(element, "") for element in root.all(*LOOPS, "coupling")])


def _ends(element: Element) -> list[Element]:
    return [end for tag in _tags(element) for end in element.all(tag)[:1]]


def _tags(element: Element) -> tuple[str, str]:
    return _ENDS.get(element.tag, _OF_URDF_PLUS)


def _ends_wrong(element: Element, found: Closing) -> str:
    """Returns what is wrong with an element's predecessor and successor; empty if nothing is."""
    links = {link: None for joint in found.joints for link in (joint.parent, joint.child)}
    names = []
    for tag in _tags(element):
        end = element.first(tag)
        name = end.attributes.get("link") if end else None
        if name is None:
            return f'expected <{tag} link="LINK">, found none'
        if name not in links:
            return f"<{tag}>: there is no link '{name}'{nearest(name, links)}"
        names.append(name)
    return f"both ends are on link '{names[0]}'" if len({*names}) == 1 else ""


def _loop(element: Element, found: Closing, origins: Origins) -> LoopDescription | None:
    """Two frames, their z on the axis that stays; None if it cannot be read."""
    axis = _axis(element)
    if wrong := _loop_wrong(element, found, axis):
        found.unread.append((element, wrong))
        return None
    assert axis is not None
    given = element.attributes
    onto = Pose(rotation_onto(axis).map(expression), _HERE.translation)
    frames = closing_frames(given["name"])
    for frame, end in zip(frames, _ends(element), strict=True):
        pose = origins.pose(_origin(end)) @ onto
        found.frames.append(FrameDescription(frame, end.attributes["link"], pose, end.location))
    return LoopDescription(given["name"], frames, _TYPES[given["type"]], element.location)


def _origin(end: Element) -> Element | None:
    """Returns the element with the place of an end: that of a loop joint is the end itself."""
    return end.first("origin") if end.tag in _OF_URDF_PLUS else end


def _loop_wrong(element: Element, found: Closing, axis: Vector | None) -> str:
    """Returns why a loop cannot be read; empty if it can."""
    if "name" not in element.attributes:
        return "name expected, found none"
    if wrong := _ends_wrong(element, found):
        return wrong
    kind = element.attributes.get("type")
    if kind not in _TYPES:
        found_ = f"'{kind}'" if kind else "none"
        return f"type: expected one of {', '.join(_TYPES)}, found {found_}"
    for end in _ends(element):
        origin = _origin(end)
        if origin is None:
            return f"<{end.tag}>: expected an <origin>, found none"
        for name in ("xyz", "rpy"):
            if len(_numbers(origin.attributes.get(name, "0 0 0"))) != 3:
                return f"<{origin.tag}>: {name}: expected three numbers"
    return "" if axis else "<axis>: xyz: expected three numbers, not all zero"


def _axis(element: Element) -> Vector | None:
    written = element.first("axis")
    entries = _numbers(written.attributes.get("xyz", "") if written else "0 0 1")
    if len(entries) != 3 or not any(entries):
        return None
    return Vector(*(number(repr(entry)) for entry in entries)).map(expression)


def _numbers(text: str) -> list[float]:
    try:
        found = [float(word) for word in text.split()]
    except ValueError:
        return []
    return found if all(map(math.isfinite, found)) else []


def _couple(element: Element, found: Closing) -> str:
    """Makes a joint follow a single other one, or says what is wrong; leaves others for later."""
    if wrong := _ends_wrong(element, found):
        return wrong
    ratios = _ratios(element)
    if len(ratios) != 1 or not ratios[0]:
        return 'expected <ratio value="NUMBER"/>, not zero'
    leaders, followers = own = _movers(element, found)
    if not leaders or not followers:
        names = " and ".join(f"[{listed([repr(j.name) for j in path])}]" for path in own)
        return f"expected joints that move each of the links alone, found {names}"
    if len(leaders) + len(followers) == 2:
        (leader,), (follower,) = own
        if follower.mimic:
            return f"joint '{follower.name}' follows joint '{follower.mimic.leader}' already"
        mimic = Mimic(leader.name, expression(number(repr(ratios[0]))))
        found.joints[found.joints.index(follower)] = replace(follower, mimic=mimic)
    return ""


def _couple_many(element: Element, found: Closing) -> str:
    """Makes a joint follow several others, or says what is wrong."""
    if element in (each for each, _ in found.unread):
        return ""
    leaders, (follower, *others) = _movers(element, found)
    if not others and len(leaders) == 1:
        return ""
    joints = [*leaders, *others]
    follow = {j.name for j in found.joints if j.mimic}
    follow |= {name for coupling in found.couplings for name in coupling.dependent}
    lead = {name for coupling in found.couplings for name in coupling.coordinates}
    for joint in joints:
        if joint.name in follow:
            return f"joint '{joint.name}' follows another joint itself"
    if follower.name in follow | lead:
        return f"joint '{follower.name}' follows another joint already, or leads one"
    (ratio,), name = _ratios(element), element.attributes.get("name", "")
    first, second = (end.attributes["link"] for end in _ends(element))
    found.couplings.append(
        ClosureDescription(
            (LoopDescription(name, (first, second), "coupling", element.location),),
            rows=(),
            coordinates=tuple(joint.name for joint in joints),
            dependent=(follower.name,),
            linear=(((ratio,) * len(leaders) + (-1.0,) * len(others), 0.0),),
        )
    )
    return ""


def _ratios(element: Element) -> list[float]:
    ratio = element.first("ratio")
    return _numbers(ratio.attributes.get("value", "")) if ratio else []


def _movers(element: Element, found: Closing) -> list[list[JointDescription]]:
    """Joints that move one end of a coupling and not the other, for both, from the ends up."""
    movers = {joint.child: joint for joint in found.joints}
    paths: list[list[JointDescription]] = []
    for end in _ends(element):
        link, path = end.attributes["link"], []
        while link in movers:
            path.append(movers[link])
            link = movers[link].parent
        paths.append(path)
    return [[j for j in path if j not in paths[1 - k] and j.motion] for k, path in enumerate(paths)]
