"""The demo of robots on legs: motions that feet can hold, and what is told of steps."""

import shlex
from types import SimpleNamespace

import numpy as np
import pytest

from robcogen_ros.control.legged_loop import STEP
from robcogen_ros.control.standing import Legs
from robcogen_ros.demo.standing import NODES, by_hand
from robcogen_ros.demo.standing_report import report, stepping
from robcogen_ros.demo.standing_run import balance, run
from robcogen_ros.demo.stepping import AHEAD, RECOVERY, REST, SPOT, Stepping, Steps
from robcogen_ros.demo.trunk_motion import WAYS, TrunkMotion
from robcogen_ros.demo.trunk_plan import plan
from robcogen_ros.errors import RobcogenError
from robcogen_ros.ros.footing import find_footing
from robcogen_ros.ros.ground_parameters import build_standing
from robcogen_ros.runtime.objects import Fault
from test.support.examples import example_path

FRICTION = 0.6


@pytest.fixture(scope="module")
def quadruped():
    file = str(example_path("quadruped"))
    footing = find_footing(file)
    robot = build_standing(file, {}, footing)
    legs = Legs(robot, footing.feet)
    return robot, footing, legs, legs.standing()


def planned(quadruped, duration):
    robot, _, legs, standing = quadruped
    return plan(robot, legs, standing, duration, {"friction": FRICTION}, friction=0.5)


@pytest.mark.slow
def test_feet_hold_what_is_planned(quadruped):
    robot, *_, standing = quadruped
    motion = planned(quadruped, 6.0)
    ground = robot.ground(friction=FRICTION)
    done = run(robot, ground, motion, balance(robot, standing.q, friction=0.5), 500.0)
    assert all(motion.sizes) and motion.crouch > 0.1
    assert done.counters == {"impacts": 0, "switches": 0, "unsettled": 0}
    assert done.friction_used.max() < FRICTION
    assert done.normal_forces.min() > 1.0
    assert np.abs(done.position_error[done.time < motion.push_begin]).max() < 2e-3
    assert np.abs(done.effort).max() < robot.effort_limits.max()


@pytest.mark.slow
def test_the_less_time_there_is_the_smaller_motions_are_and_what_is_given_up_is_told(quadruped):
    slow, fast, hasty = (planned(quadruped, duration) for duration in (20.0, 6.0, 1.0))
    assert np.all(np.array(slow.sizes) >= fast.sizes) and any(np.array(slow.sizes) > fast.sizes)
    given_up = [way for way, size in zip(WAYS, hasty.sizes, strict=True) if not size]
    assert given_up
    told = report(quadruped[0], hasty, [], FRICTION)
    assert f"does not move, for its feet cannot hold that: {', '.join(given_up)}" in told


def test_nodes_are_started_by_hand_with_the_parameters_of_the_demo():
    source = {"model_file": "my dog.urdf", "contacts": ["a", "b"]}
    commands = [shlex.split(command) for command in by_hand(source, trots=True)]
    assert [tuple(set(words) & set(NODES)) for words in commands] == [(node,) for node in NODES]
    for words in commands:
        assert words[words.index("--ros-args") + 1 :][:2] == ["-p", 'model_file:="my dog.urdf"']
    assert ["floating_base:=true" in words for words in commands] == [True, False, False]
    assert ['contacts:=["a", "b"]' in words for words in commands] == [True, False, True]
    assert ['gait:="trot"' in words for words in commands] == [False, False, True]


@pytest.mark.slow
def test_robots_on_soles_do_not_trot(quadruped):
    robot, footing, _, standing = quadruped
    flat = find_footing(example_path("quadruped"), contacts=["LF_foot:pose", "RF_foot:pose"])
    with pytest.raises(RobcogenError, match="feet that are points"):
        Stepping(robot, flat, standing, FRICTION, 0.5)
    assert not footing.soles


class Sinking:
    """The ground under a robot that sinks from its height of 0.5 m."""

    def __init__(self, speed, fails):
        self._speed, self._fails, self._time = speed, fails, 0.0
        self.q, self.wrenches, self.counters = np.zeros(2), np.full((2, 6), 50.0), {}
        self.orientation = np.array([0.0, 0.0, 0.0, 1.0])

    def place(self, q, **base):
        self.position = base["position"]

    def advance(self, effort, step, **pushes):
        self._time += step
        if self._time > self._fails:
            raise Fault("the base is below the ground", 6)
        self.position = np.array([0.0, 0.0, 0.5 - self._speed * self._time])


@pytest.mark.parametrize(
    ("speed", "fails", "said", "worst", "back"),
    [
        (0.0, 9.0, "yes", "0.0", "at once"),
        (0.05, 9.0, "yes", "200.0", "not"),
        (0.1, 9.0, "no: fell at 2.5 s", "-", "-"),
        (0.01, 3.0, "no: fell at 3.0 s", "-", "-"),
    ],
)
def test_a_robot_that_has_sunk_to_half_its_height_has_fallen(speed, fails, said, worst, back):
    robot = SimpleNamespace(
        name="r", total_mass=lambda: 10.0, effort_limits=np.ones(2), link_names=["trunk"]
    )
    still, push = np.zeros(2), np.array([0.0, 20.0, 0.0])
    motion = TrunkMotion(4.0, 0.5, 0.0, (0.0,) * len(WAYS), still, still, push)
    done = run(robot, Sinking(speed, fails), motion, lambda ground, trunk: still, 100.0)
    told = report(robot, motion, [done], FRICTION)
    rows = [line.split("  ") for line in told.splitlines()]
    ends = {row[1]: row[-1].strip() for row in rows if len(row) > 2}
    assert ends["stands to the end"] == said
    assert ends["largest error after the push [mm]"] == worst
    assert ends["back within 10 mm after [s]"] == back


def steps(ended=""):
    """It is moved to its left at 0.4 m/s less by 0.2 m/s each second, then goes ahead."""
    time = STEP * np.arange(1.0, round((SPOT + RECOVERY + AHEAD + REST) / STEP) + 1)
    left = np.clip(0.4 - 0.2 * (time - SPOT), 0.0, 0.4) * (time > SPOT)
    ahead = 0.3 * ((time > SPOT + RECOVERY) & (time <= SPOT + RECOVERY + AHEAD))
    velocity = np.stack([ahead, left, np.zeros_like(time)], axis=1)
    stood = np.ones((len(time), 4), dtype=bool)
    measures = {"withstood": 0.5, "pushed": 0.4, "speed": 0.3, "period": 0.2, "ended": ended}
    limits = {"tilt": 0.01, "friction_used": 0.9, "effort": 0.5}
    position = STEP * np.cumsum(velocity, axis=0)
    return Steps(time=time, position=position, velocity=velocity, stood=stood, **measures, **limits)


def test_figures_of_steps_are_those_of_the_motion():
    seen = steps()
    assert seen.moved == seen.left == pytest.approx(0.4, abs=1e-3)
    assert seen.recovery == pytest.approx(1.8 - 0.1, abs=0.01)
    assert seen.way == pytest.approx(0.3 * AHEAD, abs=1e-3)
    assert seen.still


def test_a_fall_is_told_and_nothing_after_it():
    robot = SimpleNamespace(name="r", total_mass=lambda: 10.0)
    assert "stands to the end" in (told := stepping(robot, steps("the trunk is tilted")))
    assert "no: the trunk is tilted" in told
    assert "ahead" not in told
    assert "5.0 N s, 0.50 m/s" in told
