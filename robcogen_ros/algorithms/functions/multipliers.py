"""Functions of a spanning tree whose loops forces hold closed, the multipliers.

    H qdd + h = tau + K'f,   K qdd + k = a

K are the rows of the Jacobian between the frames of loops that count, k is dK/dt qd, and a what
the caller wants against drift (Featherstone 2008, sections 8.2 and 8.3). It is solved as contacts
are.
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.functions.contacts.dynamics import (
    Factors,
    divided,
    free_forces,
    in_ways,
    of_base,
    row_argument,
)
from robcogen_ros.algorithms.functions.function import (
    BASE_ACCELERATION,
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
from robcogen_ros.algorithms.mechanics.contacts.dynamics import Contacts
from robcogen_ros.algorithms.mechanics.factorization import solve_transposed
from robcogen_ros.algorithms.mechanics.frame_motion import closure_bias
from robcogen_ros.algorithms.mechanics.joints import JointTransform, joint_rates, joint_transforms
from robcogen_ros.algorithms.mechanics.kinematics import Matrix
from robcogen_ros.algorithms.mechanics.loops.rows import closure_rows, fixed_gaps
from robcogen_ros.model.closures.closure import Closure
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar

_NO_GROUND = {"contact_rotation": [1, 0, 0, 0, 1, 0, 0, 0, 1]}


def multiplier_functions(robot: Robot) -> tuple[Function, ...]:
    """Returns the functions of a tree with loops that forces hold; none of one without."""
    if not robot.held:
        return ()
    count = sum(len(loop.rows) for loop in robot.held)
    names = ", ".join(loop.name for loop in robot.held)
    left = sum(len(loop.fixed) for loop in robot.held)
    wanted = "what rows are to accelerate, against drift"
    return (
        Function(
            "closure_residual",
            "How far the frames of each loop are off each other along what is fixed",
            state(robot, "q"),
            (Argument("residual", left, meaning=f"of {names}: turned [rad], then moved [m]"),),
            lambda robot, values: {
                "residual": fixed_gaps(robot, robot.held, joint_transforms(robot, values["q"]))
            },
            on_request=True,
        ),
        Function(
            "loop_jacobian",
            "Rows of the Jacobian between the frames of loops that count, K",
            state(robot, "q"),
            (Argument("K", count, robot.n, f"of {names}, in the axes of their first frames"),),
            lambda robot, values: {
                "K": matrix_columns(_rows(robot, joint_transforms(robot, values["q"])))
            },
            on_request=True,
        ),
        Function(
            "loop_bias",
            "Accelerations of these rows where no joint accelerates, dK/dt qd, of closed loops",
            state(robot, "q", "qd"),
            (Argument("bias", count, meaning="[rad/s^2 or m/s^2]"),),
            lambda robot, values: {
                "bias": _bias(robot, joint_transforms(robot, values["q"]), values["qd"])
            },
            on_request=True,
        ),
        Function(
            "loop_forward_dynamics",
            "Motion of a tree whose loops forces hold closed, and these",
            (
                *motion_inputs(robot, "q", "qd", "tau"),
                gravity_argument(robot),
                forces_argument(robot),
                row_argument("loop_acceleration", count, wanted),
            ),
            (
                *state(robot, "qdd"),
                *of_base(robot, BASE_ACCELERATION),
                Argument("multipliers", count, meaning="along the rows [N m or N]"),
            ),
            *in_ways(robot, _motion),
            needs=(REGULAR,),
            on_request=True,
        ),
    )


def _closure(robot: Robot) -> Closure:
    return Closure(robot.held, ())


def _rows(robot: Robot, transforms: Sequence[JointTransform]) -> Matrix:
    """K, (rows, n)."""
    found: Matrix = []
    for row in closure_rows(robot, _closure(robot), transforms):
        found.append([0] * robot.n)
        for entry, joint in zip(row, robot.joints, strict=True):
            for k, share in joint.rates:
                found[-1][k] = found[-1][k] + entry * share
    return found


def _bias(robot: Robot, transforms: Sequence[JointTransform], qd: Sequence[Scalar]) -> list[Scalar]:
    return closure_bias(robot, _closure(robot), transforms, joint_rates(robot, qd))


def _motion(factors: Factors, robot: Robot, values: Values) -> Results:
    transforms = list(joint_transforms(robot, values["q"]))
    free, _ = free_forces(robot, {**values, **_NO_GROUND}, transforms)
    base = [0] * (len(free) - robot.n)
    rows = [base + row for row in _rows(robot, transforms)]
    held = Contacts.of(factors(robot, transforms), rows, [1] * len(rows), [0] * len(rows))
    y = solve_transposed(held.L, free)
    bias, moved = _bias(robot, transforms, values["qd"]), held.rows_of(y)
    wanted = zip(values["loop_acceleration"], bias, moved, strict=True)
    forces = held.forces([a - k - own for a, k, own in wanted])
    motion = divided(robot, held.motion(y, forces), "qdd", "base_acceleration")
    return {**motion, "multipliers": forces}
