"""Comparison of the forces that another program needs for the same motions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.cli.against.mujoco_forces import ComparedState, MujocoForces
from robcogen_ros.cli.against.mujoco_side import MujocoSide
from robcogen_ros.formats.bodies import Body
from robcogen_ros.formats.weighed import ranges
from robcogen_ros.model.names import listed
from robcogen_ros.model.robot import STANDARD_GRAVITY, Robot
from robcogen_ros.model.terms import JointTerms
from robcogen_ros.runtime.build import evaluator_of
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.robots.floating_base_robot import FloatingBaseRobot
from robcogen_ros.runtime.robots.robot_of import robot_of

Array = NDArray[np.float64]

_MOTIONS = 12
"""Half of them at rest."""
_ACTING, _NEEDED = 1e-4, 2e-3
"""Least part of a joint's measure that counts: of what acts besides, of bodies that are alike."""
_NOTHING = 1e-9
"""Least part of the robot's greatest measure that counts: some joints move nothing."""


def forces_apart(
    robot: Robot, parts: Sequence[Body], side: MujocoSide, known: Collection[int], alike: bool
) -> Iterator[str]:
    """Yields differences of the forces at random states and accelerations within the limits.

    Each joint has its measure: the weight of all that it carries at the radius of gyration,
    g sqrt(m H_ii) with the inertia H_ii that it moves. So forces matter as accelerations do.

    Args:
        robot: The robot, its quantities constant.
        parts: Its bodies.
        side: The other program, placed with them.
        known: Numbers of the equalities there that are compared elsewhere.
        alike: Whether the links do not differ.
    """
    needs = "inverse_dynamics_fully_actuated" if robot.floating_base else "inverse_dynamics"
    ours, sprung = (
        robot_of(evaluator_of(replace(robot, terms=terms), (), (needs,), backend="numpy"))
        for terms in (JointTerms(), JointTerms(lines=robot.springs))
    )
    theirs = side.forces(parts, ours.joint_names, robot.gravity, robot.floating_base)
    if theirs is None or not (ours.joint_names or robot.floating_base):
        return
    random = np.random.default_rng(0)
    largest: dict[str, Array] = {}
    for number in range(_MOTIONS):
        motion, measure = _motion(random, parts, ours.joint_names, theirs, number % 2 == 0)
        moved = theirs.moved(motion, known)
        needed = _needed(ours, motion, robot.gravity)
        apart = moved.needed - needed
        moved.acting[theirs.springs] += _needed(sprung, motion, robot.gravity) - needed
        for cause, force in {**moved.acting, "": apart * alike}.items():
            least = (_ACTING if cause else _NEEDED) * measure + _NOTHING * measure.max()
            counts = np.abs(force) > least
            before = largest.get(cause, np.zeros(len(force)))
            largest[cause] = np.maximum(before, np.where(counts, np.abs(force), 0.0))
    names = _names(parts, ours.joint_names, robot.floating_base)
    for cause, forces in largest.items():
        if forces.any():
            where = listed([f"{f:.3g} {name}" for f, name in zip(forces, names, strict=True) if f])
            why = f" ({listed(theirs.tied)} has armature)" if theirs.tied else ""
            what = f"there {cause} exerts" if cause else f"motions need other forces there{why}:"
            yield f"{what} up to {where}"


def _names(parts: Sequence[Body], joints: Sequence[str], floating: bool) -> list[str]:
    """Returns the name of the force on each coordinate, with its unit."""
    units = {m.name: m.kind.effort_unit for body in parts if (m := body.movement)}
    base = [f"N m on the base about {axis}" for axis in "xyz"] + [
        f"N on the base along {axis}" for axis in "xyz"
    ]
    named = [f"{units[name]} on '{name}'" for name in joints]
    return [*(base if floating else ()), *named]


def _motion(
    random: np.random.Generator,
    parts: Sequence[Body],
    names: Sequence[str],
    theirs: MujocoForces,
    rests: bool,
) -> tuple[ComparedState, Array]:
    """A motion, and the measure of forces there, of each coordinate."""
    span, fastest = ranges(parts), _fastest(parts)
    q = {name: float(random.uniform(*span[name])) for name in names}
    nothing = np.zeros(theirs.size)
    theirs.place(ComparedState(q, nothing, nothing))
    inertia, free_fall = theirs.inertia, float(np.linalg.norm(STANDARD_GRAVITY))
    measure = free_fall * np.sqrt(theirs.carried * inertia)
    if rests:
        return ComparedState(q, nothing, nothing), measure
    most = np.divide(measure, inertia, out=np.zeros_like(measure), where=inertia > 0)
    velocity = np.sqrt(most)
    limits = [np.inf] * (len(velocity) - len(names)) + [fastest[name] for name in names]
    velocity = np.minimum(velocity, limits) * random.uniform(-1, 1, len(velocity))
    return ComparedState(q, velocity, most * random.uniform(-1, 1, len(velocity))), measure


def _fastest(parts: Sequence[Body]) -> dict[str, float]:
    moves = [body.movement for body in parts if body.movement]
    return {m.name: np.inf if m.limits.velocity is None else m.limits.velocity for m in moves}


def _needed(
    ours: FixedBaseRobot | FloatingBaseRobot, motion: ComparedState, gravity: Sequence[float]
) -> Array:
    """Returns the forces that the generated functions compute."""
    q = [motion.q[name] for name in ours.joint_names]
    if isinstance(ours, FixedBaseRobot):
        return ours.inverse_dynamics(q, motion.velocity, motion.acceleration, gravity=gravity)
    (v0, qd), (a0, qdd) = (np.split(x, [6]) for x in (motion.velocity, motion.acceleration))
    tau, wrench = ours.inverse_dynamics_fully_actuated(q, qd, qdd, v0, a0, gravity)
    return np.concatenate([wrench, tau])
