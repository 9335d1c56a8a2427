"""MJCF as we write it, and the command urdf2mjcf; what MuJoCo computes is in test/oracle."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli.main import main
from test.formats.mjcf_command import BODY, Command, joint, links


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    return Command(capsys)


def test_joints_keep_all_they_have(command):
    hinge = (
        '<origin xyz="0 0 1" rpy="1.5707963267948966 0 0"/><axis xyz="0 2 0"/>'
        '<limit lower="-1" upper="2" effort="7" velocity="3"/>'
        '<dynamics damping="0.3" friction="0.2" armature="0.1"/>'
    )
    slider = '<axis xyz="0 0 1"/><limit upper="0.5" lower="-inf" effort="inf" velocity="inf"/>'
    text = links("a", "b") + joint("j", "revolute", "base", "a", hinge)
    root, told = command(text + joint("k", "prismatic", "a", "b", slider))
    assert told == "note: MuJoCo has no limits of velocity: left out are those of j\n"
    first, second = root.iter("joint")
    assert first.attrib == {
        "name": "j",
        "type": "hinge",
        "axis": "0 1 0",
        "range": "-1 2",
        "actuatorfrcrange": "-7 7",
        "damping": "0.3",
        "frictionloss": "0.2",
        "armature": "0.1",
    }
    assert second.attrib == {"name": "k", "type": "slide", "axis": "0 0 1", "range": "-1e+16 0.5"}
    body = root.find(".//body[@name='a']")
    assert body.get("pos") == "0 0 1"
    turn = [float(x) for x in body.get("quat").split()]
    assert turn == pytest.approx([np.sqrt(0.5), np.sqrt(0.5), 0, 0], abs=1e-15)
    assert body.find("inertial").attrib == {"pos": "0 0 0", "mass": "1", "diaginertia": "1 1 1"}


def test_a_helical_joint_is_refused_for_mujoco_has_none(command):
    screw = '<axis xyz="0 0 1" screw_thread_pitch="0.1"/>'
    _, told = command(links("a") + joint("j", "revolute", "base", "a", screw))
    assert "joint 'j' is helical, which MuJoCo has not: SDF has (robcogen urdf2sdf)" in told


def test_mujoco_is_told_to_change_nothing(command):
    root, _ = command(links("a") + joint("j", "continuous", "base", "a"))
    assert root.find("compiler").attrib == {
        "angle": "radian",
        "autolimits": "true",
        "balanceinertia": "false",
        "boundmass": "0",
        "boundinertia": "0",
        "inertiafromgeom": "false",
        "fusestatic": "false",
    }
    assert root.find("option").attrib == {"gravity": "0 0 -9.81"}


def test_followers_are_held_by_equalities_and_start_where_these_hold(command):
    text = links("a", "b", "c") + joint("j", "continuous", "base", "a")
    more = '<mimic joint="j" multiplier="2" offset="0.1"/><limit effort="5" velocity="4"/>'
    text += joint("k", "continuous", "a", "b", more)
    text += joint("l", "continuous", "b", "c", '<mimic joint="k" multiplier="-3"/>')
    root, _ = command(text, "--floating-base")
    assert root.find(".//joint[@name='k']").get("actuatorfrcrange") is None
    found = [e.attrib for e in root.find("equality")]
    assert [(e["joint1"], e["joint2"]) for e in found] == [("k", "j"), ("l", "j")]
    factors = [[float(x) for x in e["polycoef"].split()] for e in found]
    assert np.array(factors) == pytest.approx(np.array([[0.1, 2, 0, 0, 0], [-0.3, -6, 0, 0, 0]]))
    assert root.find("keyframe/key").get("qpos") == "0 0 0 1 0 0 0 0 0.1 -0.3"
    assert root.find("worldbody/body/freejoint").get("name") == "base_floating"


def test_limits_that_leave_no_room_become_an_equality(command):
    held = '<limit lower="0.4" upper="0.4" effort="1" velocity="1"/>'
    root, _ = command(links("a") + joint("j", "revolute", "base", "a", held))
    assert root.find(".//joint").get("range") is None
    equality = root.find("equality/joint")
    assert equality.attrib == {"joint1": "j", "polycoef": "0.4 0 0 0 0"}
    assert root.find("keyframe/key").get("qpos") == "0.4"


def test_links_that_are_fixed_are_sites_of_the_body_that_they_are_part_of(command):
    text = links("a", "tool") + joint("j", "continuous", "base", "a")
    root, _ = command(text + joint("f", "fixed", "a", "tool", '<origin xyz="0 0 0.5"/>'))
    body = root.find(".//body[@name='a']")
    assert body.find("inertial").get("mass") == "2"
    assert body.find("inertial").get("pos") == "0 0 0.25"
    assert body.find("site").attrib == {"name": "tool", "pos": "0 0 0.5"}


def test_a_base_that_is_called_world_is_mujocos(command):
    text = links("a").replace('"base"', '"world"') + joint("j", "continuous", "world", "a")
    root, told = command(text)
    assert told == ""
    assert [body.get("name") for body in root.iter("body")] == ["a"]
    pedestal = links("a", "pedestal").replace('"base"', '"world"')
    joints = joint("f", "fixed", "world", "pedestal") + joint("j", "continuous", "world", "a")
    _, told = command(pedestal + joints)
    assert "note: 1 kg that are fixed to the world are left out\n" in told
    root, told = command(text, "--floating-base", "--accept-inertia")
    assert [body.get("name") for body in root.iter("body")] == ["world_2", "a"]
    assert "note: link 'world' is written as 'world_2', for MuJoCo calls its world so" in told


def test_what_has_no_mass_is_given_what_mujoco_needs(command):
    text = links("b", base=BODY) + '<link name="a"/>' + joint("j", "continuous", "base", "a")
    root, told = command(text + joint("k", "continuous", "a", "b"))
    assert root.find(".//body[@name='a']/inertial").get("mass") == "2e-15"
    assert told == (
        "note: MuJoCo lets nothing move that has no mass: link 'a' is written with 2e-15 kg\n"
    )
    _, told = command(links() + '<link name="a"/>' + joint("j", "continuous", "base", "a"))
    assert "warning: nothing that has mass is moved by j: MuJoCo's simulation of them is" in told


def test_inertia_that_is_impossible_is_refused_or_on_demand_its_mean(command):
    odd = BODY.replace('izz="1"', 'izz="2.3"')
    text = f'<link name="base"/><link name="a">{odd}</link>' + joint(
        "j", "revolute", "base", "a", '<axis xyz="1 0 0"/>'
    )
    none, told = command(text)
    assert none is None
    assert re.search(
        r"r\.urdf:1:\d+: error: link 'a', with all that is fixed on it, has an impossible", told
    )
    assert "are 1, 1, 2.3 kg m^2" in told
    root, told = command(text, "--balance-inertia")
    mean = root.find(".//inertial").get("diaginertia").split()
    assert [float(moment) for moment in mean] == pytest.approx([4.3 / 3] * 3)
    assert "warning: link 'a' is written with the mean of moments that no body has" in told


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
@pytest.mark.parametrize("base", ["", BODY.replace('"1"', '"9"')])
def test_inertia_of_no_body_is_taken_from_the_other_side_of_the_joint(command, kind, base):
    odd = BODY.replace('izz="1"', 'izz="2.3"').replace("<mass", '<origin xyz="0.3 0.2 0"/><mass')
    free = '<axis xyz="0 0 1"/><dynamics damping="0.1"/>'
    text = f'<link name="base">{base}</link><link name="a">{odd}</link>'
    _, told = command(text + joint("j", kind, "base", "a", free), *["--floating-base"] * bool(base))
    assert told.splitlines()[-1] == (
        "note: link 'a' is written with the inertia of a body, which its own is not: what it takes "
        "comes from the other side of the joint, where it moves alike"
    )
    pytest.importorskip("mujoco")
    from test.support.in_mujoco import TERMS, InMujoco, compared
    from test.support.scaled import wrong

    ours = robcogen_ros.build("r.urdf", floating_base=bool(base), backend="numpy", terms=TERMS)
    assert wrong(compared(ours, InMujoco(ours, Path("r.xml")))) == {}


def test_a_flat_body_that_is_turned_is_taken(command):
    mujoco = pytest.importorskip("mujoco")
    flat = BODY.replace('izz="1"', 'izz="2"').replace("<mass", '<origin rpy="0.3 0.5 0.7"/><mass')
    text = f'<link name="base"/><link name="a">{flat}</link>' + joint("j", "revolute", "base", "a")
    command(text)
    model = mujoco.MjModel.from_xml_path("r.xml")
    assert sorted(model.body_inertia[-1]) == pytest.approx([1, 1, 2], rel=1e-12)


KINDSL = """Robot R {
    RobotBase b { children { l via j }
        frames { eye { translation = (x[1.5], 0, 0) rotation = (0, 0, 0) } } }
    link l { id = 1
        inertia_params { mass = 2 CoM = (0, 0, 0) Ix = 1 Iy = 1 Iz = 1 Ixy = 0 Ixz = 0 Iyz = 0 }
        children {} }
    r_joint j { ref_frame { translation = (0, 0, x[1.5]) rotation = (0, 0, 0) } }
}"""


def test_parameters_of_the_kinematics_dsl_are_at_their_defaults(command):
    root, told = command(KINDSL, name="r.kindsl")
    assert told == "note: MJCF has no parameters; written for x = 1.5\n"
    assert root.find(".//body[@name='l']").get("pos") == "0 0 1.5"
    assert root.find(".//site[@name='eye']").get("pos") == "1.5 0 0"
    none, told = command(KINDSL.replace("[1.5]", ""), name="r.kindsl")
    assert none is None
    assert "parameter 'x' has no default value, and MJCF has no parameters" in told


def test_part_of_a_robot_under_its_own_gravity(command):
    text = links("a", "b") + joint("j", "continuous", "base", "a")
    text += joint("k", "continuous", "a", "b")
    root, _ = command(text, "--root", "a", "--gravity", "1", "2", "3")
    assert [body.get("name") for body in root.iter("body")] == ["a", "b"]
    assert root.find("option").get("gravity") == "1 2 3"
    root, _ = command(text, "--lock", "k=0.5")
    assert [body.get("name") for body in root.iter("body")] == ["base", "a"]


def test_the_standard_streams(command, monkeypatch, capsys):
    text = f'<robot name="r">{links("a")}{joint("j", "continuous", "base", "a")}</robot>'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["urdf2mjcf", "-"]) == 0
    assert capsys.readouterr().out.startswith('<mujoco model="r">\n  <compiler angle="radian"')
