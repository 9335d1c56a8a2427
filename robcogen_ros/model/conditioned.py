"""Records of each joint, beside the robot, by which tensors of inertia keep their digits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar, is_zero


@dataclass(frozen=True, slots=True)
class Conditioning:
    """Sums by which tensors of inertia are turned and added up across a joint.

    Of `RotationZ.rotate_symmetric`, where its sums start:

    Attributes:
        fixed: Where tensors are turned by the joint frame's pose.
        rigid: Where they are turned by the joint itself, of rigid bodies.
        articulated: The same of articulated bodies.
        reference: Where on the joint's axis, from the successor's origin, the point lies about
            which tensors of composite bodies are added up on both its links; 0 if about their
            origins [m].
        plain: Whether the joint's transform is taken as a whole, no shorter way for its zeros.
    """

    fixed: str = "xy"
    rigid: str = "xy"
    articulated: str = "xy"
    reference: Scalar = 0
    plain: bool = False

    def map(self, lift: Callable[[Scalar], Any]) -> Conditioning:
        """Returns this record with its length over another scalar."""
        return self if is_zero(self.reference) else replace(self, reference=lift(self.reference))


@dataclass(frozen=True)
class ConditionedRobot(Robot):
    """A robot, and the conditioning of each joint.

    Attributes:
        conditioning: That of `joints[i]`.
    """

    conditioning: tuple[Conditioning, ...] = ()

    __hash__ = Robot.__hash__

    def map(self, lift: Callable[[Scalar], Any]) -> ConditionedRobot:
        """Returns this robot with its quantities over another scalar."""
        return conditioned(super().map(lift), [each.map(lift) for each in self.conditioning])


def conditioned(robot: Robot, conditioning: Sequence[Conditioning]) -> ConditionedRobot:
    """A robot with the conditioning of each of its joints."""
    own = {each.name: getattr(robot, each.name) for each in fields(Robot)}
    return ConditionedRobot(**own, conditioning=tuple(conditioning))


def conditioning(robot: Robot) -> tuple[Conditioning, ...]:
    """The conditioning of each joint of a robot."""
    if isinstance(robot, ConditionedRobot):
        return robot.conditioning
    return (Conditioning(),) * len(robot.joints)
