"""Jacobians are what moving the joints does, and what external wrenches act through."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from test.support.full_calls import FullCalls
from test.support.poses import velocity_between
from test.support.random_robots import for_random, state_of, trees

_STEP = 1e-5


@for_random(trees(), st.data())
def test_jacobian_is_the_derivative_of_the_relative_pose(tree, data):
    """Any two links, so also pairs of which neither is above the other."""
    robot = tree.build()
    base, target = (data.draw(st.sampled_from(robot.frame_names)) for _ in range(2))
    q = state_of(robot).q
    J = robot.jacobian(base, target, q)
    for column, direction in enumerate(np.eye(robot.n)):
        before, after = (robot.transform(base, target, q + h * direction) for h in (-_STEP, _STEP))
        expected = velocity_between(before, after, 2 * _STEP)
        assert np.abs(J[..., column] - expected).max() < 1e-7


@for_random(trees())
def test_link_moved_by_no_joint_in_between_has_zero_jacobian(tree):
    robot = tree.build()
    q = state_of(robot).q
    for frame in robot.frame_names:
        assert not robot.jacobian(frame, frame, q).any()


@for_random(trees(), st.booleans())
def test_external_wrench_acts_through_the_jacobian(tree, floating):
    robot = tree.build(floating)
    ours, s = FullCalls(robot), state_of(robot)
    poses = dict(zip(robot.frame_names, np.moveaxis(robot.frame_poses(s.q), 1, 0), strict=True))
    free = ours.inverse_dynamics(s.q, s.velocity, s.acceleration, s.gravity)
    for index, link in enumerate(robot.link_names):
        forces = np.zeros((3, len(robot.link_names), 6))
        forces[:, index] = wrench = np.random.default_rng(index).normal(size=(3, 6))
        loaded = ours.inverse_dynamics(s.q, s.velocity, s.acceleration, s.gravity, forces)
        R = poses[link][:, :3, :3]
        in_root = np.einsum("kij,kbj->kbi", R, wrench.reshape(3, 2, 3)).reshape(3, 6)
        expected = -np.einsum("kij,ki->kj", _jacobian(robot, link, s.q), in_root)
        assert np.abs(loaded - free - expected).max() < 1e-9 * (1 + np.abs(free).max())


@for_random(trees(), st.data())
def test_transforms_chain_and_are_each_others_inverse(tree, data):
    robot = tree.build()
    a, b, c = (data.draw(st.sampled_from(robot.frame_names)) for _ in range(3))
    q = state_of(robot).q
    for kind in ("homogeneous", "motion", "force"):
        a_X_b, b_X_c, a_X_c, b_X_a = (
            robot.transform(*pair, q, kind=kind) for pair in ((a, b), (b, c), (a, c), (b, a))
        )
        assert np.abs(a_X_b @ b_X_c - a_X_c).max() < 1e-11
        assert np.abs(a_X_b @ b_X_a - np.eye(len(a_X_b[0]))).max() < 1e-11


@for_random(trees())
def test_momentum_of_a_floating_robot_moves_its_center_of_mass(tree):
    """The base's rows of H hold the whole robot's momentum: mass times the centre's velocity."""
    robot = tree.build(floating=True)
    s = state_of(robot)
    H, qd = robot.inertia_matrix(s.q), s.velocity[:, 6:]
    momentum = np.einsum("kij,kj->ki", H[:, 3:6], s.velocity)
    ahead, behind = (robot.center_of_mass(s.q + h * qd) for h in (_STEP, -_STEP))
    spin, drift = s.velocity[:, :3], s.velocity[:, 3:6]
    velocity = (ahead - behind) / (2 * _STEP)
    velocity = velocity + drift + np.cross(spin, robot.center_of_mass(s.q))
    mass = sum(link.mass or 0.0 for link in tree.links)
    assert np.abs(momentum - mass * velocity).max() < 1e-7 * (1 + mass)


def _jacobian(robot, link, q):
    if robot.floating_base:
        return robot.full_jacobian(link, q)
    return robot.jacobian(robot.link_names[0], link, q)
