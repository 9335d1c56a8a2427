"""Robots as MJCF in MuJoCo, as SDF in Pinocchio: the same forces, matrices and poses as ours.

python -m test.oracle.exported [--sdf] [NAME ...]     # robots of example-robot-data, both bases
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import re
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import robcogen_ros
from robcogen_ros.cli import urdf2mjcf, urdf2sdf
from test.support import in_mujoco, sdf_model
from test.support.robots import oracle_robots, robot_path
from test.support.scaled import wrong


class RefusedError(Exception):
    """A robot that cannot be written, and why."""


def written(name: str, floating: bool, folder: str, sdf: bool = False) -> Path:
    """A robot as MJCF or SDF."""
    path, told = Path(folder, "robot.sdf" if sdf else "robot.xml"), io.StringIO()
    command = urdf2sdf if sdf else urdf2mjcf
    with contextlib.redirect_stderr(told):
        code = command.main(
            [str(robot_path(name)), "-o", str(path), *["--floating-base"] * floating]
        )
    if code:
        raise RefusedError(told.getvalue())
    return path


def errors(name: str, floating: bool, sdf: bool = False) -> dict[str, float]:
    """The largest errors of a robot in MuJoCo, or of its SDF in Pinocchio."""
    urdf, terms = robot_path(name), () if sdf else in_mujoco.TERMS
    with tempfile.TemporaryDirectory() as folder:
        path = written(name, floating, folder, sdf)
        robot = robcogen_ros.build(urdf, floating_base=floating, backend="numpy", terms=terms)
        if sdf:
            return sdf_model.compared(robot, urdf, path.read_text())
        return in_mujoco.compared(robot, in_mujoco.InMujoco(robot, path))


def main() -> int:
    """Runs the comparisons; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("robots", nargs="*", help="parts of file names")
    parser.add_argument("--sdf", action="store_true", help="as SDF")
    parser.add_argument("--jobs", type=int, default=2, help="robots at a time")
    options = parser.parse_args()
    names = [
        n for n in oracle_robots() if not options.robots or any(r in n for r in options.robots)
    ]
    cases = list(itertools.product(names, (False, True)))
    good, refused, worst = 0, 0, {}
    with ProcessPoolExecutor(max_workers=options.jobs) as pool:
        for (name, floating), future in [
            (case, pool.submit(errors, *case, options.sdf)) for case in cases
        ]:
            case = f"{name:70} {'floating' if floating else 'fixed':9}"
            try:
                found = future.result()
            except RefusedError as error:
                refused += 1
                told = [line for line in str(error).splitlines() if re.search("error:", line)]
                print(f"{case} refused: {'; '.join(told)}", flush=True)
                continue
            except Exception as error:
                print(f"{case} {type(error).__name__}: {error}", flush=True)
                continue
            bad = wrong(found)
            good += not bad
            for what, error in found.items():
                worst[what] = max(worst.get(what, 0.0), error)
            shown = "".join(f"  {'WRONG ' * (f in bad)}{f} {e:.1e}" for f, e in found.items())
            print(f"{case}{shown}", flush=True)
    largest = ", ".join(f"{what} {error:.1e}" for what, error in worst.items())
    print(f"{good} of {len(cases)} are ours, {refused} refused; largest errors: {largest}")
    return 0 if good + refused == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
