"""Rows of Jacobians and of their bias: those of the whole, at the price of what they need."""

from __future__ import annotations

import re

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.algorithms.functions.task_rows import TASKS
from robcogen_ros.cli.main import main
from robcogen_ros.errors import RobcogenError
from test.support.random_robots import arm_with_everything
from test.support.robots import robot_path, robots_directory

if robots_directory() is None:
    pytest.skip("example-robot-data is not installed", allow_module_level=True)

HYQ = robot_path("hyq_description/robots/hyq_no_sensors.urdf")
WORDS = {"J": "q", "Jd": "q qd", "JdQd": "q qd"}


def given(robot, name, seed=3):
    """Random inputs of a function that has no others than these."""
    random = np.random.default_rng(seed)
    size = {"base_velocity": 6, "base_acceleration": 6}
    return {
        each: random.normal(size=size.get(each, robot.n)) for each in robot.required_inputs[name]
    }


def check_rows(robot, pairs):
    for base, target in pairs:
        for word in WORDS:
            whole = f"{base}_{word}_{target}"
            inputs = given(robot, whole)
            (expected,) = robot.evaluate(whole, **inputs).values()
            for task, rows in TASKS.items():
                (found,) = robot.evaluate(f"{base}_{task}{word}_{target}", **inputs).values()
                np.testing.assert_array_equal(found, expected[list(rows)], strict=True)


@pytest.mark.parametrize("floating", [False, True])
def test_rows_are_those_of_the_whole_bit_for_bit(floating):
    """On an arm with prismatic and mimic joints, frames one of which is not above the other."""
    pairs = [("link5", "link6"), *([("full", "link6")] * floating)]
    names = [f"{a}_{task}{word}_{b}" for a, b in pairs for task in TASKS for word in WORDS]
    check_rows(arm_with_everything().build(floating, functions=names), pairs)


@pytest.mark.slow
def test_compiled_rows_are_those_of_the_whole_bit_for_bit(monkeypatch):
    # which products are rounded with a sum is the compiler's choice, another one in each function
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", "-ffp-contract=off")
    tasks = ("", "position_", "position_y_", "orientation_")
    names = [f"full_{task}{word}_lf_foot" for task in tasks for word in WORDS]
    stacked = "full_position_J_lf_foot_and_rh_foot"
    robot = robcogen_ros.build(HYQ, floating_base=True, functions=[*names, stacked])
    for word in WORDS:
        inputs = given(robot, f"full_{word}_lf_foot")
        (whole,) = robot.evaluate(f"full_{word}_lf_foot", **inputs).values()
        for task in tasks[1:]:
            (found,) = robot.evaluate(f"full_{task}{word}_lf_foot", **inputs).values()
            np.testing.assert_array_equal(found, whole[list(TASKS[task])])
    q = given(robot, stacked)["q"]
    feet = [robot.evaluate("full_position_J_lf_foot", q=q)["J"], None]
    np.testing.assert_array_equal(robot.evaluate(stacked, q=q)["J"][:3], feet[0])


@pytest.mark.parametrize("base", ["full", "trunk"])
def test_several_frames_stand_one_after_another(base):
    feet = ("rh_foot", "lf_foot")
    names = [f"{base}_{w}_{foot}" for foot in feet for w in ("position_J", "position_JdQd")]
    stacked = {w: f"{base}_{w}_{'_and_'.join(feet)}" for w in ("position_J", "position_JdQd")}
    damped = f"{base}_position_z_operational_inertia_rh_foot_and_lf_foot"
    names += [*stacked.values(), damped, f"inertia_matrix_and_{stacked['position_J']}"]
    robot = robcogen_ros.build(HYQ, floating_base=True, backend="numpy", functions=names)
    for word, name in stacked.items():
        inputs = given(robot, name)
        each = [robot.evaluate(f"{base}_{word}_{foot}", **inputs).values() for foot in feet]
        (found,) = robot.evaluate(name, **inputs).values()
        np.testing.assert_array_equal(found, np.concatenate([value for (value,) in each]))
    q = given(robot, damped)["q"]
    both = robot.evaluate(names[-1], q=q)
    J = both["J"][[2, 5]]
    J = J if base == "full" else np.hstack([np.zeros((2, 6)), J])
    (inertia,) = robot.evaluate(damped, q=q).values()
    expected = np.linalg.inv(J @ np.linalg.inv(both["H"]) @ J.T)
    np.testing.assert_allclose(inertia, expected, rtol=1e-9)


def test_a_row_costs_what_the_row_costs():
    names = [f"trunk_{task}{word}_lf_foot" for task in TASKS for word in WORDS]
    robot = robcogen_ros.build(HYQ, floating_base=True, backend="numpy", functions=names)
    counts = {name: sum(robot.operation_counts[name].values()) for name in names}
    for word in WORDS:
        cost = {task: counts[f"trunk_{task}{word}_lf_foot"] for task in TASKS}
        assert all(cost[f"position_{axis}_"] < cost["position_"] <= cost[""] for axis in "xyz")
        assert cost["orientation_x_"] <= cost["orientation_"] < cost[""]
    assert counts["trunk_orientation_J_lf_foot"] == 2


def test_the_joints_that_a_task_depends_on(capsys, tmp_path):
    name = "trunk_position_x_J_lf_foot_and_rh_foot"
    robot = robcogen_ros.build(HYQ, floating_base=True, backend="numpy", functions=[name])
    joints = [f"{leg}_{joint}_joint" for leg in ("lf", "rh") for joint in ("haa", "hfe", "kfe")]
    assert robot.task_joints("trunk", "lf_foot", "rh_foot") == tuple(
        joint for joint in robot.joint_names if joint in joints
    )
    assert robot.task_joints("lf_foot", "lf_lowerleg") == ()
    assert robot.task_joints(None, "lf_foot") == robot.joint_names[:3]
    with pytest.raises(RobcogenError, match="has no frame 'foot'"):
        robot.task_joints(None, "foot")
    moving = [joint for joint in joints if "haa" not in joint]  # their axes are along x
    assert main(["inspect", str(HYQ), "--floating-base", "--function", name]) == 0
    assert f"depends on {', '.join(moving)}\n" in capsys.readouterr().out
    functions = ["--function", name, "--function", "full_position_J_lf_foot"]
    assert main(["generate", str(HYQ), "--floating-base", *functions, "-o", str(tmp_path)]) == 0
    (header,) = (path.read_text() for path in tmp_path.rglob("robot.hpp"))
    told = dict(re.findall(r"struct (\w+)_chain\n.*?joints\[\] = \{(.*?)\};", header, re.DOTALL))
    assert re.findall(r"Joint::(\w+)", told[name.replace("_J_", "_JC_")]) == moving
    assert re.findall(r"Joint::(\w+)", told["full_position_JC_lf_foot"]) == joints[:3]


def test_unknown_frames_of_several_are_named():
    for name, message in (
        ("trunk_position_J_lf_foot_and_rf_fot", "no frame 'rf_fot'; did you mean 'rf_foot'?"),
        ("trunk_X_lf_foot_and_rf_foot", "no function 'trunk_X_lf_foot_and_rf_foot'"),
        ("trunk_J_lf_foot_and_lf_foot", "no function 'trunk_J_lf_foot_and_lf_foot'"),
    ):
        with pytest.raises(RobcogenError, match=re.escape(message)):
            robcogen_ros.build(HYQ, floating_base=True, backend="numpy", functions=[name])
