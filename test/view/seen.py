"""Robots as `robcogen view` sees them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from robcogen_ros.formats import source
from robcogen_ros.formats.read import read
from robcogen_ros.view.model import Model, make
from test.support.robots import robot_path

BODY = """<link name="{name}">
  <inertial><origin xyz="0 0 0.1"/><mass value="{mass}"/>
    <inertia ixx="{ixx}" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.01"/></inertial>
  {shape}
</link>"""
BOX = (
    '<visual><geometry><box size="0.1 0.1 0.3"/></geometry>'
    '<material name="m"><color rgba="0.1 0.6 0.2 1"/></material></visual>'
)
JOINT = (
    '<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
    '<origin xyz="0 0 0.3"/><axis xyz="0 1 0"/>{more}</joint>'
)


def pendulum(shape: str = BOX, ixx: float = 0.02, mass: float = 1.0) -> str:
    """Two links that turn, the second as far as the first, and one fixed on them."""
    links = [BODY.format(name="base", mass=1, ixx=0.02, shape=shape)]
    links += [BODY.format(name=name, mass=mass, ixx=ixx, shape=shape) for name in ("arm", "hand")]
    links.append(BODY.format(name="tool", mass=0.1, ixx=0.02, shape=""))
    limit = '<limit lower="-1" upper="2" effort="3" velocity="1"/>'
    joints = [
        JOINT.format(name="a", kind="revolute", parent="base", child="arm", more=limit),
        JOINT.format(
            name="b",
            kind="revolute",
            parent="arm",
            child="hand",
            more=limit + '<mimic joint="a" multiplier="0.5" offset="0.1"/>',
        ),
        JOINT.format(name="c", kind="fixed", parent="hand", child="tool", more=""),
    ]
    return "\n".join(['<robot name="pendulum">', *links, *joints, "</robot>"])


@lru_cache(maxsize=8)
def of_file(path: Path) -> Model:
    text = source.read(str(path))
    return make(read(text), {}, path)


def robot(name: str) -> Model:
    """A robot of example-robot-data."""
    return of_file(robot_path(name))
