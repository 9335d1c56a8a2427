"""Robots with loops, as URDF and the file that closes them, and their trees."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.formats.read import Reading, read
from robcogen_ros.formats.source import Source
from robcogen_ros.model.robot import Robot

Array = NDArray[np.float64]

_INERTIA = (
    '<inertial><origin xyz="{x} 0.02 -0.01"/><mass value="{m}"/><inertia ixx="0.02" iyy="0.05" '
    'izz="0.06" ixy="0.003" ixz="0.001" iyz="0.0002"/></inertial>'
)


def joint(
    name: str, parent: str, child: str, origin: str, axis: str = "0 1 0", more: str = ""
) -> str:
    """A joint of a URDF that turns without end unless `more` says otherwise."""
    kind = "revolute" if "limit" in more else "continuous"
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin {origin}/><axis xyz="{axis}"/>{more}</joint>'
    )


def links(*names: str) -> str:
    """Links of a URDF with inertias that differ."""
    return "".join(
        f'<link name="{name}">{_INERTIA.format(x=0.1 + 0.05 * k, m=1 + 0.3 * k)}</link>'
        for k, name in enumerate(names)
    )


FOUR_BAR = (
    '<robot name="four_bar"><link name="world"/>'
    + links("frame", "crank", "coupler", "rocker", "tool")
    + '<joint name="mount" type="fixed"><parent link="world"/><child link="frame"/>'
    '<origin xyz="0.1 0.2 0.3" rpy="0.3 0.4 0.5"/></joint>'
    + joint("drive", "frame", "crank", 'xyz="0 0 0"')
    + joint("pin", "crank", "coupler", 'xyz="0.3 0.05 0.02"')
    + joint("swing", "frame", "rocker", 'xyz="0.8 0.05 0" rpy="0 0.2 0"', "0 -1 0")
    + joint("wrist", "coupler", "tool", 'xyz="0.8 0 0.05" rpy="0.1 0.2 0.3"', "1 0.2 0")
    + "</robot>"
)
"""A Grashof four-bar in a tilted plane, one axis the other way round; its coupler bears a tool."""
FOUR_BAR_LOOPS = """\
loops:
  rod:
    frames: [{link: coupler, xyz: [0.8, 0, 0]}, {link: rocker, xyz: [0.6, 0, 0]}]
    fixed: axis_y
position: {drive: -1.0, pin: 0.9, swing: 1.2}
"""

FIVE_BAR = FOUR_BAR.replace(
    "</robot>", links("arm") + joint("knee", "rocker", "arm", 'xyz="0.4 0 0"') + "</robot>"
)
"""The rocker of the same has a knee: two joints are independent."""
FIVE_BAR_LOOPS = """\
loops:
  rod:
    frames: [{link: coupler, xyz: [0.8, 0, 0]}, {link: arm, xyz: [0.5, 0, 0]}]
    fixed: axis_y
independent: [drive, swing]
position: {drive: -1.0, pin: 0.6, swing: 0.9, knee: 1.0}
"""


def mimicking(urdf: str, name: str, leader: str) -> str:
    """Returns a URDF one joint of which follows another by a factor."""
    head, tail = urdf.split(f'<joint name="{name}"')
    mimic = f'<mimic joint="{leader}" multiplier="-0.7" offset="0.4"/></joint>'
    return f'{head}<joint name="{name}"{tail.replace("</joint>", mimic, 1)}'


GEARED = mimicking(FIVE_BAR, "knee", "swing")
"""The knee is geared with the rocker, which follows the crank."""
GEARED_LOOPS = FIVE_BAR_LOOPS.replace("[drive, swing]", "[drive]").replace(", knee: 1.0", "")

CURVED = FOUR_BAR.replace("</robot>", links("jaw") + "</robot>").replace(
    "</robot>", joint("bite", "tool", "jaw", 'xyz="0.1 0 0.2"', "0 0.6 0.8") + "</robot>"
)
CURVED_LOOPS = """\
<mujoco>
  <worldbody>
    <body name="coupler"><joint name="drive"/><joint name="pin"/><joint name="swing"/>
      <site name="end" pos="0.8 0 0"/></body>
    <body name="rocker"><joint name="wrist"/><joint name="bite"/>
      <site name="top" pos="0.6 0 0"/></body>
  </worldbody>
  <equality>
    <joint joint1="bite" joint2="wrist" polycoef="0.2 0.6 0.2"/>
    <joint joint1="wrist" joint2="swing" polycoef="0.1 0.4 -0.2 0.1 0.05"/>
    <connect site1="end" site2="top"/>
  </equality>
  <actuator><motor joint="drive"/></actuator>
  <keyframe><key qpos="-1.0 0.9 1.2 0 0"/></keyframe>
</mujoco>
"""
"""The four-bar, whose tool follows the rocker by a polynomial, and a jaw the tool by another."""


def _side(side: str, y: float) -> str:
    crank, universal, rod = (f"{side}_{name}" for name in ("crank", "cross", "rod"))
    return (
        links(crank, universal, rod)
        + joint(f"{side}_motor", "world", crank, f'xyz="0 {y} 0.25"')
        + joint(f"{side}_swing", crank, universal, 'xyz="-0.06 0 0"')
        + joint(f"{side}_tilt", universal, rod, 'xyz="0 0 0"', "1 0 0")
    )


ANKLE = (
    '<robot name="ankle"><link name="world"/>'
    + links("rocker", "tool")
    + joint("pitch", "world", "rocker", 'xyz="0 0 0"')
    + joint("roll", "rocker", "tool", 'xyz="0 0 0"', "1 0 0")
    + _side("left", 0.05)
    + _side("right", -0.05)
    + "</robot>"
)
"""An ankle of two motors, whose rods have ball joints at the foot."""
ANKLE_LOOPS = """\
loops:
  left:
    frames: [{link: left_rod, xyz: [0, 0, -0.25]}, {link: tool, xyz: [-0.06, 0.05, 0]}]
    fixed: point
  right:
    frames: [{link: right_rod, xyz: [0, 0, -0.25]}, {link: tool, xyz: [-0.06, -0.05, 0]}]
    fixed: point
independent: [left_motor, right_motor]
"""

_SWING = joint("swing", "frame", "rocker", 'xyz="0.8 0.05 0" rpy="0 0.2 0"', "0 -1 0")
SLIDER = FOUR_BAR.replace(
    _SWING,
    _SWING.replace("continuous", "prismatic")
    .replace("0 -1 0", "1 0 0")
    .replace("</joint>", '<limit lower="-2" upper="2" effort="9" velocity="9"/></joint>'),
)
"""The rocker of the four-bar slides."""
SLIDER_LOOPS = """\
loops:
  rod: {frames: [{link: coupler, xyz: [0.8, 0, 0]}, rocker], fixed: point}
position: {drive: -1.0, pin: 1.3, swing: 0.1}
"""

_LIMITS = '<limit lower="-2" upper="2" effort="9" velocity="9"/></joint>'


def slide(name: str, parent: str, child: str, origin: str, axis: str) -> str:
    """A joint of a URDF that slides."""
    found = joint(name, parent, child, origin, axis).replace("continuous", "prismatic")
    return found.replace("</joint>", _LIMITS)


BOOM = (
    '<robot name="boom"><link name="world"/>'
    + links("rocker", "tool", "barrel", "piston")
    + joint("boom", "world", "rocker", 'xyz="0.1 0 0.4" rpy="0 0.2 0"')
    + joint("wrist", "rocker", "tool", 'xyz="0.8 0 0.05"', "1 0.2 0")
    + joint("foot", "world", "barrel", 'xyz="0.3 0.1 0.1" rpy="0 -0.1 0"', "0 -1 0")
    + slide("stroke", "barrel", "piston", 'xyz="0.03 0.02 0.1" rpy="0 0.3 0"', "0 0 1")
    + "</robot>"
)
"""A boom that a cylinder holds, whose axis leads past its foot."""
BOOM_LOOPS = """\
loops:
  head:
    frames: [{link: piston, xyz: [0.02, 0, 0.1]}, {link: rocker, xyz: [0.5, 0.12, -0.1]}]
    fixed: axis_y
position: {boom: -0.2, foot: 0.0, stroke: 0.3}
independent: [boom]
"""
RSSP = (
    '<robot name="press"><link name="world"/>'
    + links("rocker", "cross", "rod", "tool")
    + joint("turn", "world", "rocker", 'xyz="0 0.1 0"', "1 0.2 0")
    + joint("swing", "rocker", "cross", 'xyz="0 0.05 0.2" rpy="0.1 0 0"')
    + joint("tilt", "cross", "rod", "", "1 0 0")
    + slide("ram", "world", "tool", 'xyz="0.1 0 -0.3" rpy="0.1 0.2 0"', "0 0 1")
    + "</robot>"
)
"""A ram that a crank drives by a rod in space."""
RSSP_LOOPS = """\
loops:
  ball: {frames: [{link: rod, xyz: [0, 0, -0.5]}, {link: tool, xyz: [0.02, 0, 0]}], fixed: point}
position: {turn: -0.2, swing: -0.25, tilt: -0.3, ram: 0.05}
"""

STACK = FOUR_BAR.replace(
    "</robot>",
    links("cross", "rod", "ram")
    + joint("bend", "rocker", "cross", 'xyz="0.3 0 0.1" rpy="0.1 0 0"', "0 0 1")
    + joint("tilt", "cross", "rod", 'xyz="0.05 0 0"', "1 0.1 0")
    + slide("push", "frame", "ram", 'xyz="0.9 0.3 0" rpy="0.1 0.2 0"', "0 0 1")
    + "</robot>",
)
"""A ram in space that the rocker of the four-bar drives: one loop moves a joint of the next."""
STACK_LOOPS = """\
loops:
  pin:
    frames: [{link: coupler, xyz: [0.8, 0, 0]}, {link: rocker, xyz: [0.6, 0, 0]}]
    fixed: axis_y
  ball: {frames: [{link: rod, xyz: [0, 0.4, 0]}, ram], fixed: point}
position: {drive: -1.0, pin: 0.57, swing: 1.65, bend: -0.8, tilt: -0.71, push: 0.55}
"""

PARALLELOGRAM = (
    '<robot name="parallelogram">'
    + links("base", "upper", "front", "lower")
    + joint("shoulder", "base", "upper", 'xyz="0 0 0.3"')
    + joint("elbow", "upper", "front", 'xyz="0.5 0 0"', more="{elbow}")
    + joint("second", "base", "lower", 'xyz="0 0 0.2"', more="{second}")
    + "</robot>"
)
"""The arms of a palletiser: what it carries does not turn. To be formatted with more of joints."""
PARALLELOGRAM_LOOPS = """\
loops:
  rod:
    frames: [{link: front, xyz: [0, 0, -0.1]}, {link: lower, xyz: [0.5, 0, 0]}]
    fixed: axis_y
"""


def reading(folder: Path, loops: str, urdf: str = FOUR_BAR, **options: object) -> Reading:
    """What is read of a URDF and a file of loops, given as texts, that lie in a folder."""
    model, file = folder / "robot.urdf", folder / "loops.yaml"
    model.write_text(urdf)
    file.write_text(loops)
    return read(model, loops=file, **options)


def linkage(urdf: str, loops: str, **options: object) -> Robot:
    """The robot of a URDF and a file of loops, given as texts."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "loops.yaml"
        file.write_text(loops)
        return read(Source("robot.urdf", urdf), loops=file, **options).robot
