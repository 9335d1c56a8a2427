"""Rounding errors of accelerations do not add up along chains of many joints."""

import numpy as np
import pytest

from robcogen_ros.algorithms import link_motion
from robcogen_ros.algorithms.joints import joint_transforms
from robcogen_ros.algorithms.link_motion import LinkMotion
from robcogen_ros.algorithms.long_chains import links_to_turn
from robcogen_ros.algorithms.minimal_inertia import regrouped
from robcogen_ros.formats.load import parse
from robcogen_ros.formats.source import Source
from robcogen_ros.model.operation import is_zero
from robcogen_ros.model.reduce import reduce
from robcogen_ros.model.spatial import Motion
from test.support.random_robots import Joint, Link, Tree

STATES = 200


def chain(joints, product=0.0):
    """Rods of equal size, each turning across the one before; their products of inertia."""
    tensor = (0.1, 0.0, product, 0.1, product, 0.1)
    links = [Link(f"rod{i}", 1.0, (0.2, 0.0, 0.0), tensor=tensor) for i in range(joints + 1)]
    axes = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    hinges = [
        Joint(f"hinge{i}", "revolute", f"rod{i}", f"rod{i + 1}", (0.4, 0.0, 0.0), axis=axes[i % 2])
        for i in range(joints)
    ]
    return reduce(parse(Source("chain.urdf", Tree(tuple(links), tuple(hinges)).urdf())))


def motion(robot, number):
    """Angular acceleration of the last link at some states, over floats of a kind."""
    random = np.random.default_rng(2)
    states = random.uniform(-3, 3, (3, robot.n, STATES)).astype(number)
    base = LinkMotion.of_base(*(Motion.of(random.normal(size=6).astype(number)) for _ in range(2)))
    lifted = regrouped(robot).map(lambda x: 0 if is_zero(x) else number(x))
    transforms = joint_transforms(lifted, list(states[0]))
    last = link_motion.link_motions(lifted, transforms, *map(list, states[1:]), base)[-1]
    return np.array([*last.wd])


def error(robot):
    """Of that acceleration, root mean square, by doubles."""
    return np.sqrt(np.mean((motion(robot, np.float64) - motion(robot, np.longdouble)) ** 2))


def test_turned_accelerations_have_smaller_errors(monkeypatch):
    robot = chain(12)
    turned = error(robot)
    monkeypatch.setattr(link_motion, "links_to_turn", lambda robot: frozenset())
    assert turned < 0.9 * error(robot)


@pytest.mark.parametrize(("joints", "count"), [(8, 0), (9, 7), (12, 10)])
def test_only_long_chains_turn_them_and_not_at_their_ends(joints, count):
    assert links_to_turn(chain(joints)) == frozenset(range(1, count + 1))


def test_where_products_of_inertia_need_more_they_are_not_turned():
    assert not links_to_turn(chain(12, product=0.01))
