"""Poses at rest that tell most of a payload, and how many readings of them are wanted.

What readings can tell at best follows from their noise (the bound of Cramer and Rao), and weighted
least squares reach it. So a body that is not known well enough needs more readings, or poses that
tell more: these are chosen one by one of random ones, each the one after which errors are least.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.identification.excitation import Bounds
from robcogen_ros.identification.payload import Payload, payload_regressor
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot

Array = NDArray[np.float64]

SHARE, DISTANCE = 0.02, 0.002
"""Two standard errors of a mass, as a part of it, and of a center [m], that are asked for."""
_STATIC, _POSES, _TRIED, _WITHIN = 4, 6, 500, 0.7
_MORE, _MOST = 1.2, 1e6


@dataclass(frozen=True)
class Wanted:
    """Readings that would make two standard errors 2 % of the mass, and 2 mm of its center.

    Attributes:
        readings: How many more, over all poses.
        poses: (6, n) where to take them; nothing is known of collisions there [rad or m].
    """

    readings: int
    poses: Array


def wanted_poses(robot: FixedBaseRobot, payload: Payload) -> Wanted | None:
    """Returns what to read beyond what was; None where that suffices, or nothing is carried.

    Args:
        robot: The robot, with `kinematics` and its regressor.
        payload: What was found of it at rest.
    """
    if payload.empty:
        return None
    known: Array = np.asarray(np.linalg.inv(payload.found.covariance[:_STATIC, :_STATIC]))
    if _excess(payload, known) <= 1:
        return None
    bounds, random = Bounds.of(robot, _WITHIN), np.random.default_rng(0)
    q = random.uniform(bounds.lower, bounds.upper, (_TRIED, robot.n))
    Y = payload_regressor(robot, payload.frame)(q=q, qd=0 * q, qdd=0 * q)[..., :_STATIC]
    Y = Y * payload.found.weights[:, None]
    told: Array = np.asarray(Y.swapaxes(-1, -2) @ Y)
    each, chosen = 1.0, _best(payload, known, told)
    while each < _MOST and _excess(payload, known + each * told[chosen].sum(axis=0)) > 1:
        each *= _MORE
        chosen = _best(payload, known, each * told)
    return Wanted(_POSES * int(np.ceil(each)), q[chosen])


def _best(payload: Payload, known: Array, told: Array) -> list[int]:
    """Returns poses after which errors are least, of (poses, 4, 4) what each of them tells."""
    chosen: list[int] = []
    for _ in range(_POSES):
        chosen.append(int(np.argmin(_excess(payload, known + told[chosen].sum(axis=0) + told))))
    return chosen


def _excess(payload: Payload, information: Array) -> Array:
    """Returns by how much errors exceed what is asked for, (...,) of (..., 4, 4)."""
    covariance = np.linalg.inv(information)
    slope = np.hstack([-payload.center[:, None], np.eye(3)]) / payload.mass
    center = np.einsum("ai,...ij,aj->...a", slope, covariance, slope)
    mass = np.sqrt(covariance[..., 0, 0]) / payload.mass / SHARE
    return np.asarray(2 * np.maximum(mass, np.sqrt(center.max(axis=-1)) / DISTANCE))
