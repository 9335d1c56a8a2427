"""Inverse kinematics of arms of others, beside EAIK and KDL where these are installed.

`python -m test.drivers.arm_peers [--poses 1000]` prints a table: EAIK loses positions and gives
wrong ones, as in `test.drivers.arms`, of seven joints given the one that we are given; KDL's
Levenberg-Marquardt steps, from the middle of limits, find some solution or none. Wrong is what
misses a place by more than 1e-3, where KDL ends.
"""

from __future__ import annotations

import argparse
import importlib
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.bench.robots import robot_path
from robcogen_ros.formats.read import read
from test.drivers.arms import ARMS, computed, limits, microseconds, positions
from test.drivers.usage import usage

Array = NDArray[np.float64]


class Axes:
    """Axes of a chain where all positions are zero: directions, points on them, the pose then."""

    def __init__(self, robot: Any, base: str, target: str, names: list[int]) -> None:
        """Takes them from a Jacobian."""
        zero = np.zeros(robot.n)
        self.tip = robot.transform(base, target, zero)
        angular, linear = np.split(robot.jacobian(base, target, zero)[:, names], 2)
        self.directions = angular.T
        self.points = self.tip[:3, 3] + np.cross(angular.T, linear.T)

    def pose(self, q: Array) -> Array:
        """Returns the pose of the end (4, 4)."""
        result = np.eye(4)
        for angle, h, p in zip(q, self.directions, self.points, strict=True):
            cross = np.cross(np.eye(3), h)
            turn = np.eye(4)
            turn[:3, :3] += np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
            turn[:3, 3] = p - turn[:3, :3] @ p
            result = result @ turn
        return result @ self.tip


def solver_of_eaik(axes: Axes, given: int | None) -> Callable[[Array, Array], tuple[Array, float]]:
    """Returns what gives EAIK's solutions of a place, and how long a call takes [s]."""
    robots = importlib.import_module("eaik.IK_HP")
    offsets = np.diff(np.vstack([np.zeros(3), axes.points, axes.tip[:3, 3]]), axis=0)

    def solve(place: Array, q: Array) -> tuple[Array, float]:
        fixed = [] if given is None else [(given, float(q[given]))]
        robot = robots.HPRobot(axes.directions, offsets, fixed)
        wanted = place.copy()
        wanted[:3, :3] = place[:3, :3] @ axes.tip[:3, :3].T
        for _ in range(3):
            start = time.perf_counter()
            found = robot.IK(wanted)
            seconds = time.perf_counter() - start
        exact = [q for q, least in zip(found.Q, found.is_LS, strict=True) if not least]
        return np.array(exact, dtype=float).reshape(len(exact), len(q)), seconds

    return solve


def solver_of_kdl(axes: Axes, start: Array) -> Callable[[Array, Array], tuple[Array, float]]:
    """Returns what gives KDL's solution of a place, from a start, and how long it takes [s]."""
    kdl = importlib.import_module("PyKDL")
    chain = kdl.Chain()

    def frame(pose: Array) -> Any:
        return kdl.Frame(kdl.Rotation(*pose[:3, :3].ravel()), kdl.Vector(*pose[:3, 3]))

    for k, (h, p) in enumerate(zip(axes.directions, axes.points, strict=True)):
        joint = kdl.Joint(f"joint{k}", kdl.Vector(*p), kdl.Vector(*h), kdl.Joint.RotAxis)
        end = frame(axes.tip) if k + 1 == len(axes.points) else kdl.Frame()
        chain.addSegment(kdl.Segment(joint, end))
    lma = kdl.ChainIkSolverPos_LMA(chain)

    def solve(place: Array, q: Array) -> tuple[Array, float]:
        wanted, count = frame(place), chain.getNrOfJoints()  # the solver does not keep the chain
        seed, found = kdl.JntArray(count), kdl.JntArray(count)
        for k, x in enumerate(start):
            seed[k] = float(x)
        for _ in range(3):
            begin = time.perf_counter()
            status = lma.CartToJnt(seed, wanted, found)
            seconds = time.perf_counter() - begin
        return np.array([[found[k] for k in range(len(q))]] if status >= 0 else []), seconds

    return solve


def judged(axes: Axes, solve: Any, places: Array, own: Array) -> tuple[int, int, int, float]:
    """Returns how many places have a right solution, how many positions are lost, how many
    solutions are wrong, and the median of a call [us]."""
    solved = lost = wrong = 0
    times = []
    for place, q in zip(places, own, strict=True):
        found, seconds = solve(place, q)
        times.append(seconds)
        off = np.array([np.abs(axes.pose(each) - place).max() for each in found])
        near = [np.abs(np.angle(np.exp(1j * (each - q)))).max() for each in found]
        solved += bool((off < 1e-3).any())
        wrong += int((off >= 1e-3).sum())
        lost += not min(near, default=9.0) < 1e-4
    return solved, lost, wrong, float(np.median(times)) * 1e6


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--poses", type=int, default=1000)
    parser.add_argument("arm", nargs="*", help="FILE BASE TARGET")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for file, base, target in [tuple(options.arm)] if options.arm else ARMS:
        robot = computed(read(Path(file) if Path(file).exists() else robot_path(file)).robot)
        solver = robot.inverse_kinematics_between(base, target)
        q, own = positions(robot, solver, options.poses, np.random.default_rng(1))
        places = robot.transform(base, target, q)
        names = [robot.joint_names.index(name) for name in solver.joint_names]
        axes = Axes(robot, base, target, names)
        assert np.abs(axes.pose(own[0]) - places[0]).max() < 1e-12
        given = 6 if len(names) == 7 else None
        if solver.redundancy in solver.joint_names:
            given = solver.joint_names.index(solver.redundancy)
        told = [f"ours {microseconds(solver, places, own):.0f} us"]
        middle = np.mean(limits(robot, names), axis=0)
        peers = {"EAIK": (solver_of_eaik, given), "KDL": (solver_of_kdl, middle)}
        for name, (peer, more) in peers.items():
            try:
                solved, lost, wrong, us = judged(axes, peer(axes, more), places, own)
            except (ImportError, RuntimeError, ValueError) as error:
                told.append(f"{name}: {str(error).splitlines()[0]}")
                continue
            lost_too = f"lost {lost}, " if name == "EAIK" else ""
            told.append(f"{name} solved {solved}, {lost_too}wrong {wrong}, {us:.0f} us")
        print(f"{Path(file).stem} {target}, {options.poses} places: " + "; ".join(told), flush=True)


if __name__ == "__main__":
    with usage():
        main()
