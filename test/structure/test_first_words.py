"""Docstrings stand alone: the first line names what is returned, done or described.

A function begins with a verb in the third person ("Returns", "Reads") or with the noun that it
returns, a class or a module with what it is, the text below a constant with what it holds. None
begins with half a sentence.
"""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "robcogen_ros"
HEADERS = ROOT / "include" / "robcogen_ros"
HALF = re.compile(
    r"(What|Whether|How|Where|Who|Which|Why|When|Whose|Of|Those|These|That|This|Such|The same|See|"
    r"For|From|By|In|At|As|About|With|Within|Without|To|On|Under|Over|Between|After|Before|Beside|"
    r"Beyond|Through|Than|Its|It|Their|They|There|If|Also|Likewise|Once|Until|While|Meanwhile|"
    r"But|And|Or|So|Not|None|Nothing|Has|Is|Does)\b"
)
FILES = sorted(SOURCE.rglob("*.py"))


def docstrings(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yields the docstring of a node, and the texts below its constants, each with its line."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)):
        yield getattr(node, "lineno", 1), ast.get_docstring(node) or ""
    if isinstance(node, (ast.ClassDef, ast.Module)):
        for before, after in pairwise(node.body):
            if isinstance(before, (ast.Assign, ast.AnnAssign)) and isinstance(after, ast.Expr):
                yield after.lineno, str(getattr(after.value, "value", ""))


def half_sentences(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for line, text in docstrings(node):
            if HALF.match(text):
                yield f"{path}:{line}: {text.splitlines()[0]}"


def test_docstrings_begin_with_what_is_returned_or_done():
    found = [line for path in FILES for line in half_sentences(path)]
    assert not found, "\n".join(found)


def test_comments_of_headers_begin_with_what_is_returned_or_done():
    for path in sorted(HEADERS.rglob("*.[hc]*")):
        if path.parent.name in ("control", "estimator", "legged"):
            continue
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        for before, line in pairwise(["", *lines]):
            if line.startswith("/// ") and not before.startswith("///"):
                assert not HALF.match(line.removeprefix("/// ")), f"{path}: {line}"
