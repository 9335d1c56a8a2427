"""Joints at the ends of limbs that articulated bodies remove several at once."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("hypothesis")

from hypothesis import assume
from hypothesis import strategies as st

from robcogen_ros.algorithms.articulated_body import articulated_body
from robcogen_ros.algorithms.careful_ends import careful_ends
from robcogen_ros.algorithms.composite_inertia import inertia_matrix
from robcogen_ros.algorithms.joint_terms import armature_of
from robcogen_ros.algorithms.joints import joint_transforms
from robcogen_ros.algorithms.limb_ends import removal_groups
from robcogen_ros.algorithms.newton_euler import newton_euler
from robcogen_ros.formats.load import parse
from robcogen_ros.formats.source import Source
from robcogen_ros.model.reduce import reduce
from robcogen_ros.model.spatial import Force, Motion, Vector
from robcogen_ros.program.library import Library
from test.support.random_robots import Joint, Link, Tree, for_random, is_regular, trees

GRAVITY = Motion(Vector(), Vector(1.0, -2.0, -9.0))


def reduced(tree, **options):
    return reduce(parse(Source("robot.urdf", tree.urdf())), **options)


def block(name):
    """A link whose centre of mass is beside the axis of its joint."""
    return Link(name, 2.0, (0.03, -0.05, 0.06), tensor=(0.03, 0.002, 0.001, 0.025, -0.002, 0.02))


def chain(axes, places):
    """Blocks, one on the other."""
    links = [Link("base"), *(block(f"link{i}") for i in range(len(axes)))]
    joints = [
        Joint(f"j{i}", "revolute", links[i].name, f"link{i}", xyz, axis=axis)
        for i, (axis, xyz) in enumerate(zip(axes, places, strict=True))
    ]
    return Tree(tuple(links), tuple(joints))


X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
HERE, ELBOW, WRIST, HAND = (0.0, 0.0, 0.0), (0.08, 0.0, 0.35), (-0.08, 0.0, 0.38), (0.09, 0.0, 0.0)

ARM = chain([Z, Y, Z, Y, Z, Y, Z], [HERE, HERE, HERE, ELBOW, WRIST, HERE, HAND])
"""An arm of seven joints; the axes of the first three meet."""


def with_rotors(tree):
    """The tree, a rotor at each joint that moves."""
    for k, joint in enumerate(tree.free_joints):
        tree = tree.with_joint(replace(joint, terms=(0.0, 0.0, 0.01 * (k + 1))))
    return tree


def backwards(robot):
    """The robot, every other joint's coordinate counted the other way."""
    joints = [replace(j, multiplier=j.multiplier * (-1) ** k) for k, j in enumerate(robot.joints)]
    return replace(robot, joints=tuple(joints))


@for_random(trees(mimic=False), st.booleans(), st.integers(2, 7), examples=60)
def test_accelerations_are_those_that_take_the_forces(tree, floating, together):
    tree = with_rotors(tree)
    robot = backwards(reduced(tree, floating_base=floating, terms=("armature",)).map(float))
    assert all(armature_of(robot, k) for k in range(robot.n))
    random = np.random.default_rng(together)
    q, qd, tau = random.normal(size=(3, robot.n))
    transforms = joint_transforms(robot, q)
    assume(is_regular(np.array(inertia_matrix(robot, transforms), float)))
    wrenches = [Force.of(w) for w in random.normal(size=(len(robot.links), 6))]
    velocity = Motion.of(random.normal(size=6)) if floating else Motion()
    qdd, base = articulated_body(
        robot, transforms, qd, tau, velocity, GRAVITY, wrenches, together=together
    )
    forces, wrench = newton_euler(robot, transforms, qd, qdd, velocity, base - GRAVITY, wrenches)
    rotors = [armature_of(robot, k) * qdd[k] for k in range(robot.n)]
    scale = 1e-9 * (1 + np.abs(qdd).max())
    np.testing.assert_allclose(np.add(forces, rotors), tau, atol=scale)
    if floating:
        np.testing.assert_allclose(list(wrench), np.zeros(6), atol=scale)


@for_random(trees(mimic=False), st.integers(1, 7))
def test_ends_are_the_largest_whole_subtrees_of_so_many_joints(tree, most):
    robot = reduced(tree)
    groups = removal_groups(robot, most)
    removed = [joint for group in groups for joint in group]
    assert sorted(joint.successor for joint in removed) == [j.successor for j in robot.joints]

    def subtree(link):
        return [j for j in robot.joints if link - 1 in robot.support(j.successor)]

    for first, *beyond in groups:
        assert len(beyond) < most
        if beyond:
            assert [first, *beyond] == subtree(first.successor)
        if first.predecessor:
            assert len(subtree(first.predecessor)) > most


def test_ends_that_reach_into_a_spherical_shoulder_would_lose_digits():
    """Two of its axes may be one: the first joint then feels little of an arm that is free."""
    assert max(careful_ends(reduced(ARM))) == 4


def test_a_limb_of_many_parallel_joints_is_no_end_as_a_whole():
    finger = reduced(chain([X] * 7, [ELBOW] * 7))
    assert max(careful_ends(finger)) < 7


def test_what_depends_on_parameters_has_no_ends():
    assert careful_ends(reduced(ARM, parameters=["link3.mass"])) == ()


def test_forward_dynamics_of_an_arm_takes_fewer_operations():
    robot, name = reduced(ARM), "forward_dynamics"
    joint_by_joint = Library(robot, [name], without=["shorter-way"]).operations(name)
    found = Library(robot, [name]).operations(name)
    assert sum(found.values()) < 0.95 * sum(joint_by_joint.values())


def test_of_joints_that_move_nothing_there_are_no_ends():
    idle = Tree((*ARM.links, Link("tip")), (*ARM.joints, Joint("idle", "revolute", "link6", "tip")))
    assert careful_ends(reduced(idle)) == ()
