"""Parameters of the controller, and the settings they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from robcogen_ros.control.joint_order import numbers_of, order
from robcogen_ros.errors import RobcogenError
from robcogen_ros.parameters.table import Parameter, table

PAYLOAD = (
    "payload.mass",
    *(f"payload.com.{axis}" for axis in "xyz"),
    *(f"payload.inertia.i{axes}" for axes in ("xx", "xy", "xz", "yy", "yz", "zz")),
)
"""Names of a payload's parameters in the generated code."""


def settings(robot: Any, values: Mapping[str, Any]) -> dict[str, ArrayLike | None]:
    """Settings of the controller of a robot, by the names of its table; sets the robot's payload.

    Raises:
        RobcogenError: If a list has a wrong length, or the robot cannot carry the payload.
    """
    joints, indices = robot.n, order(robot.joint_names, values["joints"])
    rows = [row for row in table("inverse_dynamics_controller") if row.name in values]
    found = {
        row.name: numbers_of(row, values[row.name], _order_of(row, values, indices), joints)
        for row in rows
        if row.type != "string" or row.choices
    }
    load(robot, values)
    return {**found, "parameters": robot.parameters.array()}


def _order_of(row: Parameter, values: Mapping[str, Any], indices: Sequence[int]) -> Sequence[int]:
    """Returns the order of a list's entries; limits of motors are in the order of these."""
    of_motors = row.name == "effort_limits" and values.get("space") == "motor"
    return range(len(indices)) if of_motors else indices


def load(robot: Any, values: Mapping[str, Any]) -> None:
    """Gives a robot its payload.

    Raises:
        RobcogenError: If the payload is none that a body can have, or the robot carries none.
    """
    numbers = (values["payload_mass"], *values["payload_com"], *values["payload_inertia"])
    payload = dict(zip(PAYLOAD, numbers, strict=True))
    if "payload.mass" not in robot.parameters:
        if any(numbers):
            raise RobcogenError(
                "payload_mass: the robot carries no payload; set payload_frame, or generate the "
                "model with PAYLOAD <frame>"
            )
        return
    if problems := robot.parameters.check(payload):
        raise RobcogenError(f"payload_mass: {problems[0]}")
    robot.parameters.update(payload)
