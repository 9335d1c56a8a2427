"""The command realtime: how punctually a robot's compiled control law runs on this computer."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from robcogen_ros.cli.common.exits import OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import add_quiet_option, run
from robcogen_ros.cli.files.writing import STDOUT, check_output, write
from robcogen_ros.cli.options.model import add_model_options, read_model, warn
from robcogen_ros.cli.options.plot import add_background_option
from robcogen_ros.errors import RobcogenError
from robcogen_ros.extras import package
from robcogen_ros.model.robot import Robot
from robcogen_ros.realtime.computer import Computer
from robcogen_ros.realtime.motion import MODES, gains, motion
from robcogen_ros.realtime.outcome import Outcome
from robcogen_ros.realtime.plot import plot
from robcogen_ros.realtime.program import build_program, run_program
from robcogen_ros.realtime.report import Run, data, report

_FASTEST, _LONGEST = 20000.0, 7 * 86400.0


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit code."""
    parser = command_parser(
        "realtime",
        "Control a simulated robot by its compiled control law in a real-time loop, "
        "and tell how punctual that is on this computer.",
        "arm.urdf --duration 5 --stress 2",
    )
    add_model_options(parser)
    _add_run_options(parser)
    return run(_realtime, parser.parse_args(argv))


def _add_run_options(parser: argparse.ArgumentParser) -> None:
    """Declares the options that say how to run, and where results go."""
    parser.add_argument(
        "--duration", type=_duration, default=10.0, metavar="S", help="[s] (default: 10)"
    )
    parser.add_argument(
        "--rate", type=_rate, default=1000.0, metavar="HZ", help="cycles a second (default: 1000)"
    )
    parser.add_argument(
        "--mode",
        choices=MODES,
        default="computed_torque",
        help="control law (default: %(default)s)",
    )
    parser.add_argument(
        "--priority",
        type=_priority,
        default=80,
        help="of SCHED_FIFO, 1 to 99; 0 is usual scheduling (default: 80)",
    )
    parser.add_argument("--cpu", type=_cpu, help="the only CPU that the loop runs on")
    parser.add_argument(
        "--stress",
        type=_processes,
        default=0,
        metavar="N",
        help="processes beside it that compute and fill memory (default: 0)",
    )
    add_quiet_option(parser)
    parser.add_argument("--png", metavar="FILE", help="write the histograms as a picture")
    add_background_option(parser)
    parser.add_argument("--json", metavar="FILE", help="write everything as JSON; - is stdout")


def _realtime(options: argparse.Namespace) -> int:
    check_output(options.json)
    check_output(options.png)
    reading = read_model(options)
    warn(reading.warnings)
    robot = reading.robot
    program = build_program(robot)
    outcome = run_program(program, _request(robot, options))
    result = _run(robot, options, outcome)
    if options.json != STDOUT:
        print(report(result))
    if options.json:
        write(options.json, json.dumps(data(result), indent=1) + "\n")
    if options.png:
        _draw(result, robot, options)
    return OK


def _draw(result: Run, robot: Robot, options: argparse.Namespace) -> None:
    """Writes the picture, if that can be drawn here."""
    try:
        package("matplotlib.figure", "--png")
    except RobcogenError as error:
        print(f"note: {options.png} is not written: {error}", file=sys.stderr)
        return
    plot(result, robot, Path(options.png), dark=options.background == "dark")


def _request(robot: Robot, options: argparse.Namespace) -> dict[str, object]:
    """Returns the settings of the program."""
    wanted = motion(robot, options.mode)
    kp, kd = gains(robot, options.mode, wanted.center)
    return {
        "mode": options.mode,
        "center": wanted.center,
        "swing": wanted.swing,
        "pace": wanted.pace,
        "kp": kp,
        "kd": kd,
        "rate": options.rate,
        "cycles": max(1, round(options.duration * options.rate)),
        "priority": options.priority,
        "cpu": -1 if options.cpu is None else options.cpu,
        "stress": options.stress,
    }


def _run(robot: Robot, options: argparse.Namespace, outcome: Outcome) -> Run:
    return Run(
        robot.name,
        robot.n,
        options.mode,
        options.rate,
        options.duration,
        options.priority,
        options.cpu,
        options.stress,
        Computer.here(),
        outcome,
    )


def _duration(text: str) -> float:
    return _number(text, _LONGEST, "seconds")


def _rate(text: str) -> float:
    return _number(text, _FASTEST, "Hz")


def _number(text: str, most: float, unit: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value <= most:
        raise argparse.ArgumentTypeError(
            f"expected more than 0, up to {most:g} {unit}; found '{text}'"
        )
    return value


def _priority(text: str) -> int:
    return _whole(text, 99)


def _cpu(text: str) -> int:
    return _whole(text, (os.cpu_count() or 1) - 1)


def _processes(text: str) -> int:
    return _whole(text, 1000)


def _whole(text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= most):
        raise argparse.ArgumentTypeError(
            f"expected a whole number from 0 to {most}, found '{text}'"
        )
    return int(text)
