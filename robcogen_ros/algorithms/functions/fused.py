"""Several functions in one call, which computes once what they share: `A_and_B`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from robcogen_ros.algorithms.functions.function import Argument, Function, Results, Values
from robcogen_ros.model.robot import Robot

AND = "_and_"
"""The word that joins the names of functions that are fused."""


def fused_function(name: str, find: Callable[[str], Function | None]) -> Function | None:
    """The function of a name like `inverse_dynamics_and_inertia_matrix`; None for other names.

    Its inputs are those of all, its outputs too: under their own names, or where these are not
    unique preceded by their function's, as in `inverse_dynamics_tau`.

    Args:
        name: The name.
        find: Finds a single function.
    """
    functions = _parts_of(name.split(AND), find)
    if len({function.name for function in functions}) < max(2, len(functions)):
        return None
    if any(function.lift for function in functions):
        return None
    inputs = _inputs(functions)
    renamed = _renamed(functions, {argument.name for argument in inputs})

    def compute(robot: Robot, values: Values) -> Results:
        results: Results = {}
        for function, new in zip(functions, renamed, strict=True):
            own = function.compute(robot, values)
            results |= {new[output]: own[output] for output in new}
        return results

    return Function(
        name,
        "; ".join(function.summary for function in functions),
        inputs,
        tuple(
            replace(output, name=new[output.name])
            for function, new in zip(functions, renamed, strict=True)
            for output in function.outputs
        ),
        compute,
        needs=tuple(dict.fromkeys(need for function in functions for need in function.needs)),
    )


def _parts_of(words: Sequence[str], find: Callable[[str], Function | None]) -> list[Function]:
    """The functions of a name without what joins them, which also joins frames; none if not all."""
    found: list[Function] = []
    while words:
        ends = range(len(words), 0, -1)
        each = ((find(AND.join(words[:end])), words[end:]) for end in ends)
        function, words = next((pair for pair in each if pair[0] is not None), (None, ()))
        if function is None:
            return []
        found.append(function)
    return found


def _inputs(functions: Sequence[Function]) -> tuple[Argument, ...]:
    """The inputs of all; one that any function must be given is none that may be left out."""
    inputs: dict[str, Argument] = {}
    for function in functions:
        for argument in function.inputs:
            if argument.name not in inputs or not argument.optional:
                inputs[argument.name] = argument
    return tuple(sorted(inputs.values(), key=lambda argument: argument.optional))


def _renamed(functions: Sequence[Function], taken: set[str]) -> list[dict[str, str]]:
    """Returns for each function new names of its outputs."""
    counts = Counter(output.name for function in functions for output in function.outputs)
    return [
        {
            output.name: f"{function.name}_{output.name}"
            if counts[output.name] > 1 or output.name in taken
            else output.name
            for output in function.outputs
        }
        for function in functions
    ]
