"""Derivatives of impacts: of the velocities after them, and of the impulses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from robcogen_ros.algorithms.functions.contacts.derivatives import (
    by_columns,
    derivative,
    response_entries,
    response_outputs,
    slopes_of_motion,
    slopes_of_rows,
)
from robcogen_ros.algorithms.functions.contacts.dynamics import (
    Factors,
    all_velocities,
    impact_inputs,
    in_contact,
    in_ways,
    normal_rows,
    restitution,
)
from robcogen_ros.algorithms.functions.function import Argument, Function, Results, Values
from robcogen_ros.algorithms.mechanics.contacts.derivatives import (
    Response,
    forces_by_rows,
    forces_of,
    slope_patterns,
    velocity_pattern,
)
from robcogen_ros.algorithms.mechanics.contacts.dynamics import (
    Contacts,
    contact_rows,
    delassus_matrix,
)
from robcogen_ros.algorithms.mechanics.factorization import Matrix
from robcogen_ros.algorithms.mechanics.joints import JointTransform, joint_transforms
from robcogen_ros.algorithms.mechanics.operational_space import plus, product, times
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar, is_zero


def impact_derivative_functions(robot: Robot) -> tuple[Function, ...]:
    """Derivatives of impacts of a robot with contacts; nothing for one without."""
    if not robot.contacts:
        return ()
    rows, size = contact_rows(robot), robot.n + (6 if robot.floating_base else 0)
    by_positions, by_velocities = slope_patterns(robot)[0], velocity_pattern(robot)
    impact = impact_inputs(robot, rows)
    return (
        derivative(
            "impact_slopes",
            "What the derivatives of an impact without restitution are products of",
            tuple(argument for argument in impact if argument.name != "restitution"),
            (
                *response_outputs(robot),
                Argument("by_velocities", len(by_velocities.rows), meaning="entries of [0; J]"),
            ),
            *in_ways(robot, _impact_entries),
        ),
        derivative(
            "restitution_slopes",
            "What restitution adds to the derivatives of an impact is products of",
            tuple(replace(a, optional=a.optional and a.name != "restitution") for a in impact),
            (
                Argument("R_held", rows, rows, "R of rows that are held at rest", symmetric=True),
                Argument("G", rows, rows, "impulses that follow those of compression"),
                Argument("by_positions_more", len(by_positions.rows), meaning="entries of [r; s]"),
            ),
            *in_ways(robot, _restitution_entries),
        ),
        derivative(
            "impact_derivatives",
            "First derivatives of the velocities after an impact, and of its impulses",
            impact,
            (
                Argument("dqd_dq", size, size, "[1/s, ...]"),
                Argument("dqd_dqd", size, size, "by velocities before the impact"),
                Argument("dimpulses_dq", rows, size, "[N s/m, ...]"),
                Argument("dimpulses_dqd", rows, size, "[N s^2/m, ...]"),
            ),
            *in_ways(robot, _impact_derivatives),
        ),
    )


@dataclass(frozen=True, slots=True)
class _Impact:
    """An impact, and what its derivatives are made of.

    Attributes:
        contacts: The contacts.
        J: Their rows.
        transforms: Transform across each joint.
        stopped: What compression changes the velocities of the rows by.
        compression: Its impulses.
    """

    contacts: Contacts
    J: Matrix
    transforms: list[JointTransform]
    stopped: list[Scalar]
    compression: list[Scalar]

    @classmethod
    def of(cls, factors: Factors, robot: Robot, values: Values) -> _Impact:
        """The impact of a robot."""
        transforms = list(joint_transforms(robot, values["q"]))
        contacts, J = in_contact(factors, robot, values, transforms)
        stopped = [-v for v in times(J, all_velocities(robot, values))]
        return cls(contacts, J, transforms, stopped, forces_of(contacts, stopped))

    def slopes(self, robot: Robot, values: Values) -> tuple[Matrix, Matrix]:
        """Returns the slopes of compression of a robot at rest whose rows lose their velocity."""
        before = all_velocities(robot, values)
        change = self._change(self.compression)
        after = [v + dv for v, dv in zip(before, change, strict=True)]
        return (
            self._of_motion(robot, values, change, self.compression),
            slopes_of_rows(robot, _at_rest(robot, values, after), self.transforms)[0],
        )

    def following(self, robot: Robot, e: Scalar) -> Matrix:
        """G: the impulses that restitution adds, by those of compression."""
        A = delassus_matrix(self.contacts.Y, self.contacts.inverse_D)
        moved, own = product(forces_by_rows(self.held(robot)), A), normal_rows(robot)
        return [
            [((i == j) - x) * e if own[j] else 0 for j, x in enumerate(row)]
            for i, row in enumerate(moved)
        ]

    def more_slopes(self, robot: Robot, values: Values, G: Matrix) -> tuple[Matrix, Matrix]:
        """Returns the slopes of restitution, at the impulses of compression."""
        more = times(G, self.compression)
        change = self._change(more)
        return (
            self._of_motion(robot, values, change, more),
            slopes_of_rows(robot, _at_rest(robot, values, change), self.transforms)[0],
        )

    def held(self, robot: Robot) -> Contacts:
        """The contacts as they are in restitution: normal rows are open."""
        return self.contacts.only([not own for own in normal_rows(robot)])

    def _change(self, impulses: Sequence[Scalar]) -> list[Scalar]:
        return self.contacts.motion([0] * len(self.J[0]), impulses)

    def _of_motion(
        self, robot: Robot, values: Values, change: Sequence[Scalar], impulses: Sequence[Scalar]
    ) -> Matrix:
        moving = _at_rest(robot, values, change)
        return slopes_of_motion(robot, moving, self.transforms, impulses)[0]


def _impact_entries(factors: Factors, robot: Robot, values: Values) -> Results:
    impact = _Impact.of(factors, robot, values)
    r, s = impact.slopes(robot, values)
    still = [[0] * len(impact.J[0]) for _ in impact.J[0]]
    return {
        **response_entries(robot, impact.contacts),
        "by_positions": slope_patterns(robot)[0].of([*r, *s]),
        "by_velocities": velocity_pattern(robot).of([*still, *impact.J]),
    }


def _restitution_entries(factors: Factors, robot: Robot, values: Values) -> Results:
    impact = _Impact.of(factors, robot, values)
    G = impact.following(robot, restitution(values))
    r, s = impact.more_slopes(robot, values, G)
    return {
        **by_columns(R_held=forces_by_rows(impact.held(robot)), G=G),
        "by_positions_more": slope_patterns(robot)[0].of([*r, *s]),
    }


def _impact_derivatives(factors: Factors, robot: Robot, values: Values) -> Results:
    impact, e = _Impact.of(factors, robot, values), restitution(values)
    size = range(len(impact.J[0]))
    response = Response.of(impact.contacts)
    by_q = response.slopes(*impact.slopes(robot, values))
    by_qd = response.slopes([[0 for _ in size] for _ in size], impact.J)
    if not is_zero(e):
        G = impact.following(robot, e)
        held = Response.of(impact.held(robot))
        more = held.slopes(*impact.more_slopes(robot, values, G))
        motion, forces = response.followed(G, *by_q)
        by_q, by_qd = (plus(motion, more[0]), plus(forces, more[1])), response.followed(G, *by_qd)
    kept = [[x + (i == k) for k, x in enumerate(row)] for i, row in enumerate(by_qd[0])]
    return by_columns(dqd_dq=by_q[0], dqd_dqd=kept, dimpulses_dq=by_q[1], dimpulses_dqd=by_qd[1])


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
