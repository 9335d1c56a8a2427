"""A place in a document where somebody writes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from robcogen_ros.editing.symbols import Symbol, Symbols, identifier
from robcogen_ros.editing.tree import Document, Statement


@dataclass(slots=True)
class Words:
    """Words that may be written.

    Attributes:
        place: Where.
        keywords: Keywords and signs.
        names: Names, each with the kind of its thing.
    """

    place: Place
    keywords: list[str] = field(default_factory=list)
    names: list[tuple[str, str]] = field(default_factory=list)

    def add(self, symbols: Iterable[Symbol], lead: str = "", behind: str = "") -> None:
        """Adds the names of things, with what stands before and behind each."""
        for symbol in symbols:
            self.names.append((symbol.kind, lead + self.place.spelled(symbol) + behind))


class Place:
    """The end of a document, as far as it is written before somebody's cursor.

    Attributes:
        before: What is written before.
        symbols: The names in the whole document, without the word that is begun.
        owner: The statement in whose block the place is.
        current: The statement that goes on here; None at the begin of a block.
        words: The words of that statement.
        previous: The word before.
    """

    def __init__(self, before: Document, symbols: Symbols) -> None:
        self.before = before
        self.symbols = symbols
        owner, current = before.last
        self.owner: Statement = owner
        self.current: Statement | None = current
        self.words = before.words(current) if current and not current.blocks else []
        self.previous = before.word(len(before.code) - 1)

    @property
    def depth(self) -> int:
        """The number of the statement's parentheses that are open."""
        return self.current.parentheses if self.current and self.words else 0

    @property
    def ends_value(self) -> bool:
        """True if the word before can end a value."""
        return (
            self.before.is_name(len(self.before.code) - 1)
            or self.previous[:1].isdigit()
            or (self.previous in (")", "]", ">") or self.previous[-1:].isdigit())
        )

    def spelled(self, symbol: Symbol) -> str:
        """A name as it is written elsewhere, with a caret if it has one there."""
        found = self.symbols.definition(symbol)
        token = self.symbols.document.code[found.index] if found else None
        if token is None or identifier(token) != symbol.name:
            return symbol.name
        return token.text[token.text.rfind(":") + 1 :]

    def unused(self, words: Iterable[str]) -> list[str]:
        """The words by which no statement of the block begins yet."""
        used = {self.before.keyword(each) for each in self.owner.inner}
        return [word for word in words if word not in used]
