"""Numbers that know their derivatives: a value, and what it changes by per unit of each variable.

An algorithm that runs on them computes its derivatives beside its results (forward accumulation:
Griewank and Walther, Evaluating Derivatives, 2008, chapter 3). Both parts are of any scalar;
derivatives that vanish are not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from robcogen_ros.model.scalars.operation import (
    SELECT,
    Operation,
    Scalar,
    SymbolicOperators,
    apply,
    is_zero,
    select,
)


@dataclass(frozen=True, slots=True, eq=False)
class Dual(SymbolicOperators):
    """A value with its derivatives.

    Attributes:
        value: The value.
        by: Derivatives that do not vanish, by variable.
    """

    value: Scalar
    by: Mapping[Hashable, Scalar] = field(default_factory=dict)

    @classmethod
    def variable(cls, value: Scalar, name: Hashable) -> Dual:
        """A variable: its derivative by itself is 1."""
        return cls(value, {name: 1})

    @property
    def structurally_zero(self) -> bool:
        """True if value and derivatives are zero whatever the inputs are."""
        return is_zero(self.value) and not self.by

    def apply(self, operation: Operation, *operands: Scalar) -> Dual:
        """The operation on operands, by the chain rule."""
        duals = [dual(operand) for operand in operands]
        values = tuple(operand.value for operand in duals)
        value = apply(operation, *values)
        if not any(operand.by for operand in duals):
            return Dual(value)
        if operation is SELECT:
            return _selected(duals, value)
        by: dict[Hashable, Scalar] = {}
        for operand, partial in zip(duals, operation.partials(values, value), strict=True):
            for name, change in operand.by.items():
                by[name] = by[name] + partial * change if name in by else partial * change
        return Dual(value, {name: change for name, change in by.items() if not is_zero(change)})

    def map(self, lift: Callable[[Scalar], Scalar]) -> Dual:
        """Returns this number over another scalar."""
        return Dual(lift(self.value), {name: lift(change) for name, change in self.by.items()})


def _selected(duals: Sequence[Dual], value: Scalar) -> Dual:
    """A choice, with the derivatives of what is taken: those of the other may be no numbers."""
    condition, first, second = duals
    names = dict.fromkeys((*first.by, *second.by))
    changes = {n: select(condition.value, first.by.get(n, 0), second.by.get(n, 0)) for n in names}
    return Dual(value, {name: change for name, change in changes.items() if not is_zero(change)})


def dual(value: Scalar) -> Dual:
    """Any scalar as a dual number; a constant has no derivatives."""
    return value if isinstance(value, Dual) else Dual(value)


def variables(values: Iterable[Scalar], name: str) -> list[Dual]:
    """Entries of an input as variables `(name, index)`."""
    return [Dual.variable(value, (name, index)) for index, value in enumerate(values)]


def jacobian(results: Iterable[Scalar], names: Iterable[Hashable]) -> list[list[Scalar]]:
    """Derivatives of results, a result a row, by variables, a variable a column."""
    columns = tuple(names)
    return [[dual(result).by.get(name, 0) for name in columns] for result in results]
