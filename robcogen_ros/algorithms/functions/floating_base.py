"""The dynamics functions of a robot whose base moves freely."""

from __future__ import annotations

from robcogen_ros.algorithms.functions.fixed_base import (
    forward_dynamics_method,
    gravity_of,
    with_springs,
)
from robcogen_ros.algorithms.functions.function import (
    BASE_ACCELERATION,
    BASE_VELOCITY,
    BASE_WRENCH,
    REGULAR,
    REGULAR_BASE,
    Function,
    Results,
    Values,
    forces_argument,
    gravity_argument,
    no_forces,
    state,
)
from robcogen_ros.algorithms.mechanics.articulated_body import articulated_body
from robcogen_ros.algorithms.mechanics.composite_inertia import inertia_matrix
from robcogen_ros.algorithms.mechanics.factorization import solve
from robcogen_ros.algorithms.mechanics.floating_base import hybrid_dynamics
from robcogen_ros.algorithms.mechanics.joint_terms import (
    left_of_forces,
    with_armature,
    with_joint_terms,
)
from robcogen_ros.algorithms.mechanics.joints import joint_transforms, link_forces
from robcogen_ros.algorithms.mechanics.newton_euler import newton_euler
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import MotionVector


def floating_base_functions(robot: Robot) -> tuple[Function, ...]:
    """Inverse dynamics, hybrid and fully actuated, forward dynamics, and their terms."""
    gravity, forces = gravity_argument(robot), forces_argument(robot)
    wrench = (*state(robot, "tau"), BASE_WRENCH)
    motion = (*state(robot, "q", "qd", "qdd"), BASE_VELOCITY)
    return (
        Function(
            "inverse_dynamics",
            "Joint forces and base acceleration for a joint motion, no wrench on the base",
            (*motion, gravity, forces),
            (*state(robot, "tau"), BASE_ACCELERATION),
            _hybrid_dynamics,
            needs=(REGULAR_BASE,),
        ),
        Function(
            "inverse_dynamics_fully_actuated",
            "Joint forces and base wrench that give a motion (recursive Newton-Euler algorithm)",
            (*motion, BASE_ACCELERATION, gravity, forces),
            wrench,
            _fully_actuated,
        ),
        Function(
            "gravity_torques",
            "Joint forces and base wrench that hold the robot at rest against gravity and springs",
            (*state(robot, "q"), gravity),
            wrench,
            _gravity_torques,
        ),
        Function(
            "coriolis_torques",
            "Coriolis and centrifugal joint forces and base wrench",
            (*state(robot, "q", "qd"), BASE_VELOCITY),
            wrench,
            _coriolis_torques,
        ),
        Function(
            "forward_dynamics",
            f"Motion that joint forces give ({forward_dynamics_method(robot)})",
            (*state(robot, "q", "qd", "tau"), BASE_VELOCITY, gravity, forces),
            (*state(robot, "qdd"), BASE_ACCELERATION),
            _forward_by_inertia if robot.has_mimic else _forward_dynamics,
            needs=(REGULAR,),
        ),
    )


def _hybrid_dynamics(robot: Robot, values: Values) -> Results:
    tau, base = hybrid_dynamics(
        robot,
        joint_transforms(robot, values["q"]),
        values["qd"],
        values["qdd"],
        MotionVector.of(values["base_velocity"]),
        gravity_of(values),
        link_forces(robot, values["external_forces"]),
    )
    return {"tau": with_joint_terms(robot, values, tau), "base_acceleration": list(base)}


def _fully_actuated(robot: Robot, values: Values) -> Results:
    results = _rigid_dynamics(robot, values)
    return {**results, "tau": with_joint_terms(robot, values, results["tau"])}


def _rigid_dynamics(robot: Robot, values: Values) -> Results:
    tau, wrench = newton_euler(
        robot,
        joint_transforms(robot, values["q"]),
        values["qd"],
        values["qdd"],
        MotionVector.of(values["base_velocity"]),
        MotionVector.of(values["base_acceleration"]) - gravity_of(values),
        link_forces(robot, values["external_forces"]),
    )
    return {"tau": tau, "base_wrench": list(wrench)}


def _gravity_torques(robot: Robot, values: Values) -> Results:
    rest = {"qd": [0] * robot.n, "qdd": [0] * robot.n, **no_forces(robot)}
    still = {"base_velocity": [0] * 6, "base_acceleration": [0] * 6}
    return with_springs(robot, values, _rigid_dynamics(robot, {**values, **rest, **still}))


def _coriolis_torques(robot: Robot, values: Values) -> Results:
    rest = {"qdd": [0] * robot.n, "gravity": [0] * 3, **no_forces(robot)}
    return _rigid_dynamics(robot, {**values, **rest, "base_acceleration": [0] * 6})


def _forward_dynamics(robot: Robot, values: Values) -> Results:
    qdd, base = articulated_body(
        robot,
        joint_transforms(robot, values["q"]),
        values["qd"],
        left_of_forces(robot, values),
        MotionVector.of(values["base_velocity"]),
        gravity_of(values),
        link_forces(robot, values["external_forces"]),
    )
    return {"qdd": qdd, "base_acceleration": list(base)}


def _forward_by_inertia(robot: Robot, values: Values) -> Results:
    rest = {"qdd": [0] * robot.n, "base_acceleration": [0] * 6}
    bias = _fully_actuated(robot, {**values, **rest})
    free = [-w for w in bias["base_wrench"]]
    free += [t - h for t, h in zip(values["tau"], bias["tau"], strict=True)]
    H = with_armature(robot, inertia_matrix(robot, joint_transforms(robot, values["q"])))
    motion = solve(H, free)
    return {"qdd": motion[6:], "base_acceleration": motion[:6]}
