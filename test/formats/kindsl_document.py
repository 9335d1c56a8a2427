"""A small Kinematics-DSL document of which parts are told."""

from __future__ import annotations

from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.source import Source

MASSLESS = """inertia_params { mass = 0.0 CoM = (0.0, 0.0, 0.0)
    Ix = 0.0 Iy = 0.0 Iz = 0.0 Ixy = 0.0 Ixz = 0.0 Iyz = 0.0 }"""


def document(
    x: str = "0.0", angle: str = "0.0", base: str = "", inertia: str = MASSLESS, frames: str = ""
) -> str:
    return f"""
    Robot R {{
        RobotBase b {base} {{ {MASSLESS} children {{ l via j }} }}
        link l {{ id = 1 {inertia} children {{}} {frames} }}
        r_joint j {{ ref_frame {{ translation = ({x}, 0.0, 0.0) rotation = ({angle}, 0.0, 0.0) }} }}
    }}"""


def read(text: str):
    return kindsl.read(Source("r.kindsl", text))
