"""The URDF of a robot, for others who read `robot_description`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats import source, urdf_writer
from robcogen_ros.formats.load import is_xacro, load
from robcogen_ros.formats.source import Source


def urdf_text(model: Path | Source, xacro_args: Mapping[str, str]) -> str:
    """A URDF as it is, a xacro expanded by xacro itself, a Kinematics-DSL file as URDF.

    What a URDF holds beside the robot (meshes, ros2_control) stays, for others read it.

    Raises:
        RobcogenError: If there is no such text, and why.
    """
    text = model if isinstance(model, Source) else source.read(str(model))
    if Path(text.name).suffix == ".kindsl":
        return urdf_writer.write(load(text))
    return _expanded(text, xacro_args) if is_xacro(text) else text.text


def _expanded(text: Source, xacro_args: Mapping[str, str]) -> str:
    import xacro

    arguments = dict(xacro_args)
    try:
        if text.files:
            document = xacro.process_file(text.name, mappings=arguments)
        else:
            document = xacro.parse(text.text)
            xacro.process_doc(document, mappings=arguments)
        return str(document.toprettyxml(indent="  "))
    except Exception as error:  # expressions in a xacro raise whatever Python can
        reason = " ".join((str(error) or repr(error)).split())
        raise RobcogenError(f"xacro by itself cannot expand '{text.name}': {reason}") from error
