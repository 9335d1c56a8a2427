"""Poses of elements of an MJCF: a place, and an orientation in one of five ways."""

from __future__ import annotations

from decimal import Decimal

from robcogen_ros.errors import Location, Problem
from robcogen_ros.formats import quaternion
from robcogen_ros.formats.angles import Angles
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.mjcf.settings import Settings
from robcogen_ros.formats.mjcf.values import Values, vector
from robcogen_ros.model.scalars.expression import ONE, PI, Expression, expression
from robcogen_ros.model.scalars.operation import cos, is_zero, sin, sqrt
from robcogen_ros.model.spatial import (
    IDENTITY,
    Matrix3,
    Pose,
    Vector,
    rotation_x,
    rotation_y,
    rotation_z,
    skew,
)

HERE = Pose().map(expression)
ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
_TURNS = {"x": rotation_x, "y": rotation_y, "z": rotation_z}
_MANY_TURNS = 4 * 3.15
"""Angles beyond are more likely degrees [rad]."""
_FAR_FROM_ONE = Decimal("1e-3")
"""Error that three digits and fewer make in the length of a unit quaternion."""


class Poses:
    """Reads poses.

    Attributes:
        angles: Reads angles.
    """

    def __init__(self, values: Values, snap: float | None) -> None:
        """Reads poses; `snap` is how near angles are taken for right ones [rad]."""
        self.angles = Angles(snap)
        self._values = values
        self._snap = snap or 0.0
        self._long: dict[str, tuple[Location, Decimal]] = {}

    def notes(self) -> tuple[Problem, ...]:
        """Returns notes on rounded angles, and on quaternions that are not of unit length."""
        found = self.angles.note()
        if not self._long:
            return found
        place, size = next(iter(self._long.values()))
        them = "1 quaternion is" if len(self._long) == 1 else f"{len(self._long)} quaternions are"
        message = f"{them} not of unit length, the first of {float(size):.4g}: each is taken for "
        return (*found, Problem(f"{message}the unit quaternion in its direction", place, "note"))

    def pose(self, element: Element, settings: Settings) -> Pose:
        """The pose of an element in what it stands in."""
        translation = self._values.vector(element, "pos")
        return Pose(self.rotation(element, settings), translation).map(expression)

    def rotation(self, element: Element, settings: Settings) -> Matrix3:
        """The orientation of an element."""
        given = [key for key in ORIENTATIONS if key in element.attributes]
        if not given:
            return IDENTITY
        if len(given) > 1:
            self._values.fail(element, given[1], f"there is {given[0]} too; leave out one of them")
        key = given[0]
        if key == "quat":
            return self._of_quaternion(element)
        if key == "euler":
            return self._of_angles(element, settings)
        if key == "axisangle":
            return self._about(element, settings)
        return self._of_axes(element) if key == "xyaxes" else self._of_z(element)

    def angle(self, written: Decimal, element: Element, key: str, settings: Settings) -> Expression:
        """An angle in the document's unit [rad]."""
        if settings.degrees:
            radians: Expression = PI * expression(written) / 180
            return radians
        if key != "springref":  # which has a warning of its own
            self.doubt(element, key, float(abs(written)))
        return self.angles.angle(written, element.attribute_location(key))

    def doubt(self, element: Element, key: str, angle: float) -> None:
        """Warns of an angle [rad] that is more likely one in degrees."""
        if angle > _MANY_TURNS:
            message = f"{key} reaches {angle:g} rad, more than two turns: is it in degrees? then "
            self._values.warn(element, key, f'{message}write <compiler angle="degree"/>')

    def _of_quaternion(self, element: Element) -> Matrix3:
        w, x, y, z = self._values.numbers(element, "quat", 4, "1 0 0 0")
        size = quaternion.length([w, x, y, z])
        if not size:
            self._values.fail(element, "quat", "all four numbers are zero")
            return IDENTITY
        if abs(size - 1) > _FAR_FROM_ONE:
            place = element.attribute_location("quat")
            self._long[str(place)] = place, size
        return quaternion.rotation([x, y, z, w], self._snap)

    def _of_angles(self, element: Element, settings: Settings) -> Matrix3:
        found = IDENTITY
        written = self._values.numbers(element, "euler", 3, "0 0 0")
        for axis, entry in zip(settings.eulerseq, written, strict=True):
            turn = _TURNS[axis.lower()](self.angle(entry, element, "euler", settings))
            found = found @ turn if axis.islower() else turn @ found
        return found

    def _about(self, element: Element, settings: Settings) -> Matrix3:
        *axis, written = self._values.numbers(element, "axisangle", 4, "0 0 1 0")
        u = self._unit(vector(axis), element, "axisangle")
        angle = self.angle(written, element, "axisangle", settings)
        K = skew(u)
        turned = (K @ K).map(lambda x: x * (ONE - cos(angle)))
        return IDENTITY.map(expression) + K.map(lambda x: x * sin(angle)) + turned

    def _of_axes(self, element: Element) -> Matrix3:
        entries = self._values.numbers(element, "xyaxes", 6, "1 0 0 0 1 0")
        x = self._unit(vector(entries[:3]), element, "xyaxes")
        y = vector(entries[3:])
        y = self._unit(y - x * x.dot(y), element, "xyaxes")
        return Matrix3(x, y, x.cross(y)).transposed()

    def _of_z(self, element: Element) -> Matrix3:
        z = self._unit(self._values.vector(element, "zaxis", "0 0 1"), element, "zaxis")
        return turned_onto(z)

    def _unit(self, written: Vector, element: Element, key: str) -> Vector:
        if all(map(is_zero, written)):
            self._values.fail(element, key, "an axis has no direction")
            return Vector(0, 0, 1).map(expression)
        return unit(written)


def unit(written: Vector) -> Vector:
    """The unit vector in a direction."""
    size = sqrt(written.dot(written))
    return Vector(*(entry / size for entry in written))


def turned_onto(z: Vector) -> Matrix3:
    """The least turn that lays z on a unit vector."""
    below = ONE + z.z
    if is_zero(below):
        return rotation_x(PI)
    K = skew(Vector(-z.y, z.x, 0).map(expression))
    return IDENTITY.map(expression) + K + (K @ K).map(lambda x: x / below)
