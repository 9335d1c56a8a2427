"""The tree of a robot with loops in floats: where its frames are, and what moves them.

The tree's coordinates are those of all joints that no mimic moves, dependent ones too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.closures import FIXED, misalignment
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import Pose

Array = NDArray[np.float64]

_STEPS = 50
_WAY = 0.02
"""Between positions on a way [rad or m]."""
_FARTHEST = 20
"""How much farther than on that way a coordinate may go."""
_CLOSED = 1e-12
"""Gaps below are rounding, relative to the size."""
_RANK = 1e-7
"""Least singular value of what counts, relative to the largest."""


@dataclass(frozen=True, slots=True)
class Ring:
    """A loop in the tree.

    Attributes:
        name: Its name.
        frames: Indices of its two frames.
        fixed: Rows of the Jacobian of the second relative to the first that vanish.
        up: Joints from the first frame's link up to the ancestor that it shares with the other.
        down: Joints from there down to the second frame's link.
    """

    name: str
    frames: tuple[int, int]
    fixed: tuple[int, ...]
    up: tuple[int, ...]
    down: tuple[int, ...]

    @property
    def joints(self) -> tuple[int, ...]:
        """All joints of it in the tree."""
        return (*self.up, *self.down)


class SpanningTree:
    """The tree, and the loops that close it.

    Attributes:
        robot: The tree; none of its joints is dependent.
        rings: The loops.
    """

    def __init__(self, robot: Robot, loops: Sequence[tuple[str, str, str, str]]) -> None:
        """The tree with loops, each with its name, its frames' names, and a word of `FIXED`.

        Raises:
            RobcogenError: If there is no such frame.
        """
        self.robot = robot
        self.rings = [self._ring(*loop) for loop in loops]
        self._placed = [_matrix(joint.pose) for joint in robot.joints]
        self._follows = [(j.coordinate, float(j.multiplier), float(j.offset)) for j in robot.joints]
        self._slides = np.array([_slide(joint) for joint in robot.joints])
        turns = np.array([joint.kind.turns for joint in robot.joints], dtype=float)
        ratios = np.array([ratio for _, ratio, _ in self._follows])
        self._turns = [turns[list(ring.joints)] for ring in self.rings]
        self._signs = [
            ratios[list(ring.joints)] * ([-1.0] * len(ring.up) + [1.0] * len(ring.down))
            for ring in self.rings
        ]
        self._coordinates = [[self._follows[i][0] for i in ring.joints] for ring in self.rings]
        self._ends = [[_matrix(robot.frames[k].pose) for k in r.frames] for r in self.rings]

    def _ring(self, name: str, first: str, second: str, fixed: str) -> Ring:
        frames = self.robot.frame_index(first), self.robot.frame_index(second)
        up, down = (self.robot.support(self.robot.frames[k].link) for k in frames)
        shared = [a == b for a, b in zip(up, down, strict=False)]
        above = shared.index(False) if False in shared else len(shared)
        return Ring(name, frames, FIXED[fixed], up[above:][::-1], down[above:])

    @cached_property
    def size(self) -> float:
        """A length to compare gaps with [m]: the longest way from joint to joint in a loop."""
        lengths = [
            np.linalg.norm(matrix[:3, 3])
            for ring, ends in zip(self.rings, self._ends, strict=True)
            for matrix in (*(self._placed[k] for k in ring.joints), *ends)
        ]
        return float(max(lengths, default=0.0)) or 1.0

    def poses(self, q: Array) -> list[Array]:
        """Pose of each link in the base, (4, 4)."""
        poses = [np.eye(4)]
        for i, joint in enumerate(self.robot.joints):
            k, multiplier, offset = self._follows[i]
            position = multiplier * q[k] + offset
            moved = np.eye(4)
            moved[2, 3] = self._slides[i] * position
            if joint.kind.turns:
                c, s = np.cos(position), np.sin(position)
                moved[:2, :2] = [[c, -s], [s, c]]
            poses.append(poses[joint.predecessor] @ self._placed[i] @ moved)
        return poses

    def gaps(self, q: Array) -> list[Array]:
        """For each loop what its rows are off, (rows,): sines of angles, lengths [m]."""
        poses = self.poses(q)
        return [self._between(poses, k)[0] for k in range(len(self.rings))]

    def jacobians(self, q: Array) -> list[Array]:
        """For each loop the rows that vanish, (rows, tree's coordinates)."""
        poses = self.poses(q)
        return [self._rows(poses, k) for k in range(len(self.rings))]

    def axes(self, q: Array, ring: Ring) -> Array:
        """Directions of the axes of a loop's joints in the base, (joints, 3)."""
        poses = self.poses(q)
        return np.array([poses[self.robot.joints[k].successor][:3, 2] for k in ring.joints])

    def closed(self, q: Array) -> Array | None:
        """The nearest position where the loops are closed; None if none is found."""
        found = self.nearest(q)
        return found if self._is_closed(found) and self._upright(found) else None

    def _is_closed(self, q: Array) -> bool:
        gap = np.concatenate(self.gaps(q))
        return bool(np.abs(gap).max() < _CLOSED * max(self.size, 1.0))

    def nearest(self, q: Array) -> Array:
        """The nearest position where the loops are closed as far as they can be."""
        for _ in range(_STEPS):
            if self._is_closed(q):
                break
            gap = np.concatenate(self.gaps(q))
            step = np.linalg.lstsq(np.concatenate(self.jacobians(q)), gap, rcond=_RANK)[0]
            q = q - step * min(1.0, 0.5 / max(float(np.abs(step).max()), 1e-300))
        return q

    def moved(self, q: Array, to: Mapping[int, float]) -> Array | None:
        """The closed position to which a way leads from another; None if the loops bind on it.

        Args:
            q: The other.
            to: Where coordinates are to be, by their numbers; the way of these is straight.
        """
        given, free = list(to), [k for k in range(len(q)) if k not in to]
        goal = np.array(list(to.values()))
        for left in range(math.ceil(np.abs(goal - q[given]).max(initial=0) / _WAY), 0, -1):
            before, q = q, q.copy()
            q[given] += (goal - q[given]) / left
            for _ in range(_STEPS):
                if self._is_closed(q):
                    break
                J = np.concatenate(self.jacobians(q))[:, free]
                q[free] -= np.linalg.lstsq(J, np.concatenate(self.gaps(q)), rcond=_RANK)[0]
            if not self._is_closed(q) or np.abs(q - before).max() > _FARTHEST * _WAY:
                return None
        return q

    def _upright(self, q: Array) -> bool:
        """Whether no frame that is fixed in all rows stands upside down."""
        poses = self.poses(q)
        rotations = (
            self._between(poses, k)[1][:3, :3] for k, r in enumerate(self.rings) if 2 in r.fixed
        )
        return all(np.trace(R) > 0 for R in rotations)

    def _between(self, poses: Sequence[Array], k: int) -> tuple[Array, Array]:
        """What the rows of a loop are off, and the pose of its second frame in the first."""
        ring, ends = self.rings[k], self._ends[k]
        first, second = (
            poses[self.robot.frames[f].link] @ end for f, end in zip(ring.frames, ends, strict=True)
        )
        X = np.linalg.inv(first) @ second
        off = np.array([*misalignment(X[:3, :3].tolist(), ring.fixed), *X[:3, 3]])
        return off[list(ring.fixed)], X

    def _rows(self, poses: Sequence[Array], k: int) -> Array:
        ring, ends = self.rings[k], self._ends[k]
        first, second = (
            poses[self.robot.frames[f].link] @ end for f, end in zip(ring.frames, ends, strict=True)
        )
        moved = np.array([poses[self.robot.joints[i].successor] for i in ring.joints])
        moved = moved.reshape(-1, 4, 4)  # of a loop that nothing moves any more, none
        axes = moved[:, :3, 2] * self._signs[k][:, None]
        turns = axes * self._turns[k][:, None]
        slides = axes * self._slides[list(ring.joints), None]
        linear = slides + np.cross(turns, second[:3, 3] - moved[:, :3, 3])
        R = first[:3, :3]
        J = np.zeros((self.robot.n, 6))
        np.add.at(J, self._coordinates[k], np.concatenate([turns @ R, linear @ R], axis=1))
        rows: Array = J.T[list(ring.fixed)]
        return rows


def rank(matrix: Array) -> int:
    """How many rows of a matrix are independent."""
    values = np.linalg.svd(matrix, compute_uv=False) if matrix.size else np.zeros(0)
    return int((values > _RANK * max(values.max(initial=0.0), 1e-300)).sum())


def _slide(joint: Joint) -> float:
    """How far a joint slides per unit position."""
    return float(joint.kind.travel(1)) if joint.kind.turns else 1.0


def _matrix(pose: Pose) -> Array:
    matrix = np.eye(4)
    matrix[:3, :3] = [[float(x) for x in row] for row in pose.rotation]
    matrix[:3, 3] = [float(x) for x in pose.translation]
    return matrix
