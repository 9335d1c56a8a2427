"""A trajectory by the share of a stride that has passed, as starts are read from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.gait.collocation import Grid
from robcogen_ros.gait.motion import Motion
from robcogen_ros.gait.nlp import Places
from robcogen_ros.gait.problem import Problem

_ASIDE = 1e-7
"""Distance within a phase at which its borders are looked up, as a share of the stride."""


@dataclass(frozen=True, slots=True)
class Track:
    """A trajectory at instants; there are two of them where a foot lands or lifts off.

    Attributes:
        times: Instants, as shares of the stride (k).
        duration: Of the stride [s].
        speed: Mean velocity ahead [m/s].
        y: Coordinates (k, 6 + n).
        v: Their rates.
        a: Their second derivatives.
        u: Joint forces, as shares of their limits (k, n).
        forces: At the points of all feet, as shares of the weight (k, 3 x points).
    """

    times: Array
    duration: float
    speed: float
    y: Array
    v: Array
    a: Array
    u: Array
    forces: Array

    def fill(self, problem: Problem, motion: Motion, x: Array) -> None:
        """Sets variables of a problem to the trajectory, stretched to a stride that it allows."""
        program, single = problem.program, (problem.stride, problem.speed)
        for variable, value in zip(single, (self.duration, self.speed), strict=True):
            number = int(variable[0])
            x[number] = np.clip(value, program.lower[number], program.upper[number])
        slower = self.duration / x[problem.stride[0]]
        ahead = x[problem.speed[0]] * x[problem.stride[0]] - self.speed * self.duration
        for phase, grid in zip(problem.phases, problem.grids, strict=True):
            self._fill(grid, motion.force_rows(phase.standing), x)
            x[grid.v], x[grid.a] = slower * x[grid.v], slower**2 * x[grid.a]
            x[grid.y[:, 0]] += ahead * grid.times
            x[grid.v[:, 0]] += ahead / x[problem.stride[0]]

    def _fill(self, grid: Grid, rows: list[int], x: Array) -> None:
        at = np.clip(grid.times, grid.times[0] + _ASIDE, grid.times[-1] - _ASIDE)
        last = np.clip(np.searchsorted(self.times, at), 1, len(self.times) - 1)
        first = last - 1
        step = self.times[last] - self.times[first]
        s = ((at - self.times[first]) / step)[:, None]
        h = self.duration * step[:, None]

        def cubic(values: Array, slopes: Array) -> Array:
            return (
                (1 + 2 * s) * (1 - s) ** 2 * values[first]
                + s**2 * (3 - 2 * s) * values[last]
                + h * s * (1 - s) * ((1 - s) * slopes[first] - s * slopes[last])
            )

        def linear(values: Array) -> Array:
            return (1 - s) * values[first] + s * values[last]

        free, y = grid.coordinates.free, cubic(self.y, self.v)
        x[grid.y], x[grid.v] = y[:, free], cubic(self.v, self.a)[:, free]
        x[grid.a], x[grid.footholds] = linear(self.a[:, free]), grid.coordinates.stood(y)
        x[grid.u], x[grid.forces] = linear(self.u), linear(self.forces[:, rows])


def track_of(problem: Problem, motion: Motion, x: Array) -> Track:
    """The trajectory that variables of a problem are, of its share of a stride."""
    points = sum(force.shape[0] for force in motion.forces)
    forces = []
    for phase, grid in zip(problem.phases, problem.grids, strict=True):
        each = np.zeros((grid.instants, points))
        each[:, motion.force_rows(phase.standing)] = x[grid.forces]
        forces.append(each)
    y, v, a = (
        np.vstack(part) for part in zip(*(g.complete(x) for g in problem.grids), strict=True)
    )
    u = np.vstack([x[grid.u] for grid in problem.grids])
    return Track(
        np.concatenate([grid.times for grid in problem.grids]),
        float(x[problem.stride[0]]),
        float(x[problem.speed[0]]),
        y,
        v,
        a,
        u,
        np.vstack(forces),
    )


def carried(problem: Problem, motion: Motion, x: Array, finer: Problem) -> Array:
    """Variables of a problem on another grid."""
    start = np.array(finer.program.start)
    track_of(problem, motion, x).fill(finer, motion, start)
    for own, other in _singles(problem, finer):
        start[other] = x[own]
    for grid, fine, own, other in zip(
        problem.grids, finer.grids, problem.weights, finer.weights, strict=True
    ):
        start[other] = _interpolated(grid.times, x[own], fine.times)
    return np.asarray(np.clip(start, finer.program.lower, finer.program.upper))


def carried_multipliers(
    problem: Problem, multipliers: tuple[Array, Array], finer: Problem
) -> tuple[Array, Array]:
    """Multipliers of variables and rows on another grid.

    Those of an instant grow with the share of the integral that it has, those of defects do not.
    """
    of_variables, of_rows = multipliers
    old, new = Weights(problem), Weights(finer)
    found = np.zeros(len(finer.program.start))
    for grid, other, weights, same in zip(
        problem.grids, finer.grids, problem.weights, finer.weights, strict=True
    ):
        (at, share), (to, whole) = old.of(grid.y), new.of(other.y)
        for own, its in zip((*grid.parts, weights), (*other.parts, same), strict=True):
            values = of_variables[own] / share[:, None]
            found[its] = _interpolated(at, values, to) * whole[:, None]
    for single, its in _singles(problem, finer):
        found[its] = of_variables[single]
    rows, first = [], 0
    for block, again in zip(problem.program.blocks, finer.program.blocks, strict=True):
        values = of_rows[first : first + block.size].reshape(len(block.places), -1)
        first += block.size
        if len(block.places) > 1:
            (at, share), (to, whole) = old.of(block.places), new.of(again.places)
            values = _interpolated(at, values / share[:, None], to) * whole[:, None]
        rows.append(values.ravel())
    return found, np.concatenate(rows)


class Weights:
    """Times of variables, phases apart from each other, and the shares of Simpson's rule.

    Attributes:
        times: Of the variables, twice the number of a phase more; NaN of those that are no instant.
        shares: Of the instants in the integral, six times as much as in time.
    """

    def __init__(self, problem: Problem) -> None:
        """Looks at all variables."""
        self.times = np.full(len(problem.program.start), np.nan)
        self.shares = self.times.copy()
        for number, (grid, knots) in enumerate(zip(problem.grids, problem.knots, strict=True)):
            step, share = np.diff(knots), np.zeros(grid.instants)
            share[1::2] = 4 * step
            share[:-1:2] += step
            share[2::2] += step
            for part in grid.parts:
                self.times[part] = 2 * number + grid.times[:, None]
                self.shares[part] = share[:, None]

    def of(self, places: Places) -> tuple[Array, Array]:
        """Times and shares of places; of those that are no instant but an interval one."""
        times = self.times[places]
        same = np.nanmax(times, axis=1) == np.nanmin(times, axis=1)
        share = np.where(same, np.nanmean(self.shares[places], axis=1), 1.0)
        return np.nanmean(times, axis=1), share


def _singles(problem: Problem, other: Problem) -> zip[tuple[Places, Places]]:
    """Variables that are not those of an instant, of two problems."""
    one, two = (
        (p.stride, p.speed, p.design, *p.impulses, *(grid.footholds for grid in p.grids))
        for p in (problem, other)
    )
    return zip(one, two, strict=True)


def _interpolated(times: Array, values: Array, at: Array) -> Array:
    columns = [np.interp(at, times, column) for column in values.T]
    found: Array = np.array(columns).reshape(len(columns), len(at)).T
    return found
