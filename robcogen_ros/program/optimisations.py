"""Optimisations of programs; each can be left out, to see what it is worth."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.names import nearest
from robcogen_ros.program.graph import Rule
from robcogen_ros.program.passes.cancel import cancel
from robcogen_ros.program.trace import RULES

CANCELLING, SIDE_BY_SIDE = "cancelling", "side-by-side"
LOOPS, PREFETCHING = "loops", "fetching"

OPTIMISATIONS = (
    "minimal-inertias",
    "chosen-frames",
    "conditioning",
    "shorter-way",
    CANCELLING,
    SIDE_BY_SIDE,
    LOOPS,
    PREFETCHING,
)
"""Names of optimisations; `docs/performance.md` says what each of them does."""


def checked(names: Iterable[str]) -> frozenset[str]:
    """Names of optimisations.

    Raises:
        RobcogenError: If one is unknown.
    """
    found = frozenset(names)
    for name in sorted(found.difference(OPTIMISATIONS)):
        known = f"{nearest(name, OPTIMISATIONS)}; there are {', '.join(OPTIMISATIONS)}"
        raise RobcogenError(f"there is no optimisation '{name}'{known}")
    return found


def rules_without(names: Collection[str]) -> tuple[Rule, ...]:
    """Returns the rules that are left without some optimisations."""
    return tuple(rule for rule in RULES if rule is not cancel or CANCELLING not in names)
