"""Unit quaternions of rotation matrices."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def quaternions(rotations: Array) -> Array:
    """Quaternions (m, 4) as x, y, z, w of rotation matrices (m, 3, 3); w is not negative.

    The products of all pairs of a quaternion's entries are linear in the matrix; the row of the
    largest entry gives the quaternion without cancellation.
    """
    m = rotations
    xx, yy, zz = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    xy, xz, yz = m[:, 1, 0] + m[:, 0, 1], m[:, 0, 2] + m[:, 2, 0], m[:, 2, 1] + m[:, 1, 2]
    xw, yw, zw = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    rows = [
        [1 + xx - yy - zz, xy, xz, xw],
        [xy, 1 - xx + yy - zz, yz, yw],
        [xz, yz, 1 - xx - yy + zz, zw],
        [xw, yw, zw, 1 + xx + yy + zz],
    ]
    products = np.array(rows).transpose(2, 0, 1)
    largest = products[:, range(4), range(4)].argmax(axis=1)
    chosen = products[np.arange(len(m)), largest]
    signs = np.where(chosen[:, 3:] < 0, -1.0, 1.0)
    return np.asarray(signs * chosen / np.linalg.norm(chosen, axis=1, keepdims=True))
