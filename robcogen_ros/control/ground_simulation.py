"""A robot whose base floats, standing on a plane: `Ground` as the simulated robot moves it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.control.actuation import Actuation
from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.floating_simulation import GRAVITY, rotation
from robcogen_ros.control.simulation import SimulationError
from robcogen_ros.runtime.ground import Ground
from robcogen_ros.runtime.objects import Fault


class GroundSimulation:
    """Moves a robot on its feet, with hard contacts and friction.

    Attributes:
        external_forces: Wrenches on the links (links, 6), in their coordinates, base first; None
            where there are none.
        ground: What it stands on.
    """

    def __init__(
        self,
        robot: Any,
        ground: Ground,
        q: Array,
        *,
        position: Array,
        quaternion: Array,
        actuation: Actuation | None = None,
        gravity: Array | None = None,
    ) -> None:
        """Starts at rest.

        Args:
            robot: The robot, with contacts.
            ground: What it is on.
            q: Positions of its joints.
            position: Origin of the base in the world [m].
            quaternion: Orientation of the base in the world, as x, y, z, w.
            actuation: Limits of the motors, if not as the model has them.
            gravity: Gravity in the world [m/s^2]; downwards by default.

        Raises:
            SimulationError: If a foot would be below the plane.
        """
        self._robot, self.ground = robot, ground
        self._actuation = actuation or Actuation(robot)
        self._gravity = GRAVITY if gravity is None else gravity
        self.external_forces: Array | None = None
        try:
            ground.place(q, position=position, orientation=quaternion)
        except Fault as fault:
            raise SimulationError(f"the robot cannot start so: {fault}") from fault

    @property
    def q(self) -> Array:
        """Positions of the joints."""
        return self.ground.q

    @property
    def qd(self) -> Array:
        """Velocities of the joints."""
        return self.ground.qd

    @property
    def position(self) -> Array:
        """Origin of the base in the world (3,) [m]."""
        return self.ground.position

    @property
    def quaternion(self) -> Array:
        """Orientation of the base in the world: x, y, z, w."""
        return self.ground.orientation

    @property
    def base_velocity(self) -> Array:
        """Spatial velocity of the base in its own coordinates, angular first (6,)."""
        return self.ground.base_velocity

    def inverse_dynamics(self, qdd: Array) -> Array:
        """Efforts that accelerate the joints as they move now, while feet carry the base."""
        gravity = rotation(self.quaternion).T @ self._gravity
        now = self.q, self.qd, qdd, self.base_velocity, gravity
        return supported_efforts(self._robot, *now, closed=self.ground.touches)

    def advance(self, effort: Array, duration: float) -> Array:
        """Moves on in one step under efforts, limited to what the motors can give.

        Returns:
            The efforts that the motors gave.

        Raises:
            SimulationError: If the robot has fallen, or the motion runs away.
        """
        within = self._actuation.within_limits(effort)
        try:
            self.ground.advance(within, duration, external_forces=self.external_forces)
        except Fault as fault:
            raise SimulationError(str(fault)) from fault
        return within


def supported_efforts(
    robot: Any,
    q: Array,
    qd: Array,
    qdd: Array,
    base_velocity: Array,
    gravity: Array,
    *,
    closed: NDArray[np.bool_],
) -> Array:
    """Efforts of the joints while forces of the feet with the least sum of squares hold the base.

    Accelerations count with the inertia that the joints feel where feet stay and the base moves
    along as well as it can, `T' H T` with `[v0; qd] = T qd`: what the drives add is stable.

    Args:
        robot: The robot, with contacts.
        q: (n,) positions.
        qd: (n,) velocities.
        qdd: (n,) accelerations.
        base_velocity: (6,) of the base.
        gravity: (3,) in base coordinates.
        closed: (contacts,) whether each foot touches; if none does, the base falls.
    """
    if not closed.any():
        return np.asarray(robot.inverse_dynamics(q, qd, qdd, base_velocity, gravity)[0])
    rows = np.repeat(closed, [len(contact.rows) for contact in robot.contact_records])
    jacobian, still = robot.contact_jacobian(q)[rows], np.zeros(6)
    tau, wrench = robot.inverse_dynamics_fully_actuated(
        q, qd, np.zeros(robot.n), base_velocity, still, gravity
    )
    inverse = np.linalg.pinv(jacobian[:, :6])
    efforts = tau - jacobian[:, 6:].T @ (inverse.T @ wrench)
    if qdd.any():
        moved = np.vstack([-inverse @ jacobian[:, 6:], np.eye(robot.n)])
        efforts += moved.T @ (robot.inertia_matrix(q) @ (moved @ qdd))
    return np.asarray(efforts)
