"""Robots as MJCF in MuJoCo: the same forces, inertia matrices and poses as ours.

python -m test.oracle.exported [NAME ...]     # all robots of example-robot-data, both bases
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
from robcogen_ros.cli import urdf2mjcf
from test.support.in_mujoco import TERMS, InMujoco, compared, wrong
from test.support.robots import oracle_robots, robot_path


class RefusedError(Exception):
    """A robot that cannot be written, and why."""


def written(name: str, floating: bool, folder: str) -> tuple[Path, str]:
    """A robot as MJCF, and what the command says about it."""
    path, told = Path(folder, "robot.xml"), io.StringIO()
    options = ["--floating-base"] * floating
    with contextlib.redirect_stderr(told):
        code = urdf2mjcf.main([str(robot_path(name)), "-o", str(path), *options])
    if code:
        raise RefusedError(told.getvalue())
    return path, told.getvalue()


def errors(name: str, floating: bool) -> dict[str, float]:
    """The largest errors of a robot in MuJoCo."""
    with tempfile.TemporaryDirectory() as folder:
        path, _ = written(name, floating, folder)
        robot = robcogen_ros.build(
            robot_path(name), floating_base=floating, backend="numpy", terms=TERMS
        )
        return compared(robot, InMujoco(robot, path))


def main() -> int:
    """Runs the comparisons; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("robots", nargs="*", help="parts of file names")
    parser.add_argument("--jobs", type=int, default=2, help="robots at a time")
    options = parser.parse_args()
    names = [
        n for n in oracle_robots() if not options.robots or any(r in n for r in options.robots)
    ]
    cases = list(itertools.product(names, (False, True)))
    good, refused, worst = 0, 0, {}
    with ProcessPoolExecutor(max_workers=options.jobs) as pool:
        for (name, floating), future in [(case, pool.submit(errors, *case)) for case in cases]:
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
