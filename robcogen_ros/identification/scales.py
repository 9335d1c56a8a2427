"""Torque constants of joints, from recordings without and with a payload that is known.

Currents tell forces but for a factor each joint, by which all its parameters would be off, too. A
known body adds known forces, and the factor is what they come out as (Gautier, Briot 2014, "Global
identification of joint drive gains and dynamic parameters of robots"). Each joint is taken by
itself: its currents are regressed on all that its link parameters and friction could add, and on
the known forces; so noise is in what is explained alone, and factors are not too small by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.identification.payload import payload_regressor
from robcogen_ros.identification.sample import Sample
from robcogen_ros.runtime.identification import checked_terms, with_joint_columns
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Scales:
    """Factors from what was recorded to forces.

    Attributes:
        values: (n,) of each joint [N m or N, by what was recorded].
        errors: (n,) their standard errors; infinite where the payload tells nothing.
    """

    values: Array
    errors: Array


def scales(
    robot: FixedBaseRobot,
    frame: str,
    body: Array,
    terms: Sequence[str],
    samples: tuple[Sample, Sample],
) -> Scales:
    """Returns the factors of all joints.

    Args:
        robot: The robot, with `kinematics` and the regressor.
        frame: Where the known body is.
        body: (10,) its inertial parameters in that frame: m, m c, then the tensor about its origin.
        terms: What joints add to what bodies need.
        samples: States without and with the body.
    """
    known = payload_regressor(robot, frame)
    columns = robot.base_parameters(terms=terms).columns
    Y, added, recorded = [], [], []
    for sample, carries in zip(samples, (0.0, 1.0), strict=True):
        _, q, qd, qdd, tau = sample.arrays()
        whole = robot.inverse_dynamics_regressor(q, qd, qdd)
        Y.append(with_joint_columns(whole, checked_terms(terms), qd, qdd)[..., columns])
        added.append(carries * (known(q=q, qd=qd, qdd=qdd) @ body))
        recorded.append(tau)
    rows, extra, currents = (np.concatenate(parts) for parts in (Y, added, recorded))
    pairs = [_scale(rows[:, :, k], extra[..., k], currents[..., k]) for k in range(robot.n)]
    values, errors = np.array(pairs).T
    return Scales(values, errors)


def _scale(rows: Array, extra: Array, currents: Array) -> tuple[float, float]:
    """Returns the factor of a joint and its error, of (runs, states) known forces and currents."""
    flat = rows.reshape(-1, rows.shape[-1])
    apart, rest = (
        each.ravel() - flat @ np.linalg.lstsq(flat, each.ravel(), rcond=None)[0]
        for each in (extra, currents)
    )
    size = apart @ apart
    if size <= 1e-12 * (extra**2).sum() or not apart @ rest:
        return np.nan, np.inf
    inverse = float(apart @ rest / size)
    scores = (apart * (rest - inverse * apart)).reshape(len(rows), -1).sum(axis=1)
    error = float(np.sqrt(scores @ scores) / size)
    return 1 / inverse, error / inverse**2
