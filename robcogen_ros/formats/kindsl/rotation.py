"""Rotations as the Kinematics-DSL gives them: about x, the new y, the new z."""

from __future__ import annotations

from dataclasses import field

from robcogen_ros.model.record import record
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.model.spatial import (
    IDENTITY,
    Matrix3,
    Vector,
    rotation_x,
    rotation_y,
    rotation_z,
)


@record(frozen=True, slots=True)
class EulerRotation(Matrix3):
    """The rotation Rx(a) Ry(b) Rz(c), which remembers its angles as they are written."""

    angles: Vector = field(default=Vector(), compare=False)


def euler_rotation(angles: Vector) -> EulerRotation:
    """The rotation by angles about x, the new y, the new z."""
    turned = IDENTITY
    for about, by in zip((rotation_x, rotation_y, rotation_z), angles, strict=True):
        if not by.structurally_zero:
            turned = turned @ about(by)
    x, y, z = turned.map(expression)
    return EulerRotation(x, y, z, angles)
