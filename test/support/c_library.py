"""Generated C, compiled and called."""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.backends.render import write_changed
from robcogen_ros.program.program import Program

STRICT = [
    *("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"),
    *("-Wshadow", "-Wconversion", "-Wdouble-promotion"),
]
"""What the generated C promises to compile with."""


class CLibrary:
    """The functions of one generated source.

    Attributes:
        stem: Name of its files without the ending.
        object: The object file made of it.
    """

    def __init__(
        self, files: Mapping, folder: Path, *, scalar: str = "double", compiler: str = "cc"
    ) -> None:
        """Write the files, compile them strictly, and load them."""
        write_changed({folder / path: text for path, text in files.items()})
        (header,) = (text for path, text in files.items() if path.suffix == ".h")
        found = re.search(r"_CONSTANTS (\d+)", header)
        self._constants = int(found[1]) if found else 0
        (source,) = (folder / path for path in files if path.suffix == ".c")
        self.stem = source.stem
        self.object = source.with_suffix(".o")
        shared = source.with_suffix(".so")
        command = [
            compiler,
            *STRICT,
            "-O1",
            "-ffp-contract=off",
            "-fPIC",
            "-c",
            str(source),
            "-o",
            str(self.object),
        ]
        subprocess.run(command, check=True)
        subprocess.run(
            [compiler, "-shared", str(self.object), "-lm", "-o", str(shared)], check=True
        )
        self._loaded = ctypes.CDLL(str(shared))
        self._type = np.dtype({"double": "f8", "float": "f4"}[scalar])

    def defaults(self, count: int) -> NDArray:
        """The default values of the parameters."""
        values = np.zeros(count, self._type)
        self._loaded[f"{self.stem}_default_parameters"](_pointer(values))
        return values

    def call(
        self,
        name: str,
        program: Program,
        inputs: Mapping[str, Sequence[float]],
        parameters: Sequence[float] = (),
    ) -> dict[str, NDArray]:
        """The outputs of the function of this name, which was made of the program."""
        given = [self._read(parameters)] if len(parameters) else []
        given += [inputs[argument.name] for argument in program.inputs]
        arrays = [np.ascontiguousarray(values, self._type) for values in given]
        results = {
            output.argument.name: np.full(output.argument.size, np.nan, self._type)
            for output in program.outputs
        }
        arguments = map(_pointer, [*arrays, *results.values()])
        self._loaded[f"{self.stem}_{name}"](*arguments)
        return results

    def _read(self, parameters: Sequence[float]) -> NDArray:
        """What functions read: parameters, or of a robot the constants made of them."""
        values = np.ascontiguousarray(parameters, self._type)
        if not self._constants:
            return values
        constants = np.full(self._constants, np.nan, self._type)
        self._loaded[f"{self.stem}_update_parameters"](_pointer(values), _pointer(constants))
        return constants


def _pointer(array: NDArray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
