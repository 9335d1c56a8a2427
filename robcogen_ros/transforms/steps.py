"""Steps: turns about, and shifts along, one axis; sequences of steps and their inverses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from robcogen_ros.transforms.amount import Amount, Symbol

AXES = "xyz"


@dataclass(frozen=True, slots=True)
class Step:
    """One primitive movement.

    Attributes:
        turns: Whether it turns about the axis [rad] rather than slides along it [m].
        axis: 0, 1, 2 for x, y, z.
        amount: By how much.
    """

    turns: bool
    axis: int
    amount: Amount

    def inverse(self) -> Step:
        """The step that undoes this one."""
        return replace(self, amount=-self.amount)


Steps = tuple[Step, ...]


def inverse(steps: Sequence[Step]) -> Steps:
    """The steps that undo others: the inverses, last first."""
    return tuple(step.inverse() for step in reversed(steps))


def symbols(sequences: Iterable[Sequence[Step]], kind: str) -> tuple[Symbol, ...]:
    """The variables, or the parameters, in sequences: each once, in the order of use."""
    found = (step.amount.open_symbol for steps in sequences for step in steps)
    return tuple(dict.fromkeys(s for s in found if s is not None and s.kind == kind))
