"""The C++ files of coordinate transforms: bodies over any scalar, and a class for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.function import CppFunction, cpp_function
from robcogen_ros.backends.cpp.text import NAMESPACES, comment, identifiers, literal
from robcogen_ros.backends.identifiers import refuse_keywords
from robcogen_ros.backends.render import render
from robcogen_ros.backends.transform_fields import fields
from robcogen_ros.program.frame_transforms import (
    VARIABLES,
    TransformProgram,
    TransformPrograms,
)
from robcogen_ros.transforms.amount import Symbol

_TAKEN = ("Variables", "Parameters", "functions")
_NOT_GIVEN = "T(std::numeric_limits<double>::quiet_NaN())"


@dataclass(frozen=True, slots=True)
class TransformClass:
    """Texts of a transform for the template.

    Attributes:
        name: Name of the class, and of the function behind it.
        summary: What it computes.
        size: Rows of the matrix.
        constants: Lines that set the entries which never change.
    """

    name: str
    summary: str
    size: int
    constants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """A variable or parameter: identifier, initial value, what the document calls it."""

    name: str
    value: str
    meaning: str


def cpp_transform_files(programs: TransformPrograms, target: Target) -> dict[PurePosixPath, str]:
    """Texts of both files, by path: the public header, and the functions that it calls."""
    refuse_keywords([target.project, target.name], NAMESPACES, "C++ or its headers")
    names = identifiers([*_TAKEN, *(entry.name for entry in programs.entries)])[len(_TAKEN) :]
    variables, parameters = _members(programs.variables), _members(programs.parameters)
    labels = {(VARIABLES, i): member.name for i, member in enumerate(variables)}
    keys = tuple(symbol.key for symbol in programs.parameters)
    functions: list[CppFunction] = [
        cpp_function(entry.program, name, keys, labels=labels, constants=False)
        for entry, name in zip(programs.entries, names, strict=True)
    ]
    common: dict[str, Any] = {
        "project": target.project,
        "target": target.name,
        "model": comment(target.model),
    }
    classes = [_class(*entry) for entry in zip(programs.entries, names, strict=True)]
    members = {
        "variables": variables,
        "parameters": parameters,
        **_arguments(variables, parameters),
    }
    include = PurePosixPath("include") / target.project
    return {
        include / f"{target.name}.hpp": render(
            "cpp/transforms.hpp.jinja", {**common, **members, "classes": classes}
        ),
        include / target.name / "functions.hpp": render(
            "cpp/function.hpp.jinja",
            {**common, "name": "functions", "variants": functions, "compiled": False},
        ),
    }


def _arguments(variables: list[Member], parameters: list[Member]) -> dict[str, Any]:
    """Returns the parameters of a call, and the arguments of the function behind it."""
    given = [
        name for name, members in (("variables", variables), ("parameters", parameters)) if members
    ]
    declared = [f"const {name.capitalize()}<T> & {name}" for name in given]
    handed = [f"reinterpret_cast<const T *>(&{name})" for name in reversed(given)]
    return {
        "arguments": ", ".join(declared),
        "handed": [*handed, "matrix_.data()"],
    }


def _members(symbols: Sequence[Symbol]) -> list[Member]:
    return [
        Member(
            field.name, _NOT_GIVEN if field.value is None else literal(field.value), field.meaning
        )
        for field in fields(symbols, identifiers)
    ]


def _class(entry: TransformProgram, name: str) -> TransformClass:
    (output,) = entry.program.outputs
    constants = tuple(
        f"X[{i}] = {literal(node.literal)};"
        for i, node in enumerate(output.nodes)
        if node.literal is not None
    )
    return TransformClass(name, comment(entry.program.summary), entry.kind.size, constants)
