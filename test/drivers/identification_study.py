"""How often intervals of two standard errors hold the true base parameters, over simulated runs.

    bootstrap/run python -m test.drivers.identification_study [RUNS [URDF ...]]

Panda, UR5, xArm 7 and URDFs that are named move by Fourier series within their limits for 60 s at
1 kHz. Positions have noise of 1e-4 rad, efforts of 0.5 % of their limits; velocities are derived.
Then: whether the nearest bodies exist, how long a run takes.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import robcogen_ros
from robcogen_ros.identification.noise import Disturbed
from robcogen_ros.identification.physical import physical
from robcogen_ros.identification.pseudo_inertia import is_physical
from robcogen_ros.recordings import Recording
from test.drivers.usage import usage
from test.support.robots import robot_path

ROBOTS = {
    "Panda": "panda_description/urdf/panda.urdf",
    "UR5": "ur_description/urdf/ur5_robot.urdf",
    "xArm7": "xarm_description/urdf/xarm7.urdf",
}
DURATION, STEP, ANGLE, FORCE = 60.0, 1e-3, 1e-4, 0.005
TERMS = ("damping", "friction")
DAMPING, FRICTION = 0.5, 0.8


def excitation(robot, random):
    """Returns times, positions, velocities, accelerations of a Fourier series within limits."""
    time_ = np.arange(0, DURATION, STEP)
    lower = np.maximum(robot.lower_limits, -np.pi)
    upper = np.minimum(robot.upper_limits, np.pi)
    w = 2 * np.pi * 0.1 * np.arange(1, 6)
    a, b = random.normal(size=(2, 5, robot.n))
    s, c = np.sin(np.outer(time_, w)), np.cos(np.outer(time_, w))
    q, qd, qdd = s @ a + c @ b, (c * w) @ a - (s * w) @ b, -(s * w**2) @ a - (c * w**2) @ b
    speed = np.where(np.isfinite(robot.velocity_limits), robot.velocity_limits, 2.0)
    half = (upper - lower) / 2
    scale = np.minimum(0.7 * half / np.abs(q).max(axis=0), 0.7 * speed / np.abs(qd).max(axis=0))
    return time_, (upper + lower) / 2 + scale * q, scale * qd, scale * qdd


def runs(robot, numbers: range, folder: str):
    """Yields errors in standard errors, whether all bodies exist, seconds of each run."""
    limits = np.where(np.isfinite(robot.effort_limits), robot.effort_limits, 50.0)
    for run in numbers:
        random = np.random.default_rng(run)
        time_, q, qd, qdd = excitation(robot, random)
        tau = robot.inverse_dynamics(q, qd, qdd) + DAMPING * qd
        tau += FRICTION * 1000 * qd / np.sqrt((1000 * qd) ** 2 + 1)
        tau += FORCE * limits * random.normal(size=tau.shape)
        noisy = q + ANGLE * random.normal(size=q.shape)
        start = time.perf_counter()
        recording = Path(f"{folder}/run.npz")
        np.savez(recording, time=time_, q=noisy, tau=tau)
        recording = Recording(recording, robot.joint_names)
        disturbed = Disturbed(robot.identification(terms=TERMS))
        for part in recording:
            disturbed.add(recording, part, ~part.turns)
        found = disturbed.solve("residuals")
        true = robot.inertial_parameters()
        terms = {"damping": np.full(robot.n, DAMPING), "friction": np.full(robot.n, FRICTION)}
        expected = found.base.grouping @ np.concatenate([true.ravel(), *terms.values()])
        near = physical(found, true, 0 * true, {term: 0 * terms[term] for term in terms})
        exist = all(is_physical(body) for body in near.bodies if body[0] > 0)
        exist &= min(values.min() for values in near.joints.values()) >= 0
        took = time.perf_counter() - start
        yield (found.values - expected) / found.standard_errors, exist, took, found.condition


def main(folder: str, count: int, *files: str) -> None:
    """Prints a line for each robot."""
    print(
        f"{'robot':8} {'runs':>5} {'within 2':>9} {'worst parameter':>16} real  condition  s a run"
    )
    names = ["inverse_dynamics", "inverse_dynamics_regressor", "inertial_parameters"]
    own = {name: robot_path(path) for name, path in ROBOTS.items()}
    for name, path in {**own, **{Path(file).stem: file for file in files}}.items():
        fingers = {"panda_finger_joint1": 0.0} if name == "Panda" else {}
        robot = robcogen_ros.build(path, backend="numpy", functions=names, lock=fingers)
        errors, exist, took, condition = zip(*runs(robot, range(count), folder), strict=True)
        within = np.abs(np.array(errors)) < 2
        told = (
            f"{name:8} {count:5d} {100 * within.mean():8.1f}%",
            f"{100 * within.mean(axis=0).min():14.0f}% {sum(exist)}/{count}",
            f"{np.median(condition):9.0f} {np.mean(took):6.1f}",
        )
        print(*told, flush=True)


if __name__ == "__main__":
    with usage(__doc__), tempfile.TemporaryDirectory() as folder:
        main(folder, int(sys.argv[1]) if len(sys.argv) > 1 else 100, *sys.argv[2:])
