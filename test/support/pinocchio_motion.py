"""Pinocchio's motions and wrenches of links and frames in our conventions.

The base always floats here; one that is fixed is one that does not move.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio
from numpy.typing import NDArray

from test.support.pinocchio_oracle import PinocchioOracle

Array = NDArray[np.float64]

_SWAP = [3, 4, 5, 0, 1, 2]
_LOCAL = pinocchio.ReferenceFrame.LOCAL
_ALIGNED = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED


class MotionOracle(PinocchioOracle):
    """A robot that moves; velocities and accelerations are (6+n,), the base's first."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, floating=True)

    def frame_velocity(self, frame: str, q: Array, velocity: Array, aligned: bool = False) -> Array:
        """Spatial velocity of a frame, in its own axes or in the root's."""
        self._move(q, velocity, np.zeros_like(velocity))
        found = pinocchio.getFrameVelocity(self.model, self._data, *self._seen(frame, aligned))
        return found.vector[_SWAP]

    def frame_acceleration(
        self, frame: str, q: Array, velocity: Array, acceleration: Array, aligned: bool = False
    ) -> Array:
        """Spatial acceleration of a frame."""
        self._move(q, velocity, acceleration)
        found = pinocchio.getFrameAcceleration(self.model, self._data, *self._seen(frame, aligned))
        return found.vector[_SWAP]

    def point_acceleration(
        self, frame: str, q: Array, velocity: Array, acceleration: Array
    ) -> Array:
        """Angular acceleration, and acceleration of a frame's origin, in the root's axes."""
        self._move(q, velocity, acceleration)
        found = pinocchio.getFrameClassicalAcceleration(
            self.model, self._data, *self._seen(frame, aligned=True)
        )
        return found.vector[_SWAP]

    def jacobian_rate(self, frame: str, q: Array, velocity: Array) -> Array:
        """Time derivative of the full Jacobian, in the root's axes, (6, 6+n)."""
        pinocchio.computeJointJacobiansTimeVariation(
            self.model, self._data, self.configuration(q), self.velocity_map @ velocity
        )
        pinocchio.updateFramePlacements(self.model, self._data)
        found = pinocchio.getFrameJacobianTimeVariation(
            self.model, self._data, *self._seen(frame, aligned=True)
        )
        return found[_SWAP] @ self.velocity_map

    def joint_wrench(
        self, link: str, q: Array, velocity: Array, acceleration: Array, gravity: Array, forces
    ) -> Array:
        """Wrench on a link through the joint that carries it, in its coordinates."""
        self.inverse_dynamics(q, velocity, acceleration, gravity, forces)
        frame = self.model.frames[self._frames[link]]
        return frame.placement.actInv(self._data.f[frame.parentJoint]).vector[_SWAP]

    def center_of_mass_jacobian(self, q: Array) -> Array:
        """Velocity of the center of mass, in the root's axes, (3, 6+n)."""
        found = pinocchio.jacobianCenterOfMass(self.model, self._data, self.configuration(q))
        return found @ self.velocity_map

    def centroidal_momentum_rate(self, q: Array, velocity: Array) -> Array:
        """Rate of change of the centroidal momentum where nothing accelerates."""
        v = self.velocity_map @ velocity
        pinocchio.computeCentroidalMomentumTimeVariation(
            self.model, self._data, self.configuration(q), v, np.zeros_like(v)
        )
        return self._data.dhg.vector[_SWAP]

    def generalized_momentum(self, q: Array, velocity: Array, gravity: Array) -> Array:
        """H v and C' v - g, side by side."""
        v, at = self.velocity_map @ velocity, self.configuration(q)
        C = pinocchio.computeCoriolisMatrix(self.model, self._data, at, v)
        still = np.zeros_like(velocity)
        held = self.inverse_dynamics(q, still, still, gravity, {})
        momentum = self.inertia_matrix(q) @ velocity
        return np.stack([momentum, self.velocity_map.T @ C.T @ v - held])

    def total_mass(self) -> float:
        """Mass of all links."""
        return pinocchio.computeTotalMass(self.model)

    def _move(self, q: Array, velocity: Array, acceleration: Array) -> None:
        pinocchio.forwardKinematics(
            self.model,
            self._data,
            self.configuration(q),
            self.velocity_map @ velocity,
            self.velocity_map @ acceleration,
        )
        pinocchio.updateFramePlacements(self.model, self._data)

    def _seen(self, frame: str, aligned: bool) -> tuple[int, pinocchio.ReferenceFrame]:
        return self._frames[frame], _ALIGNED if aligned else _LOCAL
