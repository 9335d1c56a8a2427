"""The forms of all functions in C++, made in several processes where there is much to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from robcogen_ros.backends.cpp.batch import batch_functions, batch_values
from robcogen_ros.backends.cpp.chain import chain_body, chain_name
from robcogen_ros.backends.cpp.forwarding import forwarding_function
from robcogen_ros.backends.cpp.function import CppFunction, cpp_function
from robcogen_ros.backends.cpp.loops.function import loop_function
from robcogen_ros.backends.cpp.packed_function import packed_function
from robcogen_ros.backends.cpp.text import COLUMNS, CPP
from robcogen_ros.backends.processes import available, in_processes
from robcogen_ros.backends.render import load
from robcogen_ros.program import choose
from robcogen_ros.program.library import Fact, Library
from robcogen_ros.program.passes.vectorise import Vectorised
from robcogen_ros.program.program import Program
from robcogen_ros.progress import tell

_MUCH = 100
"""Functions times joints that are worth several processes."""

_LONGEST = (
    "forward_dynamics_derivatives",
    "inverse_dynamics_derivatives",
    "inertia_matrix_inverse",
    "inverse_dynamics",
    "forward_dynamics",
    "inverse_dynamics_fully_actuated",
    "inertia_factor",
)
"""Functions that take the longest to make, from the longest on; they are begun first."""

_TEMPLATES = tuple(
    f"cpp/{file}.jinja"
    for file in (
        "function.hpp",
        "functions.hpp",
        "names.hpp",
        "any_scalar.hpp",
        "target.hpp",
        "source.cpp",
        "model.cpp",
    )
)
"""Templates of the files of every robot."""


def all_forms(
    library: Library, identifier: Mapping[str, str], batch: bool
) -> dict[str, list[CppFunction]]:
    """The forms of all functions, by identifier.

    Args:
        library: The robot's functions.
        identifier: Their identifiers, by name.
        batch: Whether many states are computed several at once.
    """
    identifier = {step: step for name in identifier for step in library.all_steps(name)} | {
        **identifier
    }
    much = len(library.robot.joints) * len(identifier) >= _MUCH
    count = available() if much else 1
    prepared = {name for name in identifier if library.is_prepared(name)}
    names = sorted(identifier, key=lambda name: (name not in prepared, _place(name)))
    made = in_processes(
        partial(_make_forms, library, identifier, batch),
        names,
        count,
        early=len(names) - len(prepared),
        prepare=partial(library.prepare, sorted(prepared)),
        meanwhile=partial(load, _TEMPLATES),
        title=(f"generating {library.robot.name}", "functions"),
    )
    found = {}
    for name, (forms, facts) in zip(names, made, strict=True):
        found[name] = forms
        library.learn(facts)
    return {identifier[name]: found[name] for name in identifier}


def _place(name: str) -> int:
    """Returns a key that sorts functions: those that take long begin first."""
    return _LONGEST.index(name) if name in _LONGEST else len(_LONGEST)


def _make_forms(
    library: Library, identifier: Mapping[str, str], batch: bool, name: str
) -> tuple[list[CppFunction], dict[Fact, object]]:
    """The forms of a function, and what headers and the C interface tell of it."""
    found = forms(library, name, identifier[name], batch)
    library.operations(name)
    if batch:
        batch_values(library, name)
    return found, library.facts(name)


def forms(library: Library, name: str, identifier: str, batch: bool) -> list[CppFunction]:
    """The forms of a function: the usual one, that with all arguments, that of a chain.

    Several states at once are better off with straight-line code, which they share, unless it is
    very long.
    """
    tell(f"{name}, tracing")
    looped = library.looped(name)
    if looped and (not batch or library.only_looped(name)):
        return loop_function(library, name, identifier)
    entry, labels = library.derived(name), library.constant_labels
    tell(f"{name}, rewriting")
    usual, general = (None, None) if looped else library.packed(name)
    tell(f"{name}, writing")
    language = replace(COLUMNS if batch else CPP, prefetching=library.prefetching)

    def form(program: Program, called: str, packed: Vectorised | None) -> CppFunction:
        ordered = library.ordered(program)
        straight = cpp_function(ordered, called, labels=labels, language=language)
        if packed:
            return replace(straight, packed=packed_function(packed, called, library))
        return straight

    if entry.usual is None:
        variants = [form(entry.general, identifier, usual)]
    else:
        whole = form(entry.general, f"{identifier}_general", general)
        if choose.forwards(entry.usual):
            short = forwarding_function(entry, identifier, whole, language)
        else:
            short = form(entry.usual, identifier, usual)
        variants = [short, whole]
    if batch:
        batched = batch_functions(library, name, identifier)
        variants = [
            replace(variant, batched=found)
            for variant, found in zip(variants, batched, strict=False)
        ]
    if looped:
        loops = loop_function(library, name, identifier, "double")
        return [replace(one, packed=other) for one, other in zip(variants, loops, strict=True)]
    chained = chain_name(library, name, identifier)
    return [*variants, chain_body(library, name, chained)] if chained else variants
