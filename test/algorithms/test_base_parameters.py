"""Regrouped inertias move a robot as its true ones do, with fewer numbers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st

from robcogen_ros.algorithms.conditioning.base_parameters import regrouped
from robcogen_ros.algorithms.mechanics.composite_inertia import inertia_matrix
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.algorithms.mechanics.newton_euler import newton_euler
from robcogen_ros.model.spatial import Force, MotionVector
from test.support.model_of import model_of
from test.support.random_robots import arm_with_everything, for_random, trees


def forces(robot, seed):
    """Joint forces and base wrench of a motion, the base's too."""
    random = np.random.default_rng(seed)
    q, qd, qdd = random.uniform(-3, 3, (3, robot.n))
    velocity, acceleration = (MotionVector.of(random.normal(size=6)) for _ in range(2))
    tau, wrench = newton_euler(
        robot,
        joint_transforms(robot, q),
        qd,
        qdd,
        velocity,
        acceleration,
        [Force()] * len(robot.links),
    )
    return np.array([*tau, *wrench], dtype=float)


@for_random(trees())
def test_regrouping_leaves_joint_forces_and_base_wrench_as_they_are(tree):
    robot = model_of(tree.urdf())
    true = forces(robot.map(float), 1)
    assert forces(regrouped(robot).map(float), 1) == pytest.approx(
        true, rel=1e-11, abs=1e-11 * np.abs(true).max(initial=1.0)
    )


@for_random(trees(), st.booleans())
def test_regrouping_leaves_the_inertia_matrix_as_it_is(tree, floating):
    robot = replace(model_of(tree.urdf()), floating_base=floating)
    q = np.random.default_rng(2).uniform(-3, 3, robot.n)
    of_either = [form.map(float) for form in (regrouped(robot), robot)]
    found, true = (np.array(inertia_matrix(r, joint_transforms(r, q))) for r in of_either)
    assert found == pytest.approx(true, rel=1e-10, abs=1e-10 * np.abs(true).max(initial=1.0))


def test_of_a_turning_link_seven_numbers_are_left_and_of_a_sliding_one_four():
    robot = regrouped(model_of(arm_with_everything().urdf()))
    for joint in robot.joints:
        inertia = robot.links[joint.successor].inertia
        if not joint.kind.turns:
            assert all(float(entry) == 0 for entry in inertia.tensor)
        else:
            axial = inertia.tensor.second_moments().zz
            assert [float(x) for x in (inertia.mass, inertia.moment.z, axial)] == [0, 0, 0]
