"""Robots of ours as MJCF, in MuJoCo: what it computes of them, in our coordinates."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray

from test.oracle.states import within_limits
from test.support.full_calls import FullCalls
from test.support.scaled import absolute_error, bounded_error

Array = NDArray[np.float64]

TERMS = ("armature", "damping")
"""What MuJoCo counts among the forces of a motion."""
STATES = 4


class InMujoco:
    """A robot of ours in MuJoCo, in our coordinates.

    Attributes:
        model: MuJoCo's model.
        data: Its state.
    """

    def __init__(self, robot, path: Path) -> None:
        """The robot that a file describes; limits, contacts and dry friction are off.

        Frames are where the file has them: MuJoCo takes those within 1e-6 of each other for one.
        """
        self.robot = robot
        self.model = model = mujoco.MjModel.from_xml_path(str(path))
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        model.body_sameframe[:] = model.site_sameframe[:] = mujoco.mjtSameFrame.mjSAMEFRAME_NONE
        self.data = mujoco.MjData(model)
        self.base = 6 if robot.floating_base else 0
        self.map = np.zeros((model.nv, self.base + robot.n))
        self.map[: self.base, : self.base] = np.eye(self.base)
        self.offset = np.zeros(model.nv - self.base)
        self._couple()

    def _couple(self) -> None:
        """Reads the equalities: velocities of MuJoCo's joints are `map` times ours."""
        model, columns = self.model, {}
        for index, name in enumerate(self.robot.joint_names, self.base):
            columns[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name)] = index
        for joint, column in columns.items():
            self.map[model.jnt_dofadr[joint], column] = 1
        for equality in range(model.neq):
            follower, leader = model.eq_obj1id[equality], model.eq_obj2id[equality]
            offset, multiplier = model.eq_data[equality, :2]
            if leader >= 0:
                row = model.jnt_dofadr[follower]
                assert not self.map[row].any()
                self.map[row, columns[leader]] = multiplier
                self.offset[row - self.base] = offset
        assert self.map.any(axis=1).all()

    def place(self, q: Array, velocity: Array, acceleration: Array) -> None:
        """Puts it into a state; of a floating base in its own axes, which are the world's."""
        data, base = self.data, self.base
        if base:
            data.qpos[:7] = [0, 0, 0, 1, 0, 0, 0]
            velocity, acceleration = map(np.array, (velocity, acceleration))
            acceleration[3:6] += np.cross(velocity[:3], velocity[3:6])
            for vector in (velocity, acceleration):
                vector[:6] = [*vector[3:6], *vector[:3]]
        data.qpos[7 if base else 0 :] = self.map[base:, base:] @ q + self.offset
        data.qvel[:] = self.map @ velocity
        data.qacc[:] = self.map @ acceleration

    def inverse_dynamics(self, gravity: Array) -> Array:
        """Forces on our coordinates, those of a floating base first: moment, force."""
        self.model.opt.gravity[:] = gravity
        mujoco.mj_inverse(self.model, self.data)
        return self._ours(self.map.T @ self.data.qfrc_inverse)

    def inertia_matrix(self) -> Array:
        """The inertia matrix of our coordinates."""
        H = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, H)
        H = self.map.T @ H @ self.map
        return self._ours(self._ours(H).T).T

    def _ours(self, values: Array) -> Array:
        if not self.base:
            return values
        return np.concatenate([values[3:6], values[:3], values[6:]])

    def poses(self, names) -> dict[str, Array]:
        """Poses of bodies and sites by name, in the base; sites come last."""
        model, data, found = self.model, self.data, {}
        for kind, position, rotation in (
            (mujoco.mjtObj.mjOBJ_BODY, data.xpos, data.xmat),
            (mujoco.mjtObj.mjOBJ_SITE, data.site_xpos, data.site_xmat),
        ):
            for name in names:
                index = mujoco.mj_name2id(model, kind, name)
                if index >= 0:
                    pose = np.eye(4)
                    pose[:3, 3], pose[:3, :3] = position[index], rotation[index].reshape(3, 3)
                    found[name] = pose
        return found


def compared(robot, theirs: InMujoco) -> dict[str, float]:
    """The largest errors between a robot and what MuJoCo computes."""
    ours, random = FullCalls(robot), np.random.default_rng(0)
    found = {"inverse_dynamics": 0.0, "inertia_matrix": 0.0, "poses": 0.0}
    for q in within_limits(robot, random, STATES):
        velocity, acceleration = random.normal(size=(2, ours.size))
        gravity = random.normal(size=3) * 5
        theirs.place(q, velocity, acceleration)
        tau = theirs.inverse_dynamics(gravity)
        expected = ours.inverse_dynamics(q, velocity, acceleration, gravity)
        H = robot.inertia_matrix(q)
        diagonal = np.sqrt(np.diagonal(H))
        poses = theirs.poses(list(robot.frame_names))
        assert poses.keys() == set(robot.frame_names)
        ours_at = dict(zip(robot.frame_names, robot.frame_poses(q), strict=True))
        for what, error in (
            ("inverse_dynamics", bounded_error(tau, expected, np.abs(expected))),
            (
                "inertia_matrix",
                bounded_error(theirs.inertia_matrix(), H, np.outer(diagonal, diagonal)),
            ),
            *(("poses", absolute_error(pose, ours_at[f])) for f, pose in poses.items()),
        ):
            found[what] = max(found[what], error)
    return found
