"""The URDF of a robot's file, for others who read `robot_description`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats import source, urdf_writer
from robcogen_ros.formats.load import load


def urdf_text(path: Path, xacro_args: Mapping[str, str]) -> str:
    """A URDF file as it is, a xacro expanded by xacro itself, a Kinematics-DSL file as URDF.

    What a URDF holds beside the robot (meshes, ros2_control) stays, for others read it.

    Raises:
        RobcogenError: If there is no such text, and why.
    """
    if path.suffix == ".kindsl":
        return urdf_writer.write(load(path))
    text = source.read(str(path)).text
    if path.suffix == ".xacro" or "<xacro:" in text:
        return _expanded(path, xacro_args)
    return text


def _expanded(path: Path, xacro_args: Mapping[str, str]) -> str:
    import xacro

    try:
        return str(
            xacro.process_file(str(path), mappings=dict(xacro_args)).toprettyxml(indent="  ")
        )
    except Exception as error:  # expressions in a xacro raise whatever Python can
        reason = " ".join((str(error) or repr(error)).split())
        raise RobcogenError(f"xacro by itself cannot expand '{path}': {reason}") from error
