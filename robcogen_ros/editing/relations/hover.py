"""Facts that an editor shows of names in motions and transforms."""

from __future__ import annotations

from decimal import Decimal

from robcogen_ros.formats.kindsl.numbers import Terms
from robcogen_ros.model.scalars.expression import Expression, Parameter, expression
from robcogen_ros.transforms.amount import Symbol as Quantity
from robcogen_ros.transforms.document import Motions, Relation, Transforms
from robcogen_ros.transforms.pose import pose

_LONGEST = 400
"""Characters of a matrix that is still worth looking at."""
_MOST_STEPS = 12


def quantity_facts(content: Motions | Transforms, kind: str, name: str, group: str) -> list[str]:
    """Returns the places of a variable, parameter or constant, and its value."""
    turns = False
    shifts = False
    value: Decimal | None = None
    for relation in content.relations:
        for step in relation.steps:
            quantity = step.amount.symbol
            if quantity and (quantity.kind, quantity.name, quantity.group) == (kind, name, group):
                turns, shifts = turns or step.turns, shifts or not step.turns
                value = quantity.value
    units = " and ".join([*["[rad]"] * turns, *["[m]"] * shifts])
    given = "" if value is None else f"{'default' if kind == 'parameter' else 'value'} {value}"
    return [text for text in (units, given) if text]


def matrix(content: Motions | Transforms, relation: Relation) -> list[str]:
    """The homogeneous matrix left_X_right in closed form; nothing if it is too long to read."""
    if len(relation.steps) > _MOST_STEPS:
        return []
    placed = pose(content.sequence(relation), _lift).map(expression)
    terms = Terms()
    p, R = placed.translation, placed.rotation
    rows = [[*map(terms.value, row), terms.value(x)] for row, x in zip(R, p, strict=True)]
    rows.append(["0.0", "0.0", "0.0", "1.0"])
    if sum(len(entry) for row in rows for entry in row) > _LONGEST:
        return []
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(entry.ljust(width) for entry, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return ["\n".join([f"`{relation.left}_X_{relation.right}`", "```text", *lines, "```"])]


def _lift(value: Quantity | Decimal) -> Expression:
    if isinstance(value, Decimal):
        return Expression(value=value)
    return Expression(parameter=Parameter(value.key))
