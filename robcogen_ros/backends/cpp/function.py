"""One function as C++: a template over the scalar, divided into parts where it is long."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.functions.function import Argument, Function
from robcogen_ros.backends.cpp.part import CppPart, cpp_part, declared
from robcogen_ros.backends.cpp.text import CPP, Language, comment
from robcogen_ros.backends.layout import layout
from robcogen_ros.backends.symbols import symbols
from robcogen_ros.backends.variables import PARAMETERS
from robcogen_ros.model.scalars.operation import OPERATIONS, SELECT
from robcogen_ros.program.choose import operation_counts
from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.program import Output, Program

_FEWEST_PREFETCHED, _MOST_PREFETCHED, _LONGEST_PREFETCHED = 150, 2000, 5000
"""Operations of code that is worth prefetching: as many as come later than they are needed,
and as take little time where all are in the caches; of functions that fit the first one."""

SELECTS = "robcogen_ros::select"
"""The function by which code selects."""

IN_LOOPS = "in loops over the joints"
"""Words in place of operations where there is no program to count them of."""


@dataclass(frozen=True, slots=True)
class CppFunction:
    """Texts of a function for the templates.

    Attributes:
        name: Its name.
        summary: What it computes.
        operations: How many operations it does.
        documentation: A line for each argument.
        parameters: Its parameters, every name written.
        types: The types of its parameters for double.
        parts: Its stretches; one of them if it is short.
        work_size: Values that parts hand on.
        prefetched: Lines that prefetch its code.
        symbols: What the symbols in its names mean.
        unused: Arguments that it does not read.
        uses: Functions of <cmath> and of this library in it.
        packed: The same for double with limbs side by side, or in loops; None where it is not
            worth it.
        limbs: What the lanes of packs are, a line for each group of limbs.
        loops: Header of what its loops compute with, if it is in loops.
        calls: Other functions that it calls.
        batched: Others for several states at once.
    """

    name: str
    summary: str
    operations: str
    documentation: tuple[str, ...]
    parameters: tuple[str, ...]
    types: tuple[str, ...]
    parts: tuple[CppPart, ...]
    work_size: int
    unused: tuple[str, ...]
    uses: tuple[str, ...]
    packed: CppFunction | None = None
    limbs: tuple[str, ...] = ()
    loops: str = ""
    calls: tuple[str, ...] = ()
    batched: tuple[CppFunction, ...] = ()
    prefetched: tuple[str, ...] = ()
    symbols: str = ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of its parameters."""
        return tuple(parameter.split()[-1] for parameter in self.parameters)


def cpp_function(
    program: Program,
    name: str,
    parameters: tuple[str, ...] = (),
    *,
    labels: Mapping[tuple[str, int], str] | None = None,
    constants: bool = True,
    language: Language = CPP,
    lanes: Mapping[Node, int] | None = None,
) -> CppFunction:
    """A program as a function of a given name in C++ or C; other arguments as in `layout`."""
    laid = layout(
        program,
        language.reserved,
        parameters,
        labels=labels,
        constants=constants,
        clearing=language.clearing,
        longest_part=language.longest_part,
        lanes=lanes,
    )
    has_parameters = bool(parameters)
    order = argument_names(program, has_parameters)
    used = {argument for part in laid.parts for argument in part.arguments}
    operations = {statement.node.operation for statement in program.statements()}
    functions = {o for o in OPERATIONS.values() if o in operations and not o.symbol}
    parts = tuple(cpp_part(laid, i, name, order, language) for i in range(len(laid.parts)))
    return CppFunction(
        name=name,
        summary=comment(program.summary),
        operations=_operations(program),
        documentation=_documentation(program, has_parameters),
        parameters=declared(program, language.scalar, order, order, language),
        types=declared(program, "double", order, (), language),
        parts=parts,
        work_size=laid.work_size,
        unused=tuple(argument for argument in order if argument not in used),
        uses=tuple(sorted(SELECTS if o is SELECT else f"std::{o.name}" for o in functions)),
        prefetched=tuple(_prefetched(name, parts, language)) if language.prefetching else (),
        symbols=symbols(program),
    )


def _prefetched(name: str, parts: Sequence[CppPart], language: Language) -> Iterator[str]:
    """Lines that prefetch the code of a function, or of all its parts."""
    scalar, left = language.scalar, _MOST_PREFETCHED
    if sum(part.operations for part in parts) > _LONGEST_PREFETCHED:
        return
    for i, part in enumerate(parts):
        operations = min(part.operations, left)
        left -= operations
        if operations < _FEWEST_PREFETCHED:
            continue
        called = f"{name}<{scalar}>" if len(parts) == 1 else part.name
        if len(parts) > 1 and scalar == CPP.scalar:
            called = f"parts::{part.name}<{scalar}>"
        numbers = f"{operations}" if i == 0 else f"{operations}, 0"
        yield f"  robcogen_ros::prefetch<{scalar}, {numbers}>({called});"


def called_function(
    function: Function, general: bool, name: str, lines: Sequence[str], scalar: str
) -> CppFunction:
    """A function whose body is given.

    Args:
        function: What is computed.
        general: Whether it takes optional arguments.
        name: Its name.
        lines: Its body.
        scalar: The type of its numbers.
    """
    inputs = tuple(argument for argument in function.inputs if general or not argument.optional)
    outputs = tuple(Output(argument, ()) for argument in function.outputs)
    hollow = Program(name, function.summary, Graph(), inputs, outputs, ())
    order = argument_names(hollow, False)
    parameters = declared(hollow, scalar, order, order)
    types = declared(hollow, "double", order, ())
    return CppFunction(
        name=name,
        summary=comment(function.summary),
        operations=IN_LOOPS,
        documentation=_documentation(hollow, False),
        parameters=parameters,
        types=types,
        parts=(CppPart(name, parameters, types, order, tuple(lines), ()),),
        work_size=0,
        unused=(),
        uses=(),
    )


def argument_names(program: Program, has_parameters: bool) -> tuple[str, ...]:
    """Names of a function's arguments in order: parameters, inputs, outputs."""
    inputs = [argument.name for argument in program.inputs]
    outputs = [output.argument.name for output in program.outputs]
    return (*([PARAMETERS] if has_parameters else []), *inputs, *outputs)


def _operations(program: Program) -> str:
    counts = operation_counts(program)
    order = ("multiply", "add", "subtract", "divide", "sqrt", "sin", "cos", "atan2", "select")
    return ", ".join(f"{counts[name]} {name}" for name in order if name in counts) or "none"


def _documentation(program: Program, has_parameters: bool) -> tuple[str, ...]:
    lines = [f"@param[in] {PARAMETERS} values of the model's parameters"] if has_parameters else []
    lines += [f"@param[in] {_described(argument)}" for argument in program.inputs]
    lines += [f"@param[out] {_described(output.argument)}" for output in program.outputs]
    return tuple(
        piece for line in lines for piece in textwrap.wrap(line, 94, subsequent_indent="  ")
    )


def _described(argument: Argument) -> str:
    shape = f"({argument.rows})"
    if argument.columns is not None:
        shape = f"({argument.rows} x {argument.columns}, column-major)"
    return f"{argument.name} {shape} {comment(argument.meaning)}".rstrip()
