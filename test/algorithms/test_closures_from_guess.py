"""Functions that close loops from a guess, beside Newton's method on the tree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.build import evaluator_of
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.support.linkage_oracle import Linkage
from test.support.linkages import ANKLE, ANKLE_LOOPS, FOUR_BAR, FOUR_BAR_LOOPS

Array = NDArray[np.float64]

_UPRIGHT, _TILTED = (0.025, 0.09), (2.65, -0.079)
_ROLLED, _OVER = (0.381, 3.044), (2.293, -3.055)
"""Pitch and roll with which the same motors hold the foot, on all sides of its dead centres."""


@pytest.fixture(scope="module")
def ankle(tmp_path_factory: pytest.TempPathFactory) -> Linkage:
    return Linkage.of(tmp_path_factory.mktemp("linkage"), ANKLE, ANKLE_LOOPS)


def _order(linkage: Linkage) -> list[int]:
    return [linkage.tree.joint_names.index(joint.name) for joint in linkage.robot.joints]


def _near(linkage: Linkage, y: Array, foot: tuple[float, float]) -> Array:
    """The closed position of the tree next to one of the foot with rods straight down."""
    t = linkage._start.copy()
    t[:2] = foot
    t[[linkage.tree.joint_names.index(f"{side}_swing") for side in ("left", "right")]] = (
        -foot[0] / 5
    )
    t[[linkage.tree.joint_names.index(f"{side}_tilt") for side in ("left", "right")]] = 0
    return linkage.closed(y, t)


@pytest.mark.parametrize("foot", [_UPRIGHT, _TILTED, _ROLLED, _OVER])
def test_loops_close_on_the_side_of_the_guess(ankle: Linkage, foot: tuple[float, float]) -> None:
    y, order = np.array([0.1, -0.05]), _order(ankle)
    t = _near(ankle, y, foot)
    guess = t[order] + np.random.default_rng(0).uniform(-0.05, 0.05, len(order))
    at = {"q": y, "guess": guess}
    np.testing.assert_allclose(
        ankle.of_robot("joint_positions_from_guess", **at), t[order], atol=1e-12
    )
    assert np.abs(ankle.of_robot("closure_residual_from_guess", **at)).max() < 1e-14
    (margin,) = ankle.of_robot("closure_margin_from_guess", **at)
    assert 0.9 < margin < 1
    rates = np.array([0.3, -0.8])
    G, td, tdd = ankle.motion(t, rates, np.array([2.0, 1.0]))
    np.testing.assert_allclose(
        ankle.of_robot("coordinate_jacobian_from_guess", **at), G[order], atol=1e-12
    )
    tau = G.T @ ankle.of_tree("inverse_dynamics", q=t, qd=td, qdd=tdd)
    qdd = ankle.of_robot("forward_dynamics_from_guess", **at, qd=rates, tau=tau)
    np.testing.assert_allclose(qdd, [2.0, 1.0], atol=1e-10)


def test_what_a_guess_does_not_lead_to_is_nan(ankle: Linkage) -> None:
    """Nor does the foot go through a dead centre to where it is closed."""
    y, order = np.array([0.1, -0.05]), _order(ankle)
    guess = _near(ankle, y, _UPRIGHT)[order]
    for far in ([1.4, 0.0], [0.0, 1.6]):
        at = {"q": y, "guess": guess + np.array([*far, *[0.0] * (len(order) - 2)])}
        found = ankle.of_robot("joint_positions_from_guess", **at)
        (margin,) = ankle.of_robot("closure_margin_from_guess", **at)
        same = np.abs(found - guess).max() < 1e-9
        assert same or np.isnan(found).any()
        assert (margin > 0) == same


def test_a_motion_is_followed_by_guesses(ankle: Linkage) -> None:
    """Beyond what is reached without, as far as the tree's own Newton's method follows."""
    robot = robot_of(
        evaluator_of(
            ankle.robot,
            ["joint_positions", "joint_positions_from_guess", "closure_residual_from_guess"],
            backend="numpy",
        )
    )
    order, beyond = _order(ankle), 0
    t, x = ankle._start, ankle._start[order]
    for k in range(1, 26):
        y = 0.1 * k * np.array([-1.0, -0.5])
        t = ankle.closed(y, t)
        x = robot.joint_positions(y, guess=x)
        np.testing.assert_allclose(x, t[order], atol=1e-11)
        assert np.abs(robot.closure_residual(y, guess=x)).max() < 1e-14
        beyond += not np.isfinite(robot.joint_positions(y)).all()
    assert beyond > 5


def test_a_guess_where_no_steps_are_is_refused(tmp_path: Path) -> None:
    robot = Linkage.of(tmp_path, FOUR_BAR, FOUR_BAR_LOOPS).robot
    wanted = ["joint_positions_from_guess"]
    with pytest.raises(RobcogenError, match="no 'joint_positions_from_guess': no steps of Newton"):
        evaluator_of(robot, wanted)
    with pytest.raises(RobcogenError, match="is refused: no steps of Newton's method close loops"):
        robot_of(evaluator_of(robot, wanted, backend="numpy")).joint_positions(
            [0, 0], guess=[0] * 4
        )
