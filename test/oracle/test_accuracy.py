"""Rounding errors beside Pinocchio's, against textbook algorithms with more digits."""

import numpy as np
import pytest

pytest.importorskip("pinocchio")

import robcogen_ros
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.oracle.accuracy import LIMITS, ROBOTS, model, rows_of
from test.oracle.accuracy_sides import States, exact, functions_of, generated
from test.oracle.digits import FIFTY, NINETEEN
from test.support.robots import robot_path

STATES = 256
CHOSEN = ("UR5", "xArm 7", "HyQ, floating")


@pytest.mark.parametrize("subject", [s for s in ROBOTS if s.title in CHOSEN], ids=lambda s: s.title)
def test_errors_are_near_pinocchios_or_smaller(subject):
    robot = model(subject)
    code = robot_of(NumpyEvaluator(Library(robot, generated(robot))))
    rows = list(rows_of(subject, code, STATES, worst=1, alone=False))
    assert [row.function for row in rows] == list(functions_of(robot))
    for row in rows:
        for kind, limit in zip((np.median, np.max), LIMITS, strict=True):
            assert kind(row.ours) <= limit * kind(row.theirs), row.function


@pytest.mark.parametrize("backend", ["numpy", "cpp"])
@pytest.mark.parametrize("title", ["simple humanoid, floating", "xArm 7"])
def test_the_inverse_of_the_inertia_matrix_keeps_its_digits(title, backend):
    """Elimination of H would be the cause of 9e-16 and more."""
    (subject,) = (s for s in ROBOTS if s.title == title)
    name, robot = "inertia_matrix_inverse", model(subject)
    options = {"floating_base": subject.floating, "backend": backend, "functions": [name]}
    states = States.random(robot, 40)
    found = robcogen_ros.build(subject.path, **options).inertia_matrix_inverse(states.q)
    right = exact(robot, NINETEEN)[name](states)
    scale = np.sqrt(np.diagonal(right, axis1=1, axis2=2))
    errors = np.abs(found - right) / (scale[:, :, None] * scale[:, None, :])
    assert np.median(errors.max(axis=(1, 2))) < 7e-16


def test_the_longest_floats_are_enough_to_judge_doubles_by():
    robot = read(robot_path("hyq_description/robots/hyq_no_sensors.urdf"), floating_base=True).robot
    states = States.random(robot, 2)
    usual, right = exact(robot, NINETEEN), exact(robot, FIFTY)
    for function in functions_of(robot):
        found = usual[function](states)
        wanted = right[function](states).astype(np.longdouble)
        assert np.abs(found - wanted).max() < 1e-16 * np.abs(wanted).max(), function
