"""Coordinate transforms in a language without declarations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robcogen_ros.backends.identifiers import comment, identifiers
from robcogen_ros.backends.script import Language, Script, rows, script
from robcogen_ros.backends.transform_fields import Field, fields
from robcogen_ros.backends.variables import PARAMETERS
from robcogen_ros.program.frame_transforms import VARIABLES, TransformPrograms


@dataclass(frozen=True, slots=True)
class TransformScript:
    """Texts of a transform for templates.

    Attributes:
        name: Name of the function.
        summary: What it computes.
        size: Rows of the matrix.
        body: Its lines.
        rows: Texts of the matrix's entries by row.
        changing: Lines that set the entries which are not numbers.
        constants: The entries that are numbers by row, zeros in place of the others.
        reads: For each variable that is read: what holds it, its field, its number.
        parameters: The same of each parameter.
    """

    name: str
    summary: str
    size: int
    body: Script
    rows: list[list[str]]
    changing: tuple[str, ...]
    constants: list[list[str]]
    reads: tuple[tuple[str, str, int], ...]
    parameters: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class TransformScripts:
    """The transforms of a document, and what they take."""

    variables: list[Field]
    parameters: list[Field]
    transforms: list[TransformScript]


def transform_scripts(
    programs: TransformPrograms, language: Language, taken: Sequence[str]
) -> TransformScripts:
    """Transforms in a language.

    Args:
        programs: Their programs.
        language: The language.
        taken: Names at the top that are no transform's.
    """

    def named(names: Sequence[str]) -> list[str]:
        return identifiers(names, language.reserved, language.longest, as_files=language.files)

    variables, parameters = (
        fields(symbols, named) for symbols in (programs.variables, programs.parameters)
    )
    labels = {
        (argument, i): field.name
        for argument, known in ((VARIABLES, variables), (PARAMETERS, parameters))
        for i, field in enumerate(known)
    }
    keys = tuple(symbol.key for symbol in programs.parameters)
    names = named([*taken, *(entry.name for entry in programs.entries)])[len(taken) :]
    reserved = frozenset({*taken, *names})
    transforms = []
    for entry, name in zip(programs.entries, names, strict=True):
        body = script(entry.program, language, keys, labels, reserved)
        entries, constant, size = body.entries["X"], body.constant["X"], entry.kind.size
        read = [
            tuple(
                (r.variable, known[r.index].name, r.index)
                for r in body.reads
                if r.argument == argument
            )
            for argument, known in ((VARIABLES, variables), (PARAMETERS, parameters))
        ]
        numbers = tuple(e if c else "0.0" for e, c in zip(entries, constant, strict=True))
        changing = tuple(
            language.assigned(language.entry("X", k % size, k // size), entries[k])
            for k in range(len(entries))
            if not constant[k]
        )
        transforms.append(
            TransformScript(
                name,
                comment(entry.program.summary),
                size,
                body,
                rows(entries, size),
                changing,
                rows(numbers, size),
                *read,
            )
        )
    return TransformScripts(variables, parameters, transforms)
