"""Arithmetics with more digits than doubles have."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.scalars import number

Array = NDArray[Any]


@dataclass(frozen=True)
class Digits:
    """An arithmetic of NumPy arrays.

    Attributes:
        type: Type of the entries.
        of: An entry from a number of the model or of a state.
        sin: Sine of each entry.
        cos: Cosine of each entry.
        slope: Derivative, at zero, of a function of a number.
    """

    type: Any
    of: Callable[[Decimal], Any]
    sin: Callable[[Array], Array]
    cos: Callable[[Array], Array]
    slope: Callable[[Callable[[Any], Array]], Array]

    def array(self, values: Any) -> Array:
        """An array of constants or of doubles, entry by entry."""
        entries = np.array(values, dtype=object)
        exact = [self.of(_decimal(value)) for value in entries.ravel()]
        return np.array(exact, dtype=self.type).reshape(entries.shape)


def _slope_by_imaginary_step(function: Callable[[Any], Array]) -> Array:
    """The imaginary part of a step (Squire, Trapp 1998): nothing is subtracted, nothing cancels."""
    step = np.longdouble("1e-40")
    return np.asarray(np.imag(function(np.clongdouble(1j) * step)) / step)


def _slope_by_difference(function: Callable[[Any], Array]) -> Array:
    """A central difference; of 50 digits 30 remain."""
    step = Decimal("1e-15")
    return np.asarray((function(step) - function(-step)) / (2 * step))


NINETEEN = Digits(
    np.longdouble, lambda x: np.longdouble(str(x)), np.sin, np.cos, _slope_by_imaginary_step
)
"""The longest floats of this machine."""

FIFTY = Digits(
    object,
    lambda x: x,
    lambda x: np.frompyfunc(number.sin, 1, 1)(x),
    lambda x: np.frompyfunc(number.cos, 1, 1)(x),
    _slope_by_difference,
)
"""Decimal numbers of 50 digits."""


def fifty_digits() -> AbstractContextManager[Context]:
    """Where decimal numbers are computed with 50 digits."""
    return localcontext(Context(prec=50))


def _decimal(value: Any) -> Decimal:
    """The number that a constant of the model stands for; of a double its exact value."""
    constant = getattr(value, "value", value)
    return constant if isinstance(constant, Decimal) else Decimal(float(constant))
