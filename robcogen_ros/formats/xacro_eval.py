"""Expressions of a xacro as what they are for: numbers, texts and lists, no access to the machine.

xacro's own checks leave gaps: `$(eval)` has all of Python's functions, and of `${}` only the
outermost names are looked at. Nor does it bound what an expression makes: `9**9**9` is a number of
369 million digits.
"""

from __future__ import annotations

import ast
import builtins
import operator
import re
from collections.abc import Callable, Mapping, Sized
from functools import lru_cache
from typing import Any

_FUNCTIONS = (
    *("abs", "all", "any", "bool", "dict", "divmod", "enumerate", "float", "int", "len", "list"),
    *("map", "max", "min", "range", "reversed", "round", "set", "sorted", "str", "sum"),
    *("tuple", "zip"),
)
_HARMLESS = {name: getattr(builtins, name) for name in _FUNCTIONS}
_LARGEST = 10_000
"""Bits of a whole number, length of a text or list, turns of a loop."""
_MOST_LOOPS = 2
_BOUNDED = "bounded_"
_WIDTH = re.compile(r"\d{5,}")


def evaluate(text: str, _globals: object, names: Mapping[str, Any]) -> Any:
    """Replaces Python's `eval` behind `$(eval)`.

    Raises:
        ValueError: If the expression reaches for the inside of Python, or beyond all bounds.
    """
    functions = {"__builtins__": {**_HARMLESS, "pow": _power}, _BOUNDED: _apply}
    return eval(_bounded(text), functions, names)


def guarded(safe_eval: Callable[..., Any]) -> Callable[..., Any]:
    """xacro's evaluation of `${}`, looking at all names and at what is made."""

    def evaluate_safely(text: str, symbols: dict[str, Any], *scopes: Any) -> Any:
        dict.__setitem__(symbols, _BOUNDED, _apply)
        try:
            return safe_eval(_bounded(text), symbols, *scopes)
        finally:
            dict.pop(symbols, _BOUNDED, None)

    return evaluate_safely


@lru_cache(maxsize=4096)
def _bounded(text: str) -> str:
    """An expression with each operation that could make something huge handed to `_apply`."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text  # xacro says so itself
    _refuse_inner_names(tree)
    _refuse_long_loops(tree)
    if not any(type(node) in _OPERATIONS or _makes_many(node) for node in ast.walk(tree)):
        return text
    return ast.unparse(ast.fix_missing_locations(_Bounding().visit(tree)))


class _Bounding(ast.NodeTransformer):
    """Puts calls of `_apply` in the place of operations."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if type(node.op) not in _OPERATIONS:
            return node
        return _call(type(node.op).__name__, node.left, node.right)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return _call("range", *node.args) if _makes_many(node) else node


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    function = ast.Name(_BOUNDED, ast.Load())
    return ast.Call(function, [ast.Constant(name), *arguments], [])


def _makes_many(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "range"


def _refuse_inner_names(tree: ast.AST) -> None:
    for node in ast.walk(tree):
        name = getattr(node, "attr", None) or getattr(node, "id", None)
        if isinstance(name, str) and name.startswith("__"):
            raise ValueError(f"an expression may not use the name {name}")


def _refuse_long_loops(tree: ast.AST) -> None:
    loops = [node for node in ast.walk(tree) if isinstance(node, (ast.comprehension, ast.Lambda))]
    if len(loops) > _MOST_LOOPS:
        raise ValueError(f"an expression may not have more than {_MOST_LOOPS} loops")


def _apply(name: str, *operands: Any) -> Any:
    """An operation, unless its result were larger than anything of a robot."""
    if name == "range":
        result = range(*operands)
        _refuse(len(result) > _LARGEST)
        return result
    a, b = operands
    _refuse(_size(name, a, b) > _LARGEST)
    return _OPERATIONS[getattr(ast, name)](a, b)


def _power(base: Any, exponent: Any) -> Any:
    return _apply("Pow", base, exponent)


def _size(name: str, a: Any, b: Any) -> float:
    """A bound of the bits or the length of a result; 0 where it cannot be large."""
    if isinstance(a, int) and isinstance(b, int):
        bits = {"Pow": a.bit_length() * max(b, 0), "LShift": a.bit_length() + max(b, 0)}
        return bits.get(name, a.bit_length() + b.bit_length())
    if name == "Mod" and isinstance(a, str):
        return _LARGEST + 1 if _WIDTH.search(a) else 0
    lengths = [len(x) for x in (a, b) if isinstance(x, Sized)]
    times = max((x for x in (a, b) if isinstance(x, int)), default=1)
    return sum(lengths) * (times if name == "Mult" else 1)


def _refuse(huge: bool) -> None:
    if huge:
        raise ValueError("an expression makes something larger than any robot needs")


_OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.Mult: operator.mul,
    ast.Add: operator.add,
    ast.Mod: operator.mod,
}
