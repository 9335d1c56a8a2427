"""Conditions of a gait beside the equations of motion, at every instant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi
import numpy as np
from casadi import SX, vertcat

from robcogen_ros.control.dynamics import Array
from robcogen_ros.gait.collocation import Grid, pyramid
from robcogen_ros.gait.motion import Motion
from robcogen_ros.gait.nlp import Places, Program
from robcogen_ros.gait.pattern import Pattern, Phase
from robcogen_ros.gait.terrain import Terrain

_BENT = 0.01
"""Least margin of reach of a leg that follows; at 0 it is straight, and its slopes are infinite."""

_BRAKING = 50.0
"""Rate at which joints brake before their limits, as in `whole_body/limits.hpp` [1/s]."""

FOLDED = 0.5
"""Least distance of feet from hips, as a share of the greatest one that is wanted."""


def still(motion: Motion, foot: int, pull: float, level: float = 0.0) -> Any:
    """Rows that are zero while a foot stays where it stands (SX).

    Its acceleration is none. Errors of the grid let it drift all the same; what drifts is pulled
    back to the ground and to rest, critically damped (J. Baumgarte, *Stabilization of constraints*,
    1972). On the ground and at rest these terms are zero.

    Args:
        motion: Of the robot.
        foot: Which.
        pull: Rate at which a drift fades [1/s].
        level: Height at which it stands [m].
    """
    points, tilt = motion.points[foot], motion.tilts[foot]
    height = casadi.sum1(points[2::3]) / len(motion.feet[foot].points) - level
    turned = vertcat(-tilt[1], tilt[0], 0) if motion.feet[foot].is_pose else SX(0, 1)
    away = vertcat(turned, 0, 0, height)
    velocity = motion.velocities(motion.v)[foot]
    return motion.accelerations[foot] + 2 * pull * velocity + pull**2 * away


def cones(
    program: Program,
    motion: Motion,
    grid: Grid,
    phase: Phase,
    friction: float,
    lifting: Sequence[int],
) -> None:
    """Forces are within friction cones, but those that are zero where feet lift off."""
    first = 0
    for foot in phase.standing:
        count = 3 * len(motion.feet[foot].points)
        f, last = SX.sym("f", count), grid.instants - (foot in lifting)
        rows = pyramid(f, friction)
        names = [f"friction {friction:g} of {motion.feet[foot].name}"] * rows.shape[0]
        places = grid.forces[:last, first : first + count]
        program.constrain(names, f, rows, places, grid.where[:last], 0.0, np.inf)
        first += count


def swing(
    program: Program,
    motion: Motion,
    grid: Grid,
    pattern: Pattern,
    terrain: Terrain,
    step_height: float,
) -> None:
    """Feet that swing are above a squared sine, which begins and ends at rest as feet do.

    It stands on the line from where they lift off to where they land.
    """
    chosen = range(1, grid.instants - 1)
    for foot, points in enumerate(motion.points):
        swung = [pattern.swing(foot, grid.times[k]) for k in chosen]
        if None in swung:
            continue
        (heights,) = grid.coordinates.given(points[2::3])
        low = step_height * np.sin(np.pi * np.array(swung, dtype=float)) ** 2
        low += [terrain.level(foot, grid.times[k]) for k in chosen]
        program.constrain(
            [f"step_height {step_height:g} of {motion.feet[foot].name}"] * heights.shape[0],
            grid.coordinates.motion,
            heights,
            [grid.motion(k) for k in chosen],
            [grid.where[k] for k in chosen],
            low[:, None],
            np.inf,
        )


def motors(program: Program, motion: Motion, grid: Grid, no_load_speed: float) -> None:
    """Torque falls with speed in a line."""
    n = grid.u.shape[1]
    u, (rate,) = SX.sym("u", n), grid.coordinates.given(motion.v[6:])
    sides = vertcat(u + rate / no_load_speed, u - rate / no_load_speed)
    rows = vertcat(sides, -sides)
    places = [np.concatenate([grid.motion(k), grid.u[k]]) for k in range(grid.instants)]
    names = [f"no_load_speed {no_load_speed:g} of {motion.joints[i % n]}" for i in range(4 * n)]
    z = vertcat(grid.coordinates.motion, u)
    program.constrain(names, z, rows, places, grid.where, -np.inf, 1.0)


def braking(program: Program, motion: Motion, grid: Grid, lower: Array, upper: Array) -> None:
    """Joints come to rest before their limits, as controllers have them do.

    Their distances vanish no faster than those of critically damped springs. Without it a leg that
    lands is thrown at its stop, for the ground will hold it.
    """
    q, rate, change = grid.coordinates.given(motion.y[6:], motion.v[6:], motion.a[6:])
    rest = q + 2 / _BRAKING * rate + change / _BRAKING**2
    names = [f"braking of {joint}" for joint in motion.joints]
    places = [grid.motion(k) for k in range(grid.instants)]
    program.constrain(
        names, grid.coordinates.motion, rest, places, grid.where, lower[None], upper[None]
    )


def following(
    program: Program, motion: Motion, grid: Grid, lower: Array, upper: Array, velocity: Array
) -> None:
    """Joints that follow from others keep their limits, and their legs bend."""
    coordinates = grid.coordinates
    dependent = coordinates.dependent.tolist()
    (limited,) = coordinates.given(vertcat(motion.y[dependent], motion.v[dependent]))
    names = [
        *[f"position of {motion.joints[i - 6]}" for i in dependent],
        *[f"velocity of {motion.joints[i - 6]}" for i in dependent],
        *[f"reach of {motion.feet[foot].name}" for foot in coordinates.feet],
    ]
    joints, bent = coordinates.dependent - 6, np.full(len(coordinates.feet), _BENT)
    program.constrain(
        names,
        coordinates.motion,
        vertcat(limited, coordinates.margins),
        [grid.motion(k) for k in range(grid.instants)],
        grid.where,
        np.concatenate([lower[joints], -velocity[joints], bent]),
        np.concatenate([upper[joints], velocity[joints], np.full(len(bent), np.inf)]),
    )


def balance(program: Program, motion: Motion, grid: Grid, phase: Phase) -> Places:
    """Static stability: the center of mass is above a weighted mean of the points touched.

    Returns the weights, which are variables (instants, points).
    """
    points = vertcat(*[motion.points[foot] for foot in phase.standing])
    count = points.shape[0] // 3
    shares = SX.sym("shares", count)
    (away,) = grid.coordinates.given(motion.center - casadi.reshape(points, 3, count) @ shares)
    above = away[:2] - away[2] / motion.down[2] * casadi.DM(motion.down[:2])
    rows = vertcat(above, casadi.sum1(shares) - 1)
    names = ["static stability"] * count
    weights = [program.variables(names, 1 / count, 0.0, 1.0) for _ in range(grid.instants)]
    places = [np.concatenate([grid.motion(k), weights[k]]) for k in range(grid.instants)]
    names = ["static stability"] * 3
    z = vertcat(grid.coordinates.motion, shares)
    program.constrain(names, z, rows, places, grid.where)
    return np.array(weights)


def within_reach(
    program: Program, motion: Motion, grid: Grid, hips: Sequence[int], lengths: Array, reach: float
) -> None:
    """Legs stay bent, but do not fold: feet are not too far from their hips, nor too near.

    At the ends of intervals: a knee that stays at its bound there has no way left between them, so
    that a condition in the middle would be one too many.
    """
    shares = [
        motion.away(foot, hip) / length**2
        for foot, (hip, length) in enumerate(zip(hips, lengths, strict=True))
    ]
    (rows,) = grid.coordinates.given(vertcat(*shares))
    names = [f"reach {reach:g} of {foot.name}" for foot in motion.feet]
    z, at = grid.coordinates.motion, [grid.motion(k) for k in range(0, grid.instants, 2)]
    program.constrain(names, z, rows, at, grid.where[::2], (FOLDED * reach) ** 2, reach**2)


def apart(program: Program, motion: Motion, grid: Grid, clearance: float) -> None:
    """Feet keep their distance from each other."""
    places = [points[:3] for points in motion.points]
    pairs = [(i, j) for i in range(len(places)) for j in range(i)]
    squares = vertcat(*[casadi.sumsqr(places[i] - places[j]) for i, j in pairs])
    (rows,) = grid.coordinates.given(squares)
    feet = [foot.name for foot in motion.feet]
    names = [f"clearance {clearance:g} of {feet[i]} and {feet[j]}" for i, j in pairs]
    z, at = grid.coordinates.motion, [grid.motion(k) for k in range(grid.instants)]
    program.constrain(names, z, rows, at, grid.where, clearance**2, np.inf)


def beside(
    program: Program, motion: Motion, grid: Grid, sides: tuple[int, int], clearance: float
) -> None:
    """The left one of two feet stays to the left: legs do not pass through each other.

    Args:
        program: Gets the rows.
        motion: Of the robot.
        grid: Of the phase.
        sides: The left foot, and the right one.
        clearance: Least distance aside of the middles of their points [m].
    """
    left, right = (casadi.sum1(motion.points[i][1::3]) for i in sides)
    left, right = (
        left / len(motion.feet[sides[0]].points),
        right / len(motion.feet[sides[1]].points),
    )
    (rows,) = grid.coordinates.given(left - right)
    z, at = grid.coordinates.motion, [grid.motion(k) for k in range(grid.instants)]
    names = ["distance aside of both feet"]
    program.constrain(names, z, rows, at, grid.where, clearance, np.inf)
