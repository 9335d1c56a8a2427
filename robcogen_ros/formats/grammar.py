"""A grammar: from text to a parse tree, or to what is wrong with the text, and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

from lark import Lark
from lark.exceptions import UnexpectedInput
from lark.lexer import PatternRE, PatternStr, TerminalDef

from robcogen_ros.errors import ModelError, Problem
from robcogen_ros.formats.mistakes import END, Mistake, close, mistakes
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.syntax_tree import Node

Meaning = str | tuple[str, ...]
"""Name of a pattern in messages: a description, or the words that it stands for."""

_HERE = Path(__file__).parent
_MEANINGS: dict[str, Meaning] = {
    "NAME": "a name",
    "NUMBER": "a number",
    "SIGN": "a sign",
    "PI": "PI",
    "PARAMETER": "p:NAME",
    "CONSTANT": "c:NAME",
    END: "the end of the file",
}
_UNCLOSED = "this comment is never closed"
_MOST_SHOWN = 11
_KEYWORD = 1
_LONGEST_SHOWN = 40
_SIGNS = frozenset({"PLUS", "MINUS"})
_PARTS_OF_VALUES = _SIGNS | frozenset(
    {"STAR", "SLASH", "CIRCUMFLEX", "LPAR", "LESSTHAN", "LSQB", "DOT", "COLON"}
    | {"PI", "NAME", "SIGN", "PARAMETER", "CONSTANT"}
)


class Grammar:
    """A language, given by files beside this one whose rules belong together."""

    def __init__(
        self,
        *files: str,
        meanings: Mapping[str, Meaning],
        hints: Mapping[tuple[str, str], str] | None = None,
    ) -> None:
        """A grammar.

        Args:
            files: Names of its files; the rule to start with is `document`.
            meanings: What to call its patterns in messages.
            hints: What to say more where one thing was expected and another found.
        """
        self._files = files
        self._meanings = {**_MEANINGS, **meanings}
        self._hints = hints or {}
        self._words: dict[str, tuple[str, ...]] = {}

    def parse(self, source: Source) -> Node:
        """The parse tree of a document.

        Raises:
            ModelError: Where the text is not in the language; every place at once.
        """
        try:
            return self._parser.parse(source.text)
        except UnexpectedInput as error:
            found = mistakes(self._parser, self._words, source.text)
            problems = [
                Problem(self._message(source.text, mistake), source.location(mistake.offset))
                for mistake in found
            ]
            raise ModelError(problems) from error

    @cached_property
    def _parser(self) -> Lark:
        text = "\n".join((_HERE / file).read_text(encoding="utf-8") for file in self._files)
        return Lark(
            text,
            start="document",
            parser="lalr",
            propagate_positions=True,
            maybe_placeholders=False,
            edit_terminals=self._note_words,
        )

    def _note_words(self, terminal: TerminalDef) -> None:
        """Keeps the words that a terminal stands for, and lets a keyword be a whole word only."""
        meaning = self._meanings.get(terminal.name)
        if isinstance(meaning, tuple):
            self._words[terminal.name] = meaning
        elif isinstance(terminal.pattern, PatternStr):
            word = terminal.pattern.value
            self._words[terminal.name] = (word,)
            if word[0].isalpha():
                terminal.pattern = PatternRE(f"{word}(?![A-Za-z0-9_])")
                terminal.priority = _KEYWORD

    def _message(self, text: str, mistake: Mistake) -> str:
        found = mistake.found
        if mistake.unclosed_comment(text):
            return _UNCLOSED
        if found == "#":
            return "unexpected '#'; comments begin with //"
        kinds = _worth_saying(mistake.expected)
        words = [word for kind in kinds for word in self._words.get(kind, ())]
        if found in words:
            return f"expected '=' after '{found}'"
        expected = sorted(self._shown(kind) for kind in kinds)
        shown = f"'{_short(found)}'" if found else "the end of the file"
        hints = [
            text for key, text in self._hints.items() if key[0] in expected and key[1] == found
        ]
        near = close(found, words)
        hints += [f"did you mean '{near}'?"] if near else []
        hint = f"; {hints[0]}" if hints else ""
        return f"expected {_one_of(expected)}, found {shown}{hint}"

    def _shown(self, kind: str) -> str:
        meaning = self._meanings.get(kind)
        if isinstance(meaning, str):
            return meaning
        words = self._words.get(kind, ())
        return f"one of {', '.join(words)}" if meaning else "".join(f"'{word}'" for word in words)


def _worth_saying(kinds: Iterable[str]) -> frozenset[str]:
    """Returns the kinds that follow a value, rather than those that continue it."""
    kinds = frozenset(kinds)
    return (kinds - _PARTS_OF_VALUES or kinds) if kinds & {"STAR", "SLASH"} else kinds - _SIGNS


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."


def _one_of(expected: list[str]) -> str:
    if len(expected) <= 1:
        return "".join(expected) or "nothing more"
    shown = expected[:_MOST_SHOWN]
    return ", ".join(shown[:-1]) + " or " + shown[-1]
