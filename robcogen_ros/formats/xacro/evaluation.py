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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from functools import lru_cache
from typing import Any

_FUNCTIONS = (
    *("abs", "all", "any", "bool", "dict", "divmod", "enumerate", "float", "int", "len", "list"),
    *("map", "max", "min", "range", "reversed", "round", "set", "sorted", "str", "sum"),
    *("tuple", "zip"),
)
_HARMLESS = {name: getattr(builtins, name) for name in _FUNCTIONS}
_MOST, _SMALL, _USUAL = 1_000_000, 100, 10_000
"""Turns of loops in a file, with bits of whole numbers and lengths of texts and lists that
operations make, of those that are not small, and of results that are unusual."""
_OF_CALL = 20
"""Turns that a call of a lambda counts for."""
_BOUNDED = "bounded_"
_WIDTH = re.compile(r"\d{5,}")


class Evaluator:
    """Evaluates the expressions of a xacro, as long as these make nothing huge together."""

    def __init__(self) -> None:
        self._spent = 0.0

    def evaluate(self, text: str, _globals: object, names: Mapping[str, Any]) -> Any:
        """Replaces Python's `eval` behind `$(eval)`.

        Raises:
            ValueError: If the expression reaches for the inside of Python, or beyond all bounds.
        """
        inside = {**_HARMLESS, "pow": lambda base, exponent: self._apply("Pow", base, exponent)}
        return eval(_bounded(text), {"__builtins__": inside, _BOUNDED: self._apply}, names)

    def guarded(self, safe_eval: Callable[..., Any]) -> Callable[..., Any]:
        """xacro's evaluation of `${}`, looking at all names and at what is made."""

        def evaluate_safely(text: str, symbols: dict[str, Any], *scopes: Any) -> Any:
            dict.__setitem__(symbols, _BOUNDED, self._apply)  # stays, for lambdas look here
            result = safe_eval(_bounded(text), symbols, *scopes)
            self._make(_length(result), _USUAL)
            return result

        return evaluate_safely

    def _apply(self, name: str, *operands: Any) -> Any:
        """An operation, unless its result were larger than anything of a robot."""
        if name == "turns":
            return self._turns(*operands)
        if name == "called":
            self._spend(_OF_CALL)
            return operands[0]
        if name == "range":
            result = range(*operands)
            self._make(len(result))
            return result
        self._make(_size(name, *operands))
        return _OPERATIONS[getattr(ast, name)](*operands)

    def _turns(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self._spend(1)
            yield item

    def _make(self, size: float, free: int = _SMALL) -> None:
        self._spend(size if size > free else 0)

    def _spend(self, cost: float) -> None:
        self._spent += cost
        if self._spent > _MOST:
            raise ValueError("expressions make more than any robot needs")


@lru_cache(maxsize=4096)
def _bounded(text: str) -> str:
    """An expression with all that could make something huge handed to `_apply`."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text  # xacro says so itself
    _refuse_inner_names(tree)
    bounding = _Bounding()
    tree = bounding.visit(tree)
    return ast.unparse(ast.fix_missing_locations(tree)) if bounding.changed else text


class _Bounding(ast.NodeTransformer):
    """Puts calls of `_apply` in the place of operations, and around loops and lambdas."""

    changed = False

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if type(node.op) not in _OPERATIONS:
            return node
        return self._call(type(node.op).__name__, node.left, node.right)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return self._call("range", *node.args) if getattr(node.func, "id", "") == "range" else node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = self._call("turns", node.iter)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        node.body = self._call("called", node.body)
        return node

    def _call(self, name: str, *arguments: ast.expr) -> ast.expr:
        self.changed = True
        function = ast.Name(_BOUNDED, ast.Load())
        return ast.Call(function, [ast.Constant(name), *arguments], [])


def _refuse_inner_names(tree: ast.AST) -> None:
    for node in ast.walk(tree):
        name = getattr(node, "attr", None) or getattr(node, "id", None)
        if isinstance(name, str) and name.startswith("__"):
            raise ValueError(f"an expression may not use the name {name}")


def _length(result: Any) -> int:
    """Returns a lower bound of a result's length as a text: YAML shares its parts."""
    count, pending = 0, [result]
    while pending and count <= _MOST:
        part = pending.pop()
        count += len(part) if isinstance(part, str) else 1
        if isinstance(part, dict):
            pending.extend(dict.values(part))
        elif isinstance(part, (list, tuple, set)):
            pending.extend(part)
    return count


def _size(name: str, a: Any, b: Any) -> float:
    """A bound of the bits or the length of a result; 0 where it cannot be large."""
    if isinstance(a, int) and isinstance(b, int):
        bits = {"Pow": a.bit_length() * max(b, 0), "LShift": a.bit_length() + max(b, 0)}
        return bits.get(name, a.bit_length() + b.bit_length())
    if name == "Mod" and isinstance(a, str):
        return _MOST + 1 if _WIDTH.search(a) else 0
    lengths = [len(x) for x in (a, b) if isinstance(x, Sized)]
    times = max((x for x in (a, b) if isinstance(x, int)), default=1)
    return sum(lengths) * (times if name == "Mult" else 1)


_OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.Mult: operator.mul,
    ast.Add: operator.add,
    ast.Mod: operator.mod,
}
