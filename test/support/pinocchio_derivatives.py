"""Pinocchio's derivatives and regressor in our conventions."""

from __future__ import annotations

import numpy as np
import pinocchio
from numpy.typing import NDArray

from test.support.pinocchio_oracle import PinocchioOracle

Array = NDArray[np.float64]

_TENSOR_AS_OURS = [0, 1, 2, 3, 4, 5, 7, 6, 8, 9]


class DerivativesOracle(PinocchioOracle):
    """A robot whose derivatives are asked for; with a floating base its columns are first."""

    def inverse_dynamics_derivatives(
        self, q: Array, velocity: Array, acceleration: Array, gravity: Array
    ) -> tuple[Array, ...]:
        """By positions, velocities, accelerations."""
        V = self.velocity_map
        self.model.gravity.linear[:] = gravity
        by_q, by_v, H = pinocchio.computeRNEADerivatives(
            self.model, self._data, self.configuration(q), V @ velocity, V @ acceleration
        )
        H = np.triu(H) + np.triu(H, 1).T
        return tuple(V.T @ matrix @ V for matrix in (by_q, by_v, H))

    def forward_dynamics_derivatives(
        self, q: Array, velocity: Array, tau: Array, gravity: Array
    ) -> tuple[Array, ...]:
        """By positions, velocities, forces; only where each joint has a coordinate of its own."""
        V = self.velocity_map
        self.model.gravity.linear[:] = gravity
        found = pinocchio.computeABADerivatives(
            self.model, self._data, self.configuration(q), V @ velocity, V @ tau
        )
        by_q, by_v, by_tau = found
        by_tau = np.triu(by_tau) + np.triu(by_tau, 1).T
        return tuple(V.T @ matrix @ V for matrix in (by_q, by_v, by_tau))

    def regressor(self, q: Array, velocity: Array, acceleration: Array, gravity: Array) -> Array:
        """The joint torque regressor, our order of parameters, a joint of Pinocchio a block."""
        V = self.velocity_map
        self.model.gravity.linear[:] = gravity
        Y = pinocchio.computeJointTorqueRegressor(
            self.model, self._data, self.configuration(q), V @ velocity, V @ acceleration
        )
        blocks = Y.reshape(len(Y), -1, 10)[..., _TENSOR_AS_OURS]
        return np.einsum("ij,jkl->ikl", V.T, blocks)

    def block_of(self, link: str) -> int:
        """Which block of the regressor is that of a link."""
        return self.model.frames[self._frames[link]].parentJoint - 1
