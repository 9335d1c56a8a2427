"""References go on with their twists, and stop; a robot is held where states are missing."""

import numpy as np
import pytest

from robcogen_ros.control.balance import Balance, Reference, at_rest
from robcogen_ros.control.floating_simulation import rotation
from robcogen_ros.control.standing import Legs
from robcogen_ros.ros.footing import find_footing
from robcogen_ros.ros.ground_parameters import build_standing
from test.support.examples import example_path

UPRIGHT = np.array([0.0, 0.0, 0.0, 1.0])


def test_a_reference_is_carried_on_for_a_while_and_then_stands_on_all_feet():
    trunk = at_rest(np.array([1.0, 2.0, 3.0]), UPRIGHT)
    trunk[7:13] = 0.0, 0.0, 0.4, 0.5, 0.0, 0.0
    reference = Reference(trunk, {0: at_rest(np.zeros(3), UPRIGHT)}, time=10.0)
    now = reference.at(10.05, patience=0.1)
    np.testing.assert_allclose(now.trunk[:3], [1.025, 2.0, 3.0])
    turned = rotation(now.trunk[3:7])
    assert np.arctan2(turned[1, 0], turned[0, 0]) == pytest.approx(0.02, abs=1e-5)
    np.testing.assert_array_equal(now.trunk[7:], trunk[7:])
    assert now.feet.keys() == {0}
    late = reference.at(20.0, patience=0.1)
    np.testing.assert_allclose(late.trunk[:3], [1.05, 2.0, 3.0])
    assert not late.trunk[7:].any()
    assert not late.feet


@pytest.fixture(scope="module")
def quadruped():
    """A compiled robot and its posture."""
    file = str(example_path("quadruped"))
    footing = find_footing(file)
    robot = build_standing(file, {}, footing)
    return robot, Legs(robot, footing.feet).standing()


class Loop:
    """A robot on the ground under its controller."""

    def __init__(self, robot, posture, **options):
        self.robot, self.ground, self.time = robot, robot.ground(), 0.0
        self.ground.place(posture.q, position=[0.0, 0.0, posture.height])
        self.balance = Balance(robot, robot.whole_body_controller(), **options)

    def base(self):
        ground = self.ground
        self.balance.take_base(ground.position, ground.orientation, ground.base_velocity, self.time)

    def joints(self):
        names, ground = self.robot.joint_names, self.ground
        return self.balance.take_joints(names, ground.q, ground.qd, self.time)

    def run(self, steps, force=(0.0, 0.0, 0.0)):
        push = np.zeros((len(self.robot.link_names), 6))
        push[0, 3:] = force
        for _ in range(steps):
            self.base()
            for i, wrench in enumerate(self.ground.wrenches if self.time else ()):
                self.balance.take_force(i, wrench[3:])
            self.ground.advance(self.joints(), 0.002, external_forces=push)
            self.time += 0.002


@pytest.mark.slow
def test_the_trunk_is_held_moved_and_pushed(quadruped):
    loop = Loop(*quadruped)
    start = loop.ground.position
    loop.run(100)
    np.testing.assert_allclose(loop.ground.position, start, atol=1e-4)
    lower = at_rest(start - [0.0, 0.01, 0.03], UPRIGHT)
    loop.balance.follow(Reference(lower, time=loop.time))
    loop.run(50, force=(0.0, 60.0, 0.0))
    loop.run(450)
    np.testing.assert_allclose(loop.ground.position, lower[:3], atol=1e-3)
    assert loop.ground.touches.all()
    assert not loop.balance.lost


@pytest.mark.slow
def test_what_is_missing_leaves_the_robot_carried(quadruped):
    loop = Loop(*quadruped, state_timeout=0.1, base_timeout=0.1)
    assert loop.joints() is None
    loop.run(20)
    carried = loop.joints()

    loop.balance.take_base(np.full(3, np.nan), UPRIGHT, np.zeros(6), loop.time)
    loop.balance.take_base(np.zeros(3), np.zeros(4), np.zeros(6), loop.time)
    assert loop.balance.faults["base_not_finite"] == 2
    loop.balance.take_force(0, np.full(3, np.nan))
    assert loop.balance.faults["force_not_finite"] == 1
    names = loop.robot.joint_names
    loop.balance.take_joints(names, np.full(12, np.nan), np.zeros(12), loop.time)
    assert loop.balance.faults["state_refused"] == 1
    np.testing.assert_allclose(loop.joints(), carried, atol=1e-9)

    loop.time += 0.2
    held = loop.balance.efforts(loop.time)
    assert loop.balance.lost == "joint states have stopped"
    np.testing.assert_allclose(held, carried, atol=0.1 * np.abs(carried).max())
    held = loop.joints()
    assert loop.balance.lost == "the state of the base is stale"
    assert np.isfinite(held).all()
    loop.base()
    loop.joints()
    assert not loop.balance.lost
