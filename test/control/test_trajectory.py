import numpy as np
import pytest

from robcogen_ros.control.trajectory import Trajectory

TIMES = (0.0, 0.4, 1.0, 1.3)


def polynomial(degree):
    """A polynomial motion of two joints, with its derivatives, at TIMES."""
    random = np.random.default_rng(degree)
    joints = [np.polynomial.Polynomial(random.normal(size=degree + 1)) for _ in range(2)]

    def at(t, order):
        return np.stack([p.deriv(order)(np.asarray(t)) if order else p(t) for p in joints], -1)

    return at


@pytest.mark.parametrize(("degree", "given"), [(3, 2), (5, 3)])
def test_a_motion_of_the_degree_that_is_determined_is_met_exactly(degree, given):
    at = polynomial(degree)
    rows = [at(np.array(TIMES), order) for order in range(given)]
    trajectory = Trajectory.through(TIMES, *rows)
    for t in np.linspace(0.0, 1.3, 27):
        state = trajectory.sample(float(t))
        for order in range(3):
            np.testing.assert_allclose(state[order], at(t, order), atol=1e-9)


def test_positions_alone_give_a_smooth_motion_that_overshoots_no_point():
    positions = np.array([[0.0], [1.0], [1.1], [1.0]])
    trajectory = Trajectory.through(TIMES, positions)
    samples = [trajectory.sample(t) for t in np.linspace(0, 1.3, 1301)]
    q = np.array([s.position[0] for s in samples])
    qd = np.array([s.velocity[0] for s in samples])
    assert q.min() >= 0.0
    assert q.max() <= 1.1 + 1e-12
    assert np.abs(qd[[0, -1]]).max() < 1e-14
    assert np.abs(np.diff(qd)).max() < 0.05
    np.testing.assert_allclose(np.diff(q) / 1e-3, (qd[1:] + qd[:-1]) / 2, atol=1e-3)


def test_it_rests_before_the_first_and_after_the_last_point():
    trajectory = Trajectory.through(TIMES, np.arange(4.0)[:, None], np.ones((4, 1)))
    for time, position in ((-1.0, 0.0), (9.0, 3.0)):
        state = trajectory.sample(time)
        assert (state.position[0], state.velocity[0], state.acceleration[0]) == (position, 0, 0)
    assert trajectory.sample(1.3).velocity[0] == pytest.approx(1.0)


def test_efforts_are_interpolated():
    efforts = np.array([[0.0], [4.0], [4.0], [0.0]])
    trajectory = Trajectory.through(TIMES, np.zeros((4, 1)), efforts=efforts)
    assert trajectory.sample(0.1).effort[0] == pytest.approx(1.0)


def test_times_must_increase():
    with pytest.raises(ValueError, match="increase"):
        Trajectory.through((0.0, 0.0), np.zeros((2, 1)))
