"""References go on with their twists, and stop; a robot is held where states are missing."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.control.balance import Balance, Reference, at_rest
from robcogen_ros.control.floating_simulation import rotation
from robcogen_ros.control.walking import Walking
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.contacts import parsed
from robcogen_ros.standing.build import build_standing
from robcogen_ros.standing.footing import find_footing
from robcogen_ros.standing.posture import Legs
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
                self.balance.take_force(i, wrench[3:], self.time)
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
    loop.balance.take_force(0, np.full(3, np.nan), loop.time)
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


class Asked:
    """A robot that stands still, under a controller that remembers what it was asked."""

    def __init__(self):
        file = str(example_path("quadruped"))
        functions = ["inverse_dynamics_fully_actuated", "contact_jacobian", "total_mass"]
        self.robot = robcogen_ros.build(
            file,
            floating_base=True,
            contacts=find_footing(file).names,
            backend="interpreter",
            functions=functions,
        )
        self.calls, self.time = [], 0.0
        self.balance = Balance(self.robot, self)

    def compute(self, q, **asked):
        self.calls.append(asked)
        return SimpleNamespace(efforts=np.zeros(self.robot.n), faults=())

    def cycle(self, place, orientation=UPRIGHT, velocity=0.0, silent=()):
        """A cycle of 2 ms; feet 0 to 3 bear 50 N each but for those that are silent."""
        self.time += 0.002
        moving = np.array([0.0, 0.0, 0.0, velocity, 0.0, 0.0])
        self.balance.take_base(np.array(place), orientation, moving, self.time)
        for i in set(range(4)) - set(silent):
            self.balance.take_force(i, np.array([0.0, 0.0, 50.0]), self.time)
        rest = np.zeros(self.robot.n)
        return self.balance.take_joints(self.robot.joint_names, rest, rest, self.time)


def test_it_stays_where_the_estimate_of_its_place_jumps():
    """The place that the controller is told goes on; a reference is followed in the world."""
    asked = Asked()
    asked.cycle([0.0, 0.0, 0.5])
    asked.cycle([0.4, 0.0, 0.55])
    np.testing.assert_allclose(asked.calls[-1]["position"], [0.0, 0.0, 0.5])
    np.testing.assert_allclose(asked.calls[-1]["trunk"].position, [0.0, 0.0, 0.5])
    for i in range(1, 21):
        asked.cycle([0.4 + 0.003 * i, 0.0, 0.55], velocity=1.5)
    np.testing.assert_allclose(asked.calls[-1]["position"], [0.06, 0.0, 0.5])
    assert asked.balance.faults["base_jumped"] == 1
    there = np.array([0.5, 0.0, 0.55])
    asked.balance.follow(Reference(at_rest(there, UPRIGHT), time=asked.time))
    for _ in range(2):
        asked.cycle([0.46, 0.0, 0.55])
    np.testing.assert_allclose(asked.calls[-1]["position"], [0.46, 0.0, 0.55])
    np.testing.assert_allclose(asked.calls[-1]["trunk"].position, there)


def test_feet_without_forces_touch_as_they_are_to():
    asked, place = Asked(), [0.0, 0.0, 0.5]
    asked.cycle(place)
    trunk, swing = at_rest(np.array(place), UPRIGHT), at_rest(np.zeros(3), UPRIGHT)
    for cycle in range(100):
        asked.balance.follow(Reference(trunk, {0: swing}, time=asked.time))
        asked.cycle(place, silent=[0])
        if cycle != 49:  # rounding decides at the timeout
            np.testing.assert_array_equal(asked.calls[-1]["closed"], [cycle < 49, 1, 1, 1])
    assert asked.balance.faults["force_stale"] == 1
    asked.balance.follow(Reference(trunk, time=asked.time))
    asked.cycle(place, silent=[0])
    np.testing.assert_array_equal(asked.calls[-1]["closed"], [1, 1, 1, 1])


def test_a_robot_that_has_fallen_is_only_held():
    asked, place = Asked(), [0.0, 0.0, 0.5]
    asked.cycle(place)
    turned = [np.array([np.sin(a / 2), 0.0, 0.0, np.cos(a / 2)]) for a in (0.75, 0.85)]
    asked.cycle(place, turned[0])
    count = len(asked.calls)
    assert not asked.balance.lost
    assert np.isfinite(asked.cycle(place, turned[1])).all()
    assert asked.balance.lost == "the robot has fallen"
    assert np.abs(asked.cycle(place)).max() > 1.0
    assert asked.balance.lost == "the robot has fallen"
    assert len(asked.calls) == count
    assert asked.balance.faults["the_robot_has_fallen"] == 1


@pytest.mark.parametrize(
    ("contacts", "gait", "expected"),
    [
        (("a", "b", "c", "d"), "gallop", "expected one of stand, trot, walk, found 'gallop'"),
        (("a:pose", "b:pose"), "trot", "stands on a:pose, b:pose: it can only 'stand'"),
        (("a", "b", "c", "d:pose"), "walk", "four feet that are points"),
    ],
)
def test_gaits_that_a_robot_does_not_have_are_refused(contacts, gait, expected):
    records = parsed(contacts, "abcd".index)
    robot = SimpleNamespace(name="r", contacts=contacts, contact_records=records)
    walking = Walking(robot, Counter(), timeout=0.5)
    with pytest.raises(RobcogenError, match=expected):
        walking.choose(gait)
    walking.choose("stand")


def test_velocities_that_are_not_finite_count():
    faults = Counter()
    walking = Walking(SimpleNamespace(), faults, timeout=0.5)
    walking.command((0.1, np.nan, 0.0), 0.0)
    walking.command((0.1, 0.0, np.inf), 0.0)
    assert faults == {"velocity_not_finite": 2}


class Walk(Loop):
    """The robot, commanded to go somewhere."""

    def __init__(self, robot, posture, gait):
        super().__init__(robot, posture)
        self.balance.posture = posture.q
        self.balance.walking.choose(gait)

    def go(self, steps, velocity):
        for _ in range(steps // 50):
            self.balance.walking.command(velocity, self.time)
            self.run(50)


@pytest.mark.slow
def test_it_goes_as_commanded_and_stands_where_commands_stop(quadruped):
    loop = Walk(*quadruped, "trot")
    height = loop.ground.position[2]
    loop.run(50)
    assert loop.ground.touches.all()
    loop.go(1000, (0.2, 0.0, 0.0))
    assert loop.ground.position[0] == pytest.approx(0.2 * 2.0, rel=0.25)
    loop.run(1000)
    there = loop.ground.position
    loop.run(200)
    np.testing.assert_allclose(loop.ground.position, there, atol=2e-3)
    assert there[2] == pytest.approx(height, abs=0.01)
    assert loop.ground.touches.all()
    assert loop.balance.faults["velocity_stale"] == 1
    assert not loop.balance.faults["velocity_cut"]


@pytest.mark.slow
def test_velocities_are_cut_and_references_take_precedence(quadruped):
    loop = Walk(*quadruped, "trot")
    height = loop.ground.position[2]
    loop.go(250, (9.0, 0.0, 0.0))
    assert loop.balance.faults["velocity_cut"] > 200
    assert loop.ground.position[0] < 0.3  # 0.36 m/s at most
    lower = None
    for _ in range(40):
        loop.balance.walking.command((0.0, 0.0, 0.0), loop.time)
        here = loop.ground.position
        lower = np.array([here[0], here[1], height - 0.04]) if lower is None else lower
        loop.balance.follow(Reference(at_rest(lower, UPRIGHT), time=loop.time))
        loop.run(25)
    assert loop.ground.touches.all()
    np.testing.assert_allclose(loop.ground.position, lower, atol=3e-3)
    assert not loop.balance.faults["no_solution"]
