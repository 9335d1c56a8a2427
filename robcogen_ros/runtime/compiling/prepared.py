"""Calls of compiled functions for a few states, as loops make them again and again."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.runtime.arguments import Shape, size

Array = NDArray[np.float64]

_KEPT = 64
"""Kinds of calls that memory is kept for."""


class PreparedCalls:
    """Calls of one function, each kind of call with arguments and results in memory of its own.

    What is the same each time, where in the memory things lie and the pointers to it, is made once.
    Several threads may call: each takes memory that no other has.
    """

    def __init__(
        self,
        run: Callable[..., None],
        inputs: Sequence[tuple[str, Shape]],
        outputs: Sequence[tuple[str, int]],
    ) -> None:
        """Prepares nothing yet.

        Args:
            run: The function: count of states, constants, addresses of inputs, of outputs.
            inputs: Names and shapes of all inputs.
            outputs: Names and sizes of the outputs.
        """
        self._run = run
        self._inputs = inputs
        self._outputs = outputs
        self._idle: dict[tuple[object, ...], list[_Memory]] = {}

    def __call__(
        self, inputs: Mapping[str, Array], constants: Array, batch: Shape
    ) -> dict[str, Array]:
        """Results of a call for the states of a batch, each (count, size).

        Args:
            inputs: The inputs that are given; their leading dimensions broadcast to the batch.
            constants: What the function needs of the robot's parameters.
            batch: Shape of the batch.
        """
        kind = (batch, *inputs)
        try:
            memory = self._idle[kind].pop()
        except (KeyError, IndexError):
            memory = _Memory(self._inputs, self._outputs, tuple(inputs), batch)
        for place, array in zip(memory.inputs, inputs.values(), strict=True):
            place[...] = array
        values = constants.ctypes.data if constants.size else None
        self._run(memory.count, values, *memory.addresses)
        results = memory.results()
        if len(self._idle) >= _KEPT:
            self._idle.clear()
        self._idle.setdefault(kind, []).append(memory)
        return results


class _Memory:
    """Memory of one kind of call.

    Attributes:
        count: Number of states.
        inputs: Where the given inputs go, in the order they are given in.
        addresses: Of the list of inputs and of the list of outputs.
    """

    def __init__(
        self,
        inputs: Sequence[tuple[str, Shape]],
        outputs: Sequence[tuple[str, int]],
        given: Sequence[str],
        batch: Shape,
    ) -> None:
        self.count = count = size(batch)
        shapes = dict(inputs)
        places = {name: np.zeros((*batch, *shapes[name])) for name in given}
        self.inputs = list(places.values())
        self._outputs = np.empty(count * sum(width for _, width in outputs))
        self._widths = outputs
        taken, position = [], 0
        for _, width in outputs:
            taken.append(self._outputs.ctypes.data + 8 * position)
            position += count * width
        of_inputs = _addresses(places[n].ctypes.data if n in places else None for n, _ in inputs)
        self._pointers = of_inputs, _addresses(taken)
        self.addresses = tuple(ctypes.addressof(pointers) for pointers in self._pointers)

    def results(self) -> dict[str, Array]:
        """Returns the results of the call, in memory of the caller's."""
        all_results, count, position = self._outputs.copy(), self.count, 0
        results = {}
        for name, width in self._widths:
            end = position + count * width
            results[name] = all_results[position:end].reshape(count, width)
            position = end
        return results


def _addresses(values: Iterable[int | None]) -> ctypes.Array[ctypes.c_void_p]:
    listed = list(values)
    return (ctypes.c_void_p * len(listed))(*listed)
