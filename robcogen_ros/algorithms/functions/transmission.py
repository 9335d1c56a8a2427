"""Functions from the coordinates to the motors of a robot whose joints follow others, and back."""

from __future__ import annotations

from robcogen_ros.algorithms.functions.function import (
    Argument,
    Function,
    Results,
    Values,
    matrix_columns,
    state,
)
from robcogen_ros.algorithms.mechanics.loops.closures import joint_angles
from robcogen_ros.algorithms.mechanics.loops.rows import solver
from robcogen_ros.algorithms.mechanics.operational_space import transposed
from robcogen_ros.model.motors import motor_names
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar

Matrix = list[list[Scalar]]


def transmission_functions(robot: Robot) -> tuple[Function, ...]:
    """Returns the functions of the motors of a robot in which joints follow others."""
    names = motor_names(robot)
    count, text = len(names), ", ".join(names)
    outputs = [
        Argument("positions", count, meaning=f"of the motors of {text}, beyond their gears"),
        Argument("G", count, robot.n, "rates of motors, a row each, per unit rate of coordinates"),
    ]
    if _determines(robot):
        meaning = "rates of coordinates, a row each, per unit rate of motors"
        outputs.append(Argument("inverse", robot.n, count, meaning))
    inertia = "of the rotors of all joints, as coordinates feel them [kg m^2, kg m or kg]"
    return (
        Function(
            "transmission",
            "Positions of motors, and how they move with the coordinates: efforts go by G'",
            state(robot, "q"),
            tuple(outputs),
            _transmission,
            on_request=True,
        ),
        Function(
            "reflected_inertia",
            "Inertia that rotors add to the inertia matrix",
            state(robot, "q"),
            (Argument("inertia", robot.n, robot.n, inertia, symmetric=True),),
            _reflected_inertia,
            on_request=True,
        ),
    )


def _motors(robot: Robot) -> list[int]:
    """Numbers of the joints that motors move."""
    numbers = {joint.name: k for k, joint in enumerate(robot.joints)}
    return [numbers[name] for name in motor_names(robot)]


def _determines(robot: Robot) -> bool:
    """Returns True if there is a motor for each coordinate, and none without one that it moves."""
    motors = _motors(robot)
    moved = {k for motor in motors for k, _ in robot.joints[motor].rates}
    return len(motors) == len(moved) == robot.n


def _transmission(robot: Robot, values: Values) -> Results:
    motors, angles = _motors(robot), joint_angles(robot, values["q"])
    G = [[x * robot.joints[k].drive.gear for x in rates(robot, robot.joints[k])] for k in motors]
    found = {"positions": [angles[k] * robot.joints[k].drive.gear for k in motors]}
    if _determines(robot):
        solve, size = solver(range(robot.n), G), range(robot.n)
        columns = [solve([int(i == k) for i in size]) for k in size]
        found["inverse"] = matrix_columns(transposed(columns))
    return found | {"G": matrix_columns(G)}


def _reflected_inertia(robot: Robot, _: Values) -> Results:
    H: Matrix = [[0] * robot.n for _ in range(robot.n)]
    for joint in robot.joints:
        if joint.drive.rotor:
            for i, one in joint.rates:
                for k, other in joint.rates:
                    H[i][k] = H[i][k] + joint.drive.rotor * one * other
    return {"inertia": matrix_columns(H)}


def rates(robot: Robot, joint: Joint) -> list[Scalar]:
    """Rates of a joint per unit rate of each coordinate, a row of G."""
    row: list[Scalar] = [0] * robot.n
    for k, share in joint.rates:
        row[k] = share
    return row
