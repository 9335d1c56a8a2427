"""The part of URDF that describes a robot: what stands where, and how it reads.

Everything else in a URDF (sensors, gazebo, transmissions, ...) is none of our business: it is left
out, whatever is in it. Shapes are read apart, see `urdf_shapes`: what is wrong with one is no
reason to refuse a robot.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal
from xml.etree import ElementTree

from robcogen_ros.errors import Problem
from robcogen_ros.formats import numeral
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.urdf import loops as urdf_loops

Kind = Literal["name", "type", "number", "limit", "vector", "color"]

_COUNTS = {"vector": 3, "color": 4}
_LONGEST_TAG = 40
_UNITS = ("m", "meter", "meters", "kg", "rad", "radian", "radians", "si")

_FOREIGN = frozenset(
    {"visual", "collision", "material", "sensor", "transmission", "gazebo", "ros2_control"}
    | {"safety_controller", "calibration", "mujoco", "group", "disable_collisions"}
    | {"contact", "surface", "self_filter", "collision_checking", "self_collision_checking"}
    | {"gravity", "kinematic", "texture", "specular", "script"}
    | {"verbose", "max_contacts", "contact_coefficients"}
)
"""Tags that say nothing about dynamics and shapes, or say it to other programs."""

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
WITHOUT_AXIS = ("fixed", "floating")
"""Types of joints whose `<axis>` no one reads, whatever it says."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute: what it holds, and the value that stands for a missing one.

    Attributes:
        kind: What its text must be.
        default: Text taken if it is missing; None if it must be there.
        common: Whether it is common URDF, which `urdf_parser_py` knows.
    """

    kind: Kind
    default: str | None = None
    common: bool = True


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag: its attributes and child tags.

    Attributes:
        attributes: By name.
        others: Attributes of URDF that say nothing here, or say it elsewhere, and those that other
            programs read.
        once: Child tags that stand at most once.
        required: Those of them that must be there.
        repeated: Child tags that stand any number of times.
    """

    attributes: dict[str, Attribute]
    others: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()


_NAME = Attribute("name")
_LINK_NAME = Tag({"link": _NAME})
_MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_JOINT_PARTS = ("origin", "axis", "parent", "child", "limit", "dynamics", "mimic")
_ROUND = Tag({"radius": Attribute("number"), "length": Attribute("number")})
FORMS = {
    "box": Tag({"size": Attribute("vector")}),
    "sphere": Tag({"radius": Attribute("number")}),
    "cylinder": _ROUND,
    "capsule": _ROUND,
    "mesh": Tag({"filename": _NAME, "scale": Attribute("vector", "1 1 1")}),
}

SCHEMA: dict[str, Tag] = {
    "robot": Tag({"name": _NAME}, ("version",), repeated=("link", "joint")),
    "link": Tag({"name": _NAME}, ("type", "concave", "drake_ignore"), once=("inertial",)),
    "inertial": Tag({}, once=("origin", "mass", "inertia"), required=("mass", "inertia")),
    "mass": Tag({"value": Attribute("number")}),
    "inertia": Tag({moment: Attribute("number") for moment in _MOMENTS}),
    "origin": Tag(
        {"xyz": Attribute("vector", "0 0 0"), "rpy": Attribute("vector", "0 0 0")}, ("quat_xyzw",)
    ),
    "joint": Tag(
        {"name": _NAME, "type": Attribute("type")},
        ("dont_collapse", "drake_ignore", "independent"),
        once=_JOINT_PARTS,
        required=("parent", "child"),
    ),
    "parent": _LINK_NAME,
    "child": _LINK_NAME,
    "axis": Tag(
        {
            "xyz": Attribute("vector", "1 0 0"),
            "screw_thread_pitch": Attribute("number", "0", common=False),
        }
    ),
    "limit": Tag(
        {
            "lower": Attribute("limit", "-inf"),
            "upper": Attribute("limit", "inf"),
            "effort": Attribute("limit", "inf"),
            "velocity": Attribute("limit", "inf"),
        },
        ("acceleration", "deceleration", "jerk", "command_effort", "current", "gear_velocity"),
    ),
    "dynamics": Tag(
        {
            "damping": Attribute("number", "0"),
            "friction": Attribute("number", "0"),
            "armature": Attribute("number", "0", common=False),
            "spring_stiffness": Attribute("number", "0", common=False),
            "spring_reference": Attribute("number", "0", common=False),
        },
        ("D", "K"),
    ),
    "mimic": Tag(
        {
            "joint": _NAME,
            "multiplier": Attribute("number", "1"),
            "offset": Attribute("number", "0"),
        }
    ),
    "visual": Tag({}, ("name", "group"), ("origin",), ("geometry",), ("geometry",)),
    "collision": Tag(
        {}, ("name", "group", "concave", "mask"), ("origin",), ("geometry",), ("geometry",)
    ),
    "geometry": Tag({}, ("name",), repeated=tuple(FORMS)),
    "material": Tag({}, ("name",), once=("color",)),
    "color": Tag({"rgba": Attribute("color")}),
    **FORMS,
}


def distill(element: Element, problems: list[Problem]) -> ElementTree.Element:
    """Returns the part of an element that the schema knows, with defaults; adds findings."""
    tag = SCHEMA[element.tag]
    attributes = _attributes(element, tag, problems)
    problems.extend(_unknown_attributes(element, tag))
    result = ElementTree.Element(element.tag, attributes)
    seen: set[str] = set()
    for child in element.children:
        if child.tag == "axis" and element.attributes.get("type") in WITHOUT_AXIS:
            continue
        if child.tag in tag.repeated or (child.tag in tag.once and child.tag not in seen):
            result.append(distill(child, problems))
        elif child.tag in tag.once:
            problems.append(Problem(f"a second <{child.tag}> in <{element.tag}>", child.location))
        else:
            _unknown(child, tag, problems)
        seen.add(child.tag)
    for name in tag.required:
        if name not in seen:
            problems.append(Problem(f"{_called(element)} lacks <{name}>", element.location))
    return result


def _attributes(element: Element, tag: Tag, problems: list[Problem]) -> dict[str, str]:
    values = {}
    for name, attribute in tag.attributes.items():
        text = element.attributes.get(name, attribute.default)
        if text is None:
            message = f"{_called(element)} lacks the attribute '{name}'"
            problems.append(Problem(message, element.location))
            continue
        complaint = _complaint(text, attribute.kind)
        if complaint:
            message = f"{name} of {_called(element)}: {complaint}"
            problems.append(Problem(message, element.attribute_location(name)))
        if attribute.common:
            values[name] = text
    return values


def _unknown_attributes(element: Element, tag: Tag) -> Iterator[Problem]:
    """Warnings of attributes that are neither URDF's nor another program's, errors of units."""
    for name, value in element.attributes.items():
        if name in tag.attributes or name in tag.others or name == "xmlns" or ":" in name:
            continue
        place = element.attribute_location(name)
        if name.lower() in ("unit", "units"):
            if value.strip().lower() in _UNITS:
                continue
            message = f"{name} '{value}' of {_called(element)}: URDF is in m, kg, s and rad alone"
            yield Problem(f"{message}; convert the numbers and leave it out", place)
        elif not _is_given_already(element, name):
            shown = f"unknown attribute '{name[:_LONGEST_TAG]}' of {_called(element)}"
            yield Problem(f"{shown} is ignored{_hint(element, name, tag)}", place, "warning")


def _hint(element: Element, name: str, tag: Tag) -> str:
    if _transposed(element, name):
        return f", and '{_transposed(element, name)}' says otherwise"
    meant = _meant(name, (*tag.attributes, *tag.others), 0.6)
    if meant:
        return f"; did you mean '{meant}'?"
    return f"; expected {', '.join(tag.attributes)}" if tag.attributes else ""


def _is_given_already(element: Element, name: str) -> bool:
    """Returns True if a product of inertia repeats its transposed one, as iyx does ixy."""
    texts = (element.attributes[name], element.attributes.get(_transposed(element, name), ""))
    return not any(map(numeral.complaint, texts)) and float(texts[0]) == float(texts[1])


def _transposed(element: Element, name: str) -> str:
    """The product of inertia that one with its axes in the other order stands for, if it does."""
    transposed = name[:1] + name[:0:-1]
    is_product = element.tag == "inertia" and transposed in ("ixy", "ixz", "iyz")
    return transposed if is_product else ""


def _complaint(text: str, kind: Kind) -> str | None:
    if kind == "name":
        return None if text.strip() else "the name is empty"
    if kind == "type":
        return _type_complaint(text)
    if kind in _COUNTS:
        return numeral.complaint_of_several(text, _COUNTS[kind])
    return numeral.complaint(text.strip(), infinite=kind == "limit")


def _type_complaint(text: str) -> str | None:
    if text in JOINT_TYPES:
        return None
    if text in ("helical", "screw"):
        return f"'{text}' is no joint type: a revolute joint has screw_thread_pitch in its <axis>"
    return f"'{text}' is no joint type; expected one of {', '.join(JOINT_TYPES)}"


def _called(element: Element) -> str:
    name = element.attributes.get("name")
    return f"{element.tag} '{name}'" if name else f"<{element.tag}>"


def _unknown(element: Element, parent: Tag, problems: list[Problem]) -> None:
    """Warns about a tag that is neither URDF's nor another program's."""
    if element.tag == "group" and any(
        x.tag in ("link", "joint") and x.children for x in element.children
    ):
        message = "links and joints in <group> are ignored, for ROS reads those of <robot> alone"
        problems.append(Problem(message, element.location, "warning"))
    if element.tag in _FOREIGN or element.tag in urdf_loops.TAGS or ":" in element.tag:
        return
    if parents := sorted(t for t, tag in SCHEMA.items() if element.tag in tag.once + tag.repeated):
        places = ", ".join(f"<{name}>" for name in parents)
        message = f"<{element.tag}> is ignored here; it belongs in {places}"
        problems.append(Problem(message, element.location, "warning"))
        return
    meant = _meant(element.tag, parent.once + parent.repeated, 0.75)
    hint = f"; did you mean <{meant}>?" if meant else ""
    shown = element.tag[:_LONGEST_TAG]
    problems.append(Problem(f"unknown tag <{shown}> is ignored{hint}", element.location, "warning"))


@lru_cache(maxsize=1000)
def _meant(name: str, known: tuple[str, ...], likeness: float) -> str | None:
    """The known name that is nearly this one."""
    if len(name) > _LONGEST_TAG:
        return None
    return next(iter(difflib.get_close_matches(name.lower(), known, 1, likeness)), None)
