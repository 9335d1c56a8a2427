"""Gaits of a point mass on legs without mass, beside what a linear inverted pendulum does."""

import ctypes
import subprocess
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.backends.render import include_directory
from test.support.eigen import eigen_directory

pytestmark = pytest.mark.slow

HEIGHT, STEP = 0.5, 0.001
RATE = np.sqrt(9.81 / HEIGHT)
FEET = np.array(
    [[0.35, 0.2, -HEIGHT], [0.35, -0.2, -HEIGHT], [-0.35, 0.2, -HEIGHT], [-0.35, -0.2, -HEIGHT]]
)
"""Left fore, right fore, left hind, right hind, from the center of mass."""
DIAGONALS = ([0, 3], [1, 2])


def pointer(values):
    return np.ascontiguousarray(values, dtype=float).ctypes


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    target = tmp_path_factory.mktemp("gait") / "gait.so"
    source = Path(__file__).parent / "cpp" / "gait.cpp"
    flags = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    include = [f"-I{include_directory()}", "-isystem", str(eigen_directory())]
    subprocess.run(["c++", *flags, *include, str(source), "-o", str(target)], check=True)
    loaded = ctypes.CDLL(str(target))
    loaded.gait_new.restype = ctypes.c_void_p
    loaded.polygon.restype = ctypes.c_double
    return loaded


class Gait:
    """A robot that follows its gait."""

    def __init__(
        self, library, *, walks=False, period=0.5, duty=0.55, down=0.0, order=(0, 1, 2, 3)
    ):
        self._library = library
        numbers = [ctypes.c_double(number) for number in (period, duty, down)]
        made = library.gait_new(pointer(FEET[list(order)]), int(walks), *numbers)
        self._made = ctypes.c_void_p(made)

    def run(
        self,
        time,
        *,
        steps=True,
        velocity=(0, 0),
        yaw_rate=0.0,
        kick=(0, 0),
        floor=0.0,
        step=STEP,
        place=None,
    ):
        cycles = round(time / step)
        out = np.zeros((cycles, 59))
        if place is not None:
            self._library.gait_place(self._made, pointer(place))
        self._library.gait_run(
            self._made,
            cycles,
            ctypes.c_double(step),
            int(steps),
            pointer([*velocity, yaw_rate]),
            pointer(kick),
            ctypes.c_double(floor),
            out.ctypes,
        )
        return Record(out)


class Record:
    def __init__(self, out):
        self.steps = out[:, 0] == 1
        self.center, self.velocity, self.pressure = out[:, 1:3], out[:, 3:5], out[:, 5:7]
        feet = out[:, 7:].reshape(len(out), 4, 13)
        self.stands = feet[:, :, 0] == 1
        self.place, self.rate, self.acceleration, self.hold = (
            feet[:, :, 1 + 3 * i : 4 + 3 * i] for i in range(4)
        )
        self.capture = self.center + self.velocity / RATE

    def swings(self, foot):
        """First cycle in the air, and first one on the ground again, of swings that end."""
        changes = np.flatnonzero(np.diff(self.stands[:, foot], prepend=True))
        changes = changes[: len(changes) // 2 * 2]
        return changes.reshape(-1, 2)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 1, 0, 2)])
def test_diagonals_take_turns_in_a_trot(library, order):
    record = Gait(library, order=order).run(3.0)
    stands = record.stands[:, np.argsort(order)]
    for pair in DIAGONALS:
        np.testing.assert_array_equal(stands[:, pair[0]], stands[:, pair[1]])
    assert (stands.sum(axis=1) >= 2).all()
    np.testing.assert_allclose(stands[500:2500].mean(axis=0), 0.55, atol=0.01)


def test_a_pace_sways_from_side_to_side(library):
    """As a robot on two feet does, each of them a pair."""
    record = Gait(library, walks=2, period=0.4).run(6.0)
    np.testing.assert_array_equal(record.stands[:, 0], record.stands[:, 2])
    np.testing.assert_array_equal(record.stands[:, 1], record.stands[:, 3])
    np.testing.assert_allclose(record.stands[1000:].mean(axis=0), 0.55, atol=0.03)
    assert (record.stands.sum(axis=1) >= 2).all()
    assert np.abs(record.center).max() < 0.1
    aside = record.center[2000:, 1]
    assert aside.max() > 0.01 and aside.min() < -0.01


@pytest.mark.parametrize("pause", [0.1, 0.3, 1.0, 60.0, -3600.0])
@pytest.mark.parametrize(("walks", "least"), [(False, 2), (True, 3)])
def test_one_long_cycle_lifts_no_more_feet_than_the_pattern(library, walks, least, pause):
    sizes = {"period": 2.0, "duty": 0.85} if walks else {}
    for begun in np.arange(0.8, 1.4, 0.1):
        gait = Gait(library, walks=walks, **sizes)
        gait.run(begun)
        record = gait.run(pause, step=pause)
        assert record.stands.sum() >= least
        assert np.isfinite(record.place).all() and np.isfinite(record.pressure).all()


def test_a_walk_is_a_lateral_sequence(library):
    record = Gait(library, walks=True, period=2.0, duty=0.85).run(7.0)
    assert (record.stands.sum(axis=1) >= 3).all()
    begun = sorted((cycle, foot) for foot in range(4) for cycle, _ in record.swings(foot))
    feet = [foot for _, foot in begun]
    after = {2: 0, 0: 3, 3: 1, 1: 2}  # left hind, left fore, right hind, right fore
    assert len(feet) >= 12 and all(after[a] == b for a, b in pairwise(feet))


@pytest.mark.parametrize("place", [(0.0, 0.0), (3.0, -2.0)])
def test_a_walk_leans_over_three_feet_before_the_fourth_lifts_off(library, place):
    """From the first step on, wherever the robot stands; its center of pressure is within them."""
    gait = Gait(library, walks=True, period=2.0, duty=0.85)
    gait.run(0.001, steps=False, place=place)
    record = gait.run(4.0)
    assert not record.stands[1:].all()
    lifts = np.flatnonzero(record.stands[:-1].all(axis=1) & ~record.stands[1:].all(axis=1)) + 1
    assert len(lifts) >= 4
    for cycle in lifts:
        remain = record.place[cycle, record.stands[cycle], :2]
        closest = np.zeros(2)
        at = pointer(record.capture[cycle])
        assert library.polygon(3, pointer(remain), at, closest.ctypes) > 0.01
        assert np.linalg.norm(record.center[cycle] - place) < 0.2


def test_a_walk_ends_at_rest_above_the_middle_of_its_feet(library):
    gait = Gait(library, walks=True, period=2.0, duty=0.85)
    gait.run(6.0, velocity=(0.1, 0.05))
    record = gait.run(8.0, steps=False)
    assert record.steps[0] and not record.steps[-1]
    assert abs(record.velocity[-1]).max() < 1e-3
    np.testing.assert_allclose(record.place[-1, :, :2].mean(axis=0), record.center[-1], atol=0.01)


def test_feet_of_a_robot_that_turns_are_below_it_amidst_their_stance(library):
    """Two that land together are turned ahead by what the robot turns in half of their stance."""
    rate, period, duty = 0.8, 0.5, 0.55
    record = Gait(library, period=period, duty=duty).run(3.0, yaw_rate=rate)
    for one, other in DIAGONALS:
        for _, down in record.swings(one):
            way = record.place[down, one, :2] - record.place[down, other, :2]
            (x, y), (a, b) = way, (FEET[one] - FEET[other])[:2]
            turned = np.arctan2(a * y - b * x, a * x + b * y)
            heading = rate * (STEP * down + 0.5 * duty * period)
            assert turned == pytest.approx(heading, abs=0.01)


@pytest.mark.parametrize("walks", [False, True])
def test_no_foothold_is_further_than_the_longest_step_from_below_the_trunk(library, walks):
    sizes = {"period": 2.0, "duty": 0.85} if walks else {}
    gait = Gait(library, walks=walks, **sizes)
    record = gait.run(6.0, velocity=(0.6, 0.0))
    for foot in range(4):
        for _, down in record.swings(foot):
            away = record.place[down, foot, :2] - record.center[down] - FEET[foot, :2]
            assert np.linalg.norm(away) < 0.25 + 0.03
    assert record.center[-1, 0] > 0.5


@pytest.mark.parametrize("down", [0.0, 0.1])
def test_swings_are_smooth_to_second_order_and_come_down_as_fast_as_is_asked(library, down):
    gait = Gait(library, down=down)
    gait.run(1.0, velocity=(0.3, 0.1))
    record = gait.run(2.0, velocity=(0.3, 0.1), kick=(0.05, -0.1))
    for foot in range(4):
        swings = record.swings(foot)
        assert len(swings) >= 3
        for begin, end in swings[swings[:, 0] > 0]:
            place, rate, acceleration = (
                values[begin:end, foot]
                for values in (record.place, record.rate, record.acceleration)
            )
            # rates are the slopes of places, and accelerations those of rates
            slope = (place[2:] - place[:-2]) / (2 * STEP)
            np.testing.assert_allclose(rate[1:-1], slope, atol=2e-3 * abs(rate).max())
            slope = (rate[2:] - rate[:-2]) / (2 * STEP)
            np.testing.assert_allclose(
                acceleration[1:-1], slope, atol=2e-2 * abs(acceleration).max()
            )
            assert abs(np.diff(acceleration, axis=0)).max() < 0.1 * abs(acceleration).max()
            assert abs(rate[0]).max() < 0.02
            np.testing.assert_allclose(rate[-1], [0, 0, -down], atol=0.02)
            assert place[:, 2].max() == pytest.approx(0.08 + 0.0141 * down, abs=2e-4)


def test_feet_step_to_the_capture_point(library):
    """At touch-down the middle of a pair is where the capture point of the pendulum is."""
    gait = Gait(library)
    gait.run(2.0)
    record = gait.run(1.0, kick=(0.15, 0.1), velocity=(1e-9, 0))  # it hardly goes back
    foot = next(f for f in range(4) if not record.stands[0, f])
    (pair,) = (pair for pair in DIAGONALS if foot in pair)
    down = record.swings(foot)[0, 1]
    # Kicked early or late in a swing: corrections end with its first 80 %.
    middle = record.place[down, pair, :2].mean(axis=0)
    np.testing.assert_allclose(middle, record.capture[down], atol=0.02)
    other = [f for f in range(4) if f not in pair]
    down = record.swings(other[0])[0, 1]
    middle = record.place[down, other, :2].mean(axis=0)
    np.testing.assert_allclose(middle, record.capture[down], atol=0.01)


@pytest.mark.parametrize(("share", "moves"), [(0.7, True), (0.85, False)])
def test_a_foothold_stays_in_the_last_fifth_of_a_swing(library, share, moves):
    """A kick then is answered by the next step."""
    gait, swing = Gait(library), round(0.45 * 0.5 / STEP)
    record = gait.run(2.0)
    foot = next(f for f in range(4) if not record.stands[-1, f])
    begun = np.flatnonzero(np.diff(record.stands[:, foot]))[-1]
    left = begun + round(share * swing) - len(record.stands)
    period = round(0.5 / STEP)
    hold = gait.run(STEP * (left % period)).hold[-1, foot]
    after = gait.run(STEP * round(0.1 * swing), kick=(0.0, 0.2))
    assert not after.stands[:, foot].any()
    moved = np.linalg.norm(after.hold[-1, foot] - hold)
    assert moved > 0.01 if moves else moved < 1e-12


@pytest.mark.parametrize(("kick", "least"), [(0.2, 0.25), (0.8, 0.175), (-1.2, 0.175)])
def test_a_robot_that_is_pushed_far_trots_faster_until_it_is_back(library, kick, least):
    gait = Gait(library)
    gait.run(2.0)
    record = gait.run(4.0, kick=(0, kick))
    lifts = sorted({cycle for foot in range(4) for cycle, _ in record.swings(foot)})
    times = STEP * np.diff(lifts)
    assert times.min() == pytest.approx(least, abs=2 * STEP)
    np.testing.assert_allclose(times[-3:], 0.25, atol=2 * STEP)


@pytest.mark.parametrize("kick", [(0.4, 0), (0, 0.4), (-0.3, 0.3)])
def test_a_trot_survives_a_push_and_goes_back_to_its_place(library, kick):
    gait = Gait(library)
    place = gait.run(2.0).center[-1]
    record = gait.run(10.0, kick=kick)
    assert np.linalg.norm(record.capture[0] - record.center[0]) > 0.08
    assert np.linalg.norm(record.center - place, axis=1).max() > 0.04
    assert np.linalg.norm(record.center[8000:] - place, axis=1).max() < 0.01
    assert abs(record.velocity[8000:]).max() < 0.02
    below = record.place[-1, :, :2] - record.center[-1]
    np.testing.assert_allclose(below, FEET[:, :2], atol=0.02)


def test_a_robot_that_stands_steps_where_a_push_would_topple_it(library):
    small = Gait(library).run(3.0, steps=False, kick=(0, 0.2))
    assert not small.steps.any() and abs(small.velocity[-1]).max() < 1e-3
    # The border of the polygon is 0.2 m aside.
    record = Gait(library).run(6.0, steps=False, kick=(0, 1.1 * 0.2 * RATE))
    assert record.steps[0] and not record.steps[-1]
    assert record.stands[-1].all() and abs(record.velocity[-1]).max() < 1e-3
    assert np.linalg.norm(record.center[-1]) > 0.1


def test_a_walk_keeps_the_place_at_which_it_stops(library):
    gait = Gait(library)
    gait.run(2.0, velocity=(0.3, 0))
    stops = gait.run(0.001)
    record = gait.run(6.0)
    np.testing.assert_allclose(record.center[-1], stops.capture[0], atol=0.02)


@pytest.mark.parametrize("velocity", [(0.3, 0), (0.1, -0.05)])
@pytest.mark.parametrize("pull", [(0, 0), (0.05, 0.1), (0, 0.2)])
def test_a_trot_keeps_its_way_against_a_steady_pull(library, velocity, pull):
    """Off its way by what makes up for the pull [m/s^2], it goes as fast as is asked."""
    gait, period = Gait(library), 50
    centers = np.array(
        [
            gait.run(0.01, velocity=velocity, kick=0.01 * np.array(pull)).center[-1]
            for _ in range(16 * period)
        ]
    )
    gone = (centers[-1] - centers[-1 - 4 * period]) / (0.04 * period)
    np.testing.assert_allclose(gone, velocity, atol=2e-3)
    assert np.linalg.norm(centers[-1] - 8.0 * np.array(velocity)) < 0.1


def test_a_trot_that_was_held_back_does_not_make_up_for_it(library):
    """Released after three seconds it goes on from where it is, by half of the longest step."""
    gait = Gait(library)
    for _ in range(300):
        held = gait.run(0.01, velocity=(0.3, 0), kick=(-0.02, 0))
    assert held.center[-1, 0] < 0.3
    released = gait.run(3.0, velocity=(0.3, 0))
    assert 0.85 < released.center[-1, 0] - held.center[-1, 0] < 1.05


@pytest.mark.parametrize(("walks", "period", "duty"), [(False, 0.5, 0.55), (True, 2.0, 0.85)])
def test_walking_has_the_velocity_that_is_wanted(library, walks, period, duty):
    gait = Gait(library, walks=walks, period=period, duty=duty)
    speed = 0.1 if walks else 0.3
    gait.run(4 * period, velocity=(speed, 0))
    record = gait.run(4 * period, velocity=(speed, 0))
    gone = record.center[-1] - record.center[0]
    assert gone[0] == pytest.approx(4 * period * speed, rel=0.1)
    assert abs(gone[1]) < 0.01


def test_a_foot_that_meets_the_ground_early_stands(library):
    record = Gait(library).run(0.6, floor=0.04)
    for foot in range(4):
        assert len(record.swings(foot)) > 0
        for begin, end in record.swings(foot):
            assert 0.2 * 0.5 / STEP < end - begin < 0.45 * 0.5 / STEP
            assert record.place[end, foot, 2] == pytest.approx(0.04, abs=5e-3)


@pytest.mark.parametrize(("flicker", "swings"), [(0, True), (2, True), (3, False)])
def test_a_foot_that_is_felt_to_touch_for_two_cycles_swings_on(library, flicker, swings):
    """Of ten cycles; a third one lets it stand in the air, and the others wait for it."""
    gait = Gait(library)
    library.gait_flicker(gait._made, flicker)
    record = gait.run(3.0, velocity=(0.3, 0))
    times = np.concatenate([np.diff(record.swings(foot)).ravel() for foot in range(4)])
    full = 0.45 * 0.5 / STEP
    assert (times > full - 5).all() if swings else (times < 0.6 * full).any()


def test_a_foot_that_finds_no_ground_sinks_and_the_others_wait(library):
    record = Gait(library).run(1.0, floor=-0.03)
    foot = next(f for f in range(4) if not record.stands[0, f])
    ((begin, cycle),) = record.swings(foot)[:1]
    assert cycle - begin > 0.45 * 0.5 / STEP
    assert record.place[cycle, foot, 2] <= -0.03 + 1e-6
    height, rate = record.place[begin:cycle, foot, 2], record.rate[begin:cycle, foot, 2]
    np.testing.assert_allclose(rate[1:-1], (height[2:] - height[:-2]) / (2 * STEP), atol=0.01)
    assert rate[-1] < -0.01
    (other,) = (pair for pair in DIAGONALS if foot not in pair)
    assert record.stands[:cycle, other].all()


def test_polygons_are_those_of_half_planes(library):
    """Beside the distance to the edges of a polygon whose corners are in order."""
    rng = np.random.default_rng(3)
    for count in (3, 4, 6):
        angles = np.sort(rng.uniform(0, 2 * np.pi, count))
        while np.diff(angles, append=angles[0] + 2 * np.pi).max() > 0.9 * np.pi:
            angles = np.sort(rng.uniform(0, 2 * np.pi, count))
        corners = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        along = np.roll(corners, -1, axis=0) - corners
        normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
        normal /= np.linalg.norm(along, axis=1)[:, None]
        for point in rng.uniform(-1.5, 1.5, (50, 2)):
            closest = np.zeros(2)
            shuffled = corners[rng.permutation(count)]
            margin = library.polygon(count, pointer(shuffled), pointer(point), closest.ctypes)
            share = np.clip((along * (point - corners)).sum(1) / (along**2).sum(1), 0, 1)
            border = np.linalg.norm(corners + share[:, None] * along - point, axis=1).min()
            inside = ((point - corners) * normal).sum(1).min() > 0
            assert margin == pytest.approx(border if inside else -border, abs=1e-12)
            far = 0.0 if inside else border
            assert np.linalg.norm(closest - point) == pytest.approx(far, abs=1e-12)
