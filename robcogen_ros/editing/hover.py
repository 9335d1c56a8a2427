"""Text that an editor shows of the word under the mouse."""

from __future__ import annotations

from dataclasses import dataclass

from robcogen_ros.editing import languages
from robcogen_ros.editing.diagnostics import Content
from robcogen_ros.editing.keywords import KEYWORDS
from robcogen_ros.editing.kindsl.hover import robot_facts, written_facts
from robcogen_ros.editing.lines import Lines
from robcogen_ros.editing.relations.hover import matrix, quantity_facts
from robcogen_ros.editing.symbols import Occurrence, Symbols
from robcogen_ros.formats.source import Source
from robcogen_ros.model.description import Description
from robcogen_ros.transforms.document import Motions, Transforms

_FRAME_WORDS = 7
"""Words in `{A}_X_{B}`; those of `A -> B` and its colon are fewer."""


@dataclass(frozen=True, slots=True)
class Hover:
    """Text that is shown of a word.

    Attributes:
        text: Markdown.
        start: Offset where the word begins.
        end: Offset behind it.
    """

    text: str
    start: int
    end: int


def hover(source: Source, offset: int, content: Content | None = None) -> Hover | None:
    """Returns the text about the word at an offset; None if there is nothing to say.

    Args:
        source: The document.
        offset: Where the mouse is.
        content: What the document says, or said when it was right the last time.
    """
    symbols = languages.symbols(source.name, source.text)
    found = symbols.at(offset)
    if found is not None:
        return Hover(_hover_text(symbols, found, content), found.start, found.end)
    for index, token in enumerate(symbols.document.code):
        if token.start <= offset <= token.end:
            text = KEYWORDS[languages.suffix(source.name)].get(token.text, "")
            matrix = _matrix(symbols, index, content)
            if text or matrix:
                lines = [f"`{token.text}`: {text}"] if text else []
                return Hover("\n\n".join([*lines, *matrix]), token.start, token.end)
    return None


def _hover_text(symbols: Symbols, found: Occurrence, content: Content | None) -> str:
    symbol = found.symbol
    inside = {"argument": "of limb", "parameter": "of group"}.get(symbol.kind, "in limb")
    where = f" {inside} `{symbol.scope}`" if symbol.scope else ""
    facts = written_facts(symbols, symbol)
    if isinstance(content, Description):
        facts += robot_facts(symbols, symbol, content)
    elif isinstance(content, Motions | Transforms):
        facts += quantity_facts(content, symbol.kind, symbol.name, symbol.scope)
    matrix = _matrix(symbols, found.index, content)
    return "\n\n".join([f"**{symbol.kind}** `{symbol.name}`{where}", *facts, *matrix])


def _matrix(symbols: Symbols, index: int, content: Content | None) -> list[str]:
    """The matrix of the motion or transform whose frames, or what is between them, a word is."""
    if not isinstance(content, Motions | Transforms):
        return []
    lines = Lines(symbols.document.text)
    for statement in symbols.document.root.inner:
        first = statement.head[0]
        if first <= index <= statement.head[-1] and index - first < _FRAME_WORDS:
            for relation in content.relations:
                place = relation.location
                if place and lines.located(place) == symbols.document.code[first].start:
                    return matrix(content, relation)
    return []
