"""Joints that depend on others through the loops of a robot, and how they do.

Ranks are judged at closed positions that are the same every time; where loops are written, they
may be singular. A joint that is a linear function of another becomes one that follows it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import ModelError, Problem
from robcogen_ros.model.closures.closed_loops import ClosedLoops
from robcogen_ros.model.closures.closed_nearby import ends
from robcogen_ros.model.closures.driver_range import (
    DriverRange,
    closes_within,
    followed_limits,
    outside_of,
    within,
)
from robcogen_ros.model.closures.forms import ClosureForms, Newton, not_led
from robcogen_ros.model.closures.rods import Rod, with_rods
from robcogen_ros.model.closures.spanning_tree import rank
from robcogen_ros.model.closures.spinning import held_spins
from robcogen_ros.model.description import (
    ClosureDescription,
    Description,
    JointDescription,
    Limits,
    LoopsDescription,
    Mimic,
)
from robcogen_ros.model.lengths import (
    at_other_lengths,
    cannot_be_other,
    follows_otherwise,
    open_lengths,
)
from robcogen_ros.model.lock import lock_positions
from robcogen_ros.model.names import listed
from robcogen_ros.model.options import ModelOptions, option_text
from robcogen_ros.model.parametrise import parametrise
from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.expression import expression

Array = NDArray[np.float64]

_MOST = 48
"""Joints that follow together; what steps of Newton's method cost grows with their cube."""
_SOUND = 1e-4
"""Least singular value of the Jacobian of joints that follow, relative to the largest."""


def linked(
    description: Description, loops: LoopsDescription, options: ModelOptions
) -> tuple[Description, list[Problem]]:
    """A description in which joints follow others as its loops make them, and what to tell.

    Args:
        description: The robot.
        loops: What closes its loops.
        options: Which joints are locked, which numbers are parameters, and whether rods may spin.

    Raises:
        ModelError: If the loops do not close, or joints follow in a way that is not known yet.
        RobcogenError: If a joint cannot be locked there, or parameters change how joints follow.
    """
    curves = tuple(closure for closure in description.closures if closure.curve)
    others = (closure for closure in description.closures if not closure.curve)
    description = replace(description, closures=tuple(others))
    lengths = open_lengths(parametrise(description, options.parameters))
    found, told = _linked(description, loops, options, not lengths)
    if lengths:
        at = ClosedLoops(description, loops)
        for other in at_other_lengths(parametrise(description, options.parameters)):
            try:
                again, _ = _linked(other, at.near(at.begin), options, False)
            except ModelError as error:
                raise cannot_be_other(lengths, str(error)) from error
            if follows_otherwise(found, again):
                raise cannot_be_other(lengths, "joints of loops follow otherwise where they are")
    return replace(found, closures=(*found.closures, *curves)), told


def _linked(
    description: Description, loops: LoopsDescription, options: ModelOptions, folding: bool
) -> tuple[Description, list[Problem]]:
    """Closes the loops of a description of numbers; joints mimic others only if `folding`."""
    at = ClosedLoops(description, loops)
    if places := lock_positions(description, options.lock):
        description, loops = at.locked(places)
        if not loops.loops:
            return description, at.told
        at = ClosedLoops(description, loops, at.told)
    if still := at.still():
        at = at.held(still)
    if not options.keep_spinning and (spins := held_spins(at)):
        at = at.held(spins)
    return _Linkage(at, folding).result()


class _Linkage:
    """The analysis."""

    def __init__(self, at: ClosedLoops, folding: bool) -> None:
        self._at, self._folding = at, folding
        self._tree, self._names, self._begin = at.tree, at.names, at.begin
        self._joints = {joint.name: joint for joint in at.description.joints}
        self._forms = ClosureForms(at.tree, at.begin, at.samples, at.jacobians, ends(at.limits()))
        self._solved: list[tuple[Sequence[int], ClosureDescription]] = []

    def result(self) -> tuple[Description, list[Problem]]:
        """The description in which joints follow, and what to tell."""
        dependent = self._dependent()
        closures = [*self._closures(dependent)]
        if self._folding:
            closures = [*map(self._linear, closures)]
        linear = {
            name: Mimic(c.coordinates[0], expression(ratio), expression(number.number(offset)))
            for c in closures
            if len(c.coordinates) == 1
            for name, ((ratio,), offset) in zip(c.dependent, c.linear, strict=False)
        }
        rest = tuple(c for c in closures if not {*c.dependent} <= {*linear})
        joints = tuple(self._limited(joint, linear, rest) for joint in self._at.description.joints)
        for closure in rest:
            if len(closure.coordinates) > 1:
                self._check_limits(closure)
        self._tell_of_efforts(dependent)
        linked = tuple(loop.name for loop in self._at.loops.loops)
        found = replace(
            self._at.description, joints=joints, loops=None, closures=rest, linked=linked
        )
        return found, self._at.told

    def _dependent(self) -> list[str]:
        """Names of the joints that follow, in the order of the tree's coordinates."""
        K = max((np.concatenate(rows) for rows in self._at.jacobians), key=self._tree.rank)
        wanted = [self._at.coordinate(name, place) for name, place in self._at.loops.independent]
        in_loops = [int(k) for k in np.flatnonzero(np.abs(K).max(axis=0) > 0)]
        motors = (self._names.index(n) for n in self._at.description.motors if n in self._names)
        sprung = (k for k, name in enumerate(self._names) if self._joints[name].stiffness)
        moved = [joint.coordinate for joint in self._tree.robot.joints]
        leaders = (k for k in in_loops if moved.count(k) > 1)
        given = [*dict.fromkeys([*wanted, *motors, *sprung, *leaders])]
        last_first = [*reversed([k for k in in_loops if k not in given]), *reversed(given)]
        chosen: list[int] = []
        for cut in (_SOUND, self._tree.cut):  # coordinates that nearly bind come last
            for k in last_first:
                left = self._tree.rank(K) > len(chosen) and k not in chosen
                if left and rank(K[:, [*chosen, k]], cut) > len(chosen):
                    chosen.append(k)
        free = [k for k in in_loops if k not in chosen]
        if wanted and not self._at.loops.actuated:
            self._check_wanted(wanted, free, in_loops)
        if not free:
            message = "the loops leave no joint of theirs independent"
            if not in_loops:
                message = "the loops hold nothing: no joint moves their frames against each other"
            self._at.fail(self._at.loops.loops[0], message)
        if self._tree.rank(np.concatenate(self._tree.jacobians(self._begin))[:, chosen]) < len(
            chosen
        ):
            self._at.fail(
                self._at.loops.loops[0],
                "the loops are at a dead centre where they are written, from where they can go two "
                "ways; give a position near which they are closed on the way that is meant, as "
                f"{self._at.suggested(self._begin)}",
            )
        return [self._names[k] for k in sorted(chosen)]

    def _check_wanted(
        self, wanted: Sequence[int], free: Sequence[int], in_loops: Sequence[int]
    ) -> None:
        names = listed([f"'{self._names[k]}'" for k in free])
        for k, (name, place) in zip(wanted, self._at.loops.independent, strict=True):
            if k not in in_loops:
                raise ModelError.at(place, f"joint '{name}' is in no loop: it is independent")
            if k not in free:
                message = f"joint '{name}' cannot be independent beside the others"
                raise ModelError.at(place, f"{message}; {names} could be")
        if len(wanted) < len(free):
            place = self._at.loops.independent[0][1]
            message = f"expected {len(free)} independent joints, found {len(wanted)}"
            raise ModelError.at(place, f"{message}; {names} are independent")

    def _closures(self, dependent: Sequence[str]) -> Iterator[ClosureDescription]:
        """Loops one after the other, each with the joints that follow from it."""
        left = list(range(len(self._at.loops.loops)))
        known = {name for name in self._names if name not in dependent}
        follows: dict[str, tuple[str, ...]] = {}
        while left:
            groups = [*([k] for k in left), *self._together(left, known)]
            for group in groups:
                if closure := self._closure(group, known, follows):
                    break
            else:
                loop = self._at.loops.loops[left[0]]
                tried = loop.name in self._forms.newtons
                self._at.fail(loop, f"loop '{loop.name}' {_NOT_LED if tried else _UNKNOWN}")
            known |= {*closure.dependent}
            follows |= dict.fromkeys(closure.dependent, closure.coordinates)
            left = [k for k in left if k not in group]
            self._solved.append((group, closure))
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
        return [name for name in self._passed(group) if name not in known]

    def _passed(self, group: Sequence[int]) -> list[str]:
        joints = self._tree.robot.joints
        passed = (joints[i].coordinate for k in group for i in self._tree.rings[k].joints)
        return list(dict.fromkeys(self._names[c] for c in passed))

    def _closure(
        self, group: Sequence[int], known: set[str], follows: Mapping[str, tuple[str, ...]]
    ) -> ClosureDescription | None:
        """Returns the closure of loops whose other joints are known; else None."""
        loops, new = [self._at.loops.loops[k] for k in group], self._new(group, known)
        if not new:
            return ClosureDescription(tuple(loops), (), (), ())
        named = [name for name in self._passed(group) if name in known]
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
        if len(group) == 1 and (corners := self._forms.corners(ring, rows[0], columns)):
            by_name = tuple("" if c < 0 else self._tree.robot.joints[c].name for c in corners)
            return replace(found, corners=by_name, signs=self._forms.signs(ring, corners))
        hung: Sequence[Rod] = ()
        if self._forms.single(columns):
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
        if len(columns) > _MOST:
            self._at.fail(
                closure.loops[0],
                f"loops {listed([repr(x.name) for x in closure.loops])} move {len(columns)} joints "
                f"together; so that these follow, {_MOST} are the most: let forces hold the loops, "
                f"{option_text('loops_as', 'multipliers')}",
            )
        newton = self._forms.newton(group, closure.rows, columns, hung)
        drivers = [self._names.index(name) for name in closure.coordinates]
        missed = self._forms.steps(newton, self._way(newton, group, closure), drivers)
        if newton.steps and missed:
            self._at.told.append(not_led(closure, newton.steps, missed))
        self._forms.newtons[closure.loops[0].name] = newton
        signs, steps = closure.signs + newton.sides, newton.steps
        found = replace(closure, steps=steps, signs=signs, near=newton.near)
        return replace(found, closed_at=4 * newton.closed_at) if steps else None

    def _way(self, newton: Newton, group: Sequence[int], closure: ClosureDescription) -> Newton:
        """Newton's method for loops and for all those before that move joints of theirs."""
        parts, passed = [(group, closure)], {*self._passed(group)}
        for loops, other in reversed(self._solved):
            if passed & {*other.dependent}:
                parts.append((loops, other))
                passed |= {*self._passed(loops)}
        if len(parts) == 1:
            return newton
        loops = [k for part, _ in parts for k in part]
        rows = [own for _, part in parts for own in part.rows]
        columns = [self._names.index(name) for _, part in parts for name in part.dependent]
        return self._forms.newton(loops, rows, columns)

    def _limited(
        self,
        joint: JointDescription,
        linear: Mapping[str, Mimic],
        closures: Sequence[ClosureDescription],
    ) -> JointDescription:
        """A joint as the loops leave it: it follows another, or its limits are theirs too."""
        if joint.name in linear:
            return replace(joint, mimic=linear[joint.name])
        followers = [(self._joints[n], m) for n, m in linear.items() if m.leader == joint.name]
        own = [c for c in closures if c.coordinates == (joint.name,)]
        limits = followed_limits(joint, followers) if followers else joint.limits
        if own:
            limits = self._within_reach(replace(joint, limits=limits), own)
        if limits.lower is not None and limits.upper is not None and limits.lower >= limits.upper:
            loop = own[0].loops[0] if own else self._at.loops.loops[0]
            self._at.fail(loop, f"limits of joints that follow '{joint.name}' leave it no position")
        ends = joint.kind == "continuous" and (limits.lower, limits.upper) != (None, None)
        return replace(joint, limits=limits, kind="revolute" if ends else joint.kind)

    def _check_limits(self, closure: ClosureDescription) -> None:
        """Complains where joints that follow several others, or these, are beyond their limits."""
        names = (*closure.dependent, *closure.coordinates)
        numbers = [self._names.index(name) for name in names]
        limits = [self._joints[name].limits.meant() for name in names]
        outside = outside_of(self._begin, numbers, limits)
        if not outside:
            return
        following = len(closure.dependent)
        message = "where the loops are closed, joints are outside of their limits: "
        message += listed([f"'{self._names[k]}' at {self._begin[k]:.4g}" for k in outside])
        near = ", and no position within is found near it"
        if not closes_within(self._tree, self._begin, numbers[:following], limits[:following]):
            self._at.fail(closure.loops[0], message + near)
        if not closes_within(self._tree, self._begin, numbers, limits):
            message += near
        self._at.told.append(Problem(message, closure.loops[0].location, "warning"))

    def _tell_of_efforts(self, dependent: Sequence[str]) -> None:
        """Tells of limits of efforts of motors that are not at coordinates."""
        motors = self._at.description.motors
        limited = [n for n in dependent if n in motors and self._joints[n].limits.meant().effort]
        if limited:
            names = listed([f"'{name}'" for name in limited])
            message = f"limits of the efforts of motors that follow others are not used: {names}"
            self._at.told.append(Problem(message, self._at.loops.location, "note"))

    def _within_reach(
        self, joint: JointDescription, closures: Sequence[ClosureDescription]
    ) -> Limits:
        """Limits of a joint within which loops that it drives stay closed."""
        names = [name for closure in closures for name in closure.dependent]
        driver, numbers = self._names.index(joint.name), [self._names.index(n) for n in names]
        limits = [self._joints[name].limits.meant() for name in names]
        newtons = [self._forms.newtons[c.loops[0].name] for c in closures if c.steps]
        loops = {loop.name for closure in closures for loop in closure.loops}
        rings = [k for k, ring in enumerate(self._tree.rings) if ring.name in loops]
        reach = DriverRange(self._tree, driver, numbers, limits, rings, newtons)
        if beyond := reach.beyond(self._begin):
            outside = [f"'{self._names[k]}' at {self._begin[k]:.4g}" for k in beyond]
            message = "where the loops are closed, joints are outside of their limits"
            self._at.fail(closures[0].loops[0], f"{message}: {listed(outside)}")
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


_UNKNOWN = (
    "is of a kind that is not known yet; known are loops from whose rows as many joints follow, "
    "each by itself and moved by no other"
)
_NOT_LED = (
    "cannot be closed from where it is written: Newton's method leads to none of the positions "
    "that are tried; give a position farther from where its joints are in line"
)
