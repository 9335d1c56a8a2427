"""Tools that the task-space controller moves, by Pinocchio's dynamics."""

from __future__ import annotations

import numpy as np
import pytest

from test.control.test_task_space import MODES, PANDA, READY, STEP, STIFFNESS, UR5, WAY, Arm

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]


def moved(arm, q, step, seconds):
    """The way of a tool that Pinocchio moves, its end, and the greatest effort less weight."""
    qd, pull, speed = np.zeros(len(q)), 0.0, 0.0
    pose = arm.begin(q)
    arm.control.ask(pose=[*(pose[:3] + step), *pose[3:]])
    for cycle in range(round(seconds / STEP)):
        tau = arm.cycle(q, qd).effort
        bias = arm.oracle.inverse_dynamics(q, qd, np.zeros(len(q)))
        qd = qd + STEP * np.linalg.solve(arm.oracle.inertia_matrix(q), tau - bias)
        q = q + STEP * qd
        if cycle % 10 == 0:
            pull = max(pull, np.abs(tau - arm.weight(q)).max())
            speed = max(speed, np.linalg.norm((arm.jacobian(q) @ qd)[3:]))
    arm.cycle(q, qd)
    return arm.control.report()["pose"] - pose, qd, pull, speed


@pytest.mark.parametrize("which", [UR5, PANDA], ids=lambda which: which[1])
@pytest.mark.parametrize("mode", MODES)
def test_the_tool_arrives_and_rests(which, mode):
    stiffness = STIFFNESS if mode == "impedance" else np.full(6, 60.0)
    arm = Arm(which, mode=mode, stiffness=stiffness, activation_time=0.1, compensate_friction=0.0)
    step = np.array([0.05, -0.08, 0.06])
    way, qd, _, speed = moved(arm, np.array(READY[which]), step, 1.8)
    np.testing.assert_allclose(way[:3], step, atol=3e-3)
    np.testing.assert_allclose(way[3:], 0.0, atol=5e-3)
    assert np.abs(qd).max() < 0.05
    assert speed < 0.6


def test_out_of_reach_an_arm_stretches_and_efforts_stay_small():
    """It is asked half a meter beyond its reach, through the singularity of its elbow."""
    arm = Arm(UR5, stiffness=STIFFNESS, activation_time=0.1, compensate_friction=0.0)
    way, qd, pull, speed = moved(arm, np.array(READY[UR5]), 1.2 * WAY, 2.5)
    assert np.linalg.norm(way[:3]) < 1.0
    assert np.abs(qd).max() < 0.5
    assert (
        pull < 110.0
    )  # springs pull with 50 N and 20 N m at most, on arms of a meter; and damping
    assert speed < 1.0
