"""What a robot's methods say of any frames is what functions generated for them say."""

from __future__ import annotations

import numpy as np
import pytest

import robcogen_ros
from test.support.examples import example_path
from test.support.random_robots import arm_with_everything

TASKS = {"pose": "", "position": "position_", "orientation_y": "orientation_y_"}


@pytest.fixture(scope="module", params=[False, True], ids=["fixed", "floating"])
def robot(request):
    """An arm with functions between two of its links, neither above the other."""
    pairs = [("link5", "link6"), ("full", "link6")] if request.param else [("link5", "link6")]
    words = [f"{task}null_space" for task in TASKS.values()]
    words += ["JdQd", "mobility", "position_operational_inertia", "kinematic_null_space"]
    names = [f"{base}_{word}_{target}" for base, target in pairs for word in words]
    return arm_with_everything().build(request.param, functions=["all", *names])


@pytest.fixture
def state(robot):
    return np.random.default_rng(1).normal(size=(3, 4, robot.n))


def generated(robot, name, **inputs):
    (result,) = robot.evaluate(name, **inputs).values()
    return result


def test_bias_acceleration_is_the_generated_one(robot, state):
    q, qd, _ = state
    expected = generated(robot, "link5_JdQd_link6", q=q, qd=qd)
    np.testing.assert_allclose(robot.bias_acceleration("link5", "link6", q, qd), expected)
    if robot.floating_base:
        v = np.random.default_rng(2).normal(size=6)
        expected = generated(robot, "full_JdQd_link6", q=q, qd=qd, base_velocity=v)
        np.testing.assert_allclose(
            robot.bias_acceleration(None, "link6", q, qd, base_velocity=v), expected
        )


def test_operational_space_is_the_generated_one(robot, state):
    q = state[0]
    for base, name in (("link5", "link5"), *([(None, "full")] if robot.floating_base else [])):
        space = robot.operational_space(base, "link6", q)
        expected = generated(robot, f"{name}_mobility_link6", q=q)
        np.testing.assert_allclose(space.mobility(), expected, atol=1e-10)
        for task, prefix in TASKS.items():
            damping = np.full({"pose": 6, "position": 3}.get(task, 1), 0.5)
            space = robot.operational_space(base, "link6", q, task=task, damping=damping)
            expected = generated(robot, f"{name}_{prefix}null_space_link6", q=q, damping=damping)
            np.testing.assert_allclose(space.null_space(), expected, atol=1e-8)
        space = robot.operational_space(base, "link6", q, damping=np.ones(6), kinematic=True)
        name = f"{name}_kinematic_null_space_link6"
        expected = generated(robot, name, q=q, damping=np.ones(6))
        np.testing.assert_allclose(space.null_space(), expected, atol=1e-8)


def test_a_task_that_loses_rank_is_refused_unless_it_is_damped():
    robot = robcogen_ros.build(example_path("hyl"), backend="numpy")
    q = np.array([0.1, 0.4, -0.9])
    with pytest.raises(robcogen_ros.RobcogenError, match="pose of 'fr_foot' loses rank here"):
        robot.operational_space(None, "fr_foot", q).inertia()
    space = robot.operational_space(None, "fr_foot", q, damping=np.full(6, 0.1))
    assert np.isfinite(space.inertia()).all()


def test_wrong_arguments_are_named():
    robot = robcogen_ros.build(example_path("hyl"), backend="numpy")
    with pytest.raises(ValueError, match="task: expected 'position', 'pose', 'orientation'"):
        robot.operational_space(None, "fr_foot", np.zeros(3), task="place")
    with pytest.raises(ValueError, match=r"damping: expected shape \(\.\.\., 3\)"):
        robot.operational_space(None, "fr_foot", np.zeros(3), task="position", damping=[1.0, 2.0])
    with pytest.raises(ValueError, match=r"qd: expected shape \(\.\.\., 3\)"):
        robot.bias_acceleration("fr_base", "fr_foot", np.zeros(3), np.zeros(4))


def test_names_that_stand_for_many_functions():
    usual = robcogen_ros.build(example_path("hyl"), backend="numpy", functions=["default"])
    every = robcogen_ros.build(example_path("hyl"), backend="numpy", functions=["all"])
    more = robcogen_ros.build(
        example_path("hyl"), backend="numpy", functions=["default", "solve_inertia"]
    )
    assert set(every.required_inputs) - set(usual.required_inputs) >= {"solve_inertia"}
    assert set(more.required_inputs) == {*usual.required_inputs, "solve_inertia"}
