"""Distances of links from one another, as capsules around a description's primitive shapes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.identification.carriers import homogeneous
from robcogen_ros.model.description import ShapeDescription
from robcogen_ros.model.robot import Robot
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot

Array = NDArray[np.float64]

_TINY = 1e-12


@dataclass(frozen=True)
class Capsule:
    """All points within a distance of a line on a link.

    Attributes:
        frame: Name of the file's link.
        ends: (2, 3) ends of the line in its axes [m].
        radius: The distance [m].
    """

    frame: str
    ends: Array
    radius: float


def capsules(shapes: Iterable[ShapeDescription]) -> tuple[list[Capsule], list[str]]:
    """Returns capsules around the shapes for collisions, and the links that have other shapes.

    A box lies in the capsule about its longest middle line.

    Args:
        shapes: Those of a description.
    """
    found, others = [], []
    for shape in shapes:
        if shape.visual:
            continue
        half, radius = np.zeros(3), 0.0
        if shape.form == "mesh":
            others.append(shape.link)
            continue
        if shape.form == "box":
            edges = np.array([float(x) for x in shape.sizes]) / 2
            longest = int(np.argmax(edges))
            half[longest] = edges[longest]
            radius = float(np.linalg.norm(np.delete(edges, longest)))
        else:
            radius = float(shape.sizes[0])
            if shape.form != "sphere":
                half[2] = float(shape.sizes[1]) / 2
        pose = homogeneous(shape.pose)
        ends = np.stack([half, -half]) @ pose[:3, :3].T + pose[:3, 3]
        found.append(Capsule(shape.link, ends, radius))
    return found, sorted(set(others))


class Clearance:
    """Tells how far links are from one another; those that a joint connects may touch.

    Attributes:
        pairs: Pairs of capsules that are looked at.
        touching: Names of links that overlap at the middle of all ranges, which are not.
    """

    def __init__(
        self, robot: Robot, compiled: FixedBaseRobot, shapes: Iterable[Capsule], least: float
    ) -> None:
        """Prepares the distances of a robot's links.

        Args:
            robot: The robot.
            compiled: The same, with `kinematics`.
            shapes: Capsules of its links.
            least: Distance that is asked for [m].
        """
        self._robot, self._least = compiled, least
        shapes = [shape for shape in shapes if shape.frame in compiled.frame_names]
        self._frames = [compiled.frame_names.index(shape.frame) for shape in shapes]
        self._ends = np.array([shape.ends for shape in shapes]).reshape(-1, 2, 3)
        self._radii = np.array([shape.radius for shape in shapes])
        links = [robot.frames[robot.frame_index(shape.frame)].link for shape in shapes]
        joined = {(joint.predecessor, joint.successor) for joint in robot.joints}
        self.pairs = np.array(
            [
                (i, j)
                for i, one in enumerate(links)
                for j, other in enumerate(links[:i])
                if one != other and not joined & {(one, other), (other, one)}
            ],
            dtype=np.intp,
        ).reshape(-1, 2)
        limits = compiled.lower_limits, compiled.upper_limits
        middle = np.where(np.isfinite(limits[0] + limits[1]), sum(limits) / 2, 0.0)
        near = self._distances(middle[None])[0] < least
        self.touching = [(shapes[i].frame, shapes[j].frame) for i, j in self.pairs[near].tolist()]
        self.pairs = self.pairs[~near]

    def __call__(self, q: Array) -> Array:
        """Returns (m,) least distances at (m, n) positions, as a part of what is asked for."""
        if not len(self.pairs):
            return np.full(len(q), np.inf)
        distances: Array = self._distances(q).min(axis=1) / self._least
        return distances

    def _distances(self, q: Array) -> Array:
        """Returns (m, pairs) distances."""
        poses = self._robot.frame_poses(q)[:, self._frames]
        ends = np.einsum("mfij,fej->mfei", poses[..., :3, :3], self._ends)
        ends = ends + poses[..., None, :3, 3]
        one, other = ends[:, self.pairs[:, 0]], ends[:, self.pairs[:, 1]]
        radii = self._radii[self.pairs].sum(axis=1)
        middle = between(one[..., 0, :], one[..., 1, :], other[..., 0, :], other[..., 1, :])
        return np.asarray(middle - radii, dtype=np.float64)


def between(p: Array, p_end: Array, q: Array, q_end: Array) -> Array:
    """Returns the distances (...,) of lines from p to p_end from lines from q to q_end, (..., 3).

    Source: Ericson, Real-Time Collision Detection (2005), 5.1.9.
    """
    d1, d2, r = p_end - p, q_end - q, p - q
    a, e, f = (d1 * d1).sum(-1), (d2 * d2).sum(-1), (d2 * r).sum(-1)
    b, c = (d1 * d2).sum(-1), (d1 * r).sum(-1)
    long1, long2 = np.maximum(a, _TINY), np.maximum(e, _TINY)
    denominator = a * e - b * b
    slanted = denominator > _TINY
    s = np.where(slanted, np.clip((b * f - c * e) / np.where(slanted, denominator, 1), 0, 1), 0.0)
    t = (b * s + f) / long2
    before = (t < 0) | (e <= _TINY)
    s = np.where(before, np.clip(-c / long1, 0, 1), s)
    s = np.where(~before & (t > 1), np.clip((b - c) / long1, 0, 1), s)
    t = np.clip(t, 0, 1)
    apart = r + s[..., None] * d1 - t[..., None] * d2
    return np.asarray(np.linalg.norm(apart, axis=-1))
