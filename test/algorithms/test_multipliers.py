"""Loops that forces hold closed, beside the same loops as coordinates that others follow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.support.linkage_oracle import Linkage
from test.support.linkages import ANKLE, ANKLE_LOOPS, FOUR_BAR, FOUR_BAR_LOOPS, reading

NAMES = ["loop_jacobian", "loop_bias", "loop_forward_dynamics", "closure_residual"]


@pytest.mark.parametrize(
    ("urdf", "loops", "options"),
    [
        (FOUR_BAR, FOUR_BAR_LOOPS, {}),
        (FOUR_BAR, FOUR_BAR_LOOPS, {"floating_base": True}),
        (ANKLE, ANKLE_LOOPS, {}),
    ],
    ids=["four_bar", "floating", "ankle"],
)
def test_motion_is_that_of_the_robot_whose_joints_follow(
    tmp_path: Path, urdf: str, loops: str, options: dict[str, bool]
) -> None:
    linkage = Linkage.of(tmp_path, urdf, loops, **options)
    files = tmp_path / "robot.urdf", tmp_path / "loops.yaml"
    found = read(files[0], loops=files[1], loops_as="multipliers", **options)
    assert "only loop_forward_dynamics has the forces" in found.warnings[-1].message
    assert found.robot.joint_names == linkage.tree.joint_names
    tree = robot_of(NumpyEvaluator(Library(found.robot, ["inverse_dynamics"], NAMES)))
    random = np.random.default_rng(1)
    base: dict[str, np.ndarray] = {}
    if options:
        base = {"base_velocity": random.uniform(-1, 1, 6), "gravity": np.array([0.3, 0.2, -9])}
    for t in linkage.positions(3):
        y, forces = t[linkage.free], np.zeros(len(t))
        yd, tau = random.uniform(-2, 2, (2, len(y)))
        _, td, _ = linkage.motion(t, yd, 0 * yd)
        forces[linkage.free] = tau
        held = tree.evaluate("loop_forward_dynamics", q=t, qd=td, tau=forces, **base)
        expected = linkage.of_robot("forward_dynamics", q=y, qd=yd, tau=tau, **base)
        scale = np.abs(expected).max()
        np.testing.assert_allclose(held["qdd"][linkage.free] / scale, expected / scale, atol=1e-12)
        K = tree.evaluate("loop_jacobian", q=t)["K"]
        bias = tree.evaluate("loop_bias", q=t, qd=td)["bias"]
        np.testing.assert_allclose(K @ td, 0, atol=1e-13)
        np.testing.assert_allclose(K @ held["qdd"] + bias, 0, atol=1e-11 * scale)
        assert np.abs(tree.evaluate("closure_residual", q=t)["residual"]).max() < 1e-14
        if not options:
            needed = linkage.of_tree("inverse_dynamics", q=t, qd=td, qdd=held["qdd"])
            own = needed - forces
            np.testing.assert_allclose(K.T @ held["multipliers"], own, atol=1e-11 * scale)
        wanted = random.uniform(-1, 1, len(bias))
        moved = tree.evaluate(
            "loop_forward_dynamics", q=t, qd=td, tau=forces, loop_acceleration=wanted, **base
        )
        np.testing.assert_allclose(K @ moved["qdd"] + bias, wanted, atol=1e-11 * scale)


def test_parts_of_a_spanning_tree_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RobcogenError, match="has no parts of robots yet: leave out lock="):
        reading(tmp_path, FOUR_BAR_LOOPS, loops_as="multipliers", lock={"wrist": 0.1})
    with pytest.raises(RobcogenError, match="unknown loops_as 'forces'; expected one of"):
        reading(tmp_path, FOUR_BAR_LOOPS, loops_as="forces")
