"""The interpreter of programs: a library in C, shipped with the package or compiled once."""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.backends.program.graph import Graph
from robcogen_ros.backends.render import include_directory
from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.compiling.commands import run
from robcogen_ros.runtime.compiling.toolchain import (
    LOADABLE,
    alone,
    c_compiler,
    cache_directory,
    scratch_beside,
)

Array = NDArray[np.float64]

FLAGS = ("-std=c99", "-O3", "-DNDEBUG", "-fPIC", "-ffp-contract=off")
"""Flags that it is compiled with: results are rounded one by one, as NumPy's are."""

_NAME = "librobcogen_ros_interpreter"
_VERSION = 1


class _Graph(ctypes.Structure):
    _fields_ = (
        ("nodes", ctypes.c_void_p),
        ("node_count", ctypes.c_size_t),
        ("constants", ctypes.c_void_p),
        ("constant_count", ctypes.c_size_t),
        ("argument_sizes", ctypes.c_void_p),
        ("argument_count", ctypes.c_size_t),
        ("result_sizes", ctypes.c_void_p),
        ("result_count", ctypes.c_size_t),
        ("entries", ctypes.c_void_p),
        ("entry_count", ctypes.c_size_t),
    )


class Code:
    """A function as the interpreter evaluates it; threads may share it.

    Attributes:
        arguments: Names and sizes of the arguments.
        results: Names and sizes of the results.
    """

    def __init__(self, library: ctypes.CDLL, graph: Graph) -> None:
        """Makes code of a graph.

        Raises:
            RobcogenError: If it has too many values at a time.
        """
        self.arguments, self.results = graph.arguments, graph.results
        sizes = [_sizes(self.arguments), _sizes(self.results)]
        parts: tuple[NDArray[Any], ...] = (graph.nodes, graph.constants, *sizes, graph.entries)
        given = _Graph(*(x for part in parts for x in (part.ctypes.data, len(part))))
        reason = ctypes.c_char_p()
        self._library = library
        self._code = library.robcogen_interpreter_make(ctypes.byref(given), ctypes.byref(reason))
        if not self._code:
            raise RobcogenError(
                f"the interpreter cannot have it: {(reason.value or b'').decode()}; "
                "use backend='cpp' or backend='numpy'"
            )
        self._idle: tuple[list[Array], list[Array]] = [], []

    def __del__(self) -> None:
        if getattr(self, "_code", None):
            self._library.robcogen_interpreter_free(self._code)

    def run(self, arguments: object, results: object) -> None:
        """Evaluates one state.

        Args:
            arguments: Addresses of all arguments, or the address of these.
            results: Those of the results.
        """
        workspace = self._workspace(False)
        self._library.robcogen_interpreter_run(
            self._code, workspace.ctypes.data, arguments, results
        )
        self._idle[False].append(workspace)

    def run_many(
        self, count: int, arguments: object, strides: object, results: object, widths: object
    ) -> None:
        """Evaluates many states; strides and widths are numbers from one to the next."""
        workspace = self._workspace(True)
        self._library.robcogen_interpreter_run_many(
            self._code, workspace.ctypes.data, count, arguments, strides, results, widths
        )
        self._idle[True].append(workspace)

    def _workspace(self, many: bool) -> Array:
        """Memory of a call, which no other call uses meanwhile."""
        try:
            return self._idle[many].pop()
        except IndexError:
            size = self._library.robcogen_interpreter_workspace(self._code, many)
            memory = np.empty(size)
            self._library.robcogen_interpreter_begin(self._code, many, memory.ctypes.data)
            return memory


def _sizes(named: tuple[tuple[str, int], ...]) -> NDArray[np.uint32]:
    return np.array([size for _, size in named], np.uint32)


@cache
def interpreter() -> ctypes.CDLL:
    """The library: the one that the package brings, or else compiled and kept in the cache.

    Raises:
        RobcogenError: If there is none, and nothing can compile or keep it.
    """
    for path in Path(__file__).resolve().parents[2].glob(f"{_NAME}*"):
        with suppress(RobcogenError):
            return _loaded(path)
    return _loaded(_compiled())


def _loaded(path: Path) -> ctypes.CDLL:
    """A library.

    Raises:
        RobcogenError: If it is of another version or machine, or may not be loaded from there.
    """
    try:
        library = ctypes.CDLL(str(path))
        version = library.robcogen_interpreter_version()
    except (OSError, AttributeError) as error:
        raise RobcogenError(f"cannot load {path}: {error}; {LOADABLE}") from None
    if version != _VERSION:
        raise RobcogenError(f"{path} has version {version}, expected {_VERSION}: remove it")
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    for name, result, arguments in (
        ("make", pointer, (ctypes.POINTER(_Graph), ctypes.POINTER(ctypes.c_char_p))),
        ("free", None, (pointer,)),
        ("workspace", size, (pointer, ctypes.c_int)),
        ("begin", None, (pointer, ctypes.c_int, pointer)),
        ("run", None, (pointer,) * 4),
        ("run_many", None, (pointer, pointer, size, *[pointer] * 4)),
    ):
        function = getattr(library, f"robcogen_interpreter_{name}")
        function.restype, function.argtypes = result, arguments
    return library


def _compiled() -> Path:
    """The library in the cache, compiled unless it is there.

    Raises:
        RobcogenError: If there is no compiler, it fails, or nothing can be kept.
    """
    directory = include_directory() / "robcogen_ros" / "interpreter"
    sources = [str(path) for path in sorted(directory.glob("*.c"))]
    texts = [path.read_bytes() for path in sorted(directory.glob("*.[ch]"))]
    command = [*c_compiler(), *FLAGS]
    key = hashlib.sha256(repr((command, platform.machine(), texts)).encode()).hexdigest()[:32]
    path = cache_directory() / key / f"{_NAME}.so"
    if not os.access(path, os.R_OK):
        with scratch_beside(path) as root, alone(path.parent):
            made = root / path.name
            include = f"-I{include_directory()}"
            run([*command, "-shared", include, *sources, "-o", str(made), "-lm"])
            made.replace(path)
    return path
