"""Formatting: the same words and comments, each in its place."""

from __future__ import annotations

from robcogen_ros.editing.breaks import Breaks
from robcogen_ros.editing.languages import document as read_document
from robcogen_ros.editing.languages import suffix
from robcogen_ros.editing.scan import COMMENT, UNKNOWN, Token
from robcogen_ros.editing.tree import Document
from robcogen_ros.errors import ModelError, Problem
from robcogen_ros.formats.source import Source

_INDENT = "    "


def formatted(source: Source) -> str:
    """The document with its lines laid out anew; formatting that again changes nothing.

    Blocks written on one line stay so where they fit. Line ends between statements and between
    steps are kept; of several blank lines, one.

    Raises:
        ModelError: If braces do not match, or what stands there is in none of the languages.
    """
    text = source.text.replace("\r\n", "\n")
    document = read_document(source.name, text)
    _refuse(Source(source.name, text), document)
    result = "\n".join([*_Printer(suffix(source.name), document).lines(), ""])
    return result.replace("\n", "\r\n") if "\r\n" in source.text else result


def _refuse(source: Source, document: Document) -> None:
    wrong = {
        document.code[k].start: f"'{document.word(k)}' has no partner" for k in document.unmatched
    }
    for token in document.tokens:
        if token.kind == UNKNOWN:
            unclosed = token.text.startswith("/*")
            message = "this comment is never closed" if unclosed else f"unexpected {token.text!r}"
            wrong[token.start] = message
    if wrong:
        raise ModelError(Problem(wrong[k], source.location(k)) for k in sorted(wrong))


class _Printer:
    """Writes tokens and comments into lines."""

    def __init__(self, language: str, document: Document) -> None:
        self.document = document
        self.breaks = Breaks(language, document)
        self._lines: list[str] = []
        self._line = ""
        self._only_comment = False

    def lines(self) -> list[str]:
        """The lines of the whole document."""
        index = 0
        before: Token | None = None
        for token in self.document.tokens:
            if before and self._ends_line(token, before, index):
                self._end_line(token, before, index)
            self._write(token, before, index)
            index += token.kind != COMMENT
            before = token
        return [*self._lines, self._line]

    def _ends_line(self, token: Token, before: Token, index: int) -> bool:
        """Returns True if a token begins a line; `index` is that of the next token but comments."""
        if before.text.startswith("//"):
            return True
        if token.kind == COMMENT:
            return token.breaks > 0
        if self._only_comment:
            return token.breaks > 0
        after_comment = before.kind == COMMENT and token.breaks > 0
        return after_comment or self.breaks.at(index, len(self._line))

    def _end_line(self, token: Token, before: Token, index: int) -> None:
        self._lines.append(self._line)
        opens = before.kind != COMMENT and index - 1 in self.breaks.opened
        if token.breaks > 1 and not opens:
            self._lines.append("")
        self._line = ""
        self._only_comment = True

    def _write(self, token: Token, before: Token | None, index: int) -> None:
        if not self._line:
            self._line = _INDENT * self._depth(token, index)
        elif token.text.startswith("//"):
            assert before is not None
            self._line += " " * max(2, token.start - before.end)
        elif token.kind == COMMENT or (before and before.kind == COMMENT):
            self._line += " " if token.text not in (",", ")", "]") else ""
        else:
            self._line += self.breaks.gaps[index]
        self._only_comment = token.kind == COMMENT and (before is None or self._only_comment)
        first, *rest = token.text.split("\n")
        self._line += first.rstrip()
        for line in rest:
            self._lines.append(self._line)
            self._line = line.rstrip()

    def _depth(self, token: Token, index: int) -> int:
        """Returns the indent of a line that begins with a token."""
        depth = self.breaks.depths[index]
        if token.kind == COMMENT and index in self.breaks.closed:
            return depth + 1
        return depth + self.breaks.continues(index)
