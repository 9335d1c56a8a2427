"""What follows from the loops of a robot: which joints depend on which, and how.

Ranks are judged at closed positions that are the same every time; where loops are written, they
may be singular. A joint that is a linear function of another becomes one that follows it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import Location, ModelError, Problem
from robcogen_ros.model import number
from robcogen_ros.model.description import (
    ClosureDescription,
    Description,
    JointDescription,
    Limits,
    LoopDescription,
    LoopsDescription,
    Mimic,
)
from robcogen_ros.model.driver_range import DriverRange, followed_limits
from robcogen_ros.model.expression import ONE, expression
from robcogen_ros.model.names import listed, nearest
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spanning_tree import Ring, SpanningTree, rank

Array = NDArray[np.float64]

_SAMPLES = 20
_STRIDE = 0.1
"""How far closed positions are from each other [rad or m]."""
_PARALLEL = 1e-9
_LINEAR = 1e-9
_GAP = 1e-3
"""Largest gap, relative to the size, that is closed."""


def linked(
    description: Description, loops: LoopsDescription, tree: Robot
) -> tuple[Description, list[Problem]]:
    """A description in which joints follow others as its loops make them, and what to tell.

    Args:
        description: The robot.
        loops: What closes its loops.
        tree: Its tree.

    Raises:
        ModelError: If the loops do not close, or joints follow in a way that is not known yet.
    """
    lengths = [p.name for p in description.parameters if p.group != "inertia"]
    if lengths:
        message = (
            f"lengths and angles that depend on parameters ({lengths[0]}) are not possible yet"
        )
        raise ModelError.at(loops.location, message)
    return _Linkage(description, loops, tree).result()


class _Linkage:
    """The analysis."""

    def __init__(self, description: Description, loops: LoopsDescription, tree: Robot) -> None:
        self._description = description
        self._loops = loops
        self._names = tree.joint_names
        self._tree = SpanningTree(tree, [(x.name, *x.frames, x.fixed) for x in loops.loops])
        self._told: list[Problem] = []

    def result(self) -> tuple[Description, list[Problem]]:
        self._begin = self._start()
        self._samples = self._walk(self._begin)
        self._jacobians = [self._tree.jacobians(q) for q in self._samples]
        dependent = self._dependent()
        closures = list(self._closures(dependent))
        linear: dict[str, Mimic] = {}
        for closure in closures:
            follow = [self._linear(name, closure.coordinate) for name in closure.dependent]
            linear |= {
                n: x for n, x in zip(closure.dependent, follow, strict=True) if all(follow) and x
            }
        rest = tuple(c for c in closures if not {*c.dependent} <= {*linear})
        joints = tuple(self._limited(joint, linear, rest) for joint in self._description.joints)
        found = replace(
            self._description,
            joints=joints,
            loops=None,
            closures=rest,
            linked=tuple(loop.name for loop in self._loops.loops),
        )
        return found, self._told

    def _start(self) -> Array:
        """A position where the loops are closed, next to the written one."""
        q = np.zeros(len(self._names))
        for name, value, place in self._loops.positions:
            q[self._coordinate(name, place)] = value
        gaps = self._tree.gaps(q)
        closed = self._tree.closed(q)
        worst = int(np.argmax([np.abs(gap).max() for gap in gaps]))
        gap, loop = float(np.abs(gaps[worst]).max()), self._loops.loops[worst]
        where = f"at the position where it is written the frames of loop '{loop.name}' are "
        where += f"{gap:.3g} (m or rad) apart"
        if closed is None:
            left = max(float(np.abs(gap).max()) for gap in self._tree.gaps(self._tree.nearest(q)))
            nearest_ = f"no position near it closes all loops: {left:.3g} are left"
            self._fail(loop, f"{where}, and {nearest_}; check the frames and what is fixed")
        if gap > _GAP * self._tree.size and not self._loops.positions:
            near = ", ".join(f"{n}: {x:.6g}" for n, x in zip(self._names, closed, strict=True) if x)
            advice = "check the frames, or give a position near which the loops are closed"
            self._fail(loop, f"{where}; {advice}; the nearest is position: {{{near}}}")
        if gap > 1e-9 * self._tree.size and not self._loops.positions:
            self._told.append(Problem(f"{where}; they are closed", loop.location, "warning"))
        return closed

    def _walk(self, start: Array) -> list[Array]:
        """Closed positions, the same ones every time."""
        random, found, q = np.random.default_rng(53), [], start
        for _ in range(50 * _SAMPLES):
            step = random.uniform(-1, 1, len(q))
            K = np.concatenate(self._tree.jacobians(q))
            step = step - np.linalg.lstsq(K, K @ step, rcond=1e-7)[0]
            length = float(np.abs(step).max())
            moved = self._tree.closed(q + step * (_STRIDE / length)) if length > 1e-9 else None
            if moved is not None and np.abs(moved - q).max() < 3 * _STRIDE:
                q = moved
                found.append(q)
            elif moved is None:
                q = start
            if len(found) == _SAMPLES:
                break
        else:
            self._fail(self._loops.loops[0], "the loops leave nothing that moves")
        return found

    def _dependent(self) -> list[str]:
        """Names of the joints that follow, in the order of the tree's coordinates."""
        whole = [np.concatenate(rows) for rows in self._jacobians]
        K = max(whole, key=rank)
        wanted = [self._coordinate(name, place) for name, place in self._loops.independent]
        in_loops = np.flatnonzero(np.abs(K).max(axis=0) > 0)
        last_first = [*reversed([int(k) for k in in_loops if k not in wanted]), *reversed(wanted)]
        chosen: list[int] = []
        for k in last_first:
            if len(chosen) < rank(K) and rank(K[:, [*chosen, k]]) > len(chosen):
                chosen.append(k)
        free = [int(k) for k in in_loops if k not in chosen]
        if wanted and not self._loops.actuated:
            self._check_wanted(wanted, free, [int(k) for k in in_loops])
        if not free:
            self._fail(self._loops.loops[0], "the loops leave no joint of theirs independent")
        if rank(np.concatenate(self._tree.jacobians(self._begin))[:, chosen]) < len(chosen):
            self._fail(
                self._loops.loops[0],
                "the loops are at a dead centre where they are written, from where they can go two "
                "ways; give a position near which they are closed, position: {JOINT: VALUE}",
            )
        return [self._names[k] for k in sorted(chosen)]

    def _check_wanted(
        self, wanted: Sequence[int], free: Sequence[int], in_loops: Sequence[int]
    ) -> None:
        names = listed([f"'{self._names[k]}'" for k in free])
        for k, (name, place) in zip(wanted, self._loops.independent, strict=True):
            if k not in in_loops:
                raise ModelError.at(place, f"joint '{name}' is in no loop: it is independent")
            if k not in free:
                message = f"joint '{name}' cannot be independent beside the others"
                raise ModelError.at(place, f"{message}; {names} could be")
        if len(wanted) < len(free):
            place = self._loops.independent[0][1]
            message = f"expected {len(free)} independent joints, found {len(wanted)}"
            raise ModelError.at(place, f"{message}; {names} are independent")

    def _closures(self, dependent: Sequence[str]) -> Iterator[ClosureDescription]:
        """Loops one after the other, each with the joints that follow from it."""
        open_ = dict(zip(self._tree.rings, self._loops.loops, strict=True))
        known = {name for name in self._names if name not in dependent}
        follows: dict[str, str] = {}
        while open_:
            for ring, loop in open_.items():
                if closure := self._closure(ring, loop, known, follows):
                    break
            else:
                loop = next(iter(open_.values()))
                self._fail(loop, f"loop '{loop.name}' is of a kind that is not known yet; {_KNOWN}")
            known |= {*closure.dependent}
            follows |= dict.fromkeys(closure.dependent, closure.coordinate)
            del open_[ring]
            if closure.dependent:
                yield closure

    def _closure(
        self, ring: Ring, loop: LoopDescription, known: set[str], follows: Mapping[str, str]
    ) -> ClosureDescription | None:
        """What follows from a loop whose other joints are known; None if not all of them are."""
        joints = [self._tree.robot.joints[k] for k in ring.joints]
        names = [self._names[joint.coordinate] for joint in joints]
        new = [name for name in dict.fromkeys(names) if name not in known]
        k = self._tree.rings.index(ring)
        columns = [self._names.index(name) for name in new]
        stacked = np.concatenate([rows[k][:, columns] for rows in self._jacobians], axis=1)
        if len(new) not in (0, 2, 3) or rank(stacked) != len(new):
            return None
        leaders = {follows.get(name, name) for name in names if name in known}
        if not new:
            return ClosureDescription(loop, (), "", (), (), ())
        if len(leaders) != 1:
            several = listed([f"'{name}'" for name in sorted(leaders)])
            message = f"joints of loop '{loop.name}' depend on {several}; {_KNOWN}"
            self._fail(loop, message)
        rows = self._rows(k, columns)
        corners = self._corners(ring, new)
        if rows is None or corners is None:
            return None
        signs = self._signs(ring, corners)
        by_loop = tuple("" if c < 0 else self._tree.robot.joints[c].name for c in corners)
        fixed = tuple(ring.fixed[row] for row in rows)
        return ClosureDescription(loop, fixed, leaders.pop(), tuple(new), by_loop, signs)

    def _rows(self, k: int, columns: Sequence[int]) -> tuple[int, ...] | None:
        """As many rows of a loop as joints follow, those that are farthest from singular."""
        own = [rows[k][:, columns] for rows in self._jacobians]
        chosen: list[int] = []
        for _ in columns:
            left = [row for row in range(len(own[0])) if row not in chosen]
            best = max(left, key=lambda row: round(_least(own, [*chosen, row]), 9))
            chosen.append(best)
        return tuple(sorted(chosen)) if _least(own, chosen) > 0 else None

    def _corners(self, ring: Ring, new: Sequence[str]) -> tuple[int, ...] | None:
        """Joints at the corners of the loop's triangle, -1 for the loop; None if there is none."""
        robot = self._tree.robot
        moved = [k for k in ring.joints if self._names[robot.joints[k].coordinate] in new]
        plain = all(
            robot.joints[k].kind.turns
            and not robot.joints[k].kind.slides
            and robot.joints[k].multiplier == ONE
            for k in moved
        )
        followers = [j for j in robot.joints if self._names[j.coordinate] in new]
        if len(moved) != len(new) or len(followers) != len(new) or not plain:
            return None
        places = [ring.joints.index(k) for k in moved]
        for q in self._samples:
            axes = self._tree.axes(q, ring)[places]
            if np.abs(np.cross(axes, axes[0])).max() > _PARALLEL:
                return None
        return tuple(moved) if len(moved) == 3 else (-1, *moved)

    def _signs(self, ring: Ring, corners: Sequence[int]) -> tuple[int, ...]:
        """On which side of each corner the triangle lies where it is written."""
        poses = self._tree.poses(self._begin)
        robot = self._tree.robot
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
            own = axis if corners[i] < 0 else poses[link][:3, 2]
            signs.append(int(np.sign(np.cross(before - here, after - here) @ own)))
        return tuple(signs)

    def _limited(
        self,
        joint: JointDescription,
        linear: Mapping[str, Mimic],
        closures: Sequence[ClosureDescription],
    ) -> JointDescription:
        """A joint as the loops leave it: it follows another, or its limits are theirs too."""
        if joint.name in linear:
            return replace(joint, mimic=linear[joint.name])
        by_name = {each.name: each for each in self._description.joints}
        followers = [(by_name[n], m) for n, m in linear.items() if m.leader == joint.name]
        own = [c for c in closures if c.coordinate == joint.name]
        limits = followed_limits(joint, followers) if followers else joint.limits
        if own:
            limits = self._within_reach(replace(joint, limits=limits), own)
        if limits.lower is not None and limits.upper is not None and limits.lower >= limits.upper:
            loop = (own or closures)[0].loop if own or closures else self._loops.loops[0]
            self._fail(loop, f"limits of joints that follow '{joint.name}' leave it no position")
        ends = joint.kind == "continuous" and (limits.lower, limits.upper) != (None, None)
        return replace(joint, limits=limits, kind="revolute" if ends else joint.kind)

    def _within_reach(
        self, joint: JointDescription, closures: Sequence[ClosureDescription]
    ) -> Limits:
        """Limits of a joint within which loops that it drives stay closed."""
        by_name = {each.name: each for each in self._description.joints}
        names = [name for closure in closures for name in closure.dependent]
        found = [by_name[name].limits.meant() for name in names]
        ends = [
            (-math.inf if x.lower is None else x.lower, math.inf if x.upper is None else x.upper)
            for x in found
        ]
        driver, numbers = self._names.index(joint.name), [self._names.index(n) for n in names]
        reach = DriverRange(self._tree, driver, numbers, ends).from_position(self._begin)
        if reach is None:
            outside = [
                f"'{name}' at {self._begin[k]:.4g}"
                for name, k, (low, high) in zip(names, numbers, ends, strict=True)
                if not low <= self._begin[k] <= high
            ]
            message = "where the loops are closed, joints are outside of their limits"
            self._fail(closures[0].loop, f"{message}: {listed(outside)}")
        own = joint.limits.meant()
        low, high = (None if math.isinf(x) else x for x in reach)
        lower = low if own.lower is None else own.lower if low is None else max(low, own.lower)
        upper = high if own.upper is None else own.upper if high is None else min(high, own.upper)
        return replace(joint.limits, lower=lower, upper=upper)

    def _linear(self, name: str, leader: str) -> Mimic | None:
        """How a joint follows another with ratio 1 or -1, if it does so at all samples."""
        numbers = self._names.index(name), self._names.index(leader)
        one, other = (np.array([q[k] for q in self._samples]) for k in numbers)
        for ratio in (1, -1):
            offsets = one - ratio * other
            if np.ptp(offsets) < _LINEAR:
                middle = float(offsets.mean())
                offset = 0.0 if abs(middle) < _LINEAR else middle
                return Mimic(leader, expression(ratio), expression(number.number(offset)))
        return None

    def _coordinate(self, name: str, place: Location) -> int:
        """The number of a joint among the tree's coordinates."""
        if name in self._names:
            return self._names.index(name)
        joint = next((j for j in self._description.joints if j.name == name), None)
        if joint is None:
            message = f"there is no joint '{name}'{nearest(name, self._names)}"
        elif joint.mimic:
            message = f"joint '{name}' follows joint '{joint.mimic.leader}'"
        else:
            message = f"joint '{name}' does not move"
        raise ModelError.at(place, message)

    def _fail(self, loop: LoopDescription, message: str) -> NoReturn:
        raise ModelError.at(loop.location, message)


_KNOWN = (
    "known are linkages in a plane whose loops close one after another, each with two or three "
    "turning joints that follow one other joint"
)


def _least(samples: Sequence[Array], rows: Sequence[int]) -> float:
    """The least singular value of rows at any sample, relative to that of all."""
    values = []
    for K in samples:
        of_rows = np.linalg.svd(K[list(rows)], compute_uv=False)
        scale = float(np.abs(K).max()) or 1.0
        values.append(float(of_rows.min()) / scale)
    return float(np.median(values)) if min(values) > 1e-9 else 0.0
