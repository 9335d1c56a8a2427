"""The command design-study: a function of the user's at many values of a robot's parameters."""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from robcogen_ros.cli.common.exits import MODEL_ERROR, OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import add_quiet_option, run
from robcogen_ros.cli.files.writing import check_output
from robcogen_ros.cli.options.model import add_model_options, read_model, warn
from robcogen_ros.cli.options.plot import add_background_option
from robcogen_ros.errors import RobcogenError
from robcogen_ros.extras import package
from robcogen_ros.formats import source
from robcogen_ros.formats.read import Reading
from robcogen_ros.model.names import nearest
from robcogen_ros.model.parametrise import available
from robcogen_ros.runtime.build import evaluator_of
from robcogen_ros.runtime.robots.robot_of import robot_of
from robcogen_ros.study import table
from robcogen_ros.study.chart import draw
from robcogen_ros.study.journal import Journal
from robcogen_ros.study.points import SAMPLERS, Points, Range, Variation, from_csv, grid, samples
from robcogen_ros.study.report import failures
from robcogen_ros.study.run import Running
from robcogen_ros.study.schedulers import SCHEDULERS, opened
from robcogen_ros.study.script import Script
from robcogen_ros.study.work import Task
from robcogen_ros.version import __version__

_MOST_POINTS = 10**8


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit code."""
    parser = command_parser(
        "design-study",
        "Run study(robot, point) of a script at many values of a robot's parameters, "
        "in several processes or on a cluster; the robot is compiled once. An interrupted study "
        "goes on where it stopped: docs/design_studies.md.",
        "leg.kindsl --run study.py --vary L1=0.2:0.4:5",
    )
    add_model_options(parser)
    _add_point_options(parser)
    _add_run_options(parser)
    options = parser.parse_args(argv)
    _refuse_odd(parser, options)
    return run(_design_study, options)


def _add_point_options(parser: argparse.ArgumentParser) -> None:
    """Declares the options that say where the study is run."""
    parser.add_argument(
        "--vary",
        action="append",
        default=[],
        type=_variation,
        metavar="NAME=VALUES",
        help="a parameter, and FROM:TO:COUNT or V1,V2,...; FROM:TO with --sample (repeatable: all "
        "combinations). Numbers of the file become parameters, as by --parameter",
    )
    parser.add_argument(
        "--points", metavar="FILE", help="instead: a CSV file, names first, then a point a line"
    )
    parser.add_argument(
        "--sample",
        type=_sampler,
        metavar="SAMPLER:COUNT",
        help=f"so many samples of the ranges, by {', '.join(SAMPLERS)} of SciPy",
    )
    parser.add_argument("--seed", type=_count, default=0, help="of the samples (default: 0)")


def _add_run_options(parser: argparse.ArgumentParser) -> None:
    """Declares the options that say what is run, by whom, and where results go."""
    parser.add_argument(
        "--run",
        required=True,
        metavar="SCRIPT",
        help="file of Python with study(robot, point), which returns numbers by name; FUNCTIONS "
        "lists the generated functions it needs, VARIABLES what may be varied beside parameters",
    )
    parser.add_argument(
        "--function",
        action="append",
        default=[],
        metavar="NAME",
        help="generated function that the study needs, beside its FUNCTIONS (repeatable)",
    )
    parser.add_argument(
        "--backend",
        choices=("cpp", "interpreter", "numpy"),
        default="cpp",
        help="compile the robot, or interpret it (default: cpp)",
    )
    parser.add_argument(
        "--scheduler",
        choices=list(SCHEDULERS),
        default="local",
        help="processes of this computer, Dask or Ray (default: local)",
    )
    parser.add_argument(
        "--address", metavar="ADDRESS", help="of a cluster of Dask (tcp://HOST:8786) or Ray"
    )
    parser.add_argument(
        "--processes", type=_count, metavar="N", help="without --address (default: one a core)"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="table, .csv or .parquet (default: named as the script, in this folder)",
    )
    parser.add_argument("--plot", metavar="FILE", help="draw the results too; needs Matplotlib")
    add_background_option(parser)
    parser.add_argument("--fresh", action="store_true", help="run all points again")
    add_quiet_option(parser)


def _refuse_odd(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuses options that do not go together."""
    if bool(options.points) == bool(options.vary):
        parser.error("expected --vary, or --points FILE")
    if options.points and options.sample:
        parser.error("--sample takes samples of --vary NAME=FROM:TO, not of --points")
    if options.address and options.scheduler == "local":
        parser.error("--address is that of a cluster: --scheduler dask or ray")
    if options.address and options.processes:
        parser.error(f"--processes: the cluster at {options.address} has its own")


def _design_study(options: argparse.Namespace) -> int:
    points = _points(options)
    check_output(options.plot)
    output = table.check_format(options.output or f"{Path(options.run).stem}.csv")
    if options.plot:
        package("matplotlib", "--plot")
    script = Script.read(options.run)
    module = script.run()
    study = script.study(module)
    reading = _read(options, points.names, script.names(module, "VARIABLES"))
    functions = [*script.names(module, "FUNCTIONS"), *options.function]
    robot = robot_of(evaluator_of(reading.robot, functions, backend=options.backend))
    studied = (__version__, reading.robot, options.backend, script.digest())
    key = hashlib.sha256(repr(studied).encode()).hexdigest()
    task = Task(robot, script, points.names)
    with closing(Journal(output, key, points.names)) as journal:
        if options.fresh:
            journal.forget()
        running = Running(points, journal, script.place(study))
        try:
            _run(running, task, options)
        except KeyboardInterrupt:
            print(
                f"{running.done} of {len(points)} points are done and kept; the same command goes "
                "on with the rest",
                file=sys.stderr,
            )
            raise
    table.write(running.table, output)
    _report(running.table, output, script.shown)
    if options.plot and running.table.columns:
        draw(running.table, Path(options.plot), dark=options.background == "dark")
    return MODEL_ERROR if running.table.failures else OK


def _run(running: Running, task: Task, options: argparse.Namespace) -> None:
    """Runs what is left, if anything."""
    if running.done == len(running.table.points):
        return
    processes = options.processes or len(os.sched_getaffinity(0))
    with opened(options.scheduler, task.packed(), processes, options.address) as scheduler:
        running.run(scheduler)


def _report(result: table.Table, output: Path, script: str) -> None:
    """Tells what came out, and what went wrong."""
    print(f"{output}: {len(result.points)} points")
    for line in result.lines():
        print(f"  {line}")
    for line in failures(result, script):
        print(line, file=sys.stderr)


def _points(options: argparse.Namespace) -> Points:
    if options.points:
        return from_csv(options.points)
    sampler, taken = options.sample or ("", 0)
    count = taken or math.prod(_length(varied) for _, varied in options.vary)
    if count > _MOST_POINTS:
        instead = "" if taken else "; take samples of the ranges by --sample"
        raise RobcogenError(f"{count} points are too many{instead}")
    if sampler == "sobol" and count & (count - 1):
        better = 1 << count.bit_length()
        print(f"note: sobol is balanced for powers of 2, such as {better}", file=sys.stderr)
    return samples(options.vary, sampler, count, options.seed) if taken else grid(options.vary)


def _length(varied: Range | tuple[float, ...]) -> int:
    return len(varied) if isinstance(varied, tuple) else varied.count or 1


def _read(options: argparse.Namespace, varied: Sequence[str], variables: Sequence[str]) -> Reading:
    """The robot with what is varied as parameters."""
    if options.model == source.STDIN:
        options.model = source.read(options.model)
    reading = read_model(options)
    known = [parameter.name for parameter in reading.robot.parameters]
    more = [name for name in varied if name not in known and name not in variables]
    if more:
        numbers = available(reading.description)
        for name in more:
            if name not in numbers:
                near = nearest(name, [*known, *variables]) or nearest(name, numbers)
                more_of_them = (
                    "; robcogen inspect --parameters lists what may be one, and VARIABLES of the "
                    "script what else may be varied"
                )
                raise RobcogenError(
                    f"{options.points or '--vary'}: the model has no parameter "
                    f"'{name}'{near or more_of_them}"
                )
        options.parameters = [*options.parameters, *more]
        reading = read_model(options)
    warn(reading.warnings)
    return reading


def _variation(text: str) -> Variation:
    name, _, values = text.partition("=")
    varied: Range | tuple[float, ...] = ()
    with suppress(ValueError):
        varied = _range(values) if ":" in values else tuple(map(_finite, values.split(",")))
    if not name or not varied:
        raise argparse.ArgumentTypeError(
            "expected NAME=FROM:TO:COUNT, NAME=V1,V2,... or, with --sample, NAME=FROM:TO; "
            f"found '{text}'"
        )
    return name, varied


def _range(text: str) -> Range:
    low, high, *count = text.split(":")
    if len(count) > 1 or (count and not (count[0].isascii() and count[0].isdigit())):
        raise ValueError(text)
    number = int(count[0]) if count else None
    if number == 0:
        raise ValueError(text)
    return Range(_finite(low), _finite(high), number)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _sampler(text: str) -> tuple[str, int]:
    name, _, count = text.partition(":")
    if name not in SAMPLERS or not (count.isascii() and count.isdigit() and int(count)):
        raise argparse.ArgumentTypeError(
            f"expected SAMPLER:COUNT with {', '.join(SAMPLERS)}; found '{text}'"
        )
    return name, int(count)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"expected a whole number, found '{text}'")
    return int(text)
