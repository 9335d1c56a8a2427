"""Refusal of inertia matrices that are not positive definite at positions that are tried.

That of bodies made of matter is, whatever their joints do, or singular: `program.singular`. Only
where a body is none is it looked at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.algorithms.conditioning.plain import plain, position_range
from robcogen_ros.algorithms.mechanics.composite_inertia import dense_inertia, inertia_matrix
from robcogen_ros.algorithms.mechanics.joint_terms import with_armature
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.algorithms.mechanics.loops.closures import at_position
from robcogen_ros.errors import ModelError
from robcogen_ros.model.names import listed
from robcogen_ros.model.robot import Robot

Array = NDArray[np.float64]

_POSITIONS = 100
_ROUNDING = 1e-9
"""Eigenvalues are negative from here on, where the diagonal is 1."""


def refuse_indefinite(robot: Robot) -> None:
    """Refuses robots whose inertia matrix is not positive definite.

    Parameters are at their defaults; robots with one that has none are taken on trust.

    Raises:
        ModelError: If it has a negative eigenvalue at one of the positions that are tried.
    """
    if any(parameter.default is None for parameter in robot.parameters):
        return
    numeric = plain(robot)
    moving = numeric.links if robot.floating_base else numeric.links[1:]
    inertias = ((link.name, dense_inertia(link.inertia)) for link in moving)
    odd = [name for name, inertia in inertias if _is_indefinite(np.array(inertia, dtype=float))]
    if not odd:
        return
    bad = sum(map(_is_indefinite, inertia_matrices(numeric)))
    if bad:
        message = (
            f"the inertia matrix is not positive definite at {bad} of {_POSITIONS} positions: no "
            f"body has the inertia of {listed(odd)}"
        )
        raise ModelError.at(robot.location, message)


def _is_indefinite(matrix: Array) -> bool:
    """Returns True if a symmetric matrix has a negative eigenvalue, whatever its rows' units."""
    diagonal = matrix.diagonal()
    if (diagonal < 0).any():
        return True
    scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    return bool(np.linalg.eigvalsh(matrix / np.outer(scale, scale))[0] < -_ROUNDING)


def inertia_matrices(robot: Robot) -> Array:
    """Inertia matrices (positions, n, n), the same ones every time."""
    matrices = _tried(robot)[1]
    return matrices[np.isfinite(matrices).all(axis=(1, 2))]


def ordinary_position(robot: Robot) -> list[float]:
    """A position where loops are closed and the inertia matrix is far from singular."""
    q, matrices = _tried(plain(robot))
    finite = np.isfinite(matrices).all(axis=(1, 2))
    matrices[~finite] = np.zeros_like(matrices[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        best = int(np.argmin(np.nan_to_num(np.linalg.cond(matrices), nan=np.inf)))
    return [round(float(x), 3) for x in q[:, best]]


def _tried(robot: Robot) -> tuple[Array, Array]:
    """Positions (n, positions), the same ones every time, and the inertia matrices there."""
    between = np.random.default_rng(0).uniform(size=(robot.n, _POSITIONS))
    lower, upper = (
        np.array([position_range(c) for c in robot.coordinates]).reshape(-1, 2, 1).swapaxes(0, 1)
    )
    q = lower + (upper - lower) * between
    with np.errstate(all="ignore"):  # loops that do not close somewhere
        placed = at_position(robot, list(q))
        H = with_armature(placed, inertia_matrix(placed, joint_transforms(placed, list(q))))
    entries = [np.broadcast_to(entry, _POSITIONS) for row in H for entry in row]
    return q, np.array(entries, dtype=float).T.reshape(_POSITIONS, len(H), len(H))
