"""Arrays in and out: shapes checked by name, leading batch dimensions brought together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.program.summary import ArgumentSummary, FunctionSummary

Array = NDArray[np.float64]
Shape = tuple[int, ...]


class Signature:
    """The shapes of a function's arguments and results.

    Attributes:
        shapes: For each input, the shape of its array: (rows,) or (columns, rows).
        outputs: The function's outputs.
    """

    def __init__(self, function: FunctionSummary) -> None:
        self.shapes = {a.name: array_shape(a) for a in function.inputs}
        self.outputs = function.outputs

    def checked(self, arguments: Mapping[str, ArrayLike | None]) -> tuple[dict[str, Array], Shape]:
        """The arguments that are given, as arrays, and the batch shape they have in common.

        Raises:
            ValueError: If an argument has the wrong shape, or the batches do not fit together.
        """
        arrays, leading = {}, {}
        for name, value in arguments.items():
            if value is not None:
                shape = self.shapes[name]
                array = arrays[name] = checked_array(name, value, shape)
                leading[name] = array.shape[: array.ndim - len(shape)]
        batch = next(iter(leading.values()), ())
        if all(shape == batch for shape in leading.values()):
            return arrays, batch
        try:
            return arrays, np.broadcast_shapes(*leading.values())
        except ValueError:
            listed = ", ".join(f"{name} {shape}" for name, shape in leading.items())
            raise ValueError(f"leading dimensions do not fit together: {listed}") from None

    def shaped(self, results: Mapping[str, Array], batch: Shape) -> dict[str, Array]:
        """Results given as (count, size), each in its own shape: batch, rows, columns."""
        return {a.name: _shaped(results[a.name], batch, a) for a in self.outputs}


def array_shape(argument: ArgumentSummary) -> Shape:
    """Shape of the array for an argument; a column-major matrix is given by its columns."""
    return (argument.rows,) if argument.columns is None else (argument.columns, argument.rows)


def size(shape: Shape) -> int:
    """Number of values of an array."""
    return math.prod(shape)


def checked_array(name: str, value: ArrayLike, shape: Shape) -> Array:
    """An argument as an array of a shape after leading dimensions.

    Raises:
        ValueError: If it is none.
    """
    try:
        array: Array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: expected numbers of shape {_text(shape)}") from None
    if array.shape != shape and array.shape[max(0, array.ndim - len(shape)) :] != shape:
        raise ValueError(f"{name}: expected shape {_text(shape)}, found {array.shape}")
    return array


def _text(shape: Shape) -> str:
    return f"(..., {', '.join(map(str, shape))})"


def _shaped(array: Array, batch: Shape, argument: ArgumentSummary) -> Any:
    if argument.scalar:
        return array.reshape(batch)
    if argument.columns is None:
        return array.reshape(*batch, argument.rows)
    columns = array.reshape(*batch, argument.columns, argument.rows)
    return columns.swapaxes(-1, -2)
