"""Functions for batches of states, whose results go where the states have them.

Where numbers of a state follow one another, what is computed of several is kept and turned. Of a
matrix with many entries alike, or zero, each is computed and kept once: all of them would not stay
in the first cache in between. Into columns, all entries are put as they are computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.cpp.function import CppFunction, argument_names, cpp_function
from robcogen_ros.backends.cpp.part import declared
from robcogen_ros.backends.cpp.text import COLUMNS, CPP, double
from robcogen_ros.backends.notation import Dialect
from robcogen_ros.model.scalars import number
from robcogen_ros.program import choose
from robcogen_ros.program.library import Library
from robcogen_ros.program.passes.distinct import Distinct, distinct, in_order
from robcogen_ros.program.program import Program

KEPT = replace(
    COLUMNS,
    outputs=CPP.outputs,
    scalar="Numbers",
    dialect=Dialect(lambda value: f"Numbers({number.to_float(value)!r})"),
    reserved=COLUMNS.reserved | {"Numbers"},
    prefetching=False,
)
"""C++ for several states side by side, whose results are kept first."""

ONCE = "_once"
"""The end of names of functions that compute each entry once."""


@dataclass(frozen=True, slots=True)
class Values:
    """Places and types of the values that a function computes for several states.

    Attributes:
        in_columns: Whether it takes arguments that lie in columns.
        once: Whether another one computes each entry once.
        types: The types of that one's arguments.
        size: Number of values.
        constants: Entries that are constants; they are the first values.
        first: For each output, which value its first entry is.
        places: For each output, which value each entry is; empty where that is their order.
    """

    in_columns: bool
    once: bool
    types: tuple[str, ...]
    size: int
    constants: tuple[str, ...]
    first: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]


def batch_functions(
    library: Library, name: str, identifier: str
) -> tuple[tuple[CppFunction, ...], tuple[CppFunction, ...]]:
    """The functions for several states beside those of the usual and of the general form."""

    def once(form: _Form | None, called: str) -> tuple[CppFunction, ...]:
        if form is None or form.once is None:
            return ()
        program, labels = library.ordered(form.once.program), library.constant_labels
        return (cpp_function(program, called + ONCE, labels=labels, language=KEPT),)

    usual, general = _forms(library, name)
    return once(usual, identifier), once(general, f"{identifier}_general")


def batch_values(library: Library, name: str) -> tuple[Values, Values]:
    """Returns the values of the usual and of the general form of a function."""
    return library.fact(_values_of, name)


def _values_of(library: Library, name: str) -> tuple[Values, Values]:
    outputs, in_columns = library.function(name).outputs, not library.only_looped(name)
    usual, general = _forms(library, name)
    return _values(usual, outputs, in_columns), _values(general, outputs, in_columns)


@dataclass(frozen=True, slots=True)
class _Form:
    """A program for several states.

    Attributes:
        program: The program.
        once: The same with each entry once; None where that leaves more than half of them.
    """

    program: Program
    once: Distinct | None


def _forms(library: Library, name: str) -> tuple[_Form | None, _Form | None]:
    """The usual and the general form, None where code for any scalar is all there is.

    A usual form that calls the general one has none, nor has what is only in loops.
    """
    if library.only_looped(name):
        return None, None
    entry = library.derived(name)
    general = _form(entry.general)
    if entry.usual is None:
        return general, None
    return None if choose.forwards(entry.usual) else _form(entry.usual), general


def _form(program: Program) -> _Form:
    once = distinct(program)
    few = 2 * once.size <= sum(output.argument.size for output in program.outputs)
    return _Form(program, once if few else None)


def _values(form: _Form | None, outputs: Sequence[Argument], in_columns: bool) -> Values:
    types = _types(form)
    if form is None or form.once is None:
        sizes = [output.size for output in outputs]
        first = tuple(sum(sizes[:i]) for i in range(len(sizes)))
        in_their_order: tuple[tuple[int, ...], ...] = tuple(() for _ in sizes)
        return Values(in_columns, False, types, sum(sizes), (), first, in_their_order)
    found = form.once
    constants = tuple(double(number.to_float(value)) for value in found.constants)
    places = tuple(
        () if places == in_order(first, len(places)) else places
        for first, places in zip(found.first, found.places, strict=True)
    )
    return Values(in_columns, True, types, found.size, constants, found.first, places)


def _types(form: _Form | None) -> tuple[str, ...]:
    """The types of the arguments of what computes each entry once."""
    if form is None:
        return ()
    return declared(form.program, "Number", argument_names(form.program, False), (), KEPT)
