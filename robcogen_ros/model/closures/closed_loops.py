"""Closed positions of a robot with loops, and joints that are held at one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import Location, ModelError, Problem, RobcogenError
from robcogen_ros.model.closures.closed_nearby import closed_nearby, closed_within
from robcogen_ros.model.closures.forms import LINEAR, as_written, rounded
from robcogen_ros.model.closures.spanning_tree import SpanningTree
from robcogen_ros.model.description import Description, Limits, LoopDescription, LoopsDescription
from robcogen_ros.model.mimicry import followings, with_followings
from robcogen_ros.model.names import listed, nearest
from robcogen_ros.model.reduce import tree_of
from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.expression import Expression, expression

Array = NDArray[np.float64]

_SAMPLES = 20
_NEAR = 0.5, 0.2
"""Distance that joints may be from a given position without a word: turned [rad], or slid, in
sizes."""
_STRIDE = 0.1
"""Distance of closed positions from each other [rad or m]."""
_GIVES = 0.1
"""Distance from the rest of a spring within which a position is suggested [rad or m]."""
_GAP = 1e-3
"""Largest gap, relative to the size, that is closed."""


class ClosedLoops:
    """A robot where its loops are closed.

    Attributes:
        description: The robot.
        loops: What closes its loops.
        tree: Its tree.
        names: Names of the tree's coordinates.
        told: What there is to tell.
        begin: Where the loops are written, closed.
        samples: Other closed positions, the same ones every time.
        jacobians: The rows of each loop there.
    """

    def __init__(
        self, description: Description, loops: LoopsDescription, told: Sequence[Problem] = ()
    ) -> None:
        """Closes the loops.

        Args:
            description: The robot.
            loops: What closes its loops.
            told: What there was to tell before.

        Raises:
            ModelError: If they do not close, or nothing moves then.
        """
        if description.closures:
            coupling = description.closures[0].loops[0]
            message = f"coupling '{coupling.name}' of several joints is not possible beside loops"
            self.fail(coupling, f"{message} yet")
        tree = tree_of(description)
        self.description, self.loops = description, loops
        self.names = tree.joint_names
        self.tree = SpanningTree(tree, [(x.name, *x.frames, x.fixed) for x in loops.loops])
        self._told_before = told
        self._coarse: Problem | None = None
        try:
            self._close()
        except ModelError as error:
            self._close_coarsely(error)
        else:
            if not self.tree.is_sure(self.samples):
                self._close_coarsely(None)
        self.tree.judge(self.samples)
        self.jacobians = [self.tree.jacobians(q) for q in self.samples]

    def _close(self) -> None:
        self.told = list(self._told_before)
        self.begin = self._start()
        self.samples = self._walk(self.begin)

    def _close_coarsely(self, error: ModelError | None) -> None:
        """Closes loops whose numbers have few digits; raises the error if they do not close so."""
        found = copy(self)
        found.tree = copy(self.tree)
        found.tree.coarsen()
        try:
            found._close()
        except ModelError:
            if error is not None:
                raise error from None
            return
        self.__dict__ |= found.__dict__
        every = [np.concatenate(self.tree.jacobians(q)) for q in self.samples]
        left = max(map(self.tree.left, self.samples))
        message = (
            f"loops close to {left:.1g} (m or rad) only, for numbers of few digits disagree: "
            f"{max(map(self.tree.rank, every))} of {len(every[0])} rows count"
        )
        coarse = Problem(message, self.loops.location, "warning")
        self._coarse = coarse
        self.told.append(coarse)

    def still(self) -> dict[str, float]:
        """Positions of joints that the loops hold where they are."""
        q, K = np.array(self.samples), np.concatenate([np.concatenate(x) for x in self.jacobians])
        held = (np.ptp(q, axis=0) < LINEAR + 10 * self.tree.closed_at) & (np.abs(K).max(axis=0) > 0)
        return {self.names[k]: rounded(self.begin[k]) for k in np.flatnonzero(held)}

    def held(self, places: Mapping[str, float]) -> ClosedLoops:
        """Returns these loops with some joints fixed at positions."""
        fixed = {name: expression(number.number(x)) for name, x in places.items()}
        found = with_followings(self.description, followings(self.description, fixed))
        told = [problem for problem in self.told if problem is not self._coarse]
        return ClosedLoops(found, self.near(self.begin, fixed), told)

    def near(self, q: Array, places: Collection[str] = ()) -> LoopsDescription:
        """The loops near a position, some joints of which are fixed."""
        rest = [(n, float(x)) for n, x in zip(self.names, q, strict=True) if n not in places]
        given = self.loops.independent
        if self.loops.actuated:  # these are independent before others, if they move
            given = tuple(x for x in given if x[0] not in places)
        positions = tuple((n, x, self.loops.location) for n, x in rest)
        return replace(self.loops, positions=positions, independent=given)

    def locked(self, places: Mapping[str, Expression]) -> tuple[Description, LoopsDescription]:
        """The robot with joints locked, and its loops closed there; none if they hold all others.

        Raises:
            RobcogenError: If the loops do not close all the way from where they are written.
        """
        own = {self.names.index(n): float(x) for n, x in places.items() if n in self.names}
        q = self.tree.moved(self.begin, own)
        if q is None:
            where = [f"'{self.names[k]}' at {x:g}" for k, x in own.items()]
            last = self.tree.last_on_way(self.begin, own)
            ends = [f"{x:.4g}" for x in last]
            message = f"cannot lock joint {listed(where)}: from where they are written, loops "
            raise RobcogenError(f"{message}stay closed on the way there to {listed(ends)} only")
        K = np.concatenate(self.tree.jacobians(q))
        moving = [k for k in np.flatnonzero(np.abs(K).max(axis=0) > 0) if k not in own]
        wanted = tuple(x for x in self.loops.independent if x[0] not in places)
        loops = replace(self.near(q, places), independent=wanted, actuated=True)
        if self.tree.rank(K[:, moving]) == len(moving):
            held = {self.names[k]: expression(number.number(rounded(q[k]))) for k in moving}
            places, loops = {**places, **held}, replace(loops, loops=())
        found = with_followings(self.description, followings(self.description, places))
        return replace(found, loops=None, linked=tuple(x.name for x in self.loops.loops)), loops

    def _start(self) -> Array:
        """A position where the loops are closed, next to the written one."""
        q = np.zeros(len(self.names))
        for name, value, place in self.loops.positions:
            q[self.coordinate(name, place)] = value
        gaps = self.tree.gaps(q)
        closed = self.tree.closed(q)
        worst = int(np.argmax([np.abs(gap).max() for gap in gaps]))
        gap, loop = float(np.abs(gaps[worst]).max()), self.loops.loops[worst]
        where = f"at the position where it is written the frames of loop '{loop.name}' are "
        where += f"{gap:.3g} (m or rad) apart"
        if closed is None:
            left = self._told_left(self.tree.nearest(q))
            nearest_ = f"no position near it closes all loops: {left} are left"
            advice = "check the frames and what is fixed" + self._advice(q)
            if suggested := self.suggested(q):
                advice += f", or give a position, such as {suggested}"
            self.fail(loop, f"{where}, and {nearest_}; {advice}")
        if gap > _GAP * self.tree.size and not self.loops.positions:
            closed = self.tree.nearer(closed, q)
            if self.loops.actuated:  # files of that form do not say where
                message = f"{where}; they are closed at the nearest, {self._written(closed)}"
                self.told.append(Problem(message, loop.location, "warning"))
                return closed
            advice = "check the frames, or give a position near which the loops are closed"
            self.fail(loop, f"{where}; {advice}; the nearest{self._nearest(closed)}")
        if gap > 1e-9 * self.tree.size and not self.loops.positions:
            self.told.append(Problem(f"{where}; they are closed", loop.location, "warning"))
        for name, value, place in self.loops.positions:
            found, slides = (x[self.coordinate(name, place)] for x in (closed, self.tree.slid))
            if abs(found - value) > (_NEAR[1] * self.tree.size if slides else _NEAR[0]):
                message = f"the loops are closed with joint '{name}' at {found:.6g}, not near there"
                self.told.append(Problem(message, place, "warning"))
        return closed

    def _advice(self, q: Array) -> str:
        """Returns what else to check: loops that never close, and joints that may be balls."""
        loops, robot = self.loops.loops, self.tree.robot
        alone = [SpanningTree(robot, [(x.name, *x.frames, x.fixed)]) for x in loops]
        wrong = [tree.rings[0] for tree in alone if len(loops) > 1 and tree.closed(q) is None]
        told = listed([f"'{ring.name}'" for ring in wrong])
        advice = f", first of {told}, each open even alone" if wrong else ""
        joints = [robot.joints[i].name for ring in wrong or self.tree.rings for i in ring.joints]
        balls = [name for name in joints if "spherical" in name.lower()]
        if balls:
            names = listed([f"'{name}'" for name in dict.fromkeys(balls)])
            advice += f", and whether {names} turn about one axis only: joints says what is a ball"
        return advice

    def _told_left(self, q: Array) -> str:
        """The largest gap, and where it is."""
        every = zip(self.loops.loops, self.tree.rings, self.tree.gaps(q), strict=True)
        gaps = [
            (abs(float(x)), row, loop.name)
            for loop, ring, gap in every
            for x, row in zip(gap, ring.fixed, strict=True)
        ]
        gap, row, name = max(gaps)
        way = f"rad about {'xyz'[row]}" if row < 3 else f"m along {'xyz'[row - 3]}"
        return f"{gap:.3g} {way} of the first frame of loop '{name}'"

    def _nearest(self, closed: Array) -> str:
        """A closed position as files have it, or, if there is one, one next to it within limits."""
        found, is_within = closed_within(self.tree, closed, self.limits())
        if found is None or not is_within or np.array_equal(found, closed):
            return f" is {self._written(closed)}"
        return f" within limits is {self._written(found)}"

    def suggested(self, q: Array) -> str:
        """A closed position around another as files have it; "" if none is found.

        Joints with springs are near their rest, where that can be.
        """
        found = closed_nearby(self.tree, q, [*map(self._at_rest, self.names, self.limits())])
        return "" if found is None else self._written(found)

    def _at_rest(self, name: str, limits: Limits) -> Limits:
        """Limits of a coordinate about the rest of its spring; its own where it has none."""
        joint = next(joint for joint in self.description.joints if joint.name == name)
        if not joint.stiffness:
            return limits
        return replace(limits, lower=joint.rest - _GIVES, upper=joint.rest + _GIVES)

    def _written(self, q: Array) -> str:
        """A position of joints in loops as files have it."""
        rings = {self.tree.robot.joints[i].coordinate for r in self.tree.rings for i in r.joints}
        own = [k in rings for k in range(len(q))]
        return f"position: {as_written(self.names, np.where(own, q, 0.0))}"

    def limits(self) -> list[Limits]:
        """Limits of each coordinate."""
        limits = {joint.name: joint.limits.meant() for joint in self.description.joints}
        return [limits[name] for name in self.names]

    def _walk(self, start: Array) -> list[Array]:
        """Closed positions, the same ones every time."""
        random, found, q = np.random.default_rng(53), [], start
        for _ in range(50 * _SAMPLES):
            step = random.uniform(-1, 1, len(q))
            K = np.concatenate(self.tree.jacobians(q))
            step = step - np.linalg.lstsq(K, K @ step, rcond=self.tree.cut)[0]
            length = float(np.abs(step).max())
            moved = self.tree.closed(q + step * (_STRIDE / length)) if length > 1e-9 else None
            if moved is not None and np.abs(moved - q).max() < 3 * _STRIDE:
                q = moved
                found.append(q)
            elif moved is None:
                q = start
            if len(found) == _SAMPLES:
                break
        if len(found) < _SAMPLES or np.ptp(found, axis=0).max() < _STRIDE:
            self.fail(self.loops.loops[0], "the loops leave nothing that moves")
        return found

    def coordinate(self, name: str, place: Location | None) -> int:
        """The number of a joint among the tree's coordinates."""
        if name in self.names:
            return self.names.index(name)
        joint = next((j for j in self.description.joints if j.name == name), None)
        if joint is None:
            message = f"there is no joint '{name}'{nearest(name, self.names)}"
        elif joint.mimic:
            message = f"joint '{name}' follows joint '{joint.mimic.leader}'"
        else:
            message = f"joint '{name}' does not move"
        raise ModelError.at(place, message)

    def fail(self, loop: LoopDescription, message: str) -> NoReturn:
        """Raises a ModelError at the place of a loop."""
        raise ModelError.at(loop.location, message)
