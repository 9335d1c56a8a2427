"""Every robot of example-robot-data equals Pinocchio's, on a fixed and on a floating base."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pinocchio")

import robcogen_ros
from test.support.pinocchio_oracle import PinocchioOracle
from test.support.robots import REFUSED, UNREADABLE, all_robots, oracle_robots, robot_path
from test.support.scaled import motion_residual

SINGULAR = {
    "romeo_description/urdf/romeo.urdf",
    "romeo_description/urdf/romeo_laas_small.urdf",
}
COMPILED = [
    ("double_pendulum_description/urdf/double_pendulum_continuous.urdf", False),
    ("finger_edu_description/robots/finger_edu.urdf", True),
    ("kinova_description/robots/kinova.urdf", False),
    ("panda_description/urdf/panda.urdf", False),
    ("panda_description/urdf/panda.urdf", True),
    ("ur_description/urdf/ur5_robot.urdf", False),
    ("allegro_hand_description/urdf/allegro_left_hand.urdf", False),
    ("hyq_description/robots/hyq_no_sensors.urdf", True),
    ("pr2_description/urdf/pr2.urdf", False),
    ("romeo_description/urdf/romeo_laas_small.urdf", False),
    ("simple_humanoid_description/urdf/simple_humanoid.urdf", True),
    ("talos_data/robots/talos_reduced.urdf", False),
]
"""Continuous and sliding joints, mimic, branches, massless tips, floating base, a humanoid."""

each_robot = pytest.mark.parametrize("name", oracle_robots())
each_base = pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])


@each_base
@each_robot
@pytest.mark.parametrize("backend", ["interpreter"])
def test_interpreted_robot_equals_pinocchio(name, floating, backend, comparisons):
    assert comparisons[name, floating, backend].result().wrong == {}


@pytest.mark.parametrize(("name", "floating"), COMPILED)
@pytest.mark.parametrize("backend", ["cpp", "numpy"])
def test_robot_of_each_kind_equals_pinocchio(name, floating, backend, comparisons):
    assert comparisons[name, floating, backend].result().wrong == {}


@each_base
@each_robot
@pytest.mark.parametrize("backend", ["interpreter"])
def test_only_singular_robots_are_refused_a_function(name, floating, backend, comparisons):
    refused = comparisons[name, floating, backend].result().refused
    assert ("forward_dynamics" in refused) == (name in SINGULAR)


def test_no_robot_is_left_out_without_a_reason():
    assert set(all_robots()) == {*oracle_robots(), *UNREADABLE, *REFUSED}
    assert len(oracle_robots()) >= 65


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_left_out_cannot_be_read_by_pinocchio(name):
    with pytest.raises(ValueError, match="does not contain a valid URDF"):
        PinocchioOracle(robot_path(name))


def test_leader_that_does_not_exist_is_refused():
    with pytest.raises(robcogen_ros.ModelError) as error:
        robcogen_ros.build(robot_path(next(iter(REFUSED))), backend="numpy")
    message = str(error.value)
    assert "alex_psyonic_hands.urdf:" in message
    assert "'Left_index_q2'" in message
    assert "'index_q1'" in message


@pytest.mark.parametrize("name", sorted(SINGULAR))
def test_forward_dynamics_of_singular_robot_is_refused_with_the_joints_named(name):
    robot = robcogen_ros.build(robot_path(name), backend="numpy")
    H = PinocchioOracle(robot_path(name)).inertia_matrix(np.ones(robot.n))
    massless = [joint for joint, row in zip(robot.joint_names, H, strict=True) if not row.any()]
    zero = np.zeros(robot.n)
    with pytest.raises(robcogen_ros.RobcogenError, match="singular") as error:
        robot.forward_dynamics(zero, zero, zero)
    assert massless
    assert all(f"'{joint}'" in str(error.value) for joint in massless)


@each_base
@each_robot
def test_oracle_agrees_with_itself(name, floating):
    """Pinocchio's inertia matrix is wrong where its joints are not numbered depth first."""
    oracle = PinocchioOracle(robot_path(name), floating)
    random = np.random.default_rng(1)
    size = oracle.n + (6 if floating else 0)
    q, velocity, acceleration = (random.normal(size=k) for k in (oracle.n, size, size))
    bias = oracle.inverse_dynamics(q, velocity, np.zeros(size))
    tau = oracle.inverse_dynamics(q, velocity, acceleration)
    assert motion_residual(oracle.inertia_matrix(q), bias, acceleration, tau) < 1e-14
