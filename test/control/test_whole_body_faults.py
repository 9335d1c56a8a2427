"""What whole-body control in C++ commands after faults: the table of its page."""

from __future__ import annotations

import numpy as np
import pytest

from test.control import test_balance, test_cpp_whole_body
from test.control.cpp_legged import (
    FEET,
    JOINTS,
    LIMIT,
    WEIGHT,
    Loop,
    carried_on,
    said_before,
)
from test.gait import test_playback
from test.legged import test_two_feet
from test.support.examples import EXAMPLES
from test.support.fault_table import fault, held_lines, table_lines

pytestmark = pytest.mark.slow

PAGE = EXAMPLES.parent / "docs" / "legged_controller.md"
TRUNK = "trunk/position"


def test_each_line_of_the_page_is_held_by_a_test():
    modules = (test_balance, test_cpp_whole_body, test_playback, test_two_feet)
    others = map(vars, modules)
    held = held_lines(globals()).union(*map(held_lines, others))
    assert held == table_lines(PAGE, "| what happens | what is commanded |")


@pytest.fixture
def readings(world):
    return world.readings()


@pytest.fixture
def start(legged_library):
    return lambda **parameters: Loop(legged_library, **parameters)


def upward(reply):
    return reply.forces[:, 2].sum()


@fault("activation", "no reference yet")
def test_robot_stands_where_it_is_found(world, start):
    loop = start()
    where = world["trunk/position"]
    for _ in range(100):
        reply = loop.update(world.readings())
        assert reply.condition == "normal" and not reply.faults
        assert reply.stance.all() and reply.closed.all()
        assert not world.advance(reply.efforts)
    assert np.abs(world["trunk/position"] - where).max() < 1e-3
    assert upward(reply) == pytest.approx(WEIGHT, rel=1e-2)
    measured = sum(world[f"{foot}/force"] for foot in FEET)
    assert np.linalg.norm(measured) == pytest.approx(WEIGHT, rel=0.1)
    # An IMU at rest has the ground's reaction.
    imu = world["trunk/linear_acceleration"]
    np.testing.assert_allclose(imu, [0, 0, 9.81], atol=0.5)


@fault("no velocity or acceleration in it")
def test_trunk_follows_a_position_alone(world, start):
    loop = start()
    found = world["trunk/position"]
    goal = found + np.array([0.02, 0.0, -0.03])
    for i in range(700):
        wanted = found + min(i / 300, 1.0) * (goal - found)
        reply = loop.update(world.readings(), {TRUNK: wanted, "trunk/orientation": [0, 0, 0, 1]})
        world.advance(reply.efforts)
    np.testing.assert_allclose(world["trunk/position"], goal, atol=4e-3)
    np.testing.assert_array_equal(reply.velocity, 0.0)


HOLES = {
    "nothing": {},
    "no number": {TRUNK: np.nan, "trunk/orientation": [0, 0, 0, 1]},
    "infinite": {TRUNK: [0.0, np.inf, 0.4], "trunk/linear_velocity": 0.1},
}


@fault("NaN or infinite position in a reference")
@pytest.mark.parametrize("holes", HOLES.values(), ids=HOLES)
def test_reference_with_holes_leaves_the_last_place_at_rest(readings, start, holes):
    loop = start()
    goal = readings["base_position"] + [0.01, 0.0, 0.0]
    loop.update(readings, {TRUNK: goal, "trunk/linear_velocity": 0.1})
    reply = loop.update(readings, holes)
    np.testing.assert_allclose(reply.position, goal)
    np.testing.assert_array_equal(reply.velocity, 0.0)
    assert "reference_not_finite" not in reply.faults


@fault("a topic falls silent")
def test_set_point_is_carried_on_and_then_stands(legged_library):
    motion = np.zeros(19)
    motion[6], motion[7:10], motion[10:13] = 1.0, [0.1, 0.0, -0.2], [0.0, 0.0, 0.5]
    motion[13] = 2.0
    for age, time, moves in ((0.05, 0.05, True), (3.0, 0.1, False)):
        after = carried_on(legged_library, motion, age, 0.1)
        position = motion[7:10] * time + [0.5 * 2.0 * time**2, 0, 0]
        np.testing.assert_allclose(after[:3], position, atol=1e-12)
        half = 0.5 * 0.5 * time
        np.testing.assert_allclose(after[3:7], [0, 0, np.sin(half), np.cos(half)], atol=1e-12)
        np.testing.assert_allclose(after[7:10], moves * np.array([0.1 + 2.0 * time, 0, -0.2]))
        np.testing.assert_allclose(after[13:], moves * motion[13:])


@fault(
    "a topic falls silent",
    "no command of velocity for `cmd_vel_timeout`, or one that is not finite",
)
@pytest.mark.parametrize(
    ("age", "holds"), [(0.05, True), (0.1, True), (0.1001, False), (9.0, False)]
)
def test_feet_swing_and_commands_hold_no_longer_than_they_may_be_old(legged_library, age, holds):
    stance, ahead, command = np.split(said_before(legged_library, age, 0.1), [4, 6])
    assert stance.tolist() == [1, not holds, 1, 1]
    np.testing.assert_allclose(ahead, [min(age, 0.1), holds])
    np.testing.assert_array_equal(command, [0.1, -0.2, 0.3] if holds else np.nan)


@fault("reference out of reach")
def test_reference_that_is_far_away_acts_like_one_at_the_greatest_distance(readings, start):
    ways = (np.array([0.0, 0.0, 0.05]), np.array([0.0, 0.0, 50.0]))
    near, far = (
        start(greatest_distance="0.05").update(readings, {TRUNK: readings["base_position"] + way})
        for way in ways
    )
    assert "reference_out_of_reach" in far.faults and not near.faults
    np.testing.assert_allclose(far.efforts, near.efforts, atol=1e-6)


@fault("a foot is to swing, but is told no place")
def test_foot_without_a_place_to_go_to_stands(readings, start):
    reply = start().update(readings, {"lf/stance": 0.0})
    assert reply.stance.all()
    reply = start().update(readings, {"lf/stance": 0.0, "lf/position": [0.3, 0.2, 0.1]})
    assert reply.stance.tolist() == [False, True, True, True]


AHEAD = (0.1, 0.0, 0.0)


def cycles(loop, readings, count, **commands):
    """Which feet stand, a row a cycle."""
    return np.array([loop.update(readings, **commands).stance for _ in range(count)])


@fault("no command of velocity for `cmd_vel_timeout`, or one that is not finite")
def test_robot_steps_while_it_is_told_to_and_then_stands(readings, start):
    loop = start(gait="trot", gait_period="[0.2, 0.4]")
    assert cycles(loop, readings, 20).all()
    trot = cycles(loop, readings, 200, velocity=AHEAD)
    feet = {tuple(row) for row in trot.tolist()}
    assert feet == {(True,) * 4, (True, False, False, True), (False, True, True, False)}
    stopping = cycles(loop, readings, 200, velocity=(0.1, np.nan, 0.0))
    assert not stopping[:20].all() and stopping[-20:].all()
    assert cycles(start(), readings, 50, velocity=AHEAD).all()


@fault("command of velocity beyond what the gait can do")
def test_velocity_is_cut(readings, start):
    efforts = []
    for velocity, most in (((9.0, -9.0, 9.0), "[0.1, 0.05]"), ((0.1, -0.05, 0.2), "[1.0, 1.0]")):
        loop = start(gait="trot", greatest_velocity=most, greatest_yaw_rate="0.2")
        cycles(loop, readings, 99, velocity=velocity)
        efforts.append(loop.update(readings, velocity=velocity).efforts)
    np.testing.assert_allclose(*efforts, rtol=1e-9)


def test_greatest_velocities_follow_from_the_height_of_the_base(readings, start):
    """A trot's are 0.15 sqrt(g h) ahead, half of that aside, and once that by h in a turn."""
    height, sizes = 0.5 * np.cos(0.6), {"gait": "trot", "gait_period": "[0.4, 0.0]"}
    fast = 0.15 * np.sqrt(9.81 * height)
    asked = start(**sizes), start(**sizes, greatest_velocity="[9, 9]", greatest_yaw_rate="9")
    velocities = (9.0, -9.0, 9.0), (fast, -0.5 * fast, fast / height)
    efforts = []
    for loop, velocity in zip(asked, velocities, strict=True):
        cycles(loop, readings, 99, velocity=velocity)
        efforts.append(loop.update(readings, velocity=velocity).efforts)
    np.testing.assert_allclose(*efforts, rtol=1e-5)


@fault("command of velocity and a reference at once, or a controller in front")
def test_reference_goes_before_velocity_once_the_robot_stands(readings, start):
    loop = start(gait="trot", gait_period="[0.2, 0.4]")
    assert not cycles(loop, readings, 30, velocity=AHEAD)[-1].all()
    goal = readings["base_position"] + [0.0, 0.01, 0.0]
    both = {"velocity": AHEAD, "request": {TRUNK: goal}, "yields": True}
    assert cycles(loop, readings, 200, **both)[-20:].all()
    np.testing.assert_allclose(loop.update(readings, **both).position, goal)


@fault("the gait or its numbers change while the robot steps")
def test_gait_changes_where_the_robot_stands(readings, start):
    loop = start(gait="trot", gait_period="[0.2, 0.4]")
    trot = cycles(loop, readings, 30, velocity=AHEAD)
    loop.change(gait="walk")
    after = cycles(loop, readings, 800, velocity=AHEAD)
    on_three = np.flatnonzero(after.sum(axis=1) == 3)
    assert trot[-1].sum() == after[0].sum() == 2
    assert after[: on_three[0]].all(axis=1).any()
    assert (after[on_three[0] :].sum(axis=1) >= 3).all()


@fault("a push would topple a robot that stands in a gait")
def test_pushed_robot_steps(readings, start):
    pushed = {**readings, "linear_velocity": np.array([0.0, 1.5, 0.0])}
    for recover in (True, False):
        loop = start(gait="trot", recover=str(recover).lower())
        assert cycles(loop, readings, 5).all()
        assert cycles(loop, pushed, 50).all() != recover


MISSING = {
    "a joint's position": ("position", 3, np.nan),
    "a joint's velocity": ("velocity", 0, np.inf),
    "base position": ("base_position", 2, np.nan),
    "base velocity": ("linear_velocity", 0, np.nan),
    "rate": ("angular_velocity", 1, -np.inf),
    "orientation": ("orientation", 3, np.nan),
    "orientation that is none": ("orientation", 3, 0.0),
}


def broken(readings, name, place, value):
    values = np.array(readings[name])
    values[place] = value
    return {**readings, name: values}


@fault(
    "state of joints or base missing (NaN, infinite, not readable, a quaternion that is none)",
    "missing for longer",
)
@pytest.mark.parametrize("fault_", MISSING.values(), ids=MISSING)
def test_missing_state_is_replaced_by_the_last_one_and_then_control_ends(readings, start, fault_):
    loop = start(max_stale_cycles=3)
    before = loop.update(readings)
    for _ in range(3):
        reply = loop.update(broken(readings, *fault_))
        assert reply.condition == "stale" and not reply.failed
        np.testing.assert_allclose(reply.efforts, before.efforts, atol=1e-6)
    reply = loop.update(broken(readings, *fault_))
    assert reply.condition == "lost" and reply.failed
    np.testing.assert_allclose(reply.efforts, loop.parting("hold_gravity"))
    after = loop.update(readings)
    assert after.failed
    loop.activate()
    assert loop.update(readings).condition == "normal"


@fault("missing for longer")
@pytest.mark.parametrize("kind", ["zero", "keep"])
def test_lost_robot_is_left_with_what_is_asked_for(readings, start, kind):
    loop = start(max_stale_cycles=0, failure_effort=kind)
    before = loop.update(readings)
    reply = loop.update(broken(readings, *MISSING["base position"]))
    assert reply.condition == "lost"
    expected = np.zeros(JOINTS) if kind == "zero" else before.efforts
    np.testing.assert_array_equal(reply.efforts, expected)


@fault("state never known")
def test_robot_that_never_tells_where_its_base_is_gets_no_effort(readings, start):
    loop = start(max_stale_cycles=2)
    conditions = []
    for _ in range(4):
        reply = loop.update(broken(readings, *MISSING["base position"]))
        conditions.append(reply.condition)
        np.testing.assert_array_equal(reply.efforts, 0.0)
    assert conditions == ["stale", "stale", "lost", "lost"]
    np.testing.assert_array_equal(loop.parting("hold_gravity"), 0.0)


@fault("velocity of a joint that never was finite since activation")
def test_velocity_that_is_never_measured_is_estimated(readings, start):
    loop = start()
    reply = loop.update(broken(readings, "velocity", 5, np.nan))
    assert reply.condition == "normal"


@fault("force of a foot missing")
def test_foot_whose_force_is_not_measured_touches_as_the_schedule_has_it(readings, start):
    loop = start()
    forces = np.array(readings["forces"])
    forces[1] = np.nan
    assert loop.update({**readings, "forces": forces}).closed.all()
    swing = {"rf/stance": 0.0, "rf/position": [0.3, -0.2, 0.1]}
    assert loop.update({**readings, "forces": forces}, swing).closed.tolist() == [
        True,
        False,
        True,
        True,
    ]


def lifted(readings, *feet):
    forces = np.array(readings["forces"])
    forces[[FEET.index(foot) for foot in feet]] = 0.0
    return {**readings, "forces": forces}


@fault("a foot is to stand, but touches nothing")
def test_foot_that_touches_nothing_gets_no_force_and_is_told(readings, start):
    reply = start().update(lifted(readings, "rh"))
    assert reply.closed.tolist() == [True, True, True, False]
    assert "schedule_disagrees" in reply.faults
    np.testing.assert_allclose(reply.forces[3], 0.0, atol=1e-6)


@fault("a foot is to swing, but touches the ground")
def test_foot_that_swings_gets_no_force_even_if_it_touches(readings, start):
    swing = {"lf/stance": 0.0, "lf/position": [0.3, 0.2, 0.1]}
    reply = start().update(readings, swing)
    assert reply.closed.all() and "schedule_disagrees" in reply.faults
    np.testing.assert_allclose(reply.forces[0], 0.0, atol=1e-6)


@fault("all contacts lost, though a foot is to stand")
def test_robot_in_the_air_keeps_its_posture(readings, start):
    reply = start().update(lifted(readings, *FEET))
    assert "all_contacts_lost" in reply.faults and reply.condition == "normal"
    np.testing.assert_allclose(reply.forces, 0.0, atol=1e-6)
    assert np.abs(reply.efforts).max() < LIMIT


def test_contact_has_hysteresis(readings, start):
    loop = start(contact_threshold="0.1", contact_release="0.5")
    closed = []
    for share in (0.09, 0.11, 0.06, 0.04, 0.06):
        forces = np.zeros((4, 3))
        forces[:, 2] = share * WEIGHT
        closed.append(bool(loop.update({**readings, "forces": forces}).closed.all()))
    assert closed == [False, True, True, False, False]


@fault("the trunk is tilted too far")
def test_robot_that_tips_over_is_left_to_itself(readings, start):
    loop = start(greatest_tilt="0.5", failure_effort="zero")
    loop.update(readings)
    for angle, condition in ((0.4, "normal"), (0.6, "fallen"), (0.0, "fallen")):
        tilted = [np.sin(angle / 2), 0, 0, np.cos(angle / 2)]
        reply = loop.update({**readings, "orientation": np.array(tilted)})
        assert reply.condition == condition
    np.testing.assert_array_equal(reply.efforts, 0.0)


@fault("effort beyond limits")
@pytest.mark.parametrize("limit", [LIMIT, 5.0])
def test_efforts_stay_within_limits(readings, start, limit):
    loop = start(effort_limits=f"[{limit}]", greatest_distance="10.0")
    reply = loop.update(readings, {TRUNK: readings["base_position"] + [0.0, 0.0, 5.0]})
    assert np.abs(reply.efforts).max() <= limit * (1 + 1e-9)


@fault("effort not finite, or no solution")
def test_state_that_overflows_ends_in_finite_efforts(readings, start):
    loop = start()
    loop.update(readings)
    reply = loop.update({**readings, "velocity": np.full(JOINTS, 1e200)})
    assert np.isfinite(reply.efforts).all()
    assert reply.faults & {"no_solution"} or reply.condition == "unsound"


@fault("deactivation")
@pytest.mark.parametrize("kind", ["zero", "hold_gravity", "keep"])
def test_robot_is_left_with_what_is_asked_for(readings, start, kind):
    loop = start()
    reply = loop.update(readings)
    efforts = loop.parting(kind)
    if kind == "hold_gravity":  # carries the robot: nearly what whole-body control found at rest
        np.testing.assert_allclose(efforts, reply.efforts, atol=0.15 * np.abs(reply.efforts).max())
    else:
        np.testing.assert_array_equal(efforts, 0.0 if kind == "zero" else reply.efforts)


REFUSED = {
    "friction=-1": "friction: expected 0.01 to 10, found -1",
    "position_gains=[1.0]": "position_gains: expected 2 numbers, found 1",
    "effort_limits=[1.0, 2.0]": "effort_limits: expected one value or 13, found 2",
    "effort_limits=[0.0]": "effort_limits: expected more than 0",
    "soles=[1.0]": "soles: expected none, for 0 contacts that are poses, found 1",
    "gravity=[0.0, 0.0, 0.0]": "gravity: expected one that is not zero",
    "ground_normal=[0.0, 0.0]": "ground_normal: expected 3 numbers, found 2",
    "base_state=guess": "base_state: expected one of interfaces, topic, estimator, found 'guess'",
    "least_normal_force=0.9;greatest_normal_force=0.5": "least_normal_force: expected at most",
    "friction=0.4;posture=[1.0]": "",
    "gait=run": "gait: expected one of stand, trot, walk, played, found 'run'",
    "gait_duty=[0.0, 0.3]": "gait_duty: expected 0 or at least 0.5",
    "greatest_velocity=[-0.1, 0.0]": "greatest_velocity: expected 0 to 10, found -0.1",
}


@pytest.mark.parametrize(("text", "said"), REFUSED.items(), ids=REFUSED)
def test_wrong_parameters_are_refused(legged_library, text, said):
    found = legged_library.refusal(text.encode()).decode()
    assert found.startswith(said) and bool(found) == bool(said)


def test_without_proxsuite_efforts_are_cut_at_their_limits_and_it_is_told(readings, start):
    """This library is compiled without: forces are distributed by least squares."""
    upright = {"trunk/orientation": [0, 0, 0, 1]}
    place = readings["base_position"]
    easy = start().update(readings, {TRUNK: place, **upright})
    assert not easy.faults
    assert upward(easy) == pytest.approx(WEIGHT, rel=1e-2)
    high = np.array([0.0, 0.0, 5.0])
    hard = start(greatest_distance="9").update(readings, {TRUNK: place + high, **upright})
    assert hard.faults == {"limits_exceeded"}
    assert np.abs(hard.efforts).max() == LIMIT
