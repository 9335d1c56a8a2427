"""The command generate: code for a robot. `robcogen_generate()` of CMake calls it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.backends.render import generator_files, write_changed
from robcogen_ros.cli.model_options import add_model_options, read_model, warn
from robcogen_ros.cli.running import OK, run
from robcogen_ros.errors import Location, ModelError, Problem
from robcogen_ros.formats.read import Reading
from robcogen_ros.program.library import Library

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    return run(_generate, _parser().parse_args(argv))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="generate", description="Generate the dynamics and kinematics code of a robot."
    )
    add_model_options(parser)
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="where files go")
    parser.add_argument(
        "--project", default="robots", type=_identifier, help="package, outer namespace"
    )
    parser.add_argument(
        "--target", default="robot", type=_identifier, help="target, inner namespace"
    )
    parser.add_argument(
        "--backend",
        action="append",
        choices=list(BACKENDS),
        help="target language (repeatable; default: cpp)",
    )
    parser.add_argument(
        "--function",
        action="append",
        default=[],
        metavar="NAME",
        help="generate only this function (repeatable); A_X_B and A_J_B name frames",
    )
    parser.add_argument("--depfile", metavar="FILE", help="write what the output depends on")
    parser.add_argument("--stamp", metavar="FILE", help="touch this file when all is written")
    return parser


def _identifier(text: str) -> str:
    if not _IDENTIFIER.match(text):
        raise argparse.ArgumentTypeError(
            f"'{text}' cannot be a C++ namespace: expected letters, digits and _, a letter first"
        )
    return text


def _generate(options: argparse.Namespace) -> int:
    reading = read_model(options)
    warn(reading.warnings)
    library = Library(reading.robot, options.function)
    _report_refusals(library, Location(options.model), asked=bool(options.function))
    target = Target(options.project, options.target, Path(options.model).name)
    files = {
        Path(options.output) / path: text
        for name in options.backend or ["cpp"]
        for path, text in BACKENDS[name](library, target).items()
    }
    write_changed(files)
    if options.depfile:
        _write_depfile(Path(options.depfile), options.stamp or options.output, reading)
    if options.stamp:
        Path(options.stamp).parent.mkdir(parents=True, exist_ok=True)
        Path(options.stamp).touch()
    return OK


def _report_refusals(library: Library, model: Location, asked: bool) -> None:
    """Say which functions are left out; an error if they were asked for by name."""
    severity = "error" if asked else "warning"
    problems = [
        Problem(f"no {', '.join(names)}: {reason}", model, severity)
        for names, reason in library.refusals()
    ]
    if problems and asked:
        raise ModelError(problems)
    warn(problems)


def _write_depfile(depfile: Path, output: str, reading: Reading) -> None:
    """The files that the output depends on, as a rule of make."""
    files = [*reading.description.files, *map(str, generator_files())]
    rule = " \\\n  ".join([f"{_escaped(output)}:", *map(_escaped, files)])
    depfile.parent.mkdir(parents=True, exist_ok=True)
    depfile.write_text(rule + "\n", encoding="utf-8")


def _escaped(path: str) -> str:
    return path.replace("$", "$$").replace("#", "\\#").replace(" ", "\\ ")
