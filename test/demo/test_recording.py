from types import SimpleNamespace

import pytest

from robcogen_ros.demo.recording import evaluate
from robcogen_ros.errors import RobcogenError


@pytest.mark.parametrize("what", ["state_losses", "time_leaps"])
def test_a_motion_that_was_broken_off_is_not_judged(what):
    recording = SimpleNamespace(states={}, commands={}, controller={what: 1.0})
    with pytest.raises(RobcogenError, match="too busy"):
        evaluate(recording, trajectory=None)
