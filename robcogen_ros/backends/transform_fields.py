"""Fields of variables and parameters of transforms, with names that a language allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from robcogen_ros.backends.identifiers import comment
from robcogen_ros.transforms.amount import Symbol


@dataclass(frozen=True, slots=True)
class Field:
    """A variable or parameter: identifier, initial value (None: not given), its original name."""

    name: str
    value: Decimal | None
    meaning: str


def fields(
    symbols: Sequence[Symbol], identifiers: Callable[[Sequence[str]], list[str]]
) -> list[Field]:
    """Fields under their own names, or with those of their groups where two would be the same."""
    plain = [symbol.name for symbol in symbols]
    names = [s.name if plain.count(s.name) == 1 else s.key for s in symbols]
    return [
        Field(name, Decimal(0) if s.kind == "variable" else s.value, comment(s.key))
        for name, s in zip(identifiers(names), symbols, strict=True)
    ]
