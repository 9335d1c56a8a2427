"""Ends of the lines of a formatted document, and their depths."""

from __future__ import annotations

from robcogen_ros.editing.scan import COMMENT
from robcogen_ros.editing.spacing import gap
from robcogen_ros.editing.tree import Document, Statement

_WIDTH = 100
_INDENT = 4
_LISTS = ("Frames", "Params")
_RELATIONS = (".motdsl", ".ctdsl")
_OPERATORS = frozenset("+-*/")


class Breaks:
    """Decides about a document, in terms of its tokens without comments.

    Attributes:
        gaps: What stands before each token where it is not the first of a line.
        opened: The braces after which a line ends.
        closed: The braces before which a line ends.
        depths: How many blocks of several lines are open where a token begins a line; the last is
            that of the end.
    """

    def __init__(self, language: str, document: Document) -> None:
        self._language = language
        self._document = document
        self._starts = {each.head[0]: each for each in document.root.walk()}
        self._owners = self._owned()
        self.gaps = [self._gap(index) for index in range(len(document.code))]
        self._columns = self._laid_flat()
        self.opened: set[int] = set()
        self.closed: set[int] = set()
        self._parted: set[Statement] = set()
        self._open_blocks()
        self.depths = self._counted()

    def at(self, index: int, column: int) -> bool:
        """Returns True if a token begins a line, where the line before it has that length."""
        if index - 1 in self.opened or index in self.closed:
            return True
        asked = self._document.code[index].breaks > 0
        if index in self._starts:
            return self._is_between_lines(index) and (
                asked or self._must_part(index) or self._is_too_long(index, column)
            )
        if self._begins_step(index):
            return asked or self._is_too_long(index, column)
        before, word = self._document.word(index - 1), self._document.word(index)
        return asked and (before == "," or before in _OPERATORS or word in _OPERATORS)

    def continues(self, index: int) -> bool:
        """Returns True if a token goes on with a statement that began before."""
        inside = index < len(self._document.code) and index not in self._starts
        return inside and index not in self.closed

    def _owned(self) -> list[Statement]:
        """The statement of each token."""
        owners = [self._document.root] * len(self._document.code)
        for each in self._document.root.walk():
            for index in (*each.head, *_braces(each)):
                owners[index] = each
        return owners

    def _gap(self, index: int) -> str:
        document, owner = self._document, self._owners[index]
        if not index:
            return ""
        if index in self._starts and document.word(index - 1) not in ("{", ","):
            return "  "
        if index in (closed for _, closed in owner.blocks):
            return "" if document.word(index - 1) == "{" else " "
        if index in _braces(owner) or index in self._starts or self._follows_brace(index):
            return " "
        return gap(self._language, document, owner, index)

    def _follows_brace(self, index: int) -> bool:
        return index - 1 in _braces(self._owners[index - 1])

    def _laid_flat(self) -> list[int]:
        """The column behind each token, were all on one line."""
        columns, column = [], 0
        for space, token in zip(self.gaps, self._document.code, strict=True):
            column += len(space) + len(token.text)
            columns.append(column)
        return columns

    def _width(self, first: int, last: int) -> int:
        start = self._columns[first] - len(self._document.word(first))
        return self._columns[last] - start

    def _open_blocks(self) -> None:
        """Finds the blocks that take several lines."""
        on_one_line = self._on_one_line()
        depths = {self._document.root: 0}
        for statement in self._document.root.walk():
            assert statement.parent is not None
            depth = depths[statement.parent]
            broken = [
                (opened, closed)
                for opened, closed in statement.blocks
                if closed is not None
                and not self._stays_flat(statement, opened, closed, depth, on_one_line)
            ]
            for opened, closed in broken:
                self.opened.add(opened)
                self.closed.add(closed)
                if on_one_line[opened] and self._document.keyword(statement) not in _LISTS:
                    self._parted.add(statement)
            depths[statement] = depth + 1 if broken else depth

    def _stays_flat(
        self,
        statement: Statement,
        opened: int,
        closed: int,
        depth: int,
        on_one_line: dict[int, bool],
    ) -> bool:
        if not on_one_line[opened]:
            return False
        width = self._width(statement.head[0], closed)
        return closed == opened + 1 or depth * _INDENT + width <= _WIDTH

    def _on_one_line(self) -> dict[int, bool]:
        """Returns for each brace that opens a block True if the block has no line ends in it."""
        counts, total, commented = [], 0, False
        places = []
        for token in self._document.tokens:
            total += token.breaks + (token.kind == COMMENT and token.text.count("\n"))
            if token.kind == COMMENT:
                commented = True
                continue
            counts.append(total)
            places.append(commented)
            commented = False
        return {
            opened: counts[opened] == counts[closed]
            or (closed == opened + 1 and not places[closed])
            for statement in self._document.root.walk()
            for opened, closed in statement.blocks
            if closed is not None
        }

    def _counted(self) -> list[int]:
        depths, depth = [], 0
        for index in range(len(self._document.code)):
            depth -= index in self.closed
            depths.append(depth)
            depth += index in self.opened
        return [*depths, depth]

    def _is_between_lines(self, index: int) -> bool:
        """Returns True if a statement stands in a block of several lines, or in none."""
        owner = self._starts[index].parent
        assert owner is not None
        braces = [opened for opened, closed in owner.blocks if closed is None or closed > index]
        return not braces or braces[0] in self.opened

    def _must_part(self, index: int) -> bool:
        """Returns True if a statement is one of those that begin a line."""
        statement = self._starts[index]
        owner = statement.parent
        assert owner is not None
        if owner is self._document.root or owner in self._parted or statement.blocks:
            return True
        return self._follows_brace(index)

    def _begins_step(self, index: int) -> bool:
        owner = self._owners[index]
        if self._language not in _RELATIONS or owner.parent is not self._document.root:
            return False
        before, word = self._document.word(index - 1), self._document.word(index)
        if before not in (")", ":", "="):
            return False
        return word == "[" or self._document.word(index + 1) == "("

    def _is_too_long(self, index: int, column: int) -> bool:
        """Returns True if a line becomes too long by what begins with a token."""
        last = index
        while last + 1 < len(self._document.code) and not self._ends_at(last + 1):
            last += 1
        return column + len(self.gaps[index]) + self._width(index, last) > _WIDTH

    def _ends_at(self, index: int) -> bool:
        return index in self._starts or index in self.closed or self._begins_step(index)


def _braces(statement: Statement) -> list[int]:
    return [brace for block in statement.blocks for brace in block if brace is not None]
