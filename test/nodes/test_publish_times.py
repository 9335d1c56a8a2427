import numpy as np
import pytest

from robcogen_ros.nodes.publish_times import PublishTimes, interval

SECOND = 10**9


def times(frequency, **more):
    return PublishTimes(interval(frequency), **more)


def test_intervals_are_exact():
    """Of states 1 ms apart, a rate of 300 Hz takes every 4th, as three are less than 1/300 s."""
    taken = times(300.0)
    taken.jumped_back(100 * SECOND)
    stamps = range(SECOND, 2 * SECOND, 1_000_000)
    published = [stamp for stamp in stamps if taken.due(["a"], stamp)]
    assert set(np.diff(published)) == {4_000_000}


@pytest.mark.parametrize("frequency", [1.0, 20.0, 1000.0])
def test_states_at_the_rate_itself_are_all_taken(frequency):
    taken = times(frequency)
    taken.jumped_back(100 * SECOND)
    step = SECOND / frequency
    assert all(taken.due(["a"], SECOND + round(i * step)) for i in range(500))


def test_no_frequency_is_no_limit():
    taken = times(0.0)
    taken.jumped_back(100 * SECOND)
    assert all(taken.due(["a"], SECOND + i) for i in range(100))
    assert taken.due(["a"], SECOND + 99)
    assert not taken.due(["a"], SECOND + 98)


def test_a_state_without_time_is_never_due():
    assert not times(20.0).due(["a"], 0)
    assert times(20.0, always=True).due(["a"], 0)


def test_each_joint_has_its_own_time():
    taken = times(20.0)
    taken.jumped_back(100 * SECOND)
    assert taken.due(["a"], 10 * SECOND)
    assert taken.due(["b"], 10 * SECOND)
    assert not taken.due(["b", "a"], 10 * SECOND)
    assert taken.due(["a", "c"], 10 * SECOND), "c is new"


def test_times_ahead_of_the_clock_count_as_the_clocks_time():
    taken = times(20.0)
    taken.jumped_back(10 * SECOND)
    assert taken.due(["a"], 50 * SECOND)
    assert not taken.due(["a"], 10 * SECOND)
    assert taken.due(["a"], 10 * SECOND + interval(20.0))


def test_a_clock_that_jumps_back_makes_all_due_again():
    taken = times(20.0)
    assert not taken.jumped_back(100 * SECOND)
    assert taken.due(["a"], 100 * SECOND)
    assert not taken.jumped_back(100 * SECOND)
    assert not taken.due(["a"], 5 * SECOND)
    assert taken.jumped_back(5 * SECOND)
    assert taken.due(["a"], 5 * SECOND)
    assert not taken.jumped_back(5 * SECOND + 1)
