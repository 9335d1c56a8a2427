"""The mirror image of a robot: left and right exchanged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.robot import FREE_FALL

Array = NDArray[np.float64]

_PLANE = np.array([1.0, -1.0, 1.0])
"""Plane of the mirror: x ahead and z up stay."""
_NEAR = 1e-6
"""Distance that axes of a pair may be from each other's images [m]."""
_SAMPLES = 8


@dataclass(frozen=True, slots=True)
class Mirror:
    """Coordinates of a robot's image at its sagittal plane, by those of the robot.

    Attributes:
        joints: For each joint the one whose image it is (n,).
        signs: What its position is multiplied with (n,).
        feet: For each foot the one whose image it is.
        error: Largest error of the inverse dynamics of images, as a share of the largest torque.
    """

    joints: NDArray[np.int64]
    signs: Array
    feet: tuple[int, ...]
    error: float


def find_mirror(robot: Any) -> Mirror | None:
    """Returns the robot's mirror at its sagittal plane, the x-z plane of its base.

    None if some joint or foot has no image. Axes at zero positions tell pairs: a rotation by an
    angle about an axis `a` through `p` is mirrored to one about `-M a` through `M p`, a translation
    along `a` to one along `M a`, with `M = diag(1, -1, 1)`. Of axes that coincide the origins of
    the links tell.
    """
    values = robot.evaluate("kinematics", q=np.zeros(robot.n))
    joints, signs = np.zeros(robot.n, dtype=np.int64), np.zeros(robot.n)
    own = values["axes"].T
    image = np.concatenate([-_PLANE, _PLANE]) * own
    carried = {joint: child for joint, _, child, _ in robot.attachments}
    places = _origins(robot)[[robot.link_frames[carried[j]] for j in robot.joint_names]]
    apart = np.abs(places[:, None] - _PLANE * places).max(axis=2)
    for joint in range(robot.n):
        pairs = [
            (apart[joint, other], other, sign)
            for other in range(robot.n)
            for sign in (1.0, -1.0)
            if np.abs(own[joint] - sign * image[other]).max() < _NEAR
        ]
        if not pairs:
            return None
        _, joints[joint], signs[joint] = min(pairs)
    feet = _feet(robot)
    if feet is None or len(set(joints.tolist())) < robot.n:
        return None
    return Mirror(joints, signs, feet, _error(robot, joints, signs))


def _feet(robot: Any) -> tuple[int, ...] | None:
    places = _origins(robot)[[contact.frame for contact in robot.contact_records]]
    away = np.abs(places[:, None] - _PLANE * places).max(axis=2)
    pairs = away.argmin(axis=1)
    if away.min(axis=1).max() > 1e-3 or len(set(pairs.tolist())) < len(pairs):
        return None
    return tuple(pairs.tolist())


def _origins(robot: Any) -> Array:
    """Origins of all frames in the base at zero positions (frames, 3)."""
    return np.asarray(robot.frame_poses(np.zeros(robot.n))[:, :3, 3])


def _error(robot: Any, joints: NDArray[np.int64], signs: Array) -> float:
    """Returns the largest difference between the dynamics of images and images of the dynamics."""
    random = np.random.default_rng(0)
    worst = 0.0
    turn = np.concatenate([-_PLANE, _PLANE])
    for _ in range(_SAMPLES):
        q, qd, qdd = random.uniform(-0.5, 0.5, (3, robot.n))
        v0, a0 = random.uniform(-0.5, 0.5, (2, 6))
        gravity = np.array([*random.uniform(-1, 1, 2), -FREE_FALL])
        tau, wrench = robot.inverse_dynamics_fully_actuated(q, qd, qdd, v0, a0, gravity)
        states = [signs * z[joints] for z in (q, qd, qdd)]
        moved, held = robot.inverse_dynamics_fully_actuated(
            *states, turn * v0, turn * a0, _PLANE * gravity
        )
        scale = max(np.abs(tau).max(), np.abs(wrench).max())
        errors = (moved - signs * tau[joints], held - turn * wrench)
        worst = max(worst, *(float(np.abs(error).max() / scale) for error in errors))
    return worst
