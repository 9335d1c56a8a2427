import pytest

from robcogen_ros.control.ramp import LONGEST_STEP, Ramp


def test_it_rises_to_one_in_its_time():
    ramp = Ramp(0.5)
    shares = [ramp.share(3.0 + k / 1000) for k in range(700)]
    assert shares[0] == 0.0
    assert shares[250] == pytest.approx(0.5)
    assert shares[500:] == pytest.approx([1.0] * 200)


def test_without_time_it_is_there_at_once():
    assert Ramp(0.0).share(7.0) == 1.0


def test_a_pause_or_a_clock_set_back_does_not_bring_it_on():
    ramp = Ramp(1.0)
    ramp.share(0.0)
    assert ramp.share(100.0) == pytest.approx(LONGEST_STEP)
    assert ramp.share(50.0) == pytest.approx(LONGEST_STEP)


def test_it_begins_anew():
    ramp = Ramp(0.01)
    ramp.share(0.0)
    assert ramp.share(0.02) == 1.0
    ramp.restart()
    assert ramp.share(0.03) == 0.0
