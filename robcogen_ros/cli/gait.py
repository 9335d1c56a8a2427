"""The command gait: how a robot on legs walks with least effort."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from fnmatch import filter as matching
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robcogen_ros.cli.common.exits import MODEL_ERROR, OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import add_quiet_option, run
from robcogen_ros.cli.files.writing import check_output, write
from robcogen_ros.cli.options.model import add_model_options, read_model, read_text, warn
from robcogen_ros.cli.options.plot import add_background_option
from robcogen_ros.cli.view import model_with_shapes
from robcogen_ros.errors import RobcogenError
from robcogen_ros.extras import package
from robcogen_ros.formats.read import Reading
from robcogen_ros.formats.source import Source
from robcogen_ros.model.names import nearest
from robcogen_ros.model.parametrise import available
from robcogen_ros.runtime.build import evaluator_of
from robcogen_ros.runtime.robots.robot_of import robot_of
from robcogen_ros.standing.footing import find_footing
from robcogen_ros.view.server import serving
from robcogen_ros.view.trajectory import Trajectory, page

if TYPE_CHECKING:
    from robcogen_ros.gait import Gait, Specification
    from robcogen_ros.gait.bounds import Bound

_FILES = (".npz", ".csv", ".yaml", ".yml")
_PICTURES = (".png", ".svg", ".pdf")
_PAGES = (".html",)
_ENDINGS = _FILES + _PICTURES + _PAGES
_BOUNDS = 6
"""Bounds that hold a gait and are told, at most."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit code."""
    parser = command_parser(
        "gait",
        "Find a gait of a robot on legs by direct collocation: docs/gaits.md.",
        "dog.urdf trot.yaml -o trot.html",
    )
    add_model_options(parser)
    parser.add_argument("settings", metavar="GAIT.yaml", help="what gait is sought")
    parser.add_argument(
        "-o",
        "--output",
        action="append",
        default=[],
        metavar="FILE",
        help=".npz, .csv, .yaml for a trajectory_msgs/JointTrajectory with efforts, "
        ".schedule.yaml for which feet stand when, .png, .svg or .pdf for a picture, .html for a "
        "page on which the robot walks (repeatable; default: named as the settings, .npz)",
    )
    add_background_option(parser)
    parser.add_argument(
        "--iterations", type=int, default=500, help="the most of the solver (default: 500)"
    )
    parser.add_argument(
        "--start",
        default="gliding",
        metavar="gliding|standing|FILE.npz",
        help="where the search begins: the trunk glides and the feet step (default), the robot "
        "stands, or a gait of the same robot that was found",
    )
    parser.add_argument(
        "--starts",
        type=int,
        metavar="N",
        help="try N starts of other durations and postures, then disturbed ones, and keep the best "
        "(default: 2, or 1 of a start that is given)",
    )
    parser.add_argument("--seed", type=int, help="disturb the start at random")
    add_quiet_option(parser)
    options = parser.parse_args(argv)
    for file in options.output:
        if Path(file).suffix not in _ENDINGS:
            known = ", ".join(_ENDINGS)
            parser.error(f"--output: expected a name that ends in one of {known}: {file}")
    return run(_gait, options)


def _gait(options: argparse.Namespace) -> int:
    package("casadi", "robcogen gait")
    for file in options.output:
        check_output(file)
        if Path(file).suffix in _PICTURES:
            package("matplotlib", f"--output {file}")
        if Path(file).suffix in _PAGES:
            package("viser", f"--output {file}")
    from robcogen_ros.gait import find_gait, read_settings
    from robcogen_ros.gait.coordinates import inverse_kinematics
    from robcogen_ros.gait.motion import FUNCTIONS

    wanted = read_settings(options.settings)
    text = read_text(options)
    footing = find_footing(
        text, xacro_args=dict(options.xacro_args), contacts=tuple(options.contacts)
    )
    if not footing.contacts:
        raise RobcogenError(f"{options.model}: {footing.told}; name its feet with --contact")
    for note in footing.notes:
        print(f"note: {note}", file=sys.stderr)
    options.contacts, options.floating_base = list(footing.names), True
    reading = read_model(options, text)
    reading = _opened(options, text, reading, wanted)
    warn(dict.fromkeys((*reading.warnings, *footing.warnings)))
    functions = list(FUNCTIONS)
    if wanted.dynamics == "reduced":
        functions += inverse_kinematics(reading.robot, reading.robot.contacts)
    try:
        robot = robot_of(evaluator_of(reading.robot, functions, backend="interpreter"))
    except RobcogenError as error:
        if wanted.dynamics == "full":
            raise
        raise wanted.wrong("dynamics", f"reduced needs legs in closed form: {error}") from None
    found = find_gait(
        robot,
        footing.feet,
        wanted,
        standing=footing.standing,
        iterations=options.iterations,
        seed=options.seed,
        start=options.start,
        starts=options.starts,
    )
    for file in options.output or [Path(options.settings).with_suffix(".npz").name]:
        _write(Path(file), options, text, reading, robot, found)
        short = "" if found.solution.succeeded else ", which is no gait yet"
        print(f"wrote {file}{short}", file=sys.stderr)
    print("\n  ".join([f"{robot.name}: {_ended(found)}", *_result_lines(found)]))
    return OK if found.solution.succeeded else MODEL_ERROR


def _opened(
    options: argparse.Namespace, text: Source, reading: Reading, wanted: Specification
) -> Reading:
    """The robot with the numbers open that are sought."""
    known, numbers = [p.name for p in reading.robot.parameters], available(reading.description)
    more: list[str] = []
    for name in wanted.design:
        if matching(known, name):
            continue
        found = matching(numbers, name)
        if not found:
            near = nearest(name, [*known, *numbers])
            listed = "; robcogen inspect --parameters lists what may be one"
            raise wanted.wrong("design", f"the model has no parameter '{name}'{near or listed}")
        more += found
    if not more:
        return reading
    options.parameters = [*options.parameters, *more]
    return read_model(options, text)


def _write(
    file: Path, options: argparse.Namespace, text: Source, reading: Reading, robot: Any, gait: Gait
) -> None:
    dark = options.background == "dark"
    if file.suffix in _PICTURES:
        from robcogen_ros.gait.picture import draw

        draw(robot, gait, file, dark=dark)
    elif file.suffix in _PAGES:
        options.srdf = None
        model = model_with_shapes(options, text, reading, dict(robot.parameters))
        bases, forces = gait.on_ground()
        trajectory = Trajectory(gait.times, bases, gait.q, gait.tau, forces)
        with serving("127.0.0.1", 0, robot.name, dark) as server:
            write(str(file), page(server, model, trajectory, _result_lines(gait), dark=dark))
    else:
        gait.save(file)


def _ended(gait: Gait) -> str:
    """Returns the end of the search in words."""
    solution = gait.solution
    total, share = solution.seconds
    ended = "a minimum" if solution.succeeded else f"not solved ({solution.status})"
    return (
        f"{ended} after {solution.iterations} iterations, {total:.1f} s "
        f"({100 * share:.0f} % of them in functions)"
    )


def _result_lines(gait: Gait) -> list[str]:
    """Returns the result in a few lines."""
    found = (
        f"{gait.speed:.3g} m/s, a stride of {gait.speed * gait.duration:.3g} m in "
        f"{gait.duration:.3g} s, merit {gait.merit:.5g}"
    )
    design = [f"{name}: {value:.5g}" for name, value in gait.design.items()]
    violated = [f"violated: {row} by {by:.2g}" for row, by in gait.solution.violated]
    return [found, *design, *gait.notes, *_held(gait.bounds), *violated]


def _held(bounds: Sequence[Bound]) -> list[str]:
    """Returns the dearest bounds that hold a gait, in a line."""
    if not bounds:
        return []
    told, more = [str(bound) for bound in bounds[:_BOUNDS]], len(bounds) - _BOUNDS
    return [f"held by {', '.join(told)}{f', and {more} that cost less' if more > 0 else ''}"]
