"""Parameters of the simulated robot, and the simulation they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from robcogen_ros.control.actuation import Actuation
from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.floating_simulation import FloatingSimulation
from robcogen_ros.control.ground_simulation import GroundSimulation
from robcogen_ros.control.impulses import Dissipation
from robcogen_ros.control.limits import Limits
from robcogen_ros.control.simulation import Simulation
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import STANDARD_GRAVITY
from robcogen_ros.ros import ground_parameters, model_parameter
from robcogen_ros.ros.footing import Footing
from robcogen_ros.ros.ground_parameters import ground_simulation, quaternion_of
from robcogen_ros.ros.joint_order import order, per_joint
from robcogen_ros.ros.parameters import Parameter

TABLE = (
    *model_parameter.TABLE,
    Parameter(
        "floating_base",
        False,
        "Whether the base of the robot of model_file or robot_description moves freely; a compiled "
        "model has it from robcogen_generate(FLOATING_BASE).",
        fixed=True,
    ),
    Parameter("rate", 1000.0, "Joint states a simulated second [Hz].", 1.0, 10000.0, fixed=True),
    Parameter(
        "real_time_factor",
        1.0,
        "Simulated seconds a second; 0: as many as possible. Values other than 1 need"
        " publish_clock.",
        0.0,
        1000.0,
        fixed=True,
    ),
    Parameter(
        "publish_clock",
        False,
        "Whether simulated time, from zero on, is published on /clock, for nodes with"
        " use_sim_time.",
        fixed=True,
    ),
    Parameter(
        "lockstep",
        False,
        "Whether time only goes on when efforts have come that answer the last states, by their "
        "stamp: a machine too slow for real time shows the same motion, slower. Needs "
        "publish_clock.",
        fixed=True,
    ),
    Parameter(
        "joints",
        [""],
        "Order of initial_positions, damping and friction; empty: the robot's.",
        fixed=True,
    ),
    Parameter(
        "initial_positions",
        0.0,
        "Positions at the start [rad, m], one or one a joint.",
        -1e6,
        1e6,
        many=True,
        fixed=True,
    ),
    Parameter(
        "initial_base_position",
        [0.0] * 3,
        "Where a floating base starts in the world [m].",
        -1e6,
        1e6,
        fixed=True,
    ),
    Parameter(
        "initial_base_orientation",
        [0.0] * 3,
        "Its orientation at the start: roll, pitch, yaw about fixed axes [rad].",
        -100.0,
        100.0,
        fixed=True,
    ),
    *ground_parameters.TABLE,
    Parameter("world_frame", "world", "Frame that a floating base moves in, on /tf.", fixed=True),
    Parameter(
        "gravity",
        [],
        "Gravity in the frame of a fixed base, or in the world of a floating one [m/s^2]. Empty: "
        "the model's gravity, or 0 0 -9.81 in the world.",
        -100.0,
        100.0,
        fixed=True,
        length=3,
    ),
    Parameter("stops", True, "Whether joints stop at their position limits.", fixed=True),
    Parameter(
        "damping",
        -1.0,
        "Viscous friction [N m s/rad, N s/m], one or one a joint; negative: the model's.",
        -1.0,
        1e6,
        many=True,
        fixed=True,
    ),
    Parameter(
        "friction",
        -1.0,
        "Dry friction [N m, N], one or one a joint; negative: the model's.",
        -1.0,
        1e6,
        many=True,
        fixed=True,
    ),
    Parameter(
        "position_bandwidth",
        100.0,
        "Bandwidth of the drives that follow position commands [rad/s].",
        1.0,
        1000.0,
        fixed=True,
    ),
    Parameter(
        "hold_until_commanded", True, "Whether brakes hold the robot until the first command."
    ),
    Parameter(
        "command_timeout",
        0.2,
        "Motors switch off after this time without commands [simulated s]; 0: never.",
        0.0,
        60.0,
    ),
    Parameter(
        "wrench_timeout",
        0.5,
        "A disturbance ends after this time without messages [simulated s]; 0: never.",
        0.0,
        60.0,
    ),
)


def simulation(
    robot: Any, values: Mapping[str, Any], footing: Footing | None = None
) -> Simulation | FloatingSimulation | GroundSimulation:
    """A robot at its start.

    Args:
        robot: The robot.
        values: The parameters.
        footing: What it stands on, if there is a ground.

    Raises:
        RobcogenError: If a list has a wrong length, or the start is beyond a joint's limits.
    """
    indices = order(robot.joint_names, values["joints"])
    damping, friction = (
        _chosen(per_joint(name, values[name], indices, robot.n, -1.0), getattr(robot, name))
        for name in ("damping", "friction")
    )
    dissipation = Dissipation(damping, friction)
    actuation = Actuation(robot, stops=values["stops"], dissipation=dissipation)
    start, given = _start(robot, values, indices), values["gravity"]
    if not robot.floating_base:
        gravity = np.array(given) if given else None
        return Simulation(robot, start, actuation=actuation, gravity=gravity)
    if footing is not None:
        return ground_simulation(robot, footing, values, start, actuation)
    return FloatingSimulation(
        robot,
        start,
        position=np.array(values["initial_base_position"]),
        quaternion=quaternion_of(*values["initial_base_orientation"]),
        actuation=actuation,
        gravity=np.array(given or STANDARD_GRAVITY),
    )


def _chosen(given: Array, model: Array) -> Array:
    return np.where(given < 0, model, given)


def _start(robot: Any, values: Mapping[str, Any], indices: list[int]) -> Array:
    """Initial positions; a single number gives way to limits."""
    given = values["initial_positions"]
    q, limits = per_joint("initial_positions", given, indices, robot.n), Limits.of(robot)
    within = np.clip(q, limits.lower, limits.upper)
    if not np.array_equal(q, within) and given != 0.0:
        joint = robot.joint_names[int(np.flatnonzero(q != within)[0])]
        raise RobcogenError(f"initial_positions: joint '{joint}' starts beyond its limits")
    return np.asarray(within)
