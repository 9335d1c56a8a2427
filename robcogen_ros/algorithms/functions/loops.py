"""Functions of robots with joints that follow others: how all joints move, and what loops carry."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from robcogen_ros.algorithms.functions.derivatives import forces_of_motion, tree_motion
from robcogen_ros.algorithms.functions.function import (
    Argument,
    Function,
    Results,
    Values,
    forces_argument,
    gravity_argument,
    matrix_columns,
    motion_inputs,
    state,
)
from robcogen_ros.algorithms.functions.transmission import rates, transmission_functions
from robcogen_ros.algorithms.mechanics.frame_motion import joint_changes
from robcogen_ros.algorithms.mechanics.joints import joint_rates, joint_transforms
from robcogen_ros.algorithms.mechanics.loops.closures import joint_angles, margins, residuals
from robcogen_ros.algorithms.mechanics.loops.forces import loop_forces
from robcogen_ros.algorithms.mechanics.loops.rows import spanning
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar

_Compute = Callable[[Robot, Values], Sequence[Scalar]]

_ORDER = "of all joints that move, in the order of links"


def loop_functions(robot: Robot) -> tuple[Function, ...]:
    """Returns the functions of a robot with joints that follow others; none without."""
    if not robot.has_mimic:
        return ()
    return (
        *_of_joints(robot),
        *transmission_functions(robot),
        *(_of_loops(robot) if any(closure.loops for closure in robot.closures) else ()),
    )


def _of_joints(robot: Robot) -> tuple[Function, ...]:
    count = len(robot.joints)
    return (
        _function(
            "joint_positions",
            "Positions of all joints, those that follow others too",
            state(robot, "q"),
            Argument("positions", count, meaning=f"{_ORDER} [rad or m]"),
            lambda robot, values: joint_angles(robot, values["q"]),
        ),
        _function(
            "joint_velocities",
            "Velocities of all joints, G qd",
            state(robot, "q", "qd"),
            Argument("velocities", count, meaning=f"{_ORDER} [rad/s or m/s]"),
            lambda robot, values: joint_rates(robot, values["qd"]),
        ),
        _function(
            "joint_accelerations",
            "Accelerations of all joints, G qdd + dG/dt qd",
            state(robot, "q", "qd", "qdd"),
            Argument("accelerations", count, meaning=f"{_ORDER} [rad/s^2 or m/s^2]"),
            _accelerations,
        ),
        _function(
            "coordinate_jacobian",
            "Rates of all joints per unit rates of the coordinates, G",
            state(robot, "q"),
            Argument("G", count, robot.n, "a joint a row, a coordinate a column"),
            _jacobian,
        ),
    )


def _of_loops(robot: Robot) -> tuple[Function, ...]:
    loops = [loop for closure in robot.closures for loop in closure.loops]
    names = ", ".join(loop.name for loop in loops)
    groups = [closure.name for closure in robot.closures if closure.loops]
    rows = sum(len(loop.fixed) for loop in loops)
    forced = gravity_argument(robot), forces_argument(robot)
    return (
        _function(
            "closure_residual",
            "How far the frames of each loop are off each other along what is fixed",
            state(robot, "q"),
            Argument("residual", rows, meaning=f"of {names}: turned [rad], then moved [m]"),
            lambda robot, _: residuals(robot),
        ),
        _function(
            "closure_margin",
            "How far loops are from a dead centre: 1 at most, 0 there, negative beyond reach",
            state(robot, "q"),
            Argument("margin", len(groups), meaning=f"of {'; '.join(groups)}"),
            lambda robot, _: margins(robot),
        ),
        _function(
            "loop_forces",
            "Wrench that the link of each loop's second frame gets through the loop",
            (*motion_inputs(robot, "q", "qd", "qdd"), *forced),
            Argument(
                "wrenches",
                6,
                len(loops),
                f"[n; f] about and in the axes of the first frame [N m, N], of {names}",
            ),
            _loop_forces,
        ),
    )


def _function(
    name: str, summary: str, inputs: tuple[Argument, ...], output: Argument, compute: _Compute
) -> Function:
    def results(robot: Robot, values: Values) -> Results:
        return {output.name: list(compute(robot, values))}

    return Function(name, summary, inputs, (output,), results, on_request=True)


def _accelerations(robot: Robot, values: Values) -> list[Scalar]:
    transforms = joint_transforms(robot, values["q"])
    return joint_changes(robot, transforms, values["qd"], values["qdd"])


def _jacobian(robot: Robot, values: Values) -> list[Scalar]:
    return matrix_columns([rates(robot, joint) for joint in robot.joints])


def _loop_forces(robot: Robot, values: Values) -> list[Scalar]:
    transforms = joint_transforms(robot, values["q"])
    forces = forces_of_motion(spanning(robot), tree_motion(robot, values))[-len(robot.joints) :]
    wrenches = loop_forces(robot, transforms, forces)
    return [x for wrench in wrenches for x in wrench]
