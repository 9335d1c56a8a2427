"""Parts of the commands that write a robot for a simulator."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

from robcogen_ros.cli.common.exits import OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import run
from robcogen_ros.cli.files.writing import STDOUT, write
from robcogen_ros.cli.options.model import add_robot_options, read_model, warn
from robcogen_ros.errors import Problem, RobcogenError, strictly
from robcogen_ros.formats.read import Reading
from robcogen_ros.model.description import Description
from robcogen_ros.model.options import option_text
from robcogen_ros.model.reduce import tree_of
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.definite import refuse_indefinite


class Writer(Protocol):
    """Makes the text of a robot, and tells what is to be said about it."""

    def __call__(
        self,
        robot: Robot,
        description: Description,
        *,
        package_paths: dict[str, str],
        output: Path | None,
        balance_inertia: bool,
    ) -> tuple[str, list[Problem], dict[Path, str]]:
        """The text, the findings, and the texts of other files that it names."""


def convert(
    command: str,
    about: str,
    example: str,
    writer: Writer,
    argv: Sequence[str] | None,
    loops: bool = False,
) -> int:
    """Runs a command that writes a robot; returns the exit code.

    Args:
        command: Its name.
        about: What it does.
        example: Its words in a call.
        writer: Makes the text.
        argv: Its words.
        loops: Whether it writes loops.
    """
    parser = command_parser(command, about, example)
    add_robot_options(parser)
    parser.add_argument("-o", "--output", default=STDOUT, help="file to write (default: stdout)")
    parser.add_argument(
        "--balance-inertia",
        action="store_true",
        help="write the mean of moments of inertia that no body has, which simulators refuse",
    )
    return run(partial(_convert, writer, loops), parser.parse_args(argv))


def _convert(writer: Writer, loops: bool, options: argparse.Namespace) -> int:
    reading = read_model(options)
    warn(reading.warnings)
    robot, description = reading.robot, reading.description
    if loops and description.closures:
        robot, description = _tree(reading, options)
    else:
        description.refuse_closures("a file for a simulator")
    refuse_indefinite(robot)
    text, odd, more = writer(
        robot,
        description,
        package_paths=dict(options.package_paths),
        output=_file(options.output),
        balance_inertia=options.balance_inertia,
    )
    warn(strictly(odd, options.strict))
    write(options.output, text, [options.model], more)
    return OK


def _file(output: str) -> Path | None:
    """The file that is written; None for the standard output, a device or a pipe."""
    path = Path(output)
    return None if output == STDOUT or (path.exists() and not path.is_file()) else path


def _tree(reading: Reading, options: argparse.Namespace) -> tuple[Robot, Description]:
    """The robot of a file with all joints of its loops, as these are written.

    Raises:
        RobcogenError: If it is a part of that.
    """
    part = [name for name in ("root", "tips", "lock") if getattr(options, name)]
    if part:
        given = option_text(part[0])
        raise RobcogenError(
            f"a part of a robot with loops cannot be written yet: leave out {given}"
        )
    description = replace(reading.written, floating_base=reading.robot.floating_base)
    loops, closures = description.loops, reading.description.closures
    if loops:
        starts = [x for c in closures for x in zip(c.dependent, c.start, strict=False)]
        at = {name: x for name, x, _ in loops.positions} | dict(starts)
        found = tuple((name, x, loops.location) for name, x in at.items())
        description = replace(description, loops=replace(loops, positions=found))
    return tree_of(description), description
