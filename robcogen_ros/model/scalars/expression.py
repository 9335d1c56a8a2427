"""A quantity of a robot: an exact constant, or an expression of the robot's named parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from robcogen_ros.model.record import record
from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.operation import (
    ADD,
    DIVIDE,
    MULTIPLY,
    NEGATE,
    SUBTRACT,
    Operation,
    Scalar,
    SymbolicOperators,
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named quantity that stays open until run time.

    Attributes:
        name: Its identifier.
        group: "lengths", "angles" or "inertia", after the places where it stands; only those in
            the list of a robot's parameters know it.
        default: Its value unless set otherwise; None where the document gives none.
    """

    name: str
    group: str = field(default="lengths", compare=False)
    default: Decimal | None = None


@record(frozen=True, slots=True)
class Expression(SymbolicOperators):
    """A constant (`value`), a parameter, or an operation on expressions; exactly one of these."""

    value: Decimal | None = None
    parameter: Parameter | None = None
    operation: Operation | None = None
    operands: tuple[Expression, ...] = ()

    @property
    def is_constant(self) -> bool:
        """True if the expression depends on no parameter."""
        return self.value is not None

    @property
    def structurally_zero(self) -> bool:
        """True if the expression is the constant zero."""
        return self.value is not None and not self.value

    def apply(self, operation: Operation, *operands: Scalar) -> Expression:
        """The operation on operands, computed exactly where all of them are constants."""
        terms = tuple([o if type(o) is Expression else expression(o) for o in operands])
        values = [term.value for term in terms if term.value is not None]
        if len(values) == len(terms):
            return Expression(operation.exact(*values))
        return _simplified(operation, terms) or Expression(operation=operation, operands=terms)

    def __add__(self, other: Scalar) -> Expression:
        a, b = self.value, other.value if type(other) is Expression else None
        if a is None or b is None:
            return self.apply(ADD, self, other)
        if not a or not b:
            return self if a else other
        return Expression(number.add(a, b))

    def __sub__(self, other: Scalar) -> Expression:
        a, b = self.value, other.value if type(other) is Expression else None
        if a is None or b is None:
            return self.apply(SUBTRACT, self, other)
        return Expression(number.subtract(a, b)) if b else self

    def __mul__(self, other: Scalar) -> Expression:
        a, b = self.value, other.value if type(other) is Expression else None
        if a is None or b is None:
            return self.apply(MULTIPLY, self, other)
        return Expression(number.multiply(a, b)) if a and b else ZERO

    def __neg__(self) -> Scalar:
        return Expression(number.negate(self.value)) if self.value else self.apply(NEGATE, self)

    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters in it, in the order in which they are written, each once."""
        if self.parameter is not None:
            return (self.parameter,)
        found = (parameter for operand in self.operands for parameter in operand.parameters())
        return tuple(dict.fromkeys(found))

    def evaluate(self, parameters: Mapping[str, Decimal] | None = None) -> Decimal:
        """Returns its value, with parameters given by name or else at their defaults.

        Raises:
            ValueError: If a parameter has neither a given value nor a default.
        """
        if self.value is not None:
            return self.value
        if self.parameter is not None:
            value = (parameters or {}).get(self.parameter.name, self.parameter.default)
            if value is None:
                raise ValueError(f"parameter '{self.parameter.name}' has no default value")
            return value
        assert self.operation is not None
        return self.operation.exact(*(operand.evaluate(parameters) for operand in self.operands))

    def __float__(self) -> float:
        return number.to_float(self.evaluate() if self.value is None else self.value)


ZERO = Expression(value=number.ZERO)
ONE = Expression(value=number.ONE)
MINUS_ONE = Expression(value=number.negate(number.ONE))
PI = Expression(value=number.PI)


def expression(value: Scalar) -> Expression:
    """A number, a numeric text or an expression, as an expression.

    Raises:
        ValueError: If the value is not a finite number.
    """
    return value if isinstance(value, Expression) else Expression(value=number.number(value))


def _simplified(operation: Operation, terms: tuple[Expression, ...]) -> Expression | None:
    """Returns what is left of an operation with a 0, 1 or -1 among its operands; else None."""
    first, last = terms[0], terms[-1]
    if operation is ADD:
        return last if first == ZERO else first if last == ZERO else None
    if operation is SUBTRACT:
        return first if last == ZERO else -last if first == ZERO else None
    if operation is MULTIPLY:
        if ZERO in terms:
            return ZERO
        return _of_unit_factor(first, last) or _of_unit_factor(last, first)
    if operation is DIVIDE:
        return ZERO if first == ZERO else first if last == ONE else None
    if operation is NEGATE and first.operation is NEGATE:
        return first.operands[0]
    return None


def _of_unit_factor(factor: Expression, other: Expression) -> Expression | None:
    if factor == ONE:
        return other
    return -other if factor == MINUS_ONE else None


def at_values(values: Mapping[str, Decimal]) -> Callable[[Scalar], Expression]:
    """The function that turns expressions into the constants they are at values of parameters."""
    known: dict[int, tuple[Expression, Expression]] = {}

    def constant(value: Scalar) -> Expression:
        whole = expression(value)
        if whole.value is not None:
            return whole
        if whole.parameter is not None:
            return Expression(value=values[whole.parameter.name])
        assert whole.operation is not None
        if id(whole) not in known:
            result = whole.operation.exact(*(constant(o).value for o in whole.operands))
            known[id(whole)] = whole, Expression(value=result)
        return known[id(whole)][1]

    return constant
