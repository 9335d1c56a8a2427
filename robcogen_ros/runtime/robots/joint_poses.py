"""Poses of links on their parents, all at once, as functions of their joints' own positions.

A joint turns about, or slides along, one axis through the origin of the link it carries. So the
quaternion is linear in cosine and sine of half the angle, the translation in the position: each
state takes a few operations on all joints together. No pose depends on another joint, so each is as
exact as its own position, however far the robot is from where its root is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.program.summary import OriginSummary

Array = NDArray[np.float64]


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
        """Returns the joints at p = factor p' + offset, as functions of p'; both (m, 1)."""
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


def joint_poses(origins: Sequence[OriginSummary]) -> JointPoses:
    """The table of some joints, fixed ones included, from where they are on their parents."""
    position, still, axes = (
        np.array([getattr(origin, name) for origin in origins]).reshape(-1, width)
        for name, width in (("position", 3), ("quaternion", 4), ("axis", 3))
    )
    turns = np.array([[origin.turns] for origin in origins], bool).reshape(-1, 1)
    pitch = np.array([[origin.pitch] for origin in origins]).reshape(-1, 1)
    slide = np.where(turns, pitch, 1.0) * _rotated(still, axes)
    turned = np.where(turns, _turned_about(still, axes), 0.0)
    half = np.where(turns, 0.5, 0.0)
    return JointPoses(position, slide, still, turned, half, np.zeros_like(half))


def _rotated(quaternion: Array, vectors: Array) -> Array:
    """Vectors turned by quaternions."""
    vector, scalar = quaternion[:, :3], quaternion[:, 3:]
    return vectors + 2 * np.cross(vector, np.cross(vector, vectors) + scalar * vectors)


def _turned_about(quaternion: Array, axes: Array) -> Array:
    """Quaternions half a turn further about axes in the turned frame."""
    vector, scalar = quaternion[:, :3], quaternion[:, 3:]
    turned = scalar * axes + np.cross(vector, axes)
    return np.concatenate([turned, -np.sum(vector * axes, axis=1, keepdims=True)], axis=1)
