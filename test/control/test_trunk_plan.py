"""Plans of the trunk and motions of the posture, as the loop in C++ interpolates them."""

import numpy as np
import pytest
from scipy.interpolate import BPoly
from scipy.spatial.transform import Rotation

from test.control.told import PLACE, Told

pytestmark = pytest.mark.slow

TIMES, STEP = np.array([0.0, 0.7, 1.0, 2.5]), 1e-4


def points():
    """Poses that turn by some hundredths of a radian each, one quaternion the other way.

    They move by millimeters, so that the feet can follow.
    """
    random = np.random.default_rng(5)
    rows = random.normal(size=(len(TIMES), 19))
    for linear in (slice(0, 3), slice(10, 13), slice(16, 19)):
        rows[:, linear] *= 0.003
    rows[:, :3] += PLACE
    rows[:, 7:10] *= 0.03
    rows[:, 13:16] *= 0.1
    turn = Rotation.identity()
    for row in rows:
        turn = Rotation.from_rotvec(0.03 * random.normal(size=3)) * turn
        row[3:7] = turn.as_quat()
    rows[2, 3:7] *= -1.0
    return rows


def plan(rows, twists=True, accelerations=True):
    """What the trunk, which follows, is to do by the time, through points whose derivatives may be
    chosen.
    """
    told, given = Told(reference_timeout=0.1), rows.copy()
    given[:, 7:13] += 0.0 if twists else np.nan
    given[:, 13:] += 0.0 if accelerations else np.nan
    told.cycle(rows[0, :3], rows[0, 3:7])
    for time, row in zip(TIMES, given, strict=True):
        told.follow(time, row)
    now = [0.0, rows[0]]

    def motion(time):
        count = int(np.ceil(abs(time - now[0]) / 0.005)) or 1
        for age in np.linspace(now[0], time, count + 1)[1:]:
            pose = now[1][:3], now[1][3:7]
            now[:] = age, told.cycle(*pose, reference_age=age)["trunk"].copy()
        return now[1]

    return motion


@pytest.mark.parametrize(("twists", "accelerations"), [(True, True), (True, False), (False, False)])
def test_velocities_are_those_of_the_poses(twists, accelerations):
    motion = plan(points(), twists, accelerations)
    for time in np.linspace(0.05, 2.45, 31):
        before, now, after = (motion(time + shift) for shift in (-STEP, 0.0, STEP))
        turns = [Rotation.from_quat(m[3:7]) for m in (before, after)]
        rate = (turns[1] * turns[0].inv()).as_rotvec() / (2.0 * STEP)
        np.testing.assert_allclose(now[7:10], rate, atol=1e-5)
        np.testing.assert_allclose(now[10:13], (after[:3] - before[:3]) / (2 * STEP), atol=1e-5)
        if np.abs(time - TIMES).min() > 2 * STEP:
            slope = (after[7:13] - before[7:13]) / (2.0 * STEP)
            np.testing.assert_allclose(now[13:19], slope, atol=1e-4)


@pytest.mark.parametrize("twists", [True, False])
def test_points_are_met_and_without_twists_the_motion_rests_at_its_ends(twists):
    rows = points()
    motion = plan(rows, twists, twists)
    for time, row in zip(TIMES, rows, strict=True):
        found = motion(time)
        np.testing.assert_allclose(found[:3], row[:3], atol=1e-12)
        assert abs(found[3:7] @ row[3:7]) == pytest.approx(1.0)
        if twists:
            np.testing.assert_allclose(found[7:], row[7:], atol=1e-9)
    if not twists:
        assert np.abs(motion(0.0)[7:13]).max() < 1e-12
        assert np.abs(motion(2.5)[7:13]).max() < 1e-12


@pytest.mark.parametrize("accelerations", [True, False])
def test_positions_are_those_of_hermite_polynomials(accelerations):
    rows = points()
    motion = plan(rows, accelerations=accelerations)
    orders = [slice(0, 3), slice(10, 13), slice(16, 19)][: 3 if accelerations else 2]
    told = [[row[order] for order in orders] for row in rows]
    expected = BPoly.from_derivatives(TIMES, told)
    for time in np.linspace(0.0, 2.5, 21):
        np.testing.assert_allclose(motion(time)[:3], expected(time), atol=1e-10)


def test_a_plan_is_carried_on_after_its_end_and_then_stands():
    """At its last twist: the acceleration that interpolation ends with is not what was asked."""
    rows = points()
    motion = plan(rows, accelerations=False)
    rows[:, 16:] = 0.0
    late = motion(2.55)
    end = motion(2.5)
    expected = end[:3] + 0.05 * rows[-1, 10:13]
    np.testing.assert_allclose(late[:3], expected, atol=1e-9)
    assert not motion(2.65)[7:].any()
    np.testing.assert_allclose(motion(9.0)[:3], motion(2.65)[:3])


class Posture:
    """The posture that a loop prefers."""

    def __init__(self, **settings):
        self.told = Told(**settings)
        self.told.cycle(PLACE)
        self.lower, self.upper = self.told.robot.lower_limits, self.told.robot.upper_limits

    def prefer(self, *points, **derivatives):
        for time, position in points:
            given = {name: rows[time] for name, rows in derivatives.items()}
            self.told.loop.call("prefer", time=time, position=position, **given)

    def at(self, age):
        return self.told.cycle(PLACE, posture_age=age)["posture"].copy()


def test_a_posture_goes_from_where_it_is_through_points_and_others_keep_theirs():
    own = np.full(12, 0.2)
    loop = Posture(posture=own)
    there, none = np.full(12, np.nan), np.full(12, np.nan)
    there[3] = 0.5
    loop.prefer((0.0, none), (2.0, there))
    np.testing.assert_allclose(loop.at(0.0), own)
    middle = loop.at(1.0)
    assert middle[3] == pytest.approx(0.35)  # of a cubic that rests at both ends
    np.testing.assert_allclose(np.delete(middle, 3), 0.2)
    other = np.full(12, np.nan)
    other[3] = 0.6
    loop.prefer((0.0, none), (1.0, other))
    assert loop.at(0.0)[3] == pytest.approx(0.35)
    slope = (loop.at(1e-4)[3] - 0.35) / 1e-4
    assert slope == pytest.approx(1.5 * 0.3 / 2.0, rel=1e-2)  # the speed that it had
    assert loop.at(1.0)[3] == pytest.approx(0.6)
    assert loop.at(9.0)[3] == pytest.approx(0.6)
    loop.told.loop.call("change", posture=np.full(12, 0.1))
    np.testing.assert_allclose(loop.at(9.0), 0.1)


def test_a_posture_stays_within_the_limits_of_joints_between_its_points():
    loop = Posture(posture=np.zeros(12))
    joint = int(np.argmin(loop.upper))
    near = np.zeros(12)
    near[joint] = loop.upper[joint] - 0.01
    fast = np.zeros(12)
    fast[joint] = 50.0
    loop.prefer((0.0, near), (1.0, near), (2.0, near), velocity={0.0: fast, 1.0: fast, 2.0: fast})
    assert loop.at(1.2)[joint] == pytest.approx(loop.upper[joint])
    assert loop.at(2.0)[joint] == pytest.approx(near[joint])


def test_a_single_point_for_now_is_where_the_posture_is_at_once():
    loop = Posture()
    np.testing.assert_array_equal(loop.at(None), np.zeros(12))
    loop.prefer((0.0, np.full(12, 0.3)))
    np.testing.assert_allclose(loop.at(0.0), 0.3)
