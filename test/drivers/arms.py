"""Arms of others, and whether inverse kinematics finds every position that they were in.

`python -m test.drivers.arms [--poses 10000] [FILE BASE TARGET]` prints a table; with `--limits` in
how many places, of positions within limits and of random ones, an arm of seven joints is found
within limits, and in how many more a sweep of its redundancy in 4096 steps finds it.
"""

from __future__ import annotations

import argparse
import ctypes
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from robcogen_ros.bench.robots import robot_path
from robcogen_ros.formats import source
from robcogen_ros.formats.read import read, reading_of
from robcogen_ros.model.options import ModelOptions
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.drivers.usage import usage

ARMS = (
    ("ur_description/urdf/ur5_robot.urdf", "base_link", "tool0"),
    ("ur_description/urdf/ur10_robot.urdf", "base_link", "tool0"),
    ("z1_description/urdf/z1.urdf", "link00", "link06"),
    ("kinova_description/robots/kinova.urdf", "j2s6s200_link_base", "j2s6s200_link_6"),
    ("so_arm_description/urdf/so100.urdf", "base", "gripper"),
    ("so_arm_description/urdf/so101.urdf", "base_link", "gripper_link"),
    ("panda_description/urdf/panda.urdf", "panda_link0", "panda_link8"),
    ("xarm_description/urdf/xarm7.urdf", "link_base", "link7"),
    ("baxter_description/urdf/baxter.urdf", "torso", "left_gripper"),
    ("pr2_description/urdf/pr2.urdf", "torso_lift_link", "r_wrist_roll_link"),
    ("tiago_description/robots/tiago.urdf", "torso_lift_link", "arm_7_link"),
    ("tiago_pro_description/robots/tiago_pro.urdf", "torso_lift_link", "arm_left_7_link"),
    ("talos_data/robots/talos_full_v2.urdf", "torso_2_link", "arm_left_7_link"),
    ("talos_data/robots/talos_full_v2.urdf", "base_link", "left_sole_link"),
    ("icub_description/robots/icub.urdf", "chest", "l_hand"),
    ("icub_description/robots/icub.urdf", "base_link", "l_sole"),
    ("romeo_description/urdf/romeo.urdf", "torso", "l_wrist"),
    ("g1_description/urdf/g1_29dof_rev_1_0.urdf", "pelvis", "left_ankle_roll_link"),
    ("g1_description/urdf/g1_29dof_rev_1_0.urdf", "torso_link", "left_rubber_hand"),
    ("centauro_description/urdf/centauro.urdf", "torso_2", "arm1_6"),
    ("alex_description/urdf/alex_nub_hands.urdf", "Torso", "LeftGripperYawLink"),
    ("hyq_description/robots/hyq_no_sensors.urdf", "trunk", "rh_foot"),
)
"""File, the frame that carries the chain, and the one at its end."""


@dataclass(frozen=True)
class Verdict:
    """How many of some positions and poses came out right.

    Attributes:
        way: How positions are found.
        most: The largest number of solutions of a pose.
        wrong: Solutions whose pose is another one.
        lost: Positions that are not among the solutions of their pose.
        error: The largest error of a pose [rad, m].
        microseconds: Of a call of C by Python, the median.
        singular: The largest of the least singular values of Jacobians where positions are lost.
    """

    way: str
    most: int
    wrong: int
    lost: int
    error: float
    microseconds: float
    singular: float


def computed(model: Robot):
    """Returns a robot that NumPy computes."""
    return robot_of(NumpyEvaluator(Library(model, ["kinematics"])))


def examined(robot, base: str, target: str, poses: int, rng) -> Verdict:
    """Returns how inverse kinematics does at the poses of random positions within limits."""
    solver = robot.inverse_kinematics_between(base, target)
    q, own = positions(robot, solver, poses, rng)
    places = robot.transform(base, target, q)
    redundancy = (
        solver.joint_names.index(solver.redundancy)
        if solver.redundancy in solver.joint_names
        else None
    )
    found, lost, singular = [], 0, 0.0
    names = [robot.joint_names.index(name) for name in solver.joint_names]
    for k in range(poses):
        options = {"seed": own[k]} if solver.redundancy == "arm angle" else {}
        if redundancy is not None:
            options["redundancy"] = own[k, redundancy]
        solutions = solver.solve(places[k], limits=False, **options)
        found.append(solutions.positions)
        apart = np.abs(np.angle(np.exp(1j * (solutions.positions - own[k])))).max(axis=1)
        near = np.maximum(1e-9 / np.maximum(solutions.margins, 1e-9), 1e-12)
        if not (apart <= np.minimum(near, 0.1)).any():
            J = robot.jacobian(base, target, q[k])[:, names]
            lost, singular = lost + 1, max(singular, float(np.linalg.svd(J)[1][-1]))
    error = errors(robot, base, target, solver, places, found)
    return Verdict(
        solver.way,
        max(map(len, found)),
        int((error > 1e-12).sum()),
        lost,
        float(error.max(initial=0.0)),
        microseconds(solver, places, own),
        singular,
    )


class Call:
    """A call of C: what it is given, and how many solutions it finds."""

    def __init__(self, solver, limits: bool) -> None:
        self.pose, self.seed, self.redundancy = np.zeros((4, 4)), np.zeros(64), np.full(1, np.nan)
        self._given = self.pose, None, self.seed, self.redundancy, np.array([float(limits)]), None
        self._object, self._method = solver._object, solver._object._methods["solve"]

    def __call__(self, swept: bool = False) -> int:
        """Finds solutions; at a given redundancy where it is swept."""
        given = [None if x is None else x.ctypes.data for x in self._given]
        given[3] = given[3] if swept else None
        inputs = (ctypes.c_void_p * 6)(*given)
        self._method._call(self._object._object, inputs, self._method._outputs)
        return int(self._object.results("solve")["count"][0])


def microseconds(solver, places, own) -> float:
    """Returns how long a call of C takes at one of some poses, the median, caches warm [us]."""
    call, times = Call(solver, False), []
    for k in range(min(len(places), 500)):
        call.pose[:] = places[k].T
        call.seed[: own.shape[1]] = own[k]
        for _ in range(3):
            start = time.perf_counter()
            call()
            last = time.perf_counter() - start
        times.append(last)
    return float(np.median(times)) * 1e6


def within_limits(robot, solver, places, steps: int = 4096) -> tuple[int, int]:
    """Returns in how many places an arm is found within limits, and in how many more by a sweep."""
    call, found, missed = Call(solver, True), 0, 0
    names = [robot.joint_names.index(name) for name in solver.joint_names]
    low, high = limits(robot, names)
    call.seed[: len(names)] = np.mean([low, high], axis=0)
    between = -np.pi, np.pi
    if solver.redundancy in solver.joint_names:
        given = solver.joint_names.index(solver.redundancy)
        between = low[given], high[given]
    for place in places:
        call.pose[:] = place.T
        if call():
            found += 1
            continue
        for value in np.linspace(*between, steps):
            call.redundancy[0] = value
            if call(swept=True):
                missed += 1
                break
    return found, missed


def random_places(places, rng):
    """Returns places at random turns, as far from the first frame as others, but elsewhere."""
    result = np.tile(np.eye(4), (len(places), 1, 1))
    way = rng.normal(size=(len(places), 3))
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    result[:, :3, 3] = way * np.linalg.norm(places[:, :3, 3], axis=1, keepdims=True)
    turned, _ = np.linalg.qr(rng.normal(size=(len(places), 3, 3)))
    result[:, :3, :3] = turned * np.sign(np.linalg.det(turned))[:, None, None]
    return result


def calibrated(text: str, rng, size: float) -> str:
    """Returns a URDF whose joints are moved by up to `size` along and about each axis [m, rad]."""
    robot = ElementTree.fromstring(text)
    for origin in robot.iterfind("joint/origin"):
        for name in ("xyz", "rpy"):
            numbers = np.array(origin.get(name, "0 0 0").split(), float)
            moved = numbers + rng.uniform(-size, size, 3)
            origin.set(name, " ".join(map(repr, moved.tolist())))
    return ElementTree.tostring(robot, encoding="unicode")


def positions(robot, solver, poses: int, rng):
    """Returns random positions of all joints, and of those of the chain."""
    names = [robot.joint_names.index(name) for name in solver.joint_names]
    own = rng.uniform(*limits(robot, names), (poses, len(names)))
    q = np.zeros((poses, robot.n))
    q[:, names] = own
    return q, own


def limits(robot, names):
    """Returns lower and upper limits of joints, at most half a turn."""
    all_of = [robot._summary.coordinates[k] for k in names]
    lower = [-np.pi if c.lower is None else max(c.lower, -np.pi) for c in all_of]
    upper = [np.pi if c.upper is None else min(c.upper, np.pi) for c in all_of]
    return lower, upper


def errors(robot, base: str, target: str, solver, places, found):
    """Returns how far the pose of each solution is from the one that it is for."""
    names = [robot.joint_names.index(name) for name in solver.joint_names]
    q = np.zeros((sum(map(len, found)), robot.n))
    q[:, names] = np.concatenate(found) if found else 0
    there = np.repeat(places, [len(each) for each in found], axis=0)
    apart = robot.transform(base, target, q) - there
    if len(names) < 5:
        apart = apart[:, :3, 3]
    return np.abs(apart).reshape(len(q), -1).max(axis=1, initial=0.0)


def print_within_limits(robot, base: str, target: str, poses: int, rng) -> None:
    """Prints in how many places an arm is found within limits, and in how many it is missed."""
    solver = robot.inverse_kinematics_between(base, target)
    q, _ = positions(robot, solver, poses, rng)
    places = robot.transform(base, target, q)
    for name, each in (("its own", places), ("random", random_places(places, rng))):
        found, missed = within_limits(robot, solver, each)
        print(f"{target}, {poses} {name} places: found {found}, missed {missed}", flush=True)


def print_calibrations(count: int, poses: int, seed: int) -> None:
    """Prints what is wrong or lost of two URs whose joints are off by up to 1e-3 rad and 1 mm."""
    for file, base, target in ARMS[:2]:
        text, rng = robot_path(file).read_text(), np.random.default_rng(seed)
        found = [
            examined(computed(read_urdf(calibrated(text, rng, 1e-3))), base, target, poses, rng)
            for _ in range(count)
        ]
        wrong, lost = (sum(getattr(each, name) for each in found) for name in ("wrong", "lost"))
        error = max(each.error for each in found)
        most = max(each.singular for each in found)
        print(f"{Path(file).stem}, {count} calibrations: wrong {wrong}, lost {lost}", end=" ")
        print(f"(singular values up to {most:.1e}), error {error:.1e}", flush=True)


def read_urdf(text: str) -> Robot:
    """Returns the robot of a text."""
    return reading_of(source.of_text(text, "<text>"), ModelOptions()).robot


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--poses", type=int, default=10000)
    parser.add_argument("--calibrations", type=int, default=0, help="of two URs, in place of arms")
    parser.add_argument("--limits", action="store_true", help="whether arms are found within them")
    parser.add_argument("--seed", type=int, default=1, help="of what is random")
    parser.add_argument("arm", nargs="*")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.calibrations:
        print_calibrations(options.calibrations, options.poses, options.seed)
        return
    for file, base, target in [tuple(options.arm)] if options.arm else ARMS:
        path = Path(file) if Path(file).exists() else robot_path(file)
        robot = computed(read(path).robot)
        rng = np.random.default_rng(options.seed)
        if options.limits:
            print_within_limits(robot, base, target, options.poses, rng)
            continue
        verdict = examined(robot, base, target, options.poses, rng)
        print(
            f"{Path(file).stem} {base} {target}: {verdict.way}; at most {verdict.most}, "
            f"wrong {verdict.wrong}, lost {verdict.lost} (singular values up to "
            f"{verdict.singular:.1e}), error {verdict.error:.1e}, "
            f"{verdict.microseconds:.0f} us",
            flush=True,
        )


if __name__ == "__main__":
    with usage():
        main()
