"""Each arithmetic operation, defined once: exact folding, evaluation, derivative, notation.

To add one, write its `Operation` below; parameters, programs and every target language know it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from robcogen_ros.model.scalars import number

Scalar = Any
"""Anything with + - * / among its kind and with int: float, array, `Expression`, `Node`."""


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """One arithmetic operation.

    Attributes:
        name: Its name, also that of the function in target languages.
        arity: Number of operands.
        exact: The operation on 50-digit constants.
        numeric: The operation on floats and NumPy arrays.
        partials: `(operands, result) -> derivative of the result by each operand`, any scalar.
        symbol: Infix or prefix operator in the usual notation; empty for a function call.
        precedence: How tightly the symbol binds; a call binds tightest.
        commutative: Whether the operands may be exchanged.
    """

    name: str
    arity: int
    exact: Callable[..., Decimal]
    numeric: Callable[..., Any]
    partials: Callable[[tuple[Scalar, ...], Scalar], tuple[Scalar, ...]]
    symbol: str = ""
    precedence: int = 9
    commutative: bool = False

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> str:
        """The constant of this module, in copies and in other processes too."""
        return self.name.upper()


ADD = Operation(
    "add", 2, number.add, np.add, lambda x, y: (1, 1), "+", precedence=1, commutative=True
)
SUBTRACT = Operation(
    "subtract", 2, number.subtract, np.subtract, lambda x, y: (1, -1), "-", precedence=1
)
MULTIPLY = Operation(
    "multiply", 2, number.multiply, np.multiply, lambda x, y: (x[1], x[0]), "*", 2, True
)
DIVIDE = Operation(
    "divide", 2, number.divide, np.divide, lambda x, y: (1 / x[1], -y / x[1]), "/", precedence=2
)
NEGATE = Operation("negate", 1, number.negate, np.negative, lambda x, y: (-1,), "-", precedence=3)
SIN = Operation("sin", 1, number.sin, np.sin, lambda x, y: (cos(x[0]),))
COS = Operation("cos", 1, number.cos, np.cos, lambda x, y: (-sin(x[0]),))
SQRT = Operation("sqrt", 1, number.sqrt, np.sqrt, lambda x, y: (1 / (2 * y),))


def _atan2_partials(x: tuple[Scalar, ...], y: Scalar) -> tuple[Scalar, ...]:
    square = x[0] * x[0] + x[1] * x[1]
    return x[1] / square, -x[0] / square


ATAN2 = Operation("atan2", 2, number.atan2, np.arctan2, _atan2_partials)


def _select(condition: Any, first: Any, second: Any) -> Any:
    """Selects as `SELECT` does, among floats and NumPy arrays."""
    return np.where(condition >= 0, first, np.where(condition < 0, second, condition))[()]


SELECT = Operation(
    "select",
    3,
    number.select,
    _select,
    lambda x, y: (0, select(x[0], 1, 0), select(x[0], 0, 1)),
)

OPERATIONS = {
    operation.name: operation
    for operation in (ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE, SIN, COS, SQRT, ATAN2, SELECT)
}


def apply(operation: Operation, *operands: Scalar) -> Scalar:
    """The operation on any scalars: symbolic ones build, plain numbers compute."""
    for operand in operands:
        build = getattr(operand, "apply", None)
        if build is not None:
            return build(operation, *operands)
    return operation.numeric(*operands)


def sin(x: Scalar) -> Scalar:
    """Sine of an angle in radians."""
    return apply(SIN, x)


def cos(x: Scalar) -> Scalar:
    """Cosine of an angle in radians."""
    return apply(COS, x)


def sqrt(x: Scalar) -> Scalar:
    """Square root."""
    return apply(SQRT, x)


def atan2(y: Scalar, x: Scalar) -> Scalar:
    """Angle of the point (x, y) in radians, within (-pi, pi]."""
    return apply(ATAN2, y, x)


def select(condition: Scalar, first: Scalar, second: Scalar) -> Scalar:
    """The first where the condition is 0 or positive, the second where it is negative.

    What is not taken does not matter, be it NaN; of a condition that is NaN it is NaN.
    """
    return apply(SELECT, condition, first, second)


def minimum(a: Scalar, b: Scalar) -> Scalar:
    """The smaller one; NaN if either is."""
    return select(b - a, a, b)


def maximum(a: Scalar, b: Scalar) -> Scalar:
    """The larger one; NaN if either is."""
    return select(a - b, a, b)


def is_zero(x: Scalar) -> bool:
    """Returns True if x is a structural zero: zero whatever the inputs are, not a rounded value."""
    structural = getattr(x, "structurally_zero", None)
    return bool(structural) if structural is not None else isinstance(x, int) and x == 0


class SymbolicOperators:
    """Python's operators for a class that has `apply(operation, *operands)`."""

    __slots__ = ()

    def apply(self, operation: Operation, *operands: Scalar) -> Scalar:
        """Builds the operation on operands, at least one of which is of this class."""
        raise TypeError(f"{type(self).__name__} does not build operations")

    def __add__(self, other: Scalar) -> Scalar:
        return self.apply(ADD, self, other)

    def __radd__(self, other: Scalar) -> Scalar:
        return self.apply(ADD, other, self)

    def __sub__(self, other: Scalar) -> Scalar:
        return self.apply(SUBTRACT, self, other)

    def __rsub__(self, other: Scalar) -> Scalar:
        return self.apply(SUBTRACT, other, self)

    def __mul__(self, other: Scalar) -> Scalar:
        return self.apply(MULTIPLY, self, other)

    def __rmul__(self, other: Scalar) -> Scalar:
        return self.apply(MULTIPLY, other, self)

    def __truediv__(self, other: Scalar) -> Scalar:
        return self.apply(DIVIDE, self, other)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return self.apply(DIVIDE, other, self)

    def __neg__(self) -> Scalar:
        return self.apply(NEGATE, self)
