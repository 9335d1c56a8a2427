"""What joints and springs add to the rigid-body dynamics, if that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from robcogen_ros.model.operation import Scalar

QUANTITIES = {
    "armature": ("armature",),
    "damping": ("damping",),
    "friction": ("friction",),
    "springs": ("stiffness", "rest"),
}
"""What each term is made of, along a coordinate."""

TERMS = tuple(QUANTITIES)


@dataclass(frozen=True, slots=True)
class JointTerms:
    """Terms of the equation of motion along each coordinate; those not asked for are empty.

    Attributes:
        armature: Inertia of the rotor as it is felt at the joint [kg m^2 or kg].
        damping: Viscous friction [N m s/rad or N s/m].
        friction: Dry friction [N m or N].
        stiffness: Of springs that pull the coordinate to its rest [N m/rad or N/m].
        rest: Position at which they do not [rad or m].
    """

    armature: tuple[Scalar, ...] = ()
    damping: tuple[Scalar, ...] = ()
    friction: tuple[Scalar, ...] = ()
    stiffness: tuple[Scalar, ...] = ()
    rest: tuple[Scalar, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the terms there are."""
        return tuple(term for term, (first, *_) in QUANTITIES.items() if getattr(self, first))

    @property
    def quantities(self) -> dict[str, tuple[Scalar, ...]]:
        """What there is along each coordinate, by the names of the attributes."""
        every = (name for names in QUANTITIES.values() for name in names)
        return {name: getattr(self, name) for name in every if getattr(self, name)}

    def map(self, lift: Callable[[Scalar], Any]) -> JointTerms:
        """The same terms over another scalar."""
        return JointTerms(**{name: tuple(map(lift, x)) for name, x in self.quantities.items()})
