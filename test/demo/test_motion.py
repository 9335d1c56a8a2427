"""Motions of the demo of an arm."""

import re

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.demo.motion import plan
from robcogen_ros.errors import RobcogenError

ARM = """<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="{mass}"/>
  <origin xyz="0.1 0 0"/><inertia ixx="1" iyy="{inertia}" izz="1" ixy="0" ixz="0" iyz="0"/>
  </inertial></link><joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/>
  <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="0.5" velocity="9"/>
  <dynamics friction="{friction}"/></joint></robot>"""


def arm(mass, friction=0.0, inertia=0.1):
    text = ARM.format(mass=mass, friction=friction, inertia=inertia)
    return robcogen_ros.build(text=text, backend="numpy")


def test_a_motion_keeps_within_its_share_of_the_efforts():
    motion = plan(arm(0.1), 10.0)
    assert np.abs(motion.positions - motion.positions[0]).max() > 0.4
    assert np.abs(motion.efforts).max() <= 0.7 * 0.5


@pytest.mark.parametrize(("mass", "friction"), [(1.0, 0.0), (0.3, 0.2)])
def test_a_joint_that_is_too_weak_is_named_with_its_effort_and_what_friction_takes(mass, friction):
    with pytest.raises(RobcogenError) as error:
        plan(arm(mass, friction), 10.0)
    told = re.search(
        r"shoulder would give ([\d.]+)( \((.*) of it dry friction\))?; 70% of its limit is (.*)",
        str(error.value),
    )
    effort, _, rubbed, most = told.groups()
    assert float(most) == pytest.approx(0.35)
    assert float(rubbed or 0.0) == friction
    weight = 9.81 * mass * 0.1
    assert 0.5 * weight < float(effort) - friction < 1.5 * weight
