"""Robots under ros2_control: their motion, and what the cycles of their controllers take.

    python -m test.drivers.robots_under_control INSTALL quadruped|tool [SECONDS] [--motors]
    python -m test.drivers.robots_under_control INSTALL FILE [SECONDS] [--gait FILE.csv] [--speed V]
        [--rate HZ] [--base-state estimator|interfaces] [--contacts forces|observer|schedule]
    python -m test.drivers.robots_under_control FILE

INSTALL is the `install` folder of a workspace with robcogen_ros, test/cmake/packages/timed_manager
and, of the first line, examples/my_quadruped and examples/my_arm_control. The quadruped trots
ahead; the tool of the arm goes round a circle. With `--motors` the quadruped is controlled in space
`motor`. Of the second line it has test/cmake/packages/walking_robot, built with what the third
prints for a robot on legs: it steps in its usual gait, or plays one of a file that `robcogen gait`
wrote. Robots on legs know their bases by
their estimators, unless it is said otherwise. The manager's own limiter of commands,
which allocates, is off.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

import robcogen_ros
from robcogen_ros.formats.urdf.text import urdf_text
from robcogen_ros.runtime.gait import usual_gait
from robcogen_ros.standing.footing import Footing, find_footing
from robcogen_ros.standing.posture import Legs
from test.drivers.usage import usage
from test.support import timed_manager
from test.support.examples import EXAMPLES

SPEED = 0.3
"""Of the trot [m/s], where no other one is asked for."""
GO = 1.0
"""When it begins [s]."""
RADIUS, TURNS = 0.08, 0.25
"""Of the circle [m], and how often a second the tool goes round it."""
BENT = {"shoulder": 0.5, "elbow": 0.9, "forearm_roll": 0.2, "wrist_pitch": 0.7}
"""Where the arm begins [rad]; at zero it is stretched."""


@dataclass
class Seen:
    """States of a controller: a row of numbers for each message, by `<name>/<interface>`.

    Attributes:
        now: Time of the last cycle, as the manager tells it [s].
        times: That of each row.
    """

    now: float = 0.0
    times: list[float] = field(default_factory=list)
    rows: list[dict[str, float]] = field(default_factory=list)

    def watch(self, message: Any) -> None:
        """Takes the time of joint states."""
        self.now = message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec

    def take(self, message: Any) -> None:
        """Takes a message of control_msgs/DynamicJointState."""
        self.times.append(self.now)
        self.rows.append(
            {
                f"{name}/{interface}": value
                for name, values in zip(message.joint_names, message.interface_values, strict=True)
                for interface, value in zip(values.interface_names, values.values, strict=True)
            }
        )

    def of(self, *names: str) -> np.ndarray:
        """Returns numbers of these names, a row a message."""
        return np.array([[row[name] for name in names] for row in self.rows])


TOOL = "tool_controller/"
POSE = [f"{TOOL}pose.{part}" for part in ("position.x", "position.y", "position.z")]
POSE += [f"{TOOL}pose.orientation.{part}" for part in "xyzw"]


def ahead(node: Any, seen: Seen, speed: float) -> None:
    """Asks a robot on legs to go ahead while its controller lives."""
    from geometry_msgs.msg import TwistStamped

    publisher = node.create_publisher(TwistStamped, "/robot_controller/cmd_vel", 1)

    def ask() -> None:
        if not seen.times or seen.now - seen.times[0] < GO:
            return
        message = TwistStamped()
        message.header.stamp = node.get_clock().now().to_msg()
        message.twist.linear.x = speed
        publisher.publish(message)

    node.create_timer(0.02, ask)


def tell_way(seen: Seen, base: str, speed: float) -> None:
    """Prints how far a robot on legs came."""
    places, times = seen.of(*(f"{base}/position.{axis}" for axis in "xyz")), np.array(seen.times)
    conditions = sorted(set(seen.of("robot_controller/condition")[:, 0]))
    print(f"{len(places)} states, conditions {conditions}")
    way, half = places - places[0], len(places) // 2
    there = (places[-1, 0] - places[half, 0]) / (times[-1] - times[half])
    print(f"way {way[-1, 0]:.3f} m ahead, {way[-1, 1]:.3f} m aside; in the later half ", end="")
    print(f"{there:.3f} m/s, asked for {speed}")
    print(f"height {places[half:, 2].min():.3f} to {places[half:, 2].max():.3f} m")


def circle(node: Any, seen: Seen) -> None:
    """Moves a tool round a circle, from where it is found on."""
    from geometry_msgs.msg import PoseStamped

    publisher = node.create_publisher(PoseStamped, "/tool_controller/pose", 1)

    def ask() -> None:
        if not seen.rows:
            return
        angle = 2.0 * math.pi * TURNS * (seen.now - seen.times[0])
        message = PoseStamped()
        place, turned = message.pose.position, message.pose.orientation
        x, y, z, *quaternion = seen.of(*POSE)[0]
        place.x, place.y = x, y + RADIUS * math.sin(angle)
        place.z = z + RADIUS * (math.cos(angle) - 1.0)
        turned.x, turned.y, turned.z, turned.w = quaternion
        publisher.publish(message)

    node.create_timer(0.005, ask)


def tell_circle(seen: Seen) -> None:
    """Prints how the tool followed."""
    errors = np.linalg.norm(seen.of(*(f"{TOOL}error.linear.{axis}" for axis in "xyz")), axis=1)
    places = seen.of(*POSE[:3])
    print(f"{len(places)} states, conditions {sorted(set(seen.of(TOOL + 'condition')[:, 0]))}")
    print(f"tool moved within {np.ptp(places, axis=0).round(4)} m")
    later = errors[len(errors) // 4 :]
    print(f"behind its target by {np.sqrt(np.mean(later**2)):.2e} m rms, {later.max():.2e} at most")


@dataclass(frozen=True)
class Kind:
    """A robot: description, parameters, controller, motion, and what is told of it."""

    description: str
    parameters: str
    controller: str
    move: Callable[[Any, Seen], None]
    tell: Callable[[Seen], None]


def quadruped(options: argparse.Namespace) -> Kind:
    """The quadruped of the examples."""
    folder, speed = EXAMPLES / "my_quadruped", options.speed or SPEED
    description = urdf_text(folder / "description/my_quadruped.ros2_control.xacro", {})
    parameters = (folder / "config/controllers.yaml").read_text()
    return Kind(
        description,
        _played(parameters, options.gait) if options.gait else parameters,
        "robot_controller",
        partial(ahead, speed=speed),
        partial(tell_way, base="trunk", speed=speed),
    )


def tool(options: argparse.Namespace) -> Kind:
    """The arm of the examples."""
    folder = EXAMPLES / "my_arm_control"
    description = urdf_text(folder / "description/my_arm.urdf.xacro", {})
    parameters = (folder / "config/controllers.yaml").read_text()
    return Kind(description, parameters, "tool_controller", circle, tell_circle)


CONTROL = """
  <ros2_control name="simulation" type="system">
    <hardware><plugin>walking_robot/RobotSystem</plugin>{feet}</hardware>{joints}
  </ros2_control>
</robot>"""
JOINT = """
    <joint name="{name}"><command_interface name="effort"/>
      <state_interface name="position"><param name="initial_value">{start}</param></state_interface>
      <state_interface name="velocity"/></joint>"""
PARAMETERS = """controller_manager:
  ros__parameters:
    update_rate: 1000
    joint_state_broadcaster:
      type: joint_state_broadcaster/JointStateBroadcaster
    robot_controller:
      type: walking_robot/RobotWholeBodyController
robot_controller:
  ros__parameters:
    friction: 0.5
    gait: {gait}
    base_state: {base_state}
    contact_source: {contacts}
    foot_radius: {radius}
    soles: [{soles}]
"""


def walking(options: argparse.Namespace) -> Kind:
    """A robot on legs of a file."""
    footing = find_footing(options.kind)
    robot = robcogen_ros.build(
        options.kind,
        floating_base=True,
        contacts=footing.names,
        functions=("kinematics", "total_mass", "center_of_mass"),
        backend="numpy",
    )
    stands = Legs(robot, footing.feet).standing(footing.standing)
    joints = "".join(
        JOINT.format(name=name, start=start)
        for name, start in zip(robot.joint_names, stands.q, strict=True)
    )
    control = CONTROL.format(feet=_shapes(footing), joints=joints)
    soles = [float(x) for sole in footing.soles.values() for x in np.ravel(sole)]
    gait = usual_gait(robot.contact_records)
    radius = float(max(footing.radii.values(), default=0.0))
    parameters = PARAMETERS.format(
        gait=gait,
        base_state=options.base_state,
        contacts=options.contacts,
        radius=radius,
        soles=", ".join(map(repr, soles)),
    )
    parameters = parameters.replace("    soles: []\n", "")
    speed = options.speed or SPEED
    return Kind(
        urdf_text(options.kind, {}).replace("</robot>", control),
        _played(parameters, options.gait) if options.gait else parameters,
        "robot_controller",
        partial(ahead, speed=speed),
        partial(tell_way, base=robot.link_names[0], speed=speed),
    )


def _shapes(footing: Footing) -> str:
    """Returns the parameters of the hardware for the feet."""
    given = {f"{foot}.radius": [radius] for foot, radius in footing.radii.items()}
    for foot, sole in footing.soles.items():
        given[f"{foot.partition(':')[0]}.sole"] = np.ravel(sole).tolist()
    words = {name: " ".join(map(repr, numbers)) for name, numbers in given.items()}
    return "".join(f'<param name="{name}">{text}</param>' for name, text in words.items())


def _played(parameters: str, file: Path) -> str:
    """Returns parameters of a controller that plays a gait."""
    played = f"    gait: played\n    gait_file: {file.resolve()}\n"
    return re.sub(r"(?m)^    gait: .*\n", played, parameters)


KINDS = {"quadruped": quadruped, "tool": tool}


def run(
    install: Path, kind: Kind, seconds: float, motors: bool = False, rate: int = 1000
) -> tuple[str, Seen]:
    """Returns what the timed controller manager printed, and the states that came meanwhile."""
    seen = Seen()

    def accompany(node: Any) -> None:
        from control_msgs.msg import DynamicJointState
        from sensor_msgs.msg import JointState

        node.create_subscription(JointState, "/joint_states", seen.watch, 100)
        topic = f"/{kind.controller}/controller_state"
        node.create_subscription(DynamicJointState, topic, seen.take, 100)
        kind.move(node, seen)

    with tempfile.TemporaryDirectory() as folder:
        parameters = Path(folder) / "controllers.yaml"
        limiter = f"update_rate: {rate}\n    enforce_command_limits: false"
        text = kind.parameters.replace("update_rate: 1000", limiter, 1)
        if motors:
            head = f"{kind.controller}:\n  ros__parameters:\n"
            text = text.replace(head, f"{head}    space: motor\n")
        parameters.write_text(text)
        names = ["joint_state_broadcaster", kind.controller]
        description = _begun(kind.description, motors)
        printed = timed_manager.run(install, description, parameters, seconds, names, accompany)
    return printed, seen


def _begun(description: str, motors: bool) -> str:
    """Returns a description whose simulated hardware begins with the arm bent."""
    root = ElementTree.fromstring(description)
    for hardware in root.iterfind("ros2_control/hardware") if motors else ():
        ElementTree.SubElement(hardware, "param", name="space").text = "motor"
    for joint in root.iterfind("ros2_control/joint"):
        for value in joint.iterfind("state_interface/param[@name='initial_value']"):
            value.text = str(BENT.get(joint.get("name", ""), value.text))
    return ElementTree.tostring(root, encoding="unicode")


def tell_build(file: str) -> None:
    """Prints how test/cmake/packages/walking_robot is built for a robot on legs."""
    footing = find_footing(file)
    terms = f" -DWITH={';'.join(footing.terms)}" if footing.terms else ""
    feet = ";".join(footing.names)
    print(f'--cmake-args -DMODEL={Path(file).resolve()} "-DFEET={feet}"{terms}')


def main() -> int:
    """Prints both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("install", type=Path)
    parser.add_argument("kind", nargs="?")
    parser.add_argument("seconds", type=float, nargs="?", default=10.0)
    parser.add_argument("--motors", action="store_true")
    parser.add_argument("--gait", type=Path, help="a gait to play")
    parser.add_argument("--rate", type=int, default=1000, help="of the manager [Hz]")
    parser.add_argument("--base-state", default="estimator", help="of robots of files")
    parser.add_argument("--contacts", default="forces", help="how feet of these are felt")
    parser.add_argument("--speed", type=float, help="that is asked for [m/s]")
    options = parser.parse_args()
    if options.kind is None:
        tell_build(str(options.install))
        return 0
    kind = KINDS.get(options.kind, walking)(options)
    printed, seen = run(options.install, kind, options.seconds, options.motors, options.rate)
    print(printed, end="")
    kind.tell(seen)
    return 0


if __name__ == "__main__":
    with usage():
        sys.exit(main())
