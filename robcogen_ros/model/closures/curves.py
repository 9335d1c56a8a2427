"""Joints that follow others by polynomials: whom in the end, and in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from robcogen_ros.errors import Location, ModelError
from robcogen_ros.model.description import ClosureDescription, Description, LoopDescription
from robcogen_ros.model.mimicry import Following, followings, with_followings
from robcogen_ros.model.scalars.expression import ZERO, Expression


def curve_of(
    name: str,
    follower: str,
    leader: str,
    coefficients: tuple[Expression, ...],
    location: Location | None,
) -> ClosureDescription:
    """Returns what makes a joint follow another by a polynomial, its lowest power first."""
    own = LoopDescription(name, ("", ""), "", location)
    names = (leader,), (follower,)
    return ClosureDescription((own,), (), *names, start=(0.0,), curve=coefficients, leader=leader)


def with_curves(description: Description) -> Description:
    """Returns a description whose polynomials are those of joints that mimic no other.

    Each comes after those that move its leader, and has the coordinates that move this one.

    Args:
        description: A robot whose loops, if it had any, are solved.

    Raises:
        ModelError: If a joint follows itself, or is moved otherwise too.
    """
    curves = [closure for closure in description.closures if closure.curve]
    solved = [closure for closure in description.closures if not closure.curve]
    for closure in curves:
        _refuse_moved(closure, solved, followings(description, {}))
    while curves:
        found = followings(description, {})
        waiting = {name for closure in curves for name in closure.dependent}
        first = next((c for c in curves if found[c.leader].leader not in waiting), None)
        if first is None:
            name, place = curves[0].dependent[0], curves[0].loops[0].location
            raise ModelError.at(place, f"joint '{name}' follows itself, by way of others")
        curves.remove(first)
        to = found[first.leader]
        polynomial = composed(first.curve, to)
        if to.leader is None:
            held = followings(description, {first.dependent[0]: polynomial[0]})
            description = with_followings(description, held)
        else:
            moved = {name: c.coordinates for c in solved for name in c.dependent}
            own = moved.get(to.leader, (to.leader,))
            solved.append(replace(first, coordinates=own, leader=to.leader, curve=polynomial))
    return replace(description, closures=tuple(solved))


def _refuse_moved(
    closure: ClosureDescription,
    others: Sequence[ClosureDescription],
    found: Mapping[str, Following],
) -> None:
    (name,) = closure.dependent
    moved = {each for c in others for each in (*c.dependent, *c.coordinates)}
    if name in moved or found[name].leader != name:
        message = f"joint '{name}' follows joint '{closure.leader}' by a polynomial"
        what = "locked, or moved by a loop or another coupling"
        raise ModelError.at(closure.loops[0].location, f"{message}, and cannot be {what} too")


def composed(polynomial: Sequence[Expression], of: Following) -> tuple[Expression, ...]:
    """Returns a polynomial of a joint as one of whom that follows, by Horner's scheme."""
    found: list[Expression] = [ZERO]
    for coefficient in reversed(polynomial):
        moved = [x * of.offset for x in found] + [ZERO]
        turned = [ZERO, *(x * of.multiplier for x in found)]
        found = [x + y for x, y in zip(moved, turned, strict=True)]
        found[0] = found[0] + coefficient
    while len(found) > 2 and found[-1].structurally_zero:
        found.pop()
    return tuple(found)
