"""Search for columns of a recording that are those of other joints, or have other signs.

What a description says of the forces is compared with those that were measured, as recorded and
with columns exchanged or turned, one change after the other as long as agreement grows. Dry and
viscous friction, an offset and a positive factor are allowed for, so wrong masses tell little.

Where bodies are light beside friction, as in wrists, that tells nothing. So all parameters are
found anew with the columns of each two joints exchanged, too: forces of all joints depend on the
angles of the others, and the right columns leave less, in run after run of neighbouring states
(Vuong 1989, "Likelihood ratio tests for model selection and non-nested hypotheses").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.identification.sample import Sample
from robcogen_ros.runtime.identified import Identified

Array = NDArray[np.float64]
Predict = Callable[[Array, Array, Array], Array]

_GAIN, _STEP = 4.0, 1.5
"""Times by which less is left in the end, and by each change: the product of all joints' parts."""
_LITTLE = 0.01
"""Part of the squares below which it does not matter how little is left of a joint."""
_STATES, _RUNS = 800, 80
_CLEAR = 20.0
"""Times the efforts at rest by which a velocity's sign counts [s/rad]."""


@dataclass(frozen=True)
class Columns:
    """Joints that columns of a recording stand for.

    Attributes:
        order: For each joint, whose columns are its.
        motion: For each joint, the sign of the positions in these.
        effort: The same of the efforts.
        left: For each joint, the part of the squares of its efforts that the description leaves.
        squares: For each joint, the variance of its efforts.
    """

    order: tuple[int, ...]
    motion: tuple[int, ...]
    effort: tuple[int, ...]
    left: tuple[float, ...] = ()
    squares: tuple[float, ...] = ()

    @property
    def cost(self) -> float:
        """The logarithm of the product of what is left."""
        return float(np.log(np.maximum(self.left, _LITTLE)).sum())

    @property
    def whole(self) -> float:
        """The part of the squares of all efforts that is left."""
        return float(np.dot(self.left, self.squares) / (sum(self.squares) or 1.0))


def better_columns(sample: Sample, predict: Predict) -> tuple[Columns, Columns]:
    """Returns the columns as recorded, and those that agree far better: the same if none do.

    Args:
        sample: Measured states.
        predict: Forces by the description, of (m, n) positions, velocities, accelerations.
    """
    states = [each.reshape(-1, each.shape[-1]) for each in sample.arrays()[1:]]
    every = max(1, len(states[0]) // _STATES)
    q, qd, qdd, tau = (each[::every] for each in states)
    search = _Search((q, qd, qdd), tau, predict)
    first = best = search.judged(search.recorded())
    while True:
        found = min(map(search.judged, _others(best)), key=lambda each: each.cost, default=best)
        if found.cost > best.cost - np.log(_STEP):
            break
        best = found
    return first, best if first.cost - best.cost > np.log(_GAIN) else first


def _others(columns: Columns) -> Iterator[Columns]:
    """Returns columns that differ by one exchange, or by the signs of one joint."""
    n = len(columns.order)
    for i, j in combinations(range(n), 2):
        where = list(range(n))
        where[i], where[j] = j, i
        order, motion, effort = (
            tuple(values[k] for k in where)
            for values in (columns.order, columns.motion, columns.effort)
        )
        yield Columns(order, motion, effort)
    for k in range(n):
        turned = [
            tuple(-sign if i == k else sign for i, sign in enumerate(signs))
            for signs in (columns.motion, columns.effort)
        ]
        yield replace(columns, motion=turned[0], effort=turned[1])
        yield replace(columns, motion=turned[0])
        yield replace(columns, effort=turned[1])


def better_fit(sample: Sample, found: Identified) -> tuple[tuple[int, int], float]:
    """Returns the joints whose exchanged columns fit best, and by how many standard errors better.

    Args:
        sample: Measured states.
        found: What was identified of these.
    """
    every = max(1, len(sample) // _RUNS)
    q, qd, qdd, tau = (each[::every] for each in sample.arrays()[1:])
    n, runs = q.shape[-1], len(q)

    def likelihoods(order: list[int]) -> Array:
        """Returns (runs,) logarithms, of least squares with weights by what is left."""
        states = {"q": q[..., order], "qd": qd[..., order], "qdd": qdd[..., order]}
        Y, wanted = found.base.regressor(found.regressor(**states)), tau[..., order]
        Y = np.where(np.isfinite(Y), Y, 0.0)  # loops do not close everywhere
        spread = 1 / found.weights
        for _ in range(2):
            rows = (Y / spread[:, None]).reshape(-1, Y.shape[-1])
            values = np.linalg.lstsq(rows, (wanted / spread).ravel(), rcond=None)[0]
            left = wanted - Y @ values
            spread = np.sqrt((left**2).mean(axis=(0, 1))) + np.finfo(float).tiny
        each = np.log(spread) + (left / spread) ** 2 / 2
        return np.asarray(-each.reshape(runs, -1).sum(axis=1))

    recorded, best, sure = likelihoods(list(range(n))), (0, 0), 0.0
    for i, j in combinations(range(n), 2):
        order = list(range(n))
        order[i], order[j] = j, i
        gain = likelihoods(order) - recorded
        by = float(gain.sum() / (np.sqrt(runs) * gain.std() + np.finfo(float).tiny))
        if by > sure:
            best, sure = (i, j), by
    return best, sure


class _Search:
    """Judges columns by what the description leaves of the efforts."""

    def __init__(self, motion: tuple[Array, Array, Array], tau: Array, predict: Predict) -> None:
        self._motion, self._tau, self._predict = motion, tau, predict
        self._spread = tau.var(axis=0)

    def recorded(self) -> Columns:
        """Returns the columns as they are."""
        n = self._tau.shape[1]
        return Columns(tuple(range(n)), (1,) * n, (1,) * n)

    def judged(self, columns: Columns) -> Columns:
        """Returns them with what is left."""
        order = list(columns.order)
        q, qd, qdd = (each[:, order] * columns.motion for each in self._motion)
        tau, told = self._tau[:, order] * columns.effort, self._predict(q, qd, qdd)
        told = np.where(np.isfinite(told), told, 0.0)  # loops do not close everywhere
        left = tuple(
            _left(tau[:, k], told[:, k], qd[:, k]) / (self._spread[order[k]] or 1.0)
            for k in range(len(order))
        )
        return replace(columns, left=left, squares=tuple(self._spread[order].tolist()))


def _left(tau: Array, told: Array, qd: Array) -> float:
    """Returns the variance that a positive multiple of the told forces and friction leave."""
    size = np.abs(qd).max() or 1.0
    friction = np.stack([qd / size, np.tanh(_CLEAR * qd / size)], axis=1)
    friction -= friction.mean(axis=0)
    rows = np.column_stack([told - told.mean(), friction])
    wanted = tau - tau.mean()
    found = np.linalg.lstsq(rows, wanted, rcond=None)[0]
    if found[0] <= 0:
        rows = friction
        found = np.linalg.lstsq(rows, wanted, rcond=None)[0]
    return float(np.mean((wanted - rows @ found) ** 2))
