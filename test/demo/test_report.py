"""The report judges feed-forward only where the loop ran as it should."""

from types import SimpleNamespace

import numpy as np
import pytest

from robcogen_ros.demo.recording import Result
from robcogen_ros.demo.report import report

ROBOT = SimpleNamespace(joint_names=("hip", "slide"), prismatic=(False, True))


def result(error, missed=0.0, unanswered=0.0):
    wanted = np.full((10, 2), error)
    return Result(
        time=np.arange(10.0),
        position=np.zeros((10, 2)),
        wanted=wanted,
        effort=np.zeros((10, 2)),
        states_rate=1000.0,
        commands_rate=1000.0,
        missed=missed,
        unanswered=unanswered,
        response=np.array([0.001]),
        controller={},
    )


def test_the_worth_of_feed_forward_is_told():
    text = report(ROBOT, 1000.0, (result(0.001), result(0.05)), [])
    assert "makes the error 50 times smaller" in text
    assert "too busy" not in text


@pytest.mark.parametrize("broken", [{"missed": 0.002}, {"unanswered": 0.002}])
@pytest.mark.parametrize("which", [0, 1])
def test_where_cycles_were_missed_it_is_not(broken, which):
    results = [result(0.001), result(0.05)]
    results[which] = result((0.001, 0.05)[which], **broken)
    text = report(ROBOT, 1000.0, tuple(results), [])
    assert "times smaller" not in text
    assert " 50\n" not in text
    assert "is not told, for cycles were missed" in text
    assert "Try a lower rate" in text
    assert "0.20%" in text
