"""Attributes that no version of URDF has are told, wherever they would change the robot."""

from __future__ import annotations

import re

import pytest

from robcogen_ros.errors import ModelError
from robcogen_ros.formats import source
from robcogen_ros.formats.urdf import reader as urdf
from test.support.robots import oracle_robots, robot_path

ROBOT = """\
<robot name="r" version="1.0">
  <link name="a"/>
  <link name="b">
    <inertial>
      <origin xyz="0 0 0.1" rpy="0 0 0"/>
      <mass value="1"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>
    </inertial>
    <visual group="g"><geometry><sphere radius="1"/></geometry><material name="m"/></visual>
    <collision name="c"><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <link name="c"/>
  <joint name="j" type="revolute">
    <parent link="a"/>
    <child link="b"/>
    <origin xyz="0 0 1" rpy="0 0 0"/>
    <axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
    <dynamics damping="0.7" friction="0.1" armature="0.01"/>
    <safety_controller k_velocitee="1"/>
  </joint>
  <joint name="k" type="revolute">
    <parent link="b"/>
    <child link="c"/>
    <axis xyz="0 0 1"/>
    <mimic joint="j" multiplier="-1" offset="0.3"/>
  </joint>
  <gazebo refrence="a"><joint nmae="x"/></gazebo>
</robot>
"""


def findings(text: str) -> list[str]:
    try:
        return [str(problem) for problem in urdf.read(source.of_text(text, "r.urdf")).warnings]
    except ModelError as error:
        return [str(problem) for problem in error.problems]


def place(text: str, part: str) -> str:
    before = text[: text.index(part)]
    return f"r.urdf:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def test_what_is_spelt_right_is_quiet_and_so_is_what_is_not_read():
    assert findings(ROBOT) == []


MISSPELT = [
    ("version", "verison"),
    ("rpy", "rotation"),
    ("xyz", "pos"),
    ("xyz", "XYZ"),
    ("rpy", "quat"),
    ("axis xyz", "axis xzy"),
    ("axis xyz", "axis dir"),
    ("upper", "uper"),
    ("lower", "lowr"),
    ("effort", "effrot"),
    ("velocity", "velocty"),
    ("damping", "dampening"),
    ("friction", "frition"),
    ("armature", "rotor"),
    ("multiplier", "multipier"),
    ("offset", "ofset"),
]


@pytest.mark.parametrize(("right", "wrong"), MISSPELT)
def test_a_misspelt_attribute_is_told_where_it_is(right, wrong):
    text = ROBOT.replace(f"{right}=", f"{wrong}=", 1)
    name = wrong.split()[-1]
    where = place(text, f"{wrong}=").rsplit(":", 1)[0]
    told = [each for each in findings(text) if f"unknown attribute '{name}'" in each]
    assert len(told) == 1
    assert told[0].startswith(where) and "is ignored" in told[0]


ADDED = ["robot", "link", "inertial", "mass", "inertia", "joint", "parent", "child", "origin"]


@pytest.mark.parametrize("tag", [*ADDED, "axis", "limit", "dynamics", "mimic"])
def test_every_element_that_is_read_is_looked_over(tag):
    text = re.sub(f"<{tag}\\b", f'<{tag} quality="fine"', ROBOT, count=1)
    (told,) = findings(text)
    assert told.startswith(f"r.urdf:{place(text, 'quality').split(':')[1]}:")
    assert "unknown attribute 'quality' of" in told
    assert findings(text.replace("quality", "my:quality")) == []


def test_hints_name_what_was_meant():
    text = ROBOT.replace("upper=", "uper=").replace("armature=", "Armature=")
    told = "\n".join(findings(text))
    assert "'uper' of <limit> is ignored; did you mean 'upper'?" in told
    assert "'Armature' of <dynamics> is ignored; did you mean 'armature'?" in told


def test_one_kind_is_told_once_with_how_often_it_is():
    text = ROBOT.replace("<parent link", '<parent lnk="" link')
    assert findings(text)[0].endswith("did you mean 'link'? (and once more)")


@pytest.mark.parametrize("unit", ["mm", "deg", "inch"])
def test_other_units_are_errors(unit):
    (told,) = findings(ROBOT.replace("<origin", f'<origin unit="{unit}"', 1))
    assert f"error: unit '{unit}' of <origin>: URDF is in m, kg, s and rad alone" in told
    assert findings(ROBOT.replace("<origin", '<origin unit="m"', 1)) == []


def test_of_products_of_inertia_the_transposed_may_say_the_same():
    assert findings(ROBOT.replace('ixy="0"', 'ixy="0" iyx="-0.0"')) == []
    (told,) = findings(ROBOT.replace('ixy="0"', 'ixy="0" iyx="0.001"'))
    assert "unknown attribute 'iyx' of <inertia> is ignored, and 'ixy' says otherwise" in told


@pytest.mark.parametrize(("tag", "taken"), [("axis", "it is 1 0 0"), ("limit", "there is none")])
def test_an_axis_and_limits_that_say_nothing_are_told_with_what_is_taken(tag, taken):
    start = ROBOT.index(f"<{tag}")
    end = ROBOT.index("/>", start)
    (told,) = findings(f"{ROBOT[:start]}<{tag}{ROBOT[end:]}")
    assert f"<{tag}> of j gives nothing that is read: {taken}" in told


@pytest.mark.parametrize(
    ("limit", "lacking"),
    [
        ('lower="-1" upper="1"', "effort of <limit> and velocity of <limit>"),
        ('lower="-1" upper="1" velocity="2"', "effort of <limit>"),
        ('effort="1"', "velocity of <limit>"),
    ],
)
def test_limits_for_which_urdfdom_refuses_a_file_are_told(limit, lacking):
    start = ROBOT.index("<limit")
    text = f"{ROBOT[:start]}<limit {limit}{ROBOT[ROBOT.index('/>', start) :]}"
    (told,) = findings(text)
    assert f"j lack {lacking}: urdfdom, by which RViz, robot_state_publisher and Gazebo" in told
    pinocchio = pytest.importorskip("pinocchio", reason="Pinocchio is not installed")
    joint = '<parent link="a"/><child link="b"/><limit {}/></joint></robot>'
    links = '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
    assert pinocchio.buildModelFromXML(links + joint.format('effort="1" velocity="2"')).nq == 1
    with pytest.raises(ValueError, match="URDF"):
        pinocchio.buildModelFromXML(links + joint.format(limit))


def of_limits(lower, upper):
    start = ROBOT.index("<limit")
    limit = f'<limit lower="{lower}" upper="{upper}" effort="1" velocity="1"'
    return f"{ROBOT[:start]}{limit}{ROBOT[ROBOT.index('/>', start) :]}"


def test_limits_in_degrees_are_told_and_those_that_stand_for_none_are_not():
    (told,) = findings(of_limits(-170, 90))
    assert told.endswith(
        "warning: limits of j are many turns, -170 to 90 rad; if degrees are meant, write "
        "-2.9671 to 1.5708"
    )
    for limits in ((-12.5, 12.5), (-1e16, 1e16), (-999999, 999999), ("-inf", "inf")):
        assert findings(of_limits(*limits)) == []


def test_origins_in_millimeters_are_told():
    (told,) = findings(ROBOT.replace('xyz="0 0 0.1"', 'xyz="0 350.5 0"'))
    assert told.endswith(
        "xyz of an <origin> is 0 350.5 0 m; if millimeters are meant, write '0 0.3505 0'"
    )
    assert findings(ROBOT.replace('xyz="0 0 0.1"', 'xyz="0 90 0"')) == []


def test_origins_in_degrees_are_told():
    (told,) = findings(ROBOT.replace('xyz="0 0 0.1" rpy="0 0 0"', 'rpy="90 0 -45"'))
    assert told.endswith(
        "rpy of an <origin> is 90 0 -45 rad; if degrees are meant, write '1.570796 0 -0.7853982'"
    )
    assert findings(ROBOT.replace('xyz="0 0 0.1" rpy="0 0 0"', 'rpy="9.4 0 0"')) == []


@pytest.mark.parametrize("part", ["visual", "collision"])
def test_shapes_turned_by_degrees_are_told(part):
    shape = f'<{part}><origin rpy="0 180 0"/><geometry><sphere radius="1"/></geometry></{part}>'
    start = ROBOT.index("<inertial>")
    (told,) = findings(f"{ROBOT[:start]}{shape}{ROBOT[start:]}")
    assert "rpy of an <origin> is 0 180 0 rad; if degrees are meant, write '0 3.14" in told


def test_a_rotor_of_no_joint_is_told():
    rotor = '<actuator name="m"><drake:rotor_inertia value="1e-5"/></actuator>'
    transmission = f'<transmission><joint name="jj"/>{rotor}</transmission></robot>'
    (told,) = findings(ROBOT.replace("</robot>", transmission))
    assert "the rotor of joint 'jj' is ignored: there is no such joint; did you mean 'j'?" in told


OF_OTHERS = {
    "panda_description/urdf/panda.urdf": {"mu_coulomb", "mu_viscous"},
    "panda_description/urdf/panda_collision.urdf": {"mu_coulomb", "mu_viscous"},
}
"""Attributes that real robots have and no version of URDF."""


@pytest.mark.slow
def test_real_robots_are_quiet_but_for_what_they_really_have():
    told: dict[str, set[str]] = {}
    for name in oracle_robots():
        for problem in urdf.read(source.read(str(robot_path(name)))).warnings:
            if "unknown attribute" in problem.message:
                told.setdefault(name, set()).add(problem.message.split("'")[1])
    assert told == OF_OTHERS
