"""Actuators of an MJCF: limits, rotors, their order, and which coordinates they move."""

from __future__ import annotations

from pathlib import Path

from robcogen_ros.cli.main import main
from test.formats.mjcf_texts import LIMB, model, reading


def test_motors_give_limits_and_rotors() -> None:
    text = model(
        LIMB,
        after='<actuator><motor name="m" joint="j" gear="-10" ctrlrange="-2 1" armature="0.01"/>'
        '<position joint="k" forcerange="-3 3" kp="100"/></actuator>',
    )
    narrower = text.replace('name="j"', 'name="j" actuatorfrcrange="-15 15"', 1)
    wider = text.replace('name="j"', 'name="j" actuatorfrcrange="-50 50"', 1)
    limits = [reading(each).description.joints[0].limits.effort for each in (narrower, wider)]
    assert limits == [15.0, 20.0]
    found = reading(text)
    first, second = found.description.joints
    assert (first.limits.effort, first.armature, second.limits.effort) == (20.0, 1.0, 3.0)
    assert ["the gear 10" in problem.message for problem in found.warnings] == [True]


def test_actuators_in_another_order_than_joints_are_told() -> None:
    motors = '<motor joint="{}"/><motor joint="{}"/>'
    told = []
    for order in (("j", "k"), ("k", "j")):
        text = model(LIMB, after=f"<actuator>{motors.format(*order)}</actuator>")
        told += [str(problem.message) for problem in reading(text).warnings]
    expected = "actuators move, in their order, k, j; motors are listed in the order of joints"
    assert told == [expected]


def test_motors_of_joints_that_follow_move_those_that_lead() -> None:
    """By a factor as motors of these, by a polynomial as their own."""
    follow = '<equality><joint joint1="k" joint2="j" polycoef="{}"/></equality>'
    motor = '<actuator><motor joint="k" gear="2" ctrlrange="-5 5"/></actuator>'
    found = reading(model(LIMB, after=follow.format("0.1 -3") + motor))
    assert found.robot.joint_names == ("j",)
    assert found.description.joints[0].limits.effort == 30.0
    told = [problem.message for problem in found.warnings]
    assert "joint 'k' follows joint 'j': its motor counts as one of that" in told
    curved = reading(model(LIMB, after=follow.format("0.1 -3 0.2") + motor)).robot
    assert (curved.joint_names, curved.actuated) == (("j",), ("k",))


def test_coordinates_and_motors_are_listed(tmp_path: Path, capsys) -> None:
    file = tmp_path / "robot.xml"
    text = LIMB.replace('name="j"', 'name="j" range="-90 90" armature="0.1" stiffness="3"')
    file.write_text(
        model(text, "", '<actuator><motor joint="j" gear="20" ctrlrange="-2 2"/></actuator>')
    )
    assert main(["inspect", str(file), "--joints"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[1:4] == [
        ["#", "joint", "unit", "lower", "upper", "effort", "armature", "stiffness"],
        ["0", "j", "rad", "-1.5708", "1.5708", "40", "0.1", "3"],
        ["1", "k", "rad", "-", "-", "-", "0", "0"],
    ]
    assert ["j", "20", "2", "inf", "j"] in lines


def test_joints_of_a_tree_without_actuators_have_no_motors() -> None:
    """Where tendons pull, it is not known which."""
    found = reading(model(LIMB, after='<actuator><motor joint="j"/></actuator>'))
    assert (found.robot.joint_names, found.robot.actuated) == (("j", "k"), ("j",))
    assert "no motor moves 'k', nor any other joint that one moves" in [
        problem.message for problem in found.warnings
    ]
    pulled = '<actuator><motor joint="j"/><motor tendon="t"/></actuator>'
    tendon = '<tendon><fixed name="t"><joint joint="k" coef="1"/></fixed></tendon>'
    assert reading(model(LIMB, after=tendon + pulled)).robot.actuated == ()
