"""Meanings of the names in a document, and the other places of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from robcogen_ros.editing.scan import Token
from robcogen_ros.editing.tree import Document, Statement


@dataclass(frozen=True, slots=True)
class Symbol:
    """A thing with a name.

    Attributes:
        kind: What it is, as one would say it: "link", "parameter".
        name: Its name, without caret, prefix or group.
        scope: The limb it belongs to, or the group of parameters; empty for the document.
    """

    kind: str
    name: str
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place where a thing is named.

    Attributes:
        symbol: The thing.
        index: Index of the token, comments not counted.
        start: Offset of the name in the text.
        statement: The statement it stands in.
        defines: Whether the thing is described here, or given its value.
    """

    symbol: Symbol
    index: int
    start: int
    statement: Statement
    defines: bool = False

    @property
    def end(self) -> int:
        """The offset behind the name."""
        return self.start + len(self.symbol.name)


class Symbols:
    """All names of a document.

    Attributes:
        document: The document.
        occurrences: Where things are named, in the order of the text.
    """

    def __init__(self, document: Document, occurrences: Iterable[Occurrence]) -> None:
        self.document = document
        self.occurrences = sorted(occurrences, key=lambda each: each.start)
        self._of: dict[Symbol, list[Occurrence]] = {}
        for each in self.occurrences:
            self._of.setdefault(each.symbol, []).append(each)

    def at(self, offset: int) -> Occurrence | None:
        """Returns the thing that is named at an offset, or right before it."""
        for each in reversed(self.occurrences):
            if self.document.code[each.index].start <= offset <= each.end:
                return each
        return None

    def of(self, symbol: Symbol) -> list[Occurrence]:
        """Returns the places where a thing is named."""
        return self._of.get(symbol, [])

    def definition(self, symbol: Symbol) -> Occurrence | None:
        """Returns the place where a thing is described, or else named first."""
        places = self.of(symbol)
        return next((each for each in places if each.defines), places[0] if places else None)

    def named(self, kind: str, scope: str | None = None) -> list[Symbol]:
        """The things of a kind, in the order of the document; of one scope, or of all."""
        return [s for s in self._of if s.kind == kind and scope in (None, s.scope)]

    def defined(self, kind: str, scope: str | None = None) -> list[Symbol]:
        """The things of a kind that are described in the document."""
        return [
            symbol
            for symbol in self.named(kind, scope)
            if any(each.defines for each in self.of(symbol))
        ]


class Collector:
    """Gathers the names of a document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.occurrences: list[Occurrence] = []

    def note(
        self, statement: Statement, index: int, symbol: Symbol, *, skip: int = 0, defines: bool
    ) -> None:
        """Notes that a token names a thing, behind so many characters of its name."""
        if self.document.is_name(index):
            start = self.document.code[index].end - len(identifier(self.document.code[index]))
            found = Occurrence(symbol, index, start + skip, statement, defines)
            self.occurrences.append(found)

    def define(self, statement: Statement, index: int, kind: str, scope: str = "") -> None:
        """Notes that a token names a thing that is described there."""
        if self.document.is_name(index):
            name = identifier(self.document.code[index])
            self.note(statement, index, Symbol(kind, name, scope), defines=True)

    def refer(self, statement: Statement, index: int, kind: str, scope: str = "") -> None:
        """Notes that a token names a thing that is described elsewhere."""
        if self.document.is_name(index):
            name = identifier(self.document.code[index])
            self.note(statement, index, Symbol(kind, name, scope), defines=False)


def identifier(token: Token) -> str:
    """The name that a token is, without the caret of keywords, p: and c:."""
    return token.text[token.text.rfind(":") + 1 :].removeprefix("^")
