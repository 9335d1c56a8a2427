"""Robots in MuJoCo that touch nothing, with dry friction that holds what stands still."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from robcogen_ros.bench.robot_file import mjcf
from robcogen_ros.formats.bodies import depth_first
from robcogen_ros.model.robot import Robot

Array = NDArray[np.float64]
GRAVITY = np.array([0.0, 0.0, -9.81])


class MujocoRobot:
    """A robot under efforts and forces, integrated by MuJoCo.

    Attributes:
        data: MuJoCo's state.
    """

    def __init__(self, robot: Robot, step: float, *, damping: Array, friction: Array) -> None:
        """A robot at rest.

        Args:
            robot: The robot; its joints are in MuJoCo's order.
            step: Of the integration [s].
            damping: (n,) viscous friction of the joints.
            friction: (n,) dry friction; hard: joints hardly creep below it.
        """
        assert depth_first(robot) == list(range(robot.n))
        self._base = 6 if robot.floating_base else 0
        self._frames = {frame.name: frame for frame in robot.frames}
        self._model = model = mujoco.MjModel.from_xml_string(mjcf(robot))
        model.opt.timestep = step
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
        model.dof_damping[self._base :] = damping
        model.dof_frictionloss[self._base :] = friction
        model.dof_solimp[:, :2] = 0.9999
        model.dof_solref[:, 0] = 2 * step
        self.data = mujoco.MjData(model)
        self.place(np.zeros(robot.n))

    def place(self, q: Array) -> None:
        """Puts the joints somewhere."""
        self.q[:] = q
        mujoco.mj_fwdPosition(self._model, self.data)

    @property
    def q(self) -> Array:
        """Positions of the joints."""
        return self.data.qpos[7 if self._base else 0 :]

    @property
    def qd(self) -> Array:
        """Velocities of the joints."""
        return self.data.qvel[self._base :]

    @property
    def rotation(self) -> Array:
        """World from base."""
        return self.data.xmat[1].reshape(3, 3)

    @property
    def base_velocity(self) -> Array:
        """Spatial velocity of the base in its axes."""
        return np.concatenate([self.data.qvel[3:6], self.rotation.T @ self.data.qvel[:3]])

    def advance(self, effort: Array, forces: dict[str, Array] | None = None) -> None:
        """One step under efforts and forces at frames, in world axes."""
        state = self.data
        state.qfrc_applied[:] = 0.0
        state.qfrc_applied[self._base :] = effort
        for name, force in (forces or {}).items():
            frame = self._frames[name]
            body = frame.link + (1 if self._base else 0)
            place = np.array([*frame.pose.translation], dtype=float)
            point = state.xpos[body] + state.xmat[body].reshape(3, 3) @ place
            mujoco.mj_applyFT(
                self._model, state, force, np.zeros(3), point, body, state.qfrc_applied
            )
        mujoco.mj_step(self._model, state)
        mujoco.mj_fwdPosition(self._model, state)
