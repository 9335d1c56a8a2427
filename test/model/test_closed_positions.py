"""Where loops of files close, which rows count, and how far what drives them goes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.errors import ModelError
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.support.linkage_oracle import Linkage
from test.support.linkages import (
    FOUR_BAR,
    FOUR_BAR_LOOPS,
    PARALLELOGRAM,
    PARALLELOGRAM_LOOPS,
    SLIDER,
    SLIDER_LOOPS,
    joint,
    links,
    reading,
    slide,
)


def test_small_gap_is_closed_and_told(tmp_path: Path) -> None:
    urdf = PARALLELOGRAM.format(elbow="", second="")
    found = reading(tmp_path, PARALLELOGRAM_LOOPS.replace("0.5", "0.5001"), urdf)
    (warning,) = (w for w in found.warnings if "apart" in w.message)
    assert "0.0001 (m or rad) apart; they are closed" in warning.message
    with pytest.raises(ModelError, match="check the frames"):
        reading(tmp_path, PARALLELOGRAM_LOOPS.replace("0.5", "0.502"), urdf)


def test_rows_that_agree_with_others_to_few_digits_do_not_count(tmp_path: Path) -> None:
    exact = reading(tmp_path, FOUR_BAR_LOOPS).robot
    skew = FOUR_BAR.replace('xyz="0.3 0.05 0.02"', 'xyz="0.3 0.05 0.02" rpy="2e-5 0 -1e-5"')
    found = reading(tmp_path, FOUR_BAR_LOOPS, skew)
    (told,) = [problem.message for problem in found.warnings]
    assert "numbers of few digits disagree: 2 of 5 rows count" in told
    assert found.robot.joint_names == exact.joint_names
    q, qdd = np.array([-0.7, 0.3]), np.array([0.4, -0.8])
    exact_forces, forces = (
        robot_of(NumpyEvaluator(Library(robot))).inverse_dynamics(q, 0 * q, qdd)
        for robot in (exact, found.robot)
    )
    np.testing.assert_allclose(forces, exact_forces, atol=1e-3)


def test_a_weld_that_is_written_half_a_turn_off_is_closed(tmp_path: Path) -> None:
    urdf = (
        '<robot name="ring">'
        + links("base", "a", "b", "c", "d")
        + joint("first", "base", "a", "")
        + joint("second", "a", "b", 'xyz="0.05 0 0.3"')
        + joint("third", "b", "c", 'xyz="0.4 0 0"')
        + joint("fourth", "c", "d", 'xyz="0 0 -0.3"')
        + "</robot>"
    )
    base = "{link: base, xyz: [0.45, 0, 0], rpy: [0, 3.14159265358979, 0]}"
    weld = f"loops: {{weld: {{frames: [d, {base}], fixed: all}}}}\nposition: {{first: 0}}\n"
    found = Linkage.of(tmp_path, urdf, weld)
    turned = found.of_robot(f"{found.loops[0][1]}_X_d", q=np.array([0.6]))[:3, :3]
    np.testing.assert_allclose(turned, np.eye(3), atol=1e-12)


def test_a_hinge_turns_however_its_frames_are_turned_about_it(tmp_path: Path) -> None:
    turned = "xyz: [0.6, 0, 0], rpy: [0, 3.14159265358979, 0]}"
    loops = FOUR_BAR_LOOPS.replace("xyz: [0.6, 0, 0]}", turned)
    assert loops != FOUR_BAR_LOOPS
    found, exact = (reading(tmp_path, text).robot for text in (loops, FOUR_BAR_LOOPS))
    assert found.joints == exact.joints
    assert found.closures == exact.closures


def test_dead_centre_takes_a_position(tmp_path: Path) -> None:
    urdf = PARALLELOGRAM.format(elbow="", second="").replace('xyz="0 0 0.2"', 'xyz="0.1 0 0.3"')
    text = PARALLELOGRAM_LOOPS.replace("[0, 0, -0.1]", "[0.1, 0, 0]")
    with pytest.raises(ModelError, match="at a dead centre where they are written"):
        reading(tmp_path, text, urdf)
    text += "position: {shoulder: 0.4, elbow: -0.4, second: 0.4}\n"
    assert reading(tmp_path, text, urdf).description.closures == ()


def test_limits_of_dependent_joints_become_the_drivers(tmp_path: Path) -> None:
    limits = '<limit lower="-0.2" upper="0.7" effort="9" velocity="9"/>'
    urdf = PARALLELOGRAM.format(elbow=limits, second="").replace(
        '"elbow" type="continuous"', '"elbow" type="revolute"'
    )
    (coordinate,) = reading(tmp_path, PARALLELOGRAM_LOOPS, urdf).robot.coordinates
    assert (coordinate.limits.lower, coordinate.limits.upper) == (-0.7, 0.2)
    assert not coordinate.continuous


def test_driver_ends_where_the_loop_binds(tmp_path: Path) -> None:
    robot = reading(tmp_path, FOUR_BAR_LOOPS + "independent: [swing]\n").robot
    limits = robot.coordinates[robot.joint_names.index("swing")].limits
    # the rocker turns back where crank and coupler lie in one line: 1.1 and 0.5 apart, by the
    # law of cosines; the coupler is longer than 0.8, the crank than 0.3
    assert limits.lower is not None
    assert limits.upper is not None
    assert 0.5 < limits.upper - limits.lower < 1.5


def test_driver_ends_no_sooner_where_another_loop_follows_it_and_a_second_driver(
    tmp_path: Path,
) -> None:
    more = links("other", "first", "second") + joint("other", "frame", "other", 'xyz="1.5 0.05 0"')
    more += joint("first", "rocker", "first", 'xyz="0.3 0 0"')
    more += joint("second", "other", "second", 'xyz="0.1 0 -0.3"')
    ends = "{link: first, xyz: [0.5, 0, 0]}, {link: second, xyz: [-0.7, 0, 0]}"
    rod = f"  strut: {{frames: [{ends}], fixed: axis_y}}\nindependent: [swing, other]\nposition:"
    alone = reading(tmp_path, FOUR_BAR_LOOPS + "independent: [swing]\n").robot
    loops = FOUR_BAR_LOOPS.replace("position:", rod)
    both = reading(tmp_path, loops, FOUR_BAR.replace("</robot>", more + "</robot>")).robot
    expected = alone.coordinates[alone.joint_names.index("swing")].limits
    found = both.coordinates[both.joint_names.index("swing")].limits
    assert found.lower == pytest.approx(expected.lower, abs=1e-9)
    assert found.upper == pytest.approx(expected.upper, abs=1e-9)


def test_a_driver_that_is_written_near_a_dead_centre_goes_as_far_as_its_motor(
    tmp_path: Path,
) -> None:
    limit = '<limit lower="-1.2" upper="1.2" effort="9" velocity="9"/>'
    urdf = '<robot name="press"><link name="world"/>' + links("crank", "rod", "ram")
    urdf += joint("drive", "world", "crank", 'xyz="0 0 0.5"', more=limit)
    urdf += joint("pin", "crank", "rod", 'xyz="0.2 0 0"')
    urdf += slide("slide", "world", "ram", 'xyz="0.6 0 0.4"', "1 0 0") + "</robot>"
    text = "loops:\n  wrist: {frames: [{link: rod, xyz: [0.5, 0, 0]}, ram], fixed: axis_y}\n"
    text += "position: {drive: 0.3, pin: 0.1, slide: 0.05}\nindependent: [slide]\n"
    (limits,) = (c.limits for c in reading(tmp_path, text, urdf).robot.coordinates)
    ahead, aside = 0.2 * np.cos(1.2), 0.2 * np.sin(1.2) - 0.1
    assert limits.lower == pytest.approx(ahead + np.sqrt(0.25 - aside**2) - 0.6, abs=1e-9)
    assert limits.upper == pytest.approx(np.sqrt(0.7**2 - 0.1**2) - 0.6, abs=1e-6)


def test_joint_that_loops_hold_is_fixed(tmp_path: Path) -> None:
    urdf = PARALLELOGRAM.format(elbow="", second="").replace(
        "</robot>",
        links("held") + joint("across", "front", "held", 'xyz="0 0 -0.1"', "1 0 0") + "</robot>",
    )
    text = PARALLELOGRAM_LOOPS.replace("{link: front, xyz: [0, 0, -0.1]}", "held")
    found = reading(tmp_path, text, urdf)
    assert found.robot.joint_names == ("shoulder",)
    assert [each.name for each in found.robot.joints] == ["shoulder", "elbow", "second"]


def test_palletiser_of_two_motors_has_constant_rates(tmp_path: Path) -> None:
    urdf = PARALLELOGRAM.format(elbow="", second="").replace(
        "</robot>",
        links("crank", "pusher")
        + joint("drive", "base", "crank", 'xyz="0 0 0.3"')
        + joint("push", "crank", "pusher", 'xyz="-0.1 0 0"')
        + "</robot>",
    )
    text = """\
loops:
  rod: {frames: [{link: pusher, xyz: [0.5, 0, 0]}, {link: front, xyz: [-0.1, 0, 0]}], fixed: axis_y}
  arm: {frames: [{link: lower, xyz: [0.5, 0, 0]}, {link: upper, xyz: [0.5, 0, -0.1]}], fixed: point}
independent: [shoulder, drive]
position: {shoulder: 0.3, drive: 0.5, push: -0.2, elbow: 0.2, second: 0.3}
"""
    with pytest.raises(ModelError):  # the lower arm is no parallelogram of the upper
        reading(tmp_path, text, urdf)
    text = text.replace("  arm", "#  arm")
    robot = reading(tmp_path, text, urdf).robot
    rates = {
        each.name: [(robot.joint_names[k], float(x)) for k, x in each.rates]
        for each in robot.joints
    }
    assert rates["elbow"] == [("shoulder", -1), ("drive", 1)]
    assert rates["push"] == [("shoulder", 1), ("drive", -1)]
    assert robot.closures == ()


def test_a_position_far_from_where_the_loops_are_closed_is_told(tmp_path: Path) -> None:
    assert not reading(tmp_path, FOUR_BAR_LOOPS).warnings
    (told,) = reading(tmp_path, FOUR_BAR_LOOPS.replace("swing: 1.2", "swing: 2.6")).warnings
    assert "the loops are closed with joint 'swing' at 1." in told.message
    assert told.location is not None and told.location.line == 5
    slider = reading(tmp_path, SLIDER_LOOPS.replace("swing: 0.1", "swing: 0.41"), SLIDER)
    (told,) = slider.warnings
    assert "the loops are closed with joint 'swing' at 0.1" in told.message
