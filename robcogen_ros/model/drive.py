"""The drive of a joint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from robcogen_ros.model.scalars.operation import Scalar


@dataclass(frozen=True, slots=True)
class Drive:
    """The drive of a joint, or the one it would have: also of joints that follow others.

    Attributes:
        gear: How far the motor turns as the joint moves by one.
        rotor: Inertia of the rotor as it is felt at the joint [kg m^2 or kg].
        velocity: Greatest speed of the joint [rad/s or m/s]; None where there is no limit.
        effort: Greatest force along the joint [N m or N]; None where there is no limit.
    """

    gear: Scalar = 1
    rotor: Scalar = 0
    velocity: float | None = None
    effort: float | None = None

    def map(self, lift: Callable[[Scalar], Any]) -> Drive:
        """Returns this drive with its numbers over another scalar."""
        return replace(self, gear=lift(self.gear), rotor=lift(self.rotor) if self.rotor else 0)
