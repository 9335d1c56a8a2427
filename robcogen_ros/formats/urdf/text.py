"""The URDF of a robot, for others who read `robot_description`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from robcogen_ros.formats import source
from robcogen_ros.formats.load import kind_of, load
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.urdf import writer as urdf_writer
from robcogen_ros.formats.xacro import expansion as xacro


def urdf_text(model: Path | Source, xacro_args: Mapping[str, str]) -> str:
    """A URDF as it is, a xacro expanded, a file of another format as URDF.

    What a URDF holds beside the robot (meshes, ros2_control) stays, for others read it.

    Raises:
        RobcogenError: If there is no such text, and why.
    """
    text = model if isinstance(model, Source) else source.read(str(model))
    kind = kind_of(text)
    if kind in ("kindsl", "mjcf"):
        return urdf_writer.write(load(text))
    return xacro.expand(text, xacro_args, {}).text if kind == "xacro" else text.text
