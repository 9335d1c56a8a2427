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

from robcogen_ros.errors import Location, ModelError, Problem, RobcogenError
from robcogen_ros.model import number
from robcogen_ros.model.closure_forms import LINEAR, ClosureForms, as_written, not_led, rounded
from robcogen_ros.model.description import (
    ClosureDescription,
    Description,
    JointDescription,
    Limits,
    LoopDescription,
    LoopsDescription,
    Mimic,
)
from robcogen_ros.model.driver_range import DriverRange, followed_limits, within
from robcogen_ros.model.expression import Expression, expression
from robcogen_ros.model.lock import lock_positions
from robcogen_ros.model.mimicry import followings, with_followings
from robcogen_ros.model.names import listed, nearest
from robcogen_ros.model.reduce import tree_of
from robcogen_ros.model.rods import Rod, with_rods
from robcogen_ros.model.spanning_tree import SpanningTree, rank

Array = NDArray[np.float64]

_SAMPLES = 20
_NEAR = 0.5, 0.2
"""How far joints may be from a given position without a word: turned [rad], or slid, in sizes."""
_STRIDE = 0.1
"""How far closed positions are from each other [rad or m]."""
_GAP = 1e-3
"""Largest gap, relative to the size, that is closed."""


def linked(
    description: Description, loops: LoopsDescription, lock: Mapping[str, float] | None = None
) -> tuple[Description, list[Problem]]:
    """A description in which joints follow others as its loops make them, and what to tell.

    Args:
        description: The robot.
        loops: What closes its loops.
        lock: Positions at which joints are locked [rad or m], by name.

    Raises:
        ModelError: If the loops do not close, or joints follow in a way that is not known yet.
        RobcogenError: If a joint cannot be locked there.
    """
    lengths = [p.name for p in description.parameters if p.group != "inertia"]
    if lengths:
        message = (
            f"lengths and angles that depend on parameters ({lengths[0]}) are not possible yet"
        )
        raise ModelError.at(loops.location, message)
    linkage, told = _Linkage(description, loops), list[Problem]()
    if places := lock_positions(description, lock):
        description, loops = linkage.locked(places)
        told = linkage.told
        if not loops.loops:
            return description, told
        linkage = _Linkage(description, loops)
    if still := linkage.still():
        held = followings(description, {n: expression(number.number(x)) for n, x in still.items()})
        moving = tuple(position for position in loops.positions if position[0] not in still)
        linkage = _Linkage(with_followings(description, held), replace(loops, positions=moving))
    found, more = linkage.result()
    return found, [*told, *more]


class _Linkage:
    """The analysis."""

    def __init__(self, description: Description, loops: LoopsDescription) -> None:
        tree = tree_of(description)
        self._description = description
        self._loops = loops
        self._linked = tuple(loop.name for loop in loops.loops)
        self._names = tree.joint_names
        self._tree = SpanningTree(tree, [(x.name, *x.frames, x.fixed) for x in loops.loops])
        self.told: list[Problem] = []
        self._begin = self._start()
        self._samples = self._walk(self._begin)
        self._jacobians = [self._tree.jacobians(q) for q in self._samples]
        self._forms = ClosureForms(self._tree, self._begin, self._samples, self._jacobians)

    def still(self) -> dict[str, float]:
        """Positions of joints that the loops hold where they are."""
        q, K = np.array(self._samples), np.concatenate([np.concatenate(x) for x in self._jacobians])
        held = (np.ptp(q, axis=0) < LINEAR) & (np.abs(K).max(axis=0) > 0)
        return {self._names[k]: rounded(self._begin[k]) for k in np.flatnonzero(held)}

    def result(self) -> tuple[Description, list[Problem]]:
        """The description in which joints follow, and what to tell."""
        dependent = self._dependent()
        closures = [self._linear(closure) for closure in self._closures(dependent)]
        linear = {
            name: Mimic(c.coordinates[0], expression(ratio), expression(number.number(offset)))
            for c in closures
            if len(c.coordinates) == 1
            for name, ((ratio,), offset) in zip(c.dependent, c.linear, strict=False)
        }
        rest = tuple(c for c in closures if not {*c.dependent} <= {*linear})
        joints = tuple(self._limited(joint, linear, rest) for joint in self._description.joints)
        found = replace(
            self._description, joints=joints, loops=None, closures=rest, linked=self._linked
        )
        return found, self.told

    def locked(self, places: Mapping[str, Expression]) -> tuple[Description, LoopsDescription]:
        """The robot with joints locked, and its loops closed there; none if they hold all others.

        Raises:
            RobcogenError: If the loops do not close all the way from where they are written.
        """
        own = {self._names.index(n): float(x) for n, x in places.items() if n in self._names}
        q = self._tree.moved(self._begin, own)
        if q is None:
            where = [f"'{self._names[k]}' at {x:g}" for k, x in own.items()]
            last = self._tree.last_on_way(self._begin, own)
            ends = [f"{x:.4g}" for x in last]
            message = f"cannot lock joint {listed(where)}: from where they are written, loops "
            raise RobcogenError(f"{message}stay closed on the way there to {listed(ends)} only")
        K = np.concatenate(self._tree.jacobians(q))
        moving = [k for k in np.flatnonzero(np.abs(K).max(axis=0) > 0) if k not in own]
        rest = [(n, float(q[k])) for k, n in enumerate(self._names) if k not in own]
        loops = replace(
            self._loops,
            independent=tuple(x for x in self._loops.independent if x[0] not in places),
            actuated=True,
            positions=tuple((n, x, self._loops.location) for n, x in rest),
        )
        if rank(K[:, moving]) == len(moving):
            held = {self._names[k]: expression(number.number(rounded(q[k]))) for k in moving}
            places, loops = {**places, **held}, replace(loops, loops=())
        found = with_followings(self._description, followings(self._description, places))
        return replace(found, loops=None, linked=self._linked), loops

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
            closed = self._tree.nearer(closed, q)
            near = as_written(self._names, closed)
            if self._loops.actuated:  # files of that form do not say where
                message = f"{where}; they are closed at the nearest, position: {near}"
                self.told.append(Problem(message, loop.location, "warning"))
                return closed
            advice = "check the frames, or give a position near which the loops are closed"
            self._fail(loop, f"{where}; {advice}; the nearest is position: {near}")
        if gap > 1e-9 * self._tree.size and not self._loops.positions:
            self.told.append(Problem(f"{where}; they are closed", loop.location, "warning"))
        for name, value, place in self._loops.positions:
            found, slides = (x[self._coordinate(name, place)] for x in (closed, self._tree.slid))
            if abs(found - value) > (_NEAR[1] * self._tree.size if slides else _NEAR[0]):
                message = f"the loops are closed with joint '{name}' at {found:.6g}, not near there"
                self.told.append(Problem(message, place, "warning"))
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
        if len(found) < _SAMPLES or np.ptp(found, axis=0).max() < _STRIDE:
            self._fail(self._loops.loops[0], "the loops leave nothing that moves")
        return found

    def _dependent(self) -> list[str]:
        """Names of the joints that follow, in the order of the tree's coordinates."""
        K = max((np.concatenate(rows) for rows in self._jacobians), key=rank)
        wanted = [self._coordinate(name, place) for name, place in self._loops.independent]
        in_loops = [int(k) for k in np.flatnonzero(np.abs(K).max(axis=0) > 0)]
        motors = (self._names.index(n) for n in self._description.motors if n in self._names)
        moved = [joint.coordinate for joint in self._tree.robot.joints]
        given = [*dict.fromkeys([*wanted, *motors, *(k for k in in_loops if moved.count(k) > 1)])]
        last_first = [*reversed([k for k in in_loops if k not in given]), *reversed(given)]
        chosen: list[int] = []
        for k in last_first:
            if len(chosen) < rank(K) and rank(K[:, [*chosen, k]]) > len(chosen):
                chosen.append(k)
        free = [k for k in in_loops if k not in chosen]
        if wanted and not self._loops.actuated:
            self._check_wanted(wanted, free, in_loops)
        if not free:
            self._fail(self._loops.loops[0], "the loops leave no joint of theirs independent")
        if rank(np.concatenate(self._tree.jacobians(self._begin))[:, chosen]) < len(chosen):
            self._fail(
                self._loops.loops[0],
                "the loops are at a dead centre where they are written, from where they can go two "
                "ways; give a position near which they are closed on the way that is meant, as "
                f"position: {as_written(self._names, self._samples[-1])}",
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
        left = list(range(len(self._loops.loops)))
        known = {name for name in self._names if name not in dependent}
        follows: dict[str, tuple[str, ...]] = {}
        while left:
            groups = [*([k] for k in left), *self._together(left, known)]
            for group in groups:
                if closure := self._closure(group, known, follows):
                    break
            else:
                loop = self._loops.loops[left[0]]
                self._fail(loop, f"loop '{loop.name}' is of a kind that is not known yet; {_KNOWN}")
            known |= {*closure.dependent}
            follows |= dict.fromkeys(closure.dependent, closure.coordinates)
            left = [k for k in left if k not in group]
            if closure.dependent:
                yield closure

    def _together(self, left: Sequence[int], known: set[str]) -> Iterator[list[int]]:
        """Loops that share joints whose positions are not known, fewest first."""
        groups: list[tuple[set[str], list[int]]] = []
        for k in left:
            new, members = {*self._new([k], known)}, [k]
            for other in [each for each in groups if each[0] & new]:
                groups.remove(other)
                new, members = new | other[0], sorted(members + other[1])
            groups.append((new, members))
        yield from sorted((members for _, members in groups), key=len)

    def _new(self, group: Sequence[int], known: set[str]) -> list[str]:
        """Joints of loops whose positions are not known, in the order of the loops."""
        return [name for name in self._joints(group) if name not in known]

    def _joints(self, group: Sequence[int]) -> list[str]:
        joints = self._tree.robot.joints
        passed = (joints[i].coordinate for k in group for i in self._tree.rings[k].joints)
        return list(dict.fromkeys(self._names[c] for c in passed))

    def _closure(
        self, group: Sequence[int], known: set[str], follows: Mapping[str, tuple[str, ...]]
    ) -> ClosureDescription | None:
        """What follows from loops whose other joints are known; None if not all of them are."""
        loops, new = [self._loops.loops[k] for k in group], self._new(group, known)
        if not new:
            return ClosureDescription(tuple(loops), (), (), ())
        named = [name for name in self._joints(group) if name in known]
        leaders = {x for name in named for x in follows.get(name, (name,))}
        columns = [self._names.index(name) for name in new]
        rows = self._forms.rows(group, columns)
        if rows is None or not leaders:
            return None
        ordered, start = (n for n in self._names if n in leaders), map(float, self._begin[columns])
        found = ClosureDescription(
            tuple(loops), rows, tuple(ordered), tuple(new), start=tuple(start)
        )
        ring = self._tree.rings[group[0]]
        if len(group) == 1 and (corners := self._forms.corners(ring, columns)):
            by_name = tuple("" if c < 0 else self._tree.robot.joints[c].name for c in corners)
            return replace(found, corners=by_name, signs=self._forms.signs(ring, corners))
        if not self._forms.single(columns):
            return None
        found, hung = with_rods(found, self._tree, group, columns, self._begin)
        return self._stepped(found, group, columns, hung)

    def _stepped(
        self,
        closure: ClosureDescription,
        group: Sequence[int],
        columns: Sequence[int],
        hung: Sequence[Rod],
    ) -> ClosureDescription | None:
        """A closure with as many steps of Newton's method as lead everywhere; None if none do."""
        if len(closure.signs) > len(hung):
            return closure
        newton = self._forms.newton(group, closure.rows, columns, hung)
        drivers = [self._names.index(name) for name in closure.coordinates]
        missed = self._forms.steps(newton, drivers)
        if newton.steps and missed:
            self.told.append(not_led(closure, newton.steps, missed))
        self._forms.newtons[closure.loops[0].name] = newton
        signs, steps, parts = closure.signs + newton.sides, newton.steps, newton.parts
        return replace(closure, steps=steps, parts=parts, signs=signs) if steps else None

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
        own = [c for c in closures if c.coordinates == (joint.name,)]
        limits = followed_limits(joint, followers) if followers else joint.limits
        if own:
            limits = self._within_reach(replace(joint, limits=limits), own)
        if limits.lower is not None and limits.upper is not None and limits.lower >= limits.upper:
            loop = own[0].loops[0] if own else self._loops.loops[0]
            self._fail(loop, f"limits of joints that follow '{joint.name}' leave it no position")
        ends = joint.kind == "continuous" and (limits.lower, limits.upper) != (None, None)
        return replace(joint, limits=limits, kind="revolute" if ends else joint.kind)

    def _within_reach(
        self, joint: JointDescription, closures: Sequence[ClosureDescription]
    ) -> Limits:
        """Limits of a joint within which loops that it drives stay closed."""
        by_name = {each.name: each for each in self._description.joints}
        names = [name for closure in closures for name in closure.dependent]
        driver, numbers = self._names.index(joint.name), [self._names.index(n) for n in names]
        limits = [by_name[name].limits.meant() for name in names]
        newtons = [self._forms.newtons[c.loops[0].name] for c in closures if c.steps]
        reach = DriverRange(self._tree, driver, numbers, limits, newtons)
        if beyond := reach.beyond(self._begin):
            outside = [f"'{self._names[k]}' at {self._begin[k]:.4g}" for k in beyond]
            message = "where the loops are closed, joints are outside of their limits"
            self._fail(closures[0].loops[0], f"{message}: {listed(outside)}")
        ends = reach.from_position(self._begin)
        return within(joint.limits, *(None if math.isinf(x) else x for x in ends))

    def _linear(self, closure: ClosureDescription) -> ClosureDescription:
        """A closure as one of linear functions, if its joints are: ratios 1, -1 and 0."""
        leaders, followers = (
            [self._names.index(name) for name in names]
            for names in (closure.coordinates, closure.dependent)
        )
        found = self._forms.linear(leaders, followers)
        if found is None:
            return closure
        return replace(closure, rows=(), corners=(), signs=(), steps=0, linear=found)

    def _coordinate(self, name: str, place: Location | None) -> int:
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
    "known are loops from whose rows as many joints follow, each by itself and moved by no other, "
    "and whose positions are found from where the loops are written"
)
