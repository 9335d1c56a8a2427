from dataclasses import replace

import numpy as np
import pytest

from robcogen_ros.control.cycles import Command
from robcogen_ros.nodes.work import Level, Work

GOOD = Command(np.zeros(1))


def work(commands, duration=1e-4):
    done = Work()
    for command in commands:
        done.add(duration, command)
    return done


def test_what_it_has_done_is_counted():
    done = work([GOOD] * 3 + [replace(GOOD, scale=0.5)], duration=2e-3)
    done.close_window(0.5, lost=False)
    numbers = done.numbers()
    assert (numbers["commands"], numbers["saturated"], numbers["rate"]) == (4, 1, 8.0)
    assert numbers["mean_duration"] == pytest.approx(2e-3)


@pytest.mark.parametrize(
    ("commands", "lost", "level", "message"),
    [
        ([GOOD], False, Level.OK, "in control"),
        ([], False, Level.STALE, "no joint states yet"),
        ([GOOD, replace(GOOD, scale=0.5)], False, Level.WARN, "1 of 2 commands at a limit"),
        ([replace(GOOD, sound=False)], False, Level.ERROR, "not finite"),
        ([GOOD], True, Level.ERROR, "stopped"),
        ([GOOD] * 600, False, Level.WARN, "600 Hz"),
    ],
)
def test_how_things_are(commands, lost, level, message):
    found = work(commands).close_window(1.0, lost)
    assert found.level is level
    assert message in found.message


def test_a_refused_message_is_told_until_the_next_window():
    done = work([GOOD])
    done.refuse("reference ignored: it has no points")
    found = done.close_window(1.0, lost=False)
    assert (found.level, found.message) == (Level.WARN, "reference ignored: it has no points")
    done.add(1e-4, GOOD)
    later = done.close_window(1.0, lost=False)
    assert later.level is Level.OK
    assert later.values["last error"] == "reference ignored: it has no points"


def test_soft_real_time_is_told_where_it_is_not_enough():
    fast, slow, fine = work([GOOD] * 1000), work([GOOD] * 100, duration=8e-3), work([GOOD] * 100)
    for done in (fast, slow, fine):
        done.close_window(1.0, lost=False)
    assert "1000 Hz" in fast.pace_problem()
    assert "80%" in slow.pace_problem()
    assert fine.pace_problem() is None


def test_an_arm_that_was_pushed_is_an_error():
    found = work([GOOD]).close_window(1.0, lost=False, stop="joint 'a' was pushed")
    assert (found.level, found.message) == (Level.ERROR, "stopped: joint 'a' was pushed")
