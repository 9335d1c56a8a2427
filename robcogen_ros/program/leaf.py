"""Leaves that operations start from: constants, inputs, and what sweeps hand on."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum


class Stage(IntEnum):
    """Stage at which a value is known; of an operation, the latest of its operands."""

    BUILD = 0
    PARAMETERS = 1
    Q = 2
    QD = 3
    REST = 4


CONSTANTS = "constants"
"""Name of the argument that holds what was computed from the parameters."""

_STAGE_OF_INPUT = {
    CONSTANTS: Stage.PARAMETERS,
    "q": Stage.Q,
    "qd": Stage.QD,
    "base_velocity": Stage.QD,
}


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant of 50 digits."""

    value: Decimal

    @property
    def stage(self) -> Stage:
        """Known when code is generated."""
        return Stage.BUILD


@dataclass(frozen=True, slots=True)
class LimbConstant:
    """A constant of one of several limbs of equal shape, beside those of the others.

    Attributes:
        group: Which limbs.
        values: The constant of each limb; not all are equal.
        limb: Which of them it is.
    """

    group: int
    values: tuple[Decimal, ...]
    limb: int

    @property
    def stage(self) -> Stage:
        """Known when code is generated."""
        return Stage.BUILD


@dataclass(frozen=True, slots=True)
class PackedConstant:
    """Constants side by side, a lane for each limb."""

    values: tuple[Decimal, ...]

    @property
    def stage(self) -> Stage:
        """Known when code is generated."""
        return Stage.BUILD


@dataclass(frozen=True, slots=True)
class PackedInput:
    """Entries of an input argument side by side, a lane for each limb."""

    name: str
    indices: tuple[int, ...]

    @property
    def stage(self) -> Stage:
        """Known when the argument is."""
        return Input(self.name, 0).stage


@dataclass(frozen=True, slots=True)
class ParameterValue:
    """The value of a named parameter of the robot."""

    name: str

    @property
    def stage(self) -> Stage:
        """Known when parameters are set."""
        return Stage.PARAMETERS


@dataclass(frozen=True, slots=True)
class Input:
    """One entry of an input argument."""

    name: str
    index: int

    @property
    def stage(self) -> Stage:
        """Known when the argument is."""
        return _STAGE_OF_INPUT.get(self.name, Stage.REST)


@dataclass(frozen=True, slots=True)
class OfQuantity:
    """An entry of a quantity that an algorithm has named, where code is to be read.

    Attributes:
        quantity: Its name.
        index: Which entry.
    """

    quantity: str
    index: int

    @property
    def stage(self) -> Stage:
        """Known when all is."""
        return Stage.REST


class _OfSweep:
    """Number that a sweep finds."""

    __slots__ = ()

    @property
    def stage(self) -> Stage:
        """Known when all is."""
        return Stage.REST


@dataclass(frozen=True, slots=True)
class Before(_OfSweep):
    """Number of the state that reaches a step, within a step of a sweep.

    Attributes:
        sweep: Which sweep.
        index: Which number.
    """

    sweep: int
    index: int


@dataclass(frozen=True, slots=True)
class Field(_OfSweep):
    """Number that an earlier sweep found for the same joint, within a step of a sweep.

    Attributes:
        sweep: The earlier sweep.
        number: The node's number that the number is in its step.
        ancestor: Whether it is that of the joint that a walk passes.
    """

    sweep: int
    number: int
    ancestor: bool = False


@dataclass(frozen=True, slots=True)
class OfAncestor:
    """Constant or input of the ancestor that a walk passes, within its step."""

    leaf: LimbConstant | PackedInput

    @property
    def stage(self) -> Stage:
        """Known when the argument is."""
        return self.leaf.stage


@dataclass(frozen=True, slots=True)
class Entry(_OfSweep):
    """A number that a sweep found for one joint, or one pair of joints.

    Attributes:
        sweep: The sweep.
        number: The node's number that it is in its step.
        place: Index of the joint or pair.
    """

    sweep: int
    number: int
    place: int


@dataclass(frozen=True, slots=True)
class Total(_OfSweep):
    """The sum of a number that an inward sweep hands on to the base."""

    sweep: int
    index: int


Leaf = (
    Literal
    | LimbConstant
    | PackedConstant
    | PackedInput
    | ParameterValue
    | Input
    | OfQuantity
    | Before
    | Field
    | OfAncestor
    | Entry
    | Total
)
