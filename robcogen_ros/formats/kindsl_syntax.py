"""The syntax of the Kinematics-DSL: from text to a parse tree, or to a located complaint."""

from __future__ import annotations

import difflib
from functools import cache
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternStr

from robcogen_ros.errors import Location, ModelError
from robcogen_ros.formats.source import Source

Node = Tree[Token]

_GRAMMAR = Path(__file__).with_name("kindsl.lark")
_MEANING = {
    "NAME": "a name",
    "NUMBER": "a number",
    "SIGN": "a sign",
    "MOMENT": "one of Ix, Iy, Iz, Ixy, Ixz, Iyz",
    "$END": "the end of the file",
}
_UNCLOSED = "this comment is never closed"
_KEYWORDS_SHOWN = 6


def parse(source: Source) -> Node:
    """The parse tree of a document.

    Raises:
        ModelError: Where the text is not in the language.
    """
    try:
        return _parser().parse(source.text)
    except UnexpectedInput as error:
        raise ModelError.at(_place(source, error), _message(source, error)) from error


def children(node: Node, rule: str) -> list[Node]:
    """The child nodes that a rule of the grammar made."""
    return [child for child in node.children if isinstance(child, Tree) and child.data == rule]


def child(node: Node, rule: str) -> Node:
    """The first child node that a rule of the grammar made."""
    return children(node, rule)[0]


def token(node: Node, kind: str) -> str | None:
    """The text of the first token of a kind directly in a node."""
    return next((str(t) for t in node.children if isinstance(t, Token) and t.type == kind), None)


def name(node: Node) -> str:
    """The name that a node bears."""
    return own_name(child(node, "name"))


def own_name(node: Node) -> str:
    """The name that a node is, without the caret that escapes a keyword."""
    return (token(node, "NAME") or "").removeprefix("^")


def location(source: Source, node: Node) -> Location:
    """Where a node begins."""
    return Location(source.name, node.meta.line, node.meta.column)


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR.read_text(), start="document", parser="lalr", propagate_positions=True)


def _place(source: Source, error: UnexpectedInput) -> Location:
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return source.location(len(source.text.rstrip()))
    return Location(source.name, error.line, error.column)


def _message(source: Source, error: UnexpectedInput) -> str:
    if isinstance(error, UnexpectedCharacters):
        return _unknown_character(source.text[error.pos_in_stream or 0 :])
    assert isinstance(error, UnexpectedToken)
    if source.text.startswith("/*", error.pos_in_stream or 0):
        return _UNCLOSED
    found = "the end of the file" if error.token.type == "$END" else f"'{error.token}'"
    expected = sorted(_shown(kind) for kind in _accepted(error))
    return f"expected {_one_of(expected)}, found {found}{_hint(str(error.token), expected)}"


def _accepted(error: UnexpectedToken) -> set[str]:
    parser = error.interactive_parser
    return parser.accepts() if parser else error.expected  # type: ignore[no-untyped-call]


def _unknown_character(text: str) -> str:
    if text.startswith("/*"):
        return _UNCLOSED
    if text.startswith("#"):
        return "unexpected '#'; comments begin with //"
    return f"unexpected {text[0]!r}"


def _shown(kind: str) -> str:
    pattern = next((t.pattern for t in _parser().terminals if t.name == kind), None)
    if isinstance(pattern, PatternStr):
        return f"'{pattern.value}'"
    return _MEANING.get(kind, kind)


def _one_of(expected: list[str]) -> str:
    if len(expected) <= 1:
        return "".join(expected) or "nothing more"
    shown = expected[:_KEYWORDS_SHOWN]
    return ", ".join(shown[:-1]) + " or " + shown[-1]


def _hint(found: str, expected: list[str]) -> str:
    if found == "," and "')'" in expected:
        return "; a vector has three numbers, and decimals follow a point"
    keywords = [text.strip("'") for text in expected if text.startswith("'")]
    close = difflib.get_close_matches(found, keywords, n=1)
    return f"; did you mean '{close[0]}'?" if close and close[0] != found else ""
