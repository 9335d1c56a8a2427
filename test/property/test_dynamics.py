"""The dynamics functions of any robot fit together."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from test.support.full_calls import FullCalls
from test.support.pinocchio_oracle import PinocchioOracle
from test.support.random_robots import for_random, is_regular, state_of, trees
from test.support.scaled import force_error, matrix_error, motion_residual

floating_or_fixed = st.booleans()
_STEP = 1e-4


def regular_robot(tree, floating):
    """The robot with a state, both given up where its inertia matrix is nearly singular."""
    robot = tree.build(floating)
    state = state_of(robot)
    assume(is_regular(robot.inertia_matrix(state.q)))
    return robot, state


def apply(matrix, vector):
    return np.einsum("...ij,...j->...i", matrix, vector)


@for_random(trees(), floating_or_fixed)
def test_inverse_dynamics_is_inertia_times_acceleration_plus_bias(tree, floating):
    robot = tree.build(floating)
    ours, s = FullCalls(robot), state_of(robot)
    tau = ours.inverse_dynamics(s.q, s.velocity, s.acceleration, s.gravity)
    bias = ours.gravity_torques(s.q, s.gravity) + ours.coriolis_torques(s.q, s.velocity)
    assert motion_residual(robot.inertia_matrix(s.q), bias, s.acceleration, tau) < 1e-12


@for_random(trees(), floating_or_fixed)
def test_any_robot_is_that_of_pinocchio(tree, floating):
    robot = tree.build(floating)
    ours, s, q = FullCalls(robot), state_of(robot), state_of(robot).q[0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "r.urdf")
        path.write_text(tree.urdf())
        theirs = PinocchioOracle(path, floating)
    motion = q, s.velocity[0], s.acceleration[0], s.gravity[0]
    expected = theirs.inverse_dynamics(*motion)
    scale = 1 + np.abs(expected).max()
    np.testing.assert_allclose(ours.inverse_dynamics(*motion), expected, atol=1e-12 * scale)
    assert matrix_error(robot.inertia_matrix(q), theirs.inertia_matrix(q)) < 1e-12
    for frame, pose in zip(robot.frame_names, robot.frame_poses(q), strict=True):
        np.testing.assert_allclose(pose, theirs.frame_pose(frame, q), atol=1e-13)


@for_random(trees(), floating_or_fixed)
def test_forward_dynamics_undoes_inverse_dynamics(tree, floating):
    robot, s = regular_robot(tree, floating)
    ours = FullCalls(robot)
    forces = np.random.default_rng(2).normal(size=(3, len(robot.link_names), 6))
    tau = np.random.default_rng(3).normal(size=(3, robot.n))
    acceleration = ours.forward_dynamics(s.q, s.velocity, tau, s.gravity, forces)
    found = ours.inverse_dynamics(s.q, s.velocity, acceleration, s.gravity, forces)
    expected = np.concatenate([np.zeros((3, ours.size - robot.n)), tau], axis=1)
    H = robot.inertia_matrix(s.q)
    assert motion_residual(H, found - apply(H, acceleration), acceleration, expected) < 1e-12


@for_random(trees())
def test_hybrid_inverse_dynamics_bears_no_wrench_on_the_base(tree):
    robot, s = regular_robot(tree, floating=True)
    qd, qdd, v0 = s.velocity[:, 6:], s.acceleration[:, 6:], s.velocity[:, :6]
    forces = np.random.default_rng(2).normal(size=(3, len(robot.link_names), 6))
    tau, a0 = robot.inverse_dynamics(s.q, qd, qdd, v0, s.gravity, external_forces=forces)
    again, wrench = robot.inverse_dynamics_fully_actuated(
        s.q, qd, qdd, v0, a0, s.gravity, external_forces=forces
    )
    held, weight = robot.inverse_dynamics_fully_actuated(
        s.q, qd, qdd, v0, 0 * a0, s.gravity, external_forces=forces
    )
    assert force_error(again, tau, held) < 1e-10
    assert force_error(wrench, 0 * wrench, weight) < 1e-10
    found, base = robot.forward_dynamics(s.q, qd, tau, v0, s.gravity, external_forces=forces)
    H = robot.inertia_matrix(s.q)
    ours = np.concatenate([base, found], axis=1)
    expected = np.concatenate([a0, qdd], axis=1)
    assert motion_residual(H, 0 * expected, ours, apply(H, expected)) < 1e-12


@for_random(trees(), floating_or_fixed)
def test_inertia_matrix_is_symmetric_and_positive_definite(tree, floating):
    robot, s = regular_robot(tree, floating)
    H = robot.inertia_matrix(s.q)
    assert np.array_equal(H, H.swapaxes(-1, -2))
    assert np.linalg.eigvalsh(H).min() > 0


@for_random(trees(), floating_or_fixed)
def test_factor_is_lower_triangular_with_the_inertia_matrix_as_its_square(tree, floating):
    robot, s = regular_robot(tree, floating)
    L, H = robot.inertia_factor(s.q), robot.inertia_matrix(s.q)
    assert np.array_equal(L, np.tril(L))
    assert matrix_error(L.swapaxes(-1, -2) @ L, H) < 1e-12


@for_random(trees(mimic=False), floating_or_fixed)
def test_matrix_and_factor_are_zero_between_branches(tree, floating):
    robot, s = regular_robot(tree, floating)
    above = _joints_above(tree)
    L, H = robot.inertia_factor(s.q), robot.inertia_matrix(s.q)
    base = 6 if floating else 0
    for i, row in enumerate(robot.joint_names):
        for j, column in enumerate(robot.joint_names):
            if row not in above[column] and column not in above[row]:
                assert not H[:, base + i, base + j].any()
                assert not L[:, base + i, base + j].any()


@for_random(trees(), floating_or_fixed)
def test_inverse_times_inertia_matrix_is_one(tree, floating):
    robot, s = regular_robot(tree, floating)
    H, inverse = robot.inertia_matrix(s.q), robot.inertia_matrix_inverse(s.q)
    scale = np.sqrt(np.diagonal(H, axis1=-2, axis2=-1))
    product = H @ inverse / scale[..., :, None] * scale[..., None, :]
    assert np.abs(product - np.eye(len(scale[0]))).max() < 1e-9


@for_random(trees(), floating_or_fixed)
def test_power_of_coriolis_forces_is_the_change_of_kinetic_energy(tree, floating):
    robot = tree.build(floating)
    s = state_of(robot)
    joints = s.velocity[:, -robot.n :]
    ahead, behind = (robot.inertia_matrix(s.q + h * joints) for h in (_STEP, -_STEP))
    change = apply(ahead - behind, s.velocity) / (2 * _STEP) / 2
    power = np.sum(FullCalls(robot).coriolis_torques(s.q, s.velocity) * s.velocity, axis=1)
    scale = 1 + np.abs(s.velocity) @ np.abs(change).max(axis=0)
    assert np.abs(power - np.sum(change * s.velocity, axis=1)).max() < 1e-6 * scale.max()


@for_random(trees())
def test_power_of_gravity_is_the_change_of_potential_energy(tree):
    robot = tree.build()
    s = state_of(robot)
    mass = sum(link.mass or 0.0 for link in tree.links)
    ahead, behind = (
        robot.potential_energy(s.q + h * s.velocity, gravity=s.gravity) for h in (_STEP, -_STEP)
    )
    change = (ahead - behind) / (2 * _STEP)
    power = np.sum(robot.gravity_torques(s.q, gravity=s.gravity) * s.velocity, axis=1)
    assert np.abs(power - change).max() < 1e-6 * (1 + mass)


@for_random(trees())
def test_gravity_left_out_is_standard(tree):
    robot = tree.build()
    s = state_of(robot)
    standard = np.array([0.0, 0.0, -9.81])
    given_gravity = robot.inverse_dynamics(s.q, s.velocity, s.acceleration, gravity=standard)
    left_out = robot.inverse_dynamics(s.q, s.velocity, s.acceleration)
    assert force_error(left_out, given_gravity) < 1e-12


def _joints_above(tree):
    """For each joint, itself and the joints between it and the root."""
    supporting = {joint.child: joint for joint in tree.joints}
    above = {}
    for joint in tree.joints:
        chain, link = [], joint.child
        while link in supporting:
            chain.append(supporting[link].name)
            link = supporting[link].parent
        above[joint.name] = set(chain)
    return above
