"""The command format: lays out documents anew, keeping every word and comment."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from robcogen_ros.cli.common.exits import MODEL_ERROR, OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import run
from robcogen_ros.cli.files.writing import STDOUT, write
from robcogen_ros.editing.languages import SUFFIXES, suffix
from robcogen_ros.editing.layout import formatted
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats import source


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit code."""
    parser = command_parser(
        "format",
        "Format documents of the four languages in place. Words, comments and their "
        "order stay; formatting twice changes nothing.",
        "arm.kindsl",
        "--check arm.kindsl",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help=f"{', '.join(SUFFIXES)} file")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if a file would change"
    )
    where.add_argument("--stdout", action="store_true", help="write to the standard output")
    return run(_format, parser.parse_args(argv))


def _format(options: argparse.Namespace) -> int:
    codes = [_format_file(path, options) for path in options.files]
    return max(codes, default=OK)


def _format_file(path: str, options: argparse.Namespace) -> int:
    try:
        before, after = _formatted(path)
    except RobcogenError as error:
        print(error, file=sys.stderr)
        return MODEL_ERROR
    if options.stdout:
        write(STDOUT, after)
    elif before == after:
        return OK
    elif options.check:
        print(f"{path}: not formatted", file=sys.stderr)
        return MODEL_ERROR
    else:
        write(path, after, ending=suffix(path))
    return OK


def _formatted(path: str) -> tuple[str, str]:
    """A file's text, and the same formatted."""
    if not suffix(path):
        raise RobcogenError(f"error: {path}: expected a {', '.join(SUFFIXES)} file")
    text = source.read(path)
    return text.text, formatted(text)
