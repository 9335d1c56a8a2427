"""Regrouped inertias move a robot as its true ones do, with fewer numbers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st

from robcogen_ros.algorithms.composite_inertia import inertia_matrix
from robcogen_ros.algorithms.joints import joint_transforms
from robcogen_ros.algorithms.minimal_inertia import balanced, regrouped
from robcogen_ros.algorithms.newton_euler import newton_euler
from robcogen_ros.formats.load import parse
from robcogen_ros.formats.source import Source
from robcogen_ros.model.reduce import reduce
from robcogen_ros.model.spatial import Force, Motion
from test.support.random_robots import Joint, Link, Tree, arm_with_everything, for_random, trees


def kinematic_tree(tree):
    return reduce(parse(Source("random.urdf", tree.urdf())))


def forces(robot, seed):
    """Joint forces and base wrench of a motion, the base's too."""
    random = np.random.default_rng(seed)
    q, qd, qdd = random.uniform(-3, 3, (3, robot.n))
    velocity, acceleration = (Motion.of(random.normal(size=6)) for _ in range(2))
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
    robot = kinematic_tree(tree)
    true = forces(robot.map(float), 1)
    assert forces(regrouped(robot).map(float), 1) == pytest.approx(
        true, rel=1e-11, abs=1e-11 * np.abs(true).max(initial=1.0)
    )


@for_random(trees(), st.booleans())
def test_composite_inertias_tell_the_same_inertia_matrix_of_balanced_masses(tree, floating):
    robot = replace(kinematic_tree(tree), floating_base=floating).map(float)
    q = np.random.default_rng(2).uniform(-3, 3, robot.n)
    transforms = joint_transforms(robot, q)
    found, true = (np.array(inertia_matrix(r, transforms)) for r in (balanced(robot), robot))
    assert found == pytest.approx(true, rel=1e-10, abs=1e-10 * np.abs(true).max(initial=1.0))


def chain(center):
    """Four joints, whose axes take turns."""
    tensor = (0.02, 0.001, -0.002, 0.03, 0.003, 0.04)
    links = tuple(Link(f"link{i}", 1.0 + i, center, tensor=tensor) for i in range(5))
    joints = tuple(
        Joint(f"j{i}", "revolute", f"link{i}", f"link{i + 1}", (0.3, 0.0, 0.0), axis=axis)
        for i, axis in enumerate([(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)] * 2)
    )
    return kinematic_tree(Tree(links, joints))


@pytest.mark.parametrize("before", [regrouped, lambda robot: robot])
def test_a_link_between_others_is_balanced_by_the_mass_at_the_next_joint(before):
    robot = balanced(before(chain((0.1, -0.2, 0.3))).map(float))
    x, y, _ = robot.links[2].inertia.moment
    assert min(abs(x), abs(y)) < 1e-12 < max(abs(x), abs(y))
    assert robot.links[3].inertia.mass != 0


def test_no_mass_is_several_times_what_a_link_carries():
    robot = regrouped(chain((5.0, -8.0, 0.3)))
    assert [float(link.carried) for link in robot.links] == [0, 14, 12, 9, 5]
    assert float(balanced(robot.map(float)).links[3].inertia.mass) == 0


def test_of_a_turning_link_seven_numbers_are_left_and_of_a_sliding_one_four():
    robot = regrouped(kinematic_tree(arm_with_everything()))
    for joint in robot.joints:
        inertia = robot.links[joint.successor].inertia
        if joint.prismatic:
            assert all(float(entry) == 0 for entry in inertia.tensor)
        else:
            axial = inertia.tensor.second_moments().zz
            assert [float(x) for x in (inertia.mass, inertia.moment.z, axial)] == [0, 0, 0]
