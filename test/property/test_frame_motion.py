"""What is said of how a frame moves relative to another is what the Jacobian's change says."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from test.support.random_robots import for_random, state_of, trees

_STEP = 1e-5


@for_random(trees(), st.booleans(), st.data())
def test_motion_of_a_frame_relative_to_any_other(tree, floating, data):
    """Any two links, so also pairs of which neither is above the other."""
    names = [link.name for link in tree.links]
    base, target = (data.draw(st.sampled_from(names)) for _ in range(2))
    words = ("J", "Jd", "JdQd", "spatial_JdQd", "velocity", "acceleration", "spatial_acceleration")
    functions = {word: f"{base}_{word}_{target}" for word in words}
    robot = tree.build(floating, functions=[*functions.values(), "kinematics"])
    s, offset = state_of(robot), 6 if floating else 0
    q, qd, qdd = s.q, s.velocity[:, offset:], s.acceleration[:, offset:]

    def call(word, *inputs):
        given = dict(zip(("q", "qd", "qdd"), inputs, strict=False))
        (result,) = robot.evaluate(functions[word], **given).values()
        return result

    J, Jd = call("J", q), call("Jd", q, qd)
    ahead, behind = call("J", q + _STEP * qd), call("J", q - _STEP * qd)
    assert np.abs(Jd - (ahead - behind) / (2 * _STEP)).max() < 1e-6 * (1 + np.abs(Jd).max())
    velocity, bias = call("velocity", q, qd), call("JdQd", q, qd)
    assert_close(velocity, times(J, qd))
    assert_close(bias, times(Jd, qd))
    assert_close(call("acceleration", q, qd, qdd), times(J, qdd) + bias)
    turning = np.zeros_like(bias)
    turning[:, 3:] = np.cross(velocity[:, :3], velocity[:, 3:])
    assert_close(call("spatial_JdQd", q, qd), bias - turning)
    assert_close(call("spatial_acceleration", q, qd, qdd), times(J, qdd) + bias - turning)


def times(matrices, vectors):
    return np.einsum("kij,kj->ki", matrices, vectors)


def assert_close(ours, expected):
    assert np.abs(ours - expected).max() < 1e-10 * (1 + np.abs(expected).max())
