"""The joints of a robot in the order of its vectors, with what a controller of them must know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from robcogen_ros.model.robot import Robot

_OF_COORDINATES = (
    "# joint unit lower upper velocity effort damping friction armature stiffness rest"
)


def joint_table(robot: Robot) -> Iterator[str]:
    """Yields a line for each coordinate, in the order of q."""
    yield "coordinates, the order of q, qd, tau"
    yield from _aligned(_OF_COORDINATES.split(), [*_coordinates(robot)])


def _coordinates(robot: Robot) -> Iterator[list[str]]:
    for k, c in enumerate(robot.coordinates):
        limits = c.limits.lower, c.limits.upper, c.limits.velocity, c.limits.effort
        terms = c.damping, c.friction, c.armature, c.stiffness, c.rest
        yield [str(k), c.name, c.kind.unit, *map(_text, limits), *map(_text, terms)]


def _text(value: float | None) -> str:
    return "-" if value is None else f"{value:.6g}"


def _aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines of a table: words to the left, numbers to the right; columns of zeros are left out."""
    kept = [k for k, _ in enumerate(head) if k < 2 or any(row[k] not in ("-", "0") for row in rows)]
    table = [[line[k] for k in kept] for line in (head, *rows)]
    words = [head[k] in ("joint", "unit") for k in kept]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for line in table:
        cells = zip(line, widths, words, strict=True)
        padded = [cell.ljust(width) if left else cell.rjust(width) for cell, width, left in cells]
        yield "  ".join(padded).rstrip()
