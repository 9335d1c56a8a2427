"""Robots in Python and Octave: names stay text, wrong shapes are told.

That they compute what is right is tested against datasets (`test_dataset`).
"""

from __future__ import annotations

import ast

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.program.library import Library
from test.support.model_of import model_of
from test.support.octave import run_octave, write_package
from test.support.random_robots import arm_with_everything

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


def test_wrong_shapes_are_told_in_octave(tmp_path):
    everything = Library(
        model_of(arm_with_everything().urdf()), ["gravity_torques", "inverse_dynamics"]
    )
    write_package(everything, "arm", tmp_path)
    n, links = everything.robot.n, len(everything.robot.links)
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
