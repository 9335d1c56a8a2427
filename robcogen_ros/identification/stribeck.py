"""Search for the speed over which dry friction falls off as joints begin to move.

Forces are linear in all of friction but that speed, so least squares are solved for each that is
tried, and the one is taken that leaves least: a search over one number, common to all joints.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.extras import package
from robcogen_ros.identification.sample import Sample, apart_from
from robcogen_ros.runtime.identification import (
    Term,
    checked_terms,
    joint_values,
    stribeck,
    with_joint_columns,
)

Array = NDArray[np.float64]

_SLOWEST, _TRIED = 300.0, 9
"""Part of the greatest speed where the search begins, and speeds that are tried first."""
_MORE = 8


def stribeck_velocity(robot: Any, sample: Sample, terms: Sequence[str | Term]) -> float:
    """Returns the speed that fits best [rad/s or m/s], to three digits.

    Args:
        robot: The robot, with the regressor.
        sample: Measured states, none of which is smoothed over a reversal.
        terms: What else of the joints is found.

    Raises:
        RobcogenError: If SciPy is missing.
    """
    optimize = package("scipy.optimize", "the search for a speed of friction")
    q, qd, qdd, tau = (each.reshape(-1, robot.n) for each in sample.arrays()[1:])
    columns = robot.base_parameters(terms=terms).columns
    Y = with_joint_columns(
        robot.inverse_dynamics_regressor(q, qd, qdd), checked_terms(terms), q, qd, qdd
    )
    rows, wanted = Y[..., columns].reshape(tau.size, -1), tau.ravel()
    left = (wanted - rows @ np.linalg.lstsq(rows, wanted, rcond=None)[0]).reshape(tau.shape)
    weights = 1 / np.maximum(np.sqrt((left**2).mean(axis=0)), np.finfo(float).tiny)
    Q, _ = np.linalg.qr((rows.reshape(*tau.shape, -1) * weights[:, None]).reshape(tau.size, -1))
    rest = apart_from(Q, (tau * weights).reshape(-1, 1))

    def cost(logarithm: float) -> float:
        of_joints = joint_values([stribeck(float(np.exp(logarithm)))], q, qd, qdd) * weights
        apart = apart_from(Q, (of_joints[:, :, None] * np.eye(robot.n)).reshape(tau.size, -1))
        return float(((rest - apart @ np.linalg.lstsq(apart, rest, rcond=None)[0]) ** 2).sum())

    fastest = float(np.log(np.abs(qd).max()))
    speeds = np.linspace(fastest - np.log(_SLOWEST), fastest, _TRIED)
    best = int(np.argmin([cost(speed) for speed in speeds]))
    ends = speeds[max(best - 1, 0)], speeds[min(best + 1, _TRIED - 1)]
    found = optimize.minimize_scalar(
        cost, bounds=ends, method="bounded", options={"maxiter": _MORE}
    )
    return float(f"{np.exp(found.x):.3g}")
