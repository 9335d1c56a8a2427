"""The syntax of the Kinematics-DSL: from text to a parse tree, or to a located complaint."""

from __future__ import annotations

import difflib
import re
from collections.abc import Container, Iterator
from functools import cache
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternStr

from robcogen_ros.errors import Location, ModelError, Problem
from robcogen_ros.formats.source import Source

Node = Tree[Token]

_GRAMMAR = Path(__file__).with_name("kindsl.lark")
_MEANING = {
    "NAME": "a name",
    "NUMBER": "a number",
    "SIGN": "a sign",
    "MOMENT": "one of Ix, Iy, Iz, Ixy, Ixz, Iyz",
    "LIMIT": "one of lower, upper, velocity, effort",
    "RUB": "one of viscous, dry",
    "RATIO": "one of multiplier, offset",
    "$END": "the end of the file",
}
_CHOICE = "one of "
_UNCLOSED = "this comment is never closed"
_KEYWORDS_SHOWN = 8
_WORDS_SHOWN = 40
_SIGNS = frozenset({"PLUS", "MINUS"})
_VALUE_PARTS = _SIGNS | {"STAR", "SLASH", "LPAR", "LESSTHAN", "LSQB", "PI", "NAME"}
_NEWER = frozenset(
    {"sum", "product", "group", "call", "default", "constant", "limits", "friction", "mimic"}
    | {"limb", "positive", "armature"}
)
"""Rules that only later versions of the language have."""


def parse(source: Source) -> Node:
    """The parse tree of a document.

    Raises:
        ModelError: Where the text is not in the language.
    """
    try:
        return _parser().parse(source.text)
    except UnexpectedInput as error:
        raise _refusal(source, error) from error


def refuse_long_names(source: Source, document: Node, longest: int) -> None:
    """Refuse names with more characters than that.

    Raises:
        ModelError: If there are any.
    """
    problems = [
        Problem(f"a name of {len(own_name(node))} characters is too long", location(source, node))
        for node in nodes(document, {"name"})
        if len(own_name(node)) > longest
    ]
    if problems:
        raise ModelError(problems)


def children(node: Node, rule: str) -> list[Node]:
    """The child nodes that a rule of the grammar made."""
    return [child for child in node.children if isinstance(child, Tree) and child.data == rule]


def child(node: Node, rule: str) -> Node:
    """The first child node that a rule of the grammar made."""
    return children(node, rule)[0]


def nodes(node: Node, rules: Container[str]) -> Iterator[Node]:
    """The nodes below one that given rules of the grammar made, in the order of the text."""
    pending = [node]
    while pending:
        current = pending.pop()
        if current.data in rules:
            yield current
        pending.extend(part for part in reversed(current.children) if isinstance(part, Tree))


def is_first_version(document: Node) -> bool:
    """Whether a document's values could be of the language's first version."""
    return not any(
        node.data != "number" or not _has_point(token(node, "NUMBER") or "")
        for node in nodes(document, _NEWER | {"number"})
    )


def _has_point(number: str) -> bool:
    return "." in number and not number.endswith(".") and "e" not in number.lower()


def token(node: Node, kind: str) -> str | None:
    """The text of the first token of a kind directly in a node."""
    return next((str(t) for t in node.children if isinstance(t, Token) and t.type == kind), None)


def name(node: Node) -> str:
    """The name that a node bears."""
    return own_name(child(node, "name"))


def own_name(node: Node) -> str:
    """The name that a node is, without the caret that escapes a keyword."""
    return (token(node, "NAME") or "").removeprefix("^")


def escaped(node: Node) -> bool:
    """Whether the name that a node bears has a caret."""
    return (token(child(node, "name"), "NAME") or "").startswith("^")


def location(source: Source, node: Node) -> Location:
    """Where a node begins."""
    return Location(source.name, node.meta.line, node.meta.column)


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR.read_text(), start="document", parser="lalr", propagate_positions=True)


def _refusal(source: Source, error: UnexpectedInput) -> ModelError:
    """What to say of a text that is not in the language."""
    offset = error.pos_in_stream or 0
    if isinstance(error, UnexpectedCharacters):
        return ModelError.at(source.location(offset), _unknown_character(source.text[offset:]))
    assert isinstance(error, UnexpectedToken)
    if source.text.startswith("/*", offset):
        return ModelError.at(source.location(offset), _UNCLOSED)
    found = str(error.token)
    if error.token.type == "$END":
        offset, found = len(source.text.rstrip()), ""
    elif found == "=":
        word = _word_before(source.text, offset)
        offset, found = (word.start(), word.group()) if word else (offset, found)
    expected = sorted(_shown(kind) for kind in _worth_saying(_accepted(error)))
    shown = f"'{_short(found)}'" if found else "the end of the file"
    message = f"expected {_one_of(expected)}, found {shown}{_hint(found, expected)}"
    return ModelError.at(source.location(offset), message)


def _word_before(text: str, offset: int) -> re.Match[str] | None:
    """The word before a sign: where a name is misspelt, it looks like a factor of a product."""
    before = text[max(0, offset - _WORDS_SHOWN) : offset].rstrip()
    start = offset - len(text[max(0, offset - _WORDS_SHOWN) : offset])
    word = re.search(r"[A-Za-z_][A-Za-z0-9_]*$", before)
    return re.compile(re.escape(word.group())).match(text, start + word.start()) if word else None


def _accepted(error: UnexpectedToken) -> set[str]:
    parser = error.interactive_parser
    return parser.accepts() if parser else error.expected  # type: ignore[no-untyped-call]


def _worth_saying(kinds: set[str]) -> set[str]:
    """After a value, what follows it, rather than how it could go on."""
    return (kinds - _VALUE_PARTS or kinds) if "STAR" in kinds else kinds - _SIGNS


def _unknown_character(text: str) -> str:
    if text.startswith("/*"):
        return _UNCLOSED
    if text.startswith("#"):
        return "unexpected '#'; comments begin with //"
    return f"unexpected {text[0]!r}"


def _short(text: str) -> str:
    return text if len(text) <= _WORDS_SHOWN else f"{text[:_WORDS_SHOWN]}..."


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
    for text in expected:
        keywords.extend(text.removeprefix(_CHOICE).split(", ") if text.startswith(_CHOICE) else [])
    by_lower = {keyword.lower(): keyword for keyword in keywords}
    close = difflib.get_close_matches(found.lower()[:_WORDS_SHOWN], by_lower, n=1)
    return f"; did you mean '{by_lower[close[0]]}'?" if close else ""
