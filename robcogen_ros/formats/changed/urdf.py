"""Other numbers in a URDF."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from robcogen_ros.errors import ModelError
from robcogen_ros.formats import located_xml
from robcogen_ros.formats.changed.edits import (
    MOMENTS,
    Array,
    BodyNumbers,
    Edits,
    Terms,
    text,
    texts,
)
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.source import Source

_NAMES = {"stiffness": "spring_stiffness", "rest": "spring_reference"}
"""Terms that simulators call otherwise."""


def changed_urdf(
    source: Source, bodies: Mapping[str, BodyNumbers], joints: Mapping[str, Terms]
) -> str:
    """Returns a URDF with other inertial parameters and joint terms.

    Args:
        source: The text.
        bodies: New parameters of links; the axes that a tensor is written in stay.
        joints: New attributes of `<dynamics>` of joints: damping, friction, armature, and those of
            springs.

    Raises:
        ModelError: If a link has no `<inertial>`.
    """
    root = located_xml.parse(source)
    edits = Edits(source)
    for link in root.all("link"):
        if link.attributes.get("name") in bodies:
            _body(edits, link, bodies[link.attributes["name"]])
    for joint in root.all("joint"):
        values = joints.get(joint.attributes.get("name", ""), {})
        if values:
            _dynamics(edits, joint, values)
    return edits.result()


def _body(edits: Edits, link: Element, numbers: BodyNumbers) -> None:
    inertial = link.first("inertial")
    if inertial is None:
        raise ModelError.at(link.location, "this link has no <inertial> whose numbers could change")
    mass, inertia = inertial.first("mass"), inertial.first("inertia")
    if mass is None or inertia is None:
        raise ModelError.at(inertial.location, "expected <mass> and <inertia>")
    edits.set(mass, "value", text(numbers.mass))
    center, origin = texts(numbers.center), inertial.first("origin")
    if origin is None:
        edits.put(inertial, f'<origin xyz="{center}"/>', "expected <mass> and <inertia>")
    else:
        edits.set(origin, "xyz", center)
    angles = [float(x) for x in (origin.attributes.get("rpy", "") if origin else "").split()]
    turned = numbers.seen_from(_rotation(angles or [0.0, 0.0, 0.0]), np.zeros(3))
    for name, value in zip(MOMENTS, turned.moments, strict=True):
        edits.set(inertia, name, text(value))


def _dynamics(edits: Edits, joint: Element, terms: Terms) -> None:
    dynamics = joint.first("dynamics")
    values = {_NAMES.get(term, term): value for term, value in terms.items()}
    if dynamics is None:
        words = " ".join(f'{name}="{text(value)}"' for name, value in values.items())
        edits.put(joint, f"<dynamics {words}/>", "this joint has no elements")
        return
    for name, value in values.items():
        edits.set(dynamics, name, text(value))


def _rotation(rpy: Sequence[float]) -> Array:
    """Returns (3, 3) rotation matrix of angles about fixed axes."""
    (sr, sp, sy), (cr, cp, cy) = map(math.sin, rpy), map(math.cos, rpy)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )
