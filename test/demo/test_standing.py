"""The demo of robots on legs: motions that feet can hold, and what is told of steps."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from robcogen_ros.control.legged_loop import STEP
from robcogen_ros.demo import trunk_plan
from robcogen_ros.demo.standing_plot import moved
from robcogen_ros.demo.standing_report import held, planned, report, stepping
from robcogen_ros.demo.standing_run import Run, balance, reached, run
from robcogen_ros.demo.stepping import AHEAD, RECOVERY, REST, SPOT, Stepping, Steps
from robcogen_ros.demo.trunk_motion import PUSH, WAYS, TrunkMotion
from robcogen_ros.demo.trunk_plan import _Place, plan
from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.objects import Fault
from robcogen_ros.standing.build import build_standing
from robcogen_ros.standing.footing import find_footing
from robcogen_ros.standing.posture import Legs
from test.support.examples import example_path

FRICTION = 0.6


@pytest.fixture(scope="module")
def quadruped():
    file = str(example_path("quadruped"))
    footing = find_footing(file)
    robot = build_standing(file, {}, footing)
    legs = Legs(robot, footing.feet)
    return robot, footing, legs, legs.standing()


def plan_of(quadruped, duration):
    robot, _, legs, standing = quadruped
    return plan(robot, legs, standing, duration, {"friction": FRICTION}, friction=0.5)


@pytest.mark.slow
def test_feet_hold_what_is_plan_of(quadruped):
    robot, *_, standing = quadruped
    motion = plan_of(quadruped, 6.0)
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
    slow, fast, hasty = (plan_of(quadruped, duration) for duration in (20.0, 6.0, 1.0))
    assert np.all(np.array(slow.sizes) >= fast.sizes) and any(np.array(slow.sizes) > fast.sizes)
    given_up = [way for way, size in zip(WAYS, hasty.sizes, strict=True) if not size]
    assert given_up
    told = report(quadruped[0], hasty, [], FRICTION).splitlines()
    assert all(f"  no {way}: {hasty.refused[way]}" in told for way in given_up)
    assert all(re.search(r"\d.*\d", why) for why in hasty.refused.values())


class Rubbing:
    """A robot with dry friction in its joints of which its controller does not know."""

    def __init__(self, robot, friction):
        self._robot, self.friction = robot, np.full(robot.n, friction)

    def __getattr__(self, name):
        return getattr(self._robot, name)

    def ground(self, **settings):
        return self._robot.ground(**{"joint_friction": self.friction, **settings})


@pytest.mark.slow
def test_dry_friction_is_told_as_the_cause_where_without_it_the_motion_can_be_done(quadruped):
    robot, _, legs, standing = quadruped
    motion = TrunkMotion(
        20.0, standing.height, 0.0, (0.0, 0.05, *(0.0,) * 4), standing.q, standing.q, np.zeros(3)
    )
    settings = legs, standing, {"friction": FRICTION}
    assert _Place(robot, *settings, friction=0.5).problem(motion, *motion.span(1)) == ""
    why = _Place(Rubbing(robot, 8.0), *settings, friction=0.5).problem(motion, *motion.span(1))
    assert re.match("its trunk would be (more than .* mm beside|turned by more than .* mrad)", why)
    assert f"without the dry friction of its joints (up to 8 N m, {robot.joint_names[0]}) it" in why


@pytest.mark.slow
def test_what_a_robot_cannot_do_is_told_with_its_limit(quadruped):
    robot, _, legs, standing = quadruped
    place = _Place(robot, legs, standing, {"friction": FRICTION}, friction=0.5)

    def why(way, size, duration=20.0):
        sizes = [0.0] * len(WAYS)
        sizes[WAYS.index(way)] = size
        motion = TrunkMotion(
            duration, standing.height, 0.0, tuple(sizes), standing.q, standing.q, np.zeros(3)
        )
        return place.problem(motion, *motion.span(WAYS.index(way)))

    assert re.match(r"foot .._foot is \d+ mm out of reach", why("height", 0.4))
    assert re.match(r"its center of mass would be -?\d+% of the way from", why("sway ahead", 0.35))
    assert re.search(
        r"would move at [\d.]+ rad/s; 80% of its limit|would give [\d.]+ N m; 80% of its limit|"
        r"pressed by -?\d+ N; 6% of the weight|friction of [\d.]+; 80% of what the controller",
        why("height", 0.1, 2.0),
    )


@pytest.mark.slow
@pytest.mark.parametrize(("push", "holds"), [(0.15, True), (3.0, False)])
def test_a_push_that_is_too_much_is_told_with_the_largest_that_holds(
    quadruped, monkeypatch, push, holds
):
    robot, _, legs, standing = quadruped
    monkeypatch.setattr(trunk_plan, "PUSHES", (push,))
    place = _Place(robot, legs, standing, {"friction": FRICTION}, friction=0.5)
    still = TrunkMotion(
        20.0, standing.height, 0.0, (0.0,) * len(WAYS), standing.q, standing.q, np.zeros(3)
    )
    motion = place.pushed(still)
    assert motion.push_speed(robot.total_mass()) == pytest.approx(push)
    assert (PUSH in motion.refused) != holds
    told, impulse = planned(robot, motion), push * robot.total_mass()
    assert f"{impulse:.1f} N s in 0.1 s, a change of its speed by {push:.2f} m/s" in told
    if not holds:
        most = float(re.search(r"It holds (.*) m/s", told)[1])
        ground, force = robot.ground(friction=FRICTION), motion.push / push
        for speed, falls in ((most, False), (most + push / 2**5 + 0.01, True)):
            pushed = replace(motion, push=speed * force)
            control = balance(robot, standing.q, friction=0.5)
            assert bool(run(robot, ground, pushed, control, 500.0, 17.0).ended) == falls


@pytest.mark.slow
def test_robots_on_three_soles_do_not_step(quadruped):
    robot, footing, _, standing = quadruped
    names = [f"{name}_foot:pose" for name in ("LF", "RF", "LH")]
    flat = find_footing(example_path("quadruped"), contacts=names)
    with pytest.raises(RobcogenError, match="four feet that are points, or of two"):
        Stepping(robot, flat, standing, FRICTION, 0.5, estimates=True)
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
        (0.1, 9.0, "no: it fell at 2.5 s", "-", "-"),
        (0.01, 3.0, "no: the base is below the ground at 3.0 s", "-", "-"),
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
    rows = [line.strip().split("  ") for line in told.splitlines()]
    ends = {row[0]: row[-1].strip() for row in rows if len(row) > 1}
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
    return Steps(
        gait="trot",
        time=time,
        position=position,
        velocity=velocity,
        stood=stood,
        **measures,
        **limits,
    )


def test_figures_of_steps_are_those_of_the_motion():
    seen = steps()
    assert seen.moved == seen.left == pytest.approx(0.4, abs=1e-3)
    assert seen.recovery == pytest.approx(1.8 - 0.1, abs=0.01)
    assert seen.way == pytest.approx(0.3 * AHEAD, abs=1e-3)
    assert seen.still


def test_what_is_estimated_is_told_with_how_far_it_is_off():
    robot = SimpleNamespace(name="r", total_mass=lambda: 10.0)
    told = stepping(robot, replace(steps(), drift=np.array([0.003, 0.004, 0.0])))
    assert re.search(r"its base estimated by noisy sensors \(BMI088\)\n", told)
    assert re.search("estimate of where it is, at the end off by .mm. +5\n", told)
    assert "estimate" not in stepping(robot, steps())


def test_a_fall_is_told_and_nothing_after_it():
    robot = SimpleNamespace(name="r", total_mass=lambda: 10.0)
    ended = "the trunk is tilted by 30 degrees 0.80 s after the push began"
    fallen = replace(steps(ended), fell=f"0.15 m/s: {ended}")
    told = stepping(robot, fallen)
    assert re.search("stands to the end +no\n", told)
    assert f"would fall under 0.15 m/s: {ended}" in told
    assert "ahead" not in told
    assert "5.0 N s, 0.50 m/s" in told


def test_what_is_held_is_told_before_it_moves():
    robot = SimpleNamespace(total_mass=lambda: 10.0)
    told = held(robot, replace(steps(), fell="0.60 m/s: the trunk is tilted by 30 degrees"))
    assert told.startswith("It withstands a push of 5.0 N s, 0.50 m/s, with its feet where they")
    assert "As it steps it is given 4.0 N s, 0.40 m/s. It would fall under 0.60 m/s" in told
    assert "is given none" in held(robot, replace(steps(), pushed=0.0))
    assert "It does not step: it falls even without a push: so" in held(robot, steps("so"))


def test_a_robot_that_steps_is_pushed_by_what_it_survives_and_by_the_least_at_last(monkeypatch):
    tried = Stepping.__new__(Stepping)
    given, most = [], {}

    def step(withstood, change):
        given.append(change)
        ended = "" if change <= most["survived"] else "the trunk is tilted"
        return replace(steps(ended), withstood=withstood, pushed=change)

    monkeypatch.setattr(tried, "_withstands", lambda change: change <= 1.0, raising=False)
    monkeypatch.setattr(tried, "_steps", step, raising=False)
    for most["survived"], pushed, fell in ((0.5, 0.4, 0.6), (0.2, 0.15, 0.25), (0.1, 0.0, 0.15)):
        found = tried.run()
        assert found.pushed == pytest.approx(pushed, abs=0.01)
        assert float(found.fell[:4]) == pytest.approx(fell, abs=0.02)
        assert not found.ended
    most["survived"] = -1.0
    assert tried.run().ended
    assert given[-2:] == [0.15, 0.0]


@pytest.mark.parametrize(
    ("way", "shown"),
    [("roll", "rolled"), ("pitch", "pitched"), ("sway ahead", "ahead"), ("yaw", None)],
)
def test_a_picture_is_labelled_by_the_motion_that_is_made(way, shown):
    sizes = tuple(0.1 if each == way else 0.0 for each in WAYS)
    motion = TrunkMotion(20.0, 0.5, 0.0, sizes, np.zeros(2), np.zeros(2), np.zeros(3))
    pictures = moved(motion)
    assert [title for title, *_ in pictures] == ([shown] if shown else [])
    for _, time, _ in pictures:
        begin, end = motion.span(WAYS.index(way))
        assert begin < time < end
        assert np.abs(motion.at(time).motion[:7] - motion.at(0.0).motion[:7]).max() > 1e-3


def test_the_first_limits_that_are_reached_are_told_with_their_times():
    robot = SimpleNamespace(
        joint_names=["hip", "knee"], effort_limits=np.array([40.0, 0.0]), contacts=["foot"]
    )
    time = np.arange(1.0, 11.0)
    effort = np.stack([np.where(time > 5, -40.0, 10.0), np.full(10, 1e3)], axis=1)
    wrenches = np.zeros((10, 1, 6))
    wrenches[:, 0, 5] = np.where(time > 8, 0.0, 100.0)
    wrenches[:, 0, 3] = np.where(time == 7, 60.0, 0.0)
    rest = np.zeros((10, 3))
    done = Run(time, rest, rest, rest, effort, wrenches, rest, rest, "it fell", 1.0, {})
    told = reached(robot, done, 0.6, 2.0)
    assert told == (
        "; joint hip gives all of its 40 after 4.00 s, foot foot slips after 5.00 s, foot foot "
        "lifts off after 7.00 s"
    )
    wrenches[:, 0, 5], effort[:] = 100.0, 0.0
    wrenches[:, 0, 3] = 0.0
    assert reached(robot, done, 0.6) == ""
