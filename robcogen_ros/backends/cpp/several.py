"""Functions for several states at once, whose results go where the states have them.

Where numbers of a state follow one another, what is computed of several is kept and turned. Of a
matrix with many entries alike, or zero, each is computed and kept once: all of them would not stay
in the first cache in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from robcogen_ros.algorithms.function import Argument
from robcogen_ros.backends.cpp.function import CppFunction, cpp_function
from robcogen_ros.backends.cpp.limb_loops import limb_loops
from robcogen_ros.backends.cpp.text import CPP, RESERVED, double
from robcogen_ros.backends.cpp.usual_function import is_long
from robcogen_ros.backends.notation import Dialect
from robcogen_ros.model import number
from robcogen_ros.program.library import Library
from robcogen_ros.program.pack_costs import is_long_code, worth_limb_loops
from robcogen_ros.program.passes.distinct import Distinct, distinct, entire, in_order
from robcogen_ros.program.passes.fuse import Lanes
from robcogen_ros.program.passes.side_by_side import SideBySide
from robcogen_ros.program.program import Program

NUMBERS = replace(
    CPP,
    scalar="Numbers",
    results="Places",
    dialect=Dialect(lambda value: f"Numbers({number.to_float(value)!r})"),
    reserved=RESERVED | {"Numbers", "Places"},
)
"""C++ for several states side by side."""


_FEW = 20
"""Operations for each entry; with more of them it counts little where entries are put."""


@dataclass(frozen=True, slots=True)
class Values:
    """What becomes of the values that a function computes for several states.

    Attributes:
        own: Whether there is a function for several states.
        in_columns: Whether it puts results into columns too.
        types: The types of its arguments.
        size: Number of values.
        constants: Entries that are constants; they are the first values.
        first: For each output, which value its first entry is.
        places: For each output, which value each entry is; empty where that is their order.
    """

    own: bool
    in_columns: bool
    types: tuple[str, ...]
    size: int
    constants: tuple[str, ...]
    first: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]


def several_functions(
    library: Library, name: str, identifier: str
) -> tuple[CppFunction | None, CppFunction | None]:
    """The usual and the general form of a function, None where it is not worth it."""
    labels = library.constant_labels

    def form(found: _Form | None, called: str) -> CppFunction | None:
        if found is None:
            return None
        program, lanes = library.ordered(found.values.program, found.lanes)
        if found.lanes:
            made = limb_loops(program, lanes, called, NUMBERS)
        else:
            made = cpp_function(program, called, labels=labels, language=NUMBERS)
        return replace(made, in_columns=found.in_columns)

    usual, general = _forms(library, name)
    return form(usual, identifier), form(general, f"{identifier}_general")


def several_values(library: Library, name: str) -> tuple[Values, Values]:
    """What becomes of the values of the usual and of the general form of a function."""

    def find() -> tuple[Values, Values]:
        outputs = library.function(name).outputs
        usual, general = _forms(library, name)
        return _values(usual, outputs), _values(general, outputs)

    values: tuple[Values, Values] = library.fact("values", name, find)
    return values


@dataclass(frozen=True, slots=True)
class _Form:
    """A program for several states.

    Attributes:
        values: The program, and which values its entries are.
        lanes: For each node that is a pack, how many limbs it is of; none in straight-line code.
    """

    values: Distinct
    lanes: Lanes

    @property
    def in_columns(self) -> bool:
        """Whether there are so many entries that they are better put where they belong at once."""
        program = self.values.program
        operations = sum(1 for _ in program.statements())
        return self.values.is_entire and operations <= _FEW * self.values.size


def _forms(library: Library, name: str) -> tuple[_Form | None, _Form | None]:
    """The usual and the general form, None where code for any scalar serves as well.

    A usual form that calls the general one has none, nor has what is only in loops.
    """
    if library.only_looped(name):
        return None, None
    entry = library.derived(name)
    programs = (entry.usual or entry.general, entry.general)
    packed = library.packed(name) if any(map(is_long_code, programs)) else (None, None)
    usual, general = map(_form, programs, packed)
    if entry.usual is None:
        return usual, None
    return None if is_long(entry) else usual, general


def _form(program: Program, packed: SideBySide | None) -> _Form | None:
    """Limb after limb where that is worth it; each entry once where that leaves half of them."""
    lanes: Lanes = {}
    if packed is not None and worth_limb_loops(program, packed):
        program, lanes = packed.program, packed.lanes
    found, whole = distinct(program), entire(program)
    form = _Form(found if 2 * found.size <= whole.size else whole, lanes)
    return form if form.values is found or lanes or form.in_columns else None


def _values(form: _Form | None, outputs: Sequence[Argument]) -> Values:
    if form is None:
        sizes = [output.size for output in outputs]
        first = tuple(sum(sizes[:i]) for i in range(len(sizes)))
        return Values(False, False, (), sum(sizes), (), first, tuple(() for _ in sizes))
    found, program = form.values, form.values.program
    types = ["const Number *"] * len(program.inputs) + ["Places"] * len(program.outputs)
    return Values(
        True,
        form.in_columns,
        tuple(types),
        found.size,
        tuple(double(number.to_float(value)) for value in found.constants),
        found.first,
        tuple(
            () if places == in_order(first, len(places)) else places
            for first, places in zip(found.first, found.places, strict=True)
        ),
    )
