"""The motion that forward dynamics starts from is one of the robot's, with a zero for each link."""

import numpy as np
import pytest

from robcogen_ros.algorithms.joints import joint_rates, joint_transforms
from robcogen_ros.algorithms.link_motion import link_motions
from robcogen_ros.algorithms.reference_motion import reference_base, reference_motions
from robcogen_ros.formats.load import parse
from robcogen_ros.formats.source import Source
from robcogen_ros.model.reduce import reduce
from robcogen_ros.model.spatial import Vector
from test.support.random_robots import for_random, trees


def entries(matrix):
    return np.array([[*row] for row in matrix], dtype=float)


@for_random(trees())
def test_of_each_link_that_turns_an_entry_vanishes_and_of_the_base_three(tree):
    robot = reduce(parse(Source("random.urdf", tree.urdf()))).map(float)
    random = np.random.default_rng(3)
    q, qd = random.uniform(-3, 3, (2, robot.n))
    rates, transforms = joint_rates(robot, qd), joint_transforms(robot, q)
    base = reference_base(robot, Vector(*random.normal(size=3)), Vector(1.0, 2.0, 3.0))
    motions, qdd = reference_motions(robot, transforms, rates, base)
    U = entries(base.U)
    assert (np.minimum(abs(U), abs(U.T))[np.triu_indices(3, 1)] == 0).all()
    for joint in robot.joints:
        U = entries(motions[joint.successor].U)
        if not joint.prismatic and not robot.has_mimic:
            assert min(abs(U[0, 1]), abs(U[1, 0])) <= 1e-12 * abs(U).max(initial=1.0)
    same = link_motions(robot, transforms, rates, joint_rates(robot, qdd), base)
    for found, expected in zip(motions, same, strict=True):
        U = entries(expected.U)
        assert entries(found.U) == pytest.approx(U, rel=0, abs=1e-12 * abs(U).max(initial=1.0))
