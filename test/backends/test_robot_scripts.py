"""Robots in Python and Octave compute what the reference, the interpreted program, computes."""

from __future__ import annotations

import ast
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robot_of import robot_of
from test.support.examples import example
from test.support.model_of import model_of

ROBOTS = ["hyl", "fancy", "quadruped"]
RANDOM = np.random.default_rng(5)


@lru_cache
def library(name: str) -> Library:
    return Library(example(name))


@lru_cache
def python_module(name: str) -> dict:
    target = Target("robots", name, f"{name}.kindsl")
    (text,) = BACKENDS["python"](library(name), target).values()
    names: dict = {}
    exec(compile(text, f"{name}.py", "exec"), names)
    return names


def shapes(name: str, function: str, *, optional: bool) -> dict[str, tuple[int, ...]]:
    """The arguments of a function, and the shapes of their arrays."""
    return {
        a.name: (a.rows,) if a.columns is None else (a.columns, a.rows)
        for a in library(name).entry(function).general.inputs
        if optional or not a.optional
    }


def reference(name: str):
    """The robot, interpreted; parameters without a default are given."""
    robot = robot_of(NumpyEvaluator(library(name)))
    for parameter in robot.parameters:
        robot.parameters[parameter] = 0.3
    return robot


def with_parameters(name: str, given: dict) -> dict:
    kind = python_module(name).get("Parameters")
    if kind is None:
        return given
    return {**given, "parameters": kind(*(0.3 for _ in kind._fields))}


@pytest.mark.parametrize("optional", [False, True], ids=["usual", "general"])
@pytest.mark.parametrize("name", ROBOTS)
def test_every_function_in_python(name, optional):
    robot, module = reference(name), python_module(name)
    for function in library(name).names:
        given = {
            argument: RANDOM.uniform(-1, 1, (2, 1, *shape) if k else (3, *shape))
            for k, (argument, shape) in enumerate(shapes(name, function, optional=optional).items())
        }
        found = module[function](**with_parameters(name, given))
        expected = robot.evaluate(function, **given)
        found = found if isinstance(found, tuple) else (found,)
        for ours, theirs in zip(found, expected.values(), strict=True):
            assert ours.shape == theirs.shape
            assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-9)


def octave_text(array: np.ndarray) -> str:
    """A matrix, whose columns are the rows of the array."""
    rows = np.atleast_2d(array).T
    return "[" + "; ".join(" ".join(repr(float(x)) for x in row) for row in rows) + "]"


def test_every_function_in_octave(tmp_path):
    octave = shutil.which("octave-cli") or shutil.which("octave")
    if octave is None:
        pytest.skip("octave is not installed")
    lines, expected = [], []
    for name in ROBOTS:
        write("octave", name, tmp_path)
        module = python_module(name)
        for function in library(name).names:
            for optional in (False, True):
                wanted = shapes(name, function, optional=optional)
                given = {a: RANDOM.uniform(-1, 1, shape) for a, shape in wanted.items()}
                found = module[function](**with_parameters(name, given))
                results = found if isinstance(found, tuple) else (found,)
                expected.append([x for r in results for x in np.ravel(r, order="F")])
                outputs = ", ".join(f"r{k}" for k in range(len(results)))
                joined = "; ".join(f"r{k}(:)" for k in range(len(results)))
                lines.append(f"[{outputs}] = {call(name, function, given)};")
                lines.append(f"printf('%.17g ', [{joined}]); printf('\\n');")
    script = tmp_path / "run.m"
    script.write_text("\n".join(lines))
    command = [octave, "--no-gui", "--norc", "--quiet", script.name]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert not done.stderr.startswith("error"), done.stderr[:500]
    printed = done.stdout.splitlines()
    assert len(printed) == len(expected)
    for line, right in zip(printed, expected, strict=True):
        assert [float(x) for x in line.split()] == pytest.approx(right, rel=1e-9, abs=1e-9)


def write(language: str, name: str, folder: Path) -> None:
    target = Target("robots", name, f"{name}.kindsl")
    for path, text in BACKENDS[language](library(name), target).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def call(name: str, function: str, given: dict) -> str:
    """A call with the arguments in order; optional ones that are not given are empty."""
    inputs = sorted(library(name).entry(function).general.inputs, key=lambda a: a.optional)
    words = [octave_text(given[a.name]) if a.name in given else "[]" for a in inputs]
    parameters = [f"'{p.name}', 0.3" for p in library(name).robot.parameters]
    if parameters:
        words.append(f"struct({', '.join(parameters)})")
    return f"{name}.{function}({', '.join(words)})"


HOSTILE = """<robot name="r"><link name="a&quot;&quot;&quot;"/><link name="b'*/%{"/>
  <joint name="end&#10;import os" type="revolute"><parent link="a&quot;&quot;&quot;"/>
    <child link="b'*/%{"/><axis xyz="0 0 1"/><limit effort="1" velocity="1"/></joint></robot>"""


def test_names_of_a_model_stay_text(tmp_path):
    robot = model_of(HOSTILE)
    target = Target("robots", "r", 'r"""\n%.urdf')
    few = Library(robot, ["gravity_torques"])
    (text,) = BACKENDS["python"](few, target).values()
    body = ast.parse(text).body
    kinds = (ast.Expr, ast.Import, ast.ImportFrom, ast.Assign, ast.FunctionDef)
    assert {type(node) for node in body} == set(kinds)
    imported = {alias.name for node in body if isinstance(node, ast.Import) for alias in node.names}
    assert imported == {"math", "numpy"}
    names: dict = {}
    exec(text, names)
    assert names["JOINT_NAMES"] == ("end\nimport os",)
    for path, content in BACKENDS["octave"](few, target).items():
        assert path.name in ("gravity_torques.m", "names.m", "spatial_v2.m")
        assert "import os" not in content.splitlines()
