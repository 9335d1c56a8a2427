"""The keywords and tokens of the languages, from their grammars."""

from __future__ import annotations

import itertools
import re
from functools import cache
from pathlib import Path

from lark import Lark, Token
from lark.lexer import PatternStr

from robcogen_ros import formats

_FOLDER = Path(formats.__file__).parent
_FILES = {
    ".kindsl": ["kindsl/kindsl.lark"],
    ".motdsl": ["transforms/motdsl.lark", "transforms/amounts.lark"],
    ".ctdsl": ["transforms/ctdsl.lark", "transforms/amounts.lark"],
    ".dtdsl": ["transforms/dtdsl.lark"],
}
_OPEN = {"NAME", "NUMBER", "PARAMETER", "CONSTANT", "SIGN"}


@cache
def _parser(suffix: str) -> Lark:
    text = "\n".join((_FOLDER / file).read_text() for file in _FILES[suffix])
    return Lark(text, start="document", parser="lalr", propagate_positions=True)


def tokens(suffix: str, text: str) -> list[Token]:
    """The tokens of a right document."""
    return list(_parser(suffix).parse_interactive(text).iter_parse())


def keywords(suffix: str) -> set[str]:
    """Every word that a terminal of a grammar spells."""
    words: set[str] = set()
    for terminal in _parser(suffix).terminals:
        pattern = terminal.pattern
        if isinstance(pattern, PatternStr):
            words.add(pattern.value)
        elif terminal.name not in _OPEN and not terminal.name.startswith("__"):
            words |= _spelled(pattern.value)
    return {word for word in words if re.fullmatch(r"\w+", word)}


def _spelled(pattern: str) -> set[str]:
    """The words of a pattern of alternatives, `I(x|y)` or `[RT][xyz]`."""
    parts = re.findall(r"\(([\w|]+)\)|\[(\w+)\]|(\w)", re.sub(r"\(\?.*", "", pattern))
    choices = [a.split("|") if a else list(b) if b else [c] for a, b, c in parts]
    return {"".join(chosen) for chosen in itertools.product(*choices)}
