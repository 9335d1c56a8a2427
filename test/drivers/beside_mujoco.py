"""Robots that are described in MJCF beside MuJoCo: a line of a table for each file.

    python -m test.drivers.beside_mujoco FILE [ROOT | POSITION.yaml]

The YAML file says where loops close of a robot that is written at a dead centre.
Meshes are left out of what MuJoCo reads, so that their files need not be there.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.cli.against.mujoco_reading import without_meshes
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import Reading, read
from robcogen_ros.model.quaternions import matrix
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.drivers.usage import mujoco, usage

Array = NDArray[np.float64]

_ANGLES = ("yaw", "pitch", "roll")
_OFF = ("CONTACT", "LIMIT", "FRICTIONLOSS", "DAMPER", "ACTUATION")
GRAVITY = np.array([0.0, 0.0, -9.81])


class Beside:
    """A robot as we and as MuJoCo read it, in the coordinates of ours."""

    def __init__(self, model: mujoco.MjModel, reading: Reading) -> None:
        """The robot of a reading, which is a tree of a model."""
        self.model, self.reading, self.robot = model, reading, reading.robot
        for name in _OFF:
            model.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}")
        model.opt.gravity[:] = GRAVITY
        model.opt.density = model.opt.viscosity = 0
        model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        model.body_gravcomp[:] = model.dof_armature[:] = 0
        model.body_sameframe[:] = model.site_sameframe[:] = mujoco.mjtSameFrame.mjSAMEFRAME_NONE
        self.data = mujoco.MjData(model)
        self.base = 6 if self.robot.floating_base else 0
        self.joints = [joint for joint in reading.description.joints if joint.motion]
        self.follows = bool(reading.description.closures) or any(j.mimic for j in self.joints)
        functions = ["inverse_dynamics_fully_actuated" if self.base else "inverse_dynamics"]
        functions.append("inertia_matrix")
        if not reading.description.closures:
            functions.append("kinematics")
        if self.follows:
            functions += [f"joint_{x}" for x in ("positions", "velocities", "accelerations")]
            functions.append("coordinate_jacobian")
        self.ours = robot_of(NumpyEvaluator(Library(self.robot, [], functions)))
        self._find()

    def _find(self) -> None:
        """MuJoCo's joint for each of ours; of a ball with the angle that it is."""
        model, known = self.model, {}
        for k in range(model.njnt):
            known.setdefault(model.joint(k).name, []).append(k)
        free = int(mujoco.mjtJoint.mjJNT_FREE)
        unnamed = [k for k in known.get("", []) if model.jnt_type[k] != free]
        self.number, self.angle = [], []
        for joint in self.joints:
            stem, _, angle = joint.name.rpartition("_")
            one = joint.name in known
            ball = not one and stem in known and angle in _ANGLES
            found = known[joint.name if one else stem][0] if one or ball else unnamed.pop(0)
            self.number.append(found)
            self.angle.append(angle if ball else "")
        root = self.reading.description.links[0].name
        self.root = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, root)
        if self.base and self.root < 0:
            self.root = next(
                model.jnt_bodyid[k] for k in range(model.njnt) if not model.jnt_type[k]
            )

    def _place(self, t: Array, td: Array) -> None:
        """Puts joints somewhere; sets how velocities of MuJoCo's follow from those of ours."""
        model, data = self.model, self.data
        data.qpos[:] = model.qpos0
        self.map = np.zeros((model.nv, self.base + len(t)))
        self.bias = np.zeros(model.nv)
        balls: dict[int, dict[str, int]] = {}
        for k, (number, angle) in enumerate(zip(self.number, self.angle, strict=True)):
            if angle:
                balls.setdefault(number, {})[angle] = k
            else:
                data.qpos[model.jnt_qposadr[number]] = t[k]
                self.map[model.jnt_dofadr[number], self.base + k] = 1
        for number, places in balls.items():
            known = [angle for angle in _ANGLES if angle in places]
            own, columns = [places[angle] for angle in known], [_ANGLES.index(a) for a in known]
            stem = model.joint(number).name
            angles, rates = np.array([self._held(f"{stem}_{a}") for a in _ANGLES]), np.zeros(3)
            angles[columns], rates[columns] = t[own], td[own]
            begin = model.jnt_dofadr[number]
            quat = data.qpos[model.jnt_qposadr[number] :][:4]
            mujoco.mju_euler2Quat(quat, angles, "zyx")
            turning = _rates(angles).real[:, columns]
            self.map[begin : begin + 3, [self.base + k for k in own]] = turning
            step = 1e-30
            changes = _rates(angles + 1j * step * rates).imag / step
            self.bias[begin : begin + 3] = changes @ rates
        if self.base:
            free = model.body_jntadr[self.root]
            data.qpos[model.jnt_qposadr[free] :][:7] = [0, 0, 0, 1, 0, 0, 0]
            begin = model.jnt_dofadr[free]
            self.map[begin : begin + 3, 3:6] = self.map[begin + 3 : begin + 6, :3] = np.eye(3)
            self.free = slice(begin, begin + 3)

    def _held(self, name: str) -> float:
        """The angle at which a joint of a ball is held; 0 of one that moves."""
        written, found = (
            next((matrix(j.pose)[:3, :3] for j in robot.joints if j.name == name), np.eye(3))
            for robot in (self.reading.written, self.reading.description)
        )
        R = written.T @ found
        row, column = {"yaw": (1, 0), "pitch": (0, 2), "roll": (2, 1)}[name.rsplit("_", 1)[1]]
        return float(np.arctan2(R[row, column], R[0, 0] if row != 2 else R[1, 1]))

    def errors(self, states: int = 4, reach: float = 0.5) -> dict[str, float]:
        """The largest differences, relative to what is compared.

        Args:
            states: How many are compared.
            reach: How far joints are from zero, or what of their range, of which loops may close.
        """
        random, found = np.random.default_rng(1), dict[str, float]()
        tried = 0
        mass = float(sum(float(link.inertia.mass) for link in self.robot.links))
        model = self.model
        theirs = (
            model.body_subtreemass[self.root] if self.base else model.body_mass[self._own()].sum()
        )
        found["mass"] = abs(mass - theirs) / theirs
        while tried < 60 and states:
            tried += 1
            q = self._positions(random, reach * 0.95**tried if self.follows else reach)
            t = self.ours.joint_positions(q) if self.follows else q
            if np.isfinite(t).all():
                states -= 1
                for name, error in self._compared(q, random).items():
                    found[name] = max(found.get(name, 0.0), error)
        found["states left"] = states
        return found

    def _own(self) -> list[int]:
        """MuJoCo's bodies of the robot."""
        trees = {self.model.body_rootid[self.model.jnt_bodyid[k]] for k in self.number}
        still = [k for k in range(self.model.nbody) if self.model.body_weldid[k] == 0]
        return [
            k for k in range(self.model.nbody) if self.model.body_rootid[k] in trees or k in still
        ]

    def _positions(self, random: np.random.Generator, reach: float) -> Array:
        q = random.normal(size=self.robot.n) * reach
        for k, coordinate in enumerate(self.robot.coordinates):
            low, high = coordinate.limits.lower, coordinate.limits.upper
            if low is not None and high is not None:
                share = random.random()
                q[k] = np.clip(q[k], low, high) if self.follows else low + share * (high - low)
        return q

    def _compared(self, q: Array, random: np.random.Generator) -> dict[str, float]:
        ours, data, model = self.ours, self.data, self.model
        qd, qdd = random.normal(size=(2, len(q)))
        names = list(ours.moving_joint_names if self.follows else ours.joint_names)
        order = [names.index(joint.name) for joint in self.joints]
        t, td, tdd, G = q, qd, qdd, np.eye(len(q))
        if self.follows:
            t, td = ours.joint_positions(q), ours.joint_velocities(q, qd)
            tdd, G = ours.joint_accelerations(q, qd, qdd), ours.coordinate_jacobian(q)
        t, td, tdd, G = t[order], td[order], tdd[order], G[order]
        self._place(t, td)
        whole = np.zeros((self.base + len(t), self.base + len(q)))
        whole[: self.base, : self.base], whole[self.base :, self.base :] = np.eye(self.base), G
        to_mujoco = self.map @ whole
        velocity, acceleration = random.normal(size=(2, self.base))
        data.qvel[:] = self.map @ [*velocity, *td]
        data.qacc[:] = self.map @ [*acceleration, *tdd] + self.bias
        if self.base:
            data.qacc[self.free] += np.cross(velocity[:3], velocity[3:])
        found = self._closed(to_mujoco)
        H = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, H)
        H = to_mujoco.T @ H @ to_mujoco
        scale = np.sqrt(np.diagonal(H))
        found["inertia matrix"] = _most((ours.inertia_matrix(q) - H) / np.outer(scale, scale))
        found["inverse dynamics"] = self._forces(to_mujoco, (q, qd, qdd), velocity, acceleration)
        data.qvel[:] = data.qacc[:] = 0
        still = np.zeros(self.base)
        found["gravity"] = self._forces(to_mujoco, (q, 0 * q, 0 * q), still, still)
        found["poses"] = self._poses(q)
        return found

    def _closed(self, to_mujoco: Array) -> dict[str, float]:
        """How far MuJoCo's equalities between joints of the robot are from being kept."""
        model, data = self.model, self.data
        mujoco.mj_fwdPosition(model, data)
        J = data.efc_J.reshape(-1, model.nv) if data.nefc else np.zeros((0, model.nv))
        foreign = ~np.abs(self.map).any(axis=1)
        own = [k for k, row in enumerate(J) if not row[foreign].any()]
        return {
            "equality": _most(data.efc_pos[own]),
            "equality's Jacobian": _most(J[own] @ to_mujoco) / max(1.0, _most(to_mujoco)),
        }

    def _forces(
        self, to_mujoco: Array, state: tuple[Array, ...], velocity: Array, acceleration: Array
    ) -> float:
        flags = self.model.opt.disableflags
        self.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        mujoco.mj_inverse(self.model, self.data)
        self.model.opt.disableflags = flags
        expected = to_mujoco.T @ self.data.qfrc_inverse
        if self.base:
            tau, wrench = self.ours.inverse_dynamics_fully_actuated(
                *state, velocity, acceleration, GRAVITY
            )
            tau = np.concatenate([wrench, tau])
        else:
            tau = self.ours.inverse_dynamics(*state)
        return _most(tau - expected) / max(_most(expected), 1e-9)

    def _poses(self, q: Array) -> float:
        """The largest difference of where bodies and sites are that have names."""
        data, model = self.data, self.model
        found = 0.0
        if self.reading.description.closures:
            return found
        for name, pose in zip(self.ours.frame_names, self.ours.frame_poses(q), strict=True):
            for kind, at, turned in (
                (mujoco.mjtObj.mjOBJ_BODY, data.xpos, data.xmat),
                (mujoco.mjtObj.mjOBJ_SITE, data.site_xpos, data.site_xmat),
            ):
                number = mujoco.mj_name2id(model, kind, name)
                if number >= 0:
                    found = max(found, _most(at[number] - pose[:3, 3]))
                    found = max(found, _most(turned[number].reshape(3, 3) - pose[:3, :3]))
                    break
        return found

    def agree(self) -> None:
        """Fails where the two differ."""
        found = self.errors()
        assert found.pop("states left") == 0
        assert all(error < 1e-10 for error in found.values()), found


def _rates(angles: Array) -> Array:
    """What a body's angular velocity, in its axes, is of the rates of yaw, pitch and roll."""
    _, p, r = angles
    sp, cp, sr, cr = np.sin(p), np.cos(p), np.sin(r), np.cos(r)
    return np.array([[-sp, 0 * p, 1 + 0 * p], [sr * cp, cr, 0 * p], [cr * cp, -sr, 0 * p]])


def _most(values: Array) -> float:
    return float(np.abs(values).max(initial=0.0))


def main(path: str, given: str = "") -> None:
    """Prints the line of a file."""
    option = {"loops" if given.endswith(".yaml") else "root": given} if given else {}
    try:
        found = read(path, snap_angles=0.0, terms=["springs"], **option)
        side = Beside(without_meshes(mujoco, path), found)
        errors = side.errors()
        loops = len(found.description.linked)
        print(
            f"{path} | {found.robot.n}{' + 6' if side.base else ''} | {side.model.neq} | {loops} | "
            f"{sum(j.mimic is not None for j in side.joints)} |",
            ", ".join(f"{name} {error:.1g}" for name, error in errors.items()),
        )
        for problem in found.warnings:
            if problem.severity == "warning":
                print("   ", problem)
    except RobcogenError as error:
        print(f"{path} | refused:", str(error).splitlines()[0])


if __name__ == "__main__":
    with usage(__doc__, 1):
        main(*sys.argv[1:])
