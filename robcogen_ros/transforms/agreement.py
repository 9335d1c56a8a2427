"""Agreement of relations with each other, at a few values of what is open in them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.transforms.steps import Step, Steps, inverse

_TRIALS = 2
_AGREEMENT = 1e-9

Edge = tuple[str, str, Steps]
"""Two frames and the factors of the transform between them: left, right, left_X_right."""


def disagreeing(tree: Iterable[Edge], others: Iterable[Edge]) -> list[bool]:
    """Returns for each of the other edges True if it contradicts the tree.

    Args:
        tree: Edges that close no loop, in an order in which each joins a frame to earlier ones or
            starts anew.
        others: Edges between frames that the tree joins.
    """
    edges, listed = list(tree), list(others)
    result = [False] * len(listed)
    for trial in range(_TRIALS if listed else 0):
        poses = _poses(edges, trial)
        for i, (left, right, steps) in enumerate(listed):
            expected = np.linalg.solve(poses[left], poses[right])
            found = matrix(steps, trial)
            scale = max(1.0, float(np.abs(expected).max()), float(np.abs(found).max()))
            result[i] |= bool(np.abs(expected - found).max() > _AGREEMENT * scale)
    return result


def matrix(steps: Sequence[Step], trial: int) -> NDArray[np.float64]:
    """The homogeneous matrix of steps, for arbitrary values that only depend on the trial."""
    product = np.eye(4)
    for step in steps:
        product = product @ _factor(step, trial)
    return product


def _factor(step: Step, trial: int) -> NDArray[np.float64]:
    amount, factor = _value(step, trial), np.eye(4)
    if not step.turns:
        factor[step.axis, 3] = amount
        return factor
    i, k = (step.axis + 1) % 3, (step.axis + 2) % 3
    factor[i, i] = factor[k, k] = np.cos(amount)
    factor[k, i] = np.sin(amount)
    factor[i, k] = -factor[k, i]
    return factor


def _value(step: Step, trial: int) -> float:
    constant, symbol = step.amount.constant, step.amount.open_symbol
    if symbol is None:
        return float(constant or 0)
    value = random.Random(f"{symbol.kind} {symbol.key} {trial}").uniform(-2, 2)
    return value * float(step.amount.coefficient)


def _poses(tree: Iterable[Edge], trial: int) -> dict[str, NDArray[np.float64]]:
    """A pose of each frame that has the relations of the tree."""
    near: dict[str, list[tuple[str, NDArray[np.float64]]]] = {}
    for left, right, steps in tree:
        near.setdefault(left, []).append((right, matrix(steps, trial)))
        near.setdefault(right, []).append((left, matrix(inverse(steps), trial)))
    poses: dict[str, NDArray[np.float64]] = {}
    for root in near:
        if root in poses:
            continue
        poses[root], pending = np.eye(4), [root]
        while pending:
            frame = pending.pop()
            for neighbour, step in near[frame]:
                if neighbour not in poses:
                    poses[neighbour] = poses[frame] @ step
                    pending.append(neighbour)
    return poses
