"""Angles of parallel joints are added up, and their sines have all digits nevertheless."""

from __future__ import annotations

import numpy as np
import pytest

import robcogen_ros
from test.support.random_robots import Joint, Link, Tree

STATES = np.random.default_rng(4).uniform(-3, 3, (2000, 4))
ROUNDING = 1.5 * np.finfo(float).eps
"""What sines to within two units in the last place, and a product of two of them, may be off."""


def finger(path):
    """Four joints, of which the last three are parallel, one of these the other way."""
    names = ("palm", "root", "near", "middle", "tip")
    links = (Link("palm"), *(Link(name, 0.1, (0.0, 0.0, 0.02)) for name in names[1:]))
    axes = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 1.0, 0.0))
    joints = (
        Joint(f"to_{after}", "revolute", before, after, (0.0, 0.0, 0.05), axis=axis)
        for before, after, axis in zip(names, names[1:], axes, strict=False)
    )
    file = path / "finger.urdf"
    file.write_text(Tree(links, tuple(joints)).urdf(), encoding="utf-8")
    return file


def exact(states):
    """Rotation of a fingertip in the palm, its rows one after the other."""
    yaw, first, second, third = states.astype(np.longdouble).T
    pitch = first - second + third
    c, s, zero = np.cos(yaw), np.sin(yaw), 0 * yaw
    rows = [c * np.cos(pitch), -s, c * np.sin(pitch), s * np.cos(pitch), c, s * np.sin(pitch)]
    return np.stack([*rows, -np.sin(pitch), zero, np.cos(pitch)], axis=1).reshape(-1, 3, 3)


@pytest.mark.slow
@pytest.mark.parametrize("batch", [False, True])
def test_a_pose_beyond_three_parallel_joints_has_all_digits(batch, tmp_path):
    robot = robcogen_ros.build(finger(tmp_path), functions=["palm_X_tip"])
    states = [STATES] if batch else STATES
    poses = [robot.evaluate("palm_X_tip", q=q)["X"].reshape(-1, 4, 4) for q in states]
    assert np.abs(np.concatenate(poses)[:, :3, :3] - exact(STATES)).max() < ROUNDING
