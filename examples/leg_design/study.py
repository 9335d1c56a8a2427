"""How long should a shank be? Squat jumps of a leg whose proportions are parameters.

    python3 study.py [--png FILE]

A vertical force on the trunk is made by the joints, within what their motors give, from a crouch
until the leg is straight or leaves the ground. The longer the shank, the longer the push, but the
heavier the leg and the weaker the force: the best jumps highest for the length of the leg. The
generated code is compiled once; the parameters change from jump to jump.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import robcogen_ros
from robcogen_ros import FixedBaseRobot as Robot

Array = NDArray[np.float64]

GRAVITY = 9.81
THIGH = 0.364
"""Length of the thigh [m]."""
DENSITY = 4.0
"""Mass of a leg's length [kg/m]."""
FORCE = 450.0
"""Force asked for on the trunk [N]."""
TORQUE = 150.0
"""Most that a motor gives [N m]."""
CROUCHED, STRAIGHT = 2.2, 0.2
"""Angle of the knee where a jump starts, and where it ends [rad]."""
STEP = 1e-3
FUNCTIONS = ("inverse_dynamics", "inertia_matrix", "world_J_foot", "world_JdQd_foot")
ALONG = [3, 5]
"""Rows of a Jacobian: the foot moves along x and z."""


def leg() -> Robot:
    """The robot."""
    path = Path(__file__).with_name("leg.kindsl")
    return robcogen_ros.build(path, functions=FUNCTIONS)


def set_proportions(robot: Robot, shank: float, density: float = DENSITY) -> None:
    """Let thigh and shank be rods of their lengths."""
    lengths = {"thigh": THIGH, "shank": shank}
    for part, length in lengths.items():
        mass = density * length
        robot.parameters.update(
            {
                f"{part}_length": length,
                f"{part}_mass": mass,
                f"{part}_center": length / 2,
                f"{part}_inertia": mass * length**2 / 3,
            }
        )
    assert not robot.parameters.check()


def crouch(shank: float) -> Array:
    """The position in which the foot is below the hip: trunk, hip, knee."""
    hip = math.atan2(-shank * math.sin(CROUCHED), THIGH + shank * math.cos(CROUCHED))
    height = THIGH * math.cos(hip) + shank * math.cos(hip + CROUCHED)
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


def jump(robot: Robot, shank: float, force: float = FORCE, torque: float = TORQUE) -> float:
    """Height that the center of mass gains after lift-off [m]."""

    def rate(state: Array) -> Array:
        q, qd = np.split(state, 2)
        return np.concatenate([qd, stance(robot, q, qd, force, torque)[0]])

    state = np.concatenate([crouch(shank), np.zeros(3)])
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
    return rising**2 / (2 * GRAVITY)


def sweep(robot: Robot, lengths: Sequence[float]) -> list[float]:
    """Heights of jumps, each divided by the length of its leg."""
    heights = []
    for shank in lengths:
        set_proportions(robot, shank)
        heights.append(jump(robot, shank) / (THIGH + shank))
    return heights


def main() -> None:
    """Sweep, and show the optimum."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--png", metavar="FILE", help="write a picture too; needs Matplotlib")
    options = parser.parse_args()
    lengths = np.linspace(0.2, 0.6, 21).tolist()
    heights = sweep(leg(), lengths)
    best = int(np.argmax(heights))
    for k, (length, height) in enumerate(zip(lengths, heights, strict=True)):
        mark = "  <- best" if k == best else ""
        print(f"{length:.2f} m  {height:6.3f}  {'*' * round(60 * height / heights[best])}{mark}")
    if options.png:
        plot(lengths, heights, options.png)


def plot(lengths: Sequence[float], heights: Sequence[float], path: str) -> None:
    """Draw the heights over the lengths."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4))
    axes = figure.subplots()
    axes.plot(lengths, heights, "o-")
    axes.set(xlabel="length of the shank [m]", ylabel="height of the jump / length of the leg")
    figure.savefig(path)


if __name__ == "__main__":
    main()
