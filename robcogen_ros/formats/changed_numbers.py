"""Other numbers in a URDF or a Kinematics-DSL text, all else as it was: comments, order, layout."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from robcogen_ros.errors import ModelError
from robcogen_ros.formats import located_xml
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.source import Source

_MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class BodyNumbers:
    """Inertial parameters of a link.

    Attributes:
        mass: Mass [kg].
        center: Center of mass, in the link's frame [m].
        tensor: ixx, ixy, ixz, iyy, iyz, izz about it, in the axes of the link's frame [kg m^2].
    """

    mass: float
    center: Vector
    tensor: tuple[float, float, float, float, float, float]


@dataclass
class _Edits:
    """Changes of a text, by the places that they replace."""

    text: str
    changes: list[tuple[int, int, str]] = field(default_factory=list)

    def set(self, element: Element, name: str, value: str) -> None:
        """Change an attribute, or add it at the end of the tag."""
        found = element.attribute_span(name)
        if found:
            self.changes.append((*found, value))
            return
        end = element.tag_end()
        self.changes.append((end, end, f' {name}="{value}"'))

    def put(self, inside: Element, text: str, missing: str) -> None:
        """Add an element as the first of another one's children, on a line of its own."""
        if not inside.children:
            raise ModelError.at(inside.location, missing)
        first = inside.children[0].offset
        before = self.text[:first]
        indent = before[len(before.rstrip(" \t")) :]
        line = before[: len(before) - len(indent)].endswith("\n")
        self.changes.append((first, first, text + (f"\n{indent}" if line else "")))

    def result(self) -> str:
        """Returns the changed text."""
        text = self.text
        for begin, end, new in sorted(self.changes, reverse=True):
            text = text[:begin] + new + text[end:]
        return text


def changed_urdf(
    source: Source, bodies: Mapping[str, BodyNumbers], joints: Mapping[str, Mapping[str, float]]
) -> str:
    """Returns a URDF with other inertial parameters and joint terms.

    Args:
        source: The text.
        bodies: New parameters of links; the axes that a tensor is written in stay.
        joints: New attributes of `<dynamics>` of joints: damping, friction, armature.

    Raises:
        ModelError: If a link has no `<inertial>`.
    """
    root = located_xml.parse(source)
    edits = _Edits(source.text)
    for link in root.all("link"):
        if link.attributes.get("name") in bodies:
            _body(edits, link, bodies[link.attributes["name"]])
    for joint in root.all("joint"):
        values = joints.get(joint.attributes.get("name", ""), {})
        if values:
            _dynamics(edits, joint, values)
    return edits.result()


def _body(edits: _Edits, link: Element, numbers: BodyNumbers) -> None:
    inertial = link.first("inertial")
    if inertial is None:
        raise ModelError.at(link.location, "this link has no <inertial> whose numbers could change")
    mass, inertia = inertial.first("mass"), inertial.first("inertia")
    if mass is None or inertia is None:
        raise ModelError.at(inertial.location, "expected <mass> and <inertia>")
    edits.set(mass, "value", _text(numbers.mass))
    center, origin = " ".join(map(_text, numbers.center)), inertial.first("origin")
    if origin is None:
        edits.put(inertial, f'<origin xyz="{center}"/>', "expected <mass> and <inertia>")
    else:
        edits.set(origin, "xyz", center)
    angles = [float(x) for x in (origin.attributes.get("rpy", "") if origin else "").split()]
    tensor = _turned(numbers.tensor, angles or [0.0, 0.0, 0.0])
    for name, value in zip(_MOMENTS, tensor, strict=True):
        edits.set(inertia, name, _text(value))


def _dynamics(edits: _Edits, joint: Element, values: Mapping[str, float]) -> None:
    dynamics = joint.first("dynamics")
    if dynamics is None:
        words = " ".join(f'{name}="{_text(value)}"' for name, value in values.items())
        edits.put(joint, f"<dynamics {words}/>", "this joint has no elements")
        return
    for name, value in values.items():
        edits.set(dynamics, name, _text(value))


def _text(value: float) -> str:
    """Returns ten digits of a number, which is more than measurements tell, down to 1e-12."""
    return f"{value if abs(value) > 1e-12 else 0:.10g}"


def _turned(tensor: Sequence[float], rpy: Sequence[float]) -> list[float]:
    """Returns the entries of R^T I R, of a tensor in axes that are turned by rpy."""
    xx, xy, xz, yy, yz, zz = tensor
    matrix = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    (sr, sp, sy), (cr, cp, cy) = map(math.sin, rpy), map(math.cos, rpy)
    R = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    return [
        sum(R[k][i] * matrix[k][m] * R[m][j] for k in range(3) for m in range(3))
        for i in range(3)
        for j in range(i, 3)
    ]
