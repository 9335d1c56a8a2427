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
    "length-unit",
    "careful-numbers",
    "shorter-way",
    *_RULES,
    FUSING,
    SIDE_BY_SIDE,
    LOOPS,
    FETCHING,
)
"""Their names: inertias handed towards the base, frames where most numbers vanish, lengths in a
unit of the robot's own, positions, angles, turns and poles of tensors that keep digits, the
shortest of several ways to compute a function, signs that meet, terms gathered, sums in the
order that fuses most, limbs of equal shape in the lanes of registers, many joints in loops, code
asked for ahead."""


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
