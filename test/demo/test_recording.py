"""What a recording of a motion is judged by."""

from types import SimpleNamespace

import pytest

from robcogen_ros.demo.recording import evaluate
from robcogen_ros.errors import RobcogenError


@pytest.mark.parametrize(
    ("what", "said"), [("state_losses", "too busy"), ("time_leaps", "was the clock .* set")]
)
def test_a_motion_that_was_broken_off_is_not_judged(what, said):
    recording = SimpleNamespace(states={}, commands={}, controller={what: 1.0})
    with pytest.raises(RobcogenError, match=said):
        evaluate(recording, trajectory=None)
