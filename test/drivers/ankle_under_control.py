"""The ankle of examples/linkages under ros2_control: cycles, and its transmission in them.

    python -m test.drivers.ankle_under_control INSTALL [SECONDS]

INSTALL is the `install` folder of a workspace with robcogen_ros, examples/linkages and
test/cmake/packages/timed_manager. References move pitch and roll. From each message of joint states
it is computed anew, by the functions of the robot, where the motors are.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from robcogen_ros.formats.read import read
from robcogen_ros.formats.urdf.text import urdf_text
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.drivers.usage import usage
from test.support import timed_manager
from test.support.examples import EXAMPLES

FOLDER = EXAMPLES / "linkages"
JOINTS, MOTORS = ("pitch", "roll"), ("left_motor", "right_motor")
REFERENCE = ((0.25, 0.5), (0.12, 0.8))
"""Amplitude [rad] and frequency [Hz] of pitch and of roll."""


def reference(time: float) -> np.ndarray:
    """Returns positions, velocities and accelerations of pitch and roll at a time."""
    a, f = np.array(REFERENCE).T
    w = 2 * math.pi * f
    return np.array([a * np.sin(w * time), a * w * np.cos(w * time), -a * w * w * np.sin(w * time)])


@dataclass
class Seen:
    """States of joints and motors, a message each: positions, velocities, efforts."""

    times: list[float] = field(default_factory=list)
    joints: list[np.ndarray] = field(default_factory=list)
    motors: list[np.ndarray] = field(default_factory=list)

    def take(self, message: Any) -> None:
        """Takes a message that has all of them."""
        rows = {name: i for i, name in enumerate(message.name)}
        if rows.keys() >= {*JOINTS, *MOTORS}:
            self.times.append(message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec)
            numbers = np.array([message.position, message.velocity, message.effort])
            self.joints.append(numbers[:, [rows[name] for name in JOINTS]])
            self.motors.append(numbers[:, [rows[name] for name in MOTORS]])

    def missed(self) -> float:
        """Returns by how much references were missed in the later half, as rms [rad]."""
        half = len(self.times) // 2
        times, joints = self.times[half:], self.joints[half:]
        errors = [q[0] - reference(t)[0] for t, q in zip(times, joints, strict=True)]
        return float(np.sqrt(np.mean(np.square(errors))))

    def report(self, every: int = 20) -> dict[str, float]:
        """Returns the largest differences of every so many messages."""
        options = {"loops": FOLDER / "ankle.yaml", "actuated": MOTORS}
        reading = read(FOLDER / "ankle.urdf", **options)
        names = ["transmission", "joint_positions", "coordinate_jacobian"]
        robot = robot_of(NumpyEvaluator(Library(reading.robot, [], names)))
        found = {"positions": 0.0, "back": 0.0, "velocities": 0.0, "efforts": 0.0, "power": 0.0}
        for (q, qd, tau), motors in zip(self.joints[::every], self.motors[::every], strict=True):
            positions, G, inverse = robot.transmission(q)
            back = robot.coordinates(MOTORS, motors[0], near=np.zeros(2))
            errors = {
                "positions": np.abs(positions - motors[0]).max(),
                "back": np.abs(back - q).max(),
                "velocities": np.abs(G @ qd - motors[1]).max(),
                "efforts": np.abs(inverse.T @ tau - motors[2]).max(),
                "power": abs(tau @ qd - motors[2] @ motors[1]),
            }
            found = {key: max(found[key], float(error)) for key, error in errors.items()}
        return found


def run(install: Path, seconds: float) -> tuple[str, Seen]:
    """Returns what the timed controller manager printed, and the states that came meanwhile."""
    seen = Seen()

    def accompany(node: Any) -> None:
        from sensor_msgs.msg import JointState
        from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

        publisher = node.create_publisher(JointTrajectory, "/ankle_controller/reference", 1)
        node.create_subscription(JointState, "/joint_states", seen.take, 1000)

        def move() -> None:
            if not seen.times:
                return
            position, velocity, acceleration = reference(seen.times[-1]).tolist()
            point = JointTrajectoryPoint(
                positions=position, velocities=velocity, accelerations=acceleration
            )
            publisher.publish(JointTrajectory(joint_names=list(JOINTS), points=[point]))

        node.create_timer(0.01, move)

    text = urdf_text(FOLDER / "ankle.ros2_control.xacro", {})
    names = ["joint_state_broadcaster", "ankle_controller"]
    parameters = FOLDER / "ankle_controllers.yaml"
    return timed_manager.run(install, text, parameters, seconds, names, accompany), seen


def main() -> int:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("install", type=Path)
    parser.add_argument("seconds", type=float, nargs="?", default=10.0)
    options = parser.parse_args()
    printed, seen = run(options.install, options.seconds)
    print(printed, end="")
    angles = np.array([joints[0] for joints in seen.joints])
    low, high = np.nanmin(angles, axis=0), np.nanmax(angles, axis=0)
    print(f"{len(angles)} states; pitch and roll from {low.round(3)} to {high.round(3)} rad")
    print(f"references missed by {seen.missed():.1e} rad, root mean square")
    for name, error in seen.report().items():
        print(f"{name:10s} largest difference {error:.1e}")
    return 0


if __name__ == "__main__":
    with usage():
        sys.exit(main())
