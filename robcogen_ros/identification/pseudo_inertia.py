"""Inertial parameters as 4 x 4 matrices, which are positive semidefinite for every real body.

The pseudo-inertia of a body is the integral of [x; 1] [x; 1]^T over its mass; a body of that mass
and inertia exists if and only if it is positive semidefinite (Wensing, Kim, Slotine 2018, "Linear
matrix inequalities for physically consistent inertial parameter identification").
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_LEAST = 1e-3
"""Radius of a body that is given as a point or a line [m]."""


def pseudo_inertia(parameters: Array) -> Array:
    """Returns (..., 4, 4) pseudo-inertias of (..., 10) parameters m, m c, ixx ... izz."""
    m, h, tensor = parameters[..., 0], parameters[..., 1:4], _tensor(parameters[..., 4:])
    second = np.trace(tensor, axis1=-2, axis2=-1)[..., None, None] / 2 * np.eye(3) - tensor
    top = np.concatenate([second, h[..., None]], axis=-1)
    bottom = np.concatenate([h, m[..., None]], axis=-1)[..., None, :]
    return np.concatenate([top, bottom], axis=-2)


def inertial_parameters(pseudo: Array) -> Array:
    """Returns (..., 10) parameters of (..., 4, 4) pseudo-inertias."""
    second = pseudo[..., :3, :3]
    tensor = np.trace(second, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - second
    rows, columns = np.triu_indices(3)
    return np.concatenate(
        [pseudo[..., 3, 3, None], pseudo[..., :3, 3], tensor[..., rows, columns]], axis=-1
    )


def moved(homogeneous: Array, parameters: Array) -> Array:
    """Returns (10,) parameters in frame A of those in B, by the homogeneous transform A_X_B."""
    return inertial_parameters(homogeneous @ pseudo_inertia(parameters) @ homogeneous.T)


def central(parameters: Array) -> tuple[float, Array, Array]:
    """Returns mass [kg], center of mass [m] and tensor about it [kg m^2] of (10,) parameters."""
    mass, center = float(parameters[0]), parameters[1:4] / parameters[0]
    outer = mass * (center @ center * np.eye(3) - np.outer(center, center))
    return mass, center, _tensor(parameters[4:]) - outer


def of_body(mass: float, center: Array, tensor: Array) -> Array:
    """Returns (10,) parameters of a mass, its center, and (6,) moments about that."""
    outer = mass * (center @ center * np.eye(3) - np.outer(center, center))
    return np.concatenate([[mass], mass * center, tensor + outer[np.triu_indices(3)]])


def is_physical(parameters: Array, tolerance: float = 1e-9) -> bool:
    """Returns whether a body of (10,) parameters exists, but for rounding."""
    eigenvalues = np.linalg.eigvalsh(pseudo_inertia(parameters))
    return bool(eigenvalues[0] >= -tolerance * max(eigenvalues[-1], 0.0))


def factor(parameters: Array) -> Array:
    """Returns U (4, 4), upper triangular, with U U^T the pseudo-inertia of the nearest real body.

    So its last entry is the root of the mass, and its last column tells the center. Principal
    second moments about the center of mass are at least those of a body of 1 mm radius.

    Args:
        parameters: (10,) of a body with a mass.
    """
    mass, center, tensor = central(parameters)
    second = np.trace(tensor) / 2 * np.eye(3) - tensor
    values, vectors = np.linalg.eigh(second)
    second = vectors @ np.diag(np.maximum(values, mass * _LEAST**2)) @ vectors.T
    root = np.zeros((4, 4))
    root[:3, :3] = np.linalg.cholesky(second[::-1, ::-1])[::-1, ::-1]
    root[:, 3] = np.sqrt(mass) * np.append(center, 1.0)
    return root


def _tensor(entries: Array) -> Array:
    """Returns (..., 3, 3) matrices of (..., 6) entries ixx, ixy, ixz, iyy, iyz, izz."""
    return entries[..., [[0, 1, 2], [1, 3, 4], [2, 4, 5]]]
