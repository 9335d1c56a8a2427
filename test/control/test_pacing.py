import pytest

from robcogen_ros.control.pacing import Pacer


class Clock:
    def __init__(self):
        self.now = 50.0

    def __call__(self):
        return self.now

    def sleep(self, duration):
        self.now += duration + 0.0001


def test_deadlines_do_not_drift():
    clock = Clock()
    pacer = Pacer(0.01, clock, clock.sleep)
    for _ in range(1000):
        assert pacer.wait() == 1
    assert clock.now - 50.0 == pytest.approx(10.0, abs=0.001)
    assert pacer.statistics.missed == 0
    assert pacer.statistics.worst == pytest.approx(0.0001, rel=0.01)


def test_missed_deadlines_are_counted_and_made_up_for():
    clock = Clock()
    pacer = Pacer(0.01, clock, clock.sleep)
    pacer.wait()
    clock.now += 0.0355
    assert pacer.wait() == 3
    assert pacer.wait() == 1
    assert pacer.statistics.missed == 2
    assert clock.now - 50.0 == pytest.approx(0.05, abs=0.001)
