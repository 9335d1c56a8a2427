"""Random robots are the same in every format."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

import robcogen_ros
from robcogen_ros.cli.main import main
from test.support.full_calls import FullCalls
from test.support.random_robots import for_random, state_of, trees


@for_random(trees(), st.booleans(), st.booleans())
def test_from_urdf_to_the_kinematics_dsl_and_back(tree, floating, keep_fixed):
    before = tree.build(floating)
    with tempfile.TemporaryDirectory() as folder:
        urdf, kindsl, again = (Path(folder, name) for name in ("a.urdf", "b.kindsl", "c.urdf"))
        urdf.write_text(tree.urdf())
        options = ["--floating-base"] * floating + ["--keep-fixed"] * keep_fixed
        assert main(["urdf2kindsl", str(urdf), "-o", str(kindsl), *options]) == 0
        assert main(["kindsl2urdf", str(kindsl), "-o", str(again)]) == 0
        for path in (kindsl, again):
            after = robcogen_ros.build(path, backend="numpy")
            assert after.floating_base == floating
            compare(before, after)


def compare(before, after) -> None:
    s = state_of(before)
    H = before.inertia_matrix(s.q)
    scale = 1 + np.abs(H).max()
    assert after.inertia_matrix(s.q) == pytest.approx(H, abs=1e-12 * scale)
    tau, found = (
        FullCalls(robot).inverse_dynamics(s.q, s.velocity, s.acceleration, s.gravity)
        for robot in (before, after)
    )
    assert found == pytest.approx(tau, abs=1e-11 * (1 + np.abs(tau).max()))
    base = before.link_names[0]
    for frame in before.frame_names:
        expected = before.transform(base, frame, s.q)
        assert after.transform(base, frame, s.q) == pytest.approx(expected, abs=1e-11)
