"""The rotation that lays z on a joint's axis."""

from __future__ import annotations

from robcogen_ros.model.scalars.expression import Expression, expression
from robcogen_ros.model.scalars.operation import sqrt
from robcogen_ros.model.spatial import IDENTITY, Matrix3, Vector

_X, _Y, _Z = Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1)

_ALIGNED = {
    (0, 0, 1): (_X, _Y),
    (0, 0, -1): (_X, -_Y),
    (1, 0, 0): (_Y, _Z),
    (-1, 0, 0): (_Y, -_Z),
    (0, 1, 0): (_Z, _X),
    (0, -1, 0): (_Z, -_X),
}
"""The x and y that go with each axis along a coordinate direction as z."""


def rotation_onto(axis: Vector) -> Matrix3:
    """A rotation whose third column is the axis, made of 0, 1 and -1 where the axis allows.

    Args:
        axis: Constant vector, not zero, of any length.
    """
    direction = _unit(axis.map(expression))
    signs = tuple(_sign_of_unit(component) for component in direction)
    if signs in _ALIGNED:
        x, y = _ALIGNED[signs]
        return _from_columns(x, y, direction).map(expression)
    x = _unit(_most_perpendicular(direction).cross(direction))
    return _from_columns(x, direction.cross(x), direction)


def _sign_of_unit(component: Expression) -> int | None:
    value = component.evaluate()
    return int(value) if value in (-1, 0, 1) else None


def _unit(vector: Vector) -> Vector:
    length = sqrt(vector.dot(vector))
    return Vector(*(component / length for component in vector))


def _most_perpendicular(direction: Vector) -> Vector:
    sizes = [abs(float(component)) for component in direction]
    return tuple(IDENTITY)[sizes.index(min(sizes))].map(expression)


def _from_columns(x: Vector, y: Vector, z: Vector) -> Matrix3:
    return Matrix3(x, y, z).transposed()
