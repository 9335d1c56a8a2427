"""Base parameters from measured motions and forces, in as much memory as a block of them takes.

Least squares by orthogonal triangularisation: of the rows seen so far only triangles are kept, and
further rows are rotated into them. So nothing is squared, and forces can be weighted after all rows
are seen, by what they left over (Gautier, Poignet 2001, "Extended Kalman filtering and weighted
least squares dynamic identification of robot"). Standard errors are those of groups of states that
follow one another, so that what a model leaves over may depend on its neighbours, on other joints,
and be of any size (Liang, Zeger 1986, "Longitudinal data analysis using generalized linear
models").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.arguments import checked_array
from robcogen_ros.runtime.identification import (
    BaseParameters,
    Term,
    joint_values,
    with_joint_columns,
)
from robcogen_ros.runtime.triangles import Groups, triangular

Array = NDArray[np.float64]

STATES = 2048
"""States whose regressor is held at a time."""

STOP = 0.01
"""Distance from a position limit at which an end stop may bear a force [rad or m]."""

RESIDUALS = "residuals"
"""The weights that forces have by what they left over."""

LEAST_GROUPS = 16
"""Groups of states from which on standard errors follow from what they leave over."""

_SINGULAR = 1e-9
_EXACT = 1e-12
_CONCERNED = 0.1


@dataclass(frozen=True)
class Identified:
    """Base parameters that measurements tell, of least squares.

    Attributes:
        base: What the parameters are, `base.described`.
        values: (b,) the parameters [kg, kg m, kg m^2; of joints as in the dynamics].
        covariance: (b, b) of them.
        information: (b, b) factor F: `|F (values - x)|^2` is how much worse parameters x fit, in
            variances of the forces.
        condition: Condition number of the weighted regressor: how many times larger relative
            errors of parameters may be than those of forces.
        residuals: (r,) root mean square of what is left of each force [N m or N], a floating
            base's moments and forces first.
        weights: (r,) that forces had.
        states: How many states were measured.
        regressor: (..., forces, columns) of states, those of joints too.

    Example:
        >>> for name, value in zip(found.base.described, found.values):
        ...     print(f"{value:10.4f}  {name}")
        >>> tau = found.predict(q, qd, qdd)
    """

    base: BaseParameters
    values: Array
    covariance: Array
    information: Array
    condition: float
    residuals: Array
    weights: Array
    states: int
    regressor: Callable[..., Array] = field(repr=False, compare=False)

    def predict(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, **more: ArrayLike) -> Array:
        """Returns the forces of a motion, (..., n) [N m or N]; a floating base's wrench first.

        Args:
            q: (..., n) positions.
            qd: (..., n) velocities.
            qdd: (..., n) accelerations.
            more: Of a floating base base_velocity, base_acceleration, gravity.
        """
        Y = self.regressor(q=q, qd=qd, qdd=qdd, **more)
        forces: Array = self.base.regressor(Y) @ self.values
        return forces

    @property
    def standard_errors(self) -> Array:
        """(b,) standard deviations of the parameters."""
        errors: Array = np.sqrt(np.diag(self.covariance))
        return errors


class Identification:
    """Takes measurements block by block. Made by `robot.identification()`.

    Forces of joints at position limits are left out: their end stops may bear a part of them.

    Attributes:
        base: The parameters that forces tell of.
        stopped: How many forces were left out.

    Example:
        >>> identification = arm.identification(terms=["damping", "friction"])
        >>> for motion in Recording("run.mcap", arm.joint_names):
        ...     identification.add(motion.q, motion.qd, motion.qdd, motion.tau)
        >>> found = identification.solve()
    """

    def __init__(
        self,
        base: BaseParameters,
        regressor: Callable[..., Array],
        terms: Sequence[Term],
        limits: tuple[Array, Array],
        forces: int,
        known: Callable[..., Array] | None = None,
    ) -> None:
        """Begins with nothing measured.

        Args:
            base: The parameters that forces tell of.
            regressor: (states, forces, columns) of states, inertial columns alone.
            terms: What of the joints is found too.
            limits: Least and greatest positions of the joints.
            forces: How many there are, a floating base's first.
            known: (states, forces) that are not to be identified; None: all are.
        """
        self.base, self.stopped = base, 0
        self._regressor, self._terms, self._joints = regressor, terms, len(limits[0])
        self._known = known
        self._limits, room = limits, limits[1] - limits[0]
        self._margins = np.minimum(STOP, 0.1 * np.maximum(room, 0.0))
        self._forces, self._groups = forces, Groups(forces, base.count + 1)

    @property
    def states(self) -> int:
        """The number of states that were measured."""
        return self._groups.states

    def another(self) -> Identification:
        """Returns one of the same parameters, for which nothing has been measured yet."""
        return Identification(
            *(self.base, self._regressor, self._terms, self._limits, self._forces, self._known)
        )

    def add(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        tau: ArrayLike,
        *,
        weights: ArrayLike = 1.0,
        **more: ArrayLike,
    ) -> None:
        """Takes measurements; arrays may be mapped files, of which a part is read at a time.

        Args:
            q: (..., n) positions.
            qd: (..., n) velocities.
            qdd: (..., n) accelerations.
            tau: (..., n) joint forces; of a floating base (..., 6+n), the wrench on it first.
            weights: What each force counts, as `tau` or a number for all; 0 leaves it out.
            more: Of a floating base base_velocity, base_acceleration, gravity.

        Raises:
            ValueError: If shapes do not fit together, or a number is not finite.
        """
        n, rows = self._joints, self._forces
        state = {"q": q, "qd": qd, "qdd": qdd}
        given = {name: _flat(name, value, n) for name, value in state.items()}
        given["tau"] = _flat("tau", tau, rows)
        given |= {name: _flat(name, value, np.shape(value)[-1]) for name, value in more.items()}
        if np.ndim(weights) > 1:
            given["weights"] = _flat("weights", weights, rows)
        lengths = {name: len(value) for name, value in given.items()}
        states = lengths["q"]
        if set(lengths.values()) != {states}:
            found = ", ".join(f"{count} of {name}" for name, count in lengths.items())
            raise ValueError(f"expected as many states of each, found {found}")
        if "weights" not in given:
            given["weights"] = np.broadcast_to(weights, (states, rows))
        for begin in range(0, states, STATES):
            self._add({k: _read(k, v[begin : begin + STATES]) for k, v in given.items()})

    def _add(self, block: dict[str, Array]) -> None:
        """Takes states that fit into memory."""
        tau, weights = block.pop("tau"), block.pop("weights").astype(float)
        near = np.min([np.abs(block["q"] - limit) for limit in self._limits], axis=0)
        free = near > self._margins
        weights[:, self._forces - self._joints :] *= free
        self.stopped += int(np.count_nonzero(~free))
        Y = self._regressor(**block)
        if self._known is not None:
            tau = tau - self._known(**block)
        of_joints = joint_values(self._terms, block["q"], block["qd"], block["qdd"])
        inertial = self.base.columns[self.base.columns < Y.shape[-1]]
        added = self.base.columns[len(inertial) :] - Y.shape[-1]
        joints = added % max(self._joints, 1) + self._forces - self._joints
        rows = np.zeros((*tau.shape, self.base.count + 1))
        rows[:, :, : len(inertial)] = Y[:, :, inertial]
        rows[:, joints, len(inertial) + np.arange(len(added))] = of_joints[:, added]
        rows[:, :, -1] = tau
        self._groups.add(rows * weights[:, :, None], weights != 0)

    def _whole_regressor(self, **state: ArrayLike) -> Array:
        """The regressor of states with the columns of joints."""
        arrays = {name: np.asarray(value, dtype=np.float64) for name, value in state.items()}
        Y = self._regressor(**arrays)
        return with_joint_columns(Y, self._terms, arrays["q"], arrays["qd"], arrays["qdd"])

    def left(self, values: ArrayLike) -> Array:
        """Returns (r,) the root mean square of what parameters leave of each force [N m or N].

        Args:
            values: (b,) parameters, found here or elsewhere.
        """
        given = checked_array("values", values, (self.base.count,))
        return np.array([triangle.left(given) for triangle in self._groups.whole()])

    def agreement(self, values: ArrayLike) -> tuple[Array, Array]:
        """Returns (r,) how many times as large forces are as parameters say, and the correlation.

        Args:
            values: (b,) parameters, of a description.
        """
        given = checked_array("values", values, (self.base.count,))
        told = [t.rows[:, :-1] @ given for t in self._groups.whole()]
        measured = [t.rows[:, -1] for t in self._groups.whole()]
        pairs = list(zip(told, measured, strict=True))
        squares = np.array([[a @ a, a @ b, b @ b] for a, b in pairs]) + np.finfo(float).tiny
        slope = squares[:, 1] / squares[:, 0]
        return slope, squares[:, 1] / np.sqrt(squares[:, 0] * squares[:, 2])

    def solve(self, weights: ArrayLike | str | None = None) -> Identified:
        """The parameters that fit what was measured so far.

        Args:
            weights: (r,) what forces count, the inverse of their errors' standard deviations; None
                is 1 for all, "residuals" the inverse of what they have left over with 1 for all.

        Raises:
            RobcogenError: If the motion does not tell all parameters apart.
            ValueError: If weights are neither of these.
        """
        rows, triangles = self._forces, self._groups.whole()
        if isinstance(weights, str):
            if weights != RESIDUALS:
                raise ValueError(f"weights: expected {RESIDUALS!r} or numbers, found {weights!r}")
            left = self.solve().residuals
            chosen = 1 / np.maximum(left, _EXACT * left.max()) if left.any() else np.ones(rows)
        else:
            chosen = checked_array(
                "weights", np.ones(rows) if weights is None else weights, (rows,)
            )
        counted = sum(t.count for t, w in zip(triangles, chosen, strict=True) if w)
        b = self.base.count
        if counted <= b:
            raise RobcogenError(
                f"{counted} measured forces do not tell {b} parameters; measure more of the motion"
            )
        pairs = zip(triangles, chosen, strict=True)
        R = triangular(np.vstack([np.zeros((b + 1, b + 1)), *(t.rows * w for t, w in pairs)]))
        self._refuse_singular(R[:b, :b])
        values: Array = np.asarray(np.linalg.solve(R[:b, :b], R[:b, b]), dtype=np.float64)
        variance = R[b, b] ** 2 / (counted - b)
        singular = np.linalg.svd(R[:b, :b], compute_uv=False)
        return Identified(
            self.base,
            values,
            self._covariance(R[:b, :b], values, chosen, variance, counted),
            R[:b, :b] / np.sqrt(variance or _EXACT),
            float(singular[0] / singular[-1]) if b else 1.0,
            np.array([triangle.left(values) for triangle in triangles]),
            chosen,
            self.states,
            self._whole_regressor,
        )

    def _covariance(
        self, R: Array, values: Array, weights: Array, variance: float, counted: int
    ) -> Array:
        """The covariance of the parameters: by groups, or as if forces were independent."""
        inverse = np.linalg.inv(R)
        scores = self._groups.scores(values, weights)
        groups = len(scores)
        if groups < LEAST_GROUPS:
            return np.asarray(variance * inverse @ inverse.T, dtype=np.float64)
        factor = groups / (groups - 1) * counted / (counted - len(values))
        each = scores @ inverse @ inverse.T
        return np.asarray(factor * each.T @ each, dtype=np.float64)

    def _refuse_singular(self, R: Array) -> None:
        """Refuses a motion that leaves parameters open.

        Raises:
            RobcogenError: If it does, with their names.
        """
        if not len(R):
            return
        size = np.linalg.norm(R, axis=0)
        still = size <= _SINGULAR * size.max()
        _, singular, right = np.linalg.svd(R / np.where(still, 1.0, size))
        vectors = right[singular < _SINGULAR * singular.max()]
        open_ones = still | (np.abs(vectors) > _CONCERNED).any(axis=0)
        if open_ones.any():
            names = [
                text for text, left in zip(self.base.described, open_ones, strict=True) if left
            ]
            raise RobcogenError(
                f"the motion does not tell {', '.join(names)}; move more joints at a time, and "
                "farther, or leave out terms of joints"
            )


def _flat(name: str, value: ArrayLike, size: int) -> NDArray[np.generic]:
    """An array (states, size), not read yet."""
    array = np.asanyarray(value)
    if array.ndim == 0 or array.shape[-1] != size:
        raise ValueError(f"{name}: expected shape (..., {size}), found {array.shape}")
    return array.reshape(-1, size)


def _read(name: str, block: NDArray[np.generic]) -> Array:
    """Numbers of a block."""
    array = checked_array(name, block, block.shape[1:])
    if not np.isfinite(array).all():
        raise ValueError(f"{name}: a number is not finite")
    return array
