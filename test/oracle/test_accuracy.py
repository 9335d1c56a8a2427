"""Rounding errors beside Pinocchio's, against textbook algorithms with more digits."""

import numpy as np
import pytest

pytest.importorskip("pinocchio")

from bench.accuracy import LIMITS, ROBOTS, functions_of, rows_of
from bench.reference import FIFTY, NINETEEN, Reference
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robot_of import robot_of
from test.support.robots import robot_path

STATES = 256
CHOSEN = ("UR5", "xArm 7", "HyQ, floating")


@pytest.mark.parametrize("subject", [s for s in ROBOTS if s.title in CHOSEN], ids=lambda s: s.title)
def test_errors_are_near_pinocchios_or_smaller(subject):
    options = {"floating_base": subject.floating, "lock": dict.fromkeys(subject.lock, 0.0)}
    library = Library(read(subject.path, **options).robot, functions_of(subject))
    for row in rows_of(subject, robot_of(NumpyEvaluator(library)), STATES, worst=1):
        for kind, limit in zip((np.median, np.max), LIMITS, strict=True):
            assert kind(row.ours) <= limit * kind(row.theirs), row.function


def test_the_longest_floats_are_enough_to_judge_doubles_by():
    robot = read(robot_path("hyq_description/robots/hyq_no_sensors.urdf"), floating_base=True).robot
    random, gravity = np.random.default_rng(3), np.array([0.0, 0.0, -9.81])
    q, tau = random.uniform(-3, 3, (2, 4, robot.n))
    velocity = random.normal(size=(4, 6 + robot.n))
    usual, exact = (Reference(robot, digits, q) for digits in (NINETEEN, FIFTY))
    found = usual.forward_dynamics(velocity, tau, gravity)
    right = exact.forward_dynamics(velocity, tau, gravity).astype(np.longdouble)
    assert np.abs(found - right).max() < 1e-16 * np.abs(right).max()
