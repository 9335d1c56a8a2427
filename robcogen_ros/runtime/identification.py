"""Base parameters: the combinations of inertial parameters that forces tell about.

Of the regressor's columns some vanish and some are combinations of others, at every state (Gautier
1991, "Numerical calculation of the base inertial parameters of robots"). What is left is the least
set that identification can find.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.runtime.arguments import checked_array

Array = NDArray[np.float64]

PARAMETERS = ("m", "mcx", "mcy", "mcz", "ixx", "ixy", "ixz", "iyy", "iyz", "izz")
"""The inertial parameters of a link, about the origin and in the axes of its own frame."""

_TOLERANCE = 1e-8


@dataclass(frozen=True)
class BaseParameters:
    """A least set of parameters.

    Attributes:
        names: `<link>.<parameter>` of each column of the regressor.
        columns: The columns that are kept, (b,).
        grouping: (b, columns) matrix from all parameters to the base parameters.
    """

    names: tuple[str, ...]
    columns: NDArray[np.intp]
    grouping: Array

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.columns)

    def regressor(self, Y: ArrayLike) -> Array:
        """The columns of a regressor that are kept: `regressor(Y) @ values(parameters)` is tau."""
        kept: Array = checked_array("Y", Y, (len(self.names),))[..., self.columns]
        return kept

    def values(self, parameters: ArrayLike) -> Array:
        """The base parameters: (b,) [kg, kg m, kg m^2].

        Args:
            parameters: (links, 10) inertial parameters, as `inertial_parameters()` returns them.
        """
        links = len(self.names) // len(PARAMETERS)
        given = checked_array("parameters", parameters, (links, len(PARAMETERS)))
        values: Array = given.reshape(*given.shape[:-2], len(self.names)) @ self.grouping.T
        return values

    @property
    def described(self) -> tuple[str, ...]:
        """Each base parameter as a sum of parameters, such as `l2.ixx + 0.09 l3.m`."""
        return tuple(_sum(self.names, row) for row in self.grouping)


def base_parameters_of(Y: Array, links: Sequence[str]) -> BaseParameters:
    """The base parameters that regressors of many states tell; links near the base are kept.

    Args:
        Y: (rows, 10 links) regressors, one below the other.
        links: Names of the links.
    """
    names = tuple(f"{link}.{parameter}" for link in links for parameter in PARAMETERS)
    kept = _independent(Y)
    grouping: Array = np.asarray(np.linalg.lstsq(Y[:, kept], Y, rcond=None)[0], dtype=np.float64)
    grouping[np.abs(grouping) < _TOLERANCE] = 0.0
    return BaseParameters(names, np.array(kept, dtype=np.intp), grouping)


def _independent(Y: Array) -> list[int]:
    """Columns that are no combination of those before them, by orthogonalising twice."""
    largest = np.linalg.norm(Y, axis=0).max(initial=0.0)
    basis = np.zeros((0, len(Y)))
    kept = []
    for k, column in enumerate(Y.T):
        size = np.linalg.norm(column)
        rest = column - (basis @ column) @ basis
        rest = rest - (basis @ rest) @ basis
        left = np.linalg.norm(rest)
        if size > _TOLERANCE * largest and left > _TOLERANCE * size:
            kept.append(k)
            basis = np.vstack([basis, rest / left])
    return kept


def _sum(names: Sequence[str], row: Array) -> str:
    terms = []
    for k in np.flatnonzero(row).tolist():
        factor = float(row[k])
        size = "" if abs(abs(factor) - 1.0) < _TOLERANCE else f"{abs(factor):.6g} "
        terms.append(f"{'-' if factor < 0 else '+'} {size}{names[k]}")
    return " ".join(terms).removeprefix("+ ")
