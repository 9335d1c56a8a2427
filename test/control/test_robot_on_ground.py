"""A robot on legs on the simulated ground of ros2_control's hardware."""

from __future__ import annotations

import numpy as np
import pytest

from test.control.cpp_legged import FEET, JOINTS, LIMIT, PERIOD, STANDING, Loop, World

pytestmark = pytest.mark.slow


def test_robot_trots_on_the_ground(legged_library, world):
    loop = Loop(legged_library, gait="trot")
    begin = world["trunk/position"]
    for _ in range(400):
        world.advance(loop.update(world.readings(), velocity=(0.1, 0.0, 0.0)).efforts)
    moved = world["trunk/position"] - begin
    assert 0.01 < moved[0] < 0.06 and np.abs(moved[1:]).max() < 0.02


WORLDS = {
    "plane_friction=-0.1": "plane_friction: expected 0 to 100, found -0.1",
    "plane_friction=0.1 0.2": "plane_friction: expected a number",
    "plane_normal=0 0 0": "plane_normal: expected a normal that is not zero",
    "plane_normal=0 1": "plane_normal: expected 3 numbers, found 2",
    "gravity=0 0 down": "gravity: expected a number, found 'down'",
    "ground_friction=0.5": "ground_friction: use plane_friction instead",
    "frction=0.5": "the simulated robot has no parameter 'frction'; it has plane_point",
    "lf.sole=0 0 0 1 0 0 1 1 0 0 1 0": "lf.sole: the contact is a point; generate the robot with",
    "lf.sole=0 0 0": "lf.sole: expected 12 numbers, found 3",
    "lf.radius=-1": "lf.radius: expected a finite number, 0 or more, found -1",
}


@pytest.mark.parametrize(("text", "said"), WORLDS.items(), ids=WORLDS)
def test_worlds_that_cannot_be_are_refused(legged_library, text, said):
    assert World(legged_library, parameters=[text]).problem.startswith(said)


def test_robot_that_starts_below_the_ground_is_refused(legged_library):
    world = World(legged_library, parameters=["initial_base_position=0 0 0.1"])
    assert world.fault.startswith("the robot starts below the ground")


@pytest.mark.parametrize("turn", ["0 0 0", "0.1 -0.2 1.0"])
@pytest.mark.parametrize("normal", ["0 0 1", "0.2 0.1 1"])
def test_robot_starts_with_its_lowest_foot_on_the_plane(legged_library, turn, normal):
    parameters = [f"initial_base_orientation={turn}", f"plane_normal={normal}", "lf.radius=0.02"]
    world = World(legged_library, parameters=parameters)
    assert not world.fault
    world.advance(np.zeros(JOINTS), 1e-5)
    assert any(np.linalg.norm(world[f"{foot}/force"]) > 0 for foot in FEET)


def test_dropped_robot_falls_freely_lands_and_collapses(legged_library):
    world = World(
        legged_library, parameters=["initial_base_position=0 0 0.6", "plane_restitution=0"]
    )
    world.advance(np.zeros(JOINTS), 0.05)
    assert world["trunk/position"][2] == pytest.approx(0.6 - 9.81 * 0.05**2 / 2, abs=1e-9)
    np.testing.assert_allclose(world["trunk/linear_acceleration"], 0.0, atol=1e-9)
    np.testing.assert_array_equal(world["lf/force"], 0.0)
    said = ""
    for _ in range(2000):
        said = said or world.advance(np.full(JOINTS, np.nan))
    assert said == "the robot has fallen: its base is below the ground"
    where = world["trunk/position"]
    world.advance(np.zeros(JOINTS))
    np.testing.assert_array_equal(world["trunk/position"], where)


@pytest.mark.parametrize("quantity", ["angular_velocity", "linear_acceleration"])
def test_an_imu_that_is_read_late_tells_a_mean(legged_library, quantity):
    """No impact is missed, and none counts for all of a long cycle."""
    late, each = (World(legged_library, parameters=["plane_friction=0.6"]) for _ in "ab")
    efforts, told = np.linspace(-2.0, 2.0, JOINTS), []
    for _ in range(20):
        each.advance(efforts, 0.001)
        told.append(each[f"imu/{quantity}"])
    late.advance(efforts, 0.02)
    np.testing.assert_allclose(late[f"imu/{quantity}"], np.mean(told, axis=0), atol=1e-9)
    assert np.abs(told[-1] - np.mean(told, axis=0)).max() > 0.02


def test_of_a_late_cycle_ten_milliseconds_are_made_up_for(legged_library):
    """A computer that is late for longer would have the robot fall by efforts of long ago."""
    world = World(legged_library, parameters=["initial_base_position=0 0 2"])
    for cycle in (*[0.002] * 50, 0.007, *[0.002] * 50, 0.4):
        world.advance(np.zeros(JOINTS), cycle)
    fallen = 0.1 + 0.007 + 0.1 + 0.012
    assert world["trunk/position"][2] == pytest.approx(2.0 - 9.81 * fallen**2 / 2, abs=2e-3)


def test_efforts_beyond_what_motors_give_are_limited(legged_library):
    worlds = [World(legged_library, parameters=["initial_base_position=0 0 2"]) for _ in range(2)]
    for world, effort in zip(worlds, (LIMIT, 1e9), strict=True):
        world.advance(np.full(JOINTS, effort), 5 * PERIOD)
        np.testing.assert_array_equal(world.joints("effort"), LIMIT)
    np.testing.assert_array_equal(worlds[0].joints("position"), worlds[1].joints("position"))


def test_standing_is_where_it_was_told(legged_library):
    assert World(legged_library).joints("position") == pytest.approx(STANDING)
