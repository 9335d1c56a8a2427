"""Efforts of a robot's joints and forces on its feet that carry its weight at rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.contacts import Contact, Foot, shaped
from robcogen_ros.model.robot import FREE_FALL

Array = NDArray[np.float64]

FUNCTIONS = ("kinematics", "gravity_torques", "center_of_mass", "total_mass")
"""Functions that are called of a robot."""
_LEVEL = 0.01
"""Height above the lowest foot of another that stands as well, as a share of its height."""
_STRICT, _BALANCED, _ROUNDS = 1e4, 1e-6, 100
"""Weight of balance beside even shares; error that is balance; most rounds."""
_TURN = 1e-5
"""Turn of joints that tells what rises [rad or m]."""


@dataclass(frozen=True, slots=True)
class RestingState:
    """A robot at rest.

    Attributes:
        q: Positions of its joints (n,).
        base: Pose of its base in the world (4, 4), whose z is upwards where the base floats.
        frames: Poses of all its frames in the world (frames, 4, 4).
        center: Center of mass in the world (3,) [m]; of a robot without mass its base's origin.
        efforts: What its joints do to hold it (n,) [N m or N].
        points: Centers of pressure of the feet that stand, in the world (k, 3) [m].
        forces: Forces of the ground there, in axes of the world (k, 3) [N].
        balanced: Whether these hold it; if not, they are 0 and efforts are those of a robot whose
            base is held.
    """

    q: Array
    base: Array
    frames: Array
    center: Array
    efforts: Array
    points: Array
    forces: Array
    balanced: bool


class Statics:
    """Computes states of a robot."""

    def __init__(self, robot: Any, feet: Sequence[Foot]) -> None:
        """The robot.

        Args:
            robot: The robot; of one on legs the contacts are its feet.
            feet: Their shapes.
        """
        self._robot, self._feet = robot, shaped(robot.contact_records, feet)
        self.weight = FREE_FALL * robot.total_mass()

    def at(self, q: Array, base: Array | None = None) -> RestingState:
        """The robot at rest.

        Args:
            q: (n,) positions.
            base: Pose of its base in the world (4, 4); by default level, with its lowest foot on
                the plane z = 0.
        """
        robot = self._robot
        poses = robot.frame_poses(q)
        if base is None:
            base = np.eye(4)
            if self._feet:
                base[2, 3] = -min(float(p[:, 2].min()) for p in self._touching(poses))
        frames = base @ poses
        center = base[:3, 3].copy()
        if self.weight:
            center += base[:3, :3] @ robot.center_of_mass(q)
        nothing = np.zeros((0, 3)), np.zeros((0, 3))
        if not robot.floating_base:
            return RestingState(q, base, frames, center, robot.gravity_torques(q), *nothing, True)
        down = base[:3, :3].T @ np.array([0.0, 0.0, -FREE_FALL])
        held, _ = robot.gravity_torques(q, down)
        feet, points = self._standing(frames)
        forces = vertical_forces(points, center, self.weight)
        if forces is None:
            return RestingState(q, base, frames, center, held, *nothing, False)
        efforts = held - self._pushed(q, base, frames, feet, points, forces)
        pressed = [sum_of(points, forces, np.array(feet) == foot) for foot in sorted({*feet})]
        centers, sums = (np.array(part) for part in zip(*pressed, strict=True))
        upwards = sums[:, None] * np.array([0.0, 0.0, 1.0])
        return RestingState(q, base, frames, center, efforts, centers, upwards, True)

    def _touching(self, frames: Array) -> list[Array]:
        """Lowest points of each foot, in the frame of the poses (k, 3)."""
        found = []
        for foot in self._feet:
            pose, lower = frames[foot.frame], np.array([0.0, 0.0, foot.shape.radius])
            found.append(foot.points @ pose[:3, :3].T + pose[:3, 3] - lower)
        return found

    def _standing(self, frames: Array) -> tuple[list[int], Array]:
        """Points that are as low as the lowest, and whose feet these are."""
        touching = self._touching(frames)
        if not touching:
            return [], np.zeros((0, 3))
        feet = [i for i, points in enumerate(touching) for _ in points]
        points = np.concatenate(touching)
        height = max(float(np.ptp(frames[:, 2, 3])), 1e-3)
        low = points[:, 2] <= points[:, 2].min() + _LEVEL * height
        return [feet[i] for i in np.flatnonzero(low)], points[low]

    def _pushed(
        self,
        q: Array,
        base: Array,
        frames: Array,
        feet: Sequence[int],
        points: Array,
        forces: Array,
    ) -> Array:
        """Returns the efforts of the joints by the ground's forces."""
        up = base[:3, :3].T @ np.array([0.0, 0.0, 1.0])
        efforts = np.zeros(len(q))
        for foot, point, force in zip(feet, points, forces, strict=True):
            frame, robot = self._feet[foot].frame, self._robot
            arm = base[:3, :3].T @ (point - frames[frame, :3, 3])
            wrench = force * np.concatenate([np.cross(arm, up), up])
            efforts += robot.full_jacobian(robot.frame_names[frame], q)[:, 6:].T @ wrench
        return efforts


def share_of_one_foot(robot: Any, foot: Contact, q: Array) -> float:
    """Greatest share of joints' limits of efforts with which one foot alone carries the robot.

    The force of the ground is taken to be in the middle of the foot, below the center of mass: a
    joint does the work of what this rises above the foot.
    """
    turned = q + _TURN * np.vstack([np.eye(robot.n), -np.eye(robot.n)])
    poses = robot.frame_poses(turned)[:, foot.frame]
    low = poses[:, 2, :3] @ foot.points.mean(axis=0) + poses[:, 2, 3]
    up, down = (robot.center_of_mass(turned)[:, 2] - low).reshape(2, robot.n)
    efforts = FREE_FALL * robot.total_mass() * np.abs(up - down) / (2 * _TURN)
    limited = robot.effort_limits > 0.0
    return float(np.nanmax(efforts[limited] / robot.effort_limits[limited], initial=0.0))


def sum_of(points: Array, forces: Array, chosen: NDArray[np.bool_]) -> tuple[Array, float]:
    """Center of pressure (3,), and sum, of some forces; of none that presses, their middle."""
    total = float(forces[chosen].sum())
    weights = forces[chosen] / total if total > 0 else np.full(chosen.sum(), 1 / chosen.sum())
    return weights @ points[chosen], total


def vertical_forces(points: Array, center: Array, weight: float) -> Array | None:
    """Vertical forces that hold a weight, as even as can be, none of which pulls.

    Args:
        points: Where they act (k, 3) [m].
        center: Center of mass (3,) [m].
        weight: The weight [N].

    Returns:
        (k,) [N]; None where the center is beyond the points, seen from above.
    """
    if not len(points):
        return None
    arms = points[:, :2] - center[:2]
    size = max(float(np.abs(arms).max()), 1e-9)
    balance = np.vstack([np.ones(len(points)), arms.T / size])
    wanted = np.array([1.0, 0.0, 0.0])
    rows = np.vstack([_STRICT * balance, np.eye(len(points))])
    shares = nonnegative(rows, np.concatenate([_STRICT * wanted, np.zeros(len(points))]))
    if np.abs(balance @ shares - wanted).max() > _BALANCED:
        return None
    return weight * shares


def nonnegative(A: Array, b: Array) -> Array:
    """The x >= 0 that makes A x - b shortest, by Lawson and Hanson (1974), 23.3."""
    x = np.zeros(A.shape[1])
    free = np.zeros(A.shape[1], bool)
    small = 1e-12 * float(np.abs(A).max() * np.abs(b).max())
    for _ in range(_ROUNDS):
        slope = A.T @ (b - A @ x)
        if free.all() or slope[~free].max() <= small:
            break
        free[int(np.argmax(np.where(free, -np.inf, slope)))] = True
        while True:
            z = np.zeros_like(x)
            z[free] = np.linalg.lstsq(A[:, free], b, rcond=None)[0]
            pulls = free & (z <= 0)
            if not pulls.any():
                break
            step = float((x[pulls] / (x[pulls] - z[pulls])).min())
            x = x + step * (z - x)
            free &= x > 1e-15
        x = z
    return x


def depth(points: Array, point: Array) -> float:
    """Distance of a point to the rim of the convex hull of others (k, 2); less than 0 outside."""
    depths = []
    for a, b in permutations(points, 2):
        along = b - a
        if (length := float(np.hypot(*along))) > 1e-9:
            normal = np.array([-along[1], along[0]]) / length
            if ((points - a) @ normal).min() > -1e-9:
                depths.append(float((point - a) @ normal))
    return min(depths, default=np.inf)
