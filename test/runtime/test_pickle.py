"""Robots in other processes: a robot is its model, its options and what was compiled of it."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.program import pickled
from robcogen_ros.runtime.compiling import compile as compilation
from test.support.examples import example_path
from test.support.parametric import LEG, VALUES

Q = np.array([0.4, -0.9])
NAMES = ["default", "base_J_foot", "inertia_matrix_and_gravity_torques"]
COPIES = {
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
each_backend = pytest.mark.parametrize("backend", ["numpy", "cpp"])


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> Path:
    """A leg whose parameters stand in sines, products and quotients of its model."""
    path = tmp_path_factory.mktemp("leg") / "leg.kindsl"
    path.write_text(LEG)
    return path


def leg(path: Path, backend: str, **options):
    robot = robcogen_ros.build(path, backend=backend, functions=NAMES, **options)
    robot.parameters.update(VALUES)
    return robot


def numbers(robot) -> list:
    """What a robot computes."""
    q = np.linspace(0, 1, 600).reshape(-1, 2)
    jacobian = robot.evaluate("base_J_foot", q=q)["J"]
    return [robot.inertia_matrix(q), jacobian, robot.transform("base", "foot", Q)]


def same(one, other) -> None:
    assert type(one) is type(other)
    assert one.required_inputs == other.required_inputs
    for ours, theirs in zip(numbers(one), numbers(other), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.slow
@each_backend
@pytest.mark.parametrize("floating", [False, True])
def test_copies_compute_the_same_and_have_parameters_of_their_own(path, backend, floating):
    robot = leg(path, backend, floating_base=floating, threads=2)
    before = numbers(robot)
    for make in COPIES.values():
        again = make(robot)
        assert again.parameters == VALUES
        assert again._evaluator.threads == 2
        same(robot, again)
        again.parameters["m"] = 2.0
        assert robot.parameters["m"] == VALUES["m"]
        assert not np.array_equal(numbers(again)[0], before[0])
        np.testing.assert_array_equal(numbers(robot)[0], before[0])


@pytest.mark.parametrize("way", COPIES)
def test_a_copy_of_parameters_changes_no_robot(path, way):
    robot = leg(path, "numpy")
    H = robot.inertia_matrix(Q)
    again = COPIES[way](robot.parameters)
    again["length"] = 9.0
    assert (robot.parameters["length"], again["length"]) == (VALUES["length"], 9.0)
    np.testing.assert_array_equal(robot.inertia_matrix(Q), H)


def test_a_value_that_is_missing_stays_missing(path):
    robot = pickle.loads(pickle.dumps(robcogen_ros.build(path, backend="numpy")))
    with pytest.raises(robcogen_ros.RobcogenError, match=r"parameter .* has no default"):
        robot.inertia_matrix(Q)


def work(robot, q):
    return robot.inertia_matrix(q)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_processes_compute_the_same(path, method):
    robots = [leg(path, "numpy"), leg(path, "cpp")]
    with multiprocessing.get_context(method).Pool(1) as pool:
        found = pool.starmap(work, [(robot, Q) for robot in robots])
    for robot, H in zip(robots, found, strict=True):
        np.testing.assert_array_equal(H, robot.inertia_matrix(Q))


@pytest.mark.slow
def test_a_file_that_changed_changes_no_robot(path, tmp_path):
    """Nor does another option of the environment."""
    file = tmp_path / "leg.kindsl"
    file.write_text(LEG)
    for backend in ("numpy", "cpp"):
        robot = leg(file, backend)
        data = pickle.dumps(robot)
        file.write_text(LEG.replace("0.7", "7.0"))
        same(robot, pickle.loads(data))
        file.write_text(LEG)


@pytest.mark.slow
def test_what_left_the_cache_is_compiled_again(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    functions = ["inertia_matrix", "gravity_torques"]
    robot = robcogen_ros.build(example_path("hyl"), functions=functions)
    data, file = pickle.dumps(robot), Path(robot.library_path)
    monkeypatch.setattr(compilation, "build_compiled", pytest.fail)
    assert pickle.loads(data).library_path == str(file)
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "elsewhere"))
    again = pickle.loads(data)
    assert Path(again.library_path).is_relative_to(tmp_path / "elsewhere")
    assert set(again.required_inputs) == set(functions)
    q = np.array([0.1, 0.4, -0.9])
    np.testing.assert_array_equal(again.inertia_matrix(q), robot.inertia_matrix(q))


@pytest.mark.slow
def test_a_robot_of_another_processor_is_compiled_for_this_one(path, monkeypatch):
    """Machines of a cluster may share the folder of what was compiled."""
    robot, asked = leg(path, "cpp"), []
    data = pickle.dumps(robot)
    monkeypatch.setattr(compilation, "processor", lambda: "another")
    compiled = robot._evaluator
    monkeypatch.setattr(compilation, "build_compiled", lambda *_: asked.append(1) or compiled)
    same(robot, pickle.loads(data))
    assert asked == [1]


def test_a_robot_that_is_another_one_is_refused(path, monkeypatch):
    """As dataclasses of another version may be, whose fields are in another order."""
    data = pickle.dumps(leg(path, "numpy"))
    monkeypatch.setattr(pickled, "repr", lambda robot: repr(robot) + "!", raising=False)
    with pytest.raises(robcogen_ros.RobcogenError, match="pickled by another version"):
        pickle.loads(data)


@pytest.mark.slow
def test_loaded_robots_are_loaded_again_and_are_what_they_were(monkeypatch, tmp_path):
    functions = ["default", "solve_inertia"]
    made = Path(robcogen_ros.build(example_path("hyl"), functions=functions).library_path)
    index = tmp_path / "share" / "ament_index" / "resource_index" / "robcogen_models"
    index.mkdir(parents=True)
    (index / "legs__hyl").write_text(f"lib/libhyl.so {compilation._SYMBOL}\n")
    (tmp_path / "lib").mkdir()
    shutil.copy(made, tmp_path / "lib" / "libhyl.so")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path))
    robot = robcogen_ros.load("legs/hyl", threads=3)
    q = np.array([0.1, 0.4, -0.9])
    for make in COPIES.values():
        again = make(robot)
        assert (again.library_path, again._evaluator.threads) == (robot.library_path, 3)
        np.testing.assert_array_equal(again.inertia_matrix(q), robot.inertia_matrix(q))
    data = pickle.dumps(robot)
    (tmp_path / "lib" / "libhyl.so").unlink()
    other = robcogen_ros.build(example_path("hyl"), functions=["inertia_matrix"])
    shutil.copy(other.library_path, tmp_path / "lib" / "libhyl.so")
    with pytest.raises(robcogen_ros.RobcogenError, match="'legs/hyl' was built anew since"):
        pickle.loads(data)


def test_errors_come_out_of_processes_as_they_were_raised():
    problem = robcogen_ros.Problem("wrong", robcogen_ros.Location("arm.urdf", 3, 7))
    again = pickle.loads(pickle.dumps(robcogen_ros.ModelError([problem, problem])))
    assert again.problems == (problem, problem)
    assert str(again) == "arm.urdf:3:7: error: wrong\narm.urdf:3:7: error: wrong"
