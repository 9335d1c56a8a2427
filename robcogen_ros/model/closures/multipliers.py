"""The spanning tree of a robot with loops, which forces hold closed: which of their rows count."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import Problem, RobcogenError
from robcogen_ros.model.closures.closed_loops import ClosedLoops
from robcogen_ros.model.closures.closure import FIXED
from robcogen_ros.model.description import ClosureDescription, Description, LoopsDescription
from robcogen_ros.model.options import ModelOptions, option_text

Array = NDArray[np.float64]

_PARTS = "root", "tips", "lock"


def spanned(
    description: Description, loops: LoopsDescription, options: ModelOptions
) -> tuple[Description, list[Problem]]:
    """A description with all joints free and its loops' rows that count, and what to tell.

    Raises:
        ModelError: If the loops do not close.
        RobcogenError: If a part of the robot is asked for.
    """
    for name in _PARTS:
        if getattr(options, name):
            told = f"{option_text('loops_as', 'multipliers')} has no parts of robots yet"
            raise RobcogenError(f"{told}: leave out {option_text(name)}")
    at = ClosedLoops(description, loops)
    K = max((np.concatenate(rows) for rows in at.jacobians), key=at.tree.rank)
    chosen = _independent(K, at.tree.rank(K))
    numbers = [(k, row) for k, loop in enumerate(loops.loops) for row in FIXED[loop.fixed]]
    counted = [numbers[row] for row in chosen]
    rows = tuple(tuple(row for i, row in counted if i == k) for k in range(len(loops.loops)))
    message = (
        f"only loop_forward_dynamics has the forces that hold loops closed ({len(chosen)} of "
        f"{len(K)} rows count); other functions are those of the tree"
    )
    held = ClosureDescription(loops.loops, rows, (), ())
    found = replace(description, loops=None, closures=(held,))
    return found, [*at.told, Problem(message, loops.location, "warning")]


def _independent(K: Array, count: int) -> list[int]:
    """Returns so many rows, each the farthest from the space of those before, in order."""
    left, chosen = K.copy(), list[int]()
    for _ in range(count):
        lengths = np.linalg.norm(left, axis=1)
        chosen.append(int(lengths.argmax()))
        unit = left[chosen[-1]] / lengths.max()
        left -= np.outer(left @ unit, unit)
    return sorted(chosen)
