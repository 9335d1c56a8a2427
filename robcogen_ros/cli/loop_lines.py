"""Lines that tell how each loop of a robot is solved: what check and inspect say of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from robcogen_ros.formats.read import Reading
from robcogen_ros.model.closures.closure import Closure
from robcogen_ros.model.names import counted, listed
from robcogen_ros.model.robot import Coordinate, Robot
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of

_DEAD = 1e-6
"""Margin below which an end of a range is a dead centre."""


def loop_lines(reading: Reading) -> Iterator[str]:
    """Yields a line for each cluster of loops: how positions of joints follow from it."""
    robot = reading.robot
    solved = {loop.name for closure in robot.closures for loop in closure.loops}
    for name in reading.description.linked:
        if name not in solved:
            yield f"loop {name}: joints follow by factors, or stay where they are"
    for loop in robot.held:
        yield f"loop {loop.name}: forces hold it; {len(loop.rows)} of {len(loop.fixed)} rows count"
    for closure in robot.closures:
        every = (*closure.dependent, *(follower.joint for follower in closure.followers))
        names = listed([robot.joints[k].name for k in every])
        drivers = [robot.coordinates[k] for k, _ in robot.joints[closure.dependent[0]].rates]
        if closure.curve:
            leader, powers = robot.joints[closure.curve.leader].name, closure.curve.coefficients
            follow = "follows" if len(every) == 1 else "follow"
            yield f"{closure.title}: {names} {follow} {leader}; degree {len(powers) - 1}"
            continue
        steps = f"{counted(closure.steps, 'step')} of Newton's method"
        form = "a triangle" if closure.corners else "the distance of a rod's ends"
        form = "a slider-crank" if len(closure.signs) < len(closure.corners) else form
        form += ", in closed form"
        fixed = sum(len(loop.fixed) for loop in closure.loops)
        rows = sum(len(loop.rows) for loop in closure.loops)
        yield (
            f"loop {closure.name}: {names} follow {' and '.join(c.name for c in drivers)}; "
            f"{steps if closure.steps else form}; {rows} of {fixed} rows "
            f"count{_redundant(closure)}{_reach(robot, closure, drivers)}"
        )


def _redundant(closure: Closure) -> str:
    """Returns which rows of a loop do not count in words; of several together none are named."""
    (loop, *others) = closure.loops
    left = [row for row in loop.fixed if row not in loop.rows]
    if others or not left:
        return ""
    return f", not those {listed([('about ' if r < 3 else 'along ') + 'xyz'[r % 3] for r in left])}"


def _reach(robot: Robot, closure: Closure, drivers: Sequence[Coordinate]) -> str:
    """Returns the range of the one driver of a loop in words; limits of others do not tell."""
    if len(drivers) > 1:
        return ""
    (driver,) = drivers
    low, high = driver.limits.lower, driver.limits.upper
    if low is None and high is None:
        return f"; {driver.name} has no end"
    ends = ["without end" if x is None else f"{x:.4g}" for x in (low, high)]
    dead = [x for x in (low, high) if x is not None and _margin(robot, closure, driver, x) < _DEAD]
    told = ["", f", {dead[0]:.4g} a dead centre", ", both dead centres"][len(dead)] if dead else ""
    return f"; {driver.name} from {ends[0]} to {ends[1]} {driver.kind.unit}{told}"


def _margin(robot: Robot, closure: Closure, driver: Coordinate, position: float) -> float:
    """Returns the margin of a closure where its only driver is at a position."""
    q = [position if each is driver else 0.0 for each in robot.coordinates]
    looped = [each for each in robot.closures if each.loops]
    computed = robot_of(NumpyEvaluator(Library(robot, ["closure_margin"])))
    return float(computed.closure_margin(q)[looped.index(closure)])
