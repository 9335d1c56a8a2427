"""Meaning of a document's parameters: lengths, angles or inertia properties.

A parameter has the unit of a place where it stands alone, in a sum, or beside a number. As a factor
of other parameters it may have any unit: `m*L*L/12`. In inertia properties a number beside a
length may be a density, `2.7*L`; an angle beside a number is an angle everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from robcogen_ros.errors import Problem
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.syntax_tree import Node, location, name, nodes
from robcogen_ros.model.scalars.expression import Expression, Parameter
from robcogen_ros.model.scalars.operation import ADD, COS, DIVIDE, MULTIPLY, NEGATE, SIN, SUBTRACT

_WORDS = {"lengths": "a length", "angles": "an angle", "inertia": "an inertia property"}


class Place(Enum):
    """Meaning of a value: the group of its parameters, and its unit."""

    LENGTH = "lengths", "lengths"
    ANGLE = "angles", "angles"
    CENTER = "inertia", "lengths"
    INERTIA = "inertia", "inertia"
    RATIO_OF_LENGTHS = "lengths", ""
    RATIO_OF_ANGLES = "angles", ""


@dataclass(frozen=True, slots=True)
class _Use:
    """A parameter in a value.

    Attributes:
        group: That of the place.
        unit: What the parameter is there; empty where it may be anything.
        scaled: Whether a number beside it may have a unit.
        node: The value, or the parameter in it.
    """

    group: str
    unit: str
    scaled: bool
    node: Node


class Quantities:
    """Keeps what the parameters of a document are used as."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._uses: dict[str, list[_Use]] = {}

    def note(self, term: Expression, place: Place, node: Node) -> None:
        """Keeps what parameters are in a value that was evaluated."""
        group, unit = place.value
        for found, use in _uses(term, _Use(group, unit, False, node)):
            written = (part for part in nodes(node, {"parameter"}) if name(part) == found)
            use = replace(use, node=next(written, node))
            self._uses.setdefault(found, []).append(use)

    def known(self, parameter: Parameter) -> Parameter:
        """A parameter with its group: what it is if it places frames, else an inertia property."""
        placing = [use for use in self._uses.get(parameter.name, ()) if use.group != "inertia"]
        units = [use.unit for use in placing if use.unit] + [use.group for use in placing]
        return replace(parameter, group=units[0] if units else "inertia")

    def problems(self) -> Iterator[Problem]:
        """Findings about parameters that are two things."""
        for parameter, uses in self._uses.items():
            having = sorted((use for use in uses if use.unit), key=self._order)
            first = next((use for use in having if not use.scaled), None) or next(
                iter(having), None
            )
            for use in having:
                if first is not None and _differ(first, use):
                    yield self._problem(parameter, use, first)

    def _order(self, use: _Use) -> tuple[int, int]:
        return use.node.meta.line, use.node.meta.column

    def _problem(self, parameter: str, use: _Use, first: _Use) -> Problem:
        place = location(self._source, first.node)
        message = (
            f"parameter '{parameter}' is used as {_WORDS[use.unit]} here and as "
            f"{_WORDS[first.unit]} in line {place.line}; give them different names"
        )
        if {use.unit, first.unit} == {"lengths", "inertia"}:
            message += ", or give it a factor, as in density*length"
        return Problem(message, location(self._source, use.node))


def _differ(one: _Use, other: _Use) -> bool:
    if one.unit == other.unit:
        return False
    return "angles" in (one.unit, other.unit) or not (one.scaled or other.scaled)


def _uses(term: Expression, whole: _Use) -> Iterator[tuple[str, _Use]]:
    """The names of the parameters in a value, and what they are used as."""
    if term.parameter is not None:
        yield term.parameter.name, whole
        return
    still_open = [operand for operand in term.operands if not operand.is_constant]
    inner = replace(whole, unit="", scaled=False)
    if term.operation in (ADD, SUBTRACT, NEGATE):
        inner = whole
    elif term.operation in (SIN, COS) and term.operands[0].parameter is not None:
        inner = replace(whole, unit="angles", scaled=False)
    elif len(still_open) == 1 and (
        term.operation is MULTIPLY
        or (term.operation is DIVIDE and still_open[0] is term.operands[0])
    ):
        inner = replace(whole, scaled=whole.group == "inertia")
    for operand in still_open:
        yield from _uses(operand, inner)
