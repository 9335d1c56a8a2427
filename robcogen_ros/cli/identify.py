"""The command identify: inertial parameters of a robot, from recorded motions and forces."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.cli.exits import OK
from robcogen_ros.cli.model_options import add_model_options, read_model, warn
from robcogen_ros.cli.parser import command_parser
from robcogen_ros.cli.recording_options import add_recording_options, recordings
from robcogen_ros.cli.running import add_quiet_option, run
from robcogen_ros.cli.writing import STDOUT, check_output, write
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from robcogen_ros.progress import task
from robcogen_ros.runtime.compile import build_compiled
from robcogen_ros.runtime.identified import RESIDUALS, Identified
from robcogen_ros.runtime.robot_of import robot_of

_FUNCTIONS = ("inverse_dynamics_regressor", "inertial_parameters")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    parser = command_parser(
        "identify",
        "Find the base parameters of a robot, the combinations of inertial parameters "
        "that forces tell of, from recorded motions of any length: docs/derivatives.md.",
        "arm.urdf recording.csv",
    )
    add_model_options(parser)
    add_recording_options(parser)
    parser.add_argument(
        "--offset", action="store_true", help="also find the offset of each effort sensor"
    )
    parser.add_argument(
        "--weights",
        choices=(RESIDUALS, "equal"),
        default=RESIDUALS,
        help="how the forces of each joint are weighted: by their residuals, or equally "
        "(default: %(default)s)",
    )
    parser.add_argument("--json", metavar="FILE", help="write everything as JSON; - is stdout")
    add_quiet_option(parser)
    return run(_identify, parser.parse_args(argv))


def _identify(options: argparse.Namespace) -> int:
    check_output(options.json)
    terms, options.terms = [*options.terms, *(["offset"] if options.offset else [])], []
    reading = read_model(options)
    warn(reading.warnings)
    robot, start = reading.robot, time.perf_counter()
    found, described, notes = _found(robot, terms, options)
    seconds = time.perf_counter() - start
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    if options.json != STDOUT:
        print("\n".join(_table(robot, found, described, seconds)))
    if options.json:
        write(options.json, json.dumps(_data(robot, found, described), indent=1) + "\n")
    return OK


def _found(
    robot: Robot, terms: Sequence[str], options: argparse.Namespace
) -> tuple[Identified, NDArray[np.float64], list[str]]:
    """What recordings tell, what the description says, and what was odd."""
    if robot.floating_base:
        raise RobcogenError(
            f"robot '{robot.name}' has a floating base, on which joint states tell no forces; use "
            "robot.identification() in Python with the wrench on it"
        )
    if not robot.n:
        raise RobcogenError(f"robot '{robot.name}' has no joint that moves")
    compiled = robot_of(build_compiled(Library(robot, _FUNCTIONS)))
    smeared = "friction" in terms
    identification, notes = compiled.identification(terms=terms), []
    with task("identifying", unit="states") as step:
        for recording in recordings(options, robot):
            for motion in recording:
                assert motion.qd is not None
                assert motion.qdd is not None
                assert motion.turns is not None
                weights = ~motion.turns if smeared else 1.0
                identification.add(motion.q, motion.qd, motion.qdd, motion.tau, weights=weights)
                step.advance(len(motion))
            notes += recording.notes
    if identification.stopped:
        notes.append(
            f"{identification.stopped} efforts are left out: their joints are at position limits, "
            "where end stops may bear a part of them"
        )
    found = identification.solve(RESIDUALS if options.weights == RESIDUALS else None)
    described = found.base.values(compiled.inertial_parameters())
    of_joints = [float(getattr(c, term, 0)) for term in terms for c in robot.coordinates]
    if of_joints:
        described = described + found.base.grouping[:, -len(of_joints) :] @ np.array(of_joints)
    return found, described, notes


def _table(
    robot: Robot, found: Identified, described: NDArray[np.float64], seconds: float
) -> list[str]:
    lines = [
        f"{robot.name}, {robot.n} joints: {found.states} states in {seconds:.1f} s, condition "
        f"number {found.condition:.0f}",
        "",
        f"{'identified':>12}{'error':>11}{'described':>12}  base parameter [kg, kg m, kg m^2]",
    ]
    for value, error, expected, name in zip(
        found.values, found.standard_errors, described, found.base.described, strict=True
    ):
        lines.append(f"{value:12.5g}{error:11.2g}{expected:12.5g}  {name}")
    lines += ["", f"{'residual':>12}  joint [N m or N, root mean square]"]
    for left, name in zip(found.residuals, robot.joint_names, strict=True):
        lines.append(f"{left:12.4g}  {name}")
    return lines


def _data(robot: Robot, found: Identified, described: NDArray[np.float64]) -> dict[str, object]:
    rows = zip(found.base.described, found.values, found.standard_errors, described, strict=True)
    joints = zip(robot.joint_names, found.residuals, found.weights, strict=True)
    return {
        "robot": robot.name,
        "states": found.states,
        "condition": found.condition,
        "parameters": [
            {"name": name, "value": value, "standard_error": error, "described": expected}
            for name, value, error, expected in rows
        ],
        "joints": [{"name": n, "residual": left, "weight": w} for n, left, w in joints],
    }
