"""Torque constants of joints, from recordings without and with a payload whose mass is known.

Currents tell forces but for a factor each joint, by which all its parameters would be off, too. A
known mass adds forces of a known size, and the factor is what they come out as (Gautier, Briot
2014, "Global identification of joint drive gains and dynamic parameters of robots"). Currents of
each joint are regressed on all that its link parameters and friction could add, and on the forces
of the body. All joints carry the same body, so its center of mass follows as well: a center that
was measured wrongly is found out, which would give wrong factors of the wrist.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.extras import package
from robcogen_ros.identification.payload import payload_regressor
from robcogen_ros.identification.pseudo_inertia import of_body
from robcogen_ros.identification.sample import Sample, apart_from
from robcogen_ros.runtime.identification import Term, checked_terms, with_joint_columns
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.triangles import triangular

Array = NDArray[np.float64]

_SURE = 0.1
"""Largest standard error of a factor, as a part of it."""
_OTHER = 4.0
"""Standard errors from the given center to the one that is found, from which on it is another."""
_NONE = 1e-18
"""Part of the squares of forces that is rounding."""
_SIZE = 0.2
"""Radius of gyration about the frame within which a body is looked for [m]."""


@dataclass(frozen=True)
class KnownPayload:
    """A body that some recordings are made with.

    Attributes:
        frame: Where it is.
        mass: Its mass [kg].
        center: (3,) its center of mass in that frame [m]; None: not known.
    """

    frame: str
    mass: float
    center: Array | None = None


@dataclass(frozen=True)
class Scales:
    """Factors from what was recorded to forces.

    Attributes:
        values: (n,) of each joint [N m or N, by what was recorded].
        errors: (n,) their standard errors; infinite where the payload tells nothing.
        center: (3,) center of mass of the payload in its frame [m].
        center_errors: (3,) standard errors; zeros where it was given.
    """

    values: Array
    errors: Array
    center: Array
    center_errors: Array


def scales(
    robot: FixedBaseRobot,
    payload: KnownPayload,
    terms: Sequence[str | Term],
    samples: tuple[Sample, Sample],
    named: Collection[str] = (),
) -> Scales:
    """Returns the factors of all joints.

    Args:
        robot: The robot, with `kinematics` and the regressor.
        payload: What the second recordings were made with.
        terms: What joints add to what bodies need.
        samples: States without and with the body.
        named: Joints whose forces are recorded; their factor is 1.

    Raises:
        RobcogenError: If the payload has another center of mass than is said, or tells a factor to
            less than a tenth, with the numbers; or SciPy is missing.
    """
    fit = _Fit(robot, payload, terms, samples)
    found = fit.solved(None)
    if payload.center is not None:
        given = fit.solved(payload.center)
        away = np.abs(found.center - payload.center) / found.center_errors
        if np.max(away) > _OTHER:
            raise RobcogenError(_another(robot.joint_names, payload, found, given))
        found = given
    known = np.isin(robot.joint_names, list(named))
    found = replace(
        found, values=np.where(known, 1.0, found.values), errors=np.where(known, 0.0, found.errors)
    )
    unknown = [
        f"{name} ({value:.3g} +- {error:.2g})"
        for name, value, error in zip(robot.joint_names, found.values, found.errors, strict=True)
        if not error < _SURE * value
    ]
    if unknown:
        raise RobcogenError(
            f"torque constants of {', '.join(unknown)} are not known to {_SURE:.0%}: these joints "
            "bear too little of the known payload: take a heavier one, or one farther off, or "
            "name theirs by --torque-constant JOINT=K; negative ones are no constants"
        )
    return found


def _another(names: Sequence[str], payload: KnownPayload, found: Scales, given: Scales) -> str:
    """Returns why a center that was given is none of the body's."""
    k = int(np.argmax(np.abs(np.log(np.abs(given.values / found.values)))))
    here, errors, there = (
        ", ".join(f"{1000 * x:.1f}" for x in each)
        for each in (found.center, found.center_errors, np.asarray(payload.center))
    )
    return (
        f"the known payload has its center of mass at ({here}) +- ({errors}) mm in "
        f"{payload.frame}, not at ({there}) mm: with the latter the torque constant of {names[k]} "
        f"would be {given.values[k]:.4g}, where it is {found.values[k]:.4g}; measure it again, or "
        f"leave it out, and it is found: --known-payload {payload.frame}={payload.mass:g}"
    )


class _Fit:
    """Holds what recordings tell of the forces of a body, apart from all else joints need."""

    def __init__(
        self,
        robot: FixedBaseRobot,
        payload: KnownPayload,
        terms: Sequence[str | Term],
        samples: tuple[Sample, Sample],
    ) -> None:
        known, self._mass = payload_regressor(robot, payload.frame), payload.mass
        columns = robot.base_parameters(terms=terms).columns
        parts: list[tuple[Array, Array, Array]] = []
        for sample, carries in zip(samples, (0.0, 1.0), strict=True):
            _, q, qd, qdd, tau = sample.arrays()
            whole = robot.inverse_dynamics_regressor(q, qd, qdd)
            rows = with_joint_columns(whole, checked_terms(terms), q, qd, qdd)[..., columns]
            parts.append((rows, carries * known(q=q, qd=qd, qdd=qdd), tau))
        rows, loads, currents = (np.concatenate(each) for each in zip(*parts, strict=True))
        self._runs = len(rows)
        self._rows = [
            _apart(rows[:, :, k], np.dstack([loads[:, :, k], currents[:, :, k]]))
            for k in range(robot.n)
        ]
        self._short = [triangular(each) for each in self._rows]

    def solved(self, center: Array | None) -> Scales:
        """Returns the factors, of a body with a known center, or with one that is found."""
        optimize = package("scipy.optimize", "torque constants by a known payload")
        n, found = len(self._rows), center is None
        middle = of_body(self._mass, np.zeros(3) if found else np.asarray(center), np.zeros(6))
        sizes = self._mass * np.array([0.0] + 3 * [_SIZE] + 6 * [_SIZE**2])
        free = np.diag(sizes)[:, 1 if found else 4 :]

        def left(unknowns: Array) -> Array:
            body = middle + free @ unknowns[n:]
            pairs = zip(self._short, unknowns[:n], strict=True)
            return np.concatenate(
                [*(r @ np.append(b * body, -1.0) for r, b in pairs), unknowns[n:]]
            )

        start = [_inverse(rows[:, :-1] @ middle, rows) for rows in self._short]
        unknowns = optimize.least_squares(left, np.append(start, np.zeros(free.shape[1]))).x
        inverse, body = unknowns[:n], middle + free @ unknowns[n:]
        covariance = self._covariance(inverse, body, free)
        errors = np.sqrt(np.diag(covariance))
        with np.errstate(divide="ignore"):
            values = 1 / inverse
        return Scales(
            values,
            np.where(inverse, errors[:n] * values**2, np.inf),
            body[1:4] / self._mass,
            _SIZE * errors[n : n + 3] if found else np.zeros(3),
        )

    def _covariance(self, inverse: Array, body: Array, free: Array) -> Array:
        """Returns that of the factors' inverses and the free numbers, from whole runs of states."""
        n, count = len(inverse), len(inverse) + free.shape[1]
        information = np.diag(np.append(np.zeros(n), np.ones(count - n)))
        scores = np.zeros((self._runs, count))
        for k, rows in enumerate(self._rows):
            slope = np.zeros((len(rows), count))
            slope[:, k] = forces = rows[:, :-1] @ body
            slope[:, n:] = inverse[k] * rows[:, :-1] @ free
            left = rows[:, -1] - inverse[k] * forces
            information += slope.T @ slope
            scores += (slope * left[:, None]).reshape(self._runs, -1, count).sum(axis=1)
        each = scores @ np.linalg.pinv(information, hermitian=True)
        return np.asarray(each.T @ each, dtype=np.float64)


def _apart(rows: Array, more: Array) -> Array:
    """Returns what (runs, states, columns) have beside rows, in units of what is left of the last.

    Args:
        rows: (runs, states, columns) of all else that a joint's currents may be from.
        more: Forces by the numbers of the payload, then the currents.
    """
    Q, _ = np.linalg.qr(rows.reshape(-1, rows.shape[-1]))
    left = apart_from(Q, more.reshape(len(Q), -1))
    loads, currents = left[:, :-1], left[:, -1]
    rest = currents - loads @ np.linalg.lstsq(loads, currents, rcond=None)[0]
    return left / max(float(np.sqrt(np.mean(rest**2))), np.finfo(float).tiny)


def _inverse(forces: Array, rows: Array) -> float:
    """Returns the factor from forces to currents, the last of the rows; 0 where they are none."""
    size = forces @ forces
    return float(forces @ rows[:, -1] / size) if size > _NONE * (rows**2).sum() else 0.0
