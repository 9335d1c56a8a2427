"""The parameter that is known worst, and the joint that tells it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import robcogen_ros
from robcogen_ros.identification.sample import Sample
from robcogen_ros.identification.worst_known import worst_known
from test.support.recordings import sines

ROOT = Path(__file__).resolve().parents[2]


def test_a_slow_wrist_is_the_joint_to_move():
    """The elbow hardly accelerates, so inertia about it is told by its own motion alone."""
    robot = robcogen_ros.build(ROOT / "examples/two_link_arm/two_link_arm.urdf", backend="numpy")
    motion = sines(2, 2000, step=0.01)
    slow = [1.0, 0.05]
    motion = replace(motion, qd=motion.qd * slow, qdd=motion.qdd * slow)
    tau = robot.inverse_dynamics(motion.q, motion.qd, motion.qdd)
    taken, sample = robot.identification(terms=["armature"]), Sample()
    motion = replace(motion, tau=tau + 0.01 * sines(2, 2000, seed=1).tau)
    taken.add(motion.q, motion.qd, motion.qdd, motion.tau)
    sample.add(motion)
    found = taken.solve()
    worst = worst_known(sample, found)
    assert found.base.described[worst.parameter] == "elbow.armature"
    assert robot.joint_names[worst.joint] == "elbow"
    assert 1.5**-2 <= worst.less < 0.9
