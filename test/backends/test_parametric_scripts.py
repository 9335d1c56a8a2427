"""Robots with parameters in Python and Octave, on either base: the numbers of the dataset."""

from __future__ import annotations

import json
from functools import lru_cache

import numpy as np
import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.dataset import dataset_files
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.program.library import Library
from test.support.model_of import model_of
from test.support.octave import run_octave, write_package
from test.support.parametric import parametric_leg
from test.support.random_robots import arm_with_everything

ROBOTS = ("leg", "floating_leg", "everything")


@lru_cache
def library(name: str) -> Library:
    if name == "everything":
        return Library(model_of(arm_with_everything().urdf()), ["all"])
    robot = parametric_leg(floating_base=name == "floating_leg")
    base, foot = robot.frame_names[0], robot.frame_names[-1]
    named = [f"{base}_{word}_{foot}" for word in ("X", "J", "position_null_space")]
    return Library(robot, ["all"], [*named, "inertia_matrix_and_gravity_torques"])


@lru_cache
def cases(name: str) -> list[tuple[dict, dict]]:
    (text,) = dataset_files(library(name), Target("demo", name, "model"), 1, 0).values()
    return [(f, case) for f in json.loads(text)["functions"] for case in f["cases"]]


def check(found: list[np.ndarray], case: dict) -> None:
    """Compare results, each flat and column-major, with a case of the dataset."""
    for ours, right in zip(found, case["outputs"].values(), strict=True):
        scale = max(1.0, *map(abs, right))
        assert ours == pytest.approx(np.array(right), rel=0, abs=1e-12 * scale)


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_python(name):
    (text,) = BACKENDS["python"](library(name), Target("demo", name, "model")).values()
    module: dict = {}
    exec(compile(text, f"{name}.py", "exec"), module)
    for function, case in cases(name):
        shapes = {a["name"]: a["shape"][::-1] for a in function["inputs"]}
        given = {key: np.reshape(x, shapes[key]) for key, x in case["inputs"].items()}
        if "parameters" in case:
            given["parameters"] = module["Parameters"](*case["parameters"])
        for batch in (False, True):
            repeated = {k: v if k == "parameters" else np.stack([v] * 2) for k, v in given.items()}
            found = module[function["name"]](**(repeated if batch else given))
            results = found if isinstance(found, tuple) else (found,)
            check([np.ravel(r[1] if batch else r, order="F") for r in results], case)


def test_octave(tmp_path):
    lines = []
    for name in ROBOTS:
        write_package(library(name), name, tmp_path)
        lines += [octave_line(name, *case) for case in cases(name)]
    found = run_octave(tmp_path, lines)
    every = [case for name in ROBOTS for _, case in cases(name)]
    for numbers, case in zip(found, every, strict=True):
        ends = np.cumsum([len(right) for right in case["outputs"].values()])[:-1]
        check(np.split(np.array(numbers), ends), case)


def octave_line(name: str, function: dict, case: dict) -> str:
    """A call that prints all results, column by column."""
    inputs = sorted(function["inputs"], key=lambda argument: argument["optional"])
    words = []
    for a in inputs:
        rows, columns = (*a["shape"], 1)[:2]
        words.append(f"reshape({case['inputs'].get(a['name'], [])}, {rows}, {columns})")
        if a["name"] not in case["inputs"]:
            words[-1] = "[]"
    if "parameters" in case:
        named = zip(library(name).robot.parameters, case["parameters"], strict=True)
        pairs = [f"'{p.name}', {x!r}" for p, x in named]
        words.append(f"struct({', '.join(pairs)})")
    results = [f"r{k}" for k in range(len(case["outputs"]))]
    printed = "; ".join(f"{result}(:)" for result in results)
    call = f"[{', '.join(results)}] = {name}.{function['name']}({', '.join(words)});"
    return f"{call} printf('%.17g ', [{printed}]); printf('\\n');"


def test_wrong_shapes_are_told_in_octave(tmp_path):
    write_package(library("everything"), "arm", tmp_path)
    n, links = library("everything").robot.n, len(library("everything").robot.links)
    calls = {
        "arm.gravity_torques(zeros(2, 1))": f"q: expected {n} x 1, found 2 x 1",
        f"arm.gravity_torques(zeros({n}, 1), 9.81)": "gravity: expected 3 x 1, found 1 x 1",
        f"arm.inverse_dynamics(zeros(1, {n}), zeros({n}, 1), zeros({n}, 1), [], zeros(3, 2))": (
            f"external_forces: expected 6 x {links}, found 3 x 2"
        ),
    }
    lines = []
    for call, message in calls.items():
        failed = f"disp(strcmp(e.message, '{message}') && strcmp(e.identifier, 'arm:shape'))"
        lines.append(f"try, {call}; disp(0), catch e, {failed}, end")
    assert run_octave(tmp_path, lines) == [[1.0]] * len(calls)
