"""Motors of joints: those that are named, or that the file names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from robcogen_ros.errors import Problem, RobcogenError
from robcogen_ros.model.description import Description
from robcogen_ros.model.names import hint, listed
from robcogen_ros.model.robot import Robot


def with_motors(description: Description, given: Sequence[str]) -> Description:
    """The description with other joints that motors move, if any are given.

    Args:
        description: The robot.
        given: Names of joints.

    Raises:
        RobcogenError: If one is not there, does not move, or mimics another.
    """
    joints = {joint.name: joint for joint in description.joints}
    for name in given:
        if name not in joints:
            known = hint(name, joints)
            raise RobcogenError(f"actuated: there is no joint '{name}'{known}")
        if joints[name].motion is None:
            raise RobcogenError(f"actuated: joint '{name}' is {joints[name].kind}")
        if mimic := joints[name].mimic:
            raise RobcogenError(f"actuated: joint '{name}' follows joint '{mimic.leader}'")
    if not given:
        return description
    loops = description.loops
    if loops and loops.actuated:
        loops = replace(loops, independent=())
    return replace(description, motors=tuple(given), loops=loops)


def motor_names(robot: Robot) -> tuple[str, ...]:
    """Names of the joints that motors move; those of the coordinates where nothing says."""
    return robot.actuated or robot.joint_names


def unmoved(robot: Robot) -> list[str]:
    """Returns the names of the coordinates that no motor moves."""
    motors = motor_names(robot)
    moved = {k for joint in robot.joints if joint.name in motors for k, _ in joint.rates}
    return [name for k, name in enumerate(robot.joint_names) if k not in moved]


def actuated(robot: Robot, names: Sequence[str]) -> tuple[Robot, list[Problem]]:
    """A robot with its motors, and what is to be known of their number.

    Args:
        robot: The robot.
        names: Joints that motors move, maybe of parts that the robot has not.
    """
    found = tuple(joint.name for joint in robot.joints if joint.name in names)
    if not found:
        return robot, []
    robot, told = replace(robot, actuated=found), []
    passive = [f"'{name}'" for name in unmoved(robot)]
    if passive:
        message = f"no motor moves {listed(passive)}, nor any other joint that one moves"
        told.append(Problem(message, robot.location, "note"))
    follow = [f"'{name}'" for name in found if name not in robot.joint_names]
    if follow and len(found) > robot.n:
        verb = "follows" if len(follow) == 1 else "follow"
        message = f"there are more motors than coordinates: {listed(follow)} {verb} others"
        told.append(Problem(message, robot.location, "note"))
    if len(found) < (moved := robot.n - len(passive)):
        message = f"{len(found)} motors move {moved} coordinates: they do not determine these"
        told.append(Problem(message, robot.location, "note"))
    return robot, told
