"""The outline of a document."""

from __future__ import annotations

from dataclasses import dataclass

from robcogen_ros.editing.symbols import Occurrence, Symbols
from robcogen_ros.editing.tree import Document, Statement

_LISTED = frozenset({"robot", "link", "joint", "frame", "limb", "group", "model", "parameter"})
_TITLES = ("Transforms", "Jacobians")
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of an outline.

    Attributes:
        name: What it shows.
        kind: Kind of the thing: that of a symbol, or "section" or "relation".
        extent: Offsets of all of it.
        place: Offsets of its name.
        inner: Entries in it.
    """

    name: str
    kind: str
    extent: tuple[int, int]
    place: tuple[int, int]
    inner: tuple[Entry, ...] = ()


def outline(symbols: Symbols) -> tuple[Entry, ...]:
    """The things that a document describes, those inside others below them."""
    names: dict[Statement, Occurrence] = {}
    for each in symbols.occurrences:
        if each.defines and each.symbol.kind in _LISTED and not _is_value(symbols, each):
            names.setdefault(each.statement, each)
    return _entries(symbols.document, symbols.document.root, names)


def _is_value(symbols: Symbols, each: Occurrence) -> bool:
    """Returns True if a parameter is given its default in a value, rather than listed."""
    return each.symbol.kind == "parameter" and symbols.document.word(each.index + 1) == "["


def _entries(
    document: Document, statement: Statement, names: dict[Statement, Occurrence]
) -> tuple[Entry, ...]:
    found: list[Entry] = []
    for inner in statement.inner:
        below = _entries(document, inner, names)
        extent = _extent(document, inner)
        if inner in names:
            each = names[inner]
            place = each.start, each.end
            found.append(Entry(each.symbol.name, each.symbol.kind, extent, place, below))
        elif document.keyword(inner) in _TITLES:
            found.append(Entry(document.keyword(inner), "section", extent, extent, below))
        elif title := _relation(document, inner):
            found.append(Entry(title, "relation", extent, extent))
        else:
            found.extend(below)
    return tuple(found)


def _relation(document: Document, statement: Statement) -> str:
    """Returns the two frames that a statement relates, as it is written; empty for others."""
    words = document.words(statement)
    if "->" in words[1:2] or "<-" in words[1:2]:
        return " ".join(words[:3])
    if words[3:4] == ["_X_"]:
        return "".join(words[:7])
    if document.keyword(statement.parent) in _TITLES:
        return " ".join(words)[:_LONGEST]
    return ""


def _extent(document: Document, statement: Statement) -> tuple[int, int]:
    last = max([statement.head[-1], *(_last(document, block) for block in statement.blocks)])
    return document.code[statement.head[0]].start, document.code[last].end


def _last(document: Document, block: tuple[int, int | None]) -> int:
    return len(document.code) - 1 if block[1] is None else block[1]
