"""Refinement of the grid of a trajectory where it is too coarse.

The error of an interval is how far the state at its end is from where the equations of motion lead
from its beginning, with the joint forces of the trajectory and the feet that stand kept from
accelerating. It falls with the fifth power of the interval, which tells in how many an interval is
split (J. T. Betts, *Practical methods for optimal control*, section 4.7).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import casadi
import numpy as np
from casadi import SX, vertcat

from robcogen_ros.control.dynamics import Array
from robcogen_ros.gait.collocation import Grid
from robcogen_ros.gait.conditions import still
from robcogen_ros.gait.motion import Motion
from robcogen_ros.gait.pattern import Phase
from robcogen_ros.gait.problem import Problem
from robcogen_ros.gait.solve import STOPPED, Row, Solution, solve, together
from robcogen_ros.gait.specification import Specification
from robcogen_ros.gait.track import carried, carried_multipliers
from robcogen_ros.model.robot import FREE_FALL

_ORDER = 5
"""Power of the interval with which its error falls."""
_MOST = 4
"""Into how many parts an interval is split at once."""
_STEPS = 4
"""Steps of the integration of an interval: by Runge and Kutta, of the same order as the grid."""
_SMALL = 1e-10
"""Directions of the forces below this share of the largest do nothing: soles have them."""

Rates = Callable[[Array, Array], Array]


@dataclass(frozen=True, slots=True)
class Refined:
    """A solution on a grid that is fine enough, or as fine as it may be.

    Attributes:
        problem: On the last grid.
        solution: Of it; iterations and seconds are those of all grids.
        error: The largest one of an interval.
        grids: How many grids there were.
    """

    problem: Problem
    solution: Solution
    error: float
    grids: int


def refined(
    motion: Motion,
    make: Callable[[Sequence[Array]], Problem],
    problem: Problem,
    solution: Solution,
    wanted: Specification,
    iterations: int,
) -> Refined:
    """Solves a problem on finer and finer grids; keeps the last one that was solved.

    Args:
        motion: Of the robot.
        make: Gives the problem on a grid of some knots.
        problem: On the first grid.
        solution: Of it.
        wanted: Its `accuracy` is the error that intervals may have, after at most `refinements`.
        iterations: The most on each grid.
    """
    grids = 1
    while True:
        error = errors(motion, problem, solution.x)
        worst = max(float(each.max()) for each in error)
        if not solution.succeeded or worst <= wanted.accuracy or grids > wanted.refinements:
            break
        try:
            finest = make(finer(problem, error, wanted.accuracy))
            again = solve(
                finest.program,
                carried(problem, motion, solution.x, finest),
                iterations,
                carried_multipliers(problem, solution.multipliers, finest),
            )
        except KeyboardInterrupt:
            solution = replace(solution, succeeded=False, status=STOPPED)
            break
        spent = solution.iterations + again.iterations
        seconds = together(solution.seconds, again.seconds)
        if again.succeeded:
            solution, problem, grids = again, finest, grids + 1
        else:
            solution = replace(solution, succeeded=False, status=again.status)
        solution = replace(solution, iterations=spent, seconds=seconds)
    if worst > wanted.accuracy and not solution.violated:
        status = "grid too coarse" if solution.succeeded else solution.status
        coarse = tuple(_coarse(motion, problem, solution.x, wanted.accuracy))
        solution = replace(solution, succeeded=False, status=status, violated=coarse)
    return Refined(problem, solution, worst, grids)


def errors(motion: Motion, problem: Problem, x: Array) -> list[Array]:
    """Errors of the intervals of each phase (intervals,), as shares of the units of the states.

    Units are the height at which the robot stands, a radian, and the time of a fall from there.
    Feet that stand and drift count too.
    """
    stride = float(x[problem.stride[0]])
    found = []
    for number, (phase, grid) in enumerate(zip(problem.phases, problem.grids, strict=True)):
        rates = _rates(motion, problem, phase, x[problem.design])
        state = np.hstack(grid.complete(x)[:2])
        ends = _integrated(rates, grid, state[:-1:2], x, stride)
        units = np.hstack([problem.units(0), problem.units(1)])
        away = np.abs((state[2::2] - ends) / units).max(axis=1)
        slip = drifts(motion, problem, x, number).max(axis=1, initial=0.0)
        found.append(np.maximum(away, np.maximum(slip[1::2], slip[2::2])))
    return found


def drifts(motion: Motion, problem: Problem, x: Array, number: int) -> Array:
    """Returns the drift of the feet that stand in a phase (instants, feet).

    Velocities and heights as shares of their units, whichever is larger.
    """
    phase, grid = problem.phases[number], problem.grids[number]
    height = problem.program.scale[grid.y[0, 0]]
    speed = problem.program.scale[grid.v[0, 0]]
    (y, v, _), rates = grid.complete(x), motion.velocities(motion.v)
    found = np.zeros((grid.instants, len(phase.standing)))
    for column, foot in enumerate(phase.standing):
        spin = [speed / height] * 3 if motion.feet[foot].is_pose else []
        units = casadi.DM([*spin, *[speed] * 3])
        above = motion.points[foot][2::3] - problem.terrain.level(foot, phase.middle)
        rows = vertcat(rates[foot] / units, above / height)
        given = [motion.y, motion.v, motion.design]
        away: Any = casadi.Function("away", given, [rows], {"cse": True})
        found[:, column] = np.abs(np.array(away(y.T, v.T, x[problem.design]))).max(axis=0)
    return found


def _coarse(motion: Motion, problem: Problem, x: Array, accuracy: float) -> Iterator[Row]:
    """Yields the intervals that are too coarse, and the feet that drift."""
    for number, error in enumerate(errors(motion, problem, x)):
        grid, worst = problem.grids[number], int(error.argmax())
        if error[worst] > accuracy:
            yield f"accuracy of the interval {grid.where[2 * worst + 1]}", float(error[worst])
        slip = drifts(motion, problem, x, number)
        for column, foot in enumerate(problem.phases[number].standing):
            at = int(slip[:, column].argmax())
            if slip[at, column] > accuracy:
                name = motion.feet[foot].name
                yield f"rest of {name}, which stands, {grid.where[at]}", float(slip[at, column])


def finer(problem: Problem, error: Sequence[Array], accuracy: float) -> list[Array]:
    """Knots of a grid whose intervals have errors of the accuracy, as far as they tell."""
    found = []
    for knots, each in zip(problem.knots, error, strict=True):
        parts = np.clip(np.ceil((each / accuracy) ** (1 / _ORDER)), 1, _MOST).astype(int)
        inner = [
            np.linspace(begin, end, count, endpoint=False)
            for begin, end, count in zip(knots[:-1], knots[1:], parts, strict=True)
        ]
        found.append(np.concatenate([*inner, knots[-1:]]))
    return found


def _integrated(rates: Rates, grid: Grid, state: Array, x: Array, stride: float) -> Array:
    """Returns the state to which each interval leads from its beginning (intervals, states)."""
    force, change = x[grid.u[:-1:2]], x[grid.u[2::2]] - x[grid.u[:-1:2]]
    h = stride * x[grid.steps][:, None] / _STEPS
    for step in range(_STEPS):
        u0, um, u1 = (force + (step + part) / _STEPS * change for part in (0.0, 0.5, 1.0))
        k1 = rates(state, u0)
        k2 = rates(state + h / 2 * k1, um)
        k3 = rates(state + h / 2 * k2, um)
        k4 = rates(state + h * k3, u1)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.asarray(state)


def _rates(motion: Motion, problem: Problem, phase: Phase, design: Array) -> Rates:
    """Rates of states (k, 2 (6 + n)), given joint forces (k, n) as shares of their limits."""
    n, weight = motion.y.shape[0], motion.mass * FREE_FALL
    pushes = [
        SX.sym("f", force.shape[0]) if foot in phase.standing else SX.zeros(force.shape[0])
        for foot, force in enumerate(motion.forces)
    ]
    u = SX.sym("u", len(problem.effort))
    levels = {foot: problem.terrain.level(foot, phase.middle) for foot in phase.standing}
    held = [still(motion, foot, problem.pull, level) for foot, level in levels.items()]
    rest = vertcat(SX(0, 1), *held)
    rows = vertcat(motion.tau - casadi.DM(problem.effort) * u, motion.base, rest)
    rows = casadi.substitute([rows], motion.forces, [weight * push for push in pushes])[0]
    unknown = vertcat(motion.a, *[pushes[foot] for foot in phase.standing])
    # Both are linear in the unknown: what is left without it, and its matrix.
    left = casadi.substitute([rows], [unknown], [SX.zeros(unknown.shape[0])])[0]
    matrix = casadi.jacobian(rows, unknown)
    dense = [casadi.densify(casadi.vec(part)) for part in (matrix, left)]
    system: Any = casadi.Function(
        "system", [motion.y, motion.v, u, motion.design], dense, {"cse": True}
    )
    shape = matrix.shape

    def found(state: Array, force: Array) -> Array:
        y, v = state[:, :n], state[:, n:]
        each, rest = (np.array(part) for part in system(y.T, v.T, force.T, design))
        matrices = each.reshape(shape[0], shape[1], -1, order="F").transpose(2, 0, 1)
        solved = np.linalg.pinv(matrices, rcond=_SMALL) @ -rest.T[:, :, None]
        return np.hstack([v, solved[:, :n, 0]])

    return found
