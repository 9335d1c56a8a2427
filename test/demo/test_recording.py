"""What a recording of a motion is judged by."""

import numpy as np
import pytest

from robcogen_ros.control.trajectory import Trajectory
from robcogen_ros.demo.recording import Recording, evaluate
from robcogen_ros.errors import RobcogenError

RAMP = Trajectory.through(
    (0.0, 1.0), np.array([[0.0], [2.0]]), np.full((2, 1), 2.0), np.zeros((2, 1))
)


def recording(start=3.3, answered=slice(None), position=0.5, effort=1.0):
    """Eleven states in a second, with one before and one after; efforts come 2 ms after each."""
    stamps = start + 0.1 * np.arange(-1.0, 12.0)
    arrival = 100.0 + 0.2 * np.arange(13.0)
    values = np.full((13, 1), position)
    states = {"arrival": arrival, "stamp": stamps, "position": values, "effort": values}
    commands = {"arrival": arrival + 0.002, "stamp": stamps, "effort": np.full((13, 1), effort)}
    commands = {name: rows[answered] for name, rows in commands.items()}
    return Recording(start, 1.0, states, commands, {})


@pytest.mark.parametrize("start", [0.7, 3.3, 1234.567])
def test_the_numbers_do_not_depend_on_when_a_motion_began(start):
    found = evaluate(recording(start), RAMP)
    np.testing.assert_array_equal(found.time, np.round(0.1 * np.arange(11), 9))
    np.testing.assert_allclose(found.error[:, 0], 0.2 * np.arange(11) - 0.5, atol=1e-12)
    assert found.worst == pytest.approx([1.5])
    np.testing.assert_allclose(found.cycle, 0.2)
    np.testing.assert_allclose(found.response, 0.002)


def test_states_without_an_effort_are_counted():
    assert evaluate(recording(), RAMP).unanswered == 0
    found = evaluate(recording(answered=slice(None, None, 2)), RAMP)
    assert found.unanswered == 6
    np.testing.assert_allclose(found.response, 0.002)


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"answered": slice(0, 2)}, "stopped during the motion"),
        ({"position": np.nan}, "positions that are not finite"),
        ({"effort": np.inf}, "efforts that are not finite"),
    ],
)
def test_a_motion_that_was_broken_off_is_not_judged(broken, said):
    with pytest.raises(RobcogenError, match=said):
        evaluate(recording(**broken), RAMP)
