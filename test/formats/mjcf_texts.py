"""Robots in MJCF, as texts, and how they are read."""

from __future__ import annotations

from robcogen_ros.formats.read import Reading, read
from robcogen_ros.formats.source import Source

INERTIAL = '<inertial pos="0.1 0.02 -0.03" mass="1.5" diaginertia="0.02 0.03 0.04"/>'
HINGE = '<joint name="{}" axis="{}"/>'


def body(name: str, inside: str, place: str = 'pos="0.1 0.2 0.3"') -> str:
    """A body with inertia that a joint moves."""
    return f'<body name="{name}" {place}>{INERTIAL}{inside}</body>'


def model(world: str, before: str = "", after: str = "") -> str:
    """An MJCF of what stands in its world."""
    return f"<mujoco>{before}<worldbody>{world}</worldbody>{after}</mujoco>"


def chain(place: str) -> str:
    """Two joints, the second body placed as is said."""
    return body("a", '<joint name="j" axis="0 1 1"/>' + body("b", '<joint name="k"/>', place))


def reading(text: str, **options: object) -> Reading:
    """What an MJCF describes."""
    return read(Source("robot.xml", text), **options)


def finger(side: str, way: int) -> str:
    """A four-bar without its closure, to the left or to the right of the palm."""
    joint = f'<joint name="{side}_{{}}" axis="{way} 0 0"/>'
    tip = body(f"{side}_tip", joint.format("rod"), f'pos="0 {0.1 * way} 0.3"')
    crank = body(f"{side}_crank", joint.format("drive") + tip, f'pos="0 {0.1 * way} 0"')
    return crank + body(f"{side}_rocker", joint.format("rocker"), f'pos="0 {0.5 * way} 0"')


def closure(side: str, way: int) -> str:
    anchor = f'anchor="0 {0.25 * way} 0.05"'
    return f'<connect body1="{side}_tip" body2="{side}_rocker" {anchor}/>'


ROBOTS = {
    "quaternion": model(chain('pos="1 2 3" quat="1 2 3 4"')),
    "euler": model(chain('euler="10 20 30"')),
    "extrinsic": model(chain('euler="0.1 0.2 0.3"'), '<compiler angle="radian" eulerseq="ZYx"/>'),
    "axisangle": model(chain('axisangle="1 2 3 40"')),
    "xyaxes": model(chain('xyaxes="1 2 3 -1 0.5 2"')),
    "zaxis": model(chain('zaxis="1 -2 -3"')),
    "upside down": model(chain('zaxis="0 0 -1"')),
    "off the origin": model(
        body(
            "a", '<joint name="j" axis="1 2 0" pos="0.3 0.1 0.2"/>' + body("b", '<joint name="k"/>')
        )
    ),
    "several joints": model(
        body(
            "a",
            '<joint name="x" type="slide" axis="1 0 0"/><joint name="j" pos="0.1 0.3 0"/>'
            '<joint name="k" axis="1 1 0" pos="0 0.2 0.1" ref="20"/>'
            '<joint name="z" type="slide" axis="0 1 1" ref="0.3"/>' + body("b", ""),
        )
    ),
    "fullinertia": model(
        '<body name="a"><joint name="j" axis="1 0 0"/><inertial pos="0.1 0.2 0.3" mass="2" '
        'fullinertia="0.3 0.4 0.5 0.01 0.02 0.03"/></body>'
    ),
    "turned inertia": model(
        '<body name="a"><joint name="j" axis="1 0 0"/><inertial pos="0.1 0.2 0.3" mass="2" '
        'euler="10 20 30" diaginertia="0.3 0.4 0.5"/></body>'
    ),
    "geoms": model(
        '<body name="a"><joint name="j" axis="1 1 1"/>'
        '<geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0" euler="10 20 30"/>'
        '<geom type="ellipsoid" size="0.1 0.2 0.3" density="500"/>'
        '<geom type="sphere" size="0.1" mass="2" pos="0 0.2 0"/>'
        '<geom type="cylinder" size="0.1 0.3" zaxis="1 0 1"/>'
        '<geom type="capsule" size="0.1 0.3" fromto="0 0 0.1 0.3 0.2 0.1"/>'
        '<geom type="box" size="0.1" fromto="0 0 0.1 0.3 0.2 0.1"/>'
        '<geom type="capsule" size="0.1 0.2" group="4"/>'
        "</body>",
        '<compiler inertiagrouprange="0 3"/>',
    ),
    "total mass": model(chain(""), '<compiler settotalmass="10"/>'),
    "classes": model(
        '<body name="a" childclass="limb"><joint name="j"/><geom/><body name="b">'
        '<geom class="foot"/>'
        '<joint name="k" axis="1 0 0"/><frame childclass="foot"><geom pos="0.3 0 0"/></frame>'
        "</body></body>",
        '<default><geom type="sphere" size="0.1"/><default class="limb"><joint axis="0 1 0"/>'
        '<geom density="200"/><default class="foot"><geom size="0.2"/>'
        "</default></default></default>",
    ),
    "frames": model(
        '<frame euler="10 0 30" pos="1 0 0"><frame pos="0 1 0">'
        + body("a", '<joint name="j"/><frame euler="0 20 0"><geom size="0.2"/></frame>')
        + "</frame></frame>"
    ),
    "copies": model(
        '<replicate count="11" offset="0.1 0.2 0.3" euler="10 20 30" sep="_">'
        + body("a", '<joint name="j" axis="1 0 0"/>')
        + "</replicate>"
    ),
    "followers": model(
        chain(""),
        after='<equality><joint joint1="k" joint2="j" polycoef="0.1 -2"/></equality>',
    ).replace('name="j"', 'name="j" ref="30"'),
    "gripper": model(
        finger("left", 1) + finger("right", -1),
        after=f"<equality>{closure('left', 1)}{closure('right', -1)}"
        '<joint joint1="left_drive" joint2="right_drive" polycoef="0 1"/></equality>',
    ),
    "floating": model(
        '<body name="base"><freejoint/>' + INERTIAL + chain('euler="10 20 30"') + "</body>"
        '<body name="table"><geom size="1"/></body>'
    ),
}


LIMB = body("a", '<joint name="j"/>' + body("b", '<joint name="k"/>'))
"""What stands around a mistake: the world of a chain of two joints."""
