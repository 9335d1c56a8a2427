from robcogen_ros.control.watchdog import Watchdog


def looks(dog, start, end):
    steps = round((end - start) / dog.period)
    return [dog.expired(start + k * dog.period) for k in range(steps + 1)]


def test_it_expires_when_it_is_not_fed():
    dog = Watchdog(0.1, 0.02)
    assert not any(looks(dog, 0.0, 1.0))
    dog.feed()
    assert not any(looks(dog, 1.02, 1.08))
    assert looks(dog, 1.1, 1.2)[-1]
    dog.feed()
    assert not any(looks(dog, 1.22, 1.28))


def test_it_does_not_expire_because_nobody_looked():
    dog = Watchdog(0.1, 0.02)
    dog.feed()
    assert not dog.expired(1.0)
    assert not dog.expired(50.0)


def test_a_timeout_of_zero_never_expires():
    dog = Watchdog(0.0, 0.02)
    dog.feed()
    assert not any(looks(dog, 0.0, 10.0))
