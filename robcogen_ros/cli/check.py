"""The command check: everything that is wrong or odd about a document of any of the languages."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from robcogen_ros.cli.against.links import against
from robcogen_ros.cli.against.mujoco_side import MujocoSide
from robcogen_ros.cli.common.exits import MODEL_ERROR, OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import run
from robcogen_ros.cli.inspect import size
from robcogen_ros.cli.loop_lines import loop_lines
from robcogen_ros.cli.options.model import add_model_options, read_model, read_text, read_urdf
from robcogen_ros.editing.diagnostics import refused
from robcogen_ros.errors import Location, ModelError, Problem, RobcogenError, strictly
from robcogen_ros.formats import source
from robcogen_ros.formats.load import kind_of
from robcogen_ros.formats.read import Reading
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.transforms import ctdsl, dtdsl, motdsl
from robcogen_ros.formats.urdf import writer as urdf_writer
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from robcogen_ros.program.requested import limb_form
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from robcogen_ros.transforms.desired import Desired
from robcogen_ros.transforms.document import Motions, Transforms

_DOCUMENTS: dict[str, Callable[[Source], Desired | Motions | Transforms]] = {
    "dtdsl": dtdsl.read,
    "motdsl": motdsl.read,
    "ctdsl": ctdsl.read,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit code."""
    parser = command_parser(
        "check",
        "Check a robot's description, or a .dtdsl, .motdsl or .ctdsl document.",
        "arm.urdf.xacro hand:=true",
        "arm.urdf --against mujoco",
    )
    add_model_options(parser, more_formats=tuple(_DOCUMENTS))
    parser.add_argument(
        "--limb",
        action="append",
        default=[],
        nargs=2,
        metavar=("FRAME", "FRAME"),
        help="show how the inverse kinematics between two frames is found, and whether it has a "
        "generated function (repeatable)",
    )
    parser.add_argument(
        "--against",
        metavar="mujoco | FILE.xml",
        help="compare with MuJoCo's reading of the description, or with an MJCF: a table of "
        "the links, by name; a difference is an error",
    )
    parser.add_argument("--json", action="store_true", help="findings as JSON on stdout")
    return run(_check, parser.parse_args(argv))


def _check(options: argparse.Namespace) -> int:
    problems, understood = _findings(options)
    if options.json:
        print(json.dumps([_data(problem) for problem in problems], indent=2))
    else:
        for problem in problems:
            print(problem, file=sys.stderr)
    if any(problem.severity == "error" for problem in problems):
        return MODEL_ERROR
    if not options.json:
        print(f"{options.model}: ok{understood}")
    return OK


def _findings(options: argparse.Namespace) -> tuple[list[Problem], str]:
    """Errors and warnings, and what the document was understood as."""
    try:
        return _warnings(options)
    except ModelError as error:
        return list(error.problems), ""


def _warnings(options: argparse.Namespace) -> tuple[list[Problem], str]:
    language = options.format or Path(options.model).suffix.removeprefix(".")
    if language in _DOCUMENTS:
        document = _DOCUMENTS[language](source.read(options.model))
        return strictly(document.warnings, options.strict), ""
    return _warnings_of_robot(options)


def _warnings_of_robot(options: argparse.Namespace) -> tuple[list[Problem], str]:
    text = read_text(options)
    reading = read_model(options, text)
    place = Location(options.model)
    told = [
        Problem(each, place, "note")
        for limb in options.limb
        for each in _limb(reading.robot, *limb)
    ]
    odd = [*reading.warnings, *refused(reading.robot, place), *told]
    found = [*strictly(odd, options.strict), *_seen_otherwise(options, reading, text)]
    loops = "".join(f"\n{line}" for line in loop_lines(reading))
    return found, f", {size(reading.robot)}{loops}"


def _limb(robot: Robot, base: str, target: str) -> list[str]:
    """Returns how joints between two frames are found, by a generated function and by the core."""
    generated = limb_form(robot, base, target)
    try:
        computed = robot_of(NumpyEvaluator(Library(robot, ["kinematics"])))
        way = computed.inverse_kinematics_between(base, target).way
    except RobcogenError as error:
        way = str(error)
    return [generated, f"robot.inverse_kinematics('{base}', '{target}', pose): {way}"]


def _seen_otherwise(options: argparse.Namespace, reading: Reading, text: Source) -> list[Problem]:
    """Returns, as errors, what another program sees otherwise; prints the table."""
    if not options.against:
        return []
    reading.description.refuse_closures("a comparison with MuJoCo")
    if options.against != "mujoco":
        side = MujocoSide.of_file(options.against)
    elif kind_of(text, options.format) == "mjcf":
        side = MujocoSide.of_file(options.model, servos=False)
    else:
        urdf = read_urdf(options, text) or urdf_writer.write(
            replace(reading.description, floating_base=reading.robot.floating_base)
        )
        shapes, packages = reading.description.shapes, dict(options.package_paths)
        side = MujocoSide.of_urdf(options.model, urdf, shapes, packages)
    verdict = against(reading, side)
    found = verdict.differences
    if not options.json:
        print(*verdict.lines(), sep="\n")
        remedy = f"'robcogen urdf2mjcf {options.model}' writes this one for MuJoCo"
        found = [f"{verdict.summary}; {remedy}"] if found else []
    return [*side.problems, *(Problem(why, Location(options.model)) for why in found)]


def _data(problem: Problem) -> dict[str, object]:
    place = problem.location
    return {
        "severity": problem.severity,
        "message": problem.message,
        "file": place.file if place else None,
        "line": max(place.line, 1) if place else None,
        "column": place.column if place else None,
    }
