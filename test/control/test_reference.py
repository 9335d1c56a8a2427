from dataclasses import replace

import numpy as np
import pytest

from robcogen_ros.control.reference import Bounds, ReferenceFollower, Waypoints
from robcogen_ros.errors import RobcogenError

NONE = np.nan


def waypoints(times, positions, velocities=None):
    positions = np.array(positions, float)
    empty = np.full_like(positions, NONE)
    given = empty if velocities is None else np.array(velocities, float)
    return Waypoints(tuple(times), positions, given, empty, np.zeros_like(positions))


def reference(position=(0.0, 1.0), continuous=(False, False)):
    return ReferenceFollower(np.array(position), np.array(continuous), patience=0.1)


def test_it_holds_its_position_until_asked():
    state = reference().sample(5.0)
    np.testing.assert_array_equal(state.position, [0.0, 1.0])
    np.testing.assert_array_equal(state.velocity, [0.0, 0.0])


def test_a_motion_starts_where_the_last_one_is_and_ends_at_its_last_point():
    asked = reference()
    asked.follow(waypoints([1.0], [[2.0, 3.0]]), start=10.0)
    np.testing.assert_allclose(asked.sample(10.0).position, [0.0, 1.0])
    np.testing.assert_allclose(asked.sample(10.5).position, [1.0, 2.0])
    np.testing.assert_allclose(asked.sample(99.0).position, [2.0, 3.0])


@pytest.mark.parametrize("start", [0.0, 1.8e9])
def test_points_close_together_count_at_any_time_of_day(start):
    asked = reference()
    rows = [[0.0, 1.0], [1.0, 2.0], [1.0, 2.0], [3.0, 4.0]]
    asked.follow(waypoints([0.5, 1.0, 1.0 + 1e-7, 2.0], rows), start)
    for time, position in ((0.5, 0.0), (1.0, 1.0), (2.5, 3.0)):
        np.testing.assert_allclose(asked.sample(start + time).position[0], position, atol=1e-5)


def test_a_new_motion_takes_over_smoothly_in_full_flight():
    asked = reference()
    asked.follow(waypoints([1.0], [[2.0, 3.0]]), start=0.0)
    before = asked.sample(0.5)
    asked.follow(waypoints([1.0], [[-2.0, 0.0]]), start=0.5)
    after = asked.sample(0.5)
    np.testing.assert_allclose(after.position, before.position)
    np.testing.assert_allclose(after.velocity, before.velocity)


def test_a_motion_for_later_waits():
    asked = reference()
    asked.follow(waypoints([0.5], [[1.0, 1.0]]), start=2.0)
    np.testing.assert_allclose(asked.sample(1.9).position, [0.0, 1.0])
    np.testing.assert_allclose(asked.sample(2.5).position, [1.0, 1.0])


def test_joints_that_are_not_asked_for_stay():
    asked = reference()
    asked.follow(waypoints([1.0], [[NONE, 4.0]]), start=0.0)
    np.testing.assert_allclose(asked.sample(2.0).position, [0.0, 4.0])


def test_a_set_point_is_carried_on_and_then_stopped():
    asked = reference()
    asked.follow(waypoints([0.0], [[1.0, 1.0]], [[2.0, 0.0]]), start=0.0)
    assert asked.sample(0.05).position[0] == pytest.approx(1.1)
    assert asked.sample(0.05).velocity[0] == 2.0
    assert asked.sample(5.0).position[0] == pytest.approx(1.2)
    assert asked.sample(5.0).velocity[0] == 0.0


FAR = 160.0
"""25 turns and almost a half [rad]."""
WAYS = {
    "one point": ([9.0], [FAR]),
    "two points": ([4.0, 9.0], [50.0, FAR]),
    "from the start": ([0.0, 9.0], [0.0, FAR]),
    "many points": (np.linspace(0.5, 9.0, 40), np.linspace(2.0, FAR, 40)),
    "back and forth": ([3.0, 6.0, 9.0], [FAR, -FAR, FAR]),
}


@pytest.mark.parametrize("where", [0.0, 2.9, -2.9])
@pytest.mark.parametrize(("times", "angles"), WAYS.values(), ids=WAYS)
def test_a_motion_of_a_continuous_joint_covers_what_is_written(times, angles, where):
    asked = reference(position=(where, where), continuous=(True, False))
    asked.follow(waypoints(times, [[angle, angle] for angle in angles]), start=1.0)
    np.testing.assert_allclose(asked.sample(1.0).position, where)
    np.testing.assert_allclose(asked.sample(99.0).position, FAR)
    path = [asked.sample(time).position for time in np.linspace(1.0, 10.0, 2001)]
    np.testing.assert_allclose(np.diff(path, axis=0)[:, 0], np.diff(path, axis=0)[:, 1])


def test_a_set_point_of_a_continuous_joint_is_taken_the_short_way():
    asked = reference(position=(6.0, 6.0), continuous=(True, False))
    asked.follow(waypoints([0.0], [[0.1, 0.1]]), start=0.0)
    np.testing.assert_allclose(asked.sample(0.0).position, [2 * np.pi + 0.1, 0.1])


def test_a_first_point_for_the_start_tells_the_turn_it_counts_from():
    asked = reference(position=(FAR, 1.0), continuous=(True, False))
    seen = FAR - 50 * np.pi
    asked.follow(waypoints([0.0, 1.0], [[seen, 1.0], [seen + 1.0, 2.0]]), start=0.0)
    np.testing.assert_allclose(asked.sample(1.0).position, [FAR + 1.0, 2.0])
    asked.follow(waypoints([1.0], [[seen, 1.0]]), start=2.0)
    np.testing.assert_allclose(asked.sample(3.0).position, [seen, 1.0])


def test_a_motion_counts_from_the_turn_that_the_robot_is_in():
    asked = reference(position=(0.5, 0.0), continuous=(True, False))
    asked.sample(0.0)
    pushed = np.array([0.4 + 2 * np.pi, 0.0])
    asked.follow(waypoints([1.0], [[7.0, 0.0]]), start=0.0, measured=pushed)
    np.testing.assert_allclose(asked.sample(0.0).position, [0.5 + 2 * np.pi, 0.0])
    np.testing.assert_allclose(asked.sample(1.0).position, [7.0, 0.0])


def test_efforts_alone_leave_the_position_where_it_is():
    asked = reference()
    efforts = np.array([[3.0, -1.0], [5.0, 1.0]])
    points = waypoints([0.0, 2.0], np.full((2, 2), NONE))
    asked.follow(replace(points, efforts=efforts), start=0.0)
    state = asked.sample(1.0)
    np.testing.assert_allclose(state.position, [0.0, 1.0])
    np.testing.assert_allclose(state.velocity, 0.0)
    np.testing.assert_allclose(state.effort, [2.5, 0.5])


def test_a_first_point_that_is_elsewhere_makes_no_jump():
    asked = reference()
    asked.follow(waypoints([1.0], [[2.0, 3.0]]), start=0.0)
    before = asked.sample(0.5)
    asked.follow(waypoints([0.0, 1.0], [[9.0, 9.0], [-2.0, 0.0]]), start=0.5)
    after = asked.sample(0.5)
    np.testing.assert_allclose(after.position, before.position)
    np.testing.assert_allclose(after.velocity, before.velocity)
    np.testing.assert_allclose(asked.sample(1.5).position, [-2.0, 0.0])


def test_a_motion_that_has_begun_already_is_joined_on_the_way():
    asked = reference()
    asked.sample(10.6)
    asked.follow(waypoints([0.5, 1.0], [[5.0, 5.0], [2.0, 3.0]]), start=10.0)
    np.testing.assert_allclose(asked.sample(10.6).position, [0.0, 1.0])
    np.testing.assert_allclose(asked.sample(11.0).position, [2.0, 3.0])
    path = np.array([asked.sample(t).position for t in np.linspace(10.6, 11.0, 401)])
    assert np.abs(np.diff(path, axis=0)).max() < 0.02


@pytest.mark.parametrize(("times", "start"), [([0.5, 1.0], 9.0), ([0.0], 8.9)])
def test_what_is_past_is_refused_and_changes_nothing(times, start):
    asked = reference()
    asked.sample(10.0)
    with pytest.raises(RobcogenError, match="s old"):
        asked.follow(waypoints(times, [[5.0, 5.0]] * len(times)), start)
    np.testing.assert_allclose(asked.sample(10.1).position, [0.0, 1.0])


def test_a_motion_for_later_follows_the_one_that_is_then():
    asked = reference()
    asked.follow(waypoints([1.0], [[2.0, 2.0]]), start=1.0)
    asked.follow(waypoints([1.0], [[4.0, 4.0]]), start=5.0)
    path = np.array([asked.sample(t).position for t in np.linspace(0.0, 7.0, 7001)])
    assert np.abs(np.diff(path, axis=0)).max() < 0.005
    np.testing.assert_allclose(path[3000], [2.0, 2.0])
    np.testing.assert_allclose(path[-1], [4.0, 4.0])


def test_a_motion_that_swings_out_between_its_points_is_refused():
    bounds = Bounds(["a", "b"], np.array([-1.0, -1.0]), np.array([1.0, 2.0]))
    asked = ReferenceFollower(np.array([0.0, 2.5]), np.zeros(2, bool), 0.1, bounds)
    with pytest.raises(RobcogenError, match=r"joint 'a' goes to 1\.32"):
        asked.follow(waypoints([1.0], [[0.9, 0.0]], [[-4.0, 0.0]]), start=0.0)
    np.testing.assert_array_equal(asked.sample(0.5).position, [0.0, 2.5])
    asked.follow(waypoints([2.0], [[1.0, 0.0]], [[0.0, 0.0]]), start=1.0)
    np.testing.assert_allclose(asked.sample(3.0).position, [1.0, 0.0])
