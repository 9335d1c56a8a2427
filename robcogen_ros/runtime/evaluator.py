"""Who computes a robot's functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library, default, operation_counts
from robcogen_ros.program.summary import Summary, summarise

Array = NDArray[np.float64]


class Evaluator(Protocol):
    """Computes functions on batches of states.

    Attributes:
        summary: The robot.
        library_path: The compiled library, if there is one.
    """

    summary: Summary
    library_path: str | None

    def call(
        self, name: str, inputs: Mapping[str, Array], parameters: Array, count: int
    ) -> dict[str, Array]:
        """Outputs of a function, each (count, size).

        Args:
            name: The function.
            inputs: For each input that is given, its values: (count, size).
            parameters: Values of the robot's parameters, in their order.
            count: Number of states.
        """

    def operations(self, name: str) -> dict[str, int]:
        """How many operations of each kind the usual call of a function does."""


class NumpyEvaluator:
    """Interprets the programs; needs no compiler."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.summary = summarise(library, counted=False)
        self.library_path: str | None = None

    def call(
        self, name: str, inputs: Mapping[str, Array], parameters: Array, count: int
    ) -> dict[str, Array]:
        """See Evaluator."""
        entry = self._library.entry(name)
        usual = not any(a.optional and a.name in inputs for a in entry.function.inputs)
        program = entry.fastest if usual else entry.general
        values = {
            argument.name: list(inputs[argument.name].T)
            if argument.name in inputs
            else [float(x) for x in default(argument)]
            for argument in program.inputs
        }
        names = [parameter.name for parameter in self.summary.parameters]
        results = interpret(program, values, dict(zip(names, parameters, strict=True)))
        return {
            output: np.stack([np.broadcast_to(x, (count,)) for x in entries], axis=-1)
            if entries
            else np.zeros((count, 0))
            for output, entries in results.items()
        }

    def operations(self, name: str) -> dict[str, int]:
        """See Evaluator."""
        return operation_counts(self._library.entry(name).fastest)
