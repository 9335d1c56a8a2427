"""The usual form of a long function hands the general one what a caller leaves out."""

import numpy as np
import pytest

from robcogen_ros.program import choose
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from test.support.cpp_program import CppRobot
from test.support.examples import example

CALL = """
#include <cstdio>
#include "demo/arm/inverse_dynamics.hpp"
int main()
{{
  const double q[] = {{{q}}}, qd[] = {{{qd}}}, qdd[] = {{{qdd}}};
  double tau[{n}];
  demo::arm::functions::inverse_dynamics<double>(q, qd, qdd, tau);
  for (double x : tau) std::printf("%.17g\\n", x);
}}
"""


@pytest.mark.slow
def test_a_long_function_is_written_once(monkeypatch, tmp_path):
    robot = example("hyl")
    library = Library(robot, ["inverse_dynamics"])
    random = np.random.default_rng(3)
    state = {name: random.uniform(-1, 1, robot.n) for name in ("q", "qd", "qdd")}
    expected = interpret(library.entry("inverse_dynamics").fastest, state)["tau"]
    monkeypatch.setattr(choose, "_LONGEST_USUAL", 0)
    cpp = CppRobot(library, tmp_path)
    header = (tmp_path / "include/demo/arm/inverse_dynamics.hpp").read_text(encoding="utf-8")
    assert header.count(" tau[0] = ") == 1
    cpp.compile(only=("inverse_dynamics",))
    numbers = {name: ", ".join(map(repr, map(float, row))) for name, row in state.items()}
    found = cpp.run(CALL.format(n=robot.n, **numbers)).split()
    np.testing.assert_allclose([float(x) for x in found], expected, rtol=1e-12)
