"""Forwarding: the usual form of a long function calls its general form, half to compile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.cpp.function import CppFunction, argument_names
from robcogen_ros.backends.cpp.part import declared
from robcogen_ros.backends.cpp.text import CPP, Language
from robcogen_ros.backends.wrap import enclosed
from robcogen_ros.model.scalars import number
from robcogen_ros.program.library import Entry


def forwarding_function(
    entry: Entry, name: str, general: CppFunction, language: Language
) -> CppFunction:
    """The usual form of a function, which forwards to the general one what is left out too.

    Args:
        entry: The function's programs.
        name: Its name.
        general: Its general form.
        language: How it is written.
    """
    assert entry.usual is not None
    order = argument_names(entry.usual, False)
    handed = argument_names(entry.general, False)
    lines = [
        line
        for argument in entry.general.inputs
        if argument.name not in order
        for line in _default(argument)
    ]
    lines.append(enclosed(f"{general.name}<T>(", handed, ");", "  "))
    (first, *_) = general.parts
    return replace(
        general,
        name=name,
        documentation=tuple(_described_by(general, order)),
        parameters=declared(entry.usual, CPP.scalar, order, order, language),
        types=declared(entry.usual, "double", order, (), language),
        parts=(replace(first, reads=tuple(lines), sections=()),),
        work_size=0,
        unused=(),
        uses=(),
        packed=None,
    )


def _default(argument: Argument) -> Iterator[str]:
    """The lines that declare an argument which is left out."""
    values = [CPP.dialect.literal(number.number(x)) for x in argument.values_left_out]
    name, scalar = argument.name, CPP.scalar
    if len(set(values)) > 1:
        yield enclosed(f"const {scalar} {name}[] = {{", values, "};", "  ")
        return
    yield f"  {scalar} {name}[{len(values)}];"
    yield f"  for ({scalar} & value : {name})"
    yield f"  {{\n    value = {values[0]};\n  }}"


def _described_by(general: CppFunction, order: tuple[str, ...]) -> Iterator[str]:
    """Lines of the general form's documentation about arguments that the usual one has too."""
    kept = False
    for line in general.documentation:
        if line.startswith("@param"):
            kept = line.split()[1] in order
        if kept:
            yield line
