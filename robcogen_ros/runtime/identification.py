"""Base parameters: the combinations of inertial parameters that forces tell about.

Of the regressor's columns some vanish and some are combinations of others, at every state (Gautier
1991, "Numerical calculation of the base inertial parameters of robots"). What is left is the least
set that identification can find.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.runtime.arguments import checked_array

Array = NDArray[np.float64]

PARAMETERS = ("m", "mcx", "mcy", "mcz", "ixx", "ixy", "ixz", "iyy", "iyz", "izz")
"""The inertial parameters of a link, about the origin and in the axes of its own frame."""

_TOLERANCE = 1e-8


def _sign(qd: Array) -> Array:
    return np.asarray((1000 * qd) / np.sqrt((1000 * qd) ** 2 + 1), dtype=np.float64)


_COLUMNS: dict[str, Callable[[Array, Array, Array, float], Array]] = {
    "armature": lambda q, qd, qdd, speed: qdd,
    "damping": lambda q, qd, qdd, speed: qd,
    "friction": lambda q, qd, qdd, speed: _sign(qd),
    "offset": lambda q, qd, qdd, speed: np.ones_like(qd),
    "preload": lambda q, qd, qdd, speed: np.ones_like(qd),
    "stiffness": lambda q, qd, qdd, speed: q,
    "stribeck": lambda q, qd, qdd, speed: _sign(qd) * np.exp(-((qd / speed) ** 2)),
}

JOINT_TERMS = ("armature", "damping", "friction", "offset")
"""Forces that joints may add to the rigid bodies: the terms of the dynamics, friction as smooth
as there, and what a sensor of forces shows without any."""


@dataclass(frozen=True)
class Term:
    """A part of what joints add to forces of bodies: a parameter times a function of motion.

    Attributes:
        name: One of `JOINT_TERMS`, or stribeck, or stiffness and preload of springs.
        speed: Over which a Stribeck term falls off [rad/s or m/s].
        joints: Numbers of the joints that have it; None: all.
    """

    name: str
    speed: float = 1.0
    joints: tuple[int, ...] | None = None


def stribeck(velocity: float) -> Term:
    """Returns the term of dry friction that is larger at rest and falls off with the speed.

    It is `exp(-(qd / velocity)^2)` times the sign of qd (Armstrong-Helouvry, Dupont, Canudas de Wit
    1994, "A survey of models, analysis tools and compensation methods for the control of machines
    with friction").

    Args:
        velocity: At which a part e^-1 is left [rad/s or m/s].
    """
    return Term("stribeck", velocity)


def springs(joints: Sequence[int]) -> tuple[Term, Term]:
    """Returns the terms of springs: stiffness times q, and preload, what they bear at q = 0.

    Preload is minus stiffness times the position of rest. It cannot be told from the offset of the
    joint's sensor.

    Args:
        joints: Numbers of the joints that have one.
    """
    return Term("stiffness", joints=tuple(joints)), Term("preload", joints=tuple(joints))


@dataclass(frozen=True)
class BaseParameters:
    """A least set of parameters.

    Attributes:
        names: `<link>.<parameter>` of each column of the regressor, then `<joint>.<term>` of
            those of joints.
        columns: The columns that are kept, (b,).
        grouping: (b, columns) matrix from all parameters to the base parameters.
    """

    names: tuple[str, ...]
    columns: NDArray[np.intp]
    grouping: Array

    @property
    def count(self) -> int:
        """The number of base parameters."""
        return len(self.columns)

    def regressor(self, Y: ArrayLike) -> Array:
        """The columns of a regressor that are kept: `regressor(Y) @ values(parameters)` is tau.

        Args:
            Y: (..., columns) regressor, with the columns of joints if they have some.
        """
        kept: Array = checked_array("Y", Y, (len(self.names),))[..., self.columns]
        return kept

    def values(self, parameters: ArrayLike) -> Array:
        """The base parameters: (b,) [kg, kg m, kg m^2], without what joints add.

        Args:
            parameters: (links, 10) inertial parameters, as `inertial_parameters()` returns them.
        """
        columns = sum(name.rpartition(".")[2] in PARAMETERS for name in self.names)
        shape = (columns // len(PARAMETERS), len(PARAMETERS))
        given = checked_array("parameters", parameters, shape)
        flat = given.reshape(*given.shape[:-2], columns)
        values: Array = flat @ self.grouping[:, :columns].T
        return values

    @property
    def described(self) -> tuple[str, ...]:
        """Each base parameter as a sum of parameters, such as `l2.ixx + 0.09 l3.m`."""
        return tuple(_sum(self.names, row) for row in self.grouping)


def column_names(
    links: Sequence[str], joints: Sequence[str], terms: Sequence[Term]
) -> tuple[str, ...]:
    """Returns the names of a regressor's columns, those of joints last."""
    inertial = [f"{link}.{parameter}" for link in links for parameter in PARAMETERS]
    return (*inertial, *(f"{joint}.{term.name}" for term in terms for joint in joints))


def of_random_states(terms: Sequence[Term]) -> tuple[Term, ...]:
    """Returns terms whose columns depend on each other as the given ones', at speeds about 1."""
    return tuple(replace(term, speed=1.0) for term in terms)


def with_joint_columns(Y: Array, terms: Sequence[Term], q: Array, qd: Array, qdd: Array) -> Array:
    """A regressor, and for each term a column a joint.

    Args:
        Y: (..., rows, columns) regressor, the rows of joints last.
        terms: What joints add.
        q: (..., n) positions.
        qd: (..., n) velocities.
        qdd: (..., n) accelerations.
    """
    n, values = qd.shape[-1], joint_values(terms, q, qd, qdd)
    added = np.zeros((*Y.shape[:-1], len(terms) * n))
    columns = np.arange(len(terms) * n)
    added[..., Y.shape[-2] - n + columns % max(n, 1), columns] = values
    return np.concatenate([Y, added], axis=-1)


def joint_values(terms: Sequence[Term], q: Array, qd: Array, qdd: Array) -> Array:
    """Returns the factors of joints' terms, (..., terms n): for each term a number a joint."""
    values = np.zeros((*qd.shape[:-1], len(terms), qd.shape[-1]))
    for k, term in enumerate(terms):
        own = slice(None) if term.joints is None else list(term.joints)
        values[..., k, own] = _COLUMNS[term.name](q, qd, qdd, term.speed)[..., own]
    return values.reshape(*qd.shape[:-1], -1)


def checked_terms(terms: Sequence[str | Term]) -> tuple[Term, ...]:
    """Terms of joints, each once.

    Raises:
        ValueError: If one is unknown.
    """
    given = {term for term in terms if isinstance(term, Term)}
    for term in set(terms) - given:
        if term not in JOINT_TERMS:
            raise ValueError(f"terms: expected some of {', '.join(JOINT_TERMS)}; found {term!r}")
        given.add(Term(str(term)))
    return tuple(sorted(given, key=lambda term: term.name))


def base_parameters_of(Y: Array, names: Sequence[str]) -> BaseParameters:
    """The base parameters that regressors of many states tell; links near the base are kept.

    Args:
        Y: (rows, columns) regressors, one below the other.
        names: What columns are called.
    """
    names = tuple(names)
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
