"""Poses as 4x4 matrices, and URDF's roll, pitch and yaw."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def pose(xyz: Sequence[float], rpy: Sequence[float]) -> Array:
    """The pose that URDF's origin means: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    (sr, sp, sy), (cr, cp, cy) = np.sin(rpy), np.cos(rpy)
    result = np.eye(4)
    result[:3, :3] = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    result[:3, 3] = xyz
    return result


def rpy_of(rotation: Array) -> tuple[float, float, float]:
    """Roll, pitch and yaw of a rotation, exact also where the pitch is a right angle."""
    R = rotation
    yaw = math.atan2(R[1, 0], R[0, 0])
    c, s = math.cos(yaw), math.sin(yaw)
    pitch = math.atan2(-R[2, 0], c * R[0, 0] + s * R[1, 0])
    roll = math.atan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    return roll, pitch, yaw


def velocity_between(before: Array, after: Array, seconds: float) -> Array:
    """The mean [angular; linear] velocity of a frame from one pose to another."""
    turn = (after[..., :3, :3] - before[..., :3, :3]) / seconds
    middle = (after[..., :3, :3] + before[..., :3, :3]) / 2
    spin = turn @ middle.swapaxes(-1, -2)
    angular = np.stack([spin[..., 2, 1], spin[..., 0, 2], spin[..., 1, 0]], axis=-1)
    linear = (after[..., :3, 3] - before[..., :3, 3]) / seconds
    return np.concatenate([angular, linear], axis=-1)
