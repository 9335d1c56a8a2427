"""How long should a shank be? Squat jumps of a leg whose proportions are parameters.

    robcogen design-study leg.kindsl --vary shank_length=0.2:0.6:21 --run study.py --plot study.png

A vertical force on the trunk is made by the joints, within what their motors give, from a crouch
until the leg is straight or leaves the ground. The longer the shank, the longer the push, but the
heavier the leg and the weaker the force: the best jumps highest for the length of the leg. Thigh,
density, torque of the motors and force may be varied beside it. The generated code is compiled
once; the parameters change from jump to jump.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from robcogen_ros import Robot

Array = NDArray[np.float64]

FUNCTIONS = ("inverse_dynamics", "inertia_matrix", "world_J_foot", "world_JdQd_foot")
"""Generated functions that the study needs."""
VARIABLES = ("force", "torque")
"""What may be varied beside the parameters of the model."""

GRAVITY = 9.81
FORCE = 450.0
"""Force asked for on the trunk, unless it is varied [N]."""
TORQUE = 150.0
"""Most that a motor gives, unless it is varied [N m]."""
CROUCHED, STRAIGHT = 2.2, 0.2
"""Angle of the knee where a jump starts, and where it ends [rad]."""
STEP = 1e-3
ALONG = [3, 5]
"""Rows of a Jacobian: the foot moves along x and z."""


def study(robot: Robot, point: dict[str, float]) -> dict[str, float]:
    """Height of the jump at a point, of which the robot has the parameters already."""
    height = jump(robot, point.get("force", FORCE), point.get("torque", TORQUE))
    return {"height": height, "height_per_length": height / sum(lengths(robot))}


def lengths(robot: Robot) -> tuple[float, float]:
    """Lengths of thigh and shank [m]."""
    return robot.parameters["thigh_length"], robot.parameters["shank_length"]


def crouch(thigh: float, shank: float) -> Array:
    """The position in which the foot is below the hip: trunk, hip, knee."""
    hip = math.atan2(-shank * math.sin(CROUCHED), thigh + shank * math.cos(CROUCHED))
    height = thigh * math.cos(hip) + shank * math.cos(hip + CROUCHED)
    return np.array([height, hip, CROUCHED])


def stance(robot: Robot, q: Array, qd: Array, force: float, torque: float) -> tuple[Array, Array]:
    """Acceleration and ground force (x, z) while the foot stands still."""
    zero = np.zeros(3)
    J = robot.evaluate("world_J_foot", q=q)["J"][ALONG]
    drift = robot.evaluate("world_JdQd_foot", q=q, qd=qd)["JdQd"][ALONG]
    tau = np.clip(J.T @ [0.0, -force], -torque, torque)
    tau[0] = 0.0  # nothing drives the trunk but the leg
    bias = robot.inverse_dynamics(q, qd, zero)
    matrix = np.block([[robot.inertia_matrix(q), -J.T], [J, np.zeros((2, 2))]])
    solution = np.linalg.solve(matrix, np.concatenate([tau - bias, -drift]))
    return solution[:3], solution[3:]


def jump(robot: Robot, force: float = FORCE, torque: float = TORQUE) -> float:
    """Height that the center of mass gains after lift-off [m]."""

    def rate(state: Array) -> Array:
        q, qd = np.split(state, 2)
        return np.concatenate([qd, stance(robot, q, qd, force, torque)[0]])

    state = np.concatenate([crouch(*lengths(robot)), np.zeros(3)])
    while state[2] > STRAIGHT and stance(robot, *np.split(state, 2), force, torque)[1][1] > 0:
        k1 = rate(state)
        k2 = rate(state + STEP / 2 * k1)
        k3 = rate(state + STEP / 2 * k2)
        k4 = rate(state + STEP * k3)
        state = state + STEP / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if state[3] < 0:
            return 0.0  # it cannot even rise
    q, qd = np.split(state, 2)
    H = robot.inertia_matrix(q)
    rising = (H @ qd)[0] / H[0, 0]  # momentum along the slide is that of all masses
    return float(rising**2 / (2 * GRAVITY))
