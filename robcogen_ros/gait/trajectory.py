"""A solved problem as a gait: its variables as trajectories of a whole stride, in the world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi
import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.gait.bounds import active_bounds
from robcogen_ros.gait.mirror import Mirror
from robcogen_ros.gait.motion import Motion
from robcogen_ros.gait.pattern import Pattern
from robcogen_ros.gait.problem import Problem
from robcogen_ros.gait.refine import Refined
from robcogen_ros.gait.result import Gait
from robcogen_ros.gait.specification import Specification
from robcogen_ros.gait.terrain import turned
from robcogen_ros.model.robot import FREE_FALL


def gait_of(
    robot: Any,
    motion: Motion,
    wanted: Specification,
    pattern: Pattern,
    found: Refined,
    notes: tuple[str, ...],
) -> Gait:
    """Variables as trajectories of a whole stride."""
    problem, solution = found.problem, found.solution
    x, n = solution.x, robot.n
    duration, speed = float(x[problem.stride[0]]), float(x[problem.speed[0]])
    table, impulses = _table(motion, problem, x)
    y, v, a = (table[:, 1 + i * (6 + n) : 1 + (i + 1) * (6 + n)] for i in range(3))
    tau, forces = table[:, 1 + 3 * (6 + n) :][:, :n], table[:, 1 + 3 * (6 + n) + n :]
    feet = len(motion.feet)
    twists = casadi.Function(
        "t", [motion.y, motion.v, motion.a], [motion.base_velocity, motion.base_acceleration]
    )
    v0, a0 = (np.array(part).T for part in twists(y.T, v.T, a.T))
    times, axes = table[:, 0], problem.terrain.axes
    standing = np.array(
        [[problem.pattern_standing(f, t) for f in range(feet)] for t in _inside(times, duration)]
    )
    position, orientation = turned(axes, y[:, :3], y[:, 3:6])
    footholds = _footholds(motion, problem, x, y, pattern.phase, times / duration)
    impulses[:, 1:] = (impulses[:, 1:].reshape(-1, 3) @ axes.T).reshape(len(impulses), -1)
    return Gait(
        joint_names=robot.joint_names,
        contacts=robot.contacts,
        feet=tuple(contact.frame_name for contact in robot.contact_records),
        times=times,
        position=position,
        orientation=orientation,
        q=y[:, 6:],
        base_velocity=v0,
        qd=v[:, 6:],
        base_acceleration=a0,
        qdd=a[:, 6:],
        tau=tau,
        forces=forces.reshape(-1, feet, 3) @ axes.T,
        standing=standing,
        duty=np.array(pattern.duty),
        phases=np.array(pattern.phase),
        friction=wanted.friction,
        effort_limits=problem.effort * _shares(wanted, v[:, 6:]),
        impulses=impulses[impulses[:, 1:].any(axis=1)],
        duration=duration,
        speed=speed,
        merit=solution.merit,
        error=found.error,
        knots=np.concatenate(problem.knots),
        solution=solution,
        notes=(*notes, _grid(found)),
        ground_normal=axes[:, 2],
        footholds=footholds @ axes.T,
        bounds=active_bounds(problem, solution) if solution.succeeded else (),
    )


def _footholds(
    motion: Motion, problem: Problem, x: Array, y: Array, phases: Sequence[float], shares: Array
) -> Array:
    """Returns where feet touch the ground after they have landed, in its axes (feet, 3)."""
    found = np.zeros((len(motion.feet), 3))
    for foot, phase in enumerate(phases):
        points: Any = casadi.Function("p", [motion.y, motion.design], [motion.points[foot]])
        landed = y[int(np.searchsorted(shares, phase - 1e-9, side="left"))]
        found[foot] = np.array(points(landed, x[problem.design])).reshape(-1, 3).mean(axis=0)
    return found


def _table(motion: Motion, problem: Problem, x: Array) -> tuple[Array, Array]:
    """Returns time, y, v, a, joint forces, forces of all feet of a whole stride; its impulses."""
    duration, speed = float(x[problem.stride[0]]), float(x[problem.speed[0]])
    rows = [_rows(motion, problem, x, i, duration) for i in range(len(problem.grids))]
    table, impulses = np.vstack([r for r, _ in rows]), np.vstack([p for _, p in rows])
    if problem.mirror is None:
        return table, impulses
    n, ahead = len(problem.effort), np.array([speed * duration / 2, 0.0, 0.0])
    other = impulses.copy()
    other[:, 0] += duration / 2
    other[:, 1:] = _exchanged(impulses[:, 1:], problem.mirror)
    image = _mirrored(table, problem.mirror, n, duration / 2, ahead)
    return np.vstack([table, image]), np.vstack([impulses, other])


def _shares(wanted: Specification, qd: Array) -> Array:
    """Returns the share of their limits allowed to joint forces at some velocities (k, n)."""
    if wanted.no_load_speed is None:
        return np.full(qd.shape, wanted.effort)
    return np.clip(1 - np.abs(qd) / wanted.no_load_speed, 0.0, wanted.effort)


def _grid(found: Refined) -> str:
    """Returns the grid in words."""
    intervals = sum(len(knots) - 1 for knots in found.problem.knots)
    more = found.grids - 1
    often = f"refined {more} time{'s' * (more > 1)}" if more else "not refined"
    return f"a grid of {intervals} intervals, {often}: the largest error is {found.error:.2g}"


def _rows(
    motion: Motion, problem: Problem, x: Array, number: int, duration: float
) -> tuple[Array, Array]:
    """Returns time, y, v, a, joint forces, forces of all feet in a phase; and its impulses."""
    grid, phase = problem.grids[number], problem.phases[number]
    weight, feet = motion.mass * FREE_FALL, len(motion.feet)
    forces = np.zeros((grid.instants, feet, 3))
    first = 0
    for foot in phase.standing:
        count = len(motion.feet[foot].points)
        part = x[grid.forces[:, first : first + 3 * count]]
        forces[:, foot] = weight * part.reshape(-1, count, 3).sum(axis=1)
        first += 3 * count
    times = duration * grid.times
    parts = [times, *grid.complete(x), problem.effort * x[grid.u]]
    impulses = np.zeros((1, 1 + 3 * feet))
    impulses[0, 0] = times[-1]
    first = 0
    for foot in problem.landed[number]:
        count = len(motion.feet[foot].points)
        part = x[problem.impulses[number][first : first + 3 * count]]
        impulses[0, 1 + 3 * foot : 4 + 3 * foot] = motion.mass * part.reshape(-1, 3).sum(axis=0)
        first += 3 * count
    return np.column_stack([*parts, forces.reshape(len(times), -1)]), impulses


def _mirrored(table: Array, mirror: Mirror, n: int, later: float, ahead: Array) -> Array:
    """The second half of a stride."""
    found: Array = table.copy()
    found[:, 0] += later
    turn = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
    for i in range(3):
        first = 1 + i * (6 + n)
        found[:, first : first + 6] = turn * table[:, first : first + 6]
        joints = table[:, first + 6 : first + 6 + n]
        found[:, first + 6 : first + 6 + n] = mirror.signs * joints[:, mirror.joints]
    found[:, 1:4] += ahead
    first = 1 + 3 * (6 + n)
    found[:, first : first + n] = mirror.signs * table[:, first : first + n][:, mirror.joints]
    found[:, first + n :] = _exchanged(table[:, first + n :], mirror)
    return found


def _exchanged(forces: Array, mirror: Mirror) -> Array:
    """Forces of the feet (k, 3 feet) in the mirror."""
    each: Array = forces.reshape(len(forces), -1, 3)[:, list(mirror.feet)]
    turned: Array = (each * np.array([1.0, -1.0, 1.0])).reshape(len(forces), -1)
    return turned


def _inside(times: Array, duration: float) -> Array:
    """Instants as shares of the stride, those at the borders of phases within them."""
    shares = times / duration
    last = np.append(np.diff(shares) <= 1e-12, True)
    first = np.concatenate([[True], np.diff(shares) <= 1e-12])
    shares = np.where(last, shares - 1e-6, np.where(first, shares + 1e-6, shares))
    return np.asarray(shares % 1.0, dtype=np.float64)
