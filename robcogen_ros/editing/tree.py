"""A document as a tree of statements and blocks, whether or not it is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from robcogen_ros.editing.scan import COMMENT, NAME, scan


@dataclass(slots=True, eq=False)
class Statement:
    """Some words, with blocks of further statements in braces.

    Attributes:
        parent: The statement in whose block it stands; None for the document itself.
        head: Indices of its tokens outside its blocks.
        blocks: Indices of the braces of its blocks; the second is None where it is missing.
        inner: The statements in its blocks.
        parentheses: How many of them are open behind its last token.
        settles: Whether there is a `=` outside parentheses.
    """

    parent: Statement | None
    head: list[int] = field(default_factory=list)
    blocks: list[tuple[int, int | None]] = field(default_factory=list)
    inner: list[Statement] = field(default_factory=list)
    parentheses: int = 0
    settles: bool = False

    def add(self, index: int, text: str) -> None:
        """Takes up a token."""
        self.head.append(index)
        self.parentheses = max(0, self.parentheses + (text == "(") - (text == ")"))
        self.settles = self.settles or (text == "=" and not self.parentheses)

    def walk(self) -> Iterator[Statement]:
        """The statements below this one, in the order of the document."""
        pending = self.inner[::-1]
        while pending:
            statement = pending.pop()
            yield statement
            pending.extend(statement.inner[::-1])


class Document:
    """A document, in terms of its tokens without comments.

    Attributes:
        text: The text.
        tokens: All tokens.
        code: The tokens without comments.
        root: The statement in whose block all others stand.
        unmatched: Indices of the braces without partner.
        last: The statement whose block is open at the end, and the one that is not finished there.
    """

    def __init__(self, text: str, grammar: Grammar) -> None:
        self.text = text
        self.tokens = scan(text)
        self.code = [token for token in self.tokens if token.kind != COMMENT]
        self.root = Statement(None)
        self.unmatched: list[int] = []
        self._build(grammar)

    def word(self, index: int) -> str:
        """The text of a token; empty beyond the document's ends."""
        return self.code[index].text if 0 <= index < len(self.code) else ""

    def is_name(self, index: int) -> bool:
        """Returns True if a token is a name or keyword."""
        return 0 <= index < len(self.code) and self.code[index].kind == NAME

    def words(self, statement: Statement) -> list[str]:
        """The words of a statement, without its blocks."""
        return [self.code[index].text for index in statement.head]

    def keyword(self, statement: Statement | None) -> str:
        """The first word of a statement; empty for none."""
        return self.word(statement.head[0]) if statement and statement.head else ""

    def _build(self, grammar: Grammar) -> None:
        owner, current = self.root, None
        for index, token in enumerate(self.code):
            if token.text == "{" and current and grammar.opens(self, current, index):
                current.blocks.append((index, None))
                owner, current = current, None
            elif token.text == "}" and self._closes(owner, current):
                owner.blocks[-1] = owner.blocks[-1][0], index
                owner, current = owner.parent or self.root, owner
            else:
                if current is None or grammar.begins(self, current, index):
                    current = Statement(owner)
                    owner.inner.append(current)
                current.add(index, token.text)
                if token.text == "}" and self._braces(current) < 0:
                    self.unmatched.append(index)
        self.last = owner, current
        for statement in self.root.walk():
            self.unmatched += [opened for opened, closed in statement.blocks if closed is None]
            if self._braces(statement) > 0:
                self.unmatched.append(statement.head[0])

    def _closes(self, owner: Statement, current: Statement | None) -> bool:
        """Returns True if a brace closes the owner's block, not one within the statement."""
        return owner.parent is not None and (current is None or not self._braces(current))

    def _braces(self, statement: Statement) -> int:
        """Returns the number of a statement's open braces that are no blocks."""
        words = self.words(statement)
        return words.count("{") - words.count("}")


@dataclass(frozen=True, slots=True)
class Grammar:
    """Rules of a language's grammar that hold in documents that are wrong, too.

    Attributes:
        begins: Whether a token begins a statement rather than going on with the current one.
        opens: Whether a brace opens a block of the current statement.
    """

    begins: Callable[[Document, Statement, int], bool]
    opens: Callable[[Document, Statement, int], bool]
