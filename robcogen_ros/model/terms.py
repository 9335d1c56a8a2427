"""Terms of joints and springs that are added to the rigid-body dynamics on request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from robcogen_ros.model.scalars.operation import Scalar

QUANTITIES = {
    "armature": ("armature",),
    "damping": ("damping",),
    "friction": ("friction",),
    "springs": ("stiffness", "rest"),
}
"""Quantities that each term is made of, along a coordinate."""

TERMS = tuple(QUANTITIES)

FELT = ("armature", "damping", "stiffness", "rest")
"""Quantities that a joint has of its own if it depends on coordinates through a loop."""


@dataclass(frozen=True, slots=True)
class LinearSpring:
    """A spring along the line between the origins of two frames.

    Attributes:
        name: Its name.
        frames: Indices of the frames.
        stiffness: How much harder it pulls the longer it is [N/m].
        length: Its length where it does not pull [m].
    """

    name: str
    frames: tuple[int, int]
    stiffness: Scalar
    length: Scalar

    def map(self, lift: Callable[[Scalar], Any]) -> LinearSpring:
        """Returns this spring over another scalar."""
        return replace(self, stiffness=lift(self.stiffness), length=lift(self.length))


@dataclass(frozen=True, slots=True)
class JointTerms:
    """Terms of the equation of motion along each coordinate; those not asked for are empty.

    Attributes:
        armature: Inertia of the rotor as it is felt at the joint [kg m^2 or kg].
        damping: Viscous friction [N m s/rad or N s/m].
        friction: Dry friction [N m or N].
        stiffness: Of springs that pull the coordinate to its rest [N m/rad or N/m].
        rest: Position at which they do not [rad or m].
        lines: Springs between frames.
    """

    armature: tuple[Scalar, ...] = ()
    damping: tuple[Scalar, ...] = ()
    friction: tuple[Scalar, ...] = ()
    stiffness: tuple[Scalar, ...] = ()
    rest: tuple[Scalar, ...] = ()
    lines: tuple[LinearSpring, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the terms there are."""
        here = {first: bool(getattr(self, first)) for first, *_ in QUANTITIES.values()}
        here["stiffness"] |= bool(self.lines)
        return tuple(term for term, (first, *_) in QUANTITIES.items() if here[first])

    @property
    def quantities(self) -> dict[str, tuple[Scalar, ...]]:
        """Quantities along each coordinate, by the names of the attributes."""
        every = (name for names in QUANTITIES.values() for name in names)
        return {name: getattr(self, name) for name in every if getattr(self, name)}

    def map(self, lift: Callable[[Scalar], Any]) -> JointTerms:
        """Returns these terms over another scalar."""
        along = {name: tuple(map(lift, x)) for name, x in self.quantities.items()}
        return JointTerms(**along, lines=tuple(line.map(lift) for line in self.lines))
