"""Frames of a robot: transforms and Jacobians between any two, from the poses in the base."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.names import FrameNames
from robcogen_ros.program.summary import Summary
from robcogen_ros.runtime.arguments import namespace

Array = NDArray[np.float64]


class Frames:
    """The named frames of a robot.

    Attributes:
        names: Their names.
    """

    def __init__(self, summary: Summary) -> None:
        self._summary = summary
        self.names = tuple(frame.name for frame in summary.frames)
        names = FrameNames(summary.name, ((f.name, f.of_link) for f in summary.frames))
        self._index = names.index
        self._more = [(k, c) for k, joint in enumerate(summary.joints) for c in joint.more]
        self._paths: dict[tuple[int, int], tuple[list[int], Array]] = {}

    def index(self, name: str, argument: str = "frame") -> int:
        """The index of a frame by any name it answers to.

        Raises:
            TypeError: If it is no name.
            RobcogenError: If there is no such frame.
        """
        if not isinstance(name, str):
            raise TypeError(f"{argument}: expected the name of a frame, found {name!r}")
        return self._index(name)

    def homogeneous(self, poses: Array) -> Array:
        """Poses (..., 12, frames) as homogeneous matrices (..., frames, 4, 4)."""
        columns = poses.swapaxes(-1, -2)
        top = columns.reshape(*columns.shape[:-1], 4, 3).swapaxes(-1, -2)
        return _with_last_row(top)

    def transform(self, poses: Array, to: str, frm: str, kind: str) -> Array:
        """The transform to_X_frm, homogeneous, motion or force."""
        matrices = self.homogeneous(poses[..., [self.index(to, "to"), self.index(frm, "frm")]])
        R_to, p_to = matrices[..., 0, :3, :3], matrices[..., 0, :3, 3]
        R_frm, p_frm = matrices[..., 1, :3, :3], matrices[..., 1, :3, 3]
        back = R_to.swapaxes(-1, -2)
        R = back @ R_frm
        p = (back @ (p_frm - p_to)[..., None])[..., 0]
        if kind == "homogeneous":
            return _with_last_row(_concatenate(R, p[..., None]))
        if kind == "motion":
            return _blocks(R, _skew(p) @ R, namespace(R).zeros_like(R))
        if kind == "force":
            return _blocks(R, namespace(R).zeros_like(R), _skew(p) @ R)
        raise ValueError(f"kind: expected 'homogeneous', 'motion' or 'force', found {kind!r}")

    def jacobian(self, poses: Array, axes: Array, base: str, target: str) -> Array:
        """Geometric Jacobian (..., 6, n) of a frame relative to another."""
        i, k = self.index(base, "base"), self.index(target, "target")
        matrices = self.homogeneous(poses[..., [i, k]])
        back = matrices[..., 0, :3, :3].swapaxes(-1, -2)
        columns = self._columns(axes, matrices[..., 1, :3, 3], i, k)
        return _below(back @ columns[..., :3, :], back @ columns[..., 3:, :])

    def full_jacobian(self, poses: Array, axes: Array, target: str) -> Array:
        """Jacobian (..., 6, 6+n) of a frame from [base_velocity; qd], base coordinates."""
        k = self.index(target, "target")
        p = self.homogeneous(poses[..., [k]])[..., 0, :3, 3]
        joints = self._columns(axes, p, None, k)
        xp = namespace(p)
        one = xp.broadcast_to(xp.eye(3, dtype=p.dtype), (*p.shape[:-1], 3, 3))
        base = _blocks(one, -_skew(p), xp.zeros_like(one))
        return _concatenate(base, joints)

    def joints(self, base: str | None, target: str) -> list[int]:
        """The coordinates that move a frame relative to another, or in the robot's base."""
        start = 0 if base is None else self._summary.frames[self.index(base, "base")].link
        end = self._summary.frames[self.index(target, "target")].link
        moving = self._between(start, end)[1].any(axis=0)
        return [int(joint) for joint in np.flatnonzero(moving)]

    def bias_acceleration(
        self, poses: Array, axes: Array, base: str | None, target: str, motion: tuple[Array, Array]
    ) -> Array:
        """dJ/dt qd (..., 6) of a frame relative to another, in its axes; of none, in space.

        Args:
            poses: (..., 12, frames).
            axes: (..., 6, joints).
            base: The other frame.
            target: The frame.
            motion: Velocity of the robot's base, (..., 6), and qd, (..., n).
        """
        i, k = 0 if base is None else self.index(base, "base"), self.index(target, "target")
        v, a = self._motion(axes, k, motion)
        turned, p = self.homogeneous(poses[..., [i, k]])[..., 0, :3, :3], poses[..., 9:, k]
        if base is None:
            turned = np.eye(3)
        else:
            carried, changing = self._motion(axes, i, motion)
            v = v - carried
            a = a - changing - _cross_motion(carried, v)
        moving = v[..., 3:] + np.cross(v[..., :3], p)
        linear = a[..., 3:] + np.cross(a[..., :3], p) + np.cross(v[..., :3], moving)
        both = np.stack(np.broadcast_arrays(a[..., :3], linear), axis=-2)
        return (both @ turned).reshape(*both.shape[:-2], 6)

    def _motion(self, axes: Array, frame: int, motion: tuple[Array, Array]) -> tuple[Array, Array]:
        """Spatial velocity of a frame's link, and acceleration at no qdd, base coordinates."""
        v, qd = motion
        a = np.zeros(6)
        for k in self._summary.supports[self._summary.frames[frame].link]:
            joint = self._summary.joints[k]
            if joint.dependent:
                raise RobcogenError(
                    "bias_acceleration of frames beyond loops is not possible yet; generate "
                    "A_JdQd_B"
                )
            turn = axes[..., k] * (joint.multiplier * qd[..., joint.coordinate, None])
            a = a + _cross_motion(v, turn)
            v = v + turn
        return v, a

    def _columns(self, axes: Array, point: Array, base: int | None, target: int) -> Array:
        """Motion of a point beyond the joints between two frames, base coordinates."""
        frames = self._summary.frames
        start = 0 if base is None else frames[base].link
        joints, to_coordinates = self._between(start, frames[target].link)
        xp = namespace(axes)
        gather = xp.asarray(to_coordinates, dtype=axes.dtype)
        angular = axes[..., :3, joints]
        linear = axes[..., 3:, joints] - _skew(point) @ angular
        return _below(angular @ gather, linear @ gather)

    def _between(self, base: int, target: int) -> tuple[list[int], Array]:
        """The k joints between two links, and the (k, n) matrix that gathers them on q."""
        known = self._paths.get((base, target))
        if known is None:
            below, above = (set(self._summary.supports[link]) for link in (target, base))
            joints = sorted(below ^ above)
            gather = np.zeros((len(joints), len(self._summary.coordinates)))
            for row, k in enumerate(joints):
                joint = self._summary.joints[k]
                gather[row, joint.coordinate] = joint.multiplier * (1.0 if k in below else -1.0)
            columns, further = self._further(joints)
            signs = [[1.0 if self._more[c][0] in below else -1.0] for c in columns]
            gather = np.concatenate([gather, np.reshape(signs, (-1, 1)) * further])
            columns = [len(self._summary.joints) + c for c in columns]
            known = self._paths[base, target] = [*joints, *columns], gather
        return known

    def _further(self, joints: Collection[int]) -> tuple[list[int], Array]:
        """The columns of `axes` after those of all joints that some of these have.

        With a row for each, which is 1 at the coordinate.
        """
        found = [c for c, (k, _) in enumerate(self._more) if k in joints]
        return found, np.eye(len(self._summary.coordinates))[[self._more[c][1] for c in found]]


def _cross_motion(v: Array, m: Array) -> Array:
    """v x m of spatial motion vectors (Featherstone 2008, eq. 2.31)."""
    angular = np.cross(v[..., :3], m[..., :3])
    linear = np.cross(v[..., :3], m[..., 3:]) + np.cross(v[..., 3:], m[..., :3])
    return np.concatenate([angular, linear], axis=-1)


def _skew(p: Array) -> Array:
    """The matrix with which p x v is a product."""
    xp = namespace(p)
    x, y, z = p[..., 0], p[..., 1], p[..., 2]
    zero = xp.zeros_like(x)
    rows = [(zero, -z, y), (z, zero, -x), (-y, x, zero)]
    matrix: Array = xp.stack([xp.stack(row, axis=-1) for row in rows], axis=-2)
    return matrix


def _with_last_row(top: Array) -> Array:
    """Homogeneous matrices (..., 4, 4) of their rows (..., 3, 4)."""
    xp = namespace(top)
    last = xp.broadcast_to(
        xp.asarray([[0.0, 0.0, 0.0, 1.0]], dtype=top.dtype), (*top.shape[:-2], 1, 4)
    )
    return _below(top, last)


def _blocks(diagonal: Array, lower: Array, upper: Array) -> Array:
    """The 6x6 matrix with equal diagonal blocks."""
    return _below(_concatenate(diagonal, upper), _concatenate(lower, diagonal))


def _concatenate(left: Array, right: Array) -> Array:
    joined: Array = namespace(left).concatenate([left, right], axis=-1)
    return joined


def _below(upper: Array, lower: Array) -> Array:
    joined: Array = namespace(upper).concatenate([upper, lower], axis=-2)
    return joined
