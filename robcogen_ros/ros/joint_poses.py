"""Poses of links on their parents, all at once, as functions of their joints' own positions.

A joint turns about, or slides along, one axis through the origin of the link it carries. So the
quaternion is linear in cosine and sine of half the angle, the translation in the position: the
generated kinematics gives a table of numbers once, and each state takes a few operations on all
joints together. No pose depends on another joint, so each is as exact as its own position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.model.quaternions import quaternions

_QUARTER = pi / 2


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint of the file: its name, the link it is on, the link it carries."""

    name: str
    parent: str
    child: str


@dataclass(frozen=True, slots=True)
class JointPoses:
    """A joint a row: with p, it is at `origin + slide p`, turned by the angle `2 (half p + start)`.

    Attributes:
        origin: (m, 3) translation at p = 0 [m].
        slide: (m, 3) translation per p; 0 for a joint that turns.
        still: (m, 4) quaternion x, y, z, w at no angle.
        turned: (m, 4) quaternion half a turn further; 0 for a joint that slides.
        half: (m, 1) half the angle per p; 0 for a joint that slides.
        start: (m, 1) half the angle at p = 0.
    """

    origin: Array
    slide: Array
    still: Array
    turned: Array
    half: Array
    start: Array

    def rows(self, indices: Sequence[int]) -> JointPoses:
        """Some of the joints."""
        chosen = np.asarray(indices, np.intp)
        parts = (self.origin, self.slide, self.still, self.turned, self.half, self.start)
        return JointPoses(*(part[chosen] for part in parts))

    def following(self, factors: Array, offsets: Array) -> JointPoses:
        """The same joints at p = factor p' + offset, as functions of p'; both (m, 1)."""
        return JointPoses(
            self.origin + self.slide * offsets,
            self.slide * factors,
            self.still,
            self.turned,
            self.half * factors,
            self.start + self.half * offsets,
        )

    def at(self, p: Array) -> Array:
        """Poses where the joints are at p, (m, 1) [rad or m].

        Returns:
            (m, 7) translation x, y, z [m], then quaternion x, y, z, w; w is not negative.
        """
        angles = self.half * p
        angles += self.start
        rotations = self.still * np.cos(angles)
        rotations += self.turned * np.sin(angles)
        poses = np.empty((len(p), 7))
        np.multiply(rotations, np.copysign(1.0, rotations[:, 3:]), out=poses[:, 3:])
        np.add(self.origin, self.slide * p, out=poses[:, :3])
        return poses


def joint_poses(robot: Any, joints: Sequence[Joint]) -> JointPoses:
    """The table of a robot's joints, fixed ones included.

    Args:
        robot: A robot of `robcogen_ros.build()` or `load()`.
        joints: Some of the robot's joints.
    """
    translations, rotations = _measured(robot, joints)
    origin, moved = translations
    start, end = rotations
    difference = start.swapaxes(1, 2) @ end
    axes = (difference - difference.swapaxes(1, 2))[:, [2, 0, 1], [1, 2, 0]] / 2
    turning = np.linalg.norm(axes, axis=1) > 0.5
    slide = np.where(turning[:, None], 0.0, (moved - origin) / _QUARTER)
    still = quaternions(start)
    turned = np.where(turning[:, None], _turned_about(still, axes), 0.0)
    half = np.where(turning, 0.5, 0.0)[:, None]
    return JointPoses(origin, slide, still, turned, half, np.zeros_like(half))


def _measured(robot: Any, joints: Sequence[Joint]) -> tuple[Array, Array]:
    """Translations (2, m, 3) and rotations (2, m, 3, 3) at positions 0 and pi/2."""
    positions = np.array([0.0, _QUARTER])
    q = np.zeros((2, len(joints), robot.n))
    places = {name: (k, 1.0, 0.0) for k, name in enumerate(robot.joint_names)}
    followers = {
        name: (robot.joint_names.index(leader), multiplier, offset)
        for name, (leader, multiplier, offset) in robot.mimic.items()
    }
    for row, joint in enumerate(joints):
        k, multiplier, offset = {**followers, **places}.get(joint.name, (0, 0.0, 0.0))
        if multiplier:
            q[:, row, k] = (positions - offset) / multiplier
    names = {name: i for i, name in reversed(list(enumerate(robot.frame_names)))}
    poses = robot.frame_poses(q)
    rows = np.arange(len(joints))
    bases = poses[:, rows, [_frame(names, joint.parent) for joint in joints]]
    links = poses[:, rows, [_frame(names, joint.child) for joint in joints]]
    back = bases[..., :3, :3].swapaxes(-1, -2)
    offsets = (links[..., :3, 3] - bases[..., :3, 3])[..., None]
    return (back @ offsets)[..., 0], back @ links[..., :3, :3]


def _frame(names: dict[str, int], link: str) -> int:
    return names[link] if link in names else names[f"fr_{link}"]


def _turned_about(quaternion: Array, axes: Array) -> Array:
    """Quaternions half a turn further about axes in the turned frame."""
    vector, scalar = quaternion[:, :3], quaternion[:, 3:]
    turned = scalar * axes + np.cross(vector, axes)
    return np.concatenate([turned, -np.sum(vector * axes, axis=1, keepdims=True)], axis=1)
