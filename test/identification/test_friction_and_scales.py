"""Stribeck friction by a search, and torque constants by a known payload, beside Pinocchio."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pinocchio
import pytest

import robcogen_ros
from robcogen_ros.cli import identify
from robcogen_ros.cli.main import main
from robcogen_ros.errors import RobcogenError
from robcogen_ros.identification.sample import Sample
from robcogen_ros.identification.scales import KnownPayload, scales
from robcogen_ros.identification.stribeck import stribeck_velocity
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.identification import stribeck
from test.support.recordings import sines, write_csv
from test.support.robots import robot_path

UR5 = robot_path("ur_description/urdf/ur5_robot.urdf")
SPEED, RISE = 0.2, 1.5
CONSTANTS = np.array([12.0, 11.0, 9.0, 5.0, 6.0, 4.0])
CENTER = np.array([0.05, 0.02, 0.1])


ARM = pinocchio.buildModelFromUrdf(str(UR5))


@pytest.fixture(scope="module")
def robot():
    names = ["inverse_dynamics", "inverse_dynamics_regressor", "kinematics"]
    return robcogen_ros.build(UR5, backend="numpy", functions=names)


def efforts(motion, mass=0.0):
    """Forces of a UR5 with friction of 2 N m, and a point mass at its tool."""
    arm = ARM.copy()
    tool = arm.frames[arm.getFrameId("tool0")]
    arm.appendBodyToJoint(
        tool.parentJoint, pinocchio.Inertia(mass, CENTER, np.zeros((3, 3))), tool.placement
    )
    data = arm.createData()
    rows = zip(motion.q, motion.qd, motion.qdd, strict=True)
    return np.array([pinocchio.rnea(arm, data, *row) for row in rows]) + 2 * np.sign(motion.qd)


def recorded(motion, tau):
    tau = tau + 0.002 * np.abs(tau).max(axis=0) * np.random.default_rng(3).normal(size=tau.shape)
    return replace(motion, tau=tau)


def sample(motion):
    found = Sample()
    found.add(motion)
    return found


def test_friction_that_falls_off_is_found_with_its_speed(robot):
    motion = sines(6, 1500, 0.01)
    rise = RISE * np.sign(motion.qd) * np.exp(-((motion.qd / SPEED) ** 2))
    motion = recorded(motion, efforts(motion) + rise)
    speed = stribeck_velocity(robot, sample(motion), ["friction"])
    assert abs(speed / SPEED - 1) < 0.1
    taken = robot.identification(terms=["friction", stribeck(speed)])
    taken.add(motion.q, motion.qd, motion.qdd, motion.tau)
    found = taken.solve("residuals")
    for term, true in (("friction", 2.0), ("stribeck", RISE)):
        rows = [name.endswith(f".{term}") for name in found.base.described]
        np.testing.assert_allclose(found.values[rows], true, rtol=0.1)
    told = robot.inverse_dynamics(motion.q, motion.qd, motion.qdd)
    told += (2 + RISE * np.exp(-((motion.qd / SPEED) ** 2))) * np.sign(motion.qd)
    predicted = found.predict(motion.q, motion.qd, motion.qdd)
    assert np.sqrt(((predicted - told) ** 2).mean(axis=0)).max() < 0.3


@pytest.fixture(scope="module")
def pair():
    """States of a UR5 without and with 4 kg at its tool, whose currents are recorded."""
    motion = sines(6, 1500, 0.01)
    return tuple(sample(recorded(motion, efforts(motion, m) / CONSTANTS)) for m in (0.0, 4.0))


@pytest.mark.parametrize("center", [CENTER, None])
def test_torque_constants_follow_from_a_known_payload(robot, pair, center):
    found = scales(robot, KnownPayload("tool0", 4.0, center), ["friction"], pair)
    assert (np.abs(found.values - CONSTANTS) < 4 * found.errors).all()
    assert (found.errors < 0.05 * CONSTANTS).all()
    assert np.abs(found.center - CENTER).max() < 0.004
    assert (np.abs(found.center - CENTER) <= 4 * found.center_errors).all()


def test_a_wrong_center_of_the_payload_is_refused_with_the_right_one(robot, pair):
    """As far off as half of the gripper: constants of the wrist would be others."""
    wrong = KnownPayload("tool0", 4.0, CENTER + np.array([0.05, 0, 0]))
    with pytest.raises(RobcogenError) as error:
        scales(robot, wrong, ["friction"], pair)
    told = re.search(
        r"at \((\S+), (\S+), (\S+)\) \+- .* not at \(100.0, 20.0, 100.0\)", str(error.value)
    )
    assert told
    assert [float(x) / 1000 for x in told.groups()] == pytest.approx(CENTER, abs=0.004)


def test_joints_that_bear_too_little_of_the_payload_are_refused(robot, pair):
    with pytest.raises(
        RobcogenError, match=r"constants of .*wrist_3_joint .* are not known to 10%"
    ):
        scales(robot, KnownPayload("tool0", 0.004), ["friction"], (pair[0], pair[0]))
    named = robot.joint_names
    found = scales(robot, KnownPayload("tool0", 4.0), ["friction"], (pair[0], pair[0]), named)
    assert (found.values == 1).all()


def test_the_command_takes_them_from_there(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(identify, "build_compiled", NumpyEvaluator)
    motion, names = sines(6, 1500, 0.01), list(ARM.names)[1:]
    files = [str(tmp_path / name) for name in ("empty.csv", "loaded.csv")]
    for file, mass in zip(files, (0.0, 4.0), strict=True):
        write_csv(Path(file), recorded(motion, efforts(motion, mass) / CONSTANTS), names)
    words = ["identify", str(UR5), files[0], "--with", "friction", "--loaded"]
    assert main([*words, files[1]]) == 1
    assert "only a known weight tells it" in capsys.readouterr().err
    known = ["--known-payload", "tool0=4"]
    out = tmp_path / "found.json"
    assert main([*words, files[1], *known, "--all", "--json", str(out)]) == 0
    assert "center of mass of the payload: (" in capsys.readouterr().err
    friction = json.loads(out.read_text())["terms"]["friction"]
    np.testing.assert_allclose(list(friction.values()), 2.0, rtol=0.1)
