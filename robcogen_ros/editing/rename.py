"""Giving a thing another name, everywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass

from robcogen_ros.editing import diagnostics, languages
from robcogen_ros.editing.keywords import written
from robcogen_ros.editing.lines import Lines
from robcogen_ros.editing.symbols import Occurrence, Symbol, Symbols, identifier
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.kindsl.names import LONGEST
from robcogen_ros.formats.source import Source


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of the text between two offsets."""

    start: int
    end: int
    text: str


def rename(source: Source, offset: int, name: str) -> list[Edit]:
    """The edits that give the thing named at an offset another name, wherever it is named.

    Raises:
        RobcogenError: If nothing is named there, or the name is illegal or taken.
    """
    symbols = languages.symbols(source.name, source.text)
    found = symbols.at(offset)
    if found is None:
        raise RobcogenError("there is no name here")
    name = name.removeprefix("^")
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) or len(name) > LONGEST:
        raise RobcogenError(
            f"'{name[:LONGEST]}' is no name; expected letters, digits and _, no digit first"
        )
    suffix = languages.suffix(source.name)
    edits = [_edit(suffix, symbols, each, name) for each in symbols.of(found.symbol)]
    if name != found.symbol.name:
        _check(source, symbols, apply(source.text, edits), name)
    return edits


def apply(text: str, edits: list[Edit]) -> str:
    """A text after edits that do not overlap."""
    for edit in sorted(edits, key=lambda each: each.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _edit(suffix: str, symbols: Symbols, place: Occurrence, name: str) -> Edit:
    """The whole token anew: its caret comes or goes with what the name becomes."""
    token = symbols.document.code[place.index]
    whole = identifier(token)
    skip = place.start - (token.end - len(whole))
    changed = whole[:skip] + name + whole[skip + len(place.symbol.name) :]
    lead = token.text[: token.text.rfind(":") + 1]
    return Edit(token.start, token.end, lead + written(suffix, changed))


def _check(source: Source, symbols: Symbols, text: str, name: str) -> None:
    """Refuses a name by which things would become one, or the document wrong.

    Raises:
        RobcogenError: If so.
    """
    others = languages.symbols(source.name, text)
    partner: dict[Symbol, Symbol] = {}
    origin: dict[Symbol, Symbol] = {}
    for before, after in zip(symbols.occurrences, others.occurrences, strict=False):
        same = partner.setdefault(before.symbol, after.symbol) == after.symbol
        if not same or origin.setdefault(after.symbol, before.symbol) != before.symbol:
            taken = others.definition(after.symbol) or after
            line, _ = Lines(text).position(taken.start)
            what = f"another {taken.symbol.kind}, see line {line + 1}"
            raise RobcogenError(f"'{name}' is the name of {what}")
    if len(symbols.occurrences) != len(others.occurrences):
        raise RobcogenError(f"'{name}' has another meaning where it would stand")
    if _errors(source) or not (errors := _errors(Source(source.name, text))):
        return
    raise RobcogenError(f"with the name '{name}' the document would be wrong: {errors[0]}")


def _errors(source: Source) -> list[str]:
    problems = diagnostics.read(source).problems
    return [problem.message for problem in problems if problem.severity == "error"]
