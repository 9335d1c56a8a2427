"""The amount of a step: a number, or a number times a variable, parameter or constant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from robcogen_ros.model.scalars import number


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name that stands for a value.

    Attributes:
        name: Its name.
        kind: A variable changes all the time, a parameter from time to time, a constant never.
        group: Group of a parameter; empty where there is none.
        value: Value of a constant, default of a parameter; None where the document gives none.
    """

    name: str
    kind: Literal["variable", "parameter", "constant"] = "variable"
    group: str = ""
    value: Decimal | None = None

    @property
    def key(self) -> str:
        """The name, with that of its group before it."""
        return f"{self.group}.{self.name}" if self.group else self.name


PI = Symbol("PI", "constant", value=number.PI)


@dataclass(frozen=True, slots=True)
class Amount:
    """The value `numerator * symbol / divisor`, kept as it is written.

    Attributes:
        numerator: A number; all there is where there is no symbol.
        symbol: What it multiplies.
        divisor: What the product is divided by, never zero.
    """

    numerator: Decimal
    symbol: Symbol | None = None
    divisor: Decimal = number.ONE

    def __neg__(self) -> Amount:
        return replace(self, numerator=number.negate(self.numerator))

    @property
    def coefficient(self) -> Decimal:
        """The factor of the symbol."""
        return number.divide(self.numerator, self.divisor)

    @property
    def constant(self) -> Decimal | None:
        """The value, if it depends on no variable or parameter; else None."""
        if self.symbol is None:
            return self.coefficient
        if self.symbol.kind != "constant" or self.symbol.value is None:
            return None
        return number.multiply(self.coefficient, self.symbol.value)

    @property
    def open_symbol(self) -> Symbol | None:
        """The variable or parameter that it depends on."""
        return self.symbol if self.constant is None else None
