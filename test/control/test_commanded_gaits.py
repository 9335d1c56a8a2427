"""A robot steps as velocities are commanded, also where feet fall silent."""

import numpy as np
import pytest

from robcogen_ros.control.balance import TrunkReference, at_rest
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.contacts import parsed
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.runtime.gait import check_gait, usual_gait
from test.control.balance_loop import UPRIGHT, Sensed, Walk

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("contacts", "gait", "expected"),
    [
        (("a", "b", "c", "d"), "gallop", "expected one of stand, trot, walk, found 'gallop'"),
        (("a:pose", "b:pose"), "trot", "a:pose, b:pose: it can 'stand' and 'walk', for a trot"),
        (("a", "b", "c", "d:pose"), "walk", "it can only 'stand', for a trot is of four feet that"),
    ],
)
def test_gaits_that_a_robot_does_not_have_are_refused(contacts, gait, expected):
    records = parsed(contacts, "abcd".index)
    with pytest.raises(RobcogenError, match=expected):
        check_gait(gait, records)
    check_gait("stand", records)
    check_gait(usual_gait(records), records)


def test_it_goes_as_commanded_and_stands_where_commands_stop(quadruped):
    loop = Walk(*quadruped, "trot")
    height = loop.ground.position[2]
    loop.balance.follow(TrunkReference(at_rest(loop.ground.position, UPRIGHT), time=loop.time))
    loop.run(50)
    assert loop.ground.touches.all()
    loop.go(1000, (0.2, 0.0, 0.0))
    assert loop.ground.position[0] == pytest.approx(0.2 * 2.0, rel=0.25)
    loop.run(1000)
    there = loop.ground.position  # not where the old reference was
    assert there[0] > 0.3
    loop.run(200)
    np.testing.assert_allclose(loop.ground.position, there, atol=2e-3)
    assert there[2] == pytest.approx(height, abs=0.01)
    assert loop.ground.touches.all()
    assert loop.balance.faults["velocity_stale"] == 1
    assert not loop.balance.faults["velocity_cut"]


def test_a_trot_goes_on_where_the_force_of_a_foot_falls_silent(quadruped):
    loop = Walk(*quadruped, "trot")
    loop.run(50)
    loop.go(200, (0.1, 0.0, 0.0))
    loop.deaf = {0}
    loop.go(1000, (0.1, 0.0, 0.0))
    assert loop.balance.faults["force_stale"] == 1
    assert not loop.balance.lost
    assert loop.ground.position[0] > 0.1  # it limps, and does not fall
    assert abs(loop.ground.position[1]) < 0.15


def test_a_quadruped_trots_on_feet_without_sensors(quadruped):
    """The observer tells which touch, and the estimator where it is: it goes as far as asked."""
    loop = Sensed(*quadruped, "trot", base_state=2.0, contact_source=1.0)
    loop.deaf = {0, 1, 2, 3}
    loop.run(250)
    told = []
    for _ in range(1000):
        loop.balance.command((0.2, 0.0, 0.0), loop.time)
        loop.run(1)
        told.append((loop.balance.estimate["closed"] > 0.0) == loop.ground.touches)
    assert np.mean(told) > 0.95
    assert not loop.balance.lost
    np.testing.assert_allclose(loop.ground.position[:2], [0.4, 0.0], atol=0.05)


@pytest.mark.parametrize("foot", [0, 3])
@pytest.mark.parametrize("cycles", [650, 700, 750, 800])
def test_a_trot_goes_on_where_the_sensor_of_a_foot_dies(quadruped, foot, cycles):
    """Anywhere in its stride, which takes 235 cycles; it is named, until it feels something."""
    loop = Walk(*quadruped, "trot")
    loop.run(50)
    loop.go(cycles, (0.2, 0.0, 0.0))
    loop.dead = {foot}
    before = loop.ground.position
    loop.go(200, (0.2, 0.0, 0.0))
    name = loop.robot.contact_records[foot].frame_name
    assert loop.balance.missed == [name]
    loop.go(1300, (0.2, 0.0, 0.0))
    assert loop.balance.missed == [name]
    np.testing.assert_allclose(loop.ground.position - before, [0.6, 0.0, 0.0], atol=0.04)
    assert rotation(loop.ground.orientation)[2, 2] > np.cos(0.1)
    loop.dead = set()
    loop.go(250, (0.2, 0.0, 0.0))
    assert not loop.balance.missed


def test_velocities_that_are_not_finite_stop_the_robot_and_count(quadruped):
    loop = Walk(*quadruped, "trot")
    loop.go(250, (0.1, 0.0, 0.0))
    loop.go(750, (0.1, np.nan, 0.0))
    there = loop.ground.position
    loop.go(250, (0.1, 0.0, np.inf))
    assert loop.ground.touches.all()
    np.testing.assert_allclose(loop.ground.position, there, atol=2e-3)
    assert loop.balance.faults["velocity_not_finite"] == 20


def test_velocities_are_cut_and_references_take_precedence(quadruped):
    loop = Walk(*quadruped, "trot")
    height = loop.ground.position[2]
    loop.go(250, (9.0, 0.0, 0.0))
    assert loop.balance.faults["velocity_cut"] > 200
    assert loop.ground.position[0] < 0.3  # 0.36 m/s at most
    lower = None
    for _ in range(40):
        loop.balance.command((0.0, 0.0, 0.0), loop.time)
        here = loop.ground.position
        lower = np.array([here[0], here[1], height - 0.04]) if lower is None else lower
        loop.balance.follow(TrunkReference(at_rest(lower, UPRIGHT), time=loop.time))
        loop.run(25)
    assert loop.ground.touches.all()
    np.testing.assert_allclose(loop.ground.position, lower, atol=3e-3)
    assert not loop.balance.faults["no_solution"]
