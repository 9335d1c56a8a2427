"""Joints that slide along z: S = [0; z]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from robcogen_ros.model.joint_kinds.kind import AXIS, JointKind, T
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import IDENTITY, Force, Matrix3, Pose, SpatialInertia, Vector


@dataclass(frozen=True)
class Prismatic(JointKind):
    """A joint that slides along z of its frame; a positive position is in the direction of z."""

    name = "prismatic"
    action = "slides"
    turns, slides = False, True
    unit, effort_unit, inertia_unit = "m", "N", "kg"

    def combined(self, turning: Callable[[], T], sliding: Callable[[], T]) -> T:
        """Returns the sliding quantity."""
        del turning
        return sliding()

    def travel(self, position: Scalar) -> Scalar:
        """Returns the position: the joint slides by it."""
        return position

    def pose(self, position: Scalar, turned: Callable[[Scalar], Matrix3]) -> Pose:
        """A shift along z."""
        del turned
        return Pose(IDENTITY, AXIS * position)

    def with_component(self, force: Force, value: Scalar) -> Force:
        """The force with another entry along z."""
        return Force(force.angular, Vector(force.linear.x, force.linear.y, value))

    def movable(self, inertia: SpatialInertia) -> SpatialInertia:
        """The whole tensor, as the link beyond it never turns on the predecessor."""
        return SpatialInertia(0, Vector(), inertia.tensor)


PRISMATIC = Prismatic()
