"""Joints that turn about z: S = [z; 0]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from robcogen_ros.model.joint_kinds.kind import JointKind, T
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import (
    Force,
    Matrix3,
    Pose,
    SpatialInertia,
    Symmetric3,
    Vector,
)


@dataclass(frozen=True)
class Revolute(JointKind):
    """A joint that turns about z of its frame; a positive position turns x towards y."""

    name = "revolute"
    action = "turns"
    turns, slides = True, False
    unit, effort_unit, inertia_unit = "rad", "N m", "kg m^2"

    def combined(self, turning: Callable[[], T], sliding: Callable[[], T]) -> T:
        """Returns the turning quantity."""
        del sliding
        return turning()

    def travel(self, position: Scalar) -> Scalar:
        """Returns zero: the joint does not slide."""
        del position
        return 0

    def pose(self, position: Scalar, turned: Callable[[Scalar], Matrix3]) -> Pose:
        """A turn about z."""
        return Pose(turned(position))

    def with_component(self, force: Force, value: Scalar) -> Force:
        """The force with another moment about z."""
        return Force(Vector(force.angular.x, force.angular.y, value), force.linear)

    def movable(self, inertia: SpatialInertia) -> SpatialInertia:
        """The mass, the first moment along the axis and the second moment along the axis."""
        axial = inertia.tensor.second_moments().zz
        tensor = Symmetric3(axial, 0, 0, axial, 0, 0)
        return SpatialInertia(inertia.mass, Vector(0, 0, inertia.moment.z), tensor)


REVOLUTE = Revolute()
