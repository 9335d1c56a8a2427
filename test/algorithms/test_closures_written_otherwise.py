"""Robots with loops are the same however their loops are written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from test.support.linkage_oracle import Linkage
from test.support.linkages import ANKLE, ANKLE_LOOPS, FOUR_BAR, FOUR_BAR_LOOPS, joint

_BY_CRANK = f"{FOUR_BAR_LOOPS}independent: [drive]\n"
_BY_COUPLER = FOUR_BAR.replace(
    joint("swing", "frame", "rocker", 'xyz="0.8 0.05 0" rpy="0 0.2 0"', "0 -1 0"),
    '<link name="end"/>'
    + joint("swing", "coupler", "end", 'xyz="0.8 0 0"')
    + '<joint name="far" type="fixed"><parent link="end"/><child link="rocker"/>'
    '<origin xyz="-0.6 0 0"/></joint>',
)
_AT_FRAME = """\
loops:
  foot: {frames: [{link: frame, xyz: [0.8, 0.05, 0]}, rocker], fixed: axis_y}
position: {drive: -1.0, pin: 0.9, swing: -1.9}
"""
_LEFT, _RIGHT = (ANKLE_LOOPS[ANKLE_LOOPS.index(x) :] for x in ("  left", "  right"))
_REVERSED = ANKLE_LOOPS.replace(
    _LEFT, _RIGHT.replace("independent", _LEFT.replace(_RIGHT, "") + "independent")
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((FOUR_BAR, _BY_CRANK), (_BY_COUPLER, f"{_AT_FRAME}independent: [drive]\n")),
        ((ANKLE, ANKLE_LOOPS), (ANKLE, _REVERSED)),
    ],
    ids=["another spanning tree", "loops in another order"],
)
def test_dynamics_are_those_of_the_same_loops_written_otherwise(
    one: tuple[str, str], other: tuple[str, str], tmp_path: Path
) -> None:
    assert one != other
    first, second = (Linkage.of(tmp_path, *each) for each in (one, other))
    assert first.robot.joint_names == second.robot.joint_names
    random = np.random.default_rng(5)
    for t in first.positions(4):
        y = t[first.free]
        yd, x = random.uniform(-2, 2, (2, len(y)))
        for name, values in (
            ("inverse_dynamics", {"qd": yd, "qdd": x}),
            ("forward_dynamics", {"qd": yd, "tau": x}),
            ("world_J_tool", {}),
        ):
            found, expected = (x.of_robot(name, q=y, **values) for x in (second, first))
            np.testing.assert_allclose(found, expected, atol=1e-12 * max(1, np.abs(expected).max()))
