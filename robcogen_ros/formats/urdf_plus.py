"""Reads loops and couplings of URDF+ (Chignoli et al., 2024).

A `<loop>` joins a frame of its predecessor with one of its successor; with a `<coupling>` the
successor's joint is at `ratio` times the position of the predecessor's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.urdf_origin import Origins
from robcogen_ros.model.axis import rotation_onto
from robcogen_ros.model.closures import closing_frames
from robcogen_ros.model.description import (
    FrameDescription,
    JointDescription,
    LoopDescription,
    LoopsDescription,
    Mimic,
)
from robcogen_ros.model.expression import expression
from robcogen_ros.model.number import number
from robcogen_ros.model.spatial import Pose, Vector

_TYPES = {"revolute": "axis_z", "continuous": "axis_z", "spherical": "point", "fixed": "all"}
_HERE = Pose().map(expression)


@dataclass
class Closing:
    """What closes loops of a URDF+.

    Attributes:
        joints: Joints of the tree, some of which follow others.
        read: The elements that say so.
        frames: Frames that loops join.
        loops: What closes loops; None where nothing does.
    """

    joints: list[JointDescription]
    read: list[Element] = field(default_factory=list)
    frames: list[FrameDescription] = field(default_factory=list)
    loops: LoopsDescription | None = None


def closing(root: Element, joints: Iterable[JointDescription], origins: Origins) -> Closing:
    """What closes the loops of a document, as far as it can be read."""
    found = Closing([*joints])
    for element in root.all("coupling"):
        if _couple(element, found):
            found.read.append(element)
    loops = [loop for element in root.all("loop") if (loop := _loop(element, found, origins))]
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


def _ends(element: Element) -> list[Element]:
    return [*element.all("predecessor")[:1], *element.all("successor")[:1]]


def _loop(element: Element, found: Closing, origins: Origins) -> LoopDescription | None:
    """Two frames, their z on the axis that stays; None if it cannot be read."""
    ends, given = _ends(element), element.attributes
    fixed, names = _TYPES.get(given.get("type", "")), [e.attributes.get("link") for e in ends]
    links = {link for joint in found.joints for link in (joint.parent, joint.child)}
    axis = _axis(element)
    known = len({*names}) == 2 and {*names} <= links
    if fixed is None or not known or axis is None or "name" not in given:
        return None
    if any(end.first("origin") is None for end in ends):
        return None
    onto = Pose(rotation_onto(axis).map(expression), _HERE.translation)
    frames = closing_frames(given["name"])
    for frame, link, end in zip(frames, names, ends, strict=True):
        pose = origins.pose(end.first("origin")) @ onto
        found.frames.append(FrameDescription(frame, str(link), pose, end.location))
    found.read.append(element)
    return LoopDescription(given["name"], frames, fixed, element.location)


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


def _couple(element: Element, found: Closing) -> bool:
    """Make the one joint of the successor follow that of the predecessor; False if it cannot."""
    ends, ratio = _ends(element), element.first("ratio")
    ratios = _numbers(ratio.attributes.get("value", "")) if ratio else []
    movers = {joint.child: joint for joint in found.joints}
    paths: list[list[JointDescription]] = []
    for end in ends:
        link, path = end.attributes.get("link", ""), []
        while link in movers:
            path.append(movers[link])
            link = movers[link].parent
        paths.append(path)
    if len(paths) != 2 or len(ratios) != 1 or not ratios[0]:
        return False
    own = [[j for j in path if j not in paths[1 - k] and j.motion] for k, path in enumerate(paths)]
    if [len(path) for path in own] != [1, 1] or own[1][0].mimic:
        return False
    ((leader,), (follower,)) = own
    mimic = Mimic(leader.name, expression(number(repr(ratios[0]))))
    found.joints[found.joints.index(follower)] = replace(follower, mimic=mimic)
    return True
