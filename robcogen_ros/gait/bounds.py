"""Bounds that hold a gait: with wider ones its merit would be less."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from robcogen_ros.gait.problem import Problem
from robcogen_ros.gait.solve import Solution
from robcogen_ros.gait.track import Weights

_DEAR = 1e-3
"""Price from which on a bound is told, as a share of the merit."""
_ACTIVE = 3e-6
"""Multiplier from which on a bound is active: times the distance from it, it is 1e-9 in IPOPT."""
_PHYSICS = ("force at a foot", "impulse")
"""Variables whose lower bound is no setting: the ground does not pull."""

_Row = tuple[str, bool, float | None, float, float, float]
"""Name, whether it is an upper one, value, time, share of time, price of a bound at an instant."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound that is active.

    Attributes:
        name: Of what is bounded.
        value: Where its bound is; None where the name tells a setting with its value, or where it
            moves.
        share: Of the time in which it is active, of the part of a stride that was sought; 1 of what
            has no time.
        price: What the merit falls by with each unit that it is wider.
    """

    name: str
    value: float | None
    share: float
    price: float

    def __str__(self) -> str:
        """Returns it in words."""
        value = "" if self.value is None else f" {self.value:.3g}"
        often = f" ({100 * self.share:.0f} % of the time)" if self.share < 1.0 else ""
        return f"{self.name}{value}{often}"


def active_bounds(problem: Problem, solution: Solution) -> tuple[Bound, ...]:
    """The bounds that are active at a minimum, the dearest first."""
    found: dict[tuple[str, bool], list[_Row]] = {}
    for row in (*_of_variables(problem, solution), *_of_rows(problem, solution)):
        found.setdefault(row[:2], []).append(row)
    bounds = []
    for (name, _), rows in found.items():
        times = {time: share for *_, time, share, _ in rows}
        values = {value for _, _, value, *_ in rows}
        value = values.pop() if len(values) == 1 else None
        share = 1.0 if np.isnan([*times]).any() else sum(times.values()) / (6 * problem.share)
        bounds.append(Bound(name, value, share, sum(row[-1] for row in rows)))
    dear = [bound for bound in bounds if bound.price > _DEAR * abs(solution.merit)]
    return tuple(sorted(dear, key=lambda bound: -bound.price))


def _of_variables(problem: Problem, solution: Solution) -> Iterator[_Row]:
    program, weights, prices = problem.program, Weights(problem), solution.multipliers[0]
    for i in np.flatnonzero(np.less(program.lower, program.upper) & (np.abs(prices) > _ACTIVE)):
        name, upper, price = program.names[i], bool(prices[i] > 0.0), abs(float(prices[i]))
        if upper or not name.startswith(_PHYSICS):
            bound = round(program.upper[i] if upper else program.lower[i], 9)
            yield name, upper, bound, weights.times[i], weights.shares[i], price


def _of_rows(problem: Problem, solution: Solution) -> Iterator[_Row]:
    weights, first = Weights(problem), 0
    for block in problem.program.blocks:
        prices = solution.multipliers[1][first : first + block.size].reshape(block.lower.shape)
        first += block.size
        times = shares = np.full(len(block.places), np.nan)
        if len(block.places) > 1:
            times, shares = weights.of(block.places)
        active = (block.lower < block.upper) & (np.abs(prices) > _ACTIVE)
        for k, i in zip(*np.nonzero(active), strict=True):
            upper, ends = bool(prices[k, i] > 0.0), (block.lower[k, i], block.upper[k, i])
            bound = round(float(ends[upper]), 9) if np.isfinite(ends).all() else None
            yield block.names[i], upper, bound, times[k], shares[k], abs(float(prices[k, i]))
