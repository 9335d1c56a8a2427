"""Other numbers in an MJCF."""

from __future__ import annotations

import math
from collections.abc import Mapping

from robcogen_ros.errors import Location, ModelError
from robcogen_ros.formats import located_xml
from robcogen_ros.formats.changed.edits import (
    MOMENTS,
    BodyNumbers,
    Edits,
    Terms,
    text,
    texts,
    wanted,
)
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.mjcf.poses import ORIENTATIONS
from robcogen_ros.formats.source import Source
from robcogen_ros.model.description import Description

_FULL = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
"""The order of `fullinertia`."""
_NAMES = {"friction": "frictionloss", "rest": "springref"}
"""Terms that MJCF calls otherwise."""


def changed_mjcf(
    source: Source,
    description: Description,
    bodies: Mapping[str, BodyNumbers],
    joints: Mapping[str, Terms],
) -> str:
    """Returns an MJCF with other `<inertial>` of bodies, in their axes, and other joint terms.

    Bodies whose inertia MuJoCo computes of their geoms get an `<inertial>`, which it takes instead.

    Args:
        source: The text.
        description: What it describes.
        bodies: New parameters of bodies.
        joints: New damping, friction (frictionloss), armature, stiffness, rest (springref) of
            joints.

    Raises:
        ModelError: If what changes is in an included file, or is written once for several.
    """
    elements = {each.location: each for each in located_xml.parse(source).walk()}
    compilers = [each for each in elements.values() if each.tag == "compiler"]
    angles = ["degree", *(c.attributes["angle"] for c in compilers if "angle" in c.attributes)]
    unit = math.degrees(1.0) if angles[-1] == "degree" else 1.0
    edits = Edits(source)
    for link in wanted(description.links, set(bodies)):
        _body(edits, _element(elements, link.location, link.name), bodies[link.name])
    changed = {name for name, values in joints.items() if values}
    for joint in wanted(description.joints, changed):
        element = _element(elements, joint.location, joint.name)
        for term, found in joints[joint.name].items():
            turns = term == "rest" and joint.kind != "prismatic"
            value = found * unit if turns else found
            edits.set(element, _NAMES.get(term, term), text(value))
    return edits.result()


def _element(elements: Mapping[Location, Element], place: Location | None, name: str) -> Element:
    if place is None or place not in elements:
        message = (
            f"{name} is written in an included file, and one file is changed at a time: put the "
            "<include>'s content into the main file, as MuJoCo's `compile` writes it"
        )
        raise ModelError.at(place, message)
    return elements[place]


def _body(edits: Edits, body: Element, numbers: BodyNumbers) -> None:
    by_name = dict(zip(MOMENTS, numbers.moments, strict=True))
    values = {
        "pos": texts(numbers.center),
        "mass": text(numbers.mass),
        "fullinertia": texts(by_name[name] for name in _FULL),
    }
    inertial = body.first("inertial")
    if inertial is None:
        words = " ".join(f'{name}="{value}"' for name, value in values.items())
        edits.put(body, f"<inertial {words}/>", "this body has no elements")
        return
    for name in (*ORIENTATIONS, "diaginertia"):
        edits.drop(inertial, name)
    for name, value in values.items():
        edits.set(inertial, name, value)
