"""How results are compared, so that ill-conditioned robots do not blur what is right.

A joint's force is compared relative to its largest value over the states, an entry of the inertia
matrix relative to the diagonal entries of its row and column, and forward dynamics by how well the
equation of motion holds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TOLERANCE = 1e-9
_LEAST = 1e-3
"""Forces, and entries of the inertia matrix, count as if they were no smaller."""


def force_error(ours: Array, expected: Array, scale: Array | None = None) -> float:
    """The largest error of (states, joints) forces, relative to each joint's largest force.

    Args:
        ours: Forces to judge.
        expected: Right forces.
        scale: Forces that set the scale instead of the expected ones, where those may vanish.
    """
    per_joint = np.max(np.abs(expected if scale is None else scale), axis=0, initial=0.0)
    floor = 1e-9 * np.max(per_joint, initial=1e-9)
    return float(np.max(np.abs(ours - expected) / np.maximum(per_joint, floor), initial=0.0))


def matrix_error(ours: Array, expected: Array) -> float:
    """The largest error of (states, n, n) inertia matrices, relative to their diagonals."""
    diagonal = np.sqrt(np.abs(np.diagonal(expected, axis1=-2, axis2=-1)))
    scale = diagonal[..., :, None] * diagonal[..., None, :]
    floor = 1e-18 * np.max(scale, initial=1e-9)
    return float(np.max(np.abs(ours - expected) / np.maximum(scale, floor), initial=0.0))


def absolute_error(ours: Array, expected: Array) -> float:
    """The largest difference: for poses and Jacobians, whose entries are near one."""
    return float(np.max(np.abs(ours - expected), initial=0.0))


def bounded_error(ours: Array, expected: Array, scale: Array) -> float:
    """The largest error relative to a scale, where that is not very small."""
    return float(np.max(np.abs(ours - expected) / np.maximum(scale, _LEAST), initial=0.0))


def wrong(errors: dict[str, float]) -> dict[str, float]:
    """What is too far from what is right, and how far."""
    return {what: error for what, error in errors.items() if not error <= TOLERANCE}


def motion_residual(matrix: Array, bias: Array, acceleration: Array, tau: Array) -> float:
    """The largest error of H qdd + h = tau relative to |H||qdd| + |h| + |tau|, row by row.

    |H| is the matrix of sqrt(H_ii H_jj), which bounds the entries of a positive definite H and is
    what rounding in its factor is proportional to.
    """
    diagonal = np.sqrt(np.abs(np.diagonal(matrix, axis1=-2, axis2=-1)))
    product = np.einsum("...ij,...j->...i", matrix, acceleration)
    reach = np.einsum("...j,...j->...", diagonal, np.abs(acceleration))[..., None] * diagonal
    scale = reach + np.abs(bias) + np.abs(tau)
    floor = 1e-9 * np.max(scale, initial=1e-9)
    return float(np.max(np.abs(product + bias - tau) / np.maximum(scale, floor), initial=0.0))
