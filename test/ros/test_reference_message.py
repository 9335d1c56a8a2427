from types import SimpleNamespace

import numpy as np
import pytest

from robcogen_ros.control.reference import Bounds
from robcogen_ros.errors import RobcogenError
from robcogen_ros.ros.messages.reference import MOST_POINTS, waypoints

BOUNDS = Bounds(["a", "b", "c"], np.full(3, -1.0), np.full(3, 1.0))


def point(seconds, positions=(), velocities=(), accelerations=(), effort=()):
    whole, rest = divmod(round(seconds * 1e9), 10**9)
    time = SimpleNamespace(sec=whole, nanosec=rest)
    return SimpleNamespace(
        positions=positions,
        velocities=velocities,
        accelerations=accelerations,
        effort=effort,
        time_from_start=time,
    )


def message(names, *points):
    return SimpleNamespace(joint_names=names, points=points)


def test_values_go_to_their_joints_by_name():
    read = waypoints(
        message(["c", "a"], point(0.5, [0.3, 0.1], [3.0, 1.0]), point(1.25, [0.4, 0.2])),
        BOUNDS,
    )
    assert read.times == (0.5, 1.25)
    np.testing.assert_array_equal(read.positions, [[0.1, np.nan, 0.3], [0.2, np.nan, 0.4]])
    np.testing.assert_array_equal(read.velocities[0], [1.0, np.nan, 3.0])
    assert np.isnan(read.velocities[1]).all()
    np.testing.assert_array_equal(read.efforts, np.zeros((2, 3)))


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        (message(["a"]), "no points"),
        (message([], point(0)), "names no joints"),
        (message(["a", "a"], point(0, [0, 0])), "twice"),
        (message(["wheel"], point(0, [0])), "no joint 'wheel'"),
        (message(["a"], point(0, [0, 0])), "2 positions for 1 joints"),
        (message(["a"], point(0, [np.nan])), "not finite"),
        (message(["a"], point(0, [0], [np.inf])), "velocities that are not finite"),
        (message(["a"], point(0, [], [1.0])), "no positions"),
        (message(["a"], point(1, [0]), point(1, [0])), "do not increase"),
        (message(["a"], point(0, [0]), point(1, [1.5])), "1.5 for joint 'a'.*-1 and 1"),
    ],
)
def test_what_must_not_be_followed_is_refused_with_a_reason(bad, complaint):
    with pytest.raises(RobcogenError, match=complaint):
        waypoints(bad, BOUNDS)


def test_robots_on_legs_take_a_number_of_points():
    points = [point(k, [0.0]) for k in range(MOST_POINTS + 1)]
    assert len(waypoints(message(["a"], *points), BOUNDS).times) == 1001
    waypoints(message(["a"], *points[1:]), BOUNDS, most=MOST_POINTS)
    with pytest.raises(RobcogenError, match="expected at most 1000 points, found 1001"):
        waypoints(message(["a"], *points), BOUNDS, most=MOST_POINTS)


def test_efforts_may_come_alone():
    read = waypoints(message(["c", "a"], point(0.5, effort=[3.0, 1.0])), BOUNDS)
    np.testing.assert_array_equal(read.efforts, [[1.0, 0.0, 3.0]])
    assert np.isnan(read.positions).all()
    for bad in (point(0, [], [1.0], effort=[1.0]), point(0)):
        with pytest.raises(RobcogenError, match="no positions"):
            waypoints(message(["a"], bad), BOUNDS)


def test_positions_that_no_mode_would_follow_are_refused():
    for given in ([0.0], ()):
        waypoints(message(["a"], point(0, given, effort=[0.0])), BOUNDS, follows=False)
    with pytest.raises(RobcogenError, match="follows no positions, it adds efforts"):
        waypoints(message(["a"], point(0, [0.0])), BOUNDS, follows=False)


def test_joints_may_only_be_left_out_where_that_is_allowed():
    part = message(["a", "c"], point(1, [0, 0]))
    assert np.isnan(waypoints(part, BOUNDS).positions[0, 1])
    with pytest.raises(RobcogenError, match="leaves out joint 'b'"):
        waypoints(part, BOUNDS, partial=False)
