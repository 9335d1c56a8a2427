"""The command kindsl2urdf: from the Kinematics-DSL to URDF."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from robcogen_ros.cli.exits import OK
from robcogen_ros.cli.model_options import (
    add_option,
    add_options,
    model_options,
    warn,
)
from robcogen_ros.cli.parser import command_parser
from robcogen_ros.cli.running import run
from robcogen_ros.cli.writing import write
from robcogen_ros.formats import urdf_writer
from robcogen_ros.formats.read import reading_of
from robcogen_ros.formats.written import defaults
from robcogen_ros.program.definite import refuse_indefinite


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; 0 if all went well, 1 if the model is wrong, 2 for wrong usage."""
    return run(_convert, _parser().parse_args(argv))


def _convert(options: argparse.Namespace) -> int:
    reading = reading_of(options.file, model_options(options))
    warn(reading.warnings)
    refuse_indefinite(reading.robot)
    robot = replace(reading.description, floating_base=reading.robot.floating_base)
    text = urdf_writer.write(robot)
    warn(defaults("URDF", robot.parameters))
    write(options.output, text, [options.file], ending=".urdf")
    return OK


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "kindsl2urdf",
        "Write a robot as URDF: all digits, axes on z, parameters at their defaults.",
        "leg.kindsl -o leg.urdf",
    )
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="the model (default: standard input)"
    )
    parser.add_argument("-o", "--output", default="-", help="file to write (default: stdout)")
    for name in ("format", "floating_base"):
        add_option(parser, name)
    add_options(parser, "severity")
    return parser
