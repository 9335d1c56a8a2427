"""Many states at once give what each gives alone."""

from __future__ import annotations

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.arguments import array_shape
from robcogen_ros.runtime.compile import build_compiled
from test.support.examples import example, example_path


@pytest.mark.parametrize("name", ["hyl", "quadruped", "fancy"])
@pytest.mark.parametrize("count", [1, 7, 8, 35])
def test_many_states_are_each_computed_as_alone(name, count):
    names = ["inverse_dynamics", "inertia_matrix"]
    robot = example(name)
    together, alone = (build_compiled(Library(robot, names), batch) for batch in (True, False))
    parameters = np.full(len(robot.parameters), 0.3)
    constants = alone.constants(parameters)
    assert np.array_equal(together.constants(parameters), constants)
    generator = np.random.default_rng(5)
    for function in alone.summary.functions:
        given = {
            a.name: generator.uniform(-2, 2, (count, *array_shape(a))) for a in function.inputs
        }
        needed = {a.name: given[a.name] for a in function.inputs if not a.optional}
        one_gravity = {k: v[:1] if k == "gravity" else v for k, v in given.items()}
        for inputs in (given, needed, one_gravity):
            expected = alone.call(function.name, inputs, constants, (count,))
            found = together.call(function.name, inputs, constants, (count,))
            for output, values in expected.items():
                scale = max(1.0, np.abs(values).max())
                assert np.abs(found[output] - values).max() <= 1e-13 * scale


def test_arrays_of_states_from_python():
    robot, alone = (
        robcogen_ros.build(example_path("hyl"), functions=["inertia_matrix"], batch=batch)
        for batch in (True, False)
    )
    q = np.random.default_rng(3).uniform(-1, 1, (4, 25, 3))
    assert np.allclose(robot.inertia_matrix(q), alone.inertia_matrix(q), rtol=0, atol=1e-14)
