"""Functions for CasADi, of what the generated Python module of a robot says."""

from __future__ import annotations

from typing import Any

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.program.library import Library

_TARGET = Target("robcogen_ros", "robot", "the model given to robcogen_ros.build()")


def casadi_module(library: Library, name: str) -> str:
    """Text of the module that makes one function of a library."""
    (text,) = BACKENDS["casadi"](library.other([name]), _TARGET).values()
    return text


def casadi_function(text: str, name: str) -> Any:
    """The `casadi.Function` of a name in the text of a module.

    Raises:
        ImportError: If there is no CasADi.
    """
    module: dict[str, Any] = {}
    exec(compile(text, "<robot>_casadi.py", "exec"), module)
    return module["function"](name)
