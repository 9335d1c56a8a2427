"""The command urdf2sdf: from URDF, xacro, MJCF or the Kinematics-DSL to SDF, for Gazebo."""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.cli.files.simulator_file import convert
from robcogen_ros.formats import sdf_writer

_ABOUT = "Write a robot as SDF 1.9; of joints that follow others, and rotors, it has none."


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; 0 if all went well, 1 if the model is wrong, 2 for wrong usage."""
    return convert("urdf2sdf", _ABOUT, "arm.urdf -o arm.sdf", sdf_writer.write, argv)
