"""Derivatives of the dynamics and the regressor equal Pinocchio's."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pinocchio")

import robcogen_ros
from test.oracle.comparison import rows
from test.oracle.states import random_states
from test.support.pinocchio_derivatives import DerivativesOracle
from test.support.random_robots import arm_with_everything
from test.support.robots import robot_path

ROBOTS = [
    ("arm with everything", True),
    ("double_pendulum_description/urdf/double_pendulum_continuous.urdf", False),
    ("finger_edu_description/robots/finger_edu.urdf", True),
    ("hyq_description/robots/hyq_no_sensors.urdf", True),
    ("panda_description/urdf/panda.urdf", False),
    ("ur_description/urdf/ur5_robot.urdf", False),
    ("simple_humanoid_description/urdf/simple_humanoid.urdf", True),
]
"""Sliding, continuous and following joints, branches, arms, legs, a humanoid."""

COMPILED = ("ur_description/urdf/ur5_robot.urdf", False)
LARGE = 20
ENTRIES = "inverse_dynamics_derivatives_entries"


class Case:
    """A robot, its oracle and some states of both."""

    def __init__(self, name: str, floating: bool, directory, **options) -> None:
        path = robot_path(name)
        if name == "arm with everything":
            path = directory / "arm.urdf"
            path.write_text(arm_with_everything().urdf(), encoding="utf-8")
        self.oracle = DerivativesOracle(path, floating)
        options = {"backend": "numpy", "functions": ["derivatives"]} | options
        self.robot = robcogen_ros.build(path, floating_base=floating, **options)
        self.states = random_states(self.robot.n, len(self.robot.link_names), floating, count=2)

    def call(self, method: str, *names: str):
        """A method of the robot on the states; a moving base's part of what is given goes along."""
        s, base = self.states, 6 if self.robot.floating_base else 0
        given = {"q": s.q, "gravity": s.gravity, "tau": s.tau}
        given |= {"qd": s.velocity[:, base:], "qdd": s.acceleration[:, base:]}
        given["base_velocity"] = s.velocity[:, :base]
        given["base_acceleration"] = s.acceleration[:, :base]
        moving = {"qd": "base_velocity", "qdd": "base_acceleration"}
        names += tuple(moving[name] for name in names if base and name in moving)
        return getattr(self.robot, method)(**{name: given[name] for name in names})


@pytest.fixture(scope="module", params=ROBOTS, ids=lambda param: f"{param[0]}-{param[1]}")
def case(request, tmp_path_factory):
    return Case(*request.param, tmp_path_factory.mktemp("arm"))


def differences(found, expected):
    """The largest differences of matrices, relative to their largest entries."""
    return [np.abs(f - e).max() / np.abs(e).max() for f, e in zip(found, expected, strict=True)]


def expected_inverse(case):
    s = case.states
    wanted = case.oracle.inverse_dynamics_derivatives
    states = zip(s.q, s.velocity, s.acceleration, s.gravity, strict=True)
    return [np.stack(each) for each in zip(*(wanted(*state) for state in states), strict=True)]


def test_inverse_dynamics_derivatives(case):
    found = case.call("inverse_dynamics_derivatives", "q", "qd", "qdd", "gravity")
    assert max(differences(found, expected_inverse(case))) < 1e-12


def check_entries(case):
    """Each is where its pattern says, and all others are zero."""
    found = case.call(ENTRIES, "q", "qd", "qdd", "gravity")
    by_q, by_qd, H = expected_inverse(case)
    patterns = case.robot.derivative_patterns
    for entries, matrix, (places, starts) in zip(found, (by_q, by_qd, H), patterns, strict=True):
        columns = np.repeat(np.arange(matrix.shape[-1]), np.diff(starts))
        scale = np.abs(matrix).max()
        assert np.abs(entries - matrix[:, places, columns]).max() < 1e-12 * scale
        matrix[:, places, columns] = 0.0
        if matrix is H:
            matrix[:, columns, places] = 0.0
        assert np.abs(matrix).max() < 1e-12 * scale


def test_entries_of_the_inverse_dynamics_derivatives(case):
    check_entries(case)


def test_compiled_entries_of_the_inverse_dynamics_derivatives(tmp_path):
    name = "hyq_description/robots/hyq_no_sensors.urdf"
    check_entries(Case(name, True, tmp_path, backend="cpp", functions=[ENTRIES], batch=True))


def test_compiled_inverse_dynamics_derivatives(tmp_path):
    case = Case(*COMPILED, tmp_path, backend="cpp", functions=["inverse_dynamics_derivatives"])
    found = case.call("inverse_dynamics_derivatives", "q", "qd", "qdd", "gravity")
    assert max(differences(found, expected_inverse(case))) < 1e-12


def test_forward_dynamics_derivatives(case):
    if case.robot.mimic:
        pytest.skip("Pinocchio's articulated-body algorithm knows no joints that follow others")
    if case.robot.n > LARGE:
        pytest.skip("takes long to interpret, and has nothing that smaller robots have not")
    s, oracle = case.states, case.oracle
    still = np.zeros((len(s.tau), s.velocity.shape[1] - case.robot.n))
    tau = np.concatenate([still, s.tau], axis=1)
    states = zip(s.q, s.velocity, tau, s.gravity, strict=True)
    expected = zip(*(oracle.forward_dynamics_derivatives(*state) for state in states), strict=True)
    found = case.call("forward_dynamics_derivatives", "q", "qd", "tau", "gravity")
    assert max(differences(found, [np.stack(each) for each in expected])) < 1e-9


def test_regressor(case):
    if case.robot.n > LARGE:
        pytest.skip("takes long to interpret, and has nothing that smaller robots have not")
    s, oracle, robot = case.states, case.oracle, case.robot
    found = case.call("inverse_dynamics_regressor", "q", "qd", "qdd", "gravity")
    blocks = found.reshape(*found.shape[:-1], -1, 10)
    expected = rows(oracle.regressor, s.q, s.velocity, s.acceleration, s.gravity)
    order = [oracle.block_of(link) for link in robot.regressed_links]
    assert max(differences([blocks], [expected[..., order, :]])) < 1e-12
