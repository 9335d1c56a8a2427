from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.control.wrenches import wrenches_at
from robcogen_ros.errors import RobcogenError

ARM = Path(__file__).parents[1] / "ros" / "arm.urdf"
Q, QD, TAU = np.array([0.3, -0.8, 0.02]), np.array([0.5, 1.0, -0.1]), np.array([1.0, -2.0, 0.5])
FORCE, TORQUE = np.array([3.0, -1.0, 7.0]), np.array([0.4, 0.2, -0.6])


@pytest.fixture(scope="module")
def robot():
    return robcogen_ros.build(ARM, backend="numpy")


@pytest.mark.parametrize("frame", ["lower", "tool", "left_finger", "right_finger"])
def test_a_wrench_at_a_frame_does_what_its_jacobian_says(robot, frame):
    wrenches = wrenches_at(robot, frame, FORCE, TORQUE)
    turned = robot.transform("base", frame, Q)[:3, :3]
    wrench = np.concatenate([turned @ TORQUE, turned @ FORCE])
    expected = TAU + robot.jacobian("base", frame, Q).T @ wrench
    np.testing.assert_allclose(
        robot.forward_dynamics(Q, QD, TAU, external_forces=wrenches),
        robot.forward_dynamics(Q, QD, expected),
        atol=1e-9,
    )


def test_a_wrench_on_the_base_moves_no_joint(robot):
    np.testing.assert_array_equal(wrenches_at(robot, "base", FORCE, TORQUE)[1:], 0.0)


def test_what_cannot_be_is_refused(robot):
    with pytest.raises(RobcogenError, match="no frame 'wheel'"):
        wrenches_at(robot, "wheel", FORCE, TORQUE)
    with pytest.raises(RobcogenError, match="not finite"):
        wrenches_at(robot, "tool", np.array([np.nan, 0, 0]), TORQUE)
