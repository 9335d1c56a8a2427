"""Findings in a URDF: what means nothing, or something else to other programs; each once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from robcogen_ros.errors import Problem
from robcogen_ros.formats import numeral
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.urdf import rotors as urdf_rotors
from robcogen_ros.formats.urdf import schema as urdf_schema
from robcogen_ros.model.names import listed, nearest

_LIMITED = ("revolute", "prismatic")
"""Types of joints whose `<limit>` is to say what they can."""
_PLACED = ("inertial", "visual", "collision")
"""Parts of a link that have an `<origin>`."""
_MANY_TURNS, _NO_LIMIT = 4 * math.pi, 1e4
"""Limits beyond the first no joint has [rad]; those beyond the second stand for none."""
_FAR, _TURNED = 100.0, 10.0
"""Longer than links of a robot [m], and more than an angle of a frame [rad]."""


def findings(root: Element) -> Iterator[Problem]:
    """Warnings about the joints of a URDF that is otherwise understood."""
    joints = list(root.all("joint"))
    half_open = [joint for joint in joints if _is_half_open(joint)]
    if half_open:
        message = (
            f"only lower or upper of the limits of {_names(half_open)} is given: the other is "
            "none, where urdfdom takes 0"
        )
        yield Problem(message, half_open[0].location, "warning")
    for tag, taken in (("axis", "it is 1 0 0"), ("limit", "there is none")):
        empty = [joint for joint in joints if _is_empty(joint, tag)]
        if empty:
            message = f"<{tag}> of {_names(empty)} gives nothing that is read: {taken}"
            yield Problem(message, empty[0].location, "warning")
    yield from _refused_elsewhere(joints)
    yield from _other_units(root, joints)
    known = {joint.attributes["name"] for joint in joints}
    for joint, *_ in urdf_rotors.rotors(root):
        name = joint.attributes.get("name", "")
        if name not in known:
            message = f"the rotor of joint '{name}' is ignored: there is no such joint"
            yield Problem(message + nearest(name, known), joint.location, "warning")
    yield from urdf_rotors.odd_gears(root)
    for kind in urdf_schema.WITHOUT_AXIS:
        with_axis = [joint for joint in joints if _has_axis(joint, kind)]
        if with_axis:
            message = f"the axis of a {kind} joint means nothing: {_names(with_axis)}"
            yield Problem(message, with_axis[0].location, "warning")


def _refused_elsewhere(joints: Sequence[Element]) -> Iterator[Problem]:
    lacking = {joint.attributes["name"]: _lacks(joint) for joint in joints}
    found = [joint for joint in joints if lacking[joint.attributes["name"]]]
    if found:
        parts = " and ".join(dict.fromkeys(part for parts in lacking.values() for part in parts))
        message = (
            f"{_names(found)} lack {parts}: urdfdom, by which RViz, robot_state_publisher and "
            "Gazebo read, refuses the file"
        )
        yield Problem(message, found[0].location, "warning")


def _lacks(joint: Element) -> list[str]:
    """Returns the limits that urdfdom requires of a joint, and that it has not."""
    if joint.attributes.get("type") not in _LIMITED:
        return []
    limit = joint.first("limit")
    if limit is None or _is_empty(joint, "limit"):
        return []
    return [f"{name} of <limit>" for name in ("effort", "velocity") if name not in limit.attributes]


def _other_units(root: Element, joints: Sequence[Element]) -> Iterator[Problem]:
    """Numbers that no robot has in rad and m, but many have in degrees and mm."""
    turning = [joint for joint in joints if joint.attributes.get("type") == "revolute"]
    wide = [j for j in turning if any(_MANY_TURNS < abs(x) < _NO_LIMIT for x in _range(j))]
    if wide:
        limits = " to ".join(f"{x:g}" for x in _range(wide[0]))
        radians = " to ".join(f"{math.radians(x):.5g}" for x in _range(wide[0]))
        message = (
            f"limits of {_names(wide)} are many turns, {limits} rad; if degrees are meant, write "
            f"{radians}"
        )
        yield Problem(message, (wide[0].first("limit") or wide[0]).location, "warning")
    links = root.all("link")
    holders = [*joints, *(part for link in links for tag in _PLACED for part in link.all(tag))]
    origins = [origin for holder in holders if (origin := holder.first("origin"))]
    for name, most, unit, other, size in (
        ("xyz", _FAR, "m", "millimeters", 0.001),
        ("rpy", _TURNED, "rad", "degrees", math.pi / 180),
    ):
        far = [o for o in origins if any(abs(x) > most for x in _numbers(o, name))]
        if far:
            text, more = far[0].attributes[name], len(far) - 1
            meant = " ".join(f"{x * size:.7g}" for x in _numbers(far[0], name))
            message = (
                f"{name} of an <origin> is {text} {unit}; if {other} are meant, write '{meant}'"
                + (f" (and {more} more times)" if more else "")
            )
            yield Problem(message, far[0].attribute_location(name), "warning")


def _range(joint: Element) -> list[float]:
    limit = joint.first("limit")
    words = limit.attributes if limit else {}
    return [float(words.get(name, "0")) for name in ("lower", "upper")]


def _numbers(element: Element, name: str) -> list[float]:
    """The numbers of an attribute; none if one is no number, which is told where it is read."""
    words = element.attributes.get(name, "0").split()
    return [] if any(map(numeral.complaint, words)) else [float(word) for word in words]


def _is_half_open(joint: Element) -> bool:
    limit = joint.first("limit")
    if limit is None or joint.attributes.get("type") not in _LIMITED:
        return False
    return ("lower" in limit.attributes) != ("upper" in limit.attributes)


def _is_empty(joint: Element, tag: str) -> bool:
    element = joint.first(tag)
    if element is None or joint.attributes.get("type") in urdf_schema.WITHOUT_AXIS:
        return False
    return not element.attributes.keys() & urdf_schema.SCHEMA[tag].attributes.keys()


def _has_axis(joint: Element, kind: str) -> bool:
    """Returns True if a joint of a kind has an axis other than `0 0 0`, which exporters write."""
    axis = joint.first("axis")
    if axis is None or joint.attributes.get("type") != kind:
        return False
    words = axis.attributes.get("xyz", "1 0 0").split()
    return len(words) != 3 or any(numeral.complaint(word) or float(word) for word in words)


def _names(joints: list[Element]) -> str:
    return listed([joint.attributes["name"] for joint in joints])
