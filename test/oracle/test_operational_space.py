"""Operational space of frames, against what NumPy makes of Pinocchio's matrices."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pinocchio")

import robcogen_ros
from robcogen_ros.algorithms.functions.task_rows import TASKS
from robcogen_ros.algorithms.functions.tasks import RESULTS
from test.oracle.comparison import rows
from test.support.pinocchio_oracle import PinocchioOracle
from test.support.robots import robot_path, robots_directory

if robots_directory() is None:
    pytest.skip("example-robot-data is not installed", allow_module_level=True)

PANDA = "panda_description/urdf/panda.urdf"
HYQ = "hyq_description/robots/hyq_no_sensors.urdf"
DOUBLE_PENDULUM = "double_pendulum_description/urdf/double_pendulum_continuous.urdf"
CASES = [
    (PANDA, False, "panda_link0", "", "panda_hand"),
    (PANDA, False, "panda_link0", "position_", "panda_hand"),
    (PANDA, False, "panda_hand", "orientation_", "panda_link2"),
    (HYQ, True, "full", "position_", "lf_foot"),
    (HYQ, True, "lf_foot", "position_", "rh_foot"),
]


def expected(word: str, H, J, damping):
    """The formula, one state."""
    inverse_H = np.linalg.inv(H) if RESULTS[word].dynamic else np.eye(len(H))
    mobility = J @ inverse_H @ J.T
    if word == "mobility":
        return mobility
    inertia = np.linalg.inv(mobility + np.diag(damping))
    if word == "operational_inertia":
        return inertia
    inverse = inverse_H @ J.T @ inertia
    return inverse if word.endswith("inverse") else np.eye(len(H)) - inverse @ J


@pytest.mark.parametrize(("name", "floating", "base", "task", "target"), CASES)
def test_operational_space_of_a_frame(name, floating, base, task, target):
    words = {word: f"{base}_{task}{word}_{target}" for word in RESULTS}
    robot = robcogen_ros.build(
        robot_path(name), floating_base=floating, backend="numpy", functions=[*words.values()]
    )
    oracle = PinocchioOracle(robot_path(name), floating)
    random = np.random.default_rng(5)
    q = random.normal(size=(3, robot.n))
    damping = random.uniform(0.1, 1.0, size=(3, len(TASKS[task])))
    H = rows(oracle.inertia_matrix, q)
    J = rows(lambda q: jacobian(oracle, base, target, q)[list(TASKS[task])], q)
    ranks = np.linalg.matrix_rank(J)
    for word, function in words.items():
        given = {"damping": damping} if RESULTS[word].damped else {}
        (ours,) = robot.evaluate(function, q=q, **given).values()
        assert_close(ours, rows(lambda *x, w=word: expected(w, *x), H, J, damping))
        if RESULTS[word].damped and (ranks == J.shape[1]).all():
            (ours,) = robot.evaluate(function, q=q).values()
            assert_close(ours, rows(lambda *x, w=word: expected(w, *x), H, J, 0 * damping))


def test_a_task_that_no_position_lets_be_done_has_to_be_damped():
    path, name = robot_path(DOUBLE_PENDULUM), "base_link_{}operational_inertia_link2"
    names = {task: name.format(task) for task in ("", "position_", "orientation_")}
    robot = robcogen_ros.build(path, backend="numpy", functions=[*names.values()])
    for task in names:
        assert robot.required_inputs[names[task]] == ("q", "damping")


def test_the_null_space_of_a_redundant_arm_is_one_motion():
    names = ["panda_link0_null_space_panda_hand", "panda_link0_J_panda_hand", "inertia_matrix"]
    robot = robcogen_ros.build(
        robot_path(PANDA), backend="numpy", functions=names, lock={"panda_finger_joint1": 0.0}
    )
    q = np.random.default_rng(6).normal(size=robot.n)
    N, J = (next(iter(robot.evaluate(name, q=q).values())) for name in names[:2])
    assert np.linalg.matrix_rank(N, tol=1e-9) == 1
    assert_close(N @ N, N)
    assert_close(J @ N, np.zeros_like(J))
    push = N.T @ np.random.default_rng(7).normal(size=robot.n)
    assert_close(J @ np.linalg.solve(robot.inertia_matrix(q), push), np.zeros(6))


def jacobian(oracle, base, target, q):
    """The Jacobian over all degrees of freedom."""
    if base == "full":
        return oracle.full_jacobian(target, q)
    J = oracle.jacobian(base, target, q)
    return np.hstack([np.zeros((6, 6)), J]) if oracle.floating else J


def assert_close(ours, expected):
    assert np.abs(ours - expected).max() < 1e-8 * (1 + np.abs(expected).max())
