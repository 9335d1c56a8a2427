"""Names in documents of desired transforms."""

from __future__ import annotations

from robcogen_ros.editing.symbols import Collector, Symbols
from robcogen_ros.editing.tree import Document, Statement

_ARROWS = ("->", "<-")


def desired_symbols(document: Document) -> Symbols:
    """The names of a document of desired transforms and Jacobians."""
    collector = Collector(document)
    for statement in document.root.inner:
        keyword = document.keyword(statement)
        if keyword in ("Robot", "Model") and len(statement.head) > 1:
            collector.define(statement, statement.head[1], "robot")
        for entry in statement.inner:
            if keyword == "Frames":
                collector.define(entry, entry.head[0], "frame")
            else:
                _pair(collector, entry)
    return Symbols(document, collector.occurrences)


def _pair(collector: Collector, entry: Statement) -> None:
    document = collector.document
    for index in entry.head:
        before, following = document.word(index - 1), document.word(index + 1)
        if before in ("=", *_ARROWS) or following in _ARROWS:
            collector.refer(entry, index, "frame")
