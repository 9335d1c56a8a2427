"""Parameters in C++: what depends on them alone is computed once, in `update_parameters()`."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.text import parameter_identifiers
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.backends.render import include_directory, write_changed
from robcogen_ros.program.choose import operation_counts
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from test.support.eigen import eigen_directory
from test.support.parametric import VALUES, parametric_leg

Q = (0.3, -0.8)
USE = """#include <cstdio>
#include "demo/leg.hpp"
int main() {
  demo::leg::Parameters parameters;
  %s
  const demo::leg::Constants constants = demo::leg::update_parameters(parameters);
  const demo::leg::JointVector q(%r, %r);
  const auto tau = demo::leg::gravity_torques(q, constants);
  const auto H = demo::leg::inertia_matrix(q, constants);
  for (const double x : {tau(0), tau(1), H(0, 0), H(1, 0), H(0, 1), H(1, 1)}) {
    std::printf("%%.17g ", x);
  }
}
"""


@pytest.fixture(scope="module")
def library():
    return Library(parametric_leg(), ["gravity_torques", "inertia_matrix", "kinematics"])


@pytest.mark.slow
def test_the_header_gives_the_numbers_of_the_reference(library, tmp_path):
    files = BACKENDS["cpp"](library, Target("demo", "leg", "leg.kindsl"))
    sets = " ".join(f"parameters.{name} = {value};" for name, value in VALUES.items())
    write_changed({tmp_path / path: text for path, text in files.items()})
    (tmp_path / "use.cpp").write_text(USE % (sets, *Q))
    include = [f"-I{tmp_path / 'include'}", f"-I{include_directory()}"]
    include += ["-isystem", str(eigen_directory())]
    sources = [tmp_path / "use.cpp", *(tmp_path / "src").glob("*.cpp")]
    sources = [str(source) for source in sources if source.name != "model.cpp"]
    flags = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror"]
    program = str(tmp_path / "use")
    subprocess.run(["c++", *flags, *include, *sources, "-o", program], check=True)
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    expected = [
        entry
        for name in ("gravity_torques", "inertia_matrix")
        for (entries,) in [interpret(library.entry(name).fastest, {"q": Q}, VALUES).values()]
        for entry in entries
    ]
    np.testing.assert_allclose([float(word) for word in printed.split()], expected, rtol=1e-13)


def test_no_call_computes_what_depends_on_parameters_alone(library):
    for name in library.names:
        before, after = library.entry(name).fastest, library.derived(name).fastest
        assert sum(operation_counts(after).values()) < sum(operation_counts(before).values())
        assert all(s.node.stage > 1 for s in after.statements())


def test_functions_share_their_constants(library):
    nodes = library.update_parameters.outputs[0].nodes
    assert len(set(nodes)) == len(nodes)
    alone = [Library(library.robot, [name]).constant_count for name in library.names]
    assert max(alone) <= library.constant_count < sum(alone)


def test_parameters_are_not_called_like_other_members():
    assert parameter_identifiers(["data", "get", "a.b"]) == ["data_", "get_", "a_b"]
