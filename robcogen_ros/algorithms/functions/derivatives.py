"""Functions that are first derivatives of inverse and forward dynamics."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.functions.function import (
    BASE_VELOCITY,
    REGULAR,
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
from robcogen_ros.algorithms.mechanics.composite_inertia import Matrix, inertia_matrix
from robcogen_ros.algorithms.mechanics.derivatives.inverse_dynamics import (
    Derivatives,
    inverse_dynamics_derivatives,
)
from robcogen_ros.algorithms.mechanics.factorization import ltdl, solve_factored
from robcogen_ros.algorithms.mechanics.frame_motion import joint_changes
from robcogen_ros.algorithms.mechanics.joint_terms import (
    friction_derivatives,
    with_armature,
    with_joint_terms,
    with_own_armature,
)
from robcogen_ros.algorithms.mechanics.joints import joint_rates, joint_transforms, link_forces
from robcogen_ros.algorithms.mechanics.loops.closures import angles_without_offset
from robcogen_ros.algorithms.mechanics.loops.embedding import Embedding
from robcogen_ros.algorithms.mechanics.loops.rows import spanning
from robcogen_ros.algorithms.mechanics.newton_euler import newton_euler
from robcogen_ros.algorithms.mechanics.operational_space import plus
from robcogen_ros.algorithms.mechanics.springs import spring_slopes
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.dual import Dual, dual, jacobian, variables
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import MotionVector, Vector

_SHORT = 6
"""Joints of a chain whose derivatives are tried automatically, too."""

_TURN = "turn"
_BASE = 6
_UNITS = (Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1))


def derivative_functions(robot: Robot) -> tuple[Function, ...]:
    """Derivatives of inverse and forward dynamics by positions, velocities, and forces."""
    size = robot.n + (_BASE if robot.floating_base else 0)
    gravity, forces = gravity_argument(robot), forces_argument(robot)
    velocity = (BASE_VELOCITY,) if robot.floating_base else ()
    longest = max(len(robot.support(link)) for link in range(len(robot.links)))
    short = longest <= _SHORT and not robot.floating_base and not robot.has_loops
    patterns, inputs = robot.patterns, motion_inputs(robot, "q", "qd", "qdd")
    return (
        Function(
            "inverse_dynamics_derivatives",
            f"First derivatives of the inverse dynamics ({_method(short)})",
            (*inputs, gravity, forces),
            (
                Argument("dtau_dq", size, size, "[N m/rad, ...]"),
                Argument("dtau_dqd", size, size, "[N m s/rad, ...]"),
                Argument("dtau_dqdd", size, size, "the inertia matrix H", symmetric=True),
            ),
            lambda robot, values: _whole(dynamics_slopes(robot, values)),
            (lambda robot, values: _whole(_automatically(robot, values))) if short else None,
            on_request=True,
            derivative=True,
        ),
        Function(
            "inverse_dynamics_derivatives_entries",
            "Entries of the first derivatives of the inverse dynamics that are not always zero",
            (*inputs, gravity, forces),
            (
                Argument("dtau_dq_entries", len(patterns.by_positions.rows), meaning="of dtau_dq"),
                Argument(
                    "dtau_dqd_entries", len(patterns.by_velocities.rows), meaning="of dtau_dqd"
                ),
                Argument(
                    "dtau_dqdd_entries",
                    len(patterns.inertia.rows),
                    meaning="of the upper triangle of H",
                ),
            ),
            lambda robot, values: _entries(robot, dynamics_slopes(robot, values)),
            (lambda robot, values: _entries(robot, _automatically(robot, values)))
            if short
            else None,
            on_request=True,
            derivative=True,
        ),
        Function(
            "forward_dynamics_derivatives",
            "First derivatives of the forward dynamics, from those of the inverse dynamics",
            (*state(robot, "q", "qd", "tau"), *velocity, gravity, forces),
            (
                Argument("dqdd_dq", size, size, "[1/s^2, ...]"),
                Argument("dqdd_dqd", size, size, "[1/s, ...]"),
                Argument("dqdd_dtau", size, size, "the inverse of H", symmetric=True),
            ),
            _forward_dynamics_derivatives,
            on_request=True,
            derivative=True,
            needs=(REGULAR,),
        ),
    )


def _method(short: bool) -> str:
    recursion = "recursion of Singh, Russell and Wensing"
    return f"{recursion}, or automatic, the shorter one" if short else recursion


def _whole(found: Derivatives) -> Results:
    matrices = {"dtau_dq": found.q, "dtau_dqd": found.qd, "dtau_dqdd": found.qdd}
    return {name: matrix_columns(matrix) for name, matrix in matrices.items()}


def _entries(robot: Robot, found: Derivatives) -> Results:
    patterns = robot.patterns
    return {
        "dtau_dq_entries": patterns.by_positions.of(found.q),
        "dtau_dqd_entries": patterns.by_velocities.of(found.qd),
        "dtau_dqdd_entries": patterns.inertia.of(found.qdd),
    }


def dynamics_slopes(robot: Robot, values: Values) -> Derivatives:
    """Returns the derivatives by positions, velocities and accelerations, by recursion."""
    found = (_embedded_slopes if robot.has_loops else _tree_slopes)(robot, values)
    return _resisted(robot, values, found)


def _resisted(robot: Robot, values: Values, found: Derivatives) -> Derivatives:
    """Derivatives with those of what rotors, friction and springs along the coordinates take."""
    first = len(found.qd) - robot.n
    for i, row in enumerate(spring_slopes(robot, values["q"]), first):
        for k, stiffness in enumerate(row, first):
            found.q[i][k] = found.q[i][k] + stiffness
    for i, derivative in enumerate(friction_derivatives(robot, values["qd"]), first):
        found.qd[i][i] = found.qd[i][i] + derivative
    return replace(found, qdd=with_own_armature(robot, found.qdd))


def _tree_slopes(robot: Robot, values: Values) -> Derivatives:
    return inverse_dynamics_derivatives(
        robot,
        joint_transforms(robot, values["q"]),
        values["qd"],
        values["qdd"],
        base_motion(values, "base_velocity"),
        base_motion(values, "base_acceleration"),
        Vector(*values["gravity"]),
        link_forces(robot, values["external_forces"]),
    )


def _embedded_slopes(robot: Robot, values: Values) -> Derivatives:
    """Returns the derivatives of G' ID, with ID the inverse dynamics of the tree."""
    tree, moving = spanning(robot), tree_motion(robot, values)
    embedding = Embedding.of(robot, values["qd"], values["qdd"])
    of_tree = _resisted(tree, moving, _tree_slopes(tree, moving))
    slopes = embedding.chained(of_tree.q, of_tree.qd, of_tree.qdd)
    by_q, by_qd, by_qdd = (embedding.back(matrix) for matrix in slopes)
    turned = embedding.turned(forces_of_motion(tree, moving))
    return Derivatives(plus(by_q, turned), by_qd, by_qdd)


def tree_motion(robot: Robot, values: Values) -> Values:
    """The motion of all joints of a robot at a position, as that of its tree."""
    transforms, q = joint_transforms(robot, values["q"]), angles_without_offset(robot, values["q"])
    qd, qdd = values["qd"], values["qdd"]
    changes = joint_changes(robot, transforms, qd, qdd)
    return {**values, "q": q, "qd": joint_rates(robot, qd), "qdd": changes}


def _automatically(robot: Robot, values: Values) -> Derivatives:
    """Returns the slopes by automatic differentiation of the recursive Newton-Euler algorithm."""
    by = ("q", "qd", "base_velocity")
    duals: dict[str, Sequence[Scalar]] = {
        name: variables(entries, name) if name in by else [dual(x) for x in entries]
        for name, entries in values.items()
    }
    turns, velocities = _base_variables(robot)
    if robot.floating_base:
        duals["gravity"] = _gravity_seen(Vector(*values["gravity"]))
    forces = forces_of_motion(robot.map(dual), duals)
    step("inertia matrix")
    H = with_armature(robot, inertia_matrix(robot, joint_transforms(robot, values["q"])))
    joints = range(robot.n)
    by_q = jacobian(forces, [*turns, *(("q", i) for i in joints)])
    by_qd = jacobian(forces, [*velocities, *(("qd", i) for i in joints)])
    return Derivatives(by_q, by_qd, H)


def _base_variables(robot: Robot) -> tuple[list[Hashable], list[Hashable]]:
    """Names of what moves a floating base: turns and shifts, velocities."""
    if not robot.floating_base:
        return [], []
    return [(_TURN, c) for c in range(_BASE)], [("base_velocity", c) for c in range(_BASE)]


def _gravity_seen(gravity: Vector) -> list[Scalar]:
    """Gravity in the coordinates of a base that turns beneath it."""
    columns = [gravity.cross(unit) for unit in _UNITS]
    rows = zip(*columns, strict=True)
    return [
        Dual(value, {(_TURN, c): change for c, change in enumerate(row)})
        for value, row in zip(gravity, rows, strict=True)
    ]


def forces_of_motion(robot: Robot, values: Mapping[str, Sequence[Scalar]]) -> list[Scalar]:
    """Forces [base wrench; tau] that give a motion; no wrench on a fixed base."""
    fall = MotionVector(Vector(), Vector(*values["gravity"]))
    tau, wrench = newton_euler(
        robot,
        joint_transforms(robot, values["q"]),
        values["qd"],
        values["qdd"],
        base_motion(values, "base_velocity"),
        base_motion(values, "base_acceleration") - fall,
        link_forces(robot, values["external_forces"]),
    )
    joints = with_joint_terms(robot, values, tau)
    return [*wrench, *joints] if robot.floating_base else joints


def _forward_dynamics_derivatives(robot: Robot, values: Values) -> Results:
    """dqdd/dx = -H^-1 dtau/dx at the motion that the forces give (Carpentier, Mansard 2018)."""
    n, first = robot.n, _BASE if robot.floating_base else 0
    still = {"qdd": [0] * n, "base_acceleration": [0] * _BASE}
    H = with_armature(robot, inertia_matrix(robot, joint_transforms(robot, values["q"])))
    L, inverse_D = ltdl(H)
    bias = forces_of_motion(robot, {**values, **still})
    given = [0] * first + list(values["tau"])
    motion = solve_factored(L, inverse_D, [t - h for t, h in zip(given, bias, strict=True)])
    moving = {"qdd": motion[first:], "base_acceleration": motion[:first] or [0] * _BASE}
    found = dynamics_slopes(robot, {**values, **moving})

    def answered(matrix: Matrix) -> list[Scalar]:
        columns = zip(*matrix, strict=True)
        return [x for c in columns for x in solve_factored(L, inverse_D, [-entry for entry in c])]

    inverse = _inverse(L, inverse_D)
    return {
        "dqdd_dq": answered(found.q),
        "dqdd_dqd": answered(found.qd),
        "dqdd_dtau": matrix_columns(inverse),
    }


def _inverse(L: Matrix, inverse_D: Sequence[Scalar]) -> Matrix:
    """(L'DL)^-1; of each column what is on and below the diagonal."""
    size = range(len(L))
    columns = [solve_factored(L, inverse_D, [1 if i == k else 0 for i in size]) for k in size]
    return [[columns[min(i, j)][max(i, j)] for j in size] for i in size]
