"""The CUDA header of a robot: its functions for a device, with a kernel and a launcher of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.c.files import module_of
from robcogen_ros.backends.c.shell import module_context
from robcogen_ros.backends.c.text import LANGUAGES
from robcogen_ros.backends.cpp.function import CppFunction
from robcogen_ros.backends.render import render
from robcogen_ros.program.library import Library

_INPUT, _OUTPUT = "Inputs", "Outputs"
"""The types of arguments that a state has: pointers, or columns of many states."""

_LONGEST_PART = 400
"""Statements in a part of a long function: of 1000, nvcc takes minutes."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A function, and how a kernel calls it for each state.

    Attributes:
        function: The function.
        pointers: The parameters of the kernel, after the number of states.
        columns: The arguments of the function at a state.
    """

    function: CppFunction
    pointers: tuple[str, ...]
    columns: tuple[str, ...]


def cuda_files(library: Library, target: Target) -> dict[PurePosixPath, str]:
    """Text of the header, by path: `<project>_<name>.cuh`."""
    language = replace(
        LANGUAGES[target.scalar], inputs=_INPUT, outputs=_OUTPUT, longest_part=_LONGEST_PART
    )
    module = module_of(library, target, language)
    stem = target.prefix.rstrip("_")
    kernels = [_kernel(function, stem, target.scalar) for function in module.functions]
    context = {**module_context(module, target), "kernels": kernels}
    return {PurePosixPath(f"{stem}.cuh"): render("cuda/header.cuh.jinja", context)}


def _kernel(function: CppFunction, stem: str, scalar: str) -> Kernel:
    pointers, columns = [], []
    for parameter in function.parameters:
        kind, name = parameter.split()[0], parameter.split()[-1]
        number = scalar if kind == _OUTPUT else f"const {scalar}"
        own = kind in (_INPUT, _OUTPUT)
        pointers.append(f"{number} * {name}")
        columns.append(f"{stem}_columns<{number}>{{{name} + state, count}}" if own else name)
    return Kernel(function, tuple(pointers), tuple(columns))
