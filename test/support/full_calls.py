"""A robot called the same way whether its base is fixed or floats.

Vectors over joints start with six entries for a floating base (velocity, acceleration, wrench).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class FullCalls:
    """The dynamics functions of a robot over all its degrees of freedom, base first.

    Attributes:
        robot: The robot.
        size: Number of degrees of freedom.
    """

    def __init__(self, robot) -> None:
        self.robot = robot
        self._base = 6 if robot.floating_base else 0
        self.size = self._base + robot.n

    def inverse_dynamics(self, q, velocity, acceleration, gravity=None, forces=None) -> Array:
        """Joint forces; with a floating base, the wrench on it first."""
        if not self._base:
            more = {"gravity": gravity, "external_forces": forces}
            return self.robot.inverse_dynamics(q, velocity, acceleration, **more)
        (v0, qd), (a0, qdd) = self._split(velocity), self._split(acceleration)
        tau, wrench = self.robot.inverse_dynamics_fully_actuated(
            q, qd, qdd, v0, a0, gravity, external_forces=forces
        )
        return np.concatenate([wrench, tau], axis=-1)

    def gravity_torques(self, q, gravity=None) -> Array:
        """Joint forces that hold the robot at rest."""
        return self._joined(self.robot.gravity_torques(q, gravity=gravity))

    def coriolis_torques(self, q, velocity) -> Array:
        """Joint forces of velocity alone."""
        if not self._base:
            return self.robot.coriolis_torques(q, velocity)
        v0, qd = self._split(velocity)
        return self._joined(self.robot.coriolis_torques(q, qd, v0))

    def forward_dynamics(self, q, velocity, tau, gravity=None, forces=None) -> Array:
        """Accelerations that joint forces (n) give; a floating base bears no wrench."""
        if not self._base:
            more = {"gravity": gravity, "external_forces": forces}
            return self.robot.forward_dynamics(q, velocity, tau, **more)
        v0, qd = self._split(velocity)
        return self._joined(
            self.robot.forward_dynamics(q, qd, tau, v0, gravity, external_forces=forces)
        )

    def inverse_dynamics_derivatives(self, q, velocity, acceleration, gravity):
        """Of joint forces, with a floating base of the wrench on it first."""
        if not self._base:
            return self.robot.inverse_dynamics_derivatives(
                q, velocity, acceleration, gravity=gravity
            )
        (v0, qd), (a0, qdd) = self._split(velocity), self._split(acceleration)
        return self.robot.inverse_dynamics_derivatives(q, qd, qdd, v0, a0, gravity)

    def forward_dynamics_derivatives(self, q, velocity, tau, gravity):
        """Of the accelerations that joint forces (n) give."""
        if not self._base:
            return self.robot.forward_dynamics_derivatives(q, velocity, tau, gravity=gravity)
        v0, qd = self._split(velocity)
        return self.robot.forward_dynamics_derivatives(q, qd, tau, v0, gravity)

    def kinetic_energy(self, q, velocity) -> Array:
        """Energy of motion."""
        if not self._base:
            return self.robot.kinetic_energy(q, velocity)
        v0, qd = self._split(velocity)
        return self.robot.kinetic_energy(q, qd, v0)

    def _split(self, full: Array) -> tuple[Array, Array]:
        return full[..., :6], full[..., 6:]

    def _joined(self, result) -> Array:
        if not self._base:
            return result
        joints, base = result
        return np.concatenate([base, joints], axis=-1)
