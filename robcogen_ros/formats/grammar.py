"""A grammar: from text to a parse tree, or to a located complaint that says what was expected."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternStr

from robcogen_ros.errors import Location, ModelError
from robcogen_ros.formats.source import Source
from robcogen_ros.model.names import nearest

Node = Tree[Token]

_HERE = Path(__file__).parent
_MEANING = {
    "NAME": "a name",
    "NUMBER": "a number",
    "SIGN": "a sign",
    "PI": "PI",
    "PARAMETER": "p:NAME",
    "CONSTANT": "c:NAME",
    "$END": "the end of the file",
}
_UNCLOSED = "this comment is never closed"
_MOST_SHOWN = 6
_MOST_COMPARED = 300
_LONGEST_SHOWN = 60


def children(node: Node, *rules: str) -> list[Node]:
    """The child nodes that rules of the grammar made."""
    return [child for child in node.children if isinstance(child, Tree) and child.data in rules]


def token(node: Node, *kinds: str) -> str | None:
    """The text of the first token of some kinds directly in a node."""
    texts = (str(t) for t in node.children if isinstance(t, Token) and t.type in kinds)
    return next(texts, None)


def names(node: Node) -> list[str]:
    """The names directly in a node, without the caret that escapes a keyword."""
    return [(token(n, "NAME") or "").removeprefix("^") for n in children(node, "name")]


def hint_for(name: str, known: Collection[str]) -> str:
    """The nearest known name, as the end of a message; none where there are too many to look at."""
    return nearest(name, known) if len(known) <= _MOST_COMPARED else ""


def location(source: Source, node: Node) -> Location:
    """Where a node begins."""
    return Location(source.name, node.meta.line, node.meta.column)


class Grammar:
    """A language, given by files beside this one whose rules belong together."""

    def __init__(
        self,
        *files: str,
        meanings: Mapping[str, str],
        hints: Mapping[tuple[str, str], str] | None = None,
    ) -> None:
        """A grammar.

        Args:
            files: Names of its files; the rule to start with is `document`.
            meanings: What to call its patterns in messages.
            hints: What to say more where one thing was expected and another found.
        """
        self._files = files
        self._meanings = {**_MEANING, **meanings}
        self._hints = hints or {}

    def parse(self, source: Source) -> Node:
        """The parse tree of a document.

        Raises:
            ModelError: Where the text is not in the language.
        """
        try:
            return self._parser.parse(source.text)
        except UnexpectedInput as error:
            message = self._message(source, error)
            raise ModelError.at(_place(source, error), message) from error

    @cached_property
    def _parser(self) -> Lark:
        text = "\n".join((_HERE / file).read_text(encoding="utf-8") for file in self._files)
        return Lark(
            text,
            start="document",
            parser="lalr",
            propagate_positions=True,
            maybe_placeholders=False,
        )

    def _message(self, source: Source, error: UnexpectedInput) -> str:
        if source.text.startswith("/*", error.pos_in_stream or 0):
            return _UNCLOSED
        if isinstance(error, UnexpectedToken):
            token = str(error.token)
            shown = token if len(token) <= _LONGEST_SHOWN else f"{token[:_LONGEST_SHOWN]}..."
            found = "the end of the file" if error.token.type == "$END" else f"'{shown}'"
        else:
            assert isinstance(error, UnexpectedCharacters)
            token = source.text[error.pos_in_stream or 0]
            if token == "#":
                return "unexpected '#'; comments begin with //"
            found = repr(token)
        expected = sorted({self._shown(kind) for kind in _accepted(error)})
        hints = [
            text for key, text in self._hints.items() if key[0] in expected and key[1] == token
        ]
        hint = f"; {hints[0]}" if hints else _near(token, expected)
        return f"expected {_one_of(expected)}, found {found}{hint}"

    def _shown(self, kind: str) -> str:
        if kind in self._meanings:
            return self._meanings[kind]
        pattern = next((t.pattern for t in self._parser.terminals if t.name == kind), None)
        return f"'{pattern.value}'" if isinstance(pattern, PatternStr) else kind


def _place(source: Source, error: UnexpectedInput) -> Location:
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return source.location(len(source.text.rstrip()))
    return Location(source.name, error.line, error.column)


def _accepted(error: UnexpectedInput) -> set[str]:
    if isinstance(error, UnexpectedCharacters):
        return set(error.allowed or ())
    assert isinstance(error, UnexpectedToken)
    parser = error.interactive_parser
    return parser.accepts() if parser else set(error.expected)  # type: ignore[no-untyped-call]


def _one_of(expected: list[str]) -> str:
    if len(expected) <= 1:
        return "".join(expected) or "nothing more"
    shown = expected[:_MOST_SHOWN]
    return ", ".join(shown[:-1]) + " or " + shown[-1]


def _near(found: str, expected: list[str]) -> str:
    words = [text.strip("'") for text in expected if text.startswith("'")]
    close = difflib.get_close_matches(found, words, n=1)
    return f"; did you mean '{close[0]}'?" if close and close[0] != found else ""
