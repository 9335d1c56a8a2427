"""Results of limbs side by side are written in rows: each entry gets its own number."""

import subprocess

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import robcogen_ros
from robcogen_ros.backends.layout import layout
from robcogen_ros.backends.render import include_directory
from robcogen_ros.formats.read import read
from robcogen_ros.program.passes.vectorise import LANES
from test.support.compiler import compilers
from test.support.limbs import limbed_trees, packed
from test.support.random_robots import Joint, Link, Tree
from test.support.robots import robot_path, robots_directory

needs_robots = pytest.mark.skipif(robots_directory() is None, reason="no example-robot-data")

FUNCTIONS = ("inertia_matrix", "inertia_matrix_inverse", "forward_dynamics", "kinematics")


def written(laid):
    """What is in memory after a program has run: for each entry a node, a number of a pack or 0."""
    memory = {}
    for part in laid.parts:
        memory.update((entry, 0) for zeros in part.cleared for entry in zeros.entries())
        for assignment in (a for section in part.sections for a in section.assignments):
            memory.update((output, assignment.node) for output in assignment.outputs)
            for _, rows in assignment.rows:
                _write(rows, memory)
    return memory


def _write(rows, memory):
    for lane, place in enumerate(rows.places):
        for i, pack in enumerate(rows.packs):
            memory[rows.output, place + i] = pack, lane
        if len(rows.packs) == 3 and rows.whole[lane]:
            memory[rows.output, place + 3] = 0


def expected(program):
    """What is to be in memory."""
    return {
        (output.argument.name, i): _value(node)
        for output in program.outputs
        for i, node in enumerate(output.nodes)
    }


def _value(node):
    if node.operation in LANES:
        return node.operands[0], LANES.index(node.operation)
    return 0 if node.structurally_zero else node


def assert_all_written(robot, function):
    """Whatever way an entry is written, it holds what the program says."""
    found = packed(robot, function)
    laid = layout(found.program, frozenset(), (), clearing=True, lanes=found.lanes)
    memory = {
        entry: value if isinstance(value, tuple) or not value else _value(value)
        for entry, value in written(laid).items()
    }
    assert memory == expected(found.program)
    known = set()
    for assignment in (a for p in laid.parts for s in p.sections for a in s.assignments):
        known.add(assignment.node)
        assert all(pack in known for _, rows in assignment.rows for pack in rows.packs)


@pytest.mark.slow
@needs_robots
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("file", "floating"),
    [
        ("hyq_description/robots/hyq_no_sensors.urdf", False),
        ("hyq_description/robots/hyq_no_sensors.urdf", True),
        ("allegro_hand_description/urdf/allegro_left_hand.urdf", False),
        ("talos_data/robots/talos_reduced.urdf", True),
    ],
)
def test_every_entry_gets_its_number(file, floating, function):
    assert_all_written(read(robot_path(file), floating_base=floating).robot, function)


@given(limbed_trees(), st.booleans())
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_entry_gets_its_number_for_limbs_of_any_shape(tmp_path_factory, tree, floating):
    path = tmp_path_factory.mktemp("limbs") / "robot.urdf"
    path.write_text(tree.urdf(), encoding="utf-8")
    assert_all_written(read(path, floating_base=floating).robot, "inertia_matrix")


def spider(legs):
    """Legs of three joints about the base, no two of equal numbers."""
    joints, bodies = [], [Link("base", 5.0, (0.0, 0.0, 0.1), tensor=(0.2, 0, 0, 0.3, 0, 0.4))]
    axes = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0)]
    for leg in range(legs):
        for i, axis in enumerate(axes):
            name, parent = f"leg{leg}_{i}", f"leg{leg}_{i - 1}" if i else "base"
            xyz = (0.1 * leg - 0.2, 0.3, -0.1 * i) if not i else (0.0, 0.02 * leg, -0.3)
            joints.append(Joint(f"{name}_joint", "revolute", parent, name, xyz, (0, 0, 0), axis))
            size = 0.01 * (1 + 0.1 * leg + i)
            tensor = (size, 0.0, 0.0, 1.5 * size, 0.0, 0.8 * size)
            bodies.append(
                Link(name, 1.0 + 0.1 * leg, (0.01, 0.02, -0.1 - 0.01 * leg), tensor=tensor)
            )
    return Tree(tuple(bodies), tuple(joints))


@pytest.mark.slow
@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("legs", [2, 3, 4, 6])
def test_compiled_rows_hold_what_one_leg_after_the_other_gives(legs, floating, tmp_path):
    path = tmp_path / "spider.urdf"
    path.write_text(spider(legs).urdf(), encoding="utf-8")
    compiled = robcogen_ros.build(path, floating_base=floating, functions=["inertia_matrix"])
    plain = robcogen_ros.build(
        path, floating_base=floating, functions=["inertia_matrix"], backend="numpy"
    )
    q = np.random.default_rng(legs).uniform(-3, 3, 3 * legs)
    np.testing.assert_allclose(compiled.inertia_matrix(q), plain.inertia_matrix(q), atol=1e-13)


PROGRAM = r"""
#include "robcogen_ros/simd/transpose.hpp"

#include <cstdio>

using robcogen_ros::Pack;

template <int lanes>
Pack<lanes> counted(double from)
{
  Pack<lanes> pack;
  for (int lane = 0; lane < lanes; ++lane) {
    pack.set(lane, from + lane);
  }
  return pack;
}

template <int lanes, typename Rows>
bool holds(const Rows & rows, int count)
{
  bool result = rows.size() == lanes;
  double memory[5];
  for (int lane = 0; lane < lanes; ++lane) {
    for (double & number : memory) {
      number = -1.0;
    }
    rows[lane].write(memory);
    for (int i = 0; i < count; ++i) {
      result = result && memory[i] == 100.0 * i + lane;
    }
    result = result && memory[4] == -1.0 && (count != 3 || memory[3] == 0.0);
  }
  return result;
}

template <int lanes>
bool turns()
{
  const auto a = counted<lanes>(0), b = counted<lanes>(100), c = counted<lanes>(200),
             d = counted<lanes>(300);
  return holds<lanes>(robcogen_ros::transposed(a, b), 2) &&
         holds<lanes>(robcogen_ros::transposed(a, b, c), 3) &&
         holds<lanes>(robcogen_ros::transposed(a, b, c, d), 4);
}

int main()
{
  double memory[] = {1, 2, 3, 4, 5};
  robcogen_ros::write_three(Pack<4>(7.0, 8.0, 9.0, 10.0), memory);
  robcogen_ros::clear<2>(memory + 1);
  const bool kept = memory[0] == 7 && memory[1] == 0 && memory[2] == 0 && memory[3] == 4;
  std::puts(turns<2>() && turns<4>() && turns<8>() && kept ? "as expected" : "wrong");
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("compiler", compilers())
@pytest.mark.parametrize("flags", [(), ("-march=native",), ("-march=native", "-O3")])
def test_lanes_become_rows(compiler, flags, tmp_path):
    source = tmp_path / "rows.cpp"
    source.write_text(PROGRAM)
    include = f"-I{include_directory()}"
    options = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Wno-psabi", include, *flags]
    subprocess.run([compiler, *options, source, "-o", tmp_path / "rows"], check=True)
    run = subprocess.run([tmp_path / "rows"], capture_output=True, text=True, check=True)
    assert run.stdout == "as expected\n"
