"""Parameters of the simulated robot, and the simulation they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.joint_order import order, per_joint
from robcogen_ros.control.motor_space import Motors
from robcogen_ros.control.simulation import GroundSimulation, Simulation
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.quaternions import quaternions, turn_of
from robcogen_ros.nodes.ground_parameters import ground_simulation
from robcogen_ros.standing.footing import Footing


def simulation(
    robot: Any, values: Mapping[str, Any], footing: Footing | None = None
) -> Simulation | GroundSimulation:
    """A robot at its start.

    Args:
        robot: The robot.
        values: The parameters.
        footing: What it stands on, if there is a ground.

    Raises:
        RobcogenError: If a list has a wrong length, or the start is beyond a joint's limits.
    """
    indices = order(robot.joint_names, values["joints"])
    friction = {
        name: _chosen(per_joint(name, values[name], indices, robot.n, -1.0), model)
        for name, model in (("damping", robot.damping), ("joint_friction", robot.friction))
    }
    start = _start(robot, values, indices)
    motors = motors_of(robot, values)
    if footing is not None:
        return ground_simulation(robot, footing, values, start, friction, motors)
    base: dict[str, Any] = {}
    if robot.floating_base:
        turn = turn_of(*values["initial_base_orientation"])
        base = {"orientation": quaternions(turn[None])[0]}
        base["position"] = np.array(values["initial_base_position"])
    gravity = np.array(values["gravity"]) if values["gravity"] else None
    stops = values["stops"]
    return Simulation(robot, start, gravity=gravity, stops=stops, motors=motors, **friction, **base)


def motors_of(robot: Any, values: Mapping[str, Any]) -> Motors | None:
    """The motors of a robot, if these are what is told and commanded.

    Raises:
        RobcogenError: If the robot lacks a function that tells where they are.
    """
    return Motors(robot) if values["space"] == "motor" else None


def _chosen(given: Array, model: Array) -> Array:
    return np.where(given < 0, model, given)


def _start(robot: Any, values: Mapping[str, Any], indices: list[int]) -> Array:
    """Initial positions; a single number gives way to limits."""
    given = values["initial_positions"]
    q = per_joint("initial_positions", given, indices, robot.n, 0.0)
    within = np.clip(q, robot.lower_limits, robot.upper_limits)
    if not np.array_equal(q, within) and given != [0.0]:
        joint = robot.joint_names[int(np.flatnonzero(q != within)[0])]
        raise RobcogenError(f"initial_positions: joint '{joint}' starts beyond its limits")
    return np.asarray(within)
