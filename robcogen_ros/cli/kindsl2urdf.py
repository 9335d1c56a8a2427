"""The commands kindsl2urdf and mjcf2urdf: from the Kinematics-DSL or MJCF to URDF."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from robcogen_ros.cli.common.exits import OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import run
from robcogen_ros.cli.files.writing import write
from robcogen_ros.cli.options.model import (
    add_option,
    add_options,
    model_options,
    warn,
)
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import Reading, reading_of
from robcogen_ros.formats.urdf import writer as urdf_writer
from robcogen_ros.formats.written import defaults
from robcogen_ros.model.closures.closed_loops import ClosedLoops
from robcogen_ros.model.closures.forms import LINEAR
from robcogen_ros.model.options import option_text
from robcogen_ros.program.definite import refuse_indefinite


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; 0 if all went well, 1 if the model is wrong, 2 for wrong usage."""
    parser = _parser("kindsl2urdf", "a Kinematics-DSL document", "leg.kindsl -o leg.urdf")
    return run(_convert, parser.parse_args(argv))


def from_mjcf(argv: Sequence[str] | None = None) -> int:
    """Runs the command mjcf2urdf; returns as `main`."""
    parser = _parser("mjcf2urdf", "an MJCF", "robot.xml -o robot.urdf")
    add_option(parser, "root")
    return run(_convert, parser.parse_args(argv))


def _convert(options: argparse.Namespace) -> int:
    reading = reading_of(options.file, model_options(options))
    warn(reading.warnings)
    refuse_indefinite(reading.robot)
    root, top = model_options(options).root, reading.description.links[0].name
    if root not in (None, top):
        message = f"a part of a robot cannot be written; the root of its tree is '{top}'"
        raise RobcogenError(f"{option_text('root', root)}: {message}")
    floating = reading.robot.floating_base
    if options.write_loops:
        robot = replace(reading.written, floating_base=floating)
        text, apart = urdf_writer.write_apart(robot, _independent(reading))
        write(options.write_loops, apart, [options.file, options.output], ending=".yaml")
    else:
        robot = replace(reading.description, floating_base=floating)
        text = urdf_writer.write(robot)
    warn(defaults("URDF", robot.parameters))
    write(options.output, text, [options.file], ending=".urdf")
    return OK


def _independent(reading: Reading) -> list[str]:
    """The joints of loops that are coordinates, in the order of these."""
    if reading.written.loops is None:
        return []
    at = ClosedLoops(reading.written, reading.written.loops)
    every = np.concatenate([np.concatenate(rows) for rows in at.jacobians])
    moved = np.abs(every).max(axis=0) > LINEAR
    in_loops = {name for name, moves in zip(at.names, moved, strict=True) if moves}
    return [name for name in reading.robot.joint_names if name in in_loops]


def _parser(command: str, what: str, example: str) -> argparse.ArgumentParser:
    parser = command_parser(
        command,
        f"Write {what} as URDF: all digits, axes on z, parameters at their defaults.",
        example,
    )
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="the model (default: standard input)"
    )
    parser.add_argument("-o", "--output", default="-", help="file to write (default: stdout)")
    parser.add_argument(
        "--write-loops",
        metavar="FILE",
        help="write loops and springs, which URDF has not, as YAML for --loops of other commands",
    )
    for name in ("format", "floating_base"):
        add_option(parser, name)
    add_options(parser, "severity")
    return parser
