"""The command urdf2kindsl: from URDF or xacro to the Kinematics-DSL."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats import kindsl_writer
from robcogen_ros.formats.read import read

_ASSIGNMENT = ":="


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 if all went well, 1 if the model is wrong, 2 for wrong usage."""
    parser = _parser()
    options = parser.parse_args(argv)
    files = [word for word in options.words if _ASSIGNMENT not in word]
    if len(files) > 1:
        parser.error(f"expected one file, found {', '.join(files)}")
    try:
        text = _converted(files[0] if files else "-", options)
    except RobcogenError as error:
        print(error, file=sys.stderr)
        return 1
    return _put(text, options.output)


def _converted(path: str, options: argparse.Namespace) -> str:
    reading = read(
        path,
        floating_base=True if options.floating_base else None,
        xacro_args=_assignments(options.words),
        package_paths=_assignments(options.package_path),
    )
    for warning in reading.warnings:
        print(warning, file=sys.stderr)
    return kindsl_writer.write(reading.robot)


def _put(text: str, output: str) -> int:
    if output == "-":
        sys.stdout.write(text)
        return 0
    try:
        Path(output).write_text(text, encoding="utf-8")
    except OSError as error:
        print(f"cannot write {output}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def _assignments(words: Sequence[str]) -> dict[str, str]:
    pairs = (word.partition(_ASSIGNMENT) for word in words if _ASSIGNMENT in word)
    return {name: value for name, _, value in pairs}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="urdf2kindsl",
        description="Write a robot's URDF or xacro as a Kinematics-DSL document.",
    )
    parser.add_argument(
        "words",
        nargs="*",
        metavar="FILE | ARGUMENT:=VALUE",
        help="the file, by default the standard input (-), and arguments of a xacro",
    )
    parser.add_argument("-o", "--output", default="-", help="file to write (default: stdout)")
    parser.add_argument("--floating-base", action="store_true", help="let the base move freely")
    parser.add_argument(
        "--package-path",
        action="append",
        default=[],
        metavar="PACKAGE:=DIRECTORY",
        help="what $(find PACKAGE) stands for in a xacro",
    )
    return parser
