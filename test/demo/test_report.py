"""The report tells what feed-forward is worth, and what of it is this machine's."""

from types import SimpleNamespace

import numpy as np
import pytest

from robcogen_ros.demo.recording import Result
from robcogen_ros.demo.report import report

ROBOT = SimpleNamespace(joint_names=("hip", "slide"), units=("rad", "m"))


def result(error, unanswered=0, cycle=0.001):
    wanted = np.full((10, 2), error)
    return Result(
        time=np.arange(10.0),
        position=np.zeros((10, 2)),
        wanted=wanted,
        effort=np.zeros((10, 2)),
        unanswered=unanswered,
        cycle=np.full(9, cycle),
        response=np.full(10, 0.4 * cycle),
        controller={},
    )


def told(*results):
    """The report's parts: errors, real time, costs."""
    return report(ROBOT, 1000.0, results, []).split("\n\n")


@pytest.mark.parametrize(("without", "ratio"), [(0.05, "50"), (0.0012, "1.2"), (0.0005, "0.5")])
def test_the_worth_of_feed_forward_is_told(without, ratio):
    errors, *_ = told(result(0.001), result(without))
    rows = {words[0]: words[-1] for line in errors.splitlines() if (words := line.split())}
    assert rows["hip"] == rows["slide"] == ratio
    assert f"the error is {ratio} times as large" in errors


@pytest.mark.parametrize("which", [0, 1])
def test_what_was_missed_stands_beside_it(which):
    results = [result(0.001), result(0.05)]
    assert "0 of 20 joint states were not answered by an effort." in told(*results)[0]
    results[which] = result((0.001, 0.05)[which], unanswered=3)
    errors = told(*results)[0]
    assert "the error is 50 times as large" in errors
    assert "3 of 20 joint states were not answered by an effort: the errors show" in errors


def test_only_the_times_are_those_of_the_machine():
    quick, slow = (told(result(0.001, cycle=c), result(0.05, cycle=c)) for c in (0.001, 0.004))
    assert quick[0] == slow[0]
    assert "in real time, on this machine" in quick[1]
    for part, rate, missed, cycle in (
        (quick, "1000", "0.00%", "1.00"),
        (slow, "250", "75.00%", "4.00"),
    ):
        rows = [line.split() for line in part[1].splitlines()]
        assert ["cycles", "a", "second", rate, rate] in rows
        assert ["cycles", "missed", missed, missed] in rows
        assert [cycle] * 6 in (words[-6:] for words in rows)
    assert "too busy or too slow for 1000 Hz" in slow[1]
    assert "too busy" not in quick[1]
