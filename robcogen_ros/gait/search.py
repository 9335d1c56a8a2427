"""Search for a gait, from a robot and a specification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import casadi
import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError
from robcogen_ros.gait.coordinates import Leg, closed_legs
from robcogen_ros.gait.design import Design, find_design, image
from robcogen_ros.gait.feasible import check
from robcogen_ros.gait.mirror import Mirror
from robcogen_ros.gait.motion import Motion
from robcogen_ros.gait.pattern import Pattern, pattern_by_name
from robcogen_ros.gait.problem import Limits, Problem
from robcogen_ros.gait.refine import Refined, refined
from robcogen_ros.gait.result import Gait
from robcogen_ros.gait.solve import ITERATIONS, STOPPED, Solution, solve, together
from robcogen_ros.gait.specification import Specification
from robcogen_ros.gait.start import disturbed, from_file, gliding, read_gait
from robcogen_ros.gait.start import standing as standing_still
from robcogen_ros.model.contacts import Contact, Foot, shaped
from robcogen_ros.model.names import nearest
from robcogen_ros.model.robot import FREE_FALL
from robcogen_ros.progress import task
from robcogen_ros.standing.posture import Legs, Posture

GLIDING, STANDING = "gliding", "standing"
"""Starts that need no file."""
ALIKE = 0.01
"""Distance of the dynamics of a robot from their mirror image, for which half a stride tells."""
_FASTEST = 100.0
"""Limit of joints whose velocity has none [rad/s]."""


def find_gait(
    robot: Any,
    feet: Sequence[Foot],
    wanted: Specification,
    *,
    standing: Mapping[str, float] | None = None,
    iterations: int = ITERATIONS,
    seed: int | None = None,
    start: str | Path = GLIDING,
    starts: int = 1,
) -> Gait:
    """The gait of a robot that a specification asks for, found by direct collocation.

    Args:
        robot: With a floating base, its feet as contacts and the functions of `motion.FUNCTIONS`;
            for reduced dynamics also those of `coordinates.inverse_kinematics`.
        feet: Shapes of its feet.
        wanted: What is sought.
        standing: Positions of joints at which it stands; found if there are none.
        iterations: The most of the solver.
        seed: Starts from a trajectory that is disturbed at random.
        start: Where the search begins: `gliding`, the trunk glides and the feet step; `standing`,
            the robot stands; or the `.npz` file of a gait of the same robot.
        starts: How many starts are tried, all but the first one disturbed; the best is refined.

    Raises:
        RobcogenError: If the specification or the start does not fit the robot.

    Example:
        >>> robot = robcogen_ros.build(
        ...     "quadruped.kindsl", contacts=feet, functions=FUNCTIONS, backend="numpy"
        ... )
        >>> wanted = Specification(gait="trot", speed=(0.3, 0.3))
        >>> gait = find_gait(robot, [Foot() for _ in feet], wanted)
        >>> gait.save("trot.npz")
    """
    seeds = _seeds(seed, starts)
    kept = None if start in (GLIDING, STANDING) else read_gait(start, robot)
    design = find_design(robot, feet, wanted, standing)
    legs = Legs(robot, feet)
    posture = legs.standing(standing)
    pattern = _pattern(robot, wanted, legs.poses(posture.q)[:, :3, 3])
    with task("tracing the robot"):
        motion = Motion(robot, _touching(robot, feet), design.names)
    closed = closed_legs(robot, legs, posture.q) if wanted.dynamics == "reduced" else ()
    limits = _limits(robot, motion.mass, posture, legs.reaches(), design, closed)
    mirror, notes = _mirror(robot, pattern, wanted, design)
    if not design.names:  # what one robot cannot do another one may
        check(robot, wanted, pattern, legs, motion, limits, posture.q)

    def make(knots: Sequence[Array] | None = None) -> Problem:
        return Problem(motion, limits, pattern, wanted, mirror, knots)

    problem = make()
    multipliers = None
    if kept is not None:
        problem, begin, multipliers = from_file(kept, problem, make, motion)
    elif start == STANDING:
        begin = standing_still(problem, posture)
    else:
        begin = gliding(problem, legs, posture, pattern, wanted.step_height)
    solution, more = _best(problem, begin, multipliers, seeds, iterations)
    found = refined(motion, make, problem, solution, wanted, iterations)
    values = design.values(found.solution.x[found.problem.design])
    robot.parameters.update(values)
    gait = _gait(robot, motion, wanted, pattern, found, (*notes, *more))
    return replace(gait, design=values)


def _seeds(seed: int | None, starts: int) -> list[int | None]:
    """Returns the seeds of the starts: the first start is disturbed only if a seed is given."""
    if starts < 1:
        raise RobcogenError(f"starts: expected a whole number from 1, found {starts}")
    first = 0 if seed is None else seed + 1
    return [seed, *range(first, first + starts - 1)]


def _touching(robot: Any, feet: Sequence[Foot]) -> tuple[Contact, ...]:
    contacts = shaped(robot.contact_records, feet)
    for contact in contacts:
        if contact.is_pose and contact.shape.corners is None:
            message = f"contact '{contact.name}': the corners of its sole are not known"
            raise RobcogenError(message)
    return contacts


def _pattern(robot: Any, wanted: Specification, places: Array) -> Pattern:
    feet = [contact.frame_name for contact in robot.contact_records]
    if not wanted.phases:
        try:
            pattern = pattern_by_name(wanted.gait or "trot", feet, places.tolist())
        except RobcogenError as error:
            raise wanted.wrong("gait", str(error)) from None
        if wanted.duty is not None:
            pattern = Pattern((wanted.duty,) * len(feet), pattern.phase)
        return pattern
    for name in wanted.phases:
        if name not in feet:
            message = f"'{name}' is no foot of robot '{robot.name}'{nearest(name, feet)}"
            raise wanted.wrong("phases", message)
    missing = [foot for foot in feet if foot not in wanted.phases]
    if missing:
        raise wanted.wrong("phases", f"{', '.join(missing)} missing; give one for each foot")
    if wanted.duty is None:
        raise wanted.wrong("phases", "`duty` is missing, the share of a stride in which feet stand")
    return Pattern((wanted.duty,) * len(feet), tuple(wanted.phases[foot] % 1.0 for foot in feet))


def _limits(
    robot: Any,
    mass: float,
    posture: Posture,
    reaches: tuple[Array, Array],
    design: Design,
    legs: Sequence[Leg],
) -> Limits:
    """Efforts that could lift a robot by a lever of its height have no limit that counts."""
    most = mass * FREE_FALL * posture.height
    return Limits(
        np.where(np.isfinite(robot.lower_limits), robot.lower_limits, -np.pi),
        np.where(np.isfinite(robot.upper_limits), robot.upper_limits, np.pi),
        np.where(np.isfinite(robot.velocity_limits), robot.velocity_limits, _FASTEST),
        np.minimum(np.where(np.isfinite(robot.effort_limits), robot.effort_limits, most), most),
        posture.height,
        reaches,
        design,
        legs,
    )


def _mirror(
    robot: Any, pattern: Pattern, wanted: Specification, design: Design
) -> tuple[Mirror | None, tuple[str, ...]]:
    """The mirror if half a stride is sought, and what is said of it."""
    if wanted.symmetric is False:
        return None, ()
    mirror = image(robot, design)
    if mirror is None or not pattern.half(mirror.feet):
        if wanted.symmetric:
            why = "has joints without a mirror image" if mirror is None else "has another gait"
            message = f"the second half of a stride is no mirror image, robot '{robot.name}' {why}"
            raise wanted.wrong("symmetric", message)
        return None, ()
    said = f"left and right differ by {100 * mirror.error:.2g} % in their dynamics"
    if mirror.error <= ALIKE:
        return mirror, (f"half a stride was sought, the rest is its mirror image; {said}",)
    if wanted.symmetric:
        return mirror, (f"the second half of the stride is not exact: {said}",)
    return None, (f"a whole stride was sought: {said}",)


def _best(
    problem: Problem,
    start: Array,
    multipliers: tuple[Array, Array] | None,
    seeds: Sequence[int | None],
    iterations: int,
) -> tuple[Solution, tuple[str, ...]]:
    """The best of the minima near a start and near it disturbed, and what is said of them."""
    found: list[Solution] = []
    for seed in seeds:
        if seed is None:
            found.append(solve(problem.program, start, iterations, multipliers))
        else:
            found.append(solve(problem.program, disturbed(problem, start, seed), iterations))
        if found[-1].status == STOPPED:
            break
    best = min(found, key=lambda one: (not one.succeeded, one.merit))
    spent = replace(
        best,
        iterations=sum(one.iterations for one in found),
        seconds=together(*(one.seconds for one in found)),
    )
    if len(seeds) == 1:
        return spent, ()
    merits = [f"{one.merit:.5g}" if one.succeeded else one.status for one in found]
    return spent, (f"{len(found)} starts: merits {', '.join(merits)}; the best is kept",)


def _gait(
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
    rows = [_rows(motion, problem, x, i, duration) for i in range(len(problem.grids))]
    table, impulses = np.vstack([r for r, _ in rows]), np.vstack([p for _, p in rows])
    if problem.mirror is not None:
        ahead = np.array([speed * duration / 2, 0.0, 0.0])
        table = np.vstack([table, _mirrored(table, problem.mirror, n, duration / 2, ahead)])
        other = impulses.copy()
        other[:, 0] += duration / 2
        other[:, 1:] = _exchanged(impulses[:, 1:], problem.mirror)
        impulses = np.vstack([impulses, other])
    y, v, a = (table[:, 1 + i * (6 + n) : 1 + (i + 1) * (6 + n)] for i in range(3))
    tau, forces = table[:, 1 + 3 * (6 + n) :][:, :n], table[:, 1 + 3 * (6 + n) + n :]
    feet = len(motion.feet)
    twists = casadi.Function(
        "t", [motion.y, motion.v, motion.a], [motion.base_velocity, motion.base_acceleration]
    )
    v0, a0 = (np.array(part).T for part in twists(y.T, v.T, a.T))
    times = table[:, 0]
    standing = np.array(
        [[problem.pattern_standing(f, t) for f in range(feet)] for t in _inside(times, duration)]
    )
    return Gait(
        joint_names=robot.joint_names,
        contacts=robot.contacts,
        feet=tuple(contact.frame_name for contact in robot.contact_records),
        times=times,
        position=y[:, :3],
        orientation=y[:, 3:6],
        q=y[:, 6:],
        base_velocity=v0,
        qd=v[:, 6:],
        base_acceleration=a0,
        qdd=a[:, 6:],
        tau=tau,
        forces=forces.reshape(-1, feet, 3),
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
    )


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
