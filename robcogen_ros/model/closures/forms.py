"""Forms in which positions of joints follow from loops: a triangle, or Newton's steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import Problem
from robcogen_ros.model.closures.closure import FIXED
from robcogen_ros.model.closures.rods import Rod
from robcogen_ros.model.closures.spanning_tree import Ring, SpanningTree
from robcogen_ros.model.closures.starts import DEGREES, Start, fitted
from robcogen_ros.model.description import ClosureDescription

Array = NDArray[np.float64]

LINEAR = 1e-9
"""Distance from linear functions of positions that are these [rad or m]."""
_PARALLEL = 1e-9
_TRIED, _NEAR, _FAR = 1000, 0.7, 1.5
"""Positions that are tried, the share of them within 1 rad or m, and how far others are."""
_MOST_STEPS = 12
_MOST_SIDED = 8
"""Joints whose determinant is computed to tell one way to close loops from another."""
_REACHED = 1e-9
_LEFT = 2e-14
"""Gaps below are closed: rounding, of links of up to a metre [rad or m]."""
_BEYOND = 0.05
"""Distance beyond limits within which positions count [rad or m]."""
_WAY = 6
"""Positions on the way to one that is tried."""
_FEWEST, _STROKE = 50, 1e-2
"""Positions that are to be reached, else nearer ones are tried, and how near [rad or m]."""


@dataclass(frozen=True, slots=True)
class ClosureForms:
    """Facts of loops over floats, from which their forms are chosen.

    Attributes:
        tree: The tree.
        begin: Where the loops are written, closed.
        samples: Closed positions.
        jacobians: The rows of each loop there.
        limits: Ends of the range of each coordinate, two arrays (n,).
        newtons: Newton's method of those that are solved so, by the name of the first.
    """

    tree: SpanningTree
    begin: Array
    samples: Sequence[Array]
    jacobians: Sequence[Sequence[Array]]
    limits: tuple[Array, Array]
    newtons: dict[str, Newton] = field(default_factory=dict)

    @property
    def led(self) -> list[int]:
        """Numbers of joints that follow one whose coordinate they have."""
        robot = self.tree.robot
        return [k for k, j in enumerate(robot.joints) if j.name != robot.joint_names[j.coordinate]]

    def rows(
        self, group: Sequence[int], columns: Sequence[int]
    ) -> tuple[tuple[int, ...], ...] | None:
        """Returns as many rows of loops as joints follow, a tuple a loop; or None.

        They are those that are farthest from singular at all samples.
        """
        each = [np.concatenate([rows[k][:, columns] for k in group]) for rows in self.jacobians]
        own = np.array(each)
        chosen: list[int] = []
        if own.shape[1] < len(columns):
            return None
        for _ in columns:
            left = [row for row in range(own.shape[1]) if row not in chosen]
            best = max(left, key=lambda row: round(_least(own, [*chosen, row], self.tree.cut), 9))
            chosen.append(best)
        if not _least(own, chosen, self.tree.cut) > 0:
            return None
        found, first = [], 0
        for k in group:
            fixed = self.tree.rings[k].fixed
            found.append(
                tuple(fixed[i - first] for i in sorted(chosen) if 0 <= i - first < len(fixed))
            )
            first += len(fixed)
        return tuple(found)

    def single(self, columns: Sequence[int]) -> bool:
        """Returns True if each of some coordinates moves one joint."""
        return not any(self.tree.robot.joints[k].coordinate in columns for k in self.led)

    def corners(
        self, ring: Ring, rows: Sequence[int], columns: Sequence[int]
    ) -> tuple[int, ...] | None:
        """Joints at the corners of a loop's triangle, -1 for the loop; None if there is none.

        The loop is one if it lets its frames turn in the plane: none of its rows that count turns.
        """
        joints = self.tree.robot.joints
        moved = [k for k in ring.joints if joints[k].coordinate in columns]
        slides = np.array([joints[k].kind.slides for k in moved])
        screws = any(joints[k].kind.turns and joints[k].kind.slides for k in moved)
        if len(moved) not in (2, 3) or {*moved} & {*self.led} or slides.sum() > 1 or screws:
            return None
        if len(moved) == 2 and min(rows) < 3:
            return None
        places = [ring.joints.index(k) for k in moved]
        for q in self.samples:
            axes = self.tree.axes(q, ring)[places]
            normal, along = axes[~slides][0], axes[slides]
            off = np.cross(axes[~slides], normal)
            if max(np.abs(off).max(), np.abs(along @ normal).max(initial=0)) > _PARALLEL:
                return None
        return tuple(moved) if len(moved) == 3 else (-1, *moved)

    def linear(
        self, leaders: Sequence[int], followers: Sequence[int]
    ) -> tuple[tuple[tuple[int, ...], float], ...] | None:
        """Ratios 1, -1 and 0 to some coordinates, and the offset, of each of others, if it has."""
        q, found = np.array(self.samples), []
        given = np.column_stack([q[:, leaders], np.ones(len(q))])
        for k in followers:
            ratios = np.round(np.linalg.lstsq(given, q[:, k], rcond=None)[0][:-1])
            offsets = q[:, k] - q[:, leaders] @ ratios
            if np.ptp(offsets) > LINEAR or not ratios.any():
                return None
            found.append((tuple(int(ratio) for ratio in ratios), rounded(float(offsets.mean()))))
        return tuple(found)

    def signs(self, ring: Ring, corners: Sequence[int]) -> tuple[int, ...]:
        """Returns the side of each corner on which the triangle lies where it is written.

        Of one with a joint that slides it is the sign of the way that this one leads.
        """
        poses = self.tree.poses(self.begin)
        robot = self.tree.robot
        frame = robot.frames[ring.frames[0]]
        end = poses[frame.link] @ np.array([*(float(x) for x in frame.pose.translation), 1.0])
        links = [robot.joints[c].successor if c >= 0 else 0 for c in corners]
        points = [
            end[:3] if c < 0 else poses[link][:3, 3] for c, link in zip(corners, links, strict=True)
        ]
        axis = poses[robot.joints[corners[-1]].successor][:3, 2]
        signs = []
        for i, link in enumerate(links):
            here, before, after = points[i], points[i - 1], points[(i + 1) % len(points)]
            if corners[i] >= 0 and robot.joints[corners[i]].kind.slides:
                outwards = 1 if corners[i] in ring.down else -1
                return (outwards * int(np.sign((after - before) @ poses[link][:3, 2])),)
            own = axis if corners[i] < 0 else poses[link][:3, 2]
            signs.append(int(np.sign(np.cross(before - here, after - here) @ own)))
        return tuple(signs)

    def newton(
        self,
        group: Sequence[int],
        rows: Sequence[Sequence[int]],
        columns: Sequence[int],
        hung: Sequence[Rod] = (),
    ) -> Newton:
        """Newton's method for loops, of which the rows that count and rods are known."""
        if hung:
            return _Distances(self.tree, self.begin, hung, columns)
        return Newton(self.tree, self.begin, group, rows, columns)

    def steps(self, newton: Newton, way: Newton, drivers: Sequence[int]) -> float:
        """Finds how many steps lead to positions within 1 rad or m; which part of these they miss.

        Positions that are tried are reached from where the loops are written on a straight way of
        the drivers, on which `way` closes these loops and those that move their other joints;
        those that cannot be reached so do not count, nor those beyond limits, in place
        of which positions on these ways are tried.
        """
        random = np.random.default_rng(54)
        own = list(drivers)
        low, high = (x + side * _BEYOND for x, side in zip(self.limits, (-1, 1), strict=True))
        far = np.where(np.arange(_TRIED) < _NEAR * _TRIED, 1.0, _FAR)[:, None]
        ends = (np.clip((x - self.begin)[own], -far, far) for x in (low, high))
        least, most = (
            np.where(x * side > 0, x, side * far) for x, side in zip(ends, (-1, 1), strict=True)
        )
        away = random.uniform(least, most)
        newton.steps = way.steps = _MOST_STEPS
        passed = self._on_way(way, own, away)
        while len(passed[-1]) < _FEWEST and np.abs(away).max() > _STROKE:
            away = away / 2
            passed = self._on_way(way, own, away)
        there = passed[-1]
        inside = [x[((low < x) & (x < high)).all(axis=1)] for x in passed]
        there = np.concatenate(inside)[-_TRIED:] if any(map(len, inside)) else there
        tried = there[(np.abs(there - self.begin)[:, own] <= 1).all(axis=1)]
        found = []
        for newton.near in (None, *(newton.fitted(there, own, degree) for degree in DEGREES)):
            count = newton.led(tried)
            missed = float(np.sum(count == 0) / max(len(tried), 1))
            found.append((missed, int(count.max(initial=0)), newton.near))
        best = min(found, key=lambda each: (round(each[0], 2), each[1]))
        missed, newton.steps, newton.near = best
        if newton.near:
            newton.near = replace(newton.near, without=max(newton.steps, found[0][1]))
        return missed

    def _on_way(self, way: Newton, drivers: Sequence[int], away: Array) -> list[Array]:
        """Closed positions, each part of the way of drivers farther, as far as all are closed."""
        there, found = np.repeat(self.begin[None], len(away), axis=0), list[Array]()
        for _ in range(_WAY):
            there[:, drivers] += away / _WAY
            there, count = way.closed(there)
            there, away = there[count > 0], away[count > 0]
            found.append(there.copy())
        return found


class Newton:
    """Newton's method for the dependent joints of some loops, see `mechanics.loops.steps`.

    Attributes:
        steps: How many steps, at most.
        near: Where they start, of the coordinates `drivers`; where loops are written if none.
        drivers: Numbers of these.
        sides: The sign of the determinant of what is solved; none of more than a few joints.
        closed_at: Sum of the squares of gaps of what counts as closed, half of those at run time.
    """

    steps = _MOST_STEPS
    near: Start | None = None
    drivers: Sequence[int] = ()

    def __init__(
        self,
        tree: SpanningTree,
        begin: Array,
        group: Sequence[int],
        rows: Sequence[Sequence[int]],
        columns: Sequence[int],
    ) -> None:
        """Prepares it.

        Args:
            tree: The tree.
            begin: Where the loops are written, closed.
            group: Numbers of the loops.
            rows: Of each of them those that count.
            columns: Numbers of the coordinates that follow.
        """
        self._tree, self._columns, self._begin = tree, list(columns), begin
        self._reached = max(_REACHED, 100 * tree.closed_at)
        self.closed_at = (_LEFT * max(tree.size, 1.0)) ** 2
        kinds = {j.coordinate: j.kind for j in tree.robot.joints}
        moved = [j.coordinate for j in tree.robot.joints]
        self._turning = [
            kinds[c].turns and not kinds[c].slides and moved.count(c) == 1 for c in columns
        ]
        self._rows = [
            (k, [tree.rings[k].fixed.index(row) for row in own])
            for k, own in zip(group, rows, strict=True)
        ]
        _, (K,) = self._gap_and_rates(begin[None])
        self._side = int(np.sign(np.linalg.det(K)))
        self.sides = (self._side,) if len(K) <= _MOST_SIDED else ()

    def led(self, q: Array) -> NDArray[np.int64]:
        """Returns the number of steps that lead to closed positions; 0 for too many."""
        start = q.copy()
        start[:, self._columns] = self._begin[self._columns]
        if self.near is not None:
            start[:, self._columns] = np.stack(self.near.at(list(q[:, self.drivers].T)), axis=1)
        found, count = self.closed(start)
        off = (found - q)[:, self._columns]
        off = np.where(self._turning, np.angle(np.exp(1j * off)), off)
        return np.where(np.abs(off).max(axis=1, initial=0) < self._reached, count, 0)

    def fitted(self, q: Array, drivers: Sequence[int], degree: int) -> Start | None:
        """Returns polynomials of the coordinates at which steps may start."""
        self.drivers = drivers
        return fitted(q[:, drivers], q[:, self._columns], degree)

    def closed(self, q: Array) -> tuple[Array, NDArray[np.int64]]:
        """Positions, (m, n), and the steps to each; 0 where they do not lead to one."""
        q, counts, open_ = q.copy(), np.zeros(len(q), dtype=np.int64), np.arange(len(q))
        gap, K = self._gap_and_rates(q)
        for number in range(1, self.steps + 1):
            step = np.linalg.solve(K, gap[..., None])[..., 0]
            turned = 2 * np.arctan(step / 2)
            q[open_[:, None], self._columns] -= np.where(self._turning, turned, step)
            before = (gap * gap).sum(axis=1)
            gap, K = self._gap_and_rates(q[open_])
            left, det = (gap * gap).sum(axis=1), np.linalg.det(K)
            on = (left < before / 4 + self.closed_at) & (np.abs(det) > 0)
            far = ~(left < self.closed_at)
            counts[open_[~far & on & (np.sign(det) == self._side)]] = number
            on &= far
            open_, gap, K = open_[on], gap[on], K[on]
            if not len(open_):
                break
        return q, counts

    def _gap_and_rates(self, q: Array) -> tuple[Array, Array]:
        gaps, jacobians = self._tree.part(q, [k for k, _ in self._rows])
        own = [rows for _, rows in self._rows]
        gap = np.concatenate([g[:, k] for g, k in zip(gaps, own, strict=True)], axis=1)
        K = np.concatenate([J[:, k] for J, k in zip(jacobians, own, strict=True)], axis=1)
        return gap, K[:, :, self._columns]


class _Distances(Newton):
    """Newton's method by the distances of rods' ends, for the joints that are not in rods."""

    def __init__(
        self, tree: SpanningTree, begin: Array, hung: Sequence[Rod], columns: Sequence[int]
    ) -> None:
        frames = (*tree.robot.frames, *(rod.hub for rod in hung))
        loops = [(rod.hub.name, rod.hub.name, rod.far.name, "point") for rod in hung]
        ways = SpanningTree(replace(tree.robot, frames=frames), loops)
        own = {tree.robot.joints[k].coordinate for rod in hung for k in rod.joints}
        numbers = range(len(hung))
        rows = [FIXED["point"]] * len(hung)
        self._lengths = np.array([rod.length for rod in hung])
        super().__init__(ways, begin, numbers, rows, [c for c in columns if c not in own])

    def _gap_and_rates(self, q: Array) -> tuple[Array, Array]:
        ways, jacobians = self._tree.part(q, range(len(self._lengths)))
        w, J = np.stack(ways, axis=1), np.stack(jacobians, axis=1)
        gap = ((w * w).sum(axis=-1) / self._lengths - self._lengths) / 2
        rates = np.einsum("mki,mkij->mkj", w, J) / self._lengths[:, None]
        return gap, rates[:, :, self._columns]


def not_led(closure: ClosureDescription, steps: int, missed: float) -> Problem:
    """Returns the warning that steps do not lead to all positions."""
    message = (
        f"loop '{closure.loops[0].name}': {steps} steps of Newton's "
        f"method do not lead to {missed:.1%} of the positions within 1 rad or m; there results "
        "are NaN"
    )
    return Problem(message, closure.loops[0].location, "warning")


def as_written(names: Sequence[str], q: Array) -> str:
    """A position as files of loops have it, without joints at zero."""
    moved = ((name, x) for name, x in zip(names, q, strict=True) if abs(x) > 1e-9)
    return f"{{{', '.join(f'{name}: {x:.6g}' for name, x in moved)}}}"


def rounded(position: float) -> float:
    """A position without what rounding left of zero."""
    return 0.0 if abs(position) < LINEAR else float(position)


def _least(samples: Array, rows: Sequence[int], cut: float) -> float:
    """The median of the least singular value of rows at samples; 0 if it is below a cut at any.

    Both are relative to the largest entry.
    """
    values = np.linalg.svd(samples[:, list(rows)], compute_uv=False).min(axis=1)
    scale = np.abs(samples).max(axis=(1, 2))
    relative = values / np.where(scale > 0, scale, 1.0)
    return float(np.median(relative)) if relative.min() > cut else 0.0
