"""Memory and time that `robcogen identify` takes for an hour of a Panda at 1 kHz.

bootstrap/run python -m test.drivers.long_recording [MINUTES]
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import tempfile
import time

import numpy as np

import robcogen_ros
from robcogen_ros.cli.main import main as robcogen
from test.drivers.usage import usage
from test.support.robots import robot_path

PANDA = robot_path("panda_description/urdf/panda.urdf")
FINGERS = {"panda_finger_joint1": 0.0}
STEP, BLOCK = 0.001, 20_000


def write(file: str, states: int) -> None:
    """Writes sums of two sines a joint, with damping of 0.5 N m s/rad."""
    robot = robcogen_ros.build(PANDA, backend="numpy", lock=FINGERS, functions=["inverse_dynamics"])
    rate, phase = np.random.default_rng(0).uniform((0.5, 0), (3, 6), (robot.n, 2)).T
    middle = (robot.lower_limits + robot.upper_limits) / 2
    q, tau = np.empty((2, states, robot.n))
    for begin in range(0, states, BLOCK):
        rows = slice(begin, min(begin + BLOCK, states))
        time_ = STEP * np.arange(rows.start, rows.stop)[:, None]
        waves = [(0.5, rate), (0.3, 1.7 * rate)]
        q[rows] = middle + sum(a * np.sin(w * time_ + phase) for a, w in waves)
        qd = sum(a * w * np.cos(w * time_ + phase) for a, w in waves)
        qdd = -sum(a * w**2 * np.sin(w * time_ + phase) for a, w in waves)
        tau[rows] = robot.inverse_dynamics(q[rows], qd, qdd) + 0.5 * qd
    np.savez(file, time=STEP * np.arange(states), q=q, tau=tau, joint_names=robot.joint_names)


def main(minutes: float) -> None:
    """Prints the most memory that this process took, and its time; another one writes the file."""
    states = round(60 * minutes / STEP)
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/hour.npz"
        writer = multiprocessing.get_context("spawn").Process(target=write, args=(file, states))
        writer.start()
        writer.join()
        begin = time.process_time()
        words = ["--lock", "panda_finger_joint1=0", "--with", "damping", "--quiet"]
        assert robcogen(["identify", str(PANDA), file, *words]) == 0
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{states} states: {time.process_time() - begin:.1f} s of CPU, {most:.0f} MB")


if __name__ == "__main__":
    with usage(__doc__):
        main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
