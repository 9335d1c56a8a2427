"""Functions of robots in contact, for the contacts that a robot has (`model.contacts`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from robcogen_ros.algorithms.conditioning.plain import placed, plain
from robcogen_ros.algorithms.functions.fixed_base import gravity_of
from robcogen_ros.algorithms.functions.function import (
    BASE_ACCELERATION,
    BASE_VELOCITY,
    BASE_WRENCH,
    REGULAR,
    Argument,
    Compute,
    Function,
    Results,
    Values,
    forces_argument,
    gravity_argument,
    matrix_columns,
    motion_inputs,
    state,
)
from robcogen_ros.algorithms.mechanics.articulated_factor import articulated_rows, candidates
from robcogen_ros.algorithms.mechanics.composite_inertia import Matrix, inertia_matrix
from robcogen_ros.algorithms.mechanics.contacts.dynamics import (
    Contacts,
    contact_bias,
    contact_jacobian,
    contact_rows,
    contact_wrenches,
    delassus_matrix,
    impulses,
    row_names,
)
from robcogen_ros.algorithms.mechanics.factorization import (
    factors_of_rows,
    ltdl,
    solve_transposed,
)
from robcogen_ros.algorithms.mechanics.frame_motion import joint_changes
from robcogen_ros.algorithms.mechanics.joint_terms import (
    left_of_forces,
    with_armature,
    with_joint_terms,
    with_rotors,
)
from robcogen_ros.algorithms.mechanics.joints import (
    JointTransform,
    joint_rates,
    joint_transforms,
    link_forces,
)
from robcogen_ros.algorithms.mechanics.link_motion import LinkMotion, link_motions
from robcogen_ros.algorithms.mechanics.newton_euler import forces_on_coordinates, net_forces
from robcogen_ros.algorithms.mechanics.operational_space import times, transposed
from robcogen_ros.model.contacts import ABOVE
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar, select, sqrt
from robcogen_ros.model.spatial import IDENTITY, Matrix3, MotionVector, Vector

Factors = Callable[[Robot, list[JointTransform]], tuple[Matrix, list[Scalar]]]

FindForces = Callable[[Contacts, Sequence[Scalar]], list[Scalar]]

CONTACT_ROTATION = Argument(
    "contact_rotation",
    3,
    3,
    "axes of the ground in those of the base, z along its normal",
    optional=True,
    default=("1", "0", "0", "0", "1", "0", "0", "0", "1"),
    matrix=True,
)
_SAMPLES = 3


def contact_functions(robot: Robot) -> tuple[Function, ...]:
    """Returns the functions of a robot with contacts; none without."""
    if not robot.contacts:
        return ()
    rows = contact_rows(robot)
    return (*_of_positions(robot, rows), *_of_motion(robot, rows), _impact_function(robot, rows))


def _of_positions(robot: Robot, rows: int) -> tuple[Function, ...]:
    q, size = state(robot, "q"), robot.n + (6 if robot.floating_base else 0)
    return (
        Function(
            "contact_jacobian",
            f"Jacobian of the contacts, by rows: {', '.join(row_names(robot))}",
            (*q, CONTACT_ROTATION),
            (Argument("J", rows, size, "from qd, or [base_velocity; qd]"),),
            _jacobian,
        ),
        Function(
            "delassus_matrix",
            "Inverse operational-space inertia of the contacts, J H^-1 J'",
            (*q, CONTACT_ROTATION),
            (Argument("A", rows, rows, "[1/kg or 1/(kg m^2)]", symmetric=True),),
            *in_ways(robot, _delassus),
            needs=(REGULAR,),
        ),
        Function(
            "contact_wrenches",
            "Forces of contacts as wrenches on the links, as external forces are given",
            (*q, contact_forces(rows), CONTACT_ROTATION),
            (replace(forces_argument(robot), optional=False, labels=()),),
            _wrenches,
        ),
    )


def _of_motion(robot: Robot, rows: int) -> tuple[Function, ...]:
    left = ", and the wrench that the contacts leave to the base" if robot.floating_base else ""
    return (
        Function(
            "contact_bias",
            "Inertial acceleration of the rows of contacts where no coordinate accelerates",
            (*motion_inputs(robot, "q", "qd"), CONTACT_ROTATION),
            (Argument("bias", rows, meaning="[rad/s^2 or m/s^2]"),),
            _bias,
        ),
        Function(
            "contact_forward_dynamics",
            "Motion of a robot in contact, and the forces of the contacts",
            forward_inputs(robot, rows),
            (*state(robot, "qdd"), *of_base(robot, BASE_ACCELERATION), contact_forces(rows)),
            *in_ways(robot, motion_in_contact),
            needs=(REGULAR,),
        ),
        Function(
            "contact_inverse_dynamics",
            f"Joint forces that give a motion of a robot in contact{left}",
            (
                *motion_inputs(robot, "q", "qd", "qdd"),
                gravity_argument(robot),
                contact_forces(rows),
                forces_argument(robot),
                CONTACT_ROTATION,
            ),
            (*state(robot, "tau"), *of_base(robot, BASE_WRENCH)),
            _inverse_dynamics,
        ),
    )


def _impact_function(robot: Robot, rows: int) -> Function:
    after = tuple(
        replace(each, name=f"{each.name}_after", labels=())
        for each in (*state(robot, "qd"), *of_base(robot, BASE_VELOCITY))
    )
    return Function(
        "impact",
        "Velocities after closed contacts hit the ground, and their impulses",
        impact_inputs(robot, rows),
        (*after, Argument("impulses", rows, meaning="on the robot [N m s or N s]")),
        *in_ways(robot, _impact),
        needs=(REGULAR,),
    )


def forward_inputs(robot: Robot, rows: int) -> tuple[Argument, ...]:
    """The arguments of the forward dynamics of a robot with so many rows."""
    return (
        *motion_inputs(robot, "q", "qd", "tau"),
        gravity_argument(robot),
        forces_argument(robot),
        *_set_arguments(robot, rows),
        row_argument("contact_acceleration", rows, "what closed rows are to accelerate"),
        CONTACT_ROTATION,
    )


def impact_inputs(robot: Robot, rows: int) -> tuple[Argument, ...]:
    """The arguments of an impact of a robot with so many rows."""
    return (
        *motion_inputs(robot, "q", "qd"),
        *_set_arguments(robot, rows),
        Argument("restitution", 1, meaning="0 to 1, along z of the ground", optional=True),
        CONTACT_ROTATION,
    )


def of_base(robot: Robot, argument: Argument) -> tuple[Argument, ...]:
    """An argument of a base that floats."""
    return (argument,) if robot.floating_base else ()


def contact_forces(rows: int) -> Argument:
    """Forces of the contacts."""
    return Argument("contact_forces", rows, meaning="of the ground on the robot [N m or N]")


def row_argument(name: str, rows: int, meaning: str, default: str = "0") -> Argument:
    """An optional number for each row."""
    return Argument(name, rows, meaning=meaning, optional=True, default=(default,) * rows)


def _set_arguments(robot: Robot, rows: int) -> tuple[Argument, Argument]:
    """Returns the arguments that close rows, and damping, which dependent rows need."""
    meaning = "added to the diagonal of the Delassus matrix"
    regular = has_full_rank(robot)
    damping = Argument("damping", rows, meaning=meaning, optional=regular)
    closed = row_argument("contact", rows, "1 where a row is closed, 0 where open", "1")
    return replace(closed, choices=(0, 1)), damping


def has_full_rank(robot: Robot) -> bool:
    """Returns True if the rows of all contacts are independent at some position."""
    return any(
        np.linalg.matrix_rank(
            np.array(
                contact_jacobian(at, joint_transforms(at, q), IDENTITY),
                dtype=float,
            )
        )
        == contact_rows(robot)
        for at, q in placed(plain(robot), _SAMPLES)
    )


def in_ways(
    robot: Robot, compute: Callable[[Factors, Robot, Values], Results]
) -> tuple[Compute, Compute | None]:
    """A function of the factors of H, by either way to them."""
    return candidates(
        robot, partial(compute, _factors_of_bodies), partial(compute, _factors_of_matrix)
    )


def _factors_of_bodies(
    robot: Robot, transforms: list[JointTransform]
) -> tuple[Matrix, list[Scalar]]:
    return factors_of_rows(articulated_rows(robot, transforms))


def _factors_of_matrix(
    robot: Robot, transforms: list[JointTransform]
) -> tuple[Matrix, list[Scalar]]:
    return ltdl(with_armature(robot, inertia_matrix(robot, transforms)))


def ground_axes(values: Values) -> Matrix3:
    """Axes of the ground in those of the base, by columns; it is given column by column."""
    entries = values["contact_rotation"]
    return Matrix3(*(Vector(*entries[row::3]) for row in range(3)))


def _jacobian(robot: Robot, values: Values) -> Results:
    transforms = joint_transforms(robot, values["q"])
    return {"J": matrix_columns(contact_jacobian(robot, transforms, ground_axes(values)))}


def _motions(
    robot: Robot, values: Values, transforms: list[JointTransform], gravity: MotionVector
) -> list[LinkMotion]:
    """Motions of the links where no coordinate accelerates, less gravity."""
    velocity = MotionVector.of(values["base_velocity"]) if robot.floating_base else MotionVector()
    base = LinkMotion.of_base(velocity, MotionVector() - gravity)
    rates = joint_rates(robot, values["qd"])
    still = joint_changes(robot, transforms, values["qd"], [0] * robot.n)
    return list(link_motions(robot, transforms, rates, still, base))


def _bias(robot: Robot, values: Values) -> Results:
    transforms = list(joint_transforms(robot, values["q"]))
    motions = _motions(robot, values, transforms, MotionVector())
    return {"bias": contact_bias(robot, transforms, motions, Vector(), ground_axes(values))}


def _delassus(factors: Factors, robot: Robot, values: Values) -> Results:
    transforms = list(joint_transforms(robot, values["q"]))
    L, inverse_D = factors(robot, transforms)
    J = contact_jacobian(robot, transforms, ground_axes(values))
    Y = [solve_transposed(L, row) for row in J]
    return {"A": matrix_columns(delassus_matrix(Y, inverse_D))}


def in_contact(
    factors: Factors, robot: Robot, values: Values, transforms: list[JointTransform]
) -> tuple[Contacts, Matrix]:
    """The contacts, and their rows J."""
    J = contact_jacobian(robot, transforms, ground_axes(values))
    closed, damping = values["contact"], values["damping"]
    return Contacts.of(factors(robot, transforms), J, closed, damping), J


def free_forces(
    robot: Robot, values: Values, transforms: list[JointTransform]
) -> tuple[list[Scalar], list[Scalar]]:
    """tau - h, forces left to accelerate the robot, and the bias of the contacts."""
    gravity = gravity_of(values)
    motions = _motions(robot, values, transforms, gravity)
    external = link_forces(robot, values["external_forces"])
    tau, wrench = forces_on_coordinates(robot, transforms, net_forces(robot, motions, external))
    still = joint_changes(robot, transforms, values["qd"], [0] * robot.n)
    tau = with_rotors(robot, tau, still)
    free = [t - h for t, h in zip(left_of_forces(robot, values), tau, strict=True)]
    free = [*(-w for w in wrench), *free] if robot.floating_base else free
    return free, contact_bias(robot, transforms, motions, gravity.linear, ground_axes(values))


def motion_in_contact(
    factors: Factors, robot: Robot, values: Values, find_forces: FindForces = Contacts.forces
) -> Results:
    """Accelerations, and forces of the contacts, which are found from what rows are to change."""
    transforms = list(joint_transforms(robot, values["q"]))
    free, bias = free_forces(robot, values, transforms)
    contacts, _ = in_contact(factors, robot, values, transforms)
    y = solve_transposed(contacts.L, free)
    wanted = [
        c - b - moved
        for c, b, moved in zip(
            values["contact_acceleration"], bias, contacts.rows_of(y), strict=True
        )
    ]
    forces = find_forces(contacts, wanted)
    return {
        **divided(robot, contacts.motion(y, forces), "qdd", "base_acceleration"),
        "contact_forces": forces,
    }


def divided(robot: Robot, motion: list[Scalar], joints: str, base: str) -> Results:
    """A motion of all degrees of freedom as results."""
    if not robot.floating_base:
        return {joints: motion}
    return {joints: motion[6:], base: motion[:6]}


def _inverse_dynamics(robot: Robot, values: Values) -> Results:
    transforms, gravity = joint_transforms(robot, values["q"]), gravity_of(values)
    velocity, acceleration = MotionVector(), MotionVector()
    if robot.floating_base:
        velocity = MotionVector.of(values["base_velocity"])
        acceleration = MotionVector.of(values["base_acceleration"])
    base = LinkMotion.of_base(velocity, acceleration - gravity)
    rates = joint_rates(robot, values["qd"])
    changes = joint_changes(robot, transforms, values["qd"], values["qdd"])
    motions = link_motions(robot, transforms, rates, changes, base)
    external = link_forces(robot, values["external_forces"])
    tau, wrench = forces_on_coordinates(robot, transforms, net_forces(robot, motions, external))
    tau = with_joint_terms(robot, values, with_rotors(robot, tau, changes))
    J = contact_jacobian(robot, transforms, ground_axes(values))
    held = times(transposed(J), values["contact_forces"])
    needed = [*wrench, *tau] if robot.floating_base else tau
    left = [force - own for force, own in zip(needed, held, strict=True)]
    return divided(robot, left, "tau", "base_wrench")


def _wrenches(robot: Robot, values: Values) -> Results:
    transforms = joint_transforms(robot, values["q"])
    axes = ground_axes(values)
    wrenches = contact_wrenches(robot, transforms, values["contact_forces"], axes)
    return {"external_forces": [x for i in robot.link_order for x in wrenches[i]]}


def _impact(factors: Factors, robot: Robot, values: Values) -> Results:
    transforms = list(joint_transforms(robot, values["q"]))
    contacts, J = in_contact(factors, robot, values, transforms)
    before = all_velocities(robot, values)
    stopped = [-v for v in times(J, before)]
    hit = impulses(contacts, stopped, normal_rows(robot), restitution(values))
    change = contacts.motion([0] * len(before), hit)
    after = [v + dv for v, dv in zip(before, change, strict=True)]
    return {**divided(robot, after, "qd_after", "base_velocity_after"), "impulses": hit}


def all_velocities(robot: Robot, values: Values) -> list[Scalar]:
    """Velocities of all degrees of freedom, the base's first."""
    return [*values["base_velocity"], *values["qd"]] if robot.floating_base else [*values["qd"]]


def normal_rows(robot: Robot) -> list[bool]:
    """Returns for each row True if it is along the normal of the ground."""
    return [row == ABOVE for contact in robot.contacts for row in contact.rows]


def restitution(values: Values) -> Scalar:
    """The coefficient of restitution; NaN if it is not within 0 to 1."""
    (e,) = values["restitution"]
    return select(e * (1 - e), e, sqrt(e * (1 - e)))
