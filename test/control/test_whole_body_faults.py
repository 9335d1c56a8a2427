"""What whole-body control in C++ commands where states or contacts are missing or impossible."""

from __future__ import annotations

import numpy as np
import pytest

from test.control.cpp_legged import FEET, JOINTS, LIMIT, STANDING, WEIGHT
from test.support.fault_table import fault

pytestmark = pytest.mark.slow

TRUNK = "trunk/position"

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


@fault(
    "velocities of all joints are told as zero, to the last bit, though one has moved by 0.03 rad "
    "in five cycles or more"
)
@pytest.mark.parametrize(("by", "cycles", "found"), [(0.04, 10, 1), (0.02, 10, 0), (0.04, 4, 0)])
def test_velocities_that_are_zero_of_joints_that_move_are_estimated(
    readings, start, by, cycles, found
):
    """One that is moved by hand, or sees another place once, does not matter."""
    loop, told = start(), {**readings, "velocity": np.zeros(JOINTS)}
    loop.update(told)
    for cycle in range(cycles):
        position = np.array(readings["position"])
        position[2] += by * (cycle + 1) / cycles
        reply = loop.update({**told, "position": position})
    assert ("velocities_zero" in reply.faults) == found
    again = loop.update({**told, "position": position})
    assert ("velocities_zero" in again.faults) == found
    told["velocity"] = np.full(JOINTS, 1e-9)
    assert "velocities_zero" not in loop.update({**told, "position": position}).faults


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


@fault("a foot that is to stand rests on the ground, but tells no force")
@pytest.mark.parametrize(
    ("leg", "knee_rate", "rests"),
    [
        ([0.0, 0.6, -1.2], 0.0, True),
        ([0.0, 0.6, -1.2], 0.5, True),  # it goes down at 0.07 m/s
        ([0.0, 0.6, -1.2], 1.4, False),  # at 0.2, where half of landing_speed is 0.15
        ([0.0, 0.67, -1.34], 0.0, True),  # 2 cm above the others
        ([0.0, 0.78, -1.56], 0.0, False),  # 6 cm, of a height of 41
        ([0.0, 0.4, -0.8], 0.0, False),  # 5 cm below them
    ],
)
def test_foot_that_rests_but_is_not_felt_stands_after_50_ms(readings, start, leg, knee_rate, rests):
    loop, place = start(), 3 * FEET.index("rh")
    told = lifted(readings, "rh")
    told["position"] = np.array(told["position"])
    told["position"][place : place + 3] = leg
    told["velocity"] = np.array(told["velocity"])
    told["velocity"][place + 2] = knee_rate
    for cycle in range(100):
        reply = loop.update(told)
        if abs(cycle - 50) > 1:
            unfelt = rests and cycle > 50
            assert reply.closed.tolist() == [True, True, True, unfelt]
            assert ("foot_not_felt" in reply.faults) == unfelt
    swing = {"rh/stance": 0.0, "rh/position": [-0.3, -0.2, 0.1]}
    assert not loop.update(told, swing).closed[3]
    assert "foot_not_felt" not in loop.update(readings).faults
    assert not loop.update(told).closed[3]


@fault("all feet, which bore the robot, feel nothing from one moment to the next")
@pytest.mark.parametrize(
    ("sinks", "light", "stand"),
    [
        (0.0, 0, True),
        (0.1, 0, True),
        (0.2, 0, False),  # half of landing_speed is 0.15
        (0.0, 15, True),
        (0.0, 25, False),  # it was lifted: 25 ms with less than half of its weight
    ],
)
def test_feet_that_feel_nothing_from_one_moment_to_the_next_stand(
    readings, start, sinks, light, stand
):
    loop = start()
    loop.update(readings)
    for _ in range(light):
        loop.update({**readings, "forces": 0.4 * np.array(readings["forces"])})
    told = {**lifted(readings, *FEET), "linear_velocity": np.array([0.0, 0.0, -sinks])}
    for cycle in range(100):
        reply = loop.update(told)
        assert reply.closed.all() == reply.closed.any() == stand
        assert ("all_contacts_lost" in reply.faults) != stand
        if abs(cycle - 50) > 1:
            assert ("foot_not_felt" in reply.faults) == (stand and cycle > 50)
    swing = {"rh/stance": 0.0, "rh/position": [-0.3, -0.2, 0.1]}
    assert loop.update(told, swing).closed.tolist() == [stand, stand, stand, False]
    assert "foot_not_felt" not in loop.update(readings).faults


def test_without_a_foot_that_touches_none_rests(readings, start):
    loop = start()
    for _ in range(100):
        reply = loop.update(lifted(readings, *FEET))
    assert not reply.closed.any() and "foot_not_felt" not in reply.faults


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
    loop = start(contact_threshold="0.04", contact_release="0.5")
    closed = []
    for share in (0.036, 0.044, 0.024, 0.016, 0.024):
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


STANDS = "posture=[" + ", ".join(map(str, STANDING)) + "]"
REFUSED = {
    "friction=-1": "friction: expected 0.01 to 10, found -1",
    "position_gains=[1.0]": "position_gains: expected 2 numbers, found 1",
    "effort_limits=[1.0, 2.0]": "effort_limits: expected one value or 13, found 2",
    "effort_limits=[0.0]": "effort_limits: expected more than 0",
    "soles=[1.0]": "soles: expected none, for 0 contacts that are poses, found 1",
    "gravity=[0.0, 0.0, 0.0]": "gravity: expected a vector of finite length, not zero",
    "ground_normal=[0.0, 0.0]": "ground_normal: expected 3 numbers, found 2",
    "base_state=guess": "base_state: expected one of interfaces, topic, estimator, found 'guess'",
    "least_normal_force=0.9;greatest_normal_force=0.5": "least_normal_force: expected 0 or more, ",
    "friction=0.4;posture=[1.0]": "",
    "posture=[100.0]": "posture: expected positions within the limits of the joints, found 100",
    "gait=run": "gait: expected one of stand, trot, walk, played, found 'run'",
    "gait_duty=[0.49, 0.0]": "gait_duty: expected 0.5 or more of a trot, found 0.49",
    "gait_duty=[0.5, 0.79]": "gait_duty: expected 0.8 or more of a walk, which leans on all ",
    "gait_duty=[0.5, 0.8];gait_period=[0.1, 0.0]": "",
    f"gait=trot;{STANDS}": "",
    f"gait=trot;gait_period=[0.25, 0.0];{STANDS}": "gait_period: expected 0.26 to 1 s of a trot",
    f"gait=trot;gait_period=[1.05, 0.0];{STANDS}": "gait_period: expected 0.26 to 1 s of a trot",
    f"gait=trot;gait_duty=[0.9, 0.0];{STANDS}": "gait_period and duty: feet are in the air for ",
    f"gait=walk;gait_duty=[0.0, 0.97];gait_period=[0.0, 0.5];{STANDS}": "gait_period and duty: ",
    "gait=trot;greatest_normal_force=0.7": "greatest_normal_force: expected 0.75",
    "gait=walk;greatest_normal_force=0.7": "",
    "gait=walk;greatest_normal_force=0.49": "greatest_normal_force: expected 0.5",
    f"gait=trot;swing_height=0.15;{STANDS}": "swing_height: expected at most 0.35 of the height",
    "gait_period=[0.0, 0.09]": "gait_period: expected 0.1 s or more, found 0.09",
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
    assert easy.forces[:, 2].sum() == pytest.approx(WEIGHT, rel=1e-2)
    least = 0.3 * np.abs(easy.efforts).max()
    hard = start(effort_limits=f"[{least}]").update(readings, {TRUNK: place, **upright})
    assert hard.faults == {"limits_exceeded", "trunk_not_followed"}
    assert np.abs(hard.efforts).max() == least
