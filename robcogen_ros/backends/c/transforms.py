"""The C files of coordinate transforms: a function for each."""

from __future__ import annotations

from pathlib import PurePosixPath

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.c.shell import Enumeration, Module, module_files
from robcogen_ros.backends.c.text import LANGUAGES, identifiers
from robcogen_ros.backends.cpp.function import cpp_function
from robcogen_ros.backends.transform_fields import Field, fields
from robcogen_ros.backends.variables import PARAMETERS
from robcogen_ros.program.frame_transforms import VARIABLES, TransformPrograms

_OWN = ("default_parameters",)
_CONVENTIONS = (
    "A_X_B, A_XM_B, A_XF_B and A_R_B map homogeneous coordinates, spatial motion vectors, spatial",
    "force vectors (angular first) and directions in B to those in A. Matrices are column-major.",
)


def c_transform_files(programs: TransformPrograms, target: Target) -> dict[PurePosixPath, str]:
    """Texts of both files, by path."""
    variables = fields(programs.variables, identifiers)
    parameters = fields(programs.parameters, identifiers)
    labels = {
        (argument, i): field.name
        for argument, known in ((VARIABLES, variables), (PARAMETERS, parameters))
        for i, field in enumerate(known)
    }
    keys = tuple(symbol.key for symbol in programs.parameters)
    names = identifiers([*_OWN, *(entry.name for entry in programs.entries)])[len(_OWN) :]
    functions = tuple(
        cpp_function(
            entry.program,
            f"{target.prefix}{name}",
            keys,
            labels=labels,
            language=LANGUAGES[target.scalar],
        )
        for entry, name in zip(programs.entries, names, strict=True)
    )
    module = Module(
        title="Coordinate transforms",
        conventions=_CONVENTIONS,
        enumerations=(
            _enumeration("variable", "What changes all the time", variables),
            _enumeration("parameter", "What changes from time to time", parameters),
        ),
        defaults=tuple(field.value for field in parameters),
        functions=functions,
    )
    return module_files(module, target)


def _enumeration(kind: str, meaning: str, known: list[Field]) -> Enumeration:
    ordered = f"{meaning}, in the order of `{kind}s`"
    return Enumeration(kind, ordered, tuple((field.name, field.meaning) for field in known))
