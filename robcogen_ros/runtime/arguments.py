"""Arrays in and out: shapes checked by name, leading batch dimensions brought together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def batched(
    arguments: Mapping[str, ArrayLike], shapes: Mapping[str, tuple[int, ...]]
) -> tuple[dict[str, Array], tuple[int, ...]]:
    """Arguments as contiguous (batch, size) arrays, and the common batch shape.

    Raises:
        ValueError: If an argument has the wrong shape, or the batches do not fit together.
    """
    arrays = {name: _checked(name, value, shapes[name]) for name, value in arguments.items()}
    leading = {name: a.shape[: a.ndim - len(shapes[name])] for name, a in arrays.items()}
    try:
        batch = np.broadcast_shapes(*leading.values())
    except ValueError:
        listed = ", ".join(f"{name} {shape}" for name, shape in leading.items())
        raise ValueError(f"leading dimensions do not fit together: {listed}") from None
    flat = {}
    for name, array in arrays.items():
        wide = np.broadcast_to(array, (*batch, *shapes[name]))
        flat[name] = np.ascontiguousarray(wide).reshape(math.prod(batch), math.prod(shapes[name]))
    return flat, batch


def _checked(name: str, value: ArrayLike, shape: tuple[int, ...]) -> Array:
    try:
        array: Array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: expected numbers of shape {_text(shape)}") from None
    if array.ndim < len(shape) or array.shape[array.ndim - len(shape) :] != shape:
        raise ValueError(f"{name}: expected shape {_text(shape)}, found {array.shape}")
    return array


def _text(shape: tuple[int, ...]) -> str:
    return f"(..., {', '.join(map(str, shape))})"


def unflattened(array: Array, batch: tuple[int, ...], rows: int, columns: int | None) -> Any:
    """A (batch, size) result of column-major matrices, or of vectors, in its own shape."""
    if columns is None:
        return array.reshape(*batch, rows)
    return array.reshape(*batch, columns, rows).swapaxes(-1, -2).copy()
