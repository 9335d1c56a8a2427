"""The compiled robot computes what the interpreted one does."""

from __future__ import annotations

import numpy as np
import pytest

from test.support.full_calls import FullCalls
from test.support.random_robots import arm_with_everything, state_of


def everything(robot):
    """Results of every function, by name."""
    ours, s = FullCalls(robot), state_of(robot)
    forces = np.random.default_rng(1).normal(size=(3, len(robot.link_names), 6))
    tau = s.acceleration[:, -robot.n :]
    first, last = robot.link_names[0], robot.frame_names[-1]
    return {
        "id": ours.inverse_dynamics(s.q, s.velocity, s.acceleration, s.gravity),
        "id, forces": ours.inverse_dynamics(s.q, s.velocity, s.acceleration, s.gravity, forces),
        "gravity": ours.gravity_torques(s.q, s.gravity),
        "coriolis": ours.coriolis_torques(s.q, s.velocity),
        "fd": ours.forward_dynamics(s.q, s.velocity, tau, s.gravity),
        "fd, forces": ours.forward_dynamics(s.q, s.velocity, tau, s.gravity, forces),
        "H": robot.inertia_matrix(s.q),
        "L": robot.inertia_factor(s.q),
        "inverse": robot.inertia_matrix_inverse(s.q),
        "poses": robot.frame_poses(s.q),
        "center": robot.center_of_mass(s.q),
        "jacobian": robot.jacobian(last, first, s.q),
        "transform": robot.transform(last, first, s.q, kind="force"),
    }


@pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])
def test_compiled_robot_equals_interpreted(floating):
    tree = arm_with_everything()
    expected = everything(tree.build(floating))
    found = everything(tree.build(floating, backend="cpp"))
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, rtol=1e-10, atol=1e-12, err_msg=name)
