"""A robot moving under efforts, touched by nothing or on a ground."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.motor_space import Motors
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.model.robot import STANDARD_GRAVITY
from robcogen_ros.runtime.ground import Ground, Moving
from robcogen_ros.runtime.objects import Fault, object_of

GRAVITY = np.array(STANDARD_GRAVITY)


class SimulationError(RobcogenError):
    """The motion cannot be computed any more."""


class Simulation(Moving):
    """A robot that moves by its forward dynamics: the simulation in C++.

    Attributes:
        external_forces: Wrenches on the links (links, 6), in their coordinates, base first; None
            where there are none.
    """

    def __init__(
        self,
        robot: Any,
        q: ArrayLike,
        *,
        gravity: Array | None = None,
        damping: ArrayLike | None = None,
        joint_friction: ArrayLike | None = None,
        stops: bool = True,
        motors: Motors | None = None,
        **start: ArrayLike | None,
    ) -> None:
        """Starts somewhere.

        Args:
            robot: The robot.
            q: Positions of its joints; those beyond their stops are at these.
            gravity: Gravity [m/s^2] in the frame of a fixed base, by default as the model has it;
                or in the world of a floating one, by default downwards.
            damping: Viscous friction in place of the model's.
            joint_friction: Dry friction in place of the model's.
            stops: Whether joints stop at their limits.
            motors: What efforts are of, in place of its joints.
            start: Arguments of `place`.

        Raises:
            RobcogenError: If the robot lacks a function, or there is no compiler where one is
                needed.
        """
        settings = {"damping": damping, "joint_friction": joint_friction, "stops": float(stops)}
        settings["motors"] = float(motors is not None)
        self._moved_by = "advance" if motors is None else "drive"
        given = {"gravity": gravity, **settings, "parameters": robot.parameters.array()}
        self._object = object_of(robot, "simulation", given)
        self._robot, self._gravity = robot, gravity
        self.external_forces: Array | None = None
        self.place(q, **start)

    def place(self, q: ArrayLike, **start: ArrayLike | None) -> None:
        """Puts the robot somewhere, at rest and with its base in the origin of the world.

        Args:
            q: (n,) positions of the joints.
            start: What else is given: `qd` (n,), velocities of the joints; of a floating base
                `position` (3,), `orientation` (4,) as x, y, z, w, and `base_velocity` (6,), its
                spatial velocity in its own coordinates.

        Raises:
            SimulationError: If a number is not finite.
        """
        self._call("place", q=q, **start)

    def inverse_dynamics(self, qdd: Array) -> Array:
        """Efforts that accelerate the joints as they move now."""
        now = self.now["q"], self.now["qd"], qdd
        if not self._robot.floating_base:
            return np.asarray(self._robot.inverse_dynamics(*now, gravity=self._gravity))
        gravity = GRAVITY if self._gravity is None else self._gravity
        turned = rotation(self.orientation).T @ gravity
        return np.asarray(self._robot.inverse_dynamics(*now, self.base_velocity, turned)[0])

    def advance(self, effort: Array, duration: float) -> Array:
        """Moves on in one step under efforts, limited to what the motors can give.

        Efforts of motors are constant within the step, whatever they are along the joints.

        Returns:
            The efforts that the motors gave.

        Raises:
            SimulationError: If the motion runs away beyond what numbers can hold.
        """
        forces = self.external_forces
        self._call(self._moved_by, effort=effort, step=duration, external_forces=forces)
        return np.array(self.now["effort"])

    def _call(self, method: str, **inputs: ArrayLike | None) -> None:
        self.now = self._object.results(method)
        try:
            self._object.call(method, **inputs)
        except Fault as fault:
            raise SimulationError(str(fault)) from fault


class GroundSimulation(Moving):
    """Moves a robot on its feet, with hard contacts and friction.

    Attributes:
        now: Results of the object's last call, by name.
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
        orientation: Array,
        gravity: Array | None = None,
        motors: Motors | None = None,
    ) -> None:
        """Starts at rest.

        Args:
            robot: The robot, with contacts.
            ground: What it is on.
            q: Positions of its joints.
            position: Origin of the base in the world [m].
            orientation: Of the base in the world, as x, y, z, w.
            gravity: Gravity in the world [m/s^2]; downwards by default.
            motors: What efforts are of, in place of its joints.

        Raises:
            SimulationError: If a foot would be below the plane.
        """
        self._robot, self.ground = robot, ground
        self._gravity = GRAVITY if gravity is None else gravity
        self._motors = motors
        self.external_forces: Array | None = None
        try:
            ground.place(q, position=position, orientation=orientation)
        except Fault as fault:
            raise SimulationError(f"the robot cannot start so: {fault}") from fault
        self.now = ground.now

    def inverse_dynamics(self, qdd: Array) -> Array:
        """Efforts that accelerate the joints as they move now, while feet carry the base."""
        gravity = rotation(self.orientation).T @ self._gravity
        now = self.q, self.qd, qdd, self.base_velocity, gravity
        return supported_efforts(self._robot, *now, closed=self.ground.touches)

    def advance(self, effort: Array, duration: float) -> Array:
        """Moves on in one step under efforts, limited to what the motors can give.

        Efforts of motors act along the joints as they do where the step begins.

        Returns:
            The efforts that the motors gave.

        Raises:
            SimulationError: If the robot has fallen, or the motion runs away.
        """
        limits = (self._motors or self._robot).effort_limits
        within: Array = np.minimum(np.maximum(effort, -limits), limits)
        along = self._motors.joint_efforts(self.q, within) if self._motors else within
        try:
            self.ground.advance(along, duration, external_forces=self.external_forces)
        except Fault as fault:
            raise SimulationError(str(fault)) from fault
        finally:
            self.now = self.ground.now
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
