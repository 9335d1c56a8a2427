"""The command urdf2kindsl: from URDF or xacro to the Kinematics-DSL."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

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
from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.kindsl import writer as kindsl_writer
from robcogen_ros.formats.kindsl.form import lumped
from robcogen_ros.formats.read import reading_of
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.transforms import dtdsl_writer
from robcogen_ros.model.reduce import reduce, reduction
from robcogen_ros.program.definite import refuse_indefinite
from robcogen_ros.transforms.desired import from_the_base


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; 0 if all went well, 1 if the model is wrong, 2 for wrong usage."""
    return run(_convert, _parser().parse_args(argv))


def _convert(options: argparse.Namespace) -> int:
    model = model_options(options)
    reading = reading_of(options.file, model)
    warn(reading.warnings)
    refuse_indefinite(reading.robot)
    robot, tree = reading.written, reading.robot
    if robot.loops:
        tree = reduction(replace(robot, loops=None), model)[0]
    if options.keep_fixed:
        robot = replace(robot, floating_base=reading.robot.floating_base)
    else:
        robot = lumped(robot, tree)
    text = kindsl_writer.write(robot)
    warn(kindsl_writer.renamed(text))
    if options.desired:
        keep = [options.file, options.output]
        write(options.desired, _desired(text), keep, ending=".dtdsl")
    write(options.output, text, [options.file], ending=".kindsl")
    return OK


def _desired(text: str) -> str:
    """The desired transforms of a document that was just written, by the names it has."""
    written = reduce(kindsl.read(Source("output.kindsl", text)))
    return dtdsl_writer.write(from_the_base(written))


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "urdf2kindsl",
        "Write a robot's URDF or xacro as a Kinematics-DSL document.",
        "arm.urdf -o arm.kindsl",
    )
    parser.add_argument(
        "file",
        nargs="?",
        default="-",
        metavar="FILE",
        help="URDF or xacro file, by default the standard input (-). Arguments of a xacro follow "
        "it: NAME:=VALUE ...",
    )
    parser.add_argument("-o", "--output", default="-", help="file to write (default: stdout)")
    parser.add_argument(
        "--desired",
        metavar="FILE",
        help="write the matching .dtdsl too: each frame in the base, Jacobians of the last ones",
    )
    parser.add_argument(
        "--keep-fixed",
        action="store_true",
        help="keep fixed joints and their links, instead of making them part of others",
    )
    for name in ("xacro_args", "package_paths", "loops", "floating_base"):
        add_option(parser, name)
    add_options(parser, "severity")
    return parser
