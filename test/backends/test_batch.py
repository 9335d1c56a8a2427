"""Many states at once give what each gives alone."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.backends.render import include_directory
from robcogen_ros.program import choose
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.arguments import array_shape
from robcogen_ros.runtime.compiling import compile as compile_module
from robcogen_ros.runtime.compiling.compile import build_compiled
from robcogen_ros.runtime.evaluators.threads import in_threads
from test.support.examples import example, example_path

pytestmark = pytest.mark.slow


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


def test_states_are_read_where_they_lie():
    library = Library(example("hyl"), ["inverse_dynamics", "inertia_matrix"])
    together, alone = (build_compiled(library, batch) for batch in (True, False))
    table = np.random.default_rng(7).uniform(-2, 2, (45, 11))
    before = table.copy()
    gravity = np.array([1.0, 2.0, -9.0])
    ways = [
        {"q": table[:, :3], "qd": table[:, 3:6], "qdd": table[:, 8:]},
        {"q": table[::2, :3], "qd": table[1::2, 3:6][::-1], "qdd": table[0, 3:6]},
        {"q": table[:40, 0:9:3], "qd": table[:40, :3], "qdd": table[:40, 4:7], "gravity": gravity},
    ]
    for way in ways:
        count = len(way["q"]) if way is not ways[1] else 22
        given = {name: array[:count] if array.ndim > 1 else array for name, array in way.items()}
        found = together.call("inverse_dynamics", given, np.zeros(0), (count,))["tau"]
        for state in range(count):
            one = {name: a[state] if a.ndim > 1 else a for name, a in given.items()}
            expected = alone.call("inverse_dynamics", one, np.zeros(0), ())["tau"][0]
            assert np.allclose(found[state], expected, rtol=1e-12, atol=1e-12)
    assert np.array_equal(table, before)


def in_columns(rows):
    """The same numbers, each number of all states together."""
    return np.asfortranarray(rows)


def apart(rows):
    """The same numbers, with others between them."""
    table = np.full((len(rows), 3 * rows.shape[1]), np.nan)
    table[:, ::3] = rows
    return table[:, ::3]


def between(rows):
    """The same numbers in columns, with other states between them."""
    table = np.full((rows.shape[1], 2 * len(rows)), np.nan)
    table[:, 1::2] = rows.T
    return table[:, 1::2].T


@pytest.mark.parametrize("name", ["hyl", "quadruped", "fancy"])
@pytest.mark.parametrize("batch", [True, False])
@pytest.mark.parametrize("count", [17, 24, 35])
def test_no_bit_depends_on_how_numbers_lie(name, batch, count):
    robot = example(name)
    evaluator = build_compiled(Library(robot, ["inverse_dynamics", "inertia_matrix"]), batch)
    constants = evaluator.constants(np.full(len(robot.parameters), 0.3))
    generator = np.random.default_rng(3)
    for function in evaluator.summary.functions:
        rows = {
            a.name: generator.uniform(-2, 2, (count, *array_shape(a)))
            for a in function.inputs
            if not a.optional
        }
        expected = evaluator.call(function.name, rows, constants, (count,))
        for lay in (in_columns, apart, between):
            last = list(rows)[-1]
            all_so = {key: lay(values) for key, values in rows.items()}
            for laid in (all_so, {**rows, last: all_so[last]}):
                found = evaluator.call(function.name, laid, constants, (count,))
                for output, values in expected.items():
                    assert np.array_equal(found[output], values)


def test_a_long_usual_form_calls_the_general_one(monkeypatch):
    robot = example("hyl")
    names = ["inverse_dynamics", "forward_dynamics"]
    alone = build_compiled(Library(robot, names), batch=False)
    monkeypatch.setattr(choose, "_LONGEST_USUAL", 0)
    together = build_compiled(Library(robot, names), batch=True)
    generator = np.random.default_rng(8)
    for function in alone.summary.functions:
        rows = {
            a.name: generator.uniform(-2, 2, (21, a.rows))
            for a in function.inputs
            if not a.optional
        }
        expected = alone.call(function.name, rows, np.zeros(0), (21,))
        columns = {name: in_columns(values) for name, values in rows.items()}
        for laid in (rows, columns):
            found = together.call(function.name, laid, np.zeros(0), (21,))
            for output, values in expected.items():
                np.testing.assert_allclose(found[output], values, rtol=1e-12, atol=1e-12)


def test_a_compiler_that_cannot_shuffle_gives_the_same(tmp_path, monkeypatch):
    """Such as g++ 11, which has no `__builtin_shufflevector`."""
    library = Library(example("quadruped"), ["inverse_dynamics", "inertia_matrix"])
    expected = build_compiled(library, batch=True)
    include = tmp_path / "include"
    shutil.copytree(include_directory(), include)
    header = include / "robcogen_ros" / "simd" / "transpose.hpp"
    text = header.read_text()
    assert text.count("#define ROBCOGEN_SHUFFLES") == 1
    header.write_text(text.replace("#define ROBCOGEN_SHUFFLES", ""))
    monkeypatch.setattr(compile_module, "include_directory", lambda: include)
    found = build_compiled(library, batch=True)
    generator = np.random.default_rng(9)
    for function in expected.summary.functions:
        rows = {a.name: generator.uniform(-2, 2, (19, *array_shape(a))) for a in function.inputs}
        results = expected.call(function.name, rows, np.zeros(0), (19,))
        for output, values in found.call(function.name, rows, np.zeros(0), (19,)).items():
            assert np.array_equal(values, results[output])


def test_results_lie_as_states_do():
    library = Library(example("quadruped"), ["inverse_dynamics", "inertia_matrix"])
    evaluator = build_compiled(library, batch=True)
    shapes = {a.name: a.rows for a in evaluator.summary.functions[0].inputs if not a.optional}
    rows = {name: np.random.default_rng(4).normal(size=(40, n)) for name, n in shapes.items()}
    in_common = {**{name: in_columns(row) for name, row in rows.items()}, "qd": rows["qd"][0]}
    for inputs, columns in ((rows, False), (in_common, True), ({**in_common, **rows}, False)):
        for results in evaluator.call("inverse_dynamics", inputs, np.zeros(0), (40,)).values():
            assert results.flags.f_contiguous == columns
            assert results.flags.c_contiguous != columns


@pytest.mark.parametrize("count", [20, 64, 1000])
def test_columns_of_results_begin_at_odd_lines_of_a_cache(count):
    evaluator = build_compiled(Library(example("hyl"), ["inertia_matrix"]), batch=True)
    q = np.random.default_rng(8).normal(size=(3, count)).T
    for results in evaluator.call("inertia_matrix", {"q": q}, np.zeros(0), (count,)).values():
        state, number = results.strides[0], results.strides[1]
        assert state == 8 and count * 8 <= number < count * 8 + 128
        assert number % 128 == 64 and results.ctypes.data % 64 == 0


def test_a_vector_in_common_may_lie_anywhere():
    evaluator = build_compiled(Library(example("hyl"), ["inverse_dynamics"]), batch=True)
    states = np.random.default_rng(6).normal(size=(30, 9))
    inputs = {"q": states[:, :3], "qd": states[:, 3:6], "qdd": states[4, ::4]}
    found = evaluator.call("inverse_dynamics", inputs, np.zeros(0), (30,))["tau"]
    same = {**inputs, "qdd": np.tile(states[4, ::4], (30, 1))}
    assert np.array_equal(
        found, evaluator.call("inverse_dynamics", same, np.zeros(0), (30,))["tau"]
    )


@pytest.mark.parametrize("strange", [np.nan, np.inf, 1e30])
def test_a_strange_state_changes_no_other(strange):
    names = ["inverse_dynamics", "inertia_matrix"]
    robot = example("quadruped")
    evaluator = build_compiled(Library(robot, names), batch=True)
    q = np.random.default_rng(11).uniform(-2, 2, (20, robot.n))
    before = evaluator.call("inertia_matrix", {"q": q}, np.zeros(0), (20,))["H"]
    q[9, 4] = strange
    after = evaluator.call("inertia_matrix", {"q": q}, np.zeros(0), (20,))["H"]
    others = np.arange(20) != 9
    assert np.array_equal(after[others], before[others])
    assert not np.array_equal(after[9], before[9])


@pytest.mark.parametrize("count", [0, 255, 1000, 1021])
def test_threads_change_no_bit(count):
    library = Library(example("hyl"), ["inverse_dynamics", "inertia_matrix"])
    evaluator = build_compiled(library, batch=True)
    generator = np.random.default_rng(9)
    inputs = {name: generator.uniform(-2, 2, (count, 3)) for name in ("q", "qd", "qdd")}
    results = []
    for threads in (1, 2, 3, 7):
        evaluator.threads = threads
        results.append(evaluator.call("inverse_dynamics", inputs, np.zeros(0), (count,))["tau"])
    assert results[0].shape == (count, 3)
    assert all(result.tobytes() == results[0].tobytes() for result in results)


def test_every_state_is_given_to_one_thread():
    for count in (0, 1, 700, 5000, 5001):
        for threads in (1, 2, 5):
            seen = np.zeros(count, dtype=int)
            starts = []

            def run(first, last, seen=seen, starts=starts):
                seen[first:last] += 1
                starts.append(first)

            in_threads(run, count, threads)
            assert np.all(seen == 1)
            assert len(starts) <= threads and all(first % 64 == 0 for first in starts)


def test_arrays_of_states_from_python():
    robot, alone = (
        robcogen_ros.build(example_path("hyl"), functions=["inertia_matrix"], batch=batch)
        for batch in (True, False)
    )
    q = np.random.default_rng(3).uniform(-1, 1, (4, 25, 3))
    assert np.allclose(robot.inertia_matrix(q), alone.inertia_matrix(q), rtol=0, atol=1e-14)
