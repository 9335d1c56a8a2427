"""Many states limb after limb are what each state is alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from robcogen_ros.backends.cpp import several
from robcogen_ros.formats.read import read
from robcogen_ros.program import choose
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.arguments import array_shape
from robcogen_ros.runtime.compile import build_compiled
from test.support.examples import example
from test.support.limbs import limbed_trees
from test.support.robots import robot_path, robots_directory

pytestmark = pytest.mark.slow

FUNCTIONS = (
    "inverse_dynamics",
    "forward_dynamics",
    "inertia_matrix",
    "inverse_dynamics_derivatives_entries",
)
STATES = 19


@pytest.fixture
def always(monkeypatch):
    """Loops over limbs wherever there are limbs."""
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", "-O0 -Wall -Wextra -Wpedantic -Wshadow -Werror")
    monkeypatch.setattr(choose, "is_faster", lambda form, other: True)
    monkeypatch.setattr(several, "is_long_code", lambda straight: True)
    monkeypatch.setattr(several, "worth_limb_loops", lambda straight, packed: True)


def check(robot, functions):
    """In rows and in columns, with all arguments and without those that may be left out."""
    together, alone = (build_compiled(Library(robot, functions), batch) for batch in (True, False))
    random = np.random.default_rng(2)
    for function in alone.summary.functions:
        every = {a.name: random.uniform(-2, 2, (STATES, *array_shape(a))) for a in function.inputs}
        needed = {a.name: every[a.name] for a in function.inputs if not a.optional}
        for values in (every, needed):
            expected = alone.call(function.name, values, np.zeros(0), (STATES,))
            columns = {name: np.asfortranarray(rows) for name, rows in values.items()}
            for laid in (values, columns):
                found = together.call(function.name, laid, np.zeros(0), (STATES,))
                for output, right in expected.items():
                    scale = np.abs(right).max()
                    assert np.abs(found[output] - right).max() <= 1e-12 * scale, function.name


@pytest.mark.parametrize("floating", [False, True])
def test_of_a_quadruped(always, floating):
    robot = example("quadruped", floating_base=floating)
    functions = FUNCTIONS if floating else FUNCTIONS[:2]
    check(robot, functions)
    traced = Library(robot, functions)
    forms = [form for name in functions for form in several._forms(traced, name) if form]
    assert len(forms) >= len(functions) and all(form.lanes for form in forms)


def test_of_legs_whose_joints_are_in_no_order(always):
    """No entries of the legs are at equal distances."""
    robot = example("quadruped")
    others = np.random.default_rng(3).permutation(robot.n)
    joints = [replace(j, coordinate=int(others[j.coordinate])) for j in robot.joints]
    check(replace(robot, joints=tuple(joints)), ["inverse_dynamics"])


@pytest.mark.skipif(robots_directory() is None, reason="no example-robot-data")
def test_of_arms_and_legs(always):
    path = robot_path("simple_humanoid_description/urdf/simple_humanoid.urdf")
    check(read(path, floating_base=True).robot, ["inertia_matrix_entries"])


@given(limbed_trees(), st.booleans())
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
def test_of_limbs_of_any_numbers(always, tmp_path_factory, tree, floating):
    path = tmp_path_factory.mktemp("limbs") / "robot.urdf"
    path.write_text(tree.urdf(), encoding="utf-8")
    check(read(path, floating_base=floating).robot, ["forward_dynamics"])
