"""Parameters from measurements: those of NumPy's least squares, however blocks are cut."""

from __future__ import annotations

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.errors import RobcogenError
from test.support.robots import robot_path

TERMS = ("damping", "friction", "offset")
NOISE = np.array([0.5, 0.4, 0.3, 0.1, 0.05, 0.02])


@pytest.fixture(scope="module")
def robot():
    path = robot_path("ur_description/urdf/ur5_robot.urdf")
    names = ["inverse_dynamics", "inverse_dynamics_regressor", "inertial_parameters"]
    return robcogen_ros.build(path, backend="numpy", functions=names)


def soft_sign(qd):
    """Direction of a motion, as the dynamics have it."""
    return 1000 * qd / np.sqrt((1000 * qd) ** 2 + 1)


@pytest.fixture(scope="module")
def measured(robot):
    """A motion, forces with noise, a weight for each of them."""
    random = np.random.default_rng(1)
    q, qd, qdd = random.normal(size=(3, 600, robot.n))
    tau = robot.inverse_dynamics(q, qd, qdd) + 3 * qd + 2 * soft_sign(qd) + 0.7
    tau += NOISE * random.normal(size=tau.shape)
    return q, qd, qdd, tau, random.uniform(0, 2, size=tau.shape).round(1)


def identified(robot, measured, cuts=(), weights=None, weighted=True):
    identification = robot.identification(terms=TERMS)
    for q, qd, qdd, tau, each in zip(*(np.split(m, cuts) for m in measured), strict=True):
        identification.add(q, qd, qdd, tau, **({"weights": each} if weighted else {}))
    return identification.solve(weights)


def by_numpy(robot, measured, weights):
    """Values, condition, residuals of all rows at once; errors by groups of eight states."""
    q, qd, qdd, tau, each = measured
    base = robot.base_parameters(terms=TERMS)
    eye = np.eye(robot.n)
    joints = [
        qd[..., None] * eye,
        soft_sign(qd)[..., None] * eye,
        np.broadcast_to(eye, (len(q), 6, 6)),
    ]
    Y = np.concatenate([robot.inverse_dynamics_regressor(q, qd, qdd), *joints], axis=-1)
    Y = base.regressor(Y)
    scale = (each * weights)[..., None]
    W, b = (Y * scale).reshape(-1, base.count), (tau * each * weights).ravel()
    values, (left,), _, singular = np.linalg.lstsq(W, b, rcond=None)
    apart = (W * (b - W @ values)[:, None]).reshape(75, -1, base.count).sum(axis=1)
    inverse = np.linalg.inv(W.T @ W)
    count = np.count_nonzero(each)
    factor = 75 / 74 * count / (count - base.count)
    errors = np.sqrt(factor * np.diag(inverse @ apart.T @ apart @ inverse))
    assert left > 0
    rest = each * (tau - Y @ values)
    residuals = np.sqrt((rest**2).sum(axis=0) / np.count_nonzero(each, axis=0))
    return values, errors, singular[0] / singular[-1], residuals


def same(found, other, tolerance=1e-9):
    values, errors, condition, residuals = other
    np.testing.assert_allclose(found.values, values, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(found.standard_errors, errors, rtol=tolerance)
    np.testing.assert_allclose(found.residuals, residuals, rtol=tolerance)
    assert found.condition == pytest.approx(condition, rel=1e-6)


@pytest.mark.parametrize("cuts", [(), (1, 2, 2, 300, 598), range(0, 600, 99)])
@pytest.mark.parametrize("weights", [None, 1 / NOISE])
def test_it_is_the_least_squares_of_all_rows(robot, measured, cuts, weights):
    found = identified(robot, measured, cuts, weights)
    same(found, by_numpy(robot, measured, np.ones(6) if weights is None else weights))
    assert found.states == 600


def test_weights_by_residuals_are_those_of_a_second_pass(robot, measured):
    found = identified(robot, measured, range(0, 600, 99), "residuals")
    first = identified(robot, measured)
    same(found, by_numpy(robot, measured, 1 / first.residuals))
    plain = identified(robot, measured, weights="residuals", weighted=False)
    assert 1 / plain.weights == pytest.approx(NOISE, rel=0.4)


def test_parameters_are_found_within_their_errors(robot, measured):
    found = identified(robot, measured, weights="residuals", weighted=False)
    expected = found.base.values(robot.inertial_parameters())
    of_joints = {"damping": 3.0, "friction": 2.0, "offset": 0.7}
    for k, text in enumerate(found.base.described):
        for term, value in of_joints.items():
            expected[k] += value * text.count(f".{term}")
    assert np.all(np.abs(found.values - expected) < 5 * found.standard_errors)
    errors = (found.values - expected) / found.standard_errors
    assert 0.7 < np.sqrt((errors**2).mean()) < 1.3


def test_forces_that_count_nothing_may_be_anything(robot, measured):
    q, qd, qdd, tau, each = measured
    other = np.where(each == 0, 1e9, tau)
    same_one = identified(robot, (q, qd, qdd, other, each))
    np.testing.assert_array_equal(same_one.values, identified(robot, measured).values)


def test_a_motion_of_one_joint_tells_which_parameters_it_leaves_open(robot):
    identification = robot.identification()
    q = np.zeros((500, robot.n))
    q[:, 5] = np.linspace(0, 3, 500)
    identification.add(q, np.gradient(q, axis=0), np.gradient(q, axis=0), np.zeros_like(q))
    with pytest.raises(RobcogenError, match=r"the motion does not tell .*forearm_link.*; move"):
        identification.solve()


def test_too_few_states(robot, measured):
    with pytest.raises(RobcogenError, match="30 measured forces do not tell 54 parameters"):
        identified(robot, [m[:5] for m in measured], weighted=False)


def test_what_is_given_wrongly(robot, measured):
    q, qd, qdd, tau, _ = (m[:10] for m in measured)
    identification = robot.identification()
    with pytest.raises(ValueError, match=r"tau: expected shape \(..., 6\), found \(10, 5\)"):
        identification.add(q, qd, qdd, tau[:, :5])
    with pytest.raises(ValueError, match="as many states of each, found 10 of q, 9 of qd"):
        identification.add(q, qd[:9], qdd, tau)
    with pytest.raises(ValueError, match="qd: a number is not finite"):
        identification.add(q, np.where(qd < 0, np.nan, qd), qdd, tau)
    with pytest.raises(ValueError, match="weights: expected 'residuals' or numbers, found 'auto'"):
        identification.solve("auto")
    with pytest.raises(ValueError, match=r"terms: expected some of armature, .* found 'stiction'"):
        robot.identification(terms=["stiction"])


def test_arrays_may_have_more_dimensions(robot, measured):
    shaped = [m.reshape(20, 30, 6) for m in measured]
    one, other = identified(robot, measured), identified(robot, shaped)
    np.testing.assert_allclose(one.values, other.values, rtol=1e-12, atol=1e-12)


def test_the_wrench_on_a_floating_base_counts(robot):
    path = robot_path("solo_description/robots/solo12.urdf")
    legged = robcogen_ros.build(
        path, backend="numpy", floating_base=True, functions=["derivatives"]
    )
    random = np.random.default_rng(2)
    q, qd, qdd = random.normal(size=(3, 100, legged.n))
    more = {
        "base_velocity": random.normal(size=(100, 6)),
        "base_acceleration": random.normal(size=(100, 6)),
        "gravity": random.normal(size=(100, 3)),
    }
    Y = legged.inverse_dynamics_regressor(q, qd, qdd, **more)
    tau = Y @ legged.inertial_parameters().ravel()
    identification = legged.identification()
    identification.add(q, qd, qdd, tau, **more)
    found = identification.solve()
    expected = found.base.values(legged.inertial_parameters())
    np.testing.assert_allclose(found.values, expected, atol=1e-10)
    assert found.residuals.shape == (6 + legged.n,)


def test_what_end_stops_bear_is_left_out(robot):
    """A drive presses on into its stop with 6 N m; only that joint's efforts are left out."""
    random = np.random.default_rng(5)
    q, qd, qdd = random.uniform(-1, 1, size=(3, 500, robot.n))
    tau = robot.inverse_dynamics(q, qd, qdd)
    at = np.arange(0, 500, 4)
    for side, joint in ((robot.upper_limits, 2), (robot.lower_limits, 0)):
        stopped = q.copy()
        stopped[at, joint] = side[joint] * (1 - 1e-4)
        pressed = robot.inverse_dynamics(stopped, qd, qdd)
        pressed[at, joint] += 6 * np.sign(side[joint])
        identification = robot.identification()
        identification.add(stopped, qd, qdd, pressed)
        found = identification.solve()
        exact = found.base.values(robot.inertial_parameters())
        np.testing.assert_allclose(found.values, exact, atol=1e-6)
        assert identification.stopped == len(at)
    identification = robot.identification()
    identification.add(q, qd, qdd, tau)
    assert identification.stopped == 0


def test_standard_errors_hold_where_errors_depend_on_each_other(robot):
    """Each state stays for eight, and so does what its forces are wrong by."""
    random = np.random.default_rng(7)
    q, qd, qdd = random.normal(size=(3, 400, robot.n))
    exact = robot.inverse_dynamics(q, qd, qdd)
    errors = []
    for _ in range(6):
        tau = exact + random.normal(size=exact.shape)
        identification = robot.identification()
        identification.add(*(np.repeat(a, 8, axis=0) for a in (q, qd, qdd, tau)))
        found = identification.solve()
        expected = found.base.values(robot.inertial_parameters())
        errors.append((found.values - expected) / found.standard_errors)
    assert 0.8 < np.sqrt(np.mean(np.square(errors))) < 1.3


def test_what_was_found_predicts(robot, measured):
    q, qd, qdd, tau, _ = measured
    found = identified(robot, measured, weights="residuals", weighted=False)
    left = tau - found.predict(q, qd, qdd)
    np.testing.assert_allclose(np.sqrt((left**2).mean(axis=0)), found.residuals, rtol=1e-9)
    assert found.predict(q[0], qd[0], qdd[0]) == pytest.approx(found.predict(q, qd, qdd)[0])


def test_forces_are_compared_with_what_parameters_say(robot):
    q, qd, qdd = np.random.default_rng(3).normal(size=(3, 300, robot.n))
    tau = robot.inverse_dynamics(q, qd, qdd) * [1, 1, -1, 2, 1, 1]
    identification = robot.identification()
    identification.add(q, qd, qdd, tau)
    described = identification.base.values(robot.inertial_parameters())
    slope, correlation = identification.agreement(described)
    np.testing.assert_allclose(slope, [1, 1, -1, 2, 1, 1], atol=1e-9)
    np.testing.assert_allclose(correlation, [1, 1, -1, 1, 1, 1], atol=1e-9)
    assert identification.left(described)[[0, 1, 4, 5]] == pytest.approx(0, abs=1e-9)
