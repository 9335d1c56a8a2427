"""What a URDF says that means nothing, or something else to other programs; each once a file."""

from __future__ import annotations

from collections.abc import Iterator

from robcogen_ros.errors import Problem
from robcogen_ros.formats import numeral, urdf_rotors, urdf_schema
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.model.names import listed, nearest


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
    known = {joint.attributes["name"] for joint in joints}
    for joint, *_ in urdf_rotors.rotors(root):
        name = joint.attributes.get("name", "")
        if name not in known:
            message = f"the rotor of joint '{name}' is ignored: there is no such joint"
            yield Problem(message + nearest(name, known), joint.location, "warning")
    for kind in urdf_schema.WITHOUT_AXIS:
        with_axis = [joint for joint in joints if _has_axis(joint, kind)]
        if with_axis:
            message = f"the axis of a {kind} joint means nothing: {_names(with_axis)}"
            yield Problem(message, with_axis[0].location, "warning")


def _is_half_open(joint: Element) -> bool:
    limit = joint.first("limit")
    if limit is None or joint.attributes.get("type") not in ("revolute", "prismatic"):
        return False
    return ("lower" in limit.attributes) != ("upper" in limit.attributes)


def _is_empty(joint: Element, tag: str) -> bool:
    element = joint.first(tag)
    if element is None or joint.attributes.get("type") in urdf_schema.WITHOUT_AXIS:
        return False
    return not element.attributes.keys() & urdf_schema.SCHEMA[tag].attributes.keys()


def _has_axis(joint: Element, kind: str) -> bool:
    """Whether a joint of a kind has an axis, and not `0 0 0`, which exporters write for none."""
    axis = joint.first("axis")
    if axis is None or joint.attributes.get("type") != kind:
        return False
    words = axis.attributes.get("xyz", "1 0 0").split()
    return len(words) != 3 or any(numeral.complaint(word) or float(word) for word in words)


def _names(joints: list[Element]) -> str:
    return listed([joint.attributes["name"] for joint in joints])
