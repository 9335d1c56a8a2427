"""Search for a gait, from a robot and a specification."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

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
from robcogen_ros.gait.refine import refined
from robcogen_ros.gait.result import Gait
from robcogen_ros.gait.settings import checked
from robcogen_ros.gait.solve import ITERATIONS, STOPPED, Solution, solve, together
from robcogen_ros.gait.specification import Specification
from robcogen_ros.gait.start import STARTS, disturbed, from_file, gliding, read_gait
from robcogen_ros.gait.start import standing as standing_still
from robcogen_ros.gait.terrain import Terrain
from robcogen_ros.gait.trajectory import gait_of
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
    starts: int | None = None,
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
        starts: How many starts are tried, which differ in the duration of a stride and in how far
            legs are bent, or at random; the best is refined. Without it two of those that glide,
            and one of others.

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
    if starts is None:
        starts = 2 if start == GLIDING else 1
    if starts < 1:
        raise RobcogenError(f"starts: expected a whole number from 1, found {starts}")
    wanted = checked(wanted)
    if len(feet) != len(robot.contacts):
        expected = f"shapes of {len(robot.contacts)} feet, one a contact"
        raise RobcogenError(f"feet: expected {expected}, found {len(feet)}")
    kept = None if start in (GLIDING, STANDING) else read_gait(start, robot)
    design = find_design(robot, feet, wanted, standing)
    legs = Legs(robot, feet)
    posture = legs.standing(standing)
    pattern = _pattern(robot, wanted, legs.poses(posture.q)[:, :3, 3])
    terrain = Terrain(wanted, pattern, legs.frames)
    with task("tracing the robot"):
        motion = Motion(robot, _touching(robot, feet), design.names, -terrain.axes[2])
    closed = closed_legs(robot, legs, posture.q) if wanted.dynamics == "reduced" else ()
    limits = _limits(robot, motion.mass, posture, legs.thighs(), design, closed)
    limits = replace(limits, sides=_sides(motion, legs.poses(posture.q)))
    limits = limits.narrowed(wanted.position)
    mirror, notes = _mirror(robot, pattern, wanted, design, terrain)
    if not design.names:  # what one robot cannot do another one may
        check(robot, wanted, pattern, legs, motion, limits, posture.q)

    def make(knots: Sequence[Array] | None = None) -> Problem:
        return Problem(motion, limits, pattern, wanted, mirror, knots)

    problem = make()
    same: Array | None = None
    multipliers: tuple[Array, Array] | None = None
    if kept is not None:
        problem, same, multipliers = from_file(kept, problem, make, motion)
    elif start == STANDING:
        same = standing_still(problem, posture)

    def begin(number: int) -> Array:
        at, others = same, 1
        if at is None:
            at, others = gliding(problem, legs, posture, pattern, wanted, number), len(STARTS)
        differs = seed is None and number < others
        return at if differs else disturbed(problem, at, number + (seed or 0))

    solution, more = _best(problem, begin, multipliers, starts, iterations)
    found = refined(motion, make, problem, solution, wanted, iterations)
    values = design.values(found.solution.x[found.problem.design])
    robot.parameters.update(values)
    gait = gait_of(robot, motion, wanted, pattern, found, (*notes, *more))
    return replace(gait, design=values)


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
    reaches: tuple[Sequence[int], Array],
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


def _sides(motion: Motion, poses: Array) -> tuple[int, int, float] | None:
    """Returns of two feet the left one, the right one, and the mean width of their points [m]."""
    if len(motion.feet) != 2:
        return None
    aside = [
        (pose[:3, :3] @ foot.points.T)[1] + pose[1, 3]
        for pose, foot in zip(poses, motion.feet, strict=True)
    ]
    left = int(np.mean(aside[1]) > np.mean(aside[0]))
    return left, 1 - left, 0.5 * float(np.ptp(aside[0]) + np.ptp(aside[1]))


def _mirror(
    robot: Any, pattern: Pattern, wanted: Specification, design: Design, terrain: Terrain
) -> tuple[Mirror | None, tuple[str, ...]]:
    """The mirror if half a stride is sought, and what is said of it."""
    if wanted.symmetric is False:
        return None, ()
    mirror = image(robot, design)
    uneven = terrain.prescribed or terrain.axes[2, 1] != 0.0
    if mirror is None or uneven or not pattern.half(mirror.feet):
        if wanted.symmetric:
            why = "has joints without a mirror image" if mirror is None else "has another gait"
            why = "has footholds, or a slope to a side" if uneven else why
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
    begin: Callable[[int], Array],
    multipliers: tuple[Array, Array] | None,
    starts: int,
    iterations: int,
) -> tuple[Solution, tuple[str, ...]]:
    """The best of the minima near some starts, and what is said of them."""
    found: list[Solution] = []
    for number in range(starts):
        known = None if number else multipliers
        found.append(solve(problem.program, begin(number), iterations, known))
        if found[-1].status == STOPPED:
            break
    best = min(found, key=lambda one: (not one.succeeded, one.merit))
    spent = replace(
        best,
        iterations=sum(one.iterations for one in found),
        seconds=together(*(one.seconds for one in found)),
    )
    if starts == 1:
        return spent, ()
    merits = [f"{one.merit:.5g}" if one.succeeded else one.status for one in found]
    least, most = (f([one.merit for one in found if one.succeeded] or [1]) for f in (min, max))
    worse = f", the worst is {most / least:.2f} times the best" if most > 1.005 * least > 0 else ""
    kept = "the best is kept" if best.succeeded else "none ends at a minimum"
    return spent, (f"{len(found)} starts, first grid: {', '.join(merits)}{worse}; {kept}",)
