"""Names in the Motion-DSL and the Transforms-DSL."""

from __future__ import annotations

from robcogen_ros.editing.symbols import Collector, Symbol, Symbols, identifier
from robcogen_ros.editing.tree import Document, Statement

PI_WORDS = ("PI", "Pi", "pi")


def relations_symbols(document: Document) -> Symbols:
    """The names of a document of motions or transforms."""
    collector = _Collector(document)
    for statement in document.root.inner:
        collector.statement(statement)
    return Symbols(document, collector.occurrences)


class _Collector(Collector):
    """Gathers names."""

    def statement(self, statement: Statement) -> None:
        keyword, head = self.document.keyword(statement), statement.head
        if keyword == "Model" and len(head) > 1:
            self.define(statement, head[1], "model")
        elif keyword == "Frames" and statement.blocks:
            self._listed(statement, "frame", "")
        elif keyword == "Params" and len(head) > 1:
            self.define(statement, head[1], "group")
            self._listed(statement, "parameter", identifier(self.document.code[head[1]]))
        elif not statement.settles or keyword == "{":
            self._relation(statement)

    def _listed(self, statement: Statement, kind: str, scope: str) -> None:
        for entry in statement.inner:
            self.define(entry, entry.head[0], kind, scope)

    def _relation(self, statement: Statement) -> None:
        depth = 0
        for index in statement.head:
            word, before = self.document.word(index), self.document.word(index - 1)
            depth = max(0, depth + (word == "(") - (word == ")"))
            if not self.document.is_name(index):
                continue
            if depth:
                self._amount(statement, index)
            elif before == "[":
                self.define(statement, index, "transform")
            elif self._is_frame(statement, index):
                self.refer(statement, index, "frame")

    def _is_frame(self, statement: Statement, index: int) -> bool:
        before, following = self.document.word(index - 1), self.document.word(index + 1)
        first = index == statement.head[0] and following == "->"
        return first or before == "->" or (before == "{" and following == "}")

    def _amount(self, statement: Statement, index: int) -> None:
        word, following = self.document.word(index), self.document.word(index + 1)
        name = identifier(self.document.code[index])
        if word.startswith("p:"):
            self.note(statement, index, Symbol("parameter", name), defines=following == "[")
        elif word.startswith("c:"):
            self.note(statement, index, Symbol("constant", name), defines=following == ":")
        elif self.document.word(index - 1) == ".":
            group = identifier(self.document.code[index - 2])
            self.refer(statement, index, "parameter", group)
        elif following == ".":
            self.refer(statement, index, "group")
        elif word not in PI_WORDS:
            self.refer(statement, index, "variable")
