"""Joints that turn about z and slide along it in proportion: S = [z; pitch z]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from robcogen_ros.model.joint_kinds.kind import AXIS, JointKind, T
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Force, Matrix3, Pose, SpatialInertia, Symmetric3, Vector


@dataclass(frozen=True)
class Helical(JointKind):
    """A screw: its position is the angle, as of a revolute joint.

    Attributes:
        pitch: How far it slides along z as it turns about z [m/rad]; negative if left-handed.
    """

    pitch: Scalar

    name = "helical"
    action = "turns and slides"
    turns, slides = True, True
    unit, effort_unit, inertia_unit = "rad", "N m", "kg m^2"

    def map(self, lift: Callable[[Scalar], Any]) -> Helical:
        """Returns this screw with its pitch over another scalar."""
        return Helical(lift(self.pitch))

    def combined(self, turning: Callable[[], T], sliding: Callable[[], T]) -> T:
        """The sum of both, sliding by the pitch."""
        turned: Any = turning()
        slid: Any = sliding()
        total: T = turned + slid * self.pitch
        return total

    def travel(self, position: Scalar) -> Scalar:
        """The pitch times the angle."""
        return position * self.pitch

    def pose(self, position: Scalar, turned: Callable[[Scalar], Matrix3]) -> Pose:
        """A turn about z, and a shift along z."""
        return Pose(turned(position), AXIS * self.travel(position))

    def with_component(self, force: Force, value: Scalar) -> Force:
        """The force with another moment about z."""
        n, f = force.angular, force.linear
        return Force(Vector(n.x, n.y, value - f.z * self.pitch), f)

    def movable(self, inertia: SpatialInertia) -> SpatialInertia:
        """The second moment along the axis: all else is shifted or turned."""
        axial = inertia.tensor.second_moments().zz
        return SpatialInertia(0, Vector(), Symmetric3(axial, 0, 0, axial, 0, 0))
