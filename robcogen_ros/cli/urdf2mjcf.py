"""The command urdf2mjcf: from URDF, xacro, MJCF or the Kinematics-DSL to MuJoCo's format."""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.cli.files.simulator_file import convert
from robcogen_ros.formats.mjcf import writer as mjcf_writer

_ABOUT = "Write a robot as MJCF: MuJoCo computes the same dynamics of it."


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; 0 if all went well, 1 if the model is wrong, 2 for wrong usage."""
    return convert("urdf2mjcf", _ABOUT, "arm.urdf -o arm.xml", mjcf_writer.write, argv, loops=True)
