"""What whole-body control in C++ makes of references and velocities, and of none."""

from __future__ import annotations

import numpy as np
import pytest

from test.control.cpp_legged import FEET, WEIGHT, carried_on, said_before
from test.support.fault_table import fault

pytestmark = pytest.mark.slow

TRUNK = "trunk/position"


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
    assert reply.forces[:, 2].sum() == pytest.approx(WEIGHT, rel=1e-2)
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
    "infinite": {TRUNK: [0.0, np.inf, 0.4], "trunk/linear_velocity": 0.05},
}


@fault("NaN or infinite position in a reference")
@pytest.mark.parametrize("holes", HOLES.values(), ids=HOLES)
def test_reference_with_holes_leaves_the_last_place_at_rest(readings, start, holes):
    loop = start()
    goal = readings["base_position"] + [0.01, 0.0, 0.0]
    loop.update(readings, {TRUNK: goal, "trunk/linear_velocity": 0.05})
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
def test_reference_that_is_far_away_is_gone_to_as_fast_as_a_near_one(readings, start):
    ways = (np.array([0.0, 0.0, 0.3]), np.array([0.0, 0.0, 50.0]))
    near, far = (start().update(readings, {TRUNK: readings["base_position"] + way}) for way in ways)
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
