"""Slopes, steps and prescribed footholds: HyQ's gaits, judged by Pinocchio."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("casadi")
pytest.importorskip("pinocchio")

import pinocchio as pin

from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.gait import Playback, Specification, find_gait
from robcogen_ros.gait.pattern import Pattern
from robcogen_ros.gait.terrain import Terrain, ground_axes, turned
from robcogen_ros.model.contacts import Foot
from test.gait.judge import TROT, instant, model, residuals, robot
from test.support.hyq import FEET, hyq
from test.support.robots import robots_directory

NORMAL = (-0.2, 0.1, 1.0)
ROUGH = replace(TROT, intervals=8, accuracy=1.0, refinements=0, symmetric=None)
STEP, LENGTH = 0.06, 0.24
STEPS = {
    "lf_foot": (0.40, 0.30, STEP),
    "rf_foot": (0.52, -0.30, 1.5 * STEP),
    "lh_foot": (-0.25, 0.32, 0.75 * STEP),
    "rh_foot": (-0.37, -0.28, 0.25 * STEP),
}
needs_hyq = pytest.mark.skipif(robots_directory() is None, reason="no example-robot-data")


def test_axes_of_a_slope_are_ahead_and_its_normal():
    axes = ground_axes(NORMAL)
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-15)
    assert np.linalg.det(axes) == pytest.approx(1.0)
    np.testing.assert_allclose(axes[:, 2], NORMAL / np.linalg.norm(NORMAL))
    assert axes[0, 0] > 0 and axes[1, 0] == 0 and axes[2, 0] == pytest.approx(0.2 * axes[0, 0])
    np.testing.assert_array_equal(ground_axes((0, 0, 2)), np.eye(3))


def test_poses_are_turned_with_the_ground():
    place, angles, axes = (
        np.array([[1.0, 2.0, 3.0]]),
        np.array([[0.3, -0.2, 0.5]]),
        ground_axes(NORMAL),
    )
    there, others = turned(axes, place, angles)
    np.testing.assert_allclose(there[0], axes @ place[0])
    found = pin.rpy.rpyToMatrix(*others[0])
    np.testing.assert_allclose(found, axes @ pin.rpy.rpyToMatrix(*angles[0]), atol=1e-15)
    for one, other in zip(turned(axes.T, there, others), (place, angles), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-15)


def test_feet_stand_on_the_step_on_which_they_have_landed():
    wanted = Specification(rise=0.2, footholds={"l": (0.1, 0.2, 0.1), "r": (0.3, -0.2, 0.25)})
    terrain = Terrain(wanted, Pattern((0.6, 0.6), (0.0, 0.5)), ["l", "r"])
    assert [terrain.level(0, at) for at in (0.0, 0.5, 1.0)] == pytest.approx([0.1, 0.1, 0.3])
    assert [terrain.level(1, at) for at in (0.05, 0.5, 0.9)] == pytest.approx([0.05, 0.25, 0.25])
    assert terrain.level(0, 0.8) == pytest.approx(0.2)  # half of its swing is over
    middle = np.mean([0.1 + 0.2 * (0.5 - 0.3), 0.25 + 0.2 * (0.5 - 0.8)])
    assert terrain.base(0.5) == pytest.approx(middle)
    assert terrain.base(1.5) == pytest.approx(middle + 0.2)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"footholds": {"lef": (0.1, 0.2)}}, "'lef' is no foot; did you mean 'left'"),
        ({"rise": 0.1}, "rise: steps need .x, y, z. of each foot, z of left, right is missing"),
        (
            {"rise": 0.1, "footholds": {"left": (0.1, 0.2, 0.0), "right": (0.1, 0.2)}},
            "footholds: steps need .*, z of right is missing",
        ),
        ({"footholds": {"left": (0.1, 0.2)}, "dynamics": "reduced"}, "give `dynamics: full`"),
    ],
)
def test_footholds_that_do_not_fit_are_told(settings, words):
    with pytest.raises(ModelError, match=words):
        Terrain(Specification(**settings), Pattern((0.6, 0.6), (0.0, 0.5)), ["left", "right"])


def found(**settings):
    gait = find_gait(robot(), [Foot() for _ in FEET], replace(ROUGH, **settings))
    assert gait.solution.succeeded, gait.solution
    return gait


def places(gait, k):
    """Where the feet are, by Pinocchio."""
    m, data = model()
    pin.framesForwardKinematics(m, data, instant(gait, k).q)
    return np.array([data.oMf[m.getFrameId(foot)].translation for foot in FEET])


@needs_hyq
@pytest.mark.slow
def test_on_a_slope_gravity_is_down_and_feet_stand_on_the_slope():
    gait = found(ground_normal=NORMAL)
    normal = np.array(NORMAL) / np.linalg.norm(NORMAL)
    np.testing.assert_allclose(gait.ground_normal, normal)
    assert not gait.steps
    for k in range(len(gait.times)):
        assert residuals(gait, k)[0] < 1e-8
        assert np.abs(places(gait, k)[gait.standing[k]] @ normal).max() < 2e-3
        push = gait.forces[k] @ normal
        aside = np.linalg.norm(gait.forces[k] - np.outer(push, normal), axis=1)
        assert (aside <= ROUGH.friction * push + 1e-4).all()
    way = gait.position[-1] - gait.position[0]
    np.testing.assert_allclose(way, ground_axes(NORMAL)[:, 0] * np.linalg.norm(way), atol=1e-9)
    assert np.linalg.norm(way) == pytest.approx(gait.speed * gait.duration)
    down, up = (found(ground_normal=(lean, 0.0, 1.0)).merit for lean in (0.2, -0.2))
    assert down < up


@needs_hyq
@pytest.mark.slow
def test_feet_stand_where_they_are_to_and_climb_steps():
    gait = found(stride_length=(LENGTH, LENGTH), rise=2 * STEP, footholds=STEPS)
    assert gait.steps
    with pytest.raises(RobcogenError, match=r"a stride ends 0\.12.* m above the ground.*steps"):
        Playback(hyq(), gait)
    way = gait.position[-1] - gait.position[0]
    np.testing.assert_allclose(way, [LENGTH, 0.0, 2 * STEP], atol=1e-8)
    asked = np.array([STEPS[foot] for foot in FEET])
    np.testing.assert_allclose(gait.footholds, asked, atol=1e-6)
    landed = np.zeros(len(FEET), dtype=bool)
    for k in range(len(gait.times)):
        assert residuals(gait, k)[0] < 1e-8
        share = gait.times[k] / gait.duration
        landed = share >= gait.phases - 1e-9
        strides = np.where(landed, 0, -1)
        if 0.01 < share < 0.99:
            away = places(gait, k) - asked - np.outer(strides, way)
            assert np.abs(away[gait.standing[k]]).max() < 5e-3
