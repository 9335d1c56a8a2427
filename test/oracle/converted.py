"""Converts every robot to the Kinematics-DSL and back, and compares what comes out with Pinocchio.

    python -m test.oracle.converted [--jobs 2] [robot ...]

The oracle reads the original URDF. Fixed joints are lumped or kept; the base is fixed or floats.
All but forward dynamics is held to 1e-12 of its scale, forward dynamics to a residual of 1e-12.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

import robcogen_ros
from robcogen_ros.cli import kindsl2urdf, urdf2kindsl
from test.oracle.comparison import rows
from test.oracle.states import random_states
from test.support.full_calls import FullCalls
from test.support.pinocchio_oracle import PinocchioOracle
from test.support.robots import oracle_robots, robot_path
from test.support.scaled import absolute_error, force_error, matrix_error, motion_residual

TOLERANCE = 1e-12
STATES = 3
_RENAMED = re.compile(r"^// (?:link|frame) (\S+) is '(.*)' in the original$", re.MULTILINE)


def errors(name: str, floating: bool, keep_fixed: bool) -> dict[str, float]:
    """The largest error of each function, of the robot as Kinematics-DSL and as URDF again."""
    oracle = PinocchioOracle(robot_path(name), floating)
    with tempfile.TemporaryDirectory() as folder:
        kindsl, urdf = Path(folder, "robot.kindsl"), Path(folder, "robot.urdf")
        options = ["--keep-fixed"] * keep_fixed + ["--floating-base"] * floating
        assert urdf2kindsl.main([str(robot_path(name)), "-o", str(kindsl), *options]) == 0
        assert kindsl2urdf.main([str(kindsl), "-o", str(urdf)]) == 0
        written = {old: new for new, old in _RENAMED.findall(kindsl.read_text())}
        found = {}
        for path in (kindsl, urdf):
            robot = robcogen_ros.build(path, backend="numpy")
            assert robot.floating_base == floating
            for function, error in _errors(robot, oracle, written):
                found[f"{path.suffix[1:]} {function}"] = error
    return found


def wrong(found: dict[str, float]) -> dict[str, float]:
    """Functions that are too far from the oracle, and how far."""
    return {function: error for function, error in found.items() if not error <= TOLERANCE}


def _errors(robot, oracle: PinocchioOracle, written: dict[str, str]) -> Iterator[tuple[str, float]]:
    s = random_states(robot.n, len(robot.link_names), robot.floating_base, STATES)
    ours, rest = FullCalls(robot), np.zeros_like(s.velocity)
    tau = rows(oracle.inverse_dynamics, s.q, s.velocity, s.acceleration, s.gravity)
    found = ours.inverse_dynamics(s.q, s.velocity, s.acceleration, s.gravity)
    yield "inverse_dynamics", force_error(found, tau)
    H = rows(oracle.inertia_matrix, s.q)
    yield "inertia_matrix", matrix_error(robot.inertia_matrix(s.q), H)
    yield "frame_poses", max(_pose_errors(robot, oracle, s.q, written))
    if "forward_dynamics" not in robot.unavailable:
        bias = rows(oracle.inverse_dynamics, s.q, s.velocity, rest, s.gravity)
        full = np.concatenate([np.zeros((len(s.q), ours.size - robot.n)), s.tau], axis=1)
        found = ours.forward_dynamics(s.q, s.velocity, s.tau, s.gravity)
        yield "forward_dynamics", motion_residual(H, bias, found, full)


def _pose_errors(robot, oracle, q, written: dict[str, str]) -> Iterator[float]:
    """Every link of the original is a frame still, where it was."""
    base = robot.link_names[0]
    for name in oracle.frame_names:
        expected = rows(lambda q, name=name: oracle.frame_pose(name, q), q)
        yield absolute_error(robot.transform(base, written.get(name, name), q), expected)


def main() -> int:
    """Runs the comparisons; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("robots", nargs="*", help="parts of file names")
    parser.add_argument("--jobs", type=int, default=2, help="robots at a time")
    options = parser.parse_args()
    names = [
        n for n in oracle_robots() if not options.robots or any(r in n for r in options.robots)
    ]
    cases = list(itertools.product(names, (False, True), (False, True)))
    good, largest = 0, 0.0
    with ProcessPoolExecutor(max_workers=options.jobs) as pool:
        for case, future in [(case, pool.submit(errors, *case)) for case in cases]:
            name, floating, keep_fixed = case
            form = f"{'floating' if floating else 'fixed':9}{'kept' if keep_fixed else 'lumped':7}"
            try:
                found = future.result()
            except Exception as error:
                print(f"{name:70} {form} {type(error).__name__}: {error}", flush=True)
                continue
            bad = wrong(found)
            good, largest = good + (not bad), max(largest, *found.values())
            shown = "".join(f"  WRONG {f} {e:.1e}" for f, e in bad.items())
            print(f"{name:70} {form} {max(found.values()):.1e}{shown}", flush=True)
    print(f"{good} of {len(cases)} equal Pinocchio, largest error {largest:.1e}")
    return 0 if good == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
