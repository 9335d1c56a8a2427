"""Robots for the tests of MJCF, and the command that writes it."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from robcogen_ros.cli.main import main

BODY = (
    '<inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
)
JOINT = '<joint name="{}" type="{}"><parent link="{}"/><child link="{}"/>{}</joint>'


def joint(name, kind, parent, child, more=""):
    return JOINT.format(name, kind, parent, child, more)


def links(*names, base=""):
    return f'<link name="base">{base}</link>' + "".join(
        f'<link name="{name}">{BODY}</link>' for name in names
    )


class Command:
    """Runs urdf2mjcf on a text in the present folder."""

    def __init__(self, capsys):
        self._capsys = capsys

    def __call__(self, text: str, *options: str, name: str = "r.urdf"):
        """The root of what it writes, and what it says."""
        Path(name).write_text(f'<robot name="r">{text}</robot>' if "urdf" in name else text)
        Path("r.xml").unlink(missing_ok=True)
        code = main(["urdf2mjcf", name, "-o", "r.xml", *options])
        told = self._capsys.readouterr().err
        assert code == (0 if Path("r.xml").exists() else 1)
        return (ElementTree.parse("r.xml").getroot() if code == 0 else None), told
