"""Functions of a built robot as text: modules for CasADi, pages to read."""

from __future__ import annotations

from typing import Any

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.readable.files import LANGUAGES, readable_files
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.program.library import Library
from robcogen_ros.program.optimisations import OPTIMISATIONS

CASADI = "casadi"

READABLE = tuple(LANGUAGES)
"""Languages of pages to read."""

_TARGET = Target("robcogen_ros", "robot", "the model given to robcogen_ros.build()")


def module(library: Library, language: str, name: str) -> str:
    """Text of the module, or the page, of one function of a library."""
    if language == CASADI:
        files = BACKENDS[CASADI](library.other([name]), _TARGET)
    else:
        plain = Library(library.robot, [name], (), OPTIMISATIONS)
        files = readable_files(plain, _TARGET, language)
    (text,) = files.values()
    return text


def casadi_function(text: str, name: str) -> Any:
    """The `casadi.Function` of a name in the text of a module.

    Raises:
        ImportError: If there is no CasADi.
    """
    found: dict[str, Any] = {}
    exec(compile(text, "<robot>_casadi.py", "exec"), found)
    return found["function"](name)
