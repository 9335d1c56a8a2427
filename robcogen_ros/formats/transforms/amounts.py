"""Amounts of steps, as the Motion-DSL and the Transforms-DSL write them."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from robcogen_ros.errors import Problem
from robcogen_ros.formats import numeral
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.syntax_tree import (
    Node,
    children,
    joined,
    location,
    names,
    own_name,
    token,
)
from robcogen_ros.model.names import nearest
from robcogen_ros.model.scalars import number
from robcogen_ros.transforms.amount import PI, Amount, Symbol
from robcogen_ros.transforms.document import Group

CONSTANTS = "consts"
"""Group of constants without values, which RobCoGen writes; parameters for us."""

_LONGEST = 200


class Amounts:
    """Evaluates a document's amounts and keeps its symbols, each once.

    Attributes:
        problems: Findings about amounts.
    """

    def __init__(self, source: Source, groups: tuple[Group, ...]) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self._groups = {group.name: group for group in groups}
        self._parameters: dict[str, Symbol] = {}
        self._constants: dict[str, Symbol] = {}

    def amount(self, node: Node) -> Amount:
        """An amount: a number, or a symbol with a factor and a divisor."""
        numerator = self._signed(node, number.ONE)
        for factor in children(node, "factor"):
            numerator = number.multiply(numerator, self._number(children(factor, "number")[0]))
            for named in children(node, "variable", "parameter", "member", "constant"):
                if told := joined(self.source, factor, named):
                    self._complain(factor, told, "warning")
        divisor = number.ONE
        for part in children(node, "divisor"):
            divisor = self._number(children(part, "number")[0])
            if not divisor:
                self._complain(part, "division by zero")
                divisor = number.ONE
        symbol = self._symbol(node)
        coefficient = number.divide(numerator, divisor)
        if abs(coefficient) > Decimal(numeral.LARGEST):
            self._complain(node, "the value is larger than any quantity of a frame")
        if symbol is None or not numerator:
            return Amount(coefficient)
        return Amount(numerator, symbol, divisor)

    def _symbol(self, node: Node) -> Symbol | None:
        for part in children(node, "pi", "variable", "parameter", "member", "constant"):
            if part.data == "pi":
                return PI
            if part.data == "variable":
                return self._variable(part)
            if part.data == "constant":
                return self._constant(part)
            if part.data == "parameter":
                return self._parameter(part, "", _after_colon(part, "PARAMETER"))
            group, name = names(part)
            self._check_member(part, group, name)
            return self._parameter(part, group, name)
        return None

    def _variable(self, node: Node) -> Symbol:
        (name,) = children(node, "name")
        if numeral.is_not_finite(token(name, "NAME") or ""):
            self._complain(node, f"'{own_name(name)}' is not a finite number")
        return Symbol(own_name(name))

    def _check_member(self, node: Node, group: str, name: str) -> None:
        known = self._groups.get(group)
        if known is None:
            if group != CONSTANTS:
                hint = nearest(group, self._groups) or f"; declare it: Params {group} {{ {name} }}"
                self._complain(node, f"there is no group of parameters '{group}'{hint}")
        elif name not in known.members:
            hint = nearest(name, known.members) or "; add it there"
            self._complain(node, f"'{name}' is not among the parameters of '{group}'{hint}")

    def _parameter(self, node: Node, group: str, name: str) -> Symbol:
        defaults = children(node, "default")
        value = None
        if defaults:
            value = self._signed(defaults[0], self._number(children(defaults[0], "number")[0]))
        symbol = Symbol(name, "parameter", group, value)
        known = self._parameters.setdefault(symbol.key, symbol)
        if known.value is None and value is not None:
            known = self._parameters[symbol.key] = symbol
        if value is not None and value != known.value:
            message = f"the default of parameter '{name}' is {known.value} already: this is ignored"
            self._complain(node, message, "warning")
        return Symbol(name, "parameter", group)

    def _constant(self, node: Node) -> Symbol:
        name = _after_colon(node, "CONSTANT")
        numbers = children(node, "number")
        known = self._constants.get(name)
        if not numbers:
            if known is None:
                message = f"constant '{name}' has no value yet; give it one: c:{name}:VALUE"
                self._complain(node, message)
            return known or Symbol(name, "constant", value=number.ZERO)
        value = self._signed(node, self._number(numbers[0]))
        if known is not None and known.value != value:
            message = f"constant '{name}' is {known.value} already; use c:{name}, or another name"
            self._complain(node, message)
        return self._constants.setdefault(name, Symbol(name, "constant", value=value))

    def with_default(self, amount: Amount) -> Amount:
        """An amount whose parameter has its default, which may be written after its first use."""
        symbol = amount.symbol
        if symbol is None or symbol.kind != "parameter":
            return amount
        return replace(amount, symbol=self._parameters[symbol.key])

    def _number(self, node: Node) -> Decimal:
        text = token(node, "NUMBER") or "0"
        if len(text) > _LONGEST:
            self._complain(node, f"a number of {len(text)} characters; write it shorter")
            return number.ONE
        complaint = numeral.complaint(text)
        if complaint:
            self._complain(node, complaint)
            return number.ONE
        return number.number(text) if float(text) else number.ZERO

    def _signed(self, node: Node, value: Decimal) -> Decimal:
        signs = [str(child) for child in node.children if str(child) == "-"]
        return number.negate(value) if len(signs) % 2 else value

    def _complain(self, node: Node, message: str, severity: str = "error") -> None:
        self.problems.append(Problem(message, location(self.source, node), severity))


def _after_colon(node: Node, kind: str) -> str:
    return (token(node, kind) or "").partition(":")[2].removeprefix("^")
