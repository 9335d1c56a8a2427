"""Linkages whose lengths are parameters are the linkages of these lengths."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from test.support.linkages import (
    ANKLE,
    ANKLE_LOOPS,
    FOUR_BAR,
    FOUR_BAR_LOOPS,
    PARALLELOGRAM,
    PARALLELOGRAM_LOOPS,
    SLIDER,
    SLIDER_LOOPS,
    linkage,
)

_PLAIN = PARALLELOGRAM.format(elbow="", second="")
_AT = "position: {shoulder: 0.3, elbow: -0.3, second: 0.3}\n"


@pytest.mark.parametrize(
    ("urdf", "loops", "name", "texts"),
    [
        (FOUR_BAR, FOUR_BAR_LOOPS, "pin.origin.x", ("0.3 0.05 0.02", "0.32 0.05 0.02")),
        (FOUR_BAR, FOUR_BAR_LOOPS, "swing.origin.z", ("0.8 0.05 0", "0.8 0.05 -0.03")),
        (SLIDER, SLIDER_LOOPS, "pin.origin.z", ("0.3 0.05 0.02", "0.3 0.05 0.05")),
        (ANKLE, ANKLE_LOOPS + "position: {pitch: 0}\n", "left_swing.origin.x", ("-0.06 0 0", "")),
        (_PLAIN, PARALLELOGRAM_LOOPS + _AT, "elbow.origin.x", ("0.5 0 0", "0.53 0 0")),
    ],
    ids=["crank", "frame", "slider", "ankle", "parallelogram no longer"],
)
def test_robot_at_a_length_is_that_of_the_file_with_it(
    urdf: str, loops: str, name: str, texts: tuple[str, str]
) -> None:
    joint, _, axis = name.split(".")
    start = urdf.index(f'<joint name="{joint}"')
    old, new = texts[0], texts[1] or texts[0].replace("-0.06", "-0.063")
    changed = urdf[:start] + urdf[start:].replace(old, new, 1)
    value = Decimal(new.split()["xyz".index(axis)])
    opened = linkage(urdf, loops, parameters=(name,))
    other = linkage(changed, loops, parameters=(name,))
    n, random = opened.n, np.random.default_rng(8)
    q, qd, qdd = random.uniform(-0.1, 0.1, (3, n))
    q = q - 0.9 * (np.array(opened.joint_names) == "drive")
    for function in ("inverse_dynamics", "inertia_matrix", "joint_positions"):
        found = []
        for robot, given in ((opened, {name: float(value)}), (other, {name: float(value)})):
            program = Library(robot, [function]).entry(function).general
            inputs = {
                a.name: {"q": q, "qd": qd, "qdd": qdd}.get(
                    a.name, [float(x) for x in a.values_left_out]
                )
                for a in program.inputs
            }
            found.append(np.array(next(iter(interpret(program, inputs, given).values())), float))
        assert np.isfinite(found[1]).all()
        np.testing.assert_allclose(found[0], found[1], rtol=0, atol=1e-12 * np.abs(found[1]).max())


@pytest.mark.parametrize(
    ("urdf", "loops", "name"),
    [
        (FOUR_BAR, FOUR_BAR_LOOPS, "swing.origin.roll"),
        (ANKLE, ANKLE_LOOPS, "nothing.origin.x"),
    ],
    ids=["out of the plane", "unknown"],
)
def test_lengths_that_change_how_joints_follow_are_refused(
    urdf: str, loops: str, name: str
) -> None:
    with pytest.raises(RobcogenError, match=name):
        linkage(urdf, loops, parameters=(name,))
