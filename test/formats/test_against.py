"""`robcogen check --against`: whether MuJoCo has the same robot, and what differs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("mujoco")

import robcogen_ros
from robcogen_ros.cli.main import main
from robcogen_ros.formats.bodies import bodies
from robcogen_ros.formats.read import read
from robcogen_ros.formats.weighed import positions, weighed
from test.formats.against_command import ARM, BODY, PLAIN, UPPER, Check, replaced, row
from test.support.robots import robot_path


@pytest.fixture
def arm(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    return Check(capsys)


def test_mujoco_reads_an_ordinary_urdf_as_it_is(arm):
    code, lines, told = arm()
    assert (code, told) == (0, "")
    assert lines[0].split()[:3] == ["link", "mass", "[kg]"]
    assert row(lines, "base").endswith("stands still: its inertia does not count")
    assert row(lines, "upper").split()[1:3] == ["2", "2"]
    assert lines[-2].endswith(" has the same robot, to 4 digits")
    assert lines[-1].startswith("arm.urdf: ok, ")


@pytest.mark.parametrize("options", [[], ["--floating-base"]])
def test_our_own_mjcf_is_the_same_robot_wherever_it_stands(arm, options):
    placed = replaced('<body name="base">', '<body name="base" pos="1 2 3" euler="0.3 -1 2">')
    code, lines, told = arm(PLAIN, *options, change=placed)
    if options:
        assert (code, told) == (0, "")
    else:
        assert code == 1
        assert "gravity in the base is 0 0 -9.81, there" in lines[-1]


CHANGES = {
    'pos="0 0 0.2" mass="2"': ('pos="0 0 0.2" mass="3"', "upper", "it is heavier there"),
    'pos="0.1 0 0.2" mass="2"': ('pos="0.1 0 0.3" mass="2"', "lower", "its center of mass is"),
    'name="elbow" type="hinge" axis="0 1 0"': (
        'name="elbow" type="hinge" axis="0 -1 0"',
        "lower",
        "its axis points the other way",
    ),
    'name="lower" pos="0 0 0.4"': (
        'name="lower" pos="0 0 0.45"',
        "lower",
        "its joint is 50 mm away",
    ),
    'name="shoulder" type="hinge" axis="0 1 0"': (
        'name="shoulder" type="hinge" axis="0.1 1 0"',
        "upper",
        "its axis is turned by 5.71 degrees",
    ),
}


@pytest.mark.parametrize("before", CHANGES)
def test_what_differs_is_named(arm, before):
    after, link, reason = CHANGES[before]
    code, lines, told = arm(change=replaced(before, after))
    assert code == 1
    assert reason in row(lines, link)
    assert told.startswith("arm.urdf:1:1: error: MuJoCo ")
    assert "has another robot: " in told


def test_a_joint_of_another_name_is_not_found(arm):
    code, lines, _ = arm(change=replaced('name="elbow"', 'name="other"'))
    assert code == 1
    told = "there is no joint 'elbow': a body of the link's name is moved by 'other'"
    assert told in row(lines, "lower")
    assert "it has more joints there: other" in lines


def test_inertia_that_is_turned_or_balanced_is_told_so(arm):
    ours = ARM.format(upper=UPPER, lower=BODY.format("0.1 0 0.2", "0 0 0", 0.3))
    turned = replaced(
        'diaginertia="0.3 0.4 0.5"/>', 'quat="0.8 0.6 0 0" diaginertia="0.3 0.4 0.5"/>'
    )
    _, lines, _ = arm(ours, change=turned)
    assert "its inertia is turned: the rpy of <inertial>" in row(lines, "lower")
    _, lines, _ = arm(ours, change=replaced('"0.3 0.4 0.5"', '"0.4 0.4 0.4"'))
    assert "its inertia is balanced" in row(lines, "lower")


def test_mass_that_mujoco_makes_of_shapes(arm):
    shape = '<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>'
    text = PLAIN.replace('<link name="tool"/>', f'<link name="tool">{shape}</link>')
    code, lines, _ = arm(text)
    assert code == 1
    assert row(lines, "lower").split()[1:3] == ["2", "3"]
    assert "no <inertial> of tool: it takes mass from the shapes" in row(lines, "lower")
    assert row(lines, "upper").endswith("it bears other weights")


def test_axes_that_are_upright_but_for_the_rounding_of_angles_bear_no_weights(arm):
    upright = '<origin xyz="0 0 0.4" rpy="1.5708 0 0"/><axis xyz="0 1 0"/>'
    joint = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/>'
    body = BODY.format("0.1 0 0.2", "0 0 0", 0.4)
    code, lines, told = arm(
        f'<robot name="upright"><link name="a"/><link name="b">{body}</link>{joint}{upright}'
        "</joint></robot>"
    )
    assert code == 0, lines
    assert "rounded angle" in told


def test_what_is_left_out_is_named_if_its_mass_is_what_lacks(arm):
    weight = BODY.format("0 0 0", "0 0 0", 0.3).replace('mass value="2"', 'mass value="0.7"')
    text = PLAIN.replace('<link name="tool"/>', f'<link name="tool">{weight}</link>')

    def change(_):
        assert main(["urdf2mjcf", "plain.urdf", "-o", "plain.xml"]) == 0
        return Path("plain.xml").read_text()

    Path("plain.urdf").write_text(PLAIN)
    _, lines, _ = arm(text, change=change)
    assert "it is lighter there: tool left out" in row(lines, "lower")
    _, lines, _ = arm(text.replace('"0.7"', '"0.9"'), change=replaced('mass="2.9"', 'mass="2.5"'))
    assert row(lines, "lower").endswith("it is lighter there")


def test_an_mjcf_takes_no_mass_from_shapes_of_a_urdf(arm):
    _, lines, _ = arm(change=replaced('pos="0.1 0 0.2" mass="2"', 'pos="0.1 0 0.2" mass="3"'))
    assert row(lines, "lower").endswith("it is heavier there")


def test_moments_of_what_has_no_mass(arm):
    moments = BODY.format("0 0 0", "0 0 0", 0.3).replace('mass value="2"', 'mass value="0"')
    code, lines, _ = arm(
        PLAIN.replace('<link name="tool"/>', f'<link name="tool">{moments}</link>')
    )
    assert code == 1
    assert "the moments of tool, which has no mass, are not taken" in row(lines, "lower")


def test_a_root_that_floats_only_here(arm):
    code, lines, _ = arm(PLAIN, "--floating-base")
    assert code == 1
    assert "it does not float there; it is lighter there" in row(lines, "base")


def test_what_joints_have_by_themselves(arm):
    text = PLAIN.replace('damping="0.3"', 'damping="0.3" armature="0.1"')
    code, lines, _ = arm(text)
    assert code == 1
    assert lines[-1] == "joint 'shoulder': armature 0.1, there 0"
    _, lines, _ = arm(change=replaced('range="-1 2"', 'range="-1 1"'))
    assert lines[-1] == "joint 'shoulder': upper 2, there 1"
    mimic = '<mimic joint="shoulder" multiplier="2" offset="0.1"/>'
    text = PLAIN.replace('<parent link="upper"/>', f'<parent link="upper"/>{mimic}')
    code, lines, _ = arm(text)
    assert code == 0
    _, lines, _ = arm(text, change=replaced('polycoef="0.1 2 0', 'polycoef="0.1 3 0'))
    assert lines[-1] == "joint 'elbow' is 2 'shoulder' + 0.1: there 3 'shoulder' + 0.1"
    _, lines, _ = arm(
        text, change=replaced('<joint joint1="elbow"', '<joint active="false" joint1="elbow"')
    )
    assert lines[-1] == "joint 'elbow' follows 'shoulder': there it is free"


def test_a_description_that_mujoco_refuses(arm):
    text = PLAIN.replace('type="fixed"', 'type="continuous"')
    code, lines, told = arm(text)
    assert (code, lines) == (1, [])
    assert "error: MuJoCo " in told
    assert "does not read it: Error: mass and inertia of moving bodies must be larger" in told
    assert "'tool'" in told
    assert told.endswith("; robcogen urdf2mjcf writes what it reads\n")


def test_what_mujoco_warns_of_is_said_and_logged_nowhere(arm):
    text = PLAIN.replace('type="continuous">', 'type="revolute"><limit lower="0.2" upper="0.2"/>')
    _, _, told = arm(text)
    assert "note: MuJoCo" in told
    assert "joint 'elbow' has equal lower and upper limits" in told
    assert sorted(path.name for path in Path().iterdir()) == ["arm.urdf"]


def test_an_mjcf_is_compared_with_what_mujoco_reads_of_it(capsys, tmp_path):
    """With its rotors, without the law of its servos; meshes that are not there are told."""
    path = tmp_path / "arm.xml"
    path.write_text(
        '<mujoco><asset><mesh name="m" file="gone.stl"/></asset><worldbody><body name="a">'
        '<inertial pos="0 0 0.1" mass="1" diaginertia="0.01 0.01 0.01"/>'
        '<joint name="j" axis="0 1 0" armature="0.1"/><geom type="mesh" mesh="m"/>'
        '</body></worldbody><actuator><position joint="j" kp="50" inheritrange="0"/></actuator>'
        '<keyframe><key qpos="0.3"/></keyframe></mujoco>'
    )
    assert main(["check", str(path), "--against", "mujoco"]) == 0
    assert "without meshes, for one is not there" in capsys.readouterr().err


def test_json_has_what_differs(arm, capsys):
    Path("arm.urdf").write_text(PLAIN.replace('damping="0.3"', 'damping="0.3" armature="0.1"'))
    assert main(["check", "arm.urdf", "--against", "mujoco", "--json"]) == 1
    (problem,) = json.loads(capsys.readouterr().out)
    assert problem["severity"] == "error"
    assert problem["message"] == "joint 'shoulder': armature 0.1, there 0"


def test_a_file_that_is_none_and_mujoco_that_is_not_there(arm, capsys, monkeypatch):
    Path("arm.urdf").write_text(PLAIN)
    assert main(["check", "arm.urdf", "--against", "none.xml"]) == 1
    assert "none.xml:1:1: error: cannot read the file" in capsys.readouterr().err
    Path("odd.xml").write_text("<mujoco><worldbody><bdy/></worldbody></mujoco>")
    assert main(["check", "arm.urdf", "--against", "odd.xml"]) == 1
    assert "odd.xml:1:1: error: MuJoCo" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "mujoco", None)
    assert main(["check", "arm.urdf", "--against", "mujoco"]) == 1
    assert "MuJoCo is not installed: pip install mujoco" in capsys.readouterr().err


def test_what_we_weigh_is_what_the_generated_functions_weigh():
    path = robot_path("panda_description/urdf/panda.urdf")
    reading = read(path)
    parts = bodies(reading.robot, reading.description)
    q = positions(parts)
    found = weighed(parts, q, reading.robot.gravity)
    torques = {b.movement: w.torque for b, w in zip(parts, found, strict=True) if b.movement}
    ours = dict.fromkeys(q, 0.0)
    for movement, torque in torques.items():
        ours[movement.leader or movement.name] += float(movement.multiplier) * torque
    with pytest.warns(UserWarning, match="mu_coulomb"):
        robot = robcogen_ros.build(path, backend="numpy")
    expected = robot.gravity_torques([q[name] for name in robot.joint_names])
    assert [ours[name] for name in robot.joint_names] == pytest.approx(expected, abs=1e-12)
