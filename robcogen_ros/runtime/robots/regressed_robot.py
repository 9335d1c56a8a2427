"""Forces as a linear function of inertial parameters, and what finds these from measurements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.arguments import Signature, checked_array, checked_count, contiguous
from robcogen_ros.runtime.identification import (
    BaseParameters,
    Term,
    base_parameters_of,
    checked_terms,
    column_names,
    of_random_states,
    with_joint_columns,
)
from robcogen_ros.runtime.identified import Identification
from robcogen_ros.runtime.robots.robot_data import RobotData

Array = NDArray[np.float64]

_NEARER, _NEAREST = 0.8, 1e-2
"""Factor by which positions are tried nearer each time loops do not close, and the last one."""


class RegressedRobot(RobotData, ABC):
    """Functions of robots that were generated with `derivatives`."""

    @abstractmethod
    def _call(self, name: str, arguments: dict[str, ArrayLike | None]) -> dict[str, Array]:
        """Results of a function."""

    @abstractmethod
    def _signature(self, name: str) -> Signature:
        """Arguments and results of a function."""

    def inertial_parameters(self, q: ArrayLike | None = None) -> Array:
        """m, m c, ixx, ixy, ixz, iyy, iyz, izz of each link that moves: (links, 10).

        About the origin and in the axes of the link's own frame; `regressed_links` are the rows.

        Args:
            q: (n,) positions, which change nothing; a batch gives as many results.
        """
        return self._by_link("inertial_parameters", {"q": np.zeros(self.n) if q is None else q})

    @property
    def regressed_links(self) -> tuple[str, ...]:
        """Names of the links that the regressor tells of: without a base that is fixed."""
        return self.link_names if self.floating_base else self.link_names[1:]

    def identification(
        self, *, terms: Sequence[str | Term] = (), gravity: ArrayLike | None = None
    ) -> Identification:
        """Returns an identification, which finds parameters from motions and forces by blocks.

        Args:
            terms: What of the joints is found too: armature, damping, friction, offset, and
                what `stribeck` and `springs` of `robcogen_ros.runtime.identification` return.
            gravity: (3,) free fall in base coordinates of a fixed base, if it is unusual.
        """
        name, checked = "inverse_dynamics_regressor", checked_terms(terms)
        given = {} if gravity is None else {"gravity": gravity}

        def regressor(**state: ArrayLike) -> Array:
            return self._single(name, {**state, **given})

        base = self.base_parameters(gravity=gravity, terms=terms)
        forces = self.n + (6 if self.floating_base else 0)
        limits = self.lower_limits, self.upper_limits
        return Identification(base, regressor, checked, limits, forces)

    def base_parameters(
        self, *, gravity: ArrayLike | None = None, seed: int = 0, terms: Sequence[str | Term] = ()
    ) -> BaseParameters:
        """The least set of parameters that joint forces, and a floating base's wrench, tell of.

        Found from regressors of random states.

        Args:
            gravity: (3,) free fall in base coordinates while the robot is measured; left out, that
                of `inverse_dynamics` of a fixed base, and of a floating base all directions.
            seed: Which random states.
            terms: What of the joints is found too: armature, damping, friction, offset.

        Raises:
            RobcogenError: If loops close at too few positions.
        """
        name = "inverse_dynamics_regressor"
        random = np.random.default_rng(checked_count("seed", seed, 0))
        count = 2 + 60 * len(self.regressed_links) // max(self.n, 1)
        fall = {} if gravity is None else {"gravity": checked_array("gravity", gravity, (3,))}
        if gravity is not None and fall["gravity"].ndim > 1:
            raise ValueError(f"gravity: expected shape (3,), found {fall['gravity'].shape}")
        checked, found, left, far = checked_terms(terms), list[Array](), count, 1.0
        while left > 0:
            given = {
                argument: random.normal(size=(count, *shape))
                for argument, shape in self._signature(name).shapes.items()
                if argument not in fall and (self.floating_base or argument != "gravity")
            }
            if found:
                given["q"] = self._middle + far * given["q"]
            Y = self._single(name, {**given, **fall})
            closed = np.isfinite(Y).all(axis=(-2, -1))  # loops do not close everywhere
            states = (given[each] for each in ("q", "qd", "qdd"))
            rows = with_joint_columns(Y, of_random_states(checked), *states)
            found.append(rows[closed])
            left, far = left - int(closed.sum()), _NEARER * far
            if far < _NEAREST:
                raise RobcogenError("the loops close at too few positions to find the parameters")
        names = column_names(self.regressed_links, self.joint_names, checked)
        every = np.concatenate(found)[:count]
        return base_parameters_of(every.reshape(count * Y.shape[-2], len(names)), names)

    @property
    def _middle(self) -> Array:
        """Positions in the middle of the ranges of coordinates, (n,), zero without ends."""
        with np.errstate(invalid="ignore"):
            middle = (self.lower_limits + self.upper_limits) / 2
        return np.where(np.isfinite(middle), middle, 0.0)

    def _single(self, name: str, arguments: dict[str, ArrayLike | None]) -> Array:
        result: Array
        (result,) = self._call(name, arguments).values()
        return result

    def _by_link(self, name: str, arguments: dict[str, ArrayLike | None]) -> Array:
        """The only result of a function, a link a row."""
        return contiguous(self._single(name, arguments).swapaxes(-1, -2))
