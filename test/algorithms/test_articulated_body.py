"""Accelerations by articulated bodies take the forces that were given."""

from dataclasses import replace

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from robcogen_ros.algorithms.mechanics.articulated_body import articulated_body
from robcogen_ros.algorithms.mechanics.composite_inertia import inertia_matrix
from robcogen_ros.algorithms.mechanics.joint_terms import armature_of
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.algorithms.mechanics.newton_euler import newton_euler
from robcogen_ros.model.spatial import Force, MotionVector, Vector
from test.support.model_of import model_of
from test.support.random_robots import for_random, is_regular, trees

GRAVITY = MotionVector(Vector(), Vector(1.0, -2.0, -9.0))


def reduced(tree, **options):
    return model_of(tree.urdf(), **options)


def with_rotors(tree):
    """The tree, a rotor at each joint that moves."""
    for k, joint in enumerate(tree.free_joints):
        tree = tree.with_joint(replace(joint, terms=(0.0, 0.0, 0.01 * (k + 1))))
    return tree


def backwards(robot):
    """The robot, every other joint's coordinate counted the other way."""
    joints = [replace(j, multiplier=j.multiplier * (-1) ** k) for k, j in enumerate(robot.joints)]
    return replace(robot, joints=tuple(joints))


@for_random(trees(mimic=False), st.booleans())
def test_accelerations_are_those_that_take_the_forces(tree, floating):
    tree = with_rotors(tree)
    robot = backwards(reduced(tree, floating_base=floating, terms=("armature",)).map(float))
    assert all(armature_of(robot, k) for k in range(robot.n))
    random = np.random.default_rng(1)
    q, qd, tau = random.normal(size=(3, robot.n))
    transforms = joint_transforms(robot, q)
    assume(is_regular(np.array(inertia_matrix(robot, transforms), float)))
    wrenches = [Force.of(w) for w in random.normal(size=(len(robot.links), 6))]
    velocity = MotionVector.of(random.normal(size=6)) if floating else MotionVector()
    qdd, base = articulated_body(robot, transforms, qd, tau, velocity, GRAVITY, wrenches)
    forces, wrench = newton_euler(robot, transforms, qd, qdd, velocity, base - GRAVITY, wrenches)
    rotors = [armature_of(robot, k) * qdd[k] for k in range(robot.n)]
    scale = 1e-9 * (1 + np.abs(qdd).max())
    np.testing.assert_allclose(np.add(forces, rotors), tau, atol=scale)
    if floating:
        np.testing.assert_allclose(list(wrench), np.zeros(6), atol=scale)
