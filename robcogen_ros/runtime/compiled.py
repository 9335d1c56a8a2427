"""Robots compiled to a library and called through its C interface."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.summary import Summary

Array = NDArray[np.float64]
_Doubles = ctypes.POINTER(ctypes.c_double)
_Arrays = ctypes.POINTER(_Doubles)
_VERSION = 1


class _Argument(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("rows", ctypes.c_size_t),
        ("columns", ctypes.c_size_t),
        ("optional", ctypes.c_int32),
    )


_Call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_CallMany = ctypes.CFUNCTYPE(
    None, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)


class _Function(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("input_count", ctypes.c_size_t),
        ("inputs", ctypes.POINTER(_Argument)),
        ("output_count", ctypes.c_size_t),
        ("outputs", ctypes.POINTER(_Argument)),
        ("call", _Call),
        ("call_many", _CallMany),
    )


class _Model(ctypes.Structure):
    _fields_ = (
        ("size", ctypes.c_uint32),
        ("version", ctypes.c_uint32),
        ("name", ctypes.c_char_p),
        ("floating_base", ctypes.c_int32),
        ("joint_count", ctypes.c_size_t),
        ("joint_names", ctypes.c_void_p),
        ("link_count", ctypes.c_size_t),
        ("link_names", ctypes.c_void_p),
        ("frame_count", ctypes.c_size_t),
        ("frame_names", ctypes.c_void_p),
        ("parameter_count", ctypes.c_size_t),
        ("parameter_names", ctypes.c_void_p),
        ("parameter_defaults", ctypes.c_void_p),
        ("function_count", ctypes.c_size_t),
        ("functions", ctypes.POINTER(_Function)),
        ("summary", ctypes.c_char_p),
    )


class CompiledEvaluator:
    """Calls a compiled robot; see `robcogen_ros.runtime.evaluator.Evaluator`."""

    def __init__(self, library: str | Path, symbol: str) -> None:
        """Load a library.

        Raises:
            RobcogenError: If it cannot be loaded, or is of another version of the interface.
        """
        self.library_path: str | None = str(library)
        model = _model(str(library), symbol)
        self.summary = Summary.from_json(model.summary.decode())
        self._model = model
        self._functions = {
            model.functions[i].name.decode(): model.functions[i]
            for i in range(model.function_count)
        }

    def call(
        self, name: str, inputs: Mapping[str, Array], parameters: Array, count: int
    ) -> dict[str, Array]:
        """See Evaluator."""
        function = self._functions[name]
        given = (ctypes.c_void_p * function.input_count)()
        for i in range(function.input_count):
            array = inputs.get(function.inputs[i].name.decode())
            given[i] = None if array is None else array.ctypes.data
        results = {}
        taken = (ctypes.c_void_p * function.output_count)()
        for i in range(function.output_count):
            output = function.outputs[i]
            array = np.empty((count, output.rows * output.columns))
            results[output.name.decode()] = array
            taken[i] = array.ctypes.data
        values = parameters.ctypes.data if parameters.size else None
        function.call_many(count, values, given, taken)
        return results

    def operations(self, name: str) -> dict[str, int]:
        """See Evaluator."""
        return next(dict(f.operations) for f in self.summary.functions if f.name == name)


def _model(library: str, symbol: str) -> _Model:
    try:
        accessor = getattr(ctypes.CDLL(library), symbol)
    except (OSError, AttributeError) as error:
        raise RobcogenError(f"cannot load robot library {library}: {error}") from None
    accessor.restype = ctypes.POINTER(_Model)
    accessor.argtypes = ()
    model: _Model = accessor().contents
    if model.version != _VERSION or model.size < ctypes.sizeof(_Model):
        raise RobcogenError(
            f"robot library {library} was made by another version of robcogen_ros "
            f"(interface {model.version}, expected {_VERSION}); build it again"
        )
    return model
