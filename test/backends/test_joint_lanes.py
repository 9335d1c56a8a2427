"""Serial chains whose joints are computed side by side: the same results, only where worth it."""

import platform
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.formats.read import read
from robcogen_ros.program.joint_lane_costs import FEWEST, IN_JOINT_LANES, MOST
from robcogen_ros.program.library import Library
from test.backends.test_tree import robot_of, tree
from test.support.compiler import clang
from test.support.cpp_program import CppRobot
from test.support.robots import robot_path, robots_directory

PANDA = "panda_description/urdf/panda.urdf"
FINGERS = {"panda_finger_joint1": 0.0, "panda_finger_joint2": 0.0}


def chain(joints, slides=()):
    """A chain of joints in general places."""
    return tree(range(joints), slides)


def in_lanes(robot, name="inverse_dynamics_derivatives", **options):
    return Library(robot, [name], **options).in_joint_lanes(name)


def flags():
    """What makes registers as wide as they get here."""
    return "-O1 -march=native" if platform.machine() == "x86_64" else "-O1"


def known_to_processor():
    """The sets of instructions that this machine has."""
    path = Path("/proc/cpuinfo")
    return set(path.read_text().split()) if path.is_file() else set()


def take_clang(monkeypatch):
    """Compiles with clang from here on, if there is one."""
    if not (other := clang()):
        pytest.skip("there is no clang")
    monkeypatch.setenv("CXX", other)


@pytest.mark.parametrize("with_clang", [False, True])
@pytest.mark.parametrize("slide", [False, True])
@pytest.mark.parametrize("joints", range(FEWEST, MOST + 1))
def test_results_are_the_same(joints, slide, with_clang, monkeypatch):
    robot = chain(joints, slides=(1, joints - 1) if slide else ())
    options = {"functions": IN_JOINT_LANES, "terms": ["armature", "damping", "friction"]}
    monkeypatch.setattr(Library, "in_joint_lanes", lambda library, name: True)
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", f"{flags()} -Wall -Wextra -Wshadow -Werror")
    if with_clang:
        take_clang(monkeypatch)
    expected, compiled = robot.build(**options), robot.build(backend="cpp", **options)
    random = np.random.default_rng(joints)
    for name in IN_JOINT_LANES:
        given = {key: random.uniform(-3, 3, (11, joints)) for key in ("q", "qd", "qdd")}
        several, right = compiled.evaluate(name, **given), expected.evaluate(name, **given)
        for result, matrices in right.items():
            atol = 1e-13 * np.abs(matrices).max()
            np.testing.assert_allclose(several[result], matrices, rtol=0, atol=atol)
            for i, matrix in enumerate(matrices):
                one = compiled.evaluate(name, **{key: rows[i] for key, rows in given.items()})
                np.testing.assert_allclose(one[result], matrix, rtol=0, atol=atol)


@pytest.mark.parametrize("with_clang", [False, True])
@pytest.mark.parametrize("options", ["", "-mavx2 -mfma", "-mavx512f"])
def test_any_processor_has_the_same_results(options, with_clang, monkeypatch):
    """Those without registers that are wide enough take straight-line code."""
    if options and platform.machine() != "x86_64":
        pytest.skip("these are options of x86-64")
    if options and (missing := set(options.replace("-m", "").split()) - known_to_processor()):
        pytest.skip(f"this processor has no {missing.pop()}")
    monkeypatch.setattr(Library, "in_joint_lanes", lambda library, name: True)
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", f"-O1 {options} -Wall -Wextra -Wshadow -Werror")
    if with_clang:
        take_clang(monkeypatch)
    name = IN_JOINT_LANES[0]
    robot = chain(6)
    expected, compiled = robot.build(functions=[name]), robot.build(backend="cpp", functions=[name])
    given = dict(
        zip(("q", "qd", "qdd"), np.random.default_rng(4).uniform(-2, 2, (3, 6)), strict=True)
    )
    right = expected.evaluate(name, **given)
    for result, matrix in compiled.evaluate(name, **given).items():
        atol = 1e-13 * np.abs(right[result]).max()
        np.testing.assert_allclose(matrix, right[result], rtol=0, atol=atol)


def test_links_far_from_the_base_keep_their_digits(monkeypatch):
    monkeypatch.setattr(Library, "in_joint_lanes", lambda library, name: True)
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", flags())
    robot = chain(7)
    far = replace(robot.joints[0], xyz=(3.0, -2.0, 4.0))
    robot = replace(robot, joints=(far, *robot.joints[1:]))
    name = IN_JOINT_LANES[0]
    expected, compiled = robot.build(functions=[name]), robot.build(backend="cpp", functions=[name])
    q, qd, qdd = np.random.default_rng(3).uniform(-2, 2, (3, 9, 7))
    for state in zip(q, qd, qdd, strict=True):
        given = dict(zip(("q", "qd", "qdd"), state, strict=True))
        found, right = (r.evaluate(name, **given)["dtau_dqdd"] for r in (compiled, expected))
        size = np.sqrt(np.diag(right))
        assert (np.abs(found - right) < 2e-14 * np.outer(size, size)).all()


def test_nothing_beyond_the_results_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(Library, "in_joint_lanes", lambda library, name: True)
    for joints in range(FEWEST, MOST + 1):
        robot = robot_of(chain(joints), tmp_path)
        program = CppRobot(Library(robot, IN_JOINT_LANES), tmp_path / str(joints))
        program.compile(*flags().split())
        assert program.run(GUARDED.replace("JOINTS", str(joints)), *flags().split()) == "sound"


GUARDED = """
#include <cstdio>

#include "demo/arm/functions.hpp"

int main()
{
  constexpr int n = JOINTS, size = n * n;
  double state[n], results[3][1 + size + 8];
  for (double & number : state)
  {
    number = 0.5;
  }
  for (auto & result : results)
  {
    for (double & number : result)
    {
      number = 1e9;
    }
  }
  demo::arm::functions::inverse_dynamics_derivatives<double>(
    state, state, state, results[0] + 1, results[1] + 1, results[2] + 1);
  for (const auto & result : results)
  {
    for (int i = 0; i < 1 + size + 8; ++i)
    {
      if ((result[i] == 1e9) != (i < 1 || i > size))
      {
        std::printf("entry %d is %g", i - 1, result[i]);
        return 0;
      }
    }
  }
  std::printf("sound");
}
"""


def test_angles_that_are_too_far_are_no_exception(monkeypatch):
    robot = chain(5)
    monkeypatch.setattr(Library, "in_joint_lanes", lambda library, name: True)
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", flags())
    name = IN_JOINT_LANES[0]
    expected, compiled = robot.build(functions=[name]), robot.build(backend="cpp", functions=[name])
    given = {"q": [2e6, 0.3, -3e6, 2.0, 1e7], "qd": np.ones(5), "qdd": np.ones(5)}
    right = expected.evaluate(name, **given)
    for result, matrix in compiled.evaluate(name, **given).items():
        atol = 1e-8 * np.abs(right[result]).max()
        np.testing.assert_allclose(matrix, right[result], rtol=0, atol=atol)


def test_lanes_are_for_chains_whose_axes_are_in_general_places(tmp_path):
    assert in_lanes(robot_of(chain(6), tmp_path))
    assert not in_lanes(robot_of(chain(FEWEST - 1), tmp_path))
    assert not in_lanes(robot_of(chain(MOST + 1), tmp_path))
    assert not in_lanes(robot_of(tree([0, 1, 1, 3, 4, 5]), tmp_path))
    assert not in_lanes(robot_of(chain(6), tmp_path, floating_base=True))
    assert not in_lanes(robot_of(chain(6), tmp_path, parameters=["link3.mass"]))
    assert not in_lanes(robot_of(chain(6), tmp_path), name="inverse_dynamics")
    assert not in_lanes(robot_of(chain(6), tmp_path), without=["joint-lanes"])


@pytest.mark.skipif(robots_directory() is None, reason="no example-robot-data")
def test_lanes_are_for_arms_of_seven_joints():
    assert in_lanes(read(robot_path(PANDA), lock=FINGERS).robot)
    assert not in_lanes(read(robot_path("ur_description/urdf/ur5_robot.urdf")).robot)
