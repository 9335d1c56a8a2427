"""Evaluators, which compute a robot's functions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.program.choose import operation_counts
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from robcogen_ros.program.summary import Summary, summarise
from robcogen_ros.runtime.arguments import Shape, array_shape, size
from robcogen_ros.runtime.compiling.modules import module
from robcogen_ros.runtime.evaluators.called_model import CalledModel

Array = NDArray[np.float64]


class Evaluator(Protocol):
    """Computes functions on batches of states.

    Attributes:
        summary: The robot.
        library_path: The compiled library, if there is one.
        threads: How many threads may share the states of a call.
        wanted: Where the functions that it has were asked for, as the user writes it.

    Copies are the same one; pickled ones are made again of the model and the options.
    """

    summary: Summary
    library_path: str | None
    threads: int
    wanted: str

    @property
    def model_address(self) -> int | None:
        """The address of its `robcogen_model` with all tables of version 4; None without one."""

    def constants(self, parameters: Array) -> Array:
        """Returns the constants of functions, of the robot's parameters in their order."""

    def open_bodies(self, parameters: Array) -> Array:
        """Inertias of the bodies that depend on parameters, (bodies, 7).

        Each is the mass, then ixx, ixy, ixz, iyy, iyz, izz about the center of mass.
        """

    def call(
        self, name: str, inputs: Mapping[str, Array], constants: Array, batch: Shape
    ) -> dict[str, Array]:
        """Outputs of a function, each (count, size) for the count of states in the batch.

        Args:
            name: The function.
            inputs: The inputs that are given, each of its own shape after leading dimensions that
                broadcast to the batch.
            constants: What the functions need of the robot's parameters.
            batch: Shape of the batch.
        """

    def operations(self, name: str) -> dict[str, int]:
        """Returns the operations of a function's usual call, by kind."""

    def module(self, language: str, name: str) -> str:
        """Text of a module that makes CasADi functions, of this one at least, or a page to read.

        Args:
            language: `casadi`, or a language of pages.
            name: The function.

        Raises:
            RobcogenError: If there is none.
        """


class NumpyEvaluator:
    """Interprets the programs; needs no compiler. See Evaluator."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.summary = summarise(library, counted=False)
        self.library_path: str | None = None
        self.threads = 1
        self.wanted = "functions="
        self._shapes = {
            f.name: {a.name: array_shape(a) for a in f.inputs} for f in self.summary.functions
        }

    @cached_property
    def _called(self) -> CalledModel:
        return CalledModel(self)

    @property
    def model_address(self) -> int | None:
        """The address of a `robcogen_model` that calls this evaluator."""
        return self._called.address

    def __reduce__(self) -> tuple[type[NumpyEvaluator], tuple[Library], dict[str, int]]:
        return type(self), (self._library,), {"threads": self.threads}

    def __deepcopy__(self, memo: object) -> NumpyEvaluator:
        return self

    def constants(self, parameters: Array) -> Array:
        """The parameters: programs as they are traced read these."""
        return parameters

    def open_bodies(self, parameters: Array) -> Array:
        """Returns the inertias (bodies, 7) of bodies that depend on parameters."""
        entries = interpret(self._library.open_bodies, {}, self._by_name(parameters))["inertias"]
        return np.reshape(np.array(entries, dtype=np.float64), (-1, 7))

    def call(
        self, name: str, inputs: Mapping[str, Array], constants: Array, batch: Shape
    ) -> dict[str, Array]:
        """Calls a function and returns its results by name."""
        entry = self._library.entry(name)
        usual = not any(a.optional and a.name in inputs for a in entry.function.inputs)
        program = entry.fastest if usual else entry.general
        count = size(batch)
        values = {
            a.name: self._entries(name, a.name, inputs[a.name], batch)
            if a.name in inputs
            else [float(x) for x in a.values_left_out]
            for a in program.inputs
        }
        results = interpret(program, values, self._by_name(constants))
        return {output: _joined(entries, count) for output, entries in results.items()}

    def operations(self, name: str) -> dict[str, int]:
        """Returns the operations of a function's usual call, by kind."""
        return operation_counts(self._library.entry(name).fastest)

    def module(self, language: str, name: str) -> str:
        """Returns the text of a module in a language with this robot's functions."""
        return module(self._library, language, name)

    def _by_name(self, parameters: Array) -> dict[str, float]:
        names = (parameter.name for parameter in self.summary.parameters)
        return dict(zip(names, parameters.tolist(), strict=True))

    def _entries(self, function: str, name: str, array: Array, batch: Shape) -> list[Array]:
        """The entries of an input, each for all states."""
        shape = self._shapes[function][name]
        whole = np.broadcast_to(array, (*batch, *shape))
        return list(whole.reshape(size(batch), size(shape)).T)


def _joined(entries: list[Array], count: int) -> Array:
    if not entries:
        return np.zeros((count, 0))
    return np.stack([np.broadcast_to(entry, (count,)) for entry in entries], axis=-1)
