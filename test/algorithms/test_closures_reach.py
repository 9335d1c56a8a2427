"""Loops at dead centres and beyond reach: no wrong number, but NaN, and margins that tell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from test.support.linkage_oracle import Linkage, close
from test.support.linkages import (
    ANKLE,
    ANKLE_LOOPS,
    FOUR_BAR,
    FOUR_BAR_LOOPS,
    RSSP,
    RSSP_LOOPS,
    joint,
    links,
    slide,
)

Array = NDArray[np.float64]


_BY_FOOT = ANKLE_LOOPS.replace("[left_motor, right_motor]", "[pitch, roll]")
_BY_ROCKER = FOUR_BAR_LOOPS + "independent: [swing]\n"


def test_what_is_out_of_reach_is_nan(tmp_path: Path) -> None:
    linkage = Linkage.of(tmp_path, FOUR_BAR, _BY_ROCKER)
    (rocker,) = (c for c in linkage.robot.coordinates if c.name == "swing")
    assert rocker.limits.lower is not None
    k = linkage.robot.joint_names.index("swing")
    q = np.zeros(2)
    q[k] = rocker.limits.lower - 0.01
    assert np.isnan(linkage.of_robot("inertia_matrix", q=q)[k, k])
    assert -0.1 < linkage.of_robot("closure_margin", q=q)[0] < 0
    q[k] = rocker.limits.lower
    assert abs(linkage.of_robot("closure_margin", q=q)[0]) < 1e-10
    q[k] = rocker.limits.lower + 0.01
    assert 0 < linkage.of_robot("closure_margin", q=q)[0] < 0.1
    assert np.isfinite(linkage.of_robot("inertia_matrix", q=q)).all()


def test_rod_that_does_not_reach_is_nan(tmp_path: Path) -> None:
    linkage = Linkage.of(tmp_path, ANKLE, _BY_FOOT)
    assert [closure.steps for closure in linkage.robot.closures] == [0, 0]
    # the crank turns from straight down to straight up as the foot's side goes from end to end
    for pitch, reaches in ((0.5, True), (1.7, False)):
        q = np.array([pitch, 0.1])
        margins = linkage.of_robot("closure_margin", q=q)
        assert (margins > 0).all() == reaches
        assert np.isfinite(linkage.of_robot("inertia_matrix", q=q)).all() == reaches


def test_newton_gives_nan_where_it_does_not_lead(tmp_path: Path) -> None:
    linkage = Linkage.of(tmp_path, ANKLE, ANKLE_LOOPS)
    for q in (np.array([0.3, -0.2]), np.array([0.0, 0.0])):
        assert np.isfinite(linkage.of_robot("inertia_matrix", q=q)).all()
    beyond = np.array([1.5, -1.5])  # one end of the foot up, the other down by more than it is wide
    assert np.isnan(linkage.of_robot("inertia_matrix", q=beyond)).all()
    left = np.linalg.norm(linkage.of_robot("closure_residual", q=beyond))
    assert left > 1e-2
    close(linkage.of_robot("closure_margin", q=beyond), -np.array([left]))


def _engine(offset: float) -> tuple[str, str]:
    """A crank of 0.3 m, a rod of 0.5 m, and a piston beside the crank's axis."""
    urdf = (
        '<robot name="engine">'
        + links("block", "crank", "rod", "piston")
        + joint("turn", "block", "crank", "", "0 -1 0")
        + joint("pin", "crank", "rod", 'xyz="0.3 0 0"', "0 -1 0")
        + slide("slide", "block", "piston", f'xyz="0 0 {offset}"', "1 0 0")
        + "</robot>"
    )
    ends = "{link: rod, xyz: [0.5, 0, 0]}, piston"
    loops = f"loops: {{gudgeon: {{frames: [{ends}], fixed: axis_y}}}}\n"
    return urdf, loops + "position: {turn: 0.5, pin: -0.8, slide: 0.7}\n"


@pytest.mark.parametrize("offset", [0.0, 0.1, 0.4])
def test_piston_is_where_its_crank_brings_it_or_nowhere(tmp_path: Path, offset: float) -> None:
    linkage = Linkage.of(tmp_path, *_engine(offset))
    for q in np.linspace(-3.1, 3.1, 63):
        beside = 0.3 * np.sin(q) - offset
        left = 1 - (beside / 0.5) ** 2
        piston = linkage.of_robot("joint_positions", q=np.array([q]))[2]
        close(linkage.of_robot("closure_margin", q=np.array([q])), np.array([left]))
        if left > 0:
            close(piston, 0.3 * np.cos(q) + 0.5 * np.sqrt(left))
        else:
            assert np.isnan(piston)
            assert np.isnan(linkage.of_robot("inertia_matrix", q=np.array([q]))).all()


def test_newton_never_closes_loops_in_another_way_than_they_are_written(tmp_path: Path) -> None:
    """Positions are those that small steps of the crank lead to, or none; limits tell where."""
    apart = RSSP.replace('child link="rod"/><origin ', 'child link="rod"/><origin xyz="0 0 -0.05"')
    linkage = Linkage.of(tmp_path, apart, RSSP_LOOPS)
    (closure,) = linkage.robot.closures
    assert len(closure.solved) == 3
    order = [linkage.tree.joint_names.index(joint.name) for joint in linkage.robot.joints]
    limits = linkage.robot.coordinates[0].limits
    assert limits.lower is not None
    assert limits.upper is not None
    assert limits.lower < -1.3
    assert limits.upper > 0.7
    for sign in (-1, 1):
        t = linkage.closed(np.array([-0.2]), linkage._start)
        for k in range(1, 26):
            y = np.array([-0.2 + 0.12 * sign * k])
            t = linkage.closed(y, t)
            found = linkage.of_robot("joint_positions", q=y)
            (margin,) = linkage.of_robot("closure_margin", q=y)
            assert np.isfinite(found).all() == (margin > 0)
            if limits.lower < y[0] < limits.upper:
                assert margin > 0
            if margin > 0:
                off = (found - t[order]) / (2 * np.pi)
                close(off, np.round(off))
    for end, way in ((limits.lower, -1), (limits.upper, 1)):
        margins = [
            linkage.of_robot("closure_margin", q=np.array([end + way * x])) for x in (-1e-6, 0.1)
        ]
        assert margins[0] > 0 > margins[1]
