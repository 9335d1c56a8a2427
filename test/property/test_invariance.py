"""What a robot computes depends on the robot, not on how its file is written."""

from __future__ import annotations

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from test.support.full_calls import FullCalls
from test.support.poses import pose
from test.support.random_robots import (
    Tree,
    arm_with_everything,
    for_random,
    locked,
    renamed,
    split,
    state_of,
    trees,
)
from test.support.scaled import force_error, matrix_error

either_base = st.booleans()


def assert_same(robot, other, order=None):
    """Both compute the same, joint k of `robot` being joint order[k] of `other`."""
    s = state_of(robot)
    order = np.arange(robot.n) if order is None else np.array(order, dtype=int)
    base = 6 if robot.floating_base else 0
    full = np.concatenate([np.arange(base), base + order])
    back, full_back = np.argsort(order), np.argsort(full)
    tau = FullCalls(robot).inverse_dynamics(s.q, s.velocity, s.acceleration, s.gravity)
    found = FullCalls(other).inverse_dynamics(
        s.q[:, back], s.velocity[:, full_back], s.acceleration[:, full_back], s.gravity
    )
    assert force_error(found[:, full], tau) < 1e-10
    H = other.inertia_matrix(s.q[:, back])[:, full][:, :, full]
    assert matrix_error(H, robot.inertia_matrix(s.q)) < 1e-10
    center = other.center_of_mass(s.q[:, back])
    assert np.abs(center - robot.center_of_mass(s.q)).max() < 1e-10


@for_random(trees(), either_base, st.data())
def test_cutting_a_link_in_two_changes_nothing(tree, floating, data):
    name = data.draw(st.sampled_from([link.name for link in tree.links]))
    at = pose((0.1, -0.2, 0.3), (0.4, -0.5, 0.6))
    assert_same(tree.build(floating), split(tree, name, 0.4, at).build(floating))


@for_random(trees(), either_base, st.randoms(use_true_random=False))
def test_renaming_and_reordering_permute_the_results(tree, floating, random):
    links, joints = list(tree.links), list(tree.joints)
    random.shuffle(links)
    random.shuffle(joints)
    other = renamed(Tree(tuple(links), tuple(joints)), "other_").build(floating)
    robot = tree.build(floating)
    names = [name.removeprefix("other_") for name in other.joint_names]
    assert_same(robot, other, [names.index(name) for name in robot.joint_names])


@for_random(trees(), either_base, st.data())
def test_locking_a_joint_is_fixing_it_there(tree, floating, data):
    assume(len(tree.free_joints) > 1)
    joint = data.draw(st.sampled_from(tree.free_joints)).name
    value = data.draw(st.sampled_from([0.0, 0.7, -1.2]))
    robot = tree.build(floating, lock={joint: value})
    expected = locked(tree, joint, value).build(floating)
    assert robot.joint_names == expected.joint_names
    assert_same(robot, expected)


@for_random(trees(), st.data())
def test_starting_from_a_link_leaves_the_tree_above_it_out(tree, data):
    root = data.draw(st.sampled_from([link.name for link in tree.links]))
    below = _below(tree, root)
    assume(below.free_joints and any(link.mass for link in below.links))
    assume(not _mimics_outside(below))
    gravity = (0.0, 0.0, -9.81)
    assert_same(tree.build(root=root, gravity=gravity), below.build(gravity=gravity))


@for_random(trees(mimic=False))
def test_floating_base_held_still_is_a_fixed_base(tree):
    fixed, floating = tree.build(), tree.build(floating=True)
    s = state_of(fixed)
    still = np.zeros((3, 6))
    tau, _ = floating.inverse_dynamics_fully_actuated(
        s.q, s.velocity, s.acceleration, still, still, s.gravity
    )
    expected = fixed.inverse_dynamics(s.q, s.velocity, s.acceleration, gravity=s.gravity)
    assert force_error(tau, expected) < 1e-10
    H = floating.inertia_matrix(s.q)[:, 6:, 6:]
    assert matrix_error(H, fixed.inertia_matrix(s.q)) < 1e-10


def test_axis_length_does_not_matter():
    tree = arm_with_everything()
    slide = next(j for j in tree.joints if j.name == "slide")
    longer = tree.with_joint(type(slide)(**{**_fields(slide), "axis": (6.0, 0.0, 8.0)}))
    assert_same(tree.build(), longer.build())


def _fields(joint):
    return {name: getattr(joint, name) for name in joint.__dataclass_fields__}


def _below(tree, root):
    """The part of a robot that hangs on a link."""
    links, joints = [next(link for link in tree.links if link.name == root)], []
    for joint in tree.joints:
        if any(joint.parent == link.name for link in links):
            joints.append(joint)
            links.append(next(link for link in tree.links if link.name == joint.child))
    return Tree(tuple(links), tuple(joints))


def _mimics_outside(tree):
    names = {joint.name for joint in tree.joints}
    return any(joint.mimic and joint.mimic[0] not in names for joint in tree.joints)
