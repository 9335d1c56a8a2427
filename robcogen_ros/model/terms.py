"""What joints add to the rigid-body dynamics, if that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from robcogen_ros.model.operation import Scalar

TERMS = ("armature", "damping", "friction")


@dataclass(frozen=True, slots=True)
class JointTerms:
    """Terms of the equation of motion along each coordinate; those not asked for are empty.

    Attributes:
        armature: Inertia of the rotor as it is felt at the joint [kg m^2 or kg].
        damping: Viscous friction [N m s/rad or N s/m].
        friction: Dry friction [N m or N].
    """

    armature: tuple[Scalar, ...] = ()
    damping: tuple[Scalar, ...] = ()
    friction: tuple[Scalar, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the terms there are."""
        return tuple(name for name in TERMS if getattr(self, name))

    def map(self, lift: Callable[[Scalar], Any]) -> JointTerms:
        """The same terms over another scalar."""
        return JointTerms(*(tuple(lift(x) for x in getattr(self, name)) for name in TERMS))
