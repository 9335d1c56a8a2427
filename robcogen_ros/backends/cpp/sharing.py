"""Functions of a state that is updated first and read then, in C++."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.cpp.function import CppFunction, cpp_function
from robcogen_ros.backends.cpp.header import HeaderFunction, header_function
from robcogen_ros.backends.cpp.signature import Signature, signature
from robcogen_ros.backends.cpp.text import function_identifiers
from robcogen_ros.backends.wrap import enclosed
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.choose import operation_counts
from robcogen_ros.program.leaf import CONSTANTS
from robcogen_ros.program.library import Library
from robcogen_ros.program.passes.share import POSITIONS, VELOCITIES, Shared, share
from robcogen_ros.program.program import Program

DEFAULT = (
    "inverse_dynamics",
    "gravity_torques",
    "coriolis_torques",
    "inertia_matrix",
    "forward_dynamics",
    "kinematics",
)
"""Functions that share a state where `default` is asked for, as far as the robot has it."""

OF_STATE = "_of_state"
"""The end of names of reads on plain arrays."""

_BLOCKS = (CONSTANTS, POSITIONS, VELOCITIES)


@dataclass(frozen=True, slots=True)
class Update:
    """A function that fills a part of the state: what the template needs of it."""

    summary: str
    declaration: str
    scalar: str
    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sharing:
    """Code for a shared state.

    Attributes:
        bodies: The functions on plain arrays, by their file.
        context: Variables of the template of the header.
    """

    bodies: dict[str, list[CppFunction]]
    context: dict[str, Any]


def sharing(library: Library, names: Sequence[str]) -> Sharing | None:
    """The functions of a shared state; None where none are asked for.

    Args:
        library: The robot's functions.
        names: Those that share; `default` stands for the usual ones.

    Raises:
        RobcogenError: If one is not generated for this robot.
    """
    chosen = _chosen(library, names)
    if not chosen:
        return None
    identifier = function_identifiers(library)
    entries = {name: library.derived(name) for name in chosen}
    divided = share(
        {name: entry.fastest for name, entry in entries.items()},
        {name: entry.general for name, entry in entries.items() if entry.usual is not None},
    )
    labels = library.constant_labels
    bodies = {
        update.name: [cpp_function(update, update.name, labels=labels)]
        for update in (divided.positions, divided.velocities)
    }
    functions = []
    for name in chosen:
        body = f"{identifier[name]}{OF_STATE}"
        forms = [(body, divided.reads[name])]
        if name in divided.others:
            forms.append((f"{identifier[name]}_general{OF_STATE}", divided.others[name]))
        bodies[body] = [cpp_function(program, called, labels=labels) for called, program in forms]
        functions += [_read(library, name, identifier[name], *form) for form in forms]
    return Sharing(bodies, _context(library, divided, functions))


def _chosen(library: Library, names: Sequence[str]) -> list[str]:
    chosen = []
    for name in names:
        if name == "default":
            chosen += [usual for usual in DEFAULT if usual in library.names]
        elif name in library.names:
            chosen.append(name)
        else:
            known = ", ".join(library.names)
            raise RobcogenError(f"'{name}' cannot share a state: expected default, {known}")
    return list(dict.fromkeys(chosen))


def _context(library: Library, divided: Shared, reads: list[HeaderFunction]) -> dict[str, Any]:
    positions, velocities = divided.positions, divided.velocities
    has_parameters = bool(library.robot.parameters)
    separate = sum(_count(library.derived(name).fastest) for name in divided.reads)
    together = sum(map(_count, (positions, velocities, *divided.reads.values())))
    return {
        "sizes": [program.outputs[0].argument.size for program in (positions, velocities)],
        "updates": _updates(positions, velocities, has_parameters),
        "reads": reads,
        "separate": separate,
        "together": together,
    }


def _count(program: Program) -> int:
    return sum(operation_counts(program).values())


def _updates(positions: Program, velocities: Program, has_parameters: bool) -> list[Update]:
    """Returns the updates of positions, of velocities, and of both at once."""
    of_q, of_qd = _arguments_of(positions), _arguments_of(velocities)
    at_q = _call("update_positions", of_q, ["state.positions"], has_parameters)
    at_qd = _call(
        "update_velocities", of_qd, ["state.velocities"], has_parameters, ["state.positions"]
    )
    return [
        _update("update_positions", positions.summary, of_q, (at_q,), has_parameters),
        _update("update_velocities", velocities.summary, of_qd, (at_qd,), has_parameters),
        _update(
            "update",
            "All that functions share of a state",
            of_q + of_qd,
            (at_q, at_qd),
            has_parameters,
        ),
    ]


def _arguments_of(program: Program) -> tuple[Argument, ...]:
    """Returns the arguments that a caller gives, beside the state."""
    return tuple(argument for argument in program.inputs if argument.name not in _BLOCKS)


def _call(
    name: str,
    given: tuple[Argument, ...],
    filled: list[str],
    has_parameters: bool,
    blocks: Sequence[str] = (),
) -> str:
    handed = list(signature(given, False).handed)
    first = ["constants.data()"] if has_parameters else []
    return enclosed(f"functions::{name}<T>(", [*first, *blocks, *handed, *filled], ");", "  ")


def _update(
    name: str,
    summary: str,
    given: tuple[Argument, ...],
    calls: tuple[str, ...],
    has_parameters: bool,
) -> Update:
    plain = signature(given, has_parameters)
    scalar = plain.scalar if given else "T"
    declared = replace(plain, declared=(*plain.declared, f"StateOf<{scalar}> & state"))
    if not given:
        declared = replace(declared, template="template <typename T>")
    return Update(f"{summary}", declared.declaration("void", name), scalar, calls)


def _read(
    library: Library, name: str, identifier: str, called: str, program: Program
) -> HeaderFunction:
    """A function of the state and of what the state does not tell."""
    given = tuple(a for a in program.inputs if a.name not in _BLOCKS)
    has_parameters = bool(library.robot.parameters)
    declared: Signature = signature(given, has_parameters, ("const StateOf<T> & state",))
    first = ["constants.data()"] if has_parameters else []
    rest = declared.handed[1:] if has_parameters else declared.handed
    handed = (*first, "state.positions", "state.velocities", *rest)
    function = library.function(name)
    return header_function(function, identifier, called, declared, library.robot, handed)
