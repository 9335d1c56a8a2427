"""Arms of others under the controller of a tool, moved by MuJoCo.

`python -m test.drivers.task_space_in_mujoco [FILE BASE TOOL [JOINT]]` prints a table: an arm is
told to go 2 m away and back, goes through the singular position in which JOINT is 0 (of a spherical
wrist), each with the apparent mass bounded and not, and by the law of crisp_controllers with the
same stiffness; then it pushes a wall with 10 N for as long as `--seconds`. `--picture FILE.png`
draws the efforts that are asked for there.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.bench.robot_file import mjcf
from robcogen_ros.bench.robots import robot_path
from robcogen_ros.control.task_space_controller import TaskSpaceController
from robcogen_ros.formats.bodies import depth_first
from robcogen_ros.formats.read import reading_of
from robcogen_ros.model.options import ModelOptions
from robcogen_ros.plots import style
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.interpreted import InterpretedEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.drivers.usage import mujoco, usage

Array = NDArray[np.float64]
ARMS = (
    ("panda_description/urdf/panda.urdf", "panda_link0", "panda_link8", ""),
    ("ur_description/urdf/ur5_robot.urdf", "base_link", "tool0", "wrist_2_joint"),
    ("z1_description/urdf/z1.urdf", "link00", "link06", "joint5"),
)
FUNCTIONS = ("inverse_dynamics", "inertia_matrix_inverse", "kinematics")
STEP = 1e-3
STIFFNESS = np.array([50.0, 50.0, 50.0, 600.0, 600.0, 600.0])
MODES = ("impedance", "motion")


@dataclass(frozen=True)
class Trial:
    """What an arm did.

    Attributes:
        scale: The least part of the efforts beyond the weight that limits of effort left.
        speed: The greatest velocity of a joint [rad/s].
        off: The greatest error of the way, where the reference is within reach [m].
        end: The error in the end, as a distance [m].
        demand: Efforts beyond the weight over the limits of effort, the greatest of each cycle.
    """

    scale: float
    speed: float
    off: float
    end: float
    demand: Array


class Arm:
    """An arm in MuJoCo; a ball at its tool touches a wall, if there is one."""

    def __init__(self, path: Path, base: str, tool: str) -> None:
        reading = reading_of(path, ModelOptions(tips=(tool,)))
        self.model = reading.robot
        assert depth_first(self.model) == list(range(self.model.n)), "no joints that follow"
        self.robot = robot_of(InterpretedEvaluator(Library(self.model, list(FUNCTIONS))))
        self.base, self.tool = base, tool
        self.n = self.robot.n

    def pose(self, q: Array) -> Array:
        return np.asarray(self.robot.transform(self.base, self.tool, q))

    def simulated(self, q: Array, wall: Array | None = None) -> mujoco.MjData:
        """MuJoCo's state of the arm at rest, before a wall at a height [m] of the robot's base."""
        spec = mujoco.MjSpec.from_string(mjcf(self.model))
        spec.option.timestep = STEP
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        for joint in spec.joints:
            joint.damping = [0.1, 0.0, 0.0]
        if wall is not None:
            spec.worldbody.add_geom(
                name="wall", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[2, 2, 0.1], pos=wall
            )
            summary = self.robot._evaluator.summary
            number = next(f.link for f in summary.frames if f.name == self.tool)
            plain = spec.compile()
            before = mujoco.MjData(plain)
            before.qpos[:] = q
            mujoco.mj_forward(plain, before)
            turned = before.xmat[number].reshape(3, 3)
            place = turned.T @ (self.pose(q)[:3, 3] - before.xpos[number])
            ball = mujoco.mjtGeom.mjGEOM_SPHERE
            spec.bodies[number].add_geom(type=ball, size=[0.01], pos=place, mass=0)
        model = spec.compile()
        self.mujoco, data = model, mujoco.MjData(model)
        data.qpos[:] = q
        mujoco.mj_forward(model, data)
        return data

    def controller(self, **settings: Any) -> TaskSpaceController:
        given = {"stiffness": STIFFNESS, "activation_time": 0.0, **settings}
        return TaskSpaceController(self.robot, self.base, self.tool, given, state_timeout=0.1)


Law = Callable[[float, Array, Array, Array], tuple[Array, Array, float, float]]
"""Of a time [s], joints, their rates and a pose: efforts, those of the weight, the part that limits
leave of what is asked for beyond it, and the error of the way [m]."""


def ours(arm: Arm, **settings: Any) -> Law:
    """Returns the law of the task-space controller."""
    control = arm.controller(**settings)

    def law(time: float, q: Array, qd: Array, pose: Array) -> tuple[Array, Array, float, float]:
        control.ask(pose=_numbers(pose))
        command = control.receive(arm.robot.joint_names, q, qd, time, time)
        assert command is not None
        report = control.report()
        off = float(np.linalg.norm(report["error"][3:]))
        return command.effort, report["gravity"], command.scale, off

    return law


def crisp(arm: Arm, mode: str, stiffness: Array, posture: Array) -> Law:
    """Returns the law of crisp_controllers, cartesian_controller.cpp at commit 8093548.

    J' (K e - D J qd), or J' M (K e - D J qd) with M the inverse of J H^-1 J' regularised by 1e-4,
    and N (q0 - q - 2 qd) with N = 1 - J^+ J and J^+ regularised by 1e-6, as by default, D = 2
    sqrt(K) and errors up to 0.1 m and 0.5 rad. Its filter of the target and its bound of changes of
    efforts are left out; the weight is added, and efforts end at their limits together.
    """
    limits = np.where(arm.robot.effort_limits < 1e9, arm.robot.effort_limits, np.inf)
    zero, most = np.zeros(arm.n), np.array([0.5, 0.5, 0.5, 0.1, 0.1, 0.1])

    def inverse(matrix: Array, regular: float) -> Array:
        u, size, v = np.linalg.svd(matrix, full_matrices=False)
        return v.T @ np.diag(size / (size**2 + regular**2)) @ u.T

    def law(time: float, q: Array, qd: Array, pose: Array) -> tuple[Array, Array, float, float]:
        now, J = arm.pose(q), arm.robot.jacobian(arm.base, arm.tool, q)
        turn = np.zeros(3)
        mujoco.mju_quat2Vel(turn, _quaternion(pose @ np.linalg.inv(now)), 1.0)
        error = np.concatenate([turn, pose[:3, 3] - now[:3, 3]])
        force = stiffness * np.clip(error, -most, most) - 2 * np.sqrt(stiffness) * (J @ qd)
        if mode == "motion":
            force = inverse(J @ arm.robot.inertia_matrix_inverse(q) @ J.T, 1e-4) @ force
        idle = np.eye(arm.n) - inverse(J, 1e-6) @ J
        beyond = J.T @ force + idle @ (posture - q - 2 * qd)
        gravity = arm.robot.inverse_dynamics(q, zero, zero)
        scale = min(1.0, 1.0 / float(np.max(np.abs(beyond) / limits)))
        return gravity + scale * beyond, gravity, scale, float(np.linalg.norm(error[3:]))

    return law


def driven(arm: Arm, start: Array, way: Array, law: Law) -> Trial:
    """Returns how an arm follows poses (k, 4, 4) of the tool, one a millisecond."""
    data = arm.simulated(start)
    limits = np.where(arm.robot.effort_limits < 1e9, arm.robot.effort_limits, np.inf)
    worst, speed, off, demand = 1.0, 0.0, 0.0, []
    for k, pose in enumerate(way):
        effort, gravity, scale, error = law((k + 1) * STEP, data.qpos, data.qvel, pose)
        data.qfrc_applied[:] = effort
        mujoco.mj_step(arm.mujoco, data)
        demand.append(float(np.max(np.abs(effort - gravity) / scale / limits)))
        worst, speed = min(worst, scale), max(speed, float(np.abs(data.qvel).max()))
        off = max(off, error)
    end = float(np.linalg.norm(arm.pose(data.qpos)[:3, 3] - way[-1][:3, 3]))
    return Trial(worst, speed, off, end, np.array(demand))


def through(arm: Arm, joint: str) -> tuple[Array, Array]:
    """Returns a start and a way through the position in which a joint is 0."""
    k = arm.robot.joint_names.index(joint)
    q = _middle(arm)
    angles = 0.4 * np.cos(np.pi * np.clip(np.arange(3000) / 2500, 0, 1))
    joints = np.tile(q, (len(angles), 1))
    joints[:, k] = angles
    return joints[0], arm.pose(joints)


def outwards(arm: Arm) -> tuple[Array, Array]:
    """Returns a start and a way out of reach, and back."""
    q = _middle(arm)
    pose = arm.pose(q)
    side = pose[:3, 3] * [1, 1, 0]
    away = 2.0 * np.sin(np.pi * np.clip(np.arange(8000) / 7000, 0, 1)) ** 2
    way = np.tile(pose, (len(away), 1, 1))
    way[:, :3, 3] += np.outer(away, side / np.linalg.norm(side))
    return q, way


def pushing(arm: Arm, seconds: float) -> tuple[float, float]:
    """Returns the force on a wall below the tool in the last second, and how far it varies [N]."""
    q = _middle(arm)
    origin = arm.pose(q)[:3, 3]
    data = arm.simulated(q, wall=origin - [0.0, 0.0, 0.05])
    normal = {"stiffness": STIFFNESS * [1, 1, 1, 1, 1, 0], "damping": np.eye(6)[5] * 200}
    control, forces = arm.controller(**normal), []
    for k in range(round(seconds / STEP)):
        control.ask(wrench=[0.0, 0.0, 0.0, 0.0, 0.0, -10.0])
        time = (k + 1) * STEP
        command = control.receive(arm.robot.joint_names, data.qpos, data.qvel, time, time)
        assert command is not None
        data.qfrc_applied[:] = command.effort
        mujoco.mj_step(arm.mujoco, data)
        force = np.zeros(6)
        if data.ncon:
            mujoco.mj_contactForce(arm.mujoco, data, 0, force)
        forces.append(force[0])
    late = np.array(forces[-1000:])
    return float(late.mean()), float(np.abs(late - late.mean()).max())


def picture(arm: Arm, joint: str, path: Path) -> None:
    """Draws the efforts that are asked for on the way through a singular position."""
    start, way = through(arm, joint)
    with style.picture(path, (6.0, 3.2)) as figure:
        axes = figure.subplots()
        for most, name in ((np.inf, "without a bound"), (100.0, "apparent mass at most 100 kg")):
            law = ours(arm, apparent_mass_limit=most, posture=_middle(arm))
            demand = driven(arm, start, way, law).demand
            axes.plot(np.arange(len(demand)) * STEP, demand, label=name)
        axes.axhline(1.0, color="grey", linestyle=":", label="limit of effort")
        axes.set_yscale("log")
        axes.set_ylim(1e-5, 10.0)
        axes.set_xlabel("time [s]")
        axes.set_ylabel("effort asked for, over its limit")
        axes.legend()


def _numbers(pose: Array) -> Array:
    w, *xyz = _quaternion(pose)
    return np.array([*pose[:3, 3], *xyz, w])


def _quaternion(pose: Array) -> Array:
    result = np.zeros(4)
    mujoco.mju_mat2Quat(result, np.ascontiguousarray(pose[:3, :3]).reshape(9))
    return result


def _middle(arm: Arm) -> Array:
    """Returns bent positions within limits."""
    lower, upper = (np.clip(x, -2.5, 2.5) for x in (arm.robot.lower_limits, arm.robot.upper_limits))
    bent = np.array([0.3, -0.6, 0.4, -1.5, 0.4, 1.2, 0.3])
    best = np.clip(np.resize(bent, arm.n), 0.8 * lower + 0.2 * upper, 0.2 * lower + 0.8 * upper)
    return np.asarray(best)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("arm", nargs="*", help="FILE BASE TOOL [JOINT]")
    parser.add_argument("--seconds", type=float, default=6.0, help="at the wall")
    parser.add_argument("--picture", type=Path)
    given = parser.parse_args()
    arms = [given.arm] if given.arm else ARMS
    print("arm, way, mode | demand over limit, least scale, joint speed, error of the way, end [m]")
    for file, base, tool, *joint in arms:
        path = Path(file) if Path(file).exists() else robot_path(file)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            arm = Arm(path, base, tool)
        if given.picture and joint and joint[0]:
            picture(arm, joint[0], given.picture)
            return
        ways = {"out of reach": outwards(arm)}
        if joint and joint[0]:
            ways[f"through {joint[0]} = 0"] = through(arm, joint[0])
        for name, (start, way) in ways.items():
            for mode in MODES:
                stiff = STIFFNESS if mode == "impedance" else np.full(6, 200.0)
                at, posture = MODES.index(mode), _middle(arm)
                settings = {"mode": at, "stiffness": stiff, "posture": posture}
                laws = {
                    f"m = {most:g}": ours(arm, apparent_mass_limit=most, **settings)
                    for most in (100.0, np.inf)
                }
                laws["crisp_controllers"] = crisp(arm, mode, stiff, posture)
                for which, law in laws.items():
                    trial = driven(arm, start, way, law)
                    told = (trial.demand.max(), trial.scale, trial.speed, trial.off, trial.end)
                    print(f"{arm.robot.name}, {name}, {mode}, {which} |", end=" ")
                    print(", ".join(f"{number:.3g}" for number in told), flush=True)
        mean, varies = pushing(arm, given.seconds)
        print(f"{arm.robot.name}: 10 N on a wall: {mean:.4f} N, varies by {varies:.2g} N")


if __name__ == "__main__":
    with usage():
        main()
