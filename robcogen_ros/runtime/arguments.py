"""Arrays in and out: checked by name, leading batch dimensions brought together."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from importlib import import_module
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.contacts import Contact, numbers
from robcogen_ros.model.names import nearest
from robcogen_ros.parameters.table import table
from robcogen_ros.program.summary import ArgumentSummary, FunctionSummary

Array = NDArray[np.float64]
Shape = tuple[int, ...]

_DOUBLE = np.dtype(np.float64)
_KINDS = {
    "c": "complex numbers",
    "O": "objects",
    "U": "text",
    "S": "bytes",
    "M": "dates",
    "m": "durations",
}
"""Things other than real numbers that arrays hold, by NumPy's letters."""


class Signature:
    """The shapes of a function's arguments and results.

    Attributes:
        shapes: For each input, the shape of its array: (rows,), of a matrix (rows, columns), of
            several vectors (columns, rows).
        outputs: The function's outputs.
    """

    def __init__(self, function: FunctionSummary) -> None:
        self._matrices = frozenset(a.name for a in function.inputs if a.matrix)
        self.shapes = {a.name: array_shape(a)[:: -1 if a.matrix else 1] for a in function.inputs}
        self._name = function.name
        self._optional = frozenset(a.name for a in function.inputs if a.optional)
        self._required = frozenset(self.shapes.keys() - self._optional)
        self.outputs = function.outputs

    def checked(
        self,
        arguments: Mapping[str, ArrayLike | None],
        as_array: Callable[[str, Any, Shape], Any] | None = None,
    ) -> tuple[dict[str, Array], Shape]:
        """The arguments that are given, as arrays, and the batch shape they have in common.

        Arrays of matrices are those of their columns then.

        Args:
            arguments: Them, by name.
            as_array: What makes an argument an array, in place of `checked_array`.

        Raises:
            TypeError: If an argument holds no real numbers.
            ValueError: If an argument has the wrong shape, or the batches do not fit together.
        """
        arrays, leading = {}, {}
        as_array = as_array or checked_array
        for name, value in arguments.items():
            if value is not None or name not in self._optional:
                shape = self.shapes[name]
                array = arrays[name] = as_array(name, value, shape)
                if array.shape != shape:
                    leading[name] = array.shape[: array.ndim - len(shape)]
                if name in self._matrices:
                    arrays[name] = array.swapaxes(-1, -2)
        return arrays, common_batch(leading) if leading else ()

    def named(self, arguments: Mapping[str, ArrayLike | None]) -> None:
        """Checks that these are names of arguments, and that none is missing.

        Raises:
            TypeError: If not.
        """
        if self._required <= arguments.keys() <= self.shapes.keys():
            return
        listed = ", ".join(f"{name} {_text(shape)}" for name, shape in self.shapes.items())
        for name in self._required - arguments.keys():
            raise TypeError(f"{name}: {self._name} needs this argument; it has {listed}")
        for name in arguments.keys() - self.shapes.keys():
            raise TypeError(f"{name}: {self._name} has no such argument; it has {listed}")

    def shaped(self, results: Mapping[str, Array], batch: Shape) -> dict[str, Array]:
        """Results given as (count, size), each in its own shape: batch, rows, columns."""
        return {a.name: _shaped(results[a.name], batch, a) for a in self.outputs}


def common_batch(leading: Mapping[str, Shape]) -> Shape:
    """The batch shape that the leading dimensions of arguments have in common.

    Raises:
        ValueError: If they do not fit together.
    """
    batch = next(iter(leading.values()), ())
    if all(shape == batch for shape in leading.values()):
        return batch
    try:
        return np.broadcast_shapes(*leading.values())
    except ValueError:
        listed = ", ".join(f"{name} {tuple(shape)}" for name, shape in leading.items())
        raise ValueError(f"leading dimensions do not fit together: {listed}") from None


def array_shape(argument: ArgumentSummary) -> Shape:
    """Shape of the array for an argument; a column-major matrix is given by its columns."""
    return (argument.rows,) if argument.columns is None else (argument.columns, argument.rows)


def size(shape: Shape) -> int:
    """Number of values of an array."""
    return math.prod(shape)


def checked_array(name: str, value: ArrayLike | None, shape: Shape) -> Array:
    """An argument as an array of a shape after leading dimensions.

    Raises:
        TypeError: If it holds no real numbers.
        ValueError: If it has another shape, or entries that are masked.
    """
    array: Array
    if type(value) is np.ndarray and value.dtype is _DOUBLE:
        array = value
    else:
        array = _numbers(name, value, shape)
    refuse_shape(name, array.shape, shape)
    return array


def refuse_shape(name: str, found: Shape, shape: Shape) -> None:
    """Refuses an argument of another shape after leading dimensions.

    Raises:
        ValueError: If it has one.
    """
    if found != shape and found[max(0, len(found) - len(shape)) :] != shape:
        raise ValueError(f"{name}: expected shape {_text(shape)}, found {found}")


def flags_of_names(name: str, given: Any, contacts: Sequence[Contact]) -> Any:
    """Returns 1 or 0 of each contact, where a list names some; what is no such list as it is.

    Raises:
        ValueError: If there is no contact of a name.
    """
    listed = isinstance(given, list | tuple) and given and all(isinstance(x, str) for x in given)
    if not listed:
        return given
    places, found = numbers(contacts), np.zeros(len(contacts))
    for contact in given:
        if contact not in places:
            known = ", ".join(each.name for each in contacts)
            near = nearest(contact, places)
            raise ValueError(f"{name}: unknown contact '{contact}'{near} (contacts: {known})")
        found[places[contact]] = 1.0
    return found


def refuse_no_flags(name: str, values: Array) -> None:
    """Refuses numbers that are neither 0 nor 1.

    Raises:
        ValueError: If there is one.
    """
    if not np.all((values == 0) | (values == 1)):
        raise ValueError(f"{name}: expected 0 and 1 only, found {values.tolist()}")


def namespace(array: Any) -> Any:
    """Returns the module with the functions for an array: NumPy, or another of the same names."""
    if isinstance(array, np.ndarray | np.generic):
        return np
    if hasattr(array, "__array_namespace__"):
        return array.__array_namespace__()
    return import_module(type(array).__module__.partition(".")[0])


def contiguous(array: Array) -> Array:
    """Returns an array of NumPy with its numbers together; those of other libraries as they are."""
    return np.ascontiguousarray(array) if isinstance(array, np.ndarray) else array


def checked_number(name: str, value: object) -> float:
    """An argument as a number, which may be NaN or infinite.

    Raises:
        TypeError: If it is none.
    """
    array = np.asarray(value) if isinstance(value, Real | Decimal | np.ndarray) else None
    if array is None or array.shape or array.dtype.kind not in "iufO":
        raise TypeError(f"{name}: expected a number, found {value!r}")
    return float(array)


def checked_count(name: str, value: int, least: int) -> int:
    """An argument as a whole number.

    Raises:
        TypeError: If it is none.
        ValueError: If it is too small.
    """
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, found {value!r}") from None
    if count < least:
        raise ValueError(f"{name}: expected {least} or more, found {count}")
    return count


def _numbers(name: str, value: ArrayLike | None, shape: Shape) -> Array:
    """The array of doubles for what is none yet."""
    try:
        array = np.asarray(value)
    except Exception:
        found = "what is no array of numbers"
        if "Tracer" in type(value).__name__:
            found = "what JAX traces, without numbers yet"
        elif type(value).__module__ == "torch":
            found = "a tensor that PyTorch differentiates or maps, which robcogen_ros.torch() takes"
        raise TypeError(f"{_expected(name, shape)}, found {found}") from None
    if array.dtype.kind not in "biuf" and not _real(array):
        kind = "None" if value is None else _KINDS.get(array.dtype.kind, "records")
        raise TypeError(f"{_expected(name, shape)}, found {kind} of shape {array.shape}")
    if array.ndim > 1 or not isinstance(value, list | tuple):
        _refuse_masked(name, value, shape)
    if array.dtype is _DOUBLE:
        return array
    try:
        return np.asarray(array, dtype=_DOUBLE)
    except (OverflowError, ValueError):
        raise ValueError(f"{_expected(name, shape)}, found numbers that are no doubles") from None


def _real(array: NDArray[Any]) -> bool:
    """Returns True if all objects of an array are real numbers, such as fractions and decimals."""
    return array.dtype == object and all(isinstance(x, Real | Decimal) for x in array.flat)


def _refuse_masked(name: str, value: object, shape: Shape) -> None:
    """Refuses arrays, and lists of arrays, of which entries are masked."""
    several = value if isinstance(value, list | tuple) else [value]
    if any(isinstance(one, np.ma.MaskedArray) and np.ma.is_masked(one) for one in several):
        raise ValueError(f"{_expected(name, shape)}, found entries that are masked")


def _expected(name: str, shape: Shape) -> str:
    return f"{name}: expected numbers of shape {_text(shape)}"


def _text(shape: Shape) -> str:
    return f"(..., {', '.join(map(str, shape))})" if shape else "(...)"


def _shaped(array: Array, batch: Shape, argument: ArgumentSummary) -> Any:
    if argument.scalar:
        return array.reshape(batch)
    if argument.columns is None:
        return array.reshape(*batch, argument.rows)
    columns = array.reshape(*batch, argument.columns, argument.rows)
    return columns.swapaxes(-1, -2)


def check_ranges(name: str, settings: Mapping[str, ArrayLike | None]) -> None:
    """Checks settings that have the names of numbers and flags in a table of parameters.

    Raises:
        RobcogenError: If one is out of its range, or no such number.
    """
    for parameter in table(name):
        value = settings.get(parameter.name)
        if value is not None and (parameter.numeric or parameter.type == "bool"):
            array = np.asarray(value)
            given = array.ravel().tolist() if parameter.type.endswith("_array") else array.item()
            flag = parameter.type == "bool" and given in (0, 1)
            if problem := None if flag else parameter.problem(given):
                raise RobcogenError(problem)
