"""Several functions in one call."""

from __future__ import annotations

import numpy as np
import pytest

from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.choose import operation_counts
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from test.support.examples import example

FUSED = "inverse_dynamics_and_gravity_torques_and_inertia_matrix"


@pytest.fixture(scope="module")
def library():
    return Library(example("quadruped", floating_base=False), ["default", FUSED])


def count(program) -> int:
    return sum(operation_counts(program).values())


def test_a_fused_call_gives_what_each_gives(library):
    random = np.random.default_rng(3)
    inputs = {name: list(random.uniform(-1, 1, library.robot.n)) for name in ("q", "qd", "qdd")}
    found = interpret(library.entry(FUSED).fastest, inputs)
    assert set(found) == {"inverse_dynamics_tau", "gravity_torques_tau", "H"}
    for function in FUSED.split("_and_"):
        (expected,) = interpret(library.entry(function).fastest, inputs).values()
        result = found.get(f"{function}_tau", found["H"])
        np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-12)


def test_it_takes_fewer_operations_than_one_after_another(library):
    alone = sum(count(library.entry(name).fastest) for name in FUSED.split("_and_"))
    assert count(library.entry(FUSED).fastest) < alone


def test_what_may_be_left_out_may_still_be(library):
    optional = {a.name: a.optional for a in library.entry(FUSED).function.inputs}
    assert optional["gravity"] and optional["external_forces"] and not optional["qdd"]


@pytest.mark.parametrize(
    "name", ["inverse_dynamics_and", "inverse_dynamics_and_nothing", "_and_", "H_and_H"]
)
def test_other_names_are_no_fusions(name):
    with pytest.raises(RobcogenError, match="there is no function"):
        Library(example("hyl"), [name])
