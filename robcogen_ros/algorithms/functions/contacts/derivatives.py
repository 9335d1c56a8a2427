"""Derivatives of the motion of robots in contact, and of the forces of contacts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from robcogen_ros.algorithms.functions.contacts.dynamics import (
    Factors,
    forward_inputs,
    ground_axes,
    in_contact,
    in_ways,
    motion_in_contact,
)
from robcogen_ros.algorithms.functions.derivatives import dynamics_slopes, tree_motion
from robcogen_ros.algorithms.functions.function import (
    REGULAR,
    Argument,
    Function,
    Results,
    Values,
    matrix_columns,
)
from robcogen_ros.algorithms.functions.links import base_motion
from robcogen_ros.algorithms.mechanics.contacts.derivatives import (
    Response,
    contact_slopes,
    force_slopes,
    forces_by_rows,
    forces_of,
    inverse_factor,
    row_pattern,
    slope_patterns,
)
from robcogen_ros.algorithms.mechanics.contacts.dynamics import (
    Contacts,
    contact_jacobian,
    contact_rows,
    contact_wrenches,
)
from robcogen_ros.algorithms.mechanics.factorization import Matrix
from robcogen_ros.algorithms.mechanics.joints import (
    JointTransform,
    joint_rates,
    joint_transforms,
)
from robcogen_ros.algorithms.mechanics.link_motion import LinkMotion, link_motions
from robcogen_ros.algorithms.mechanics.loops.embedding import Embedding
from robcogen_ros.algorithms.mechanics.loops.rows import spanning
from robcogen_ros.algorithms.mechanics.operational_space import transposed
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import MotionVector, Vector

derivative = partial(Function, on_request=True, derivative=True, needs=(REGULAR,))


def contact_derivative_functions(robot: Robot) -> tuple[Function, ...]:
    """Derivatives of what moves a robot with contacts; nothing for one without."""
    if not robot.contacts:
        return ()
    rows, size = contact_rows(robot), robot.n + (6 if robot.floating_base else 0)
    by_velocities = len(slope_patterns(robot)[1].rows)
    return (
        derivative(
            "contact_forward_dynamics_slopes",
            "What the derivatives of the motion of a robot in contact are products of",
            forward_inputs(robot, rows),
            (
                *response_outputs(robot),
                Argument("by_velocities", by_velocities, meaning="entries of [r; s] by qd"),
            ),
            *in_ways(robot, _entries),
        ),
        derivative(
            "contact_forward_dynamics_derivatives",
            "First derivatives of the motion of a robot in contact, and of the contact forces",
            forward_inputs(robot, rows),
            (
                Argument("dqdd_dq", size, size, "[1/s^2, ...]"),
                Argument("dqdd_dqd", size, size, "[1/s, ...]"),
                Argument("dqdd_dtau", size, size, "inverse units of H", symmetric=True),
                Argument("dforces_dq", rows, size, "[N/m, ...]"),
                Argument("dforces_dqd", rows, size, "[N s/m, ...]"),
                Argument("dforces_dtau", rows, size, "[N/(N m), ...]"),
            ),
            *in_ways(robot, _derivatives),
        ),
    )


def response_outputs(robot: Robot) -> tuple[Argument, ...]:
    """Returns the factors of the response of contacts, and slopes by positions."""
    rows, size = contact_rows(robot), robot.n + (6 if robot.floating_base else 0)
    own, touched = len(robot.patterns.inertia.rows), len(row_pattern(robot).rows)
    by_positions = len(slope_patterns(robot)[0].rows)
    return (
        Argument("L_inverse", size, size, "inverse of the factor of H = L'DL"),
        Argument("D_inverse_L", own, meaning="entries of D^-1 L^-T"),
        Argument("D_inverse_Y", touched, meaning="entries of D^-1 L^-T J'"),
        Argument("R", rows, rows, "inverse of the Delassus matrix", symmetric=True),
        Argument("by_positions", by_positions, meaning="entries of [r; s] by q"),
    )


def _slopes(
    factors: Factors, robot: Robot, values: Values
) -> tuple[Contacts, tuple[Matrix, Matrix], tuple[Matrix, Matrix]]:
    """The contacts, and r and s by positions and by velocities."""
    transforms = list(joint_transforms(robot, values["q"]))
    found = motion_in_contact(factors, robot, values, forces_of)
    moving = {**values, "qdd": found["qdd"]}
    if robot.floating_base:
        moving["base_acceleration"] = found["base_acceleration"]
    r = slopes_of_motion(robot, moving, transforms, found["contact_forces"])
    s = slopes_of_rows(robot, moving, transforms)
    return in_contact(factors, robot, values, transforms)[0], r, s


def _entries(factors: Factors, robot: Robot, values: Values) -> Results:
    contacts, r, s = _slopes(factors, robot, values)
    by_q, by_qd = (
        pattern.of([*pair[0], *pair[1]])
        for pattern, pair in zip(slope_patterns(robot), zip(r, s, strict=True), strict=True)
    )
    return {**response_entries(robot, contacts), "by_positions": by_q, "by_velocities": by_qd}


def response_entries(robot: Robot, contacts: Contacts) -> Results:
    """Returns the factors of which the response of contacts is a product."""
    inverse, scaled = inverse_factor(contacts)
    rows = transposed([contacts.scaled(row) for row in contacts.Y])
    return {
        **by_columns(L_inverse=inverse, R=forces_by_rows(contacts)),
        "D_inverse_L": robot.patterns.inertia.of(scaled),
        "D_inverse_Y": row_pattern(robot).of(rows),
    }


def _derivatives(factors: Factors, robot: Robot, values: Values) -> Results:
    contacts, (r_q, r_qd), (s_q, s_qd) = _slopes(factors, robot, values)
    response = Response.of(contacts)
    by_q, by_qd = response.slopes(r_q, s_q), response.slopes(r_qd, s_qd)
    return by_columns(
        dqdd_dq=by_q[0],
        dqdd_dqd=by_qd[0],
        dqdd_dtau=response.P,
        dforces_dq=by_q[1],
        dforces_dqd=by_qd[1],
        dforces_dtau=[[-x for x in row] for row in response.K],
    )


def by_columns(**matrices: Matrix) -> Results:
    """Matrices as results."""
    return {name: matrix_columns(matrix) for name, matrix in matrices.items()}


def slopes_of_motion(
    robot: Robot, values: Values, transforms: Sequence[JointTransform], forces: Sequence[Scalar]
) -> tuple[Matrix, Matrix]:
    """Slopes of H a + h - J'f by positions and velocities."""
    axes = ground_axes(values)
    wrenches = contact_wrenches(robot, transforms, forces, axes)
    public = [x for i in robot.link_order for x in wrenches[i]]
    every = [x + y for x, y in zip(public, values["external_forces"], strict=True)]
    found = dynamics_slopes(robot, {**values, "external_forces": every})
    force_slopes(robot, transforms, forces, axes, found.q)
    return found.q, found.qd


def slopes_of_rows(
    robot: Robot, values: Values, transforms: Sequence[JointTransform]
) -> tuple[Matrix, Matrix]:
    """Slopes of J a + b by positions and velocities."""
    if not robot.has_loops:
        return _tree_slopes_of_rows(robot, values, transforms)
    tree = spanning(robot)
    by_q, by_qd = _tree_slopes_of_rows(tree, tree_motion(robot, values), transforms)
    J = contact_jacobian(tree, transforms, ground_axes(values))
    return Embedding.of(robot, values["qd"], values["qdd"]).chained(by_q, by_qd, J)[:2]


def _tree_slopes_of_rows(
    robot: Robot, values: Values, transforms: Sequence[JointTransform]
) -> tuple[Matrix, Matrix]:
    fall, velocity = Vector(*values["gravity"]), base_motion(values, "base_velocity")
    start = base_motion(values, "base_acceleration") - MotionVector(Vector(), fall)
    rates, changes = (joint_rates(robot, values[name]) for name in ("qd", "qdd"))
    motions: Sequence[LinkMotion] = link_motions(
        robot, transforms, rates, changes, LinkMotion.of_base(velocity, start)
    )
    return contact_slopes(robot, transforms, motions, rates, velocity, fall, ground_axes(values))
