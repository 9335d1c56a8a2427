"""Numbers of a robot that are sought together with its gait: lengths, masses, inertias."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import filter as matching
from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError
from robcogen_ros.gait.mirror import Mirror, find_mirror
from robcogen_ros.gait.specification import Specification
from robcogen_ros.model.contacts import Foot
from robcogen_ros.model.names import nearest
from robcogen_ros.standing.posture import Legs

_APART = 0.618034
"""Shares of the ranges at which a robot is compared with its image differ by this, modulo 1."""


@dataclass(frozen=True, slots=True)
class Design:
    """Parameters that are sought of a robot.

    Attributes:
        names: Parameters of the robot, those with one value together.
        lower: Least value of each.
        upper: Greatest value of each.
        start: Where the search begins.
        heights: Of the base where the robot stands, with each value at its bounds [m].
    """

    names: tuple[tuple[str, ...], ...]
    lower: Array
    upper: Array
    start: Array
    heights: tuple[float, ...] = ()

    def values(self, numbers: Array) -> dict[str, float]:
        """Values of the parameters by name."""
        pairs = zip(self.names, numbers.tolist(), strict=True)
        return {name: number for names, number in pairs for name in names}


def find_design(
    robot: Any,
    feet: Sequence[Foot],
    wanted: Specification,
    standing: Mapping[str, float] | None,
) -> Design:
    """Returns the design that a specification seeks; sets the robot to where the search begins.

    Raises:
        RobcogenError: If the robot has no such parameter, or is impossible or cannot stand where
            one is at its bounds.
    """
    if wanted.design and wanted.dynamics == "reduced":
        raise wanted.wrong("design", "reduced dynamics have fixed legs; give `dynamics: full`")
    known: list[str] = list(robot.parameters)
    names: list[tuple[str, ...]] = []
    for pattern in wanted.design:
        found = matching(known, pattern)
        if not found:
            of = nearest(pattern, known) or f"; it has {', '.join(known) or 'none'}"
            message = f"robot '{robot.name}' has no parameter '{pattern}'{of}"
            raise wanted.wrong("design", message)
        twice = [name for name in found if any(name in group for group in names)]
        if twice:
            raise wanted.wrong("design", f"'{pattern}' stands for '{twice[0]}' once more")
        names.append(tuple(found))
    lower, upper = (np.array([pair[i] for pair in wanted.design.values()]) for i in (0, 1))
    given = np.array([robot.parameters[group[0]] for group in names])
    start = np.where((given >= lower) & (given <= upper), given, 0.5 * (lower + upper))
    design = Design(tuple(names), lower, upper, start)
    robot.parameters.update(design.values(start))
    heights = [_height(robot, feet, wanted, standing, ends) for ends in _ends(design)]
    robot.parameters.update(design.values(start))
    return replace(design, heights=tuple(heights))


def _ends(design: Design) -> Iterator[dict[str, float]]:
    """Each value at its bounds, the others where the search begins."""
    for i in range(len(design.names)):
        for bound in (design.lower[i], design.upper[i]):
            numbers = design.start.copy()
            numbers[i] = bound
            yield design.values(numbers)


def _height(
    robot: Any,
    feet: Sequence[Foot],
    wanted: Specification,
    standing: Mapping[str, float] | None,
    values: Mapping[str, float],
) -> float:
    """Returns the base's height at which the robot stands with some values, which it then has."""
    with_them = ", ".join(f"{name} = {value:g}" for name, value in values.items())
    for problem in robot.parameters.check(values):
        raise wanted.wrong("design", f"with {with_them} {problem}")
    robot.parameters.update(values)
    try:
        return float(Legs(robot, feet).standing(standing).height)
    except RobcogenError as error:
        raise wanted.wrong("design", f"with {with_them} {error}") from None


def image(robot: Any, design: Design) -> Mirror | None:
    """Returns a robot's mirror at any values of its design; None if it has none."""
    found = find_mirror(robot)
    if found is None or not design.names:
        return found
    shares = _APART * np.arange(1, len(design.names) + 1) % 1.0
    robot.parameters.update(design.values(design.lower + shares * (design.upper - design.lower)))
    other = find_mirror(robot)
    robot.parameters.update(design.values(design.start))
    if other is None:
        return None
    return replace(found, error=max(found.error, other.error))
