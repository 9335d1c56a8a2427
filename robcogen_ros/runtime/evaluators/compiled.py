"""Robots compiled to a library and called through its C interface."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.summary import FunctionSummary, Summary
from robcogen_ros.runtime.arguments import Shape, array_shape, size
from robcogen_ros.runtime.compiling.prepared import PreparedCalls
from robcogen_ros.runtime.evaluators.columns import empty_columns
from robcogen_ros.runtime.evaluators.threads import in_threads

Array = NDArray[np.float64]
_Doubles = ctypes.POINTER(ctypes.c_double)
_VERSIONS = (3, 4)
_FEW = 16
"""States that are copied together rather than read where they lie."""


class CArgument(ctypes.Structure):
    """An input or output, see `robcogen_ros/model.h`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("rows", ctypes.c_size_t),
        ("columns", ctypes.c_size_t),
        ("optional", ctypes.c_int32),
    )


OfParameters = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_Call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_CallMany = ctypes.CFUNCTYPE(
    None, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)


_CallLaidOut = ctypes.CFUNCTYPE(None, ctypes.c_size_t, *[ctypes.c_void_p] * 5)


class _Layout(ctypes.Structure):
    _fields_ = (("stride", ctypes.c_size_t), ("step", ctypes.c_size_t))


class CFunction(ctypes.Structure):
    """A function, see `robcogen_ros/model.h`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("input_count", ctypes.c_size_t),
        ("inputs", ctypes.POINTER(CArgument)),
        ("output_count", ctypes.c_size_t),
        ("outputs", ctypes.POINTER(CArgument)),
        ("call", _Call),
        ("call_many", _CallMany),
    )


class CTables(ctypes.Structure):
    """Tables that a robot has from version 4 on, see `robcogen_ros/model.h`."""

    _fields_ = (
        ("context", ctypes.c_void_p),
        ("calls", ctypes.c_void_p),
        ("lower_limits", ctypes.c_void_p),
        ("upper_limits", ctypes.c_void_p),
        ("velocity_limits", ctypes.c_void_p),
        ("effort_limits", ctypes.c_void_p),
        ("damping", ctypes.c_void_p),
        ("friction", ctypes.c_void_p),
        ("damping_in_dynamics", ctypes.c_int32),
        ("friction_in_dynamics", ctypes.c_int32),
        ("moving_joint_count", ctypes.c_size_t),
        ("joint_parents", ctypes.c_void_p),
        ("joint_coordinates", ctypes.c_void_p),
        ("joint_multipliers", ctypes.c_void_p),
        ("frame_links", ctypes.c_void_p),
        ("contact_count", ctypes.c_size_t),
        ("contact_names", ctypes.c_void_p),
        ("contact_frames", ctypes.c_void_p),
        ("contact_rows", ctypes.c_void_p),
        ("continuous", ctypes.c_void_p),
        ("moving_joint_names", ctypes.c_void_p),
        ("motor_count", ctypes.c_size_t),
        ("motor_joints", ctypes.c_void_p),
        ("gears", ctypes.c_void_p),
        ("motor_velocity_limits", ctypes.c_void_p),
        ("motor_effort_limits", ctypes.c_void_p),
    )


class CModel(ctypes.Structure):
    """A robot, see `robcogen_ros/model.h`."""

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
        ("functions", ctypes.POINTER(CFunction)),
        ("summary", ctypes.c_char_p),
        ("constant_count", ctypes.c_size_t),
        ("update_parameters", OfParameters),
        ("body_count", ctypes.c_size_t),
        ("open_bodies", OfParameters),
        ("strided", ctypes.c_void_p),
        ("laid_out", ctypes.POINTER(_CallLaidOut)),
        ("tables", CTables),
    )


class _Compiled:
    """One compiled function.

    Attributes:
        operations: Operations of the usual call, by kind.
        few: Calls it for a few states.
    """

    def __init__(
        self, function: CFunction, laid_out: Callable[..., None], summary: FunctionSummary
    ) -> None:
        self.operations = summary.operations
        self._run = laid_out
        self._inputs = [(a.name, array_shape(a)) for a in summary.inputs]
        self._outputs = [(a.name, size(array_shape(a))) for a in summary.outputs]
        self.few = PreparedCalls(function.call_many, self._inputs, self._outputs)
        self._pointers = ctypes.c_void_p * len(self._inputs), ctypes.c_void_p * len(self._outputs)
        self._layouts = _Layout * len(self._inputs), _Layout * len(self._outputs)

    def many(
        self, inputs: Mapping[str, Array], constants: Array, batch: Shape, threads: int
    ) -> dict[str, Array]:
        """A call for many states, which are read where they lie.

        Results lie as the states do: in columns if each number of all states is together.
        """
        count = size(batch)
        rows = [_rows(inputs.get(name), batch, shape) for name, shape in self._inputs]
        in_columns = _in_columns(row for row in rows if row is not None)
        room = empty_columns if in_columns else _empty_rows
        results = {name: room(count, width) for name, width in self._outputs}
        given_layouts = self._layouts[0](*map(_layout, rows))
        taken_layouts = self._layouts[1](*map(_layout, results.values()))
        values = constants.ctypes.data if constants.size else None

        def run(first: int, last: int) -> None:
            given = [None if row is None else row[first:last].ctypes.data for row in rows]
            taken = [result[first:last].ctypes.data for result in results.values()]
            self._run(
                last - first,
                values,
                self._pointers[0](*given),
                given_layouts,
                self._pointers[1](*taken),
                taken_layouts,
            )

        in_threads(run, count, threads)
        return results


def _empty_rows(count: int, width: int) -> Array:
    return np.empty((count, width))


def _rows(array: Array | None, batch: Shape, shape: Shape) -> Array | None:
    """An argument as (count, size), copied only where a layout cannot tell where numbers are."""
    if array is None:
        return None
    whole = np.broadcast_to(array, (*batch, *shape))
    rows = whole.reshape(size(batch), size(shape))
    told = all(stride >= 0 and stride % 8 == 0 for stride in rows.strides)
    return rows if told and rows.flags.aligned else np.ascontiguousarray(rows)


def _layout(rows: Array | None) -> _Layout:
    """Numbers from a state to the next, and from a number of a state to its next."""
    return _Layout(0, 1) if rows is None else _Layout(*(stride // 8 for stride in rows.strides))


def _in_columns(arguments: Iterable[Array]) -> bool:
    """Returns True if each number of all states is together in all arguments of many states."""
    own = [rows.strides for rows in arguments if rows.strides[0] and rows.shape[1] > 1]
    return bool(own) and all(stride == 8 < step for stride, step in own)


class CompiledEvaluator:
    """Calls a compiled robot; see `robcogen_ros.runtime.evaluators.evaluator.Evaluator`."""

    def __init__(
        self,
        library: str | Path,
        symbol: str,
        again: Callable[[], CompiledEvaluator],
        wanted: str,
        module: Callable[[str, str], str],
    ) -> None:
        """Loads a library.

        Args:
            library: The file.
            symbol: The function in it that tells of the robot.
            again: What loads it in another process; it can be pickled.
            wanted: See Evaluator.
            module: See Evaluator.

        Raises:
            RobcogenError: If it cannot be loaded, or is of another version of the interface.
        """
        self.library_path: str | None = str(library)
        self._model = _model(str(library), symbol)
        has_tables = self._model.size >= ctypes.sizeof(CModel)
        self.model_address = ctypes.addressof(self._model) if has_tables else None
        self.summary = Summary.from_json(self._model.summary.decode())
        by_name = {f.name: f for f in self.summary.functions}
        compiled = [self._model.functions[i] for i in range(self._model.function_count)]
        self._functions = {
            f.name.decode(): _Compiled(f, self._model.laid_out[i], by_name[f.name.decode()])
            for i, f in enumerate(compiled)
        }
        self.threads = 1
        self.wanted = wanted
        self.module = module
        self._again = again

    def __reduce__(
        self,
    ) -> tuple[Callable[[], CompiledEvaluator], tuple[()], dict[str, int]]:
        return self._again, (), {"threads": self.threads}

    def __deepcopy__(self, memo: object) -> CompiledEvaluator:
        return self

    def constants(self, parameters: Array) -> Array:
        """Returns the constants of functions, of the robot's parameters in their order."""
        constants = np.empty(self._model.constant_count)
        self._model.update_parameters(parameters.ctypes.data, constants.ctypes.data)
        return constants

    def open_bodies(self, parameters: Array) -> Array:
        """Returns the inertias (bodies, 7) of bodies that depend on parameters."""
        inertias = np.empty((self._model.body_count, 7))
        self._model.open_bodies(parameters.ctypes.data, inertias.ctypes.data)
        return inertias

    def call(
        self, name: str, inputs: Mapping[str, Array], constants: Array, batch: Shape
    ) -> dict[str, Array]:
        """Calls a function and returns its results by name."""
        function = self._functions[name]
        if size(batch) <= _FEW:
            return function.few(inputs, constants, batch)
        return function.many(inputs, constants, batch, self.threads)

    def operations(self, name: str) -> dict[str, int]:
        """Returns the operations of a function's usual call, by kind."""
        return dict(self._functions[name].operations)


def _model(library: str, symbol: str) -> CModel:
    try:
        accessor = getattr(ctypes.CDLL(library), symbol)
    except (OSError, AttributeError) as error:
        raise RobcogenError(f"cannot load robot library {library}: {error}") from None
    accessor.restype = ctypes.POINTER(CModel)
    accessor.argtypes = ()
    model: CModel = accessor().contents
    if model.version not in _VERSIONS or model.size < CModel.tables.offset:
        raise RobcogenError(
            f"robot library {library} was made by another version of robcogen_ros "
            f"(interface {model.version}, expected {_VERSIONS[-1]}); build it again"
        )
    return model
