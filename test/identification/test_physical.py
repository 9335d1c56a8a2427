"""Identified bodies exist, are near the description, and forces fit as well as errors allow."""

from __future__ import annotations

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.identification.physical import physical, spread
from robcogen_ros.identification.pseudo_inertia import inertial_parameters, moved, pseudo_inertia
from test.support.robots import robot_path

TERMS = ("armature", "damping", "friction")


@pytest.fixture(scope="module")
def robot():
    path = robot_path("ur_description/urdf/ur5_robot.urdf")
    names = ["inverse_dynamics", "inverse_dynamics_regressor", "inertial_parameters"]
    return robcogen_ros.build(path, backend="numpy", functions=names)


def identified(robot, noise: float, states: int = 600):
    random = np.random.default_rng(4)
    q, qd, qdd = random.normal(size=(3, states, robot.n))
    tau = robot.inverse_dynamics(q, qd, qdd) + 3 * qd + 0.2 * qdd
    tau += 2 * 1000 * qd / np.sqrt((1000 * qd) ** 2 + 1)
    identification = robot.identification(terms=TERMS)
    identification.add(q, qd, qdd, tau + noise * random.normal(size=tau.shape))
    return identification.solve("residuals")


def exists(parameters: np.ndarray) -> bool:
    """Whether there is such a body: a mass, and moments about its center that some mass has."""
    m, c = parameters[0], parameters[1:4] / parameters[0]
    xx, xy, xz, yy, yz, zz = parameters[4:]
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    tensor = tensor - m * (c @ c * np.eye(3) - np.outer(c, c))
    small, middle, large = np.linalg.eigvalsh(tensor)
    return m > 0 and small > 0 and small + middle >= large * (1 - 1e-9)


def zeros(robot):
    return {term: np.zeros(robot.n) for term in TERMS}


def test_a_wrong_description_becomes_real_bodies_that_fit(robot):
    found = identified(robot, 0.1)
    true = robot.inertial_parameters()
    wrong = true * np.random.default_rng(1).uniform(0.3, 3, size=(len(true), 1))
    near = physical(found, wrong, 0 * wrong, zeros(robot))
    assert all(exists(body) for body in near.bodies)
    assert np.abs(near.deviations).max() < 4
    values = found.base.grouping @ np.concatenate([near.bodies.ravel(), *near.joints.values()])
    np.testing.assert_allclose(near.values, values)
    assert near.joints["damping"] == pytest.approx(3.0, abs=0.05)
    assert near.joints["friction"] == pytest.approx(2.0, abs=0.1)


def test_noise_that_asks_for_impossible_bodies_does_not_get_them(robot):
    found = identified(robot, 40.0, 300)
    near = physical(
        found, robot.inertial_parameters(), 0 * robot.inertial_parameters(), zeros(robot)
    )
    assert (found.values[[".damping" in t for t in found.base.described]] < 0).any()
    assert all(exists(body) for body in near.bodies)
    assert min(values.min() for values in near.joints.values()) >= 0


def test_what_forces_do_not_tell_stays_as_described(robot):
    """With exact forces of the described robot nothing changes, whatever forces leave open."""
    random = np.random.default_rng(4)
    q, qd, qdd = random.normal(size=(3, 600, robot.n))
    identification = robot.identification()
    tau = robot.inverse_dynamics(q, qd, qdd)
    identification.add(q, qd, qdd, tau + 1e-3 * random.normal(size=tau.shape))
    true = robot.inertial_parameters()
    near = physical(identification.solve(), true, 0 * true, {})
    assert near.bodies[:, 0] == pytest.approx(true[:, 0], rel=0.01)
    np.testing.assert_allclose(near.bodies, true, atol=5e-3)


def test_rotors_that_are_not_asked_for_change_no_masses(robot):
    """Their inertia looks like that of links, which forces tell apart from masses."""
    random = np.random.default_rng(4)
    q, qd, qdd = random.normal(size=(3, 600, robot.n))
    tau = robot.inverse_dynamics(q, qd, qdd) + [5, 5, 5, 0.5, 0.5, 0.5] * qdd
    identification = robot.identification()
    identification.add(q, qd, qdd, tau + 0.1 * random.normal(size=tau.shape))
    true = robot.inertial_parameters()
    near = physical(identification.solve("residuals"), true, 0 * true, {})
    assert near.bodies[:, 0] == pytest.approx(true[:, 0], rel=0.1)
    assert np.abs(near.deviations).max() < 4


def test_what_is_fixed_on_a_link_stays(robot):
    found = identified(robot, 0.01)
    true = robot.inertial_parameters()
    near = physical(found, 0.75 * true, 0.25 * true, zeros(robot))
    np.testing.assert_allclose(near.whole, near.bodies + 0.25 * true)
    assert all(exists(body) for body in near.bodies)
    assert np.abs(near.deviations).max() < 4


def test_pseudo_inertias_are_those_of_points():
    """The sum over points of m [x; 1] [x; 1]^T, and parameters by their definitions."""
    random = np.random.default_rng(2)
    m, x = random.uniform(1, 2, size=7), random.normal(size=(7, 3))
    h = np.column_stack([x, np.ones(7)])
    expected = (h * m[:, None]).T @ h
    tensor = sum(k * (p @ p * np.eye(3) - np.outer(p, p)) for k, p in zip(m, x, strict=True))
    parameters = np.concatenate([[m.sum()], m @ x, tensor[np.triu_indices(3)]])
    np.testing.assert_allclose(pseudo_inertia(parameters), expected)
    np.testing.assert_allclose(inertial_parameters(expected), parameters)
    turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
    turn *= np.linalg.det(turn)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn, [0.3, -0.2, 0.5]
    y = x @ turn.T + pose[:3, 3]
    there = sum(k * (p @ p * np.eye(3) - np.outer(p, p)) for k, p in zip(m, y, strict=True))
    moved_ones = moved(pose, parameters)
    np.testing.assert_allclose(moved_ones[4:], there[np.triu_indices(3)])
    np.testing.assert_allclose(moved_ones[1:4], m @ y)


def test_errors_of_bodies_hold_the_truth_and_tell_what_is_not_known(robot):
    """A mass next to the base bears no force that another does not explain: it is the file's."""
    found = identified(robot, 5.0, states=200)
    true = robot.inertial_parameters()
    wrong = true * np.random.default_rng(1).uniform(0.5, 2, size=(len(true), 1))
    near = physical(found, wrong, 0 * wrong, zeros(robot), draws=12)
    errors = spread(near.drawn)
    assert errors[0, 0] > 0.3 * wrong[0, 0]
    off = (near.bodies - true)[1:, :4] / errors[1:, :4]
    assert np.sqrt((off**2).mean()) < 2
    for term, value in (("damping", 3.0), ("friction", 2.0)):
        assert (np.abs(near.joints[term] - value) < 4.5 * near.joint_errors(term)).all()
        assert (near.joint_errors(term) < 1.0).all()
        assert (near.drawn_joints[term] >= 0).all()
    assert all(exists(body) for each in near.drawn for body in each)
