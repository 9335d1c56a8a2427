"""The tree of a robot with loops in floats: where its frames are, and what moves them.

The tree's coordinates are those of all joints that no mimic moves, dependent ones too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.closures.closure import FIXED, misalignment
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import Pose

Array = NDArray[np.float64]

_STEPS = 50
_WAY = 0.02
"""Distance between positions on a way [rad or m]."""
_FARTHEST = 20
"""Factor by which a coordinate may go farther than on that way."""
_HALVES = 12
"""Times that a way is halved to find where loops bind on it."""
_CLOSED = 1e-12
"""Gaps below are rounding, relative to the size."""
_DIGITS = 1e-6
"""Gaps below may be those of rows that do not count, whose numbers have few digits."""
_SMALL_STEP = 1e-8
"""Steps below are the last if they no longer shrink [rad or m]."""
_RANK = 1e-7
"""Least singular value of what counts, relative to the largest."""
_COARSE = 2e-4, 1e-4
"""Gaps of the same kind where numbers of the file have few digits, and gaps that then count as
closed."""


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
        closed_at: The largest gap that counts as closed [rad, m].
        cut: Least singular value of what counts, relative to the largest.
    """

    cut = _RANK

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
        self._moves = [self._moved_by(ring) for ring in self.rings]
        self._supports = [
            {i for f in ring.frames for i in robot.support(robot.frames[f].link)}
            for ring in self.rings
        ]
        self._ends = [[_matrix(robot.frames[k].pose) for k in r.frames] for r in self.rings]
        self.closed_at = _DIGITS * max(self.size, 1.0)

    def _ring(self, name: str, first: str, second: str, fixed: str) -> Ring:
        frames = self.robot.frame_index(first), self.robot.frame_index(second)
        up, down = (self.robot.support(self.robot.frames[k].link) for k in frames)
        shared = [a == b for a, b in zip(up, down, strict=False)]
        above = shared.index(False) if False in shared else len(shared)
        return Ring(name, frames, FIXED[fixed], up[above:][::-1], down[above:])

    def _moved_by(self, ring: Ring) -> tuple[Array, Array, Array]:
        """Returns how joints of a loop turn and slide, (m, 1), by which coordinate, (m, n)."""
        signs = [-1.0] * len(ring.up) + [1.0] * len(ring.down)
        columns = np.zeros((max(len(signs), 1), self.robot.n))  # of a loop that nothing moves, one
        turns, slides = np.zeros((2, len(columns), 1))
        for row, (i, sign) in enumerate(zip(ring.joints, signs, strict=True)):
            coordinate, ratio, _ = self._follows[i]
            columns[row, coordinate] = sign * ratio
            turns[row], slides[row] = self.robot.joints[i].kind.turns, self._slides[i]
        return turns, slides, columns

    @cached_property
    def size(self) -> float:
        """A length to compare gaps with [m]: the longest way from joint to joint in a loop."""
        lengths = [
            np.linalg.norm(matrix[:3, 3])
            for ring, ends in zip(self.rings, self._ends, strict=True)
            for matrix in (*(self._placed[k] for k in ring.joints), *ends)
        ]
        return float(max(lengths, default=0.0)) or 1.0

    @cached_property
    def slid(self) -> list[bool]:
        """True for each coordinate that slides joints, (n,)."""
        sliding = {j.coordinate for j in self.robot.joints if j.kind.slides}
        return [k in sliding for k in range(self.robot.n)]

    def poses(self, q: Array, joints: Iterable[int] | None = None) -> list[Array]:
        """Pose of each link in the base, (..., 4, 4).

        Args:
            q: (..., n) positions.
            joints: Numbers of those that matter; others are taken to be at zero.
        """
        poses = [np.eye(4)] * len(self.robot.links)
        for i in range(len(self.robot.joints)) if joints is None else sorted(joints):
            joint, (k, multiplier, offset) = self.robot.joints[i], self._follows[i]
            position = multiplier * q[..., k] + offset
            moved = np.zeros((*q.shape[:-1], 4, 4)) + np.eye(4)
            moved[..., 2, 3] = self._slides[i] * position
            if joint.kind.turns:
                c, s = np.cos(position), np.sin(position)
                moved[..., 0, 0] = moved[..., 1, 1] = c
                moved[..., 1, 0], moved[..., 0, 1] = s, -s
            poses[joint.successor] = poses[joint.predecessor] @ (self._placed[i] @ moved)
        return poses

    def gaps(self, q: Array) -> list[Array]:
        """Returns the gaps of each loop's rows [rad, m], (rows,), turns however large."""
        poses, found = self.poses(q), []
        for k, ring in enumerate(self.rings):
            off, X = self._between(poses, k)
            turned = _turn(X[:3, :3], off) if ring.fixed[:3] == (0, 1, 2) else off[:3]
            found.append(np.concatenate([turned, off[3:]]))
        return found

    def jacobians(self, q: Array) -> list[Array]:
        """The rows of each loop, (..., rows, n): Jacobian of its second frame in the first."""
        poses = self.poses(q)
        return [self._rows(poses, k) for k in range(len(self.rings))]

    def part(self, q: Array, rings: Sequence[int]) -> tuple[list[Array], list[Array]]:
        """Returns the gaps of some loops' rows, to first order, and their `jacobians`."""
        poses = self.poses(q, {i for k in rings for i in self._supports[k]})
        return [self._between(poses, k)[0] for k in rings], [self._rows(poses, k) for k in rings]

    def twists(self, q: Array) -> Array:
        """Velocity of each link per unit rates about the base's origin, (links, 6, n)."""
        poses = self.poses(q)
        found = np.zeros((len(poses), 6, self.robot.n))
        for i, joint in enumerate(self.robot.joints):
            k, ratio, _ = self._follows[i]
            axis, place = poses[joint.successor][:3, 2], poses[joint.successor][:3, 3]
            turn = axis * (ratio * joint.kind.turns)
            found[joint.successor] = found[joint.predecessor]
            found[joint.successor, :3, k] += turn
            found[joint.successor, 3:, k] += np.cross(place, turn) + axis * ratio * self._slides[i]
        return found

    def axes(self, q: Array, ring: Ring) -> Array:
        """Directions of the axes of a loop's joints in the base, (joints, 3)."""
        poses = self.poses(q)
        return np.array([poses[self.robot.joints[k].successor][:3, 2] for k in ring.joints])

    def judge(self, samples: Sequence[Array]) -> None:
        """Takes what is left at closed positions for what counts as closed from now on."""
        left = max(self.left(q) for q in samples)
        self.closed_at = max(_CLOSED * max(self.size, 1.0), 10 * left)

    def coarsen(self) -> None:
        """Leaves out rows that agree with others to few digits."""
        self.cut, self.closed_at = _COARSE[0], _COARSE[1] * self.size

    def rank(self, matrix: Array) -> int:
        """Returns the number of rows of a matrix that are independent."""
        return rank(matrix, self.cut)

    def is_sure(self, samples: Sequence[Array]) -> bool:
        """Returns True if as many rows count as with fewer digits."""
        every = [np.concatenate(self.jacobians(q)) for q in samples]
        return max(map(rank, every)) == max(rank(K, _COARSE[0]) for K in every)

    def closed(self, q: Array) -> Array | None:
        """The nearest position where the loops are closed; None if none is found."""
        found = self.nearest(q)
        return found if self._is_closed(found) else None

    def left(self, q: Array) -> float:
        """The largest gap [rad or m]."""
        return float(np.abs(np.concatenate(self.gaps(q))).max())

    def _is_closed(self, q: Array) -> bool:
        return self.left(q) < self.closed_at

    def nearest(self, q: Array) -> Array:
        """The nearest position where the loops are closed as far as they can be.

        Of frames that are far turned, steps to first order leave more where it is; but they may end
        where one is upside down.
        """
        found = self._nearest(q, lambda q: self.part(q, range(len(self.rings))))
        if self._is_closed(found):
            return found
        return self._nearest(q, lambda q: (self.gaps(q), self.jacobians(q)))

    def _nearest(self, q: Array, rows: Callable[[Array], tuple[list[Array], list[Array]]]) -> Array:
        last = math.inf
        for _ in range(_STEPS):
            gap, K = map(np.concatenate, rows(q))
            step = np.linalg.lstsq(K, gap, rcond=self.cut)[0]
            length = float(np.abs(step).max())
            if np.abs(gap).max() < _CLOSED * max(self.size, 1.0):
                break
            if last / 2 < length < _SMALL_STEP:
                break
            q, last = q - step * min(1.0, 0.5 / max(length, 1e-300)), length
        return q

    def nearer(self, q: Array, to: Array) -> Array:
        """The closed position nearest to another that a way leads to from a closed one."""
        for _ in range(_STEPS):
            K, back = np.concatenate(self.jacobians(q)), to - q
            back = back - np.linalg.lstsq(K, K @ back, rcond=self.cut)[0]
            found = self.closed(q + back * min(1.0, 0.2 / max(float(np.abs(back).max()), 1e-300)))
            if found is None or np.linalg.norm(found - to) > np.linalg.norm(q - to) - 1e-6:
                break
            q = found
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
                q[free] -= np.linalg.lstsq(J, np.concatenate(self.gaps(q)), rcond=self.cut)[0]
            if not self._is_closed(q) or np.abs(q - before).max() > _FARTHEST * _WAY:
                return None
        return q

    def last_on_way(self, q: Array, to: Mapping[int, float]) -> Array:
        """The last values of `to` on the way there, (len(to),), at which the loops are closed."""
        start, goal = q[list(to)], np.array(list(to.values()))
        near, far = 0.0, 1.0
        for _ in range(_HALVES):
            half = (near + far) / 2
            there = start + half * (goal - start)
            closed = self.moved(q, dict(zip(to, map(float, there), strict=True))) is not None
            near, far = (half, far) if closed else (near, half)
        return start + near * (goal - start)

    def _between(self, poses: Sequence[Array], k: int) -> tuple[Array, Array]:
        """Returns the gaps of a loop's rows, and the pose of its second frame in the first."""
        ring, ends = self.rings[k], self._ends[k]
        first, second = (
            poses[self.robot.frames[f].link] @ end for f, end in zip(ring.frames, ends, strict=True)
        )
        R, apart = np.swapaxes(first[..., :3, :3], -1, -2), second[..., :3, 3] - first[..., :3, 3]
        X = np.concatenate([R @ second[..., :3, :3], R @ apart[..., None]], axis=-1)
        by_entry = np.moveaxis(X, (-2, -1), (0, 1))
        off = np.broadcast_arrays(*misalignment([*by_entry[:, :3]], ring.fixed), *by_entry[:, 3])
        return np.stack([off[row] for row in ring.fixed], axis=-1), X

    def _rows(self, poses: Sequence[Array], k: int) -> Array:
        ring, ends = self.rings[k], self._ends[k]
        first, second = (
            poses[self.robot.frames[f].link] @ end for f, end in zip(ring.frames, ends, strict=True)
        )
        moved = np.stack(
            [poses[self.robot.joints[i].successor] for i in ring.joints] or [first], -3
        )
        turns, slides, columns = self._moves[k]
        axes, away = moved[..., :3, 2], second[..., None, :3, 3] - moved[..., :3, 3]
        turn, slide = axes * turns, axes * slides
        R = first[..., :3, :3]
        linear = slide + _cross(turn, away)
        J: Array = np.swapaxes(np.concatenate([turn @ R, linear @ R], axis=-1), -1, -2)
        return J[..., list(ring.fixed), :] @ columns


def _cross(a: Array, b: Array) -> Array:
    """The product of vectors; `numpy.cross` takes ten times as long for few."""
    (ax, ay, az), (bx, by, bz) = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def _turn(R: Array, off: Array) -> Array:
    """Returns axis times angle of a frame's turn against another, (3,) [rad].

    Args:
        R: Its axes are the columns, in the other's coordinates.
        off: The same to first order, (3,) at least, which is none after half a turn too.
    """
    sine, cosine = float(np.linalg.norm(off[:3])), (np.trace(R) - 1) / 2
    turn: Array = off[:3]
    if sine > 1e-8:
        turn = turn * (np.arctan2(sine, cosine) / sine)
    elif cosine < 0:
        axis = (R + np.eye(3))[np.argmax(np.diag(R))]
        turn = axis * (np.pi / np.linalg.norm(axis))
    return turn


def rank(matrix: Array, cut: float = _RANK) -> int:
    """Returns the number of rows of a matrix that are independent."""
    values = np.linalg.svd(matrix, compute_uv=False) if matrix.size else np.zeros(0)
    return int((values > cut * max(values.max(initial=0.0), 1e-300)).sum())


def _slide(joint: Joint) -> float:
    """Returns the distance that a joint slides per unit position."""
    return float(joint.kind.travel(1)) if joint.kind.turns else 1.0


def _matrix(pose: Pose) -> Array:
    matrix = np.eye(4)
    matrix[:3, :3] = [[float(x) for x in row] for row in pose.rotation]
    matrix[:3, 3] = [float(x) for x in pose.translation]
    return matrix
