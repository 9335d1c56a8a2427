"""Robots whose programs are evaluated by the interpreter: ready at once, without a compiler."""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.backends.program.graph import PARAMETERS, graph_of
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.garbage_collection import rare_collections
from robcogen_ros.program.library import Library
from robcogen_ros.program.program import Program
from robcogen_ros.runtime.arguments import Shape, size
from robcogen_ros.runtime.compiling.prepared import PreparedCalls
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.evaluators.interpreter import Code, interpreter
from robcogen_ros.runtime.evaluators.threads import in_threads

Array = NDArray[np.float64]

_FEW = 16
"""States that are copied together rather than read where they lie."""


class InterpretedEvaluator(NumpyEvaluator):
    """Evaluates programs, each made when it is first called. See Evaluator.

    Where there is no interpreter NumPy stands for it, with a warning.
    """

    def __init__(self, library: Library) -> None:
        super().__init__(library)
        self._forms: dict[tuple[str, bool], _Form] = {}
        try:
            self._interpreter: ctypes.CDLL | None = interpreter()
        except RobcogenError as error:
            self._interpreter = None
            warnings.warn(f"NumPy stands for the interpreter: {error}", stacklevel=4)

    def call(
        self, name: str, inputs: Mapping[str, Array], constants: Array, batch: Shape
    ) -> dict[str, Array]:
        """Calls a function and returns its results by name."""
        if self._interpreter is None:
            return super().call(name, inputs, constants, batch)
        function = self._library.function(name)
        usual = not any(a.optional and a.name in inputs for a in function.inputs)
        form = self._forms.get((name, usual)) or self._make(name, usual)
        return form.call(inputs, constants, batch, self.threads)

    @rare_collections()
    def _make(self, name: str, usual: bool) -> _Form:
        entry = self._library.entry(name)
        program = entry.fastest if usual else entry.general
        parameters = tuple(parameter.name for parameter in self.summary.parameters)
        assert self._interpreter is not None
        code = Code(self._interpreter, graph_of(program, parameters))
        form = self._forms[name, usual] = _Form(code, program, self._shapes[name])
        return form


class _Form:
    """One program: of a function, with or without its optional arguments."""

    def __init__(self, code: Code, program: Program, shapes: Mapping[str, Shape]) -> None:
        self._code = code
        self._left_out = {
            a.name: np.array([float(x) for x in a.values_left_out]).reshape(shapes[a.name])
            for a in program.inputs
            if a.optional
        }
        named = code.arguments
        self._inputs = [(n, (width,) if n == PARAMETERS else shapes[n]) for n, width in named]
        self._few = PreparedCalls(self._run_few, self._inputs, code.results)
        self._strides, self._widths = (_sizes(n for _, n in each) for each in (named, code.results))

    def call(
        self, given: Mapping[str, Array], constants: Array, batch: Shape, threads: int
    ) -> dict[str, Array]:
        inputs = {**self._left_out, **given}
        if constants.size:
            inputs[PARAMETERS] = constants
        if size(batch) <= _FEW:
            return self._few(inputs, constants, batch)
        return self._many(inputs, batch, threads)

    def _run_few(self, count: int, constants: object, inputs: object, outputs: object) -> None:
        if count == 1:
            self._code.run(inputs, outputs)
        else:
            self._code.run_many(count, inputs, self._strides, outputs, self._widths)

    def _many(self, inputs: Mapping[str, Array], batch: Shape, threads: int) -> dict[str, Array]:
        """Results for many states; what they have in common is read where it lies."""
        count = size(batch)
        rows, strides = [], []
        for name, shape in self._inputs:
            each, common = inputs[name], inputs[name].ndim == len(shape)
            whole = each if common else np.broadcast_to(each, (*batch, *shape))
            rows.append(np.ascontiguousarray(whole))
            strides.append(0 if common else size(shape))
        results = {name: np.empty((count, width)) for name, width in self._code.results}
        steps = _sizes(strides)

        def run(first: int, last: int) -> None:
            given = addresses(rows, strides, first)
            taken = addresses(results.values(), self._widths, first)
            self._code.run_many(last - first, given, steps, taken, self._widths)

        in_threads(run, count, threads)
        return results


def addresses(
    arrays: Iterable[Array], strides: Iterable[int], first: int
) -> ctypes.Array[ctypes.c_void_p]:
    """Returns the addresses of a state's numbers."""
    found = [a.ctypes.data + 8 * n * first for a, n in zip(arrays, strides, strict=True)]
    return (ctypes.c_void_p * len(found))(*found)


def _sizes(values: Iterable[int]) -> ctypes.Array[ctypes.c_size_t]:
    listed = list(values)
    return (ctypes.c_size_t * len(listed))(*listed)
