"""Writes documents of desired transforms and Jacobians."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from robcogen_ros.transforms.desired import Desired, Wanted

_KEYWORDS = frozenset({"Robot", "Model", "Frames", "Transforms", "Jacobians"})


def write(desired: Desired) -> str:
    """The document that asks for transforms and Jacobians; its names must be legal."""
    lines = [
        f"Robot {_written(desired.name)}",
        "Frames {",
        ",\n".join(f"    {_written(frame)}" for frame in desired.frames),
        "}",
        *_section("Transforms", desired.transforms),
        *_section("Jacobians", desired.jacobians),
        "",
    ]
    return "\n".join(lines)


def _section(title: str, pairs: Sequence[Wanted]) -> Iterator[str]:
    yield f"{title} {{"
    for pair in pairs:
        yield f"    base = {_written(pair.left)}  target = {_written(pair.right)}"
    yield "}"


def _written(name: str) -> str:
    return f"^{name}" if name in _KEYWORDS else name
