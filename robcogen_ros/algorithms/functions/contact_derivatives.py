"""Derivatives of the motion of robots in contact, of the forces of contacts, and of impacts."""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.functions.contacts import (
    Factors,
    all_velocities,
    forward_inputs,
    ground_axes,
    impact_inputs,
    in_contact,
    in_ways,
    motion_in_contact,
    normal_rows,
    restitution,
)
from robcogen_ros.algorithms.functions.derivatives import dynamics_slopes
from robcogen_ros.algorithms.functions.function import (
    REGULAR,
    Argument,
    Function,
    Results,
    Values,
    matrix_columns,
)
from robcogen_ros.algorithms.functions.links import base_motion
from robcogen_ros.algorithms.mechanics.contact_derivatives import (
    Response,
    contact_slopes,
    force_slopes,
    forces_by_rows,
    inverse_factor,
    row_pattern,
    slope_patterns,
)
from robcogen_ros.algorithms.mechanics.contacts import (
    Contacts,
    contact_wrenches,
    impulses,
    row_names,
)
from robcogen_ros.algorithms.mechanics.factorization import Matrix
from robcogen_ros.algorithms.mechanics.joints import (
    JointTransform,
    joint_rates,
    joint_transforms,
)
from robcogen_ros.algorithms.mechanics.link_motion import LinkMotion, link_motions
from robcogen_ros.algorithms.mechanics.operational_space import dot, product, transposed
from robcogen_ros.model.operation import Scalar, is_zero
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Motion, Vector


def contact_derivative_functions(robot: Robot) -> tuple[Function, ...]:
    """Derivatives of what moves a robot with contacts; nothing for one without."""
    if not robot.contacts:
        return ()
    rows, size = len(row_names(robot)), robot.n + (6 if robot.floating_base else 0)
    by_positions, by_velocities = slope_patterns(robot)
    own, touched = robot.patterns.inertia, row_pattern(robot)
    return (
        Function(
            "contact_forward_dynamics_slopes",
            "What the derivatives of the motion of a robot in contact are products of",
            forward_inputs(robot, rows),
            (
                Argument("L_inverse", size, size, "inverse of the factor of H = L'DL"),
                Argument("D_inverse_L", len(own.rows), meaning="entries of D^-1 L^-T"),
                Argument("D_inverse_Y", len(touched.rows), meaning="entries of D^-1 L^-T J'"),
                Argument("R", rows, rows, "inverse of the Delassus matrix", symmetric=True),
                Argument("by_positions", len(by_positions.rows), meaning="entries of [r; s] by q"),
                Argument(
                    "by_velocities", len(by_velocities.rows), meaning="entries of [r; s] by qd"
                ),
            ),
            *in_ways(robot, _entries),
            on_request=True,
            derivative=True,
            needs=(REGULAR,),
        ),
        Function(
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
            on_request=True,
            derivative=True,
            needs=(REGULAR,),
        ),
        Function(
            "impact_derivatives",
            "First derivatives of the velocities after an impact, and of its impulses",
            impact_inputs(robot, rows),
            (
                Argument("dqd_dq", size, size, "[1/s, ...]"),
                Argument("dqd_dqd", size, size, "by velocities before the impact"),
                Argument("dimpulses_dq", rows, size, "[N s/m, ...]"),
                Argument("dimpulses_dqd", rows, size, "[N s^2/m, ...]"),
            ),
            *in_ways(robot, _impact_derivatives),
            on_request=True,
            derivative=True,
            needs=(REGULAR,),
        ),
    )


def _slopes(
    factors: Factors, robot: Robot, values: Values
) -> tuple[Contacts, tuple[Matrix, Matrix], tuple[Matrix, Matrix]]:
    """The contacts, and r and s by positions and by velocities."""
    transforms = list(joint_transforms(robot, values["q"]))
    found = motion_in_contact(factors, robot, values)
    moving = {**values, "qdd": found["qdd"]}
    if robot.floating_base:
        moving["base_acceleration"] = found["base_acceleration"]
    r = _slopes_of_motion(robot, moving, transforms, found["contact_forces"])
    s = _slopes_of_rows(robot, moving, transforms)
    return in_contact(factors, robot, values, transforms)[0], r, s


def _entries(factors: Factors, robot: Robot, values: Values) -> Results:
    contacts, r, s = _slopes(factors, robot, values)
    by_q, by_qd = (
        pattern.of([*pair[0], *pair[1]])
        for pattern, pair in zip(slope_patterns(robot), zip(r, s, strict=True), strict=True)
    )
    inverse, scaled = inverse_factor(contacts)
    rows = transposed([contacts.scaled(row) for row in contacts.Y])
    return {
        **_columns(L_inverse=inverse, R=forces_by_rows(contacts)),
        "D_inverse_L": robot.patterns.inertia.of(scaled),
        "D_inverse_Y": row_pattern(robot).of(rows),
        "by_positions": by_q,
        "by_velocities": by_qd,
    }


def _derivatives(factors: Factors, robot: Robot, values: Values) -> Results:
    contacts, (r_q, r_qd), (s_q, s_qd) = _slopes(factors, robot, values)
    response = Response.of(contacts)
    by_q, by_qd = response.slopes(r_q, s_q), response.slopes(r_qd, s_qd)
    return _columns(
        dqdd_dq=by_q[0],
        dqdd_dqd=by_qd[0],
        dqdd_dtau=response.P,
        dforces_dq=by_q[1],
        dforces_dqd=by_qd[1],
        dforces_dtau=[[-x for x in row] for row in response.K],
    )


def _impact_derivatives(factors: Factors, robot: Robot, values: Values) -> Results:
    """Compression is the motion of a robot at rest whose rows are to lose their velocity."""
    transforms = list(joint_transforms(robot, values["q"]))
    contacts, J = in_contact(factors, robot, values, transforms)
    before, size = all_velocities(robot, values), range(len(J[0]))
    still: list[Scalar] = [0] * len(size)
    stopped, e = [-dot(row, before) for row in J], restitution(values)
    compression = contacts.forces(stopped)
    change = contacts.motion(still, compression)
    after = [v + dv for v, dv in zip(before, change, strict=True)]
    response, nothing = Response.of(contacts), [[0 for _ in size] for _ in size]
    by_q = response.slopes(
        _slopes_of_motion(robot, _at_rest(robot, values, change), transforms, compression)[0],
        _slopes_of_rows(robot, _at_rest(robot, values, after), transforms)[0],
    )
    by_qd = response.slopes(nothing, J)
    if not is_zero(e):
        normal = normal_rows(robot)
        whole = impulses(contacts, stopped, normal, e)
        more = [p - own for p, own in zip(whole, compression, strict=True)]
        moving = _at_rest(robot, values, contacts.motion(still, more))
        r, s = (
            _slopes_of_motion(robot, moving, transforms, more)[0],
            _slopes_of_rows(robot, moving, transforms)[0],
        )
        held = Response.of(contacts.only([not own for own in normal]))
        unmoved = [[0 for _ in size] for _ in J]
        by_q = _rebound(held, J, normal, e, by_q, r, s)
        by_qd = _rebound(held, J, normal, e, by_qd, nothing, unmoved)
    kept = [[x + (i == k) for k, x in enumerate(row)] for i, row in enumerate(by_qd[0])]
    return _columns(dqd_dq=by_q[0], dqd_dqd=kept, dimpulses_dq=by_q[1], dimpulses_dqd=by_qd[1])


def _rebound(
    held: Response,
    J: Matrix,
    normal: Sequence[bool],
    e: Scalar,
    compression: tuple[Matrix, Matrix],
    r: Matrix,
    s: Matrix,
) -> tuple[Matrix, Matrix]:
    """Slopes of velocities and impulses with what restitution adds to those of compression."""
    motion, impulse = compression
    kick = [[x * e if own else 0 for x in row] for own, row in zip(normal, impulse, strict=True)]
    moved, more = held.slopes(
        _plus(r, [[-x for x in row] for row in product(transposed(J), kick)]), s
    )
    return _plus(motion, moved), _plus(_plus(impulse, kick), more)


def _plus(left: Matrix, right: Matrix) -> Matrix:
    return [[x + y for x, y in zip(*rows, strict=True)] for rows in zip(left, right, strict=True)]


def _columns(**matrices: Matrix) -> Results:
    return {name: matrix_columns(matrix) for name, matrix in matrices.items()}


def _at_rest(robot: Robot, values: Values, acceleration: Sequence[Scalar]) -> Values:
    """A robot that stands still without gravity, but accelerates."""
    first = len(acceleration) - robot.n
    return {
        "q": values["q"],
        "qd": [0] * robot.n,
        "qdd": acceleration[first:],
        "base_velocity": [0] * 6,
        "base_acceleration": acceleration[:first] or [0] * 6,
        "gravity": [0] * 3,
        "external_forces": [0] * (6 * len(robot.links)),
        "contact_rotation": values["contact_rotation"],
    }


def _slopes_of_motion(
    robot: Robot, values: Values, transforms: Sequence[JointTransform], forces: Sequence[Scalar]
) -> tuple[Matrix, Matrix]:
    """Slopes of H a + h - J'f by positions and velocities."""
    axes = ground_axes(values)
    wrenches = contact_wrenches(robot, transforms, iter(forces), axes)
    public = [x for i in robot.link_order for x in wrenches[i]]
    every = [x + y for x, y in zip(public, values["external_forces"], strict=True)]
    found = dynamics_slopes(robot, {**values, "external_forces": every})
    force_slopes(robot, transforms, iter(forces), axes, found.q)
    return found.q, found.qd


def _slopes_of_rows(
    robot: Robot, values: Values, transforms: Sequence[JointTransform]
) -> tuple[Matrix, Matrix]:
    """Slopes of J a + b by positions and velocities."""
    fall, velocity = Vector(*values["gravity"]), base_motion(values, "base_velocity")
    start = base_motion(values, "base_acceleration") - Motion(Vector(), fall)
    rates, changes = joint_rates(robot, values["qd"]), joint_rates(robot, values["qdd"])
    motions: Sequence[LinkMotion] = link_motions(
        robot, transforms, rates, changes, LinkMotion.of_base(velocity, start)
    )
    return contact_slopes(robot, transforms, motions, rates, velocity, fall, ground_axes(values))
