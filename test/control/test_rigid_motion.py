"""Motion of a frame through poses: its twist and acceleration are those of its poses."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from robcogen_ros.control.rigid_motion import RigidMotion

TIMES, STEP = np.array([0.0, 0.7, 1.0, 2.5]), 1e-4


def points():
    """Poses that turn by up to a radian from one to the next, one quaternion the other way."""
    random = np.random.default_rng(5)
    rows = random.normal(size=(len(TIMES), 19))
    turn = Rotation.identity()
    for row in rows:
        turn = Rotation.from_rotvec(0.5 * random.normal(size=3)) * turn
        row[3:7] = turn.as_quat()
    rows[2, 3:7] *= -1.0
    return rows


@pytest.mark.parametrize(("twists", "accelerations"), [(True, True), (True, False), (False, False)])
def test_velocities_are_those_of_the_poses(twists, accelerations):
    rows = points()
    motion = RigidMotion.through(TIMES, rows, twists=twists, accelerations=accelerations)
    for time in np.linspace(0.05, 2.45, 31):
        before, now, after = (motion.at(time + shift) for shift in (-STEP, 0.0, STEP))
        turns = [Rotation.from_quat(m[3:7]) for m in (before, after)]
        rate = (turns[1] * turns[0].inv()).as_rotvec() / (2.0 * STEP)
        np.testing.assert_allclose(now[7:10], rate, atol=1e-5)
        np.testing.assert_allclose(now[10:13], (after[:3] - before[:3]) / (2 * STEP), atol=1e-5)
        if np.abs(time - TIMES).min() > 2 * STEP:
            slope = (after[7:13] - before[7:13]) / (2.0 * STEP)
            np.testing.assert_allclose(now[13:19], slope, atol=1e-4)


@pytest.mark.parametrize("twists", [True, False])
def test_points_are_met_and_without_twists_the_motion_rests_at_its_ends(twists):
    rows = points()
    motion = RigidMotion.through(TIMES, rows, twists=twists, accelerations=twists)
    for time, row in zip(TIMES, rows, strict=True):
        found = motion.at(time)
        np.testing.assert_allclose(found[:3], row[:3], atol=1e-12)
        assert abs(found[3:7] @ row[3:7]) == pytest.approx(1.0)
        if twists:
            np.testing.assert_allclose(found[7:], row[7:], atol=1e-9)
    if not twists:
        assert np.abs(motion.at(0.0)[7:13]).max() < 1e-12
        assert np.abs(motion.at(9.0)[7:13]).max() < 1e-12
