"""The command urdf2mjcf: from URDF, xacro or the Kinematics-DSL to MuJoCo's format."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from robcogen_ros.cli.model_options import (
    add_robot_options,
    read_model,
    read_text,
    read_urdf,
    spelled_out,
    warn,
)
from robcogen_ros.cli.running import OK, run
from robcogen_ros.cli.writing import STDOUT, write
from robcogen_ros.errors import strictly
from robcogen_ros.formats import mjcf_writer
from robcogen_ros.formats.geometry import geometries
from robcogen_ros.program.definite import refuse_indefinite


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 if all went well, 1 if the model is wrong, 2 for wrong usage."""
    return run(_convert, _parser().parse_args([*spelled_out(argv)]))


def _convert(options: argparse.Namespace) -> int:
    description = read_text(options)
    reading = read_model(options, description)
    warn(reading.warnings)
    refuse_indefinite(reading.robot)
    urdf = read_urdf(options, description)
    text, odd = mjcf_writer.write(
        reading.robot,
        reading.description,
        [*geometries(urdf)] if urdf else [],
        package_paths=dict(options.package_path),
        folder=None if options.output == STDOUT else Path(options.output).parent,
        balance_inertia=options.balance_inertia,
    )
    warn(strictly(odd, options.strict))
    write(options.output, text)
    return OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="urdf2mjcf",
        description="Write a robot as MJCF: MuJoCo computes the same dynamics of it.",
    )
    add_robot_options(parser)
    parser.add_argument("-o", "--output", default=STDOUT, help="file to write (default: stdout)")
    parser.add_argument(
        "--balance-inertia",
        action="store_true",
        help="write the mean of moments of inertia that no body has, which MuJoCo refuses",
    )
    return parser
