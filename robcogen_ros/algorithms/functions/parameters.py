"""Inverse dynamics as a function of inertial parameters, and of a robot's named parameters."""

from __future__ import annotations

from functools import partial

from robcogen_ros.algorithms.conditioning.base_parameters import regrouped
from robcogen_ros.algorithms.conditioning.link_frames import with_chosen_frames
from robcogen_ros.algorithms.functions.derivatives import forces_of_motion
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
from robcogen_ros.algorithms.functions.links import base_motion
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.algorithms.mechanics.regressor import PER_LINK, regressor
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.dual import Dual, dual, jacobian
from robcogen_ros.model.scalars.expression import Expression
from robcogen_ros.model.scalars.operation import Scalar, apply
from robcogen_ros.model.spatial import MotionVector, Vector


def parameter_functions(robot: Robot) -> tuple[Function, ...]:
    """The regressor, the parameters it belongs to, and derivatives by named parameters."""
    first = 6 if robot.floating_base else 0
    links = len(_links(robot))
    motion, gravity = motion_inputs(robot, "q", "qd", "qdd"), gravity_argument(robot)
    regressed = (
        Function(
            "inverse_dynamics_regressor",
            "Forces per unit of each link's inertial parameters: [wrench; tau] = Y parameters",
            (*motion, gravity),
            (Argument("Y", first + robot.n, PER_LINK * links, "ten columns a link"),),
            _regressor,
            on_request=True,
            derivative=True,
        ),
        Function(
            "inertial_parameters",
            "Inertial parameters of each link, the same at any position",
            state(robot, "q"),
            (Argument("parameters", PER_LINK, links, "m, m c, ixx, ixy, ixz, iyy, iyz, izz"),),
            _inertial_parameters,
            on_request=True,
            derivative=True,
        ),
    )
    if not robot.parameters:
        return regressed
    names = tuple(parameter.name for parameter in robot.parameters)
    by_parameters = Function(
        "inverse_dynamics_parameter_derivatives",
        "First derivatives of the inverse dynamics by the named parameters",
        (*motion, gravity, forces_argument(robot)),
        (Argument("dtau_dp", first + robot.n, len(names), "a parameter a column"),),
        partial(_parameter_derivatives, names),
        on_request=True,
        derivative=True,
        prepare=with_chosen_frames,
        lift=_differentiable,
    )
    return (*regressed, by_parameters)


def _links(robot: Robot) -> tuple[int, ...]:
    """The links that move, in public order."""
    return robot.link_order if robot.floating_base else robot.link_order[1:]


def _regressor(robot: Robot, values: Values) -> Results:
    fall = MotionVector(Vector(), Vector(*values["gravity"]))
    Y = regressor(
        robot,
        joint_transforms(robot, values["q"]),
        values["qd"],
        values["qdd"],
        base_motion(values, "base_velocity"),
        base_motion(values, "base_acceleration") - fall,
    )
    return {"Y": matrix_columns(Y)}


def _inertial_parameters(robot: Robot, values: Values) -> Results:
    """Returns the parameters of all links about the public frames."""
    found: list[Scalar] = []
    for i in _links(robot):
        inertia = robot.links[i].frame.inverse().inertia(robot.links[i].inertia)
        found += [inertia.mass, *inertia.moment, *inertia.tensor]
    return {"parameters": found}


def _parameter_derivatives(names: tuple[str, ...], robot: Robot, values: Values) -> Results:
    """Returns derivatives by parameters; the robot's quantities know their own."""
    constants = {name: [dual(x) for x in entries] for name, entries in values.items()}
    forces = forces_of_motion(regrouped(robot), constants)
    return {"dtau_dp": matrix_columns(jacobian(forces, names))}


def _differentiable(robot: Robot) -> Robot:
    """The robot, its quantities with their derivatives by the parameters."""
    known: dict[int, Dual] = {}

    def lift(value: Scalar) -> Dual:
        if not isinstance(value, Expression):
            return Dual(value)
        if value.parameter is not None:
            return Dual.variable(value, value.parameter.name)
        if value.operation is None:
            return Dual(value)
        if id(value) not in known:
            known[id(value)] = apply(value.operation, *map(lift, value.operands))
        return known[id(value)]

    return robot.map(lift)
