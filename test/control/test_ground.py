"""One body on the ground, against the closed forms of mechanics books.

Its shapes are a block on four points or on a sole, a sheet that falls like a rod, and a ball.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some

from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.objects import Fault
from test.control.body_on_ground import HEIGHT, INERTIA, MASS, POINTS, Body, G, about, block, sheet

pytestmark = pytest.mark.slow

SOLE = block(0.2, 0.15, 0.1)
SHAPES = {"points": ({}, HEIGHT), "sole": ({"sole": SOLE}, 0.1)}
SLOPE = 0.3
NORMAL = np.array([np.sin(SLOPE), 0.0, np.cos(SLOPE)])
DOWNHILL = np.array([np.cos(SLOPE), 0.0, -np.sin(SLOPE)])
WEIGHT = np.array([0, 0, MASS * G])
BALL = 0.3
SWING = 1 + INERTIA / (MASS * BALL**2)
"""Inertia of a ball that rolls, as parts of its mass."""


def bounces(height, restitution, time):
    """Height of what is dropped, bounces, and rests where it hits at less than 1 mm/s."""
    time -= np.sqrt(2 * height / G)
    if time < 0:
        return height - 0.5 * G * (time + np.sqrt(2 * height / G)) ** 2
    speed = restitution * np.sqrt(2 * G * height)
    while speed > restitution * 1e-3:
        if time < 2 * speed / G:
            return speed * time - 0.5 * G * time**2
        time -= 2 * speed / G
        speed *= restitution
    return 0.0


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_dropped_bounces_as_in_closed_form(shape, restitution):
    options, low = SHAPES[shape]
    moving = Body(**options, restitution=restitution).place((0, 0, low + 0.3))
    for i in range(1, 201):
        moving.run(0.01, 2e-3)
        expected = bounces(0.3, restitution, 0.01 * i)
        assert moving.position[2] - low == pytest.approx(expected, abs=3e-9)
        assert moving.position[2] - low > -1e-9
    np.testing.assert_allclose(moving.spin, 0, atol=1e-9)
    assert moving.unsettled == 0
    if restitution < 1:
        np.testing.assert_allclose(moving.velocity, 0, atol=1e-12)
        weight = moving.ground.wrenches[:, 5].sum()
        assert weight == pytest.approx(MASS * G)


@pytest.mark.parametrize("below", [0.5, 0.98, 0.999999, 1.000001, 1.02, 3.0])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_block_sticks_below_the_friction_angle_and_slides_above(shape, below):
    options, low = SHAPES[shape]
    friction = np.tan(SLOPE) / below
    moving = Body(**options, friction=friction, plane_normal=NORMAL)
    moving.place(low * NORMAL, about((0, 1, 0), SLOPE))
    moving.run(0.5)
    acceleration = max(0.0, G * (np.sin(SLOPE) - friction * np.cos(SLOPE)))
    way = 0.5 * acceleration * 0.5**2
    np.testing.assert_allclose(moving.position, low * NORMAL + way * DOWNHILL, atol=1e-9)
    np.testing.assert_allclose(moving.velocity, 0.5 * acceleration * DOWNHILL, atol=1e-9)
    np.testing.assert_allclose(moving.spin, 0, atol=1e-9)
    force = moving.ground.wrenches[:, 3:].sum(axis=0)
    assert force @ NORMAL == pytest.approx(MASS * G * np.cos(SLOPE))
    assert -force @ DOWNHILL == pytest.approx(MASS * (G * np.sin(SLOPE) - acceleration), rel=1e-6)
    assert moving.unsettled == 0


@pytest.mark.parametrize("shape", SHAPES)
def test_a_body_placed_anew_stands_there_and_not_where_it_stood(shape):
    options, low = SHAPES[shape]
    moving = Body(**options, friction=1.0, plane_normal=NORMAL)
    moving.place(low * NORMAL, about((0, 1, 0), SLOPE)).run(0.01)
    there = low * NORMAL + np.array([0.0, 0.3, 0.0])
    moving.place(there, about((0, 1, 0), SLOPE)).run(0.01)
    np.testing.assert_allclose(moving.position, there, atol=1e-9)


@pytest.mark.parametrize("level", [-1.0, 1.0])
def test_a_body_has_fallen_once_its_center_is_below_the_plane_wherever_that_is(level):
    """On its sole it stands; upside down nothing holds it."""
    moving = Body(sole=SOLE, plane_point=(0.3, -0.2, level))
    moving.place((0, 0, level + 0.1)).run(0.01)
    assert moving.position[2] == pytest.approx(level + 0.1)
    moving.place((0, 0, level + 0.05), about((1, 0, 0), np.pi))
    with pytest.raises(Fault, match="fallen"):
        moving.run(1.0)
    assert moving.position[2] == pytest.approx(level, abs=2e-3)


@pytest.mark.parametrize("step", [1e-3, 4e-3])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_sliding_block_stops_where_its_energy_is_used_up(shape, step):
    options, low = SHAPES[shape]
    moving = Body(**options, friction=0.3)
    moving.place((0, 0, low), about((0, 0, 1), 0.2), velocity=(0.8, 0.6, 0)).run(0.5, step)
    way = 1 / (2 * 0.3 * G)
    along = np.array([0.8 * np.cos(0.2) - 0.6 * np.sin(0.2), 0.8 * np.sin(0.2) + 0.6 * np.cos(0.2)])
    np.testing.assert_allclose(moving.position[:2], way * along, atol=1e-10)
    still = moving.position
    np.testing.assert_allclose(moving.run(0.1, step).position, still, rtol=0, atol=1e-16)
    assert moving.ground.counters == {"impacts": 0, "switches": 1, "unsettled": 0}


@pytest.mark.parametrize("friction", [0.5, 0.01])
def test_a_ball_rolls_down_a_slope_or_slides_where_it_is_too_steep(friction):
    moving = Body(ball=BALL, friction=friction, plane_normal=NORMAL)
    moving.place(BALL * NORMAL).run(1.0, 2e-3)
    rolling = G * np.sin(SLOPE) / SWING
    sliding = G * (np.sin(SLOPE) - friction * np.cos(SLOPE))
    rolls = friction > (1 - 1 / SWING) * np.tan(SLOPE)
    acceleration = rolling if rolls else sliding
    turning = rolling / BALL if rolls else friction * MASS * G * np.cos(SLOPE) * BALL / INERTIA
    np.testing.assert_allclose(moving.velocity, acceleration * DOWNHILL, atol=1e-7)
    np.testing.assert_allclose(moving.spin, [0, turning, 0], atol=1e-6)
    assert moving.position @ NORMAL == pytest.approx(BALL, abs=1e-10)


def test_a_ball_that_slides_ends_rolling():
    """With the inertia of a full ball it would keep 5/7 of its speed."""
    moving = Body(ball=BALL, friction=0.2).place((0, 0, BALL), velocity=(2, 0, 0)).run(1.0)
    speed = 2 / SWING
    time = (2 - speed) / (0.2 * G)
    way = 2 * time - 0.1 * G * time**2 + speed * (1 - time)
    np.testing.assert_allclose(moving.velocity, [speed, 0, 0], atol=1e-9)
    np.testing.assert_allclose(BALL * moving.spin, [0, speed, 0], atol=1e-9)
    np.testing.assert_allclose(moving.position, [way, 0, BALL], atol=1e-9)


def test_a_sole_that_spins_slows_down_by_friction_about_the_normal():
    """Its bound is the friction at the mean distance of the corners."""
    moving = Body(sole=SOLE, friction=0.4).place((0, 0, 0.1), spin=(0, 0, 5)).run(0.1)
    stop = 5 * INERTIA / (0.4 * MASS * G * np.hypot(0.2, 0.15))
    assert 2 * np.arctan2(*moving.ground.orientation[2:]) == pytest.approx(2.5 * stop, abs=1e-9)
    np.testing.assert_allclose(moving.ground.base_velocity, 0, atol=1e-12)


def test_an_edge_that_sticks_keeps_its_heading_while_the_body_falls():
    """A sheet that leans by 0.1 rad; errors of its heading are taken back, and do not grow."""
    lean, heading = about((0, 1, 0), 0.1), about((0, 0, 1), 0.3)
    turn = [heading[3] * lean[0] - heading[2] * lean[1], heading[3] * lean[1]]
    moving = Body(sole=sheet(0.1, 0.5), friction=1.0)
    away, high = 0.5 * np.sin(0.1), 0.5 * np.cos(0.1)
    moving.place(
        (away * np.cos(0.3), away * np.sin(0.3), high),
        [*turn, heading[2] * lean[3], heading[3] * lean[3]],
    )
    moving.run(0.2)
    assert moving.turn[2, 2] < np.cos(0.13)
    np.testing.assert_allclose(moving.turn[:, 1], [-np.sin(0.3), np.cos(0.3), 0], atol=1e-9)


@pytest.mark.parametrize("tips", [0.99, 1.01])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_block_tips_where_it_is_pushed_too_high(shape, tips):
    options, low = SHAPES[shape]
    edge, height = (POINTS[0][0], 0.08) if shape == "points" else (0.2, 0.15)
    push = tips * MASS * G * edge / height
    moving = Body(**options, friction=4.0).place((0, 0, low))
    moving.run(5e-3, force=(push, 0, 0), torque=(0, push * (height - low), 0))
    inertia = INERTIA + MASS * (edge**2 + low**2)
    turning = max(0.0, push * height - MASS * G * edge) / inertia
    np.testing.assert_allclose(moving.spin, [0, turning * 5e-3, 0], rtol=1e-3, atol=1e-12)
    assert moving.unsettled == 0


def falling(angle, start, length):
    """Normal and friction force of a rod that falls about its sticking end, by energy."""
    inertia = INERTIA + MASS * length**2
    speed2 = 2 * MASS * G * length * (np.cos(start) - np.cos(angle)) / inertia
    turning = MASS * G * length * np.sin(angle) / inertia
    normal = MASS * G - MASS * length * (turning * np.sin(angle) + speed2 * np.cos(angle))
    return normal, MASS * length * (turning * np.cos(angle) - speed2 * np.sin(angle))


@pytest.mark.parametrize("friction", [0.3, 1.0, 5.0])
def test_a_falling_rod_slips_at_its_angle(friction):
    """Backwards where friction is small, forwards where it is large."""
    angles = np.linspace(0.1, 1.5, 100_001)
    normal, tangential = falling(angles, 0.1, 0.5)
    expected = angles[np.argmax(np.abs(tangential) > friction * normal)]
    moving = Body(sole=sheet(0.1, 0.5), friction=friction)
    moving.place((0.5 * np.sin(0.1), 0, 0.5 * np.cos(0.1)), about((0, 1, 0), 0.1))
    energy, angle = moving.energy(), 0.1
    while moving.ground.counters["switches"] == 0:
        assert angle < 1.5
        before = angle
        moving.run(1e-3)
        angle = np.arctan2(moving.turn[0, 2], moving.turn[2, 2])
    assert before < expected + 1e-5
    assert angle > expected - 1e-5
    assert moving.energy() == pytest.approx(energy, abs=1e-4)
    assert moving.unsettled == 0


def test_a_rod_that_jams_stops_at_once_and_does_not_explode():
    """Painleve: leaning back from where it slides to, no force is consistent, but an impulse is.

    Its end stops; the angular momentum about it stays.
    """
    lean, length, friction = 0.6, 0.5, 3.0
    side, low = length * np.sin(lean), length * np.cos(lean)
    assert 1 / MASS + side**2 / INERTIA < friction * side * low / INERTIA
    moving, lost = Body(sole=sheet(0.1, length), friction=friction), []
    for way in (2, -2):
        moving.place(
            (-side, 0, low),
            about((0, 1, 0), -lean),
            velocity=(way * np.cos(lean), 0, -way * np.sin(lean)),
        )
        energy = moving.energy()
        lost.append(0.5 * MASS * way**2 + MASS * G * low - energy)
        for _ in range(200):
            moving.run(1e-3)
            assert moving.energy() <= energy + 1e-9
            energy = moving.energy()
    inertia = INERTIA + MASS * length**2
    pivots = 0.5 * MASS * 4 - 0.5 * (2 * MASS * low) ** 2 / inertia
    np.testing.assert_allclose(sorted(lost), [0, pivots], atol=1e-9)


def test_end_states_converge_by_the_order_of_the_method():
    """A rod that falls, slips and hits with both edges; steps halved."""
    ends = []
    for step in (8e-3, 4e-3, 2e-3, 1e-3, 1.25e-4):
        moving = Body(sole=sheet(0.1, 0.5), friction=0.3)
        moving.place((0.5 * np.sin(0.4), 0, 0.5 * np.cos(0.4)), about((0, 1, 0), 0.4))
        moving.run(0.4, step)
        ends.append(np.concatenate([moving.position, moving.velocity, moving.spin]))
    errors = [np.abs(end - ends[-1]).max() for end in ends[:-1]]
    assert errors[-1] < 1e-5
    assert errors[0] > 4 * errors[-1]


@pytest.mark.parametrize(("friction", "restitution"), [(0.0, 0.5), (2.0, 0.5), (0.3, 0.0)])
def test_errors_fall_with_the_fourth_power_of_the_step_over_impacts(friction, restitution):
    """A thrown block that spins hits with several corners; the order is fitted to halved steps."""
    ends = []
    for step in (1e-2, 5e-3, 2.5e-3, 3.125e-4):
        moving = Body(sole=SOLE, friction=friction, restitution=restitution)
        moving.place((0, 0, 0.5), about((0.6, 0.8, 0), 0.7), (1, 0.5, 0), (6, 8, -5))
        moving.run(0.32, step)
        assert moving.ground.counters["impacts"] >= 2
        ends.append(np.concatenate([moving.position, moving.velocity, moving.spin]))
    errors = [np.abs(end - ends[-1]).max() for end in ends[:-1]]
    assert np.polyfit([2, 1, 0], np.log2(errors), 1)[0] > 3.3


state = some.tuples(
    *[some.floats(-1, 1, width=32)] * 3,
    some.floats(0, 3, width=32),
    *[some.floats(-3, 3, width=32)] * 6,
)


@settings(max_examples=25)
@given(state, some.sampled_from([0.0, 0.3, 0.7, 1.5]), some.sampled_from([0.0, 0.4, 1.0]))
@example((0, 1, 0, 1, 0, 0, 0, 0, 1, 0), 1.5, 0.0)
def test_a_thrown_block_loses_energy_keeps_momentum_and_stays_above(numbers, friction, restitution):
    """Momentum: of each step the change is the impulse of the ground and of gravity.

    Energy: steps by impulses are of first order, and miss by a millionth of it.
    """
    axis = np.add(numbers[:3], (0, 0, 1.5))
    moving = Body(sole=SOLE, friction=friction, restitution=restitution)
    moving.place(
        (0, 0, 0.4),
        about(axis / np.linalg.norm(axis), numbers[3]),
        np.array(numbers[4:7]),
        np.array(numbers[7:]),
    )
    energy, velocity, unsettled = moving.energy(), moving.velocity, 0
    corners = np.array(SOLE["center:pose"])
    for _ in range(200):
        try:
            moving.run(2e-3, 2e-3)
        except Fault as fault:
            assert "fallen" in str(fault)
            return
        force = moving.ground.wrenches[:, 3:].sum(axis=0)
        change = MASS * (moving.velocity - velocity)
        np.testing.assert_allclose(
            change, 2e-3 * (force - WEIGHT), atol=1e-7 + 1e-6 * np.abs(change).max()
        )
        assert np.hypot(*force[:2]) <= friction * force[2] + 1e-6 * (1 + abs(force[2]))
        assert moving.energy() <= energy + (1e-5 if moving.unsettled > unsettled else 1e-7)
        assert (moving.position + corners @ moving.turn.T)[:, 2].min() > -1e-9
        energy, velocity, unsettled = moving.energy(), moving.velocity, moving.unsettled


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"friction": -0.1}, "friction: expected a finite number, 0 or more, found -0.1"),
        ({"friction": np.inf}, "friction: "),
        ({"friction": 101}, "plane_friction: expected 0 to 100, found 101"),
        ({"restitution": -0.1}, "restitution: expected 0 to 1, found -0.1"),
        ({"restitution": 1.1}, "restitution: "),
        ({"plane_point": (0, 0, np.nan)}, "plane_point: "),
        ({"plane_normal": (0, 0, 0)}, "plane_normal: .* not zero"),
        ({"plane_normal": (0, 0, np.nan)}, "plane_normal: "),
        ({"gravity": (0, 0, np.inf)}, "gravity: "),
        ({"gravity": (0, 0, -101)}, "gravity: expected -100 to 100, found -101"),
        ({"ball": -0.1}, "radii: "),
        ({"sole": block(np.nan, 0.15, 0.1)}, "soles: "),
        ({"imu_rate": -1}, "imu_rate: expected 0 to 100000, found -1"),
        ({"imu_rate": np.nan}, "imu_rate: "),
        ({"imu_delay": 9}, "imu_delay: expected 0 to 0.1, found 9"),
        ({"gyroscope_noise": -1}, "gyroscope_noise: "),
        ({"accelerometer_bias": (0, 0, 101)}, "accelerometer_bias: "),
        ({"force_noise": np.nan}, "force_noise: "),
        ({"force_delay": 1}, "force_delay: "),
        ({"false_contacts": 1.1}, "false_contacts: "),
        ({"sensor_seed": -1}, "sensor_seed: expected 0 to .*, found -1"),
    ],
)
def test_wrong_settings_are_named_where_they_are_given(options, words):
    with pytest.raises(RobcogenError, match=words):
        Body(**options)


def test_a_plane_above_the_body_is_named():
    with pytest.raises(Fault, match="below the ground"):
        Body(plane_point=(0, 0, 1e-3)).place((0, 0, HEIGHT))


def test_wrong_states_and_efforts_are_named():
    moving = Body()
    with pytest.raises(Fault, match="below the ground"):
        moving.place((0, 0, HEIGHT - 1e-4))
    with pytest.raises((Fault, ValueError), match="finite"):
        moving.place((0, 0, np.nan))
    with pytest.raises((Fault, ValueError), match=r"finite|state"):
        moving.place((0, 0, 1), orientation=(0, 0, 0, 0))
    moving.place((0, 0, 1))
    for step in (0.0, -1e-3, np.nan, 2.0):
        with pytest.raises((Fault, ValueError), match=r"step|finite"):
            moving.ground.advance([], step)
    with pytest.raises((Fault, ValueError), match=r"finite|external"):
        moving.ground.advance([], 1e-3, external_forces=np.full((1, 6), np.nan))
    np.testing.assert_array_equal(moving.position, (0, 0, 1))


def test_mujoco_is_softer():
    """The same drop and slide: its block sinks in; the way agrees to a percent."""
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="0.001" cone="elliptic" impratio="10"/><worldbody>
        <geom type="plane" size="9 9 1" friction="0.3"/><body pos="0 0 0.1"><freejoint/>
        <inertial pos="0 0 0" mass="{MASS}" diaginertia="{INERTIA} {INERTIA} {INERTIA}"/>
        <geom type="box" size="0.2 0.15 0.1" friction="0.3"/></body></worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    data.qvel[0] = 1.0
    mujoco.mj_step(model, data, 500)
    moving = Body(sole=SOLE, friction=0.3).place((0, 0, 0.1), velocity=(1, 0, 0)).run(0.5)
    assert data.qpos[0] == pytest.approx(moving.position[0], rel=0.01)
    assert 1e-5 < 0.1 - data.qpos[2] < 1e-3
    mujoco.mj_resetData(model, data)
    data.qpos[2] = 0.4
    moving.place((0, 0, 0.4))
    lowest = []
    for _ in range(500):
        mujoco.mj_step(model, data)
        lowest.append((data.qpos[2], moving.run(1e-3).position[2]))
    soft, hard = np.min(lowest, axis=0)
    assert soft < 0.1 - 1e-3
    assert hard > 0.1 - 1e-9
