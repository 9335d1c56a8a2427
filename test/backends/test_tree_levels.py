"""Loops over levels of a tree: what loops over its joints give, for any tree."""

from __future__ import annotations

import platform
import subprocess
from functools import partial

import numpy as np
import pytest

import robcogen_ros
from bench.scaling import random_tree
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.render import include_directory
from robcogen_ros.formats.load import parse
from robcogen_ros.formats.source import Source
from robcogen_ros.model.reduce import reduce
from robcogen_ros.program.level_costs import BY_LEVELS, level_count
from robcogen_ros.program.library import Library
from test.support.compiler import clang
from test.support.random_robots import Joint, Tree

PROGRAM = """
#include <cmath>
#include <cstdio>
#include <random>

#include "robcogen_ros/tree/coriolis_torques.hpp"

using namespace robcogen_ros;

static std::mt19937 engine;

static double number() { return std::uniform_real_distribution<double>(-1, 1)(engine); }

static tree::Triple<double> vector() { return {number(), number(), number()}; }

static double worst = 0;
static int tried = 0, late = 0, late_on_base = 0;

static void compare(double found, double expected)
{
  const double difference = std::abs(found - expected) / (1 + std::abs(expected));
  worst = difference > worst || difference != difference ? difference : worst;
}

/// A robot of turning joints, so many of them on the one before, in any order of coordinates.
template <int joints>
static Tree<joints> any_robot(double chains)
{
  Tree<joints> robot{};
  int path[joints + 1]{}, depth = 0;
  for (int i = 0; i < joints; ++i)
  {
    while (depth > 0 && number() > 2 * chains - 1)
    {
      --depth;
    }
    robot.link[i] = path[depth];
    path[++depth] = i + 1;
    robot.end[i] = i + 1;
    robot.coordinate[i] = (i * 5 + 3) % joints;
    robot.turns[i] = 1;
    robot.offset[i] = number();
    robot.armature[i] = number();
    double turn[4], norm = 0;
    for (double & x : turn)
    {
      x = number();
      norm += x * x;
    }
    for (int k = 0; k < 4; ++k)
    {
      robot.quaternion[k][i] = turn[k] /= std::sqrt(norm);
    }
    const auto [x, y, z, w] = turn;
    const double rows[9] = {
      1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
    const double position[3] = {number(), number(), number()};
    for (int k = 0; k < 9; ++k)
    {
      robot.rotation[k][i] = rows[k];
      robot.position[k / 3][i] = position[k / 3];
      robot.along[k % 3][i] += rows[k] * position[k / 3];
    }
    robot.inertia[1][i] = number();
    for (int k = 4; k < 9; ++k)
    {
      robot.inertia[k][i] = number();
    }
  }
  for (int i = joints; i-- > 0;)
  {
    if (robot.link[i] > 0)
    {
      double & end = robot.end[robot.link[i] - 1];
      end = end > robot.end[i] ? end : robot.end[i];
    }
  }
  for (double & number_of_base : robot.base)
  {
    number_of_base = number();
  }
  robot.sums = tree::sum_table<joints>(robot.link, robot.end);
  return robot;
}

/// Leaves numbers that are none where the next function has its own.
[[gnu::noinline]] static void dirty_stack()
{
  volatile double room[1 << 14];
  for (volatile double & x : room)
  {
    x = NAN;
  }
}

/// Each level has as many joints as there are lanes, or all that could be there; none comes before
/// what carries it.
template <int joints>
static void check_levels(const Tree<joints> & robot, const LevelTable<joints> & table)
{
  int level_of[joints + 1];
  level_of[0] = -1;
  for (int level = 0; level < table.levels; ++level)
  {
    for (int place = table.first[level]; place < table.first[level + 1]; ++place)
    {
      level_of[table.link[place]] = level;
    }
  }
  compare(table.first[table.levels], joints);
  for (int level = 0; level < table.levels; ++level)
  {
    const int count = table.first[level + 1] - table.first[level];
    compare(count > 0 && count <= lanes_of_levels, 1);
    for (int i = 0; i < joints && count < lanes_of_levels; ++i)
    {
      const bool could_be_here = level_of[robot.link[i]] < level && level_of[i + 1] > level;
      compare(could_be_here, 0);
    }
  }
  for (int i = 0; i < joints; ++i)
  {
    compare(level_of[robot.link[i]] < level_of[i + 1], 1);
  }
}

/// Whether one joint carries the other.
template <int joints>
static bool is_beyond(const Tree<joints> & robot, int i, int other)
{
  return other <= i && i < robot.end[other];
}

template <int joints>
static void try_robot(double chains)
{
  const Tree<joints> robot = any_robot<joints>(chains);
  const LevelTable<joints> levels = tree::level_table(robot);
  check_levels(robot, levels);
  ++tried;
  for (int k = 0; k < levels.first_late[levels.levels]; ++k)
  {
    ++(levels.late[k].carrier == levels.base ? late_on_base : late);
  }
  double q[joints], qd[joints], qdd[joints], tau[joints], expected[joints];
  for (int i = 0; i < joints; ++i)
  {
    q[i] = 4 * number(), qd[i] = number(), qdd[i] = number();
    tau[i] = expected[i] = NAN;
  }
  const tree::BodyMotion<double> base{vector(), vector(), vector()};
  const double * const changes = qdd;
  dirty_stack();
  const auto own = tree::force_of_base(robot, base);
  const auto found = tree::newton_euler(levels, q, qd, changes, base, own, NoForces(), tau);
  tree::Links<double, joints> links;
  tree::Flow<double, joints> flow;
  const tree::JointNumbers<double, joints> rates(robot, qd), of_joints(robot, qdd);
  const auto wrench = tree::newton_euler(
    robot, q, base, rates, of_joints, NoForces(), links, flow, expected);
  for (int i = 0; i < joints; ++i)
  {
    compare(tau[i], expected[i]);
  }
  compare(found.n.x, wrench.n.x), compare(found.n.y, wrench.n.y);
  compare(found.n.z, wrench.n.z), compare(found.f.x, wrench.f.x);
  compare(found.f.y, wrench.f.y), compare(found.f.z, wrench.f.z);
  dirty_stack();
  tree::newton_euler(levels, q, qd, tree::Unaccelerated(), base, own, NoForces(), tau);
  tree::newton_euler(
    robot, q, base, rates, tree::Unaccelerated(), NoForces(), links, flow, expected);
  for (int i = 0; i < joints; ++i)
  {
    compare(tau[i], expected[i]);
  }
  // What is no number stays on its branch.
  const int lost = static_cast<int>((number() + 1) / 2 * joints);
  q[robot.coordinate[lost]] = NAN;
  tree::newton_euler(levels, q, qd, changes, base, own, NoForces(), tau);
  for (int i = 0; i < joints; ++i)
  {
    const bool related = is_beyond(robot, i, lost) || is_beyond(robot, lost, i);
    compare(std::isnan(tau[robot.coordinate[i]]), related);
  }
}

/// Of chains on the base, all joints are in the lanes of those that carry them.
static void try_chains()
{
  constexpr int joints = 14, lengths[] = {3, 5, 2, 4};
  Tree<joints> robot{};
  int i = 0;
  for (const int length : lengths)
  {
    for (int k = 0; k < length; ++k, ++i)
    {
      robot.link[i] = k > 0 ? i : 0;
    }
  }
  const LevelTable<joints> table = tree::level_table(robot);
  compare(table.levels, 5);
  for (int level = 0; level < table.levels; ++level)
  {
    compare(table.in_lane[level], 1);
  }
}

int main()
{
  try_chains();
  for (int k = 0; k < 300; ++k)
  {
    for (const double chains : {0.05, 0.5, 0.75, 0.9, 1.0})
    {
      try_robot<3>(chains);
      try_robot<8>(chains);
      try_robot<13>(chains);
      try_robot<33>(chains);
      try_robot<61>(chains);
    }
  }
  std::printf("%g %d %d %d", worst, tried, late, late_on_base);
}
"""


@pytest.mark.parametrize("with_clang", [False, True])
@pytest.mark.parametrize("options", ["-mavx2 -mfma", "-march=native"])
def test_levels_are_those_of_one_joint_after_the_other(options, with_clang, tmp_path):
    if platform.machine() != "x86_64":
        pytest.skip("these are options of x86-64")
    compiler = clang() if with_clang else "c++"
    if not compiler:
        pytest.skip("there is no clang")
    source, program = tmp_path / "levels.cpp", tmp_path / "levels"
    source.write_text(PROGRAM)
    flags = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", *options.split()]
    command = [*compiler.split(), *flags, f"-I{include_directory()}", source, "-o", program]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    assert compiled.returncode == 0, compiled.stderr
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    worst, tried, late, late_on_base = printed.split()
    assert float(worst) < 1e-11
    assert int(tried) == 7500
    assert int(late) > 1000
    assert int(late_on_base) > 1000


FIXED = ("inverse_dynamics", "coriolis_torques")
FLOATING = ("inverse_dynamics_fully_actuated", "coriolis_torques")


def robot_of(tree: Tree, floating_base=False):
    return reduce(parse(Source("tree.urdf", tree.urdf())), floating_base=floating_base)


def joints(robot, name, **options):
    """A function's own header, and the table of joints."""
    library = Library(robot, [name], **options)
    files = cpp_files(library, Target("p", "r", "robot"))
    texts = {path.name: text for path, text in files.items()}
    return texts[f"{name}.hpp"], texts.get("joint_table.hpp", "")


def changed(kind, parents):
    """A random tree of joints of a kind, each on a given link."""
    tree = random_tree(len(parents))
    hinges = [
        Joint(j.name, kind, f"link{parent}", j.child, j.xyz, j.rpy, j.axis)
        for j, parent in zip(tree.joints, parents, strict=True)
    ]
    return Tree(tree.links, tuple(hinges))


@pytest.mark.parametrize("floating", [False, True])
def test_trees_are_taken_level_by_level(floating):
    robot = robot_of(random_tree(60), floating)
    names = FLOATING if floating else FIXED
    assert {*FIXED, *FLOATING} == {*BY_LEVELS}
    for name in names:
        header, table = joints(robot, name)
        assert f"{name}_of<joint_levels>(" in header
        assert f"{name}_of(" not in header
        assert "joint_levels = " in table
        header, table = joints(robot, name, without=["levels"])
        assert f"{name}_of(" in header
        assert "joint_levels" not in header + table


def test_other_robots_are_taken_joint_by_joint():
    sliding = robot_of(changed("prismatic", [i - i % 2 for i in range(60)]))
    for robot in (sliding, robot_of(changed("revolute", range(60)))):
        library = Library(robot, ["inverse_dynamics"])
        assert library.looped("inverse_dynamics")
        assert not library.in_levels("inverse_dynamics")
    hybrid = Library(robot_of(random_tree(60), True), ["inverse_dynamics"])
    assert hybrid.looped("inverse_dynamics")
    assert not hybrid.in_levels("inverse_dynamics")


@pytest.mark.parametrize(
    ("parents", "levels"),
    [
        ([0, 1, 2, 3], 4),
        ([0, 0, 0, 0, 1, 2, 3, 4], 2),
        ([0] * 9, 3),
        ([0, 0, 0, 0, 0, 5, 6], 3),
        ([0 if i % 12 == 0 else i for i in range(60)], 15),
    ],
)
def test_there_are_as_few_levels_as_there_can_be(parents, levels):
    assert level_count(robot_of(changed("revolute", parents))) == levels


SHAPES = {
    "narrow": None,
    "six legs": [0 if i % 7 == 0 else i for i in range(42)],
    "six legs on a link that turns": [0, *(1 if i % 7 == 0 else i + 1 for i in range(42))],
}


@pytest.mark.parametrize("flags", ["-O1 -mavx2 -mfma", "-O1 -march=native", "-O1"])
@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_torques_are_those_of_pinocchio(shape, floating, flags, monkeypatch, tmp_path):
    if "-m" in flags and platform.machine() != "x86_64":
        pytest.skip("these are options of x86-64")
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", f"{flags} -Wall -Wextra -Wpedantic -Wshadow -Werror")
    path = tmp_path / "tree.urdf"
    parents = SHAPES[shape]
    tree = changed("revolute", parents) if parents else random_tree(43)
    path.write_text(tree.urdf(), encoding="utf-8")
    names = FLOATING if floating else FIXED
    robot = robcogen_ros.build(path, floating_base=floating, functions=names)
    oracle = pytest.importorskip("test.support.pinocchio_oracle").PinocchioOracle(path, floating)
    random = np.random.default_rng(4)
    compare = partial(np.testing.assert_allclose, rtol=1e-10, atol=1e-9)
    for _ in range(5):
        q, qd, qdd = random.uniform(-3, 3, (3, robot.n))
        forces = random.uniform(-5, 5, (len(robot.link_names), 6))
        gravity, none = random.uniform(-10, 10, 3), np.zeros(3)
        on_links = dict(zip(robot.link_names, forces, strict=True))
        if floating:
            velocity, acceleration = random.uniform(-3, 3, (2, 6))
            moved = (velocity, acceleration, gravity)
            tau, wrench = robot.inverse_dynamics_fully_actuated(q, qd, qdd, *moved)
            whole = (np.r_[velocity, qd], np.r_[acceleration, qdd], gravity)
            compare(np.r_[wrench, tau], oracle.inverse_dynamics(q, *whole))
            tau, wrench = robot.inverse_dynamics_fully_actuated(
                q, qd, qdd, *moved, external_forces=forces
            )
            compare(np.r_[wrench, tau], oracle.inverse_dynamics(q, *whole, on_links))
            tau, wrench = robot.coriolis_torques(q, qd, velocity)
            steady = (np.r_[velocity, qd], np.zeros(6 + robot.n), none)
            compare(np.r_[wrench, tau], oracle.inverse_dynamics(q, *steady))
        else:
            compare(robot.inverse_dynamics(q, qd, qdd), oracle.inverse_dynamics(q, qd, qdd))
            torques = oracle.inverse_dynamics(q, qd, qdd, gravity, on_links)
            compare(
                robot.inverse_dynamics(q, qd, qdd, external_forces=forces, gravity=gravity), torques
            )
            torques = oracle.inverse_dynamics(q, qd, 0 * qdd, gravity=none)
            compare(robot.coriolis_torques(q, qd), torques)
