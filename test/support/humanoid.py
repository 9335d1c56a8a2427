"""A humanoid of a trunk, an arm and two legs whose joints are given."""

from __future__ import annotations

from pathlib import Path

HUMANOID = """<robot name="r"><link name="trunk"><inertial><origin xyz="0.03 0.004 0.2"/>
<mass value="20"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="arm"/><joint name="arm_joint" type="revolute"><parent link="trunk"/><child link="arm"/>
<axis xyz="0 1 0"/><origin xyz="0 0 0.4"/><limit lower="-2" upper="0" effort="9" velocity="9"/>
</joint>{legs}</robot>"""
LEG = """<link name="{n}{to}"/><joint name="{n}{to}_joint" type="revolute"><parent link="{of}"/>
<child link="{n}{to}"/><origin xyz="0 {y} {z}"/><axis xyz="{axis}"/>
<limit lower="{lower}" upper="2" effort="90" velocity="9"/></joint>"""
YAW, ROLL = ("yaw", "0 0 1", 0), ("roll", "1 0 0", 0)
BEND = (("hip", "0 1 0", 0), ("knee", "0 1 0", -0.4), ("ankle", "0 1 0", -0.4))
SOLE_ROLL = ("sole", "1 0 0", 0)
"""Joints of a leg: name, axis, and height below the one before [m]."""


def write_humanoid(
    folder: Path, joints: tuple[tuple[str, str, float], ...], **lower: float
) -> Path:
    """Writes the humanoid; its soles are the last links of its legs, 0.8 m below the hips.

    Args:
        folder: Where to.
        joints: Of a leg.
        **lower: Limits of joints that are not -2 [rad].
    """
    legs = ""
    for name, y in (("l", 0.1), ("r", -0.1)):
        of = "trunk"
        for to, axis, z in joints:
            aside, least = y if of == "trunk" else 0.0, lower.get(to, -2.0)
            legs += LEG.format(n=name, to=to, of=of, axis=axis, z=z, y=aside, lower=least)
            of = name + to
    path = folder / "humanoid.urdf"
    path.write_text(HUMANOID.format(legs=legs))
    return path
