"""An entry of a result as a formula to look at: of SymPy, simplified where it is short enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.scalars.operation import (
    ADD,
    ATAN2,
    COS,
    DIVIDE,
    MULTIPLY,
    NEGATE,
    SELECT,
    SIN,
    SQRT,
    SUBTRACT,
)
from robcogen_ros.program.graph import Node
from robcogen_ros.program.leaf import Input, Literal, ParameterValue
from robcogen_ros.program.program import Program

_DIGITS = 50
_LONGEST = 120
"""Operations of a formula above which its parts get names instead."""
_LONGEST_EXPANDED = 700
"""Operations of a formula, written out, above which no shorter one is looked for."""
_NOTHING = 1e-30
"""Number that is left where 50-digit numbers cancel, relative to the largest."""


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """A formula.

    Attributes:
        value: The formula, of SymPy.
        definitions: What names in it stand for, each after those that it uses.
    """

    value: Any
    definitions: tuple[tuple[Any, Any], ...] = ()


def closed_form(program: Program, node: Node) -> ClosedForm:
    """The formula of a node of a straight-line program.

    Where it is short it is in terms of the arguments alone, products of sines and cosines as sums
    if that is shorter; a long one is in terms of the quantities of the algorithm.

    Raises:
        RobcogenError: If SymPy is not installed.
    """
    sympy = _sympy()
    below = _below(node)
    size = _written_out(below)[node]
    if size <= _LONGEST or (size <= _LONGEST_EXPANDED and _is_polynomial(below)):
        formula = _formulas(sympy, below, {})[node]
        formula = _shortest(sympy, formula) if _is_polynomial(below) else formula
        if sympy.count_ops(formula) <= _LONGEST:
            return ClosedForm(formula)
    symbols = _symbols(sympy, program, below)
    formulas = _formulas(sympy, below, symbols)
    definitions = tuple((symbol, formulas[each]) for each, symbol in symbols.items())
    return ClosedForm(formulas[node], definitions)


def rounded(formula: Any, digits: int) -> Any:
    """A formula whose numbers have so many digits."""
    sympy = _sympy()
    numbers = {x: sympy.Float(x, digits) for x in formula.atoms(sympy.Float)}
    return formula.xreplace(numbers)


def _sympy() -> Any:
    try:
        import sympy
    except ImportError as error:
        message = "closed forms need SymPy: install python3-sympy, or `pip install sympy`"
        raise RobcogenError(message) from error
    return sympy


def _below(node: Node) -> list[Node]:
    """A node and all that it depends on, operands first."""
    order: dict[Node, None] = {}
    pending = [(node, False)]
    while pending:
        each, visited = pending.pop()
        if visited:
            order[each] = None
        elif each not in order:
            pending.append((each, True))
            pending.extend((operand, False) for operand in each.operands)
    return list(order)


def _symbols(sympy: Any, program: Program, below: list[Node]) -> dict[Node, Any]:
    """Symbols for what the algorithm has a name for, and for what is used more than once."""
    names = {statement.node: statement.name for statement in program.statements()}
    uses = Counter(operand for each in below for operand in each.operands)
    symbols: dict[Node, Any] = {}
    taken = {str(_leaf(sympy, each)) for each in below if not each.operation}
    for each in below[:-1]:
        if each.operation and (uses[each] > 1 or names.get(each)):
            name = _free_name(names.get(each, ""), taken)
            taken.add(name)
            symbols[each] = sympy.Symbol(name)
    return symbols


def _free_name(name: str, taken: Container[str]) -> str:
    """A name that nothing has yet: the algorithm's, or that with a number; else t1, t2, ..."""
    numbered = (f"{name}_{i}" if name else f"t{i}" for i in count(2 if name else 1))
    return name if name and name not in taken else next(n for n in numbered if n not in taken)


def _is_polynomial(nodes: Iterable[Node]) -> bool:
    """Returns True if a formula is a polynomial of its arguments, their sines and cosines."""
    return all(node.operation not in (DIVIDE, SQRT, ATAN2, SELECT) for node in nodes)


def _written_out(nodes: Iterable[Node]) -> dict[Node, int]:
    """Returns the number of operations of nodes if nothing has a name."""
    sizes: dict[Node, int] = {}
    for node in nodes:
        sizes[node] = bool(node.operation) + sum(sizes[operand] for operand in node.operands)
    return sizes


def _formulas(sympy: Any, nodes: Iterable[Node], symbols: Mapping[Node, Any]) -> dict[Node, Any]:
    """A formula for each node; operands that have symbols are written by these."""
    apply = {
        ADD: lambda x, y: x + y,
        SUBTRACT: lambda x, y: x - y,
        MULTIPLY: lambda x, y: x * y,
        DIVIDE: lambda x, y: x / y,
        NEGATE: lambda x: -x,
        SIN: sympy.sin,
        COS: sympy.cos,
        SQRT: sympy.sqrt,
        ATAN2: sympy.atan2,
        SELECT: lambda c, x, y: sympy.Piecewise((x, c >= 0), (y, True)),
    }
    formulas: dict[Node, Any] = {}
    for node in nodes:
        if node.operation:
            operands = (symbols.get(o, formulas[o]) for o in node.operands)
            formulas[node] = apply[node.operation](*operands)
        else:
            formulas[node] = _leaf(sympy, node)
    return formulas


def _leaf(sympy: Any, node: Node) -> Any:
    leaf = node.leaf
    if isinstance(leaf, Literal):
        value = leaf.value
        whole = value == value.to_integral_value()
        return sympy.Integer(int(value)) if whole else sympy.Float(str(value), _DIGITS)
    if isinstance(leaf, Input):
        return sympy.Symbol(f"{leaf.name}_{leaf.index}")
    assert isinstance(leaf, ParameterValue)
    return sympy.Symbol(leaf.name)


def _shortest(sympy: Any, formula: Any) -> Any:
    """A formula as it is, multiplied out, or with sums of angles; the shortest of these."""
    from sympy.simplify.fu import TR8

    expanded = _without_nothing(sympy, sympy.expand(formula))
    sums = _without_nothing(sympy, sympy.expand(TR8(expanded)))
    return min((sums, expanded, formula), key=sympy.count_ops)


def _without_nothing(sympy: Any, formula: Any) -> Any:
    """A sum without terms that are only there because numbers have finitely many digits."""
    terms = sympy.Add.make_args(formula)
    sizes = [abs(float(term.as_coeff_Mul()[0])) for term in terms]
    least = _NOTHING * max(sizes)
    return sympy.Add(*(term for term, size in zip(terms, sizes, strict=True) if size > least))
