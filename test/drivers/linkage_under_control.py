"""Any robot in loops under ros2_control by its motors: a package of it, its motion, its cycles.

    python -m test.drivers.linkage_under_control write FOLDER FILE LOOPS MOTOR ...
    python -m test.drivers.linkage_under_control run INSTALL FOLDER [SECONDS]

The first writes a package `linkage` into a folder: controller and simulated hardware of the robot,
both in space `motor`. Build it, with robcogen_ros and test/cmake/packages/timed_manager, by colcon.
The second, of the `install` folder, waves all coordinates about where they start, and compares what
its motors tell with the references. The manager's own limiter of commands, which allocates, is off.
"""

from __future__ import annotations

import argparse
import math
import shutil
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.measured_joints import FUNCTIONS, start
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.drivers.usage import usage
from test.support import timed_manager

AMPLITUDE, FREQUENCY = 0.08, 0.4
"""Of the motion of each coordinate [rad or m, Hz]."""
CMAKE = """\
cmake_minimum_required(VERSION 3.22)
project(linkage CXX)
find_package(ament_cmake REQUIRED)
find_package(robcogen_ros REQUIRED)
robcogen_generate(robot MODEL robot.urdf LOOPS {loops} ACTUATED {motors} CONTROLLER)
ament_package()
"""
PACKAGE = """\
<package format="3">
  <name>linkage</name><version>0.0.0</version><description>A robot in loops.</description>
  <maintainer email="nobody@example.com">nobody</maintainer><license>BSD-3-Clause</license>
  <buildtool_depend>ament_cmake</buildtool_depend><depend>robcogen_ros</depend>
  <export><build_type>ament_cmake</build_type></export>
</package>
"""
CONTROLLERS = """\
controller_manager:
  ros__parameters:
    update_rate: 1000
    enforce_command_limits: false
    joint_state_broadcaster: {type: joint_state_broadcaster/JointStateBroadcaster}
    robot_controller: {type: linkage/RobotController}
joint_state_broadcaster:
  ros__parameters: {update_rate: 100}
robot_controller:
  ros__parameters: {mode: computed_torque, kp: [400.0], kd: [40.0], space: motor}
"""
INTERFACES = """\
<ros2_control name="robot" type="system">
  <hardware><plugin>linkage/RobotSystem</plugin><param name="space">motor</param></hardware>
</ros2_control>
"""
JOINT = """\
<joint name="{}"><command_interface name="effort"/><state_interface name="position"/>
  <state_interface name="velocity"/><state_interface name="effort"/></joint>
"""


def write(folder: Path, file: Path, loops: Path, motors: list[str]) -> None:
    """Writes the package of a robot of a URDF."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "robot.urdf").write_text(file.read_text())
    shutil.copyfile(loops, folder / f"loops{loops.suffix}")
    names = {"loops": f"loops{loops.suffix}", "motors": " ".join(motors)}
    (folder / "CMakeLists.txt").write_text(CMAKE.format(**names))
    (folder / "package.xml").write_text(PACKAGE)
    (folder / "controllers.yaml").write_text(CONTROLLERS)
    root, control = ElementTree.parse(file).getroot(), ElementTree.fromstring(INTERFACES)
    control.extend(ElementTree.fromstring(JOINT.format(motor)) for motor in motors)
    root.append(control)
    (folder / "controlled.urdf").write_text(ElementTree.tostring(root, encoding="unicode"))


class Motion:
    """References of all coordinates, and where their motors tell that they were."""

    def __init__(self, folder: Path) -> None:
        loops = next(folder.glob("loops.*"))
        control = ElementTree.parse(folder / "controlled.urdf").getroot().find("ros2_control")
        assert control is not None
        motors = [str(joint.get("name")) for joint in control.iterfind("joint")]
        robot = read(folder / "robot.urdf", loops=loops, actuated=motors).robot
        self.motors = robot.actuated
        self.robot = robot_of(NumpyEvaluator(Library(robot, [], ["transmission", *FUNCTIONS])))
        self.times: list[float] = []
        self.told: list[list[float]] = []
        self.first: np.ndarray | None = None
        self.begun = 0.0

    def take(self, message: Any) -> None:
        """Takes a joint state."""
        told = dict(zip(message.name, message.position, strict=True))
        self.times.append(message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec)
        self.told.append([told[name] for name in self.motors])
        if self.first is None and len(self.told) > 20:
            self.begun, self.first = self.times[-1], self.coordinates(-1, start(self.robot))

    def coordinates(self, k: int, near: np.ndarray) -> np.ndarray:
        """Returns the coordinates where the motors are in a state."""
        positions = np.array(self.told[k]) / self.robot.gears
        return np.asarray(self.robot.coordinates(self.motors, positions, near=near))

    def reference(self, time: float) -> np.ndarray:
        """Returns positions, velocities and accelerations of the coordinates at a time."""
        w, t = 2 * math.pi * FREQUENCY, max(time - self.begun, 0.0)
        up = AMPLITUDE / 2 * np.array([1 - math.cos(w * t), w * math.sin(w * t)])
        position = self.first + up[0]
        rows = [up[1], AMPLITUDE / 2 * w * w * math.cos(w * t)]
        return np.array([position, *(np.full(len(position), row) for row in rows)])

    def accompany(self, node: Any) -> None:
        """Listens to states, and publishes references once the first is known."""
        from sensor_msgs.msg import JointState
        from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

        publisher = node.create_publisher(JointTrajectory, "/robot_controller/reference", 1)
        node.create_subscription(JointState, "/joint_states", self.take, 1000)
        names = list(self.robot.joint_names)

        def move() -> None:
            if self.first is None:
                return
            rows = dict(
                zip(
                    ("positions", "velocities", "accelerations"),
                    self.reference(self.times[-1]).tolist(),
                    strict=True,
                )
            )
            point = JointTrajectoryPoint(**rows)
            publisher.publish(JointTrajectory(joint_names=names, points=[point]))

        node.create_timer(0.01, move)

    def tell(self) -> None:
        """Prints how the later half of the motion went."""
        near, errors, places, back = self.first, [], [], 0.0
        for k in range(len(self.told) // 2, len(self.told), 5):
            near = self.coordinates(k, near)
            positions, _, _ = self.robot.transmission(near)
            back = max(back, float(np.abs(positions - self.told[k]).max()))
            places.append(near)
            errors.append(near - self.reference(self.times[k])[0])
        span, rms = np.ptp(places, axis=0), np.sqrt(np.mean(np.square(errors), axis=0))
        print(f"{len(self.told)} states; coordinates moved by {span.min():.3f} to {span.max():.3f}")
        print(f"references missed by {rms.max():.1e} at most, root mean square")
        print(f"motors there and back {back:.1e}")


def main() -> int:
    """Writes a package, or runs what was built of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    writing, running = commands.add_parser("write"), commands.add_parser("run")
    for name in ("folder", "file", "loops"):
        writing.add_argument(name, type=Path)
    writing.add_argument("motors", nargs="+")
    for name in ("install", "folder"):
        running.add_argument(name, type=Path)
    running.add_argument("seconds", type=float, nargs="?", default=10.0)
    options = parser.parse_args()
    if options.command == "write":
        write(options.folder, options.file, options.loops, options.motors)
        return 0
    motion = Motion(options.folder)
    names = ["joint_state_broadcaster", "robot_controller"]
    text, table = (options.folder / "controlled.urdf").read_text(), "controllers.yaml"
    parameters = options.folder / table
    print(
        timed_manager.run(
            options.install, text, parameters, options.seconds, names, motion.accompany
        ),
        end="",
    )
    motion.tell()
    return 0


if __name__ == "__main__":
    with usage():
        sys.exit(main())
