"""Motors that `inspect --motors` shows: what they move, and the inertia of their rotors there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.measured_joints import start
from robcogen_ros.runtime.robots.robot_of import robot_of

Array = NDArray[np.float64]

_POSITIONS, _CORNERS = 1000, 64
_REACH = 1.0
"""Distance that coordinates without limits go from where loops close [rad or m]."""
_OF_LOOPS = ["joint_positions", "transmission", "reflected_inertia"]


def motor_space(robot: Robot) -> Iterator[str]:
    """Lines about the motors of a robot, and about their rotors as its coordinates feel them.

    Simulators take a constant inertia for each joint. The one that is told is off by the same share
    at both ends of what the exact inertia is.
    """
    known = robot_of(NumpyEvaluator(Library(robot, _OF_LOOPS if robot.has_mimic else ["default"])))
    names = known.joint_names
    moved = dict(zip(known.moving_joint_names, known.joint_coordinates, strict=True))
    limits = known.motor_effort_limits, known.motor_velocity_limits
    yield f"{'motor of joint':32}{'gear':>8}{'effort':>10}{'speed':>10}  moves"
    for name, gear, effort, speed in zip(known.actuated, known.gears, *limits, strict=True):
        coordinates = ", ".join(names[k] for k in moved[name])
        yield f"{name:32}{gear:8.6g}{effort:10.6g}{speed:10.6g}  {coordinates}"
    yield ""
    yield from _rotors(robot, known)


def _rotors(robot: Robot, known: Any) -> Iterator[str]:
    if not robot.has_mimic:
        yield f"{'coordinate':32}{'inertia of rotors':>20}"
        for name, armature in zip(known.joint_names, known.armature, strict=True):
            yield f"{name:32}{armature:20.4g}"
        return
    q = _positions(known)
    H = known.evaluate("reflected_inertia", q=q)["inertia"]
    what = "inertia of rotors"
    if not H.any():
        G = known.evaluate("transmission", q=q)["G"]
        H, what = G.swapaxes(-1, -2) @ G, "inertia of rotors, of 1 each, for the file gives none"
    yield f"{what}, at {len(q)} positions within the limits where loops close"
    yield f"{'coordinate':32}{'least':>10}{'most':>10}{'constant':>10}{'off by':>8}"
    for k, name in enumerate(known.joint_names):
        least, most = float(H[:, k, k].min()), float(H[:, k, k].max())
        if not most:
            continue
        constant, error = 2 * least * most / (least + most), (most - least) / (most + least)
        yield f"{name:32}{least:10.4g}{most:10.4g}{constant:10.4g}{100 * error:7.1f}%"
    for i, one in enumerate(known.joint_names):
        for k in range(i):
            least, most = float(H[:, i, k].min()), float(H[:, i, k].max())
            if least or most:
                pair = f"between {known.joint_names[k]} and {one}"
                yield f"{pair:32}{least:10.4g}{most:10.4g}{0:10g}"


def _positions(known: Any) -> Array:
    """Positions (m, n) within the limits, the same every time, where loops close.

    Coordinates that no motor moves stay where they are.
    """
    begin, random = start(known), np.random.default_rng(54)
    lower = np.where(np.isfinite(known.lower_limits), known.lower_limits, begin - _REACH)
    upper = np.where(np.isfinite(known.upper_limits), known.upper_limits, begin + _REACH)
    driven = dict(zip(known.moving_joint_names, known.joint_coordinates, strict=True))
    moved = np.isin(np.arange(known.n), [k for name in known.actuated for k in driven[name]])
    share = random.uniform(0, 1, (_POSITIONS, 1)) * moved  # where few loops close, those near by do
    reached = begin + share * (random.uniform(lower, upper, (_POSITIONS, known.n)) - begin)
    corners = np.where(random.integers(0, 2, (_CORNERS, known.n)) * moved, upper, lower)
    q = np.vstack([begin, reached, np.where(moved, corners, begin)])
    closed = np.isfinite(known.evaluate("joint_positions", q=q)["positions"]).all(axis=-1)
    return np.asarray(q[closed])
