from robcogen_ros.control.watchdog import Watchdog


def test_it_expires_when_it_is_not_fed():
    dog = Watchdog(0.1)
    assert not dog.expired(100.0)
    dog.feed(100.0)
    assert not dog.expired(100.05)
    assert dog.expired(100.2)
    dog.feed(100.2)
    assert not dog.expired(100.25)


def test_a_timeout_of_zero_never_expires():
    dog = Watchdog(0.0)
    dog.feed(0.0)
    assert not dog.expired(1e9)
