"""`robcogen check --against`: whether MuJoCo has the same robot, and what differs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("mujoco")

import robcogen_ros
from robcogen_ros.cli.main import main
from robcogen_ros.cli.mujoco_forces import Motion, MujocoForces
from robcogen_ros.formats.bodies import Movement, bodies
from robcogen_ros.formats.read import read
from robcogen_ros.formats.weighed import positions, weighed
from test.support.robots import robot_path

BODY = (
    '<inertial><origin xyz="{0}" rpy="{1}"/><mass value="2"/>'
    '<inertia ixx="{2}" iyy="0.4" izz="0.5" ixy="0" ixz="0" iyz="0"/></inertial>'
)
UPPER, LOWER = BODY.format("0 0 0.2", "0 0 0", 0.3), BODY.format("0.1 0 0.2", "0 0 0.4", 0.3)
ARM = """<robot name="arm">
<link name="base">{upper}</link>
<link name="upper">{upper}</link>
<link name="lower">{lower}</link>
<link name="tool"/>
<joint name="shoulder" type="revolute"><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
<parent link="base"/><child link="upper"/><limit lower="-1" upper="2" effort="9" velocity="1"/>
<dynamics damping="0.3" friction="0.2"/></joint>
<joint name="elbow" type="continuous"><origin xyz="0 0 0.4"/><axis xyz="0 1 0"/>
<parent link="upper"/><child link="lower"/></joint>
<joint name="fix" type="fixed"><parent link="lower"/><child link="tool"/></joint>
</robot>"""
PLAIN = ARM.format(upper=UPPER, lower=LOWER)


@pytest.fixture
def arm(tmp_path, monkeypatch, capsys):
    """Runs the check on a text, against MuJoCo or what `change` makes of our own MJCF."""
    monkeypatch.chdir(tmp_path)

    def run(text=PLAIN, *options, change=None):
        Path("arm.urdf").write_text(text)
        program = "mujoco"
        if change is not None:
            assert main(["urdf2mjcf", "arm.urdf", "-o", "arm.xml", *options]) == 0
            before = Path("arm.xml").read_text()
            Path("arm.xml").write_text(change(before))
            program = "arm.xml"
            capsys.readouterr()
        code = main(["check", "arm.urdf", "--against", program, *options])
        said = capsys.readouterr()
        assert (code == 1) == ("error:" in said.err)
        return code, said.out.splitlines(), said.err

    return run


def replaced(before, after):
    def change(text):
        assert before in text
        return text.replace(before, after)

    return change


def row(lines, link):
    (line,) = [line for line in lines if line.split()[0] == link]
    return line


def test_mujoco_reads_an_ordinary_urdf_as_it_is(arm):
    code, lines, told = arm()
    assert (code, told) == (0, "")
    assert lines[0].split()[:3] == ["link", "mass", "[kg]"]
    assert row(lines, "base").endswith("stands still: its inertia does not count")
    assert row(lines, "upper").split()[1:3] == ["2", "2"]
    assert lines[-2].endswith(" has the same robot, to 4 digits")
    assert lines[-1] == "arm.urdf: ok"


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


ELBOW, LINK = '<joint name="elbow"', '<body name="lower"'
BASE = '<body name="base">'
OPTION = '<option gravity="0 0 -9.81"/>'
SITED = LINK + ' pos="0 0 0.4">', LINK + ' pos="0 0 0.4"><site name="s"/>'
BOTH = '<joint joint="shoulder" coef="1"/><joint joint="elbow" coef="-1"/>'


def flag(name):
    return replaced(OPTION, OPTION[:-2] + f'><flag {name}="disable"/></option>')


def joined(*changes):
    def change(text):
        for one in changes:
            text = one(text)
        return text

    return change


def added(text):
    return replaced("</mujoco>", f"{text}</mujoco>")


def tendon(given, more=""):
    return added(f'<tendon><fixed name="f" {given}>{BOTH}</fixed></tendon>{more}')


HELD = '<equality><joint joint1="elbow" polycoef="0.5 0 0 0 0"/></equality>'
OTHERS = {
    "stiffness": (
        replaced(ELBOW, ELBOW + ' stiffness="40" springref="0.3"'),
        "there the stiffness of 'elbow' (40) exerts up to ",
        " N m on 'elbow'",
    ),
    "gravcomp": (
        replaced(LINK, LINK + ' gravcomp="1"'),
        "there the gravcomp of 'lower' (1) exerts up to ",
        " N m on 'shoulder', ",
    ),
    "a joint held by an equality": (
        added(HELD),
        "there the equality number 0 (joint) exerts up to ",
        " N m on 'elbow'",
    ),
    "weld": (
        added('<equality><weld name="w" body1="lower" body2="upper"/></equality>'),
        "there the equality 'w' (weld) exerts up to ",
        " N m on 'elbow'",
    ),
    "connect": (
        added('<equality><connect body1="lower" anchor="0.3 0 0"/></equality>'),
        "there the equality number 0 (connect) exerts up to ",
        " N m on 'shoulder', ",
    ),
    "a spring tendon": (
        joined(
            replaced(*SITED),
            replaced("</worldbody>", '<site name="w" pos="1 0 0"/></worldbody>'),
            added(
                '<tendon><spatial name="cable" stiffness="300" springlength="0.1">'
                '<site site="s"/><site site="w"/></spatial></tendon>'
            ),
        ),
        "there the stiffness of tendon 'cable' (300) exerts up to ",
        " N m on 'shoulder'",
    ),
    "density": (
        replaced("<option", '<option density="1000"'),
        "there the medium (density 1000, viscosity 0) exerts up to ",
        " N m on 'shoulder', ",
    ),
    "viscosity, wind": (
        replaced("<option", '<option viscosity="0.5" wind="5 0 0"'),
        "there the medium (density 0, viscosity 0.5, wind 5 0 0) exerts up to ",
        " N m on 'shoulder', ",
    ),
    "limits off": (flag("limit"), "joint 'shoulder': lower -1, there -inf; upper 2, there inf", ""),
    "friction off": (flag("frictionloss"), "joint 'shoulder': friction 0.2, there 0", ""),
    "dampers off": (flag("damper"), "joint 'shoulder': damping 0.3, there 0", ""),
    "constraints off": (flag("constraint"), "joint 'shoulder': friction 0.2, there 0; lower", ""),
    "gravity off": (flag("gravity"), "gravity in the base is 0 0 -9.81, there 0 0 0", ""),
    "effort": (replaced('"-9 9"', '"-9 7"'), "joint 'shoulder': effort 9, there 7", ""),
    "effort backwards": (
        replaced('"-9 9"', '"-7 9"'),
        "joint 'shoulder': effort backwards 9, there 7",
        "",
    ),
    "effort of a motor": (
        added(
            '<actuator><motor joint="shoulder" gear="2" ctrlrange="-3 3"/><motor joint="elbow"/>'
            "</actuator>"
        ),
        "joint 'shoulder': effort 9, there 6",
        "",
    ),
    "rotor of a motor": (
        added('<actuator><motor joint="elbow" gear="10" armature="0.01"/></actuator>'),
        "joint 'elbow': armature 0, there 1",
        "",
    ),
    "servo": (
        added('<actuator><position name="p" joint="elbow" kp="100"/></actuator>'),
        "there the bias of actuators 'p' at control 0 exerts up to ",
        " N m on 'elbow'",
    ),
    "damping that is not linear": (
        replaced(ELBOW, ELBOW + ' damping="0 0.5"'),
        "there the damping of 'elbow' (not linear) exerts up to ",
        " N m on 'elbow'",
    ),
    "stiffness of a tendon": (
        tendon('stiffness="20" springlength="0"'),
        "there the stiffness of tendon 'f' (20) exerts up to ",
        " N m on 'elbow'",
    ),
    "equality of a tendon": (
        tendon("", '<equality><tendon tendon1="f"/></equality>'),
        "there the equality number 0 (tendon) exerts up to ",
        " N m on 'elbow'",
    ),
    "armature of a tendon": (
        tendon('armature="0.2"'),
        "motions need other forces there (tendon 'f' has armature): up to ",
        " N m on 'elbow'",
    ),
    "friction of a tendon": (tendon('frictionloss="2"'), "tendon 'f' has friction 2 there", ""),
    "limits of a tendon": (
        tendon('range="-1 1"'),
        "tendon 'f' has limits of length -1, 1 there",
        "",
    ),
    "another kind of joint": (
        replaced(ELBOW + ' type="hinge"', ELBOW + ' type="slide"'),
        "joint 'elbow' is a hinge: there it is a slide",
        "",
    ),
    "zero elsewhere": (
        replaced(ELBOW, ELBOW + ' ref="0.4"'),
        "joint 'elbow': positions count from 0.4 there",
        "",
    ),
    "a base on a rail": (
        replaced(BASE, BASE + '<joint name="rail" type="slide"/>'),
        "it has more joints there: rail",
        "",
    ),
    "a base of another name that floats": (
        replaced(BASE, '<body name="trunk"><freejoint/>'),
        "the base, link 'base', floats there",
        "",
    ),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_what_moves_it_otherwise_is_named(arm, kind):
    change, what, where = OTHERS[kind]
    code, lines, told = arm(change=change)
    assert code == 1
    (line,) = [line for line in lines if line.startswith(what)]
    assert where in line
    assert "has another robot: " in told


SAME = {
    "time step": replaced("<option", '<option timestep="0.0005" integrator="RK4"'),
    "wind in a vacuum": replaced("<option", '<option wind="5 0 0"'),
    "motors": added('<actuator><motor joint="shoulder"/><motor joint="elbow"/></actuator>'),
    "an equality that is off": added(HELD.replace("<joint", '<joint active="false"')),
    "equalities that are off": joined(added(HELD), flag("equality")),
    "springs that are off": joined(
        replaced(ELBOW, ELBOW + ' stiffness="40" springref="0.3"'), flag("spring")
    ),
    "contacts": added('<contact><exclude body1="base" body2="lower"/></contact>'),
    "a base of another name": replaced(BASE, '<body name="pedestal">'),
    "things beside it": replaced(
        "<worldbody>",
        '<worldbody><body name="m" mocap="true" pos="1 0 0"/>'
        '<body name="ball"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>',
    ),
    "degrees": joined(
        replaced('"radian"', '"degree"'), replaced('"-1 2"', '"-57.29577951 114.591559"')
    ),
}


@pytest.mark.parametrize("kind", SAME)
def test_what_does_not_matter_is_the_same_robot(arm, kind):
    code, lines, told = arm(change=SAME[kind])
    assert (code, told) == (0, ""), lines


def test_inertia_about_the_axis_that_is_small_beside_the_others(arm):
    rod = BODY.format("0 0 0.3", "0 0 0", 0.4).replace('izz="0.5"', 'izz="0.00002"')
    elbow = '<origin xyz="0 0 0.4"/><axis xyz="0 {} 0"/>'
    text = ARM.format(upper=UPPER, lower=rod).replace(elbow.format(1), '<axis xyz="0 0 1"/>')
    _, lines, _ = arm(text, change=replaced(" 2e-05", " 4e-05"))
    assert row(lines, "lower").split()[5:7] == ["0.00498", "%"]
    assert "motions need other forces there: up to 0.0" in lines[-1] and "'elbow'" in lines[-1]


def test_equalities_are_read_in_both_directions(arm):
    mimic = '<mimic joint="shoulder" multiplier="2" offset="0.1"/>'
    text = PLAIN.replace('<parent link="upper"/>', f'<parent link="upper"/>{mimic}')
    ours = '<joint joint1="elbow" joint2="shoulder" polycoef="0.1 2 0 0 0"/>'
    turned = '<joint joint1="shoulder" joint2="elbow" polycoef="-0.05 0.5 0 0 0"/>'
    code, lines, _ = arm(text, change=replaced(ours, turned))
    assert code == 0, lines
    _, lines, _ = arm(text, change=replaced(ours, turned.replace("0.5 0", "0.5 0.3")))
    assert any(line.startswith("there the equality number 0 (joint) exerts") for line in lines)


def test_a_joint_that_its_limits_hold(arm):
    code, lines, _ = arm(
        PLAIN.replace('lower="-1" upper="2"', 'lower="0.5" upper="0.5"'), change=lambda text: text
    )
    assert code == 0, lines


def test_several_joints_of_one_body(arm):
    links = '<link name="fork"/><joint name="fork" type="revolute"><axis xyz="1 0 0"/>'
    more = '<parent link="upper"/><child link="fork"/><limit lower="-1" upper="1" '
    text = PLAIN.replace('<parent link="upper"/>', '<parent link="fork"/>').replace(
        "</robot>", f'{links}{more}effort="1" velocity="1"/></joint></robot>'
    )
    text = text.replace('<origin xyz="0 0 0.4"/>', "")
    fork = '<joint name="fork" type="hinge" axis="1 0 0" range="-1 1" actuatorfrcrange="-1 1"/>'
    one_body = replaced('<body name="lower" pos="0 0 0.4">', f'<body name="lower">{fork}')

    def change(_):
        assert main(["urdf2mjcf", "plain.urdf", "-o", "plain.xml"]) == 0
        return one_body(Path("plain.xml").read_text())

    Path("plain.urdf").write_text(PLAIN)
    code, lines, told = arm(text, change=change)
    assert code == 0, (lines, told)


def test_forces_are_those_of_closed_forms():
    text = """<mujoco><option gravity="0 0 -9.81"/><worldbody><body name="bar" gravcomp="1">
    <joint name="j" type="hinge" axis="0 1 0" stiffness="40" springref="0.3" damping="2"/>
    <inertial pos="0.5 0 0" mass="3" diaginertia="0.1 0.2 0.3"/></body></worldbody>
    <actuator><position joint="j" kp="10"/></actuator></mujoco>"""
    import mujoco

    model = mujoco.MjModel.from_xml_string(text.replace('"0.3"', f'"{0.3 * 180 / np.pi}"'))
    movement = Movement("j", False, (0, 1, 0))
    forces = MujocoForces(mujoco, model, [(movement, 0)], ["j"], None)
    q, qd, qdd = 0.7, 1.5, -2.0
    moved = forces.moved(Motion({"j": q}, np.array([qd]), np.array([qdd])), ())
    weight = -3 * 9.81 * 0.5 * np.cos(q)
    assert moved.needed == pytest.approx([(0.2 + 3 * 0.25) * qdd + weight])
    found = {cause.split(" of ")[0]: force for cause, force in moved.acting.items()}
    assert found["the stiffness"] == pytest.approx([-40 * (q - 0.3)])
    assert found["the damping"] == pytest.approx([0])
    assert found["the gravcomp"] == pytest.approx([weight])
    assert found["the bias"] == pytest.approx([-10 * q])
    assert forces.inertia == pytest.approx([0.2 + 3 * 0.25])
    assert forces.carried == pytest.approx([3])


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
