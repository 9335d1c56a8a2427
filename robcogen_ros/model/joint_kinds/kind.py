"""The algebra of a joint's motion subspace, over any scalar: what algorithms ask of a joint."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Force, Matrix3, MotionVector, Pose, SpatialInertia, Vector

AXIS = Vector(0, 0, 1)
"""Every joint axis in its own frame."""

T = TypeVar("T")


class JointKind(ABC):
    """A kind of joint: S = [z; 0] if it turns, [0; z] if it slides, or a sum of these.

    Attributes:
        name: Its name in messages and tables.
        action: What it does, as a verb.
        turns: Whether it turns the link beyond it.
        slides: Whether it shifts the link beyond it.
        unit: Unit of its positions.
        effort_unit: Unit of the forces along it.
        inertia_unit: Unit of the inertia that its rotor has along it.
    """

    name: ClassVar[str]
    action: ClassVar[str]
    turns: ClassVar[bool]
    slides: ClassVar[bool]
    unit: ClassVar[str]
    effort_unit: ClassVar[str]
    inertia_unit: ClassVar[str]

    @property
    def is_length(self) -> bool:
        """True if its position is a length [m] rather than an angle [rad]."""
        return self.unit == "m"

    def map(self, lift: Callable[[Scalar], Any]) -> JointKind:
        """Returns this kind with its numbers over another scalar."""
        del lift
        return self

    @abstractmethod
    def combined(self, turning: Callable[[], T], sliding: Callable[[], T]) -> T:
        """A quantity that is linear in S.

        Args:
            turning: Gives it for S = [z; 0].
            sliding: Gives it for S = [0; z].
        """

    @abstractmethod
    def travel(self, position: Scalar) -> Scalar:
        """Returns the successor's shift along the axis, or its rate [m, m/s, m/s^2]."""

    @abstractmethod
    def pose(self, position: Scalar, turned: Callable[[Scalar], Matrix3]) -> Pose:
        """The pose of the successor in the joint frame.

        Args:
            position: Of the joint, offset included [rad or m].
            turned: Gives the rotation about z by an angle.
        """

    def motion(self, rate: Scalar) -> MotionVector:
        """S times a rate: motion of the successor relative to the predecessor."""
        along = AXIS * rate
        return self.combined(
            lambda: MotionVector(along, Vector()), lambda: MotionVector(Vector(), along)
        )

    def component(self, force: Force) -> Scalar:
        """S' f: the component of a force along the axis [N m or N]."""
        return self.combined(lambda: force.angular.z, lambda: force.linear.z)

    @abstractmethod
    def with_component(self, force: Force, value: Scalar) -> Force:
        """A force that differs along the axis only, such that S' f is a value."""

    @abstractmethod
    def movable(self, inertia: SpatialInertia) -> SpatialInertia:
        """The part J of an inertia that may as well be fixed on the predecessor.

        J S = 0, and J looks alike from the predecessor at every position.
        """
