"""What the log is told again and again."""

from __future__ import annotations

from robcogen_ros.nodes.throttle import Throttle


def test_equal_texts_pass_once_in_a_while_and_different_ones_beside_each_other(monkeypatch):
    now = [10.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    throttle = Throttle(2.0, most=3)
    assert [throttle.passes(text) for text in "abab"] == [True, True, False, False]
    now[0] = 11.0
    assert [throttle.passes(text) for text in "cda"] == [True, False, False]
    now[0] = 12.0
    assert [throttle.passes(text) for text in "abc"] == [True, True, False]
