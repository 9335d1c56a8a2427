"""`robcogen check --against`: what moves MuJoCo's robot otherwise."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("mujoco")

from robcogen_ros.cli.against.mujoco_forces import ComparedState, MujocoForces
from robcogen_ros.cli.main import main
from robcogen_ros.formats.bodies import Movement
from test.formats.against_command import ARM, BODY, PLAIN, UPPER, Check, replaced, row


@pytest.fixture
def arm(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    return Check(capsys)


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
        "joint 'elbow': stiffness 0, there 40; rest 0, there 0.3",
        "",
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
    moved = forces.moved(ComparedState({"j": q}, np.array([qd]), np.array([qdd])), ())
    weight = -3 * 9.81 * 0.5 * np.cos(q)
    assert moved.needed == pytest.approx([(0.2 + 3 * 0.25) * qdd + weight])
    found = {cause.split(" of ")[0]: force for cause, force in moved.acting.items()}
    assert found["the lack"] == pytest.approx([0])
    assert found["the damping"] == pytest.approx([0])
    assert found["the gravcomp"] == pytest.approx([weight])
    assert found["the bias"] == pytest.approx([-10 * q])
    assert forces.inertia == pytest.approx([0.2 + 3 * 0.25])
    assert forces.carried == pytest.approx([3])
