"""Starts of the search for a gait: a robot that glides or stands, or a gait in a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import casadi
import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError
from robcogen_ros.gait.motion import Motion
from robcogen_ros.gait.pattern import Pattern
from robcogen_ros.gait.problem import Problem
from robcogen_ros.gait.result import MULTIPLIERS, VARIABLES
from robcogen_ros.gait.specification import Specification
from robcogen_ros.gait.terrain import ground_axes, turned
from robcogen_ros.gait.track import Track, carried, carried_multipliers
from robcogen_ros.model.robot import FREE_FALL
from robcogen_ros.standing.posture import Legs, Posture

STARTS = ((0.5, 1.0), (0.0, 0.9), (1.0, 0.95), (0.25, 0.8), (0.75, 0.7))
"""Starts that differ: share of the range of a stride's duration, height of the base as a share."""
_NOISE = 0.05
"""Size of disturbances of a start, in units of the states."""
_NEEDED = (
    *("times", "position", "orientation", "q", "base_velocity", "qd", "base_acceleration", "qdd"),
    *("tau", "forces", "duration", "speed", "joint_names", "contacts", "knots"),
    *(VARIABLES, *MULTIPLIERS),
)


def gliding(
    problem: Problem,
    legs: Legs,
    posture: Posture,
    pattern: Pattern,
    wanted: Specification,
    number: int,
) -> Array:
    """Values of all variables: a trunk that glides, feet that step below it.

    The base moves ahead at its height. A foot that stands is on its foothold, or where it is in the
    posture when half of its stance is over; while it swings it is brought there on a squared sine.
    The forces carry the weight in equal parts. Starts of other numbers have strides of another
    duration and legs that are bent further.
    """
    share, low = STARTS[number % len(STARTS)]
    terrain, speed = problem.terrain, float(np.mean(wanted.speed))
    stride = wanted.stride[0] + share * (wanted.stride[1] - wanted.stride[0])
    height = posture.height * float(np.clip(low, *wanted.height))
    level, step = legs.poses(posture.q), np.array([speed * stride, 0.0, terrain.rise])
    middles = np.array(pattern.phase) + 0.5 * np.array(pattern.duty)
    usual = level[:, :3, 3] + [0.0, 0.0, posture.height] + np.outer(middles, [step[0], 0.0, 0.0])
    given = np.isfinite(terrain.footholds[:, :2]).all(axis=1)
    start = np.zeros(3)
    if given.any():
        start[:2] = (terrain.footholds - usual)[given, :2].mean(axis=0)
    usual[:, :2] = np.where(given[:, None], terrain.footholds, usual + start)[:, :2]
    usual[:, 2] += terrain.footholds[:, 2]

    def base(at: float) -> Array:
        ahead: Array = start + np.array([step[0] * at, 0.0, height + terrain.base(at)])
        return ahead

    def joints(at: float, near: Array) -> Array:
        targets = level.copy()
        for foot in range(len(level)):
            targets[foot, :3, 3] = usual[foot] + terrain.strides(foot, at) * step - base(at)
            swung = pattern.swing(foot, at) or 0.0
            targets[foot, 2, 3] += wanted.step_height * np.sin(np.pi * swung) ** 2
        found, missing = legs.placed(near, targets)
        return near if missing else found

    q = joints(0.0, posture.q)
    found = []
    for grid in problem.grids:
        rows = []
        for at in grid.times:
            q = joints(float(at), q)
            rows.append(np.concatenate([base(float(at)), [0, 0, 0], q]))
        found.append(np.array(rows))
    return _moving(problem, found, stride, speed)


def standing(problem: Problem, posture: Posture) -> Array:
    """Values of all variables: the robot stands where it is."""
    row = np.concatenate([[0, 0, posture.height, 0, 0, 0], posture.q])
    still = [np.tile(row, (grid.instants, 1)) for grid in problem.grids]
    along = (problem.program.start[int(v[0])] for v in (problem.stride, problem.speed))
    return _moving(problem, still, *along)


def from_file(
    kept: Mapping[str, Array],
    problem: Problem,
    make: Callable[[Sequence[Array]], Problem],
    motion: Motion,
) -> tuple[Problem, Array, tuple[Array, Array] | None]:
    """A problem, values of its variables, and multipliers of a gait that was found.

    Of a gait of the same phases and conditions, whatever their numbers, the search goes on with its
    multipliers, upon its grid if that is as fine as is asked. Of others the trajectory counts.
    """
    knots = _phases(kept["knots"])
    borders = [(grid[0], grid[-1]) for grid in knots]
    if borders == [(grid[0], grid[-1]) for grid in problem.knots]:
        again, x = make(knots), kept[VARIABLES]
        multipliers = kept[MULTIPLIERS[0]], kept[MULTIPLIERS[1]]
        program = again.program
        if len(x) == len(program.start) and len(multipliers[1]) == len(program.row_limits[0]):
            if all(len(own) >= len(new) for own, new in zip(knots, problem.knots, strict=True)):
                return again, np.clip(x, program.lower, program.upper), multipliers
            moved = carried_multipliers(again, multipliers, problem)
            return problem, carried(again, motion, x, problem), moved
    x = np.array(problem.program.start)
    _track(kept, motion, problem.effort).fill(problem, motion, x)
    return problem, _landed(problem, x), None


def _phases(knots: Array) -> list[Array]:
    """Knots of each phase: where one ends the next one begins, at the same share."""
    return np.split(knots, np.flatnonzero(np.diff(knots) <= 0.0) + 1)


def disturbed(problem: Problem, start: Array, seed: int) -> Array:
    """Coordinates and rates moved by a few percent of their units."""
    program, random = problem.program, np.random.default_rng(seed)
    moved, scale = start.copy(), np.array(program.scale)
    for grid in problem.grids:
        for part in (grid.y, grid.v):
            moved[part] += _NOISE * random.standard_normal(part.shape) * scale[part]
    return np.asarray(np.clip(moved, program.lower, program.upper))


def read_gait(path: str | Path, robot: Any) -> Mapping[str, Array]:
    """The arrays in a `.npz` file of a gait.

    Raises:
        RobcogenError: If it holds no gait, or that of another robot.
    """
    try:
        with np.load(path) as file:
            kept = {name: file[name] for name in _NEEDED}
            kept["ground_normal"] = file.get("ground_normal", np.array([0.0, 0.0, 1.0]))
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        reason = error if isinstance(error, OSError | KeyError) else "this is no such file"
        raise RobcogenError(
            f"{path}: expected a gait as `robcogen gait -o FILE.npz` writes it; {reason}"
        ) from None
    for name, own in (("joint_names", robot.joint_names), ("contacts", robot.contacts)):
        _same(path, name.replace("_names", "s"), kept[name].tolist(), list(own), robot.name)
    return kept


def _same(path: str | Path, what: str, found: list[str], own: list[str], robot: str) -> None:
    if found == own:
        return
    other = [name for name in found if name not in own] or [
        f"{len(found)} of them in another order"
    ]
    raise RobcogenError(
        f"{path}: a gait of another robot, its {what} are {', '.join(other[:3])}"
        f"{', ...' if len(other) > 3 else ''}; robot '{robot}' has {', '.join(own[:3])}"
        f"{', ...' if len(own) > 3 else ''}"
    )


def _track(kept: Mapping[str, Array], motion: Motion, effort: Array) -> Track:
    """Arrays of a gait in the coordinates of the problem."""
    axes = ground_axes(kept["ground_normal"])
    y = np.hstack([*turned(axes.T, kept["position"], kept["orientation"]), kept["q"]])
    n = y.shape[1]
    at_rest = casadi.substitute([motion.base_acceleration], [motion.a], [casadi.SX.zeros(n)])[0]
    base = casadi.jacobian(motion.base_velocity, motion.v)[:, :6]
    turning: Any = casadi.Function("base", [motion.y, motion.v], [base, at_rest])

    def rates(row: Array, joints: Array, twist: Array, v: Array | None = None) -> Array:
        matrix, offset = (np.array(part) for part in turning(row, np.zeros(n) if v is None else v))
        return np.concatenate([np.linalg.solve(matrix, twist - offset.ravel()), joints])

    v = np.array([rates(*row) for row in zip(y, kept["qd"], kept["base_velocity"], strict=True)])
    rows = zip(y, kept["qdd"], kept["base_acceleration"], v, strict=True)
    a = np.array([rates(*row) for row in rows])
    forces = kept["forces"] @ axes / (motion.mass * FREE_FALL)
    each = [
        np.tile(forces[:, i] / len(foot.points), (1, len(foot.points)))
        for i, foot in enumerate(motion.feet)
    ]
    duration, speed = float(kept["duration"]), float(kept["speed"])
    tau = kept["tau"] / effort
    return Track(kept["times"] / duration, duration, speed, y, v, a, tau, np.hstack(each))


def _moving(problem: Problem, coordinates: list[Array], stride: float, speed: float) -> Array:
    """Variables of coordinates of all phases (instants, 6 + n), the weight in equal parts."""
    x = np.array(problem.program.start)
    x[problem.stride], x[problem.speed] = stride, speed
    for grid, y in zip(problem.grids, coordinates, strict=True):
        v, free = np.gradient(y, stride * grid.times, axis=0), grid.coordinates.free
        x[grid.y], x[grid.v], x[grid.a] = y[:, free], v[:, free], 0.0
        x[grid.footholds] = grid.coordinates.stood(y)
        x[grid.forces] = 0.0
        points = grid.forces.shape[1] // 3
        if points:
            x[grid.forces[:, 2::3]] = 1.0 / points
    return _landed(problem, x)


def _landed(problem: Problem, x: Array) -> Array:
    """Impacts that change little, and everything within its bounds."""
    for impulses in problem.impulses:
        x[impulses[2::3]] = 0.02
    return np.asarray(np.clip(x, problem.program.lower, problem.program.upper))
