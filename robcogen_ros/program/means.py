"""What makes programs shorter or faster; each means can be left out, to see what it is worth."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.names import nearest
from robcogen_ros.program.graph import Rule
from robcogen_ros.program.passes.cancel import cancel
from robcogen_ros.program.passes.gather import gather
from robcogen_ros.program.trace import RULES

FUSING, SIDE_BY_SIDE = "fusing", "side-by-side"
LOOPS, FETCHING = "loops", "fetching"

_RULES: dict[str, Rule] = {"cancelling": cancel, "gathering": gather}

MEANS = (
    "minimal-inertias",
    "chosen-frames",
    "careful-numbers",
    "shorter-way",
    *_RULES,
    FUSING,
    SIDE_BY_SIDE,
    LOOPS,
    FETCHING,
)
"""Their names; `docs/performance.md` says what each of them does."""


def checked(names: Iterable[str]) -> frozenset[str]:
    """Names of means.

    Raises:
        RobcogenError: If one is unknown.
    """
    found = frozenset(names)
    for name in sorted(found.difference(MEANS)):
        raise RobcogenError(
            f"there is no means '{name}'{nearest(name, MEANS)}; there are {', '.join(MEANS)}"
        )
    return found


def rules_without(names: Collection[str]) -> tuple[Rule, ...]:
    """What is simplified while nodes are made, where some means are left out."""
    left_out = [rule for name, rule in _RULES.items() if name in names]
    return tuple(rule for rule in RULES if rule not in left_out)
