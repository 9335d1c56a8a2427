"""Rotations and poses in floating point: matrices, unit quaternions, turns about fixed axes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from robcogen_ros.model.spatial import Pose, rotation_x, rotation_y, rotation_z

Array = npt.NDArray[np.float64]


def matrix(pose: Pose) -> Array:
    """A pose as a homogeneous matrix (4, 4).

    Raises:
        ValueError: If it depends on a parameter without a default.
    """
    matrix = np.eye(4)
    matrix[:3, :3] = [[float(entry) for entry in row] for row in pose.rotation]
    matrix[:3, 3] = [float(entry) for entry in pose.translation]
    return matrix


def turn_of(roll: float, pitch: float, yaw: float) -> Array:
    """Rotation (3, 3) by turns about fixed axes: x, then y, then z [rad]."""
    rotation = rotation_z(yaw) @ rotation_y(pitch) @ rotation_x(roll)
    return matrix(Pose(rotation))[:3, :3]


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


def rotation(quaternion: Array) -> Array:
    """Rotation matrix (3, 3) of a quaternion x, y, z, w of any length but zero."""
    x, y, z, w = quaternion / np.sqrt(quaternion @ quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def turning(a: Array, b: Array) -> Array:
    """The least rotation (3, 3) that turns one unit vector into another; half a turn about x."""
    axis, cosine = np.cross(a, b), float(a @ b)
    if cosine < -1.0 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    skew: Array = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + skew + skew @ skew / max(1.0 + cosine, 1e-9)
