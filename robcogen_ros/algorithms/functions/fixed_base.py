"""The dynamics functions of a robot whose base is fixed."""

from __future__ import annotations

from robcogen_ros.algorithms.functions.function import (
    REGULAR,
    Function,
    Results,
    Values,
    forces_argument,
    gravity_argument,
    no_forces,
    state,
)
from robcogen_ros.algorithms.mechanics.articulated_body import articulated_body
from robcogen_ros.algorithms.mechanics.articulated_factor import has_short_limbs
from robcogen_ros.algorithms.mechanics.composite_inertia import inertia_matrix
from robcogen_ros.algorithms.mechanics.factorization import solve
from robcogen_ros.algorithms.mechanics.joint_terms import (
    left_of_forces,
    with_armature,
    with_joint_terms,
)
from robcogen_ros.algorithms.mechanics.joints import joint_transforms, link_forces
from robcogen_ros.algorithms.mechanics.newton_euler import newton_euler
from robcogen_ros.algorithms.mechanics.springs import spring_forces
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import MotionVector, Vector


def fixed_base_functions(robot: Robot) -> tuple[Function, ...]:
    """Inverse and forward dynamics, and the terms of the equation of motion."""
    gravity, forces = gravity_argument(robot), forces_argument(robot)
    tau = state(robot, "tau")
    return (
        Function(
            "inverse_dynamics",
            "Joint forces that give a motion (recursive Newton-Euler algorithm)",
            (*state(robot, "q", "qd", "qdd"), gravity, forces),
            tau,
            _inverse_dynamics,
        ),
        Function(
            "gravity_torques",
            "Joint forces that hold the robot at rest against gravity and springs",
            (*state(robot, "q"), gravity),
            tau,
            _gravity_torques,
        ),
        Function(
            "coriolis_torques",
            "Coriolis and centrifugal joint forces",
            state(robot, "q", "qd"),
            tau,
            _coriolis_torques,
        ),
        Function(
            "forward_dynamics",
            f"Motion that joint forces give ({forward_dynamics_method(robot)})",
            (*state(robot, "q", "qd", "tau"), gravity, forces),
            state(robot, "qdd"),
            _forward_by_inertia if robot.has_mimic else _forward_dynamics,
            _forward_by_inertia if _by_either(robot) else None,
            needs=(REGULAR,),
        ),
    )


def forward_dynamics_method(robot: Robot) -> str:
    """Returns the method of the forward dynamics in words: joints that follow rule out the ABA."""
    by_inertia, by_bodies = "sparse L'DL of the inertia matrix", "articulated-body algorithm"
    if robot.has_mimic:
        return by_inertia
    return f"{by_bodies}, or {by_inertia} if shorter" if _by_either(robot) else by_bodies


def _by_either(robot: Robot) -> bool:
    """Returns True if CRBA with factors may take fewer operations than the ABA."""
    return has_short_limbs(robot) and not robot.has_mimic and not robot.floating_base


def gravity_of(values: Values) -> MotionVector:
    """The acceleration of free fall as a spatial vector."""
    return MotionVector(Vector(), Vector(*values["gravity"]))


def _inverse_dynamics(robot: Robot, values: Values) -> Results:
    return {"tau": with_joint_terms(robot, values, _rigid_dynamics(robot, values)["tau"])}


def _rigid_dynamics(robot: Robot, values: Values) -> Results:
    transforms = joint_transforms(robot, values["q"])
    wrenches = link_forces(robot, values["external_forces"])
    start = MotionVector() - gravity_of(values)
    tau, _ = newton_euler(
        robot, transforms, values["qd"], values["qdd"], MotionVector(), start, wrenches
    )
    return {"tau": tau}


def _gravity_torques(robot: Robot, values: Values) -> Results:
    rest = {"qd": [0] * robot.n, "qdd": [0] * robot.n, **no_forces(robot)}
    return with_springs(robot, values, _rigid_dynamics(robot, {**values, **rest}))


def with_springs(robot: Robot, values: Values, results: Results) -> Results:
    """Results whose joint forces hold the springs, too."""
    held = spring_forces(robot, values["q"])
    return {**results, "tau": [x + y for x, y in zip(results["tau"], held, strict=True)]}


def _coriolis_torques(robot: Robot, values: Values) -> Results:
    rest = {"qdd": [0] * robot.n, "gravity": [0, 0, 0], **no_forces(robot)}
    return _rigid_dynamics(robot, {**values, **rest})


def _forward_dynamics(robot: Robot, values: Values) -> Results:
    qdd, _ = articulated_body(
        robot,
        joint_transforms(robot, values["q"]),
        values["qd"],
        left_of_forces(robot, values),
        MotionVector(),
        gravity_of(values),
        link_forces(robot, values["external_forces"]),
    )
    return {"qdd": qdd}


def _forward_by_inertia(robot: Robot, values: Values) -> Results:
    bias = _inverse_dynamics(robot, {**values, "qdd": [0] * robot.n})["tau"]
    H = with_armature(robot, inertia_matrix(robot, joint_transforms(robot, values["q"])))
    return {"qdd": solve(H, [t - h for t, h in zip(values["tau"], bias, strict=True)])}
