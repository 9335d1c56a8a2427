"""A document as a row of tokens, whether or not it is right: what holds while somebody types."""

from __future__ import annotations

import re
from dataclasses import dataclass

COMMENT, NAME, NUMBER, SIGN, UNKNOWN = "comment", "name", "number", "sign", "unknown"

_COMMENT = r"(?P<comment>//[^\n]*|/\*[\s\S]*?\*/)|(?P<unknown>/\*[\s\S]*)"
_NAME = r"\^?[A-Za-z_][A-Za-z0-9_]*"
_NUMBER = r"(?P<number>([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)"
_SIGNS = r"(?P<sign>->|<-|[][(){}<>,:=+*/^.-])"
_REST = rf"|{_NUMBER}|{_SIGNS}|(?P<other>\S)"
_OUTSIDE = re.compile(rf"\s*(?:{_COMMENT}|(?P<name>{_NAME}){_REST})")
_IN_STEP = re.compile(rf"\s*(?:{_COMMENT}|(?P<name>[pc]:{_NAME}|{_NAME}){_REST})")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a document.

    Attributes:
        kind: `COMMENT`, `NAME` (keywords too, and p:NAME, c:NAME in steps), `NUMBER`, `SIGN`, or
            `UNKNOWN` for what no language has.
        text: What is written.
        start: Its offset in the document.
        breaks: How many line ends stand between it and the token before.
    """

    kind: str
    text: str
    start: int
    breaks: int

    @property
    def end(self) -> int:
        """The offset behind it."""
        return self.start + len(self.text)


def scan(text: str) -> list[Token]:
    """All tokens of a text, comments too."""
    tokens = []
    offset = depth = 0
    while match := (_IN_STEP if depth else _OUTSIDE).match(text, offset):
        kind = match.lastgroup or ""
        word = match[kind]
        start = match.end() - len(word)
        kind = UNKNOWN if kind == "other" else kind
        tokens.append(Token(kind, word, start, text.count("\n", offset, start)))
        depth = max(0, depth + (word == "(") - (word == ")")) if word not in "{}" else 0
        offset = match.end()
    return tokens
