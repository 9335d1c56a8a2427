"""Robots compiled to a library and called through its C interface."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.summary import FunctionSummary, Summary
from robcogen_ros.runtime.arguments import Shape, array_shape, size
from robcogen_ros.runtime.prepared import PreparedCalls
from robcogen_ros.runtime.threads import side_by_side

Array = NDArray[np.float64]
_Doubles = ctypes.POINTER(ctypes.c_double)
_Arrays = ctypes.POINTER(_Doubles)
_VERSION = 2
_FEW = 16
"""States that are copied together rather than read where they lie."""


class _Argument(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("rows", ctypes.c_size_t),
        ("columns", ctypes.c_size_t),
        ("optional", ctypes.c_int32),
    )


_OfParameters = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_Call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_CallMany = ctypes.CFUNCTYPE(
    None, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)


_CallStrided = ctypes.CFUNCTYPE(None, ctypes.c_size_t, *[ctypes.c_void_p] * 5)


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
        ("constant_count", ctypes.c_size_t),
        ("update_parameters", _OfParameters),
        ("body_count", ctypes.c_size_t),
        ("open_bodies", _OfParameters),
        ("strided", ctypes.POINTER(_CallStrided)),
    )


class _Compiled:
    """One compiled function.

    Attributes:
        operations: Operations of the usual call, by kind.
        few: Calls it for a few states.
    """

    def __init__(
        self, function: _Function, strided: Callable[..., None], summary: FunctionSummary
    ) -> None:
        self.operations = summary.operations
        self._run_strided = strided
        self._inputs = [(a.name, array_shape(a)) for a in summary.inputs]
        self._outputs = [(a.name, size(array_shape(a))) for a in summary.outputs]
        self.few = PreparedCalls(function.call_many, self._inputs, self._outputs)
        self._pointers = ctypes.c_void_p * len(self._inputs), ctypes.c_void_p * len(self._outputs)
        self._strides = ctypes.c_size_t * len(self._inputs), ctypes.c_size_t * len(self._outputs)

    def many(
        self, inputs: Mapping[str, Array], constants: Array, batch: Shape, threads: int
    ) -> dict[str, Array]:
        """A call for many states, which are read where they lie."""
        count = size(batch)
        rows = [self._rows(inputs.get(name), batch, shape) for name, shape in self._inputs]
        results = {name: np.empty((count, width)) for name, width in self._outputs}
        strides = [0 if row is None else row.strides[0] // 8 for row in rows]
        widths = [width for _, width in self._outputs]
        values = constants.ctypes.data if constants.size else None

        def run(first: int, last: int) -> None:
            given = [None if row is None else row[first:last].ctypes.data for row in rows]
            taken = [result[first:last].ctypes.data for result in results.values()]
            self._run_strided(
                last - first,
                values,
                self._pointers[0](*given),
                self._strides[0](*strides),
                self._pointers[1](*taken),
                self._strides[1](*widths),
            )

        side_by_side(run, count, threads)
        return results

    @staticmethod
    def _rows(array: Array | None, batch: Shape, shape: Shape) -> Array | None:
        """An argument as (count, size), copied only where a stride cannot tell where states are."""
        if array is None:
            return None
        whole = np.broadcast_to(array, (*batch, *shape))
        rows = whole.reshape(size(batch), size(shape))
        together = rows.strides[1] == 8 or rows.shape[1] <= 1
        if together and rows.strides[0] >= 0 and rows.strides[0] % 8 == 0 and rows.flags.aligned:
            return rows
        return np.ascontiguousarray(rows)


class CompiledEvaluator:
    """Calls a compiled robot; see `robcogen_ros.runtime.evaluator.Evaluator`."""

    def __init__(self, library: str | Path, symbol: str) -> None:
        """Load a library.

        Raises:
            RobcogenError: If it cannot be loaded, or is of another version of the interface.
        """
        self.library_path: str | None = str(library)
        self._model = _model(str(library), symbol)
        self.summary = Summary.from_json(self._model.summary.decode())
        by_name = {f.name: f for f in self.summary.functions}
        compiled = [self._model.functions[i] for i in range(self._model.function_count)]
        self._functions = {
            f.name.decode(): _Compiled(f, self._model.strided[i], by_name[f.name.decode()])
            for i, f in enumerate(compiled)
        }
        self.threads = 1

    def constants(self, parameters: Array) -> Array:
        """See Evaluator."""
        constants = np.empty(self._model.constant_count)
        self._model.update_parameters(parameters.ctypes.data, constants.ctypes.data)
        return constants

    def open_bodies(self, parameters: Array) -> Array:
        """See Evaluator."""
        inertias = np.empty((self._model.body_count, 7))
        self._model.open_bodies(parameters.ctypes.data, inertias.ctypes.data)
        return inertias

    def call(
        self, name: str, inputs: Mapping[str, Array], constants: Array, batch: Shape
    ) -> dict[str, Array]:
        """See Evaluator."""
        function = self._functions[name]
        if size(batch) <= _FEW:
            return function.few(inputs, constants, batch)
        return function.many(inputs, constants, batch, self.threads)

    def operations(self, name: str) -> dict[str, int]:
        """See Evaluator."""
        return dict(self._functions[name].operations)


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
