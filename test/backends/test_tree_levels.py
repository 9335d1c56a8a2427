"""Loops over levels of a tree: what loops over its joints give, for any tree that is narrow."""

from __future__ import annotations

import platform
import subprocess

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
from robcogen_ros.program.level_costs import BY_LEVELS
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
static int tried = 0, refused = 0;

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

/// The widest level.
template <int joints>
static int width(const Tree<joints> & robot)
{
  int level[joints]{}, count[joints]{}, most = 0;
  for (int i = 0; i < joints; ++i)
  {
    level[i] = robot.link[i] > 0 ? level[robot.link[i] - 1] + 1 : 0;
    most = std::max(most, ++count[level[i]]);
  }
  return most;
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
  if (width(robot) > lanes_of_levels)
  {
    compare(levels.levels + tree::takes_levels<double>(levels), 0);
    ++refused;
    return;
  }
  ++tried;
  double q[joints], qd[joints], qdd[joints], tau[joints], expected[joints];
  for (int i = 0; i < joints; ++i)
  {
    q[i] = 4 * number(), qd[i] = number(), qdd[i] = number();
    tau[i] = expected[i] = NAN;
  }
  const tree::BodyMotion<double> base{vector(), vector(), vector()};
  const double * const changes = qdd;
  dirty_stack();
  const auto handed = tree::newton_euler(levels, q, qd, changes, base, NoForces(), tau);
  tree::Links<double, joints> links;
  tree::Flow<double, joints> flow;
  const tree::JointNumbers<double, joints> rates(robot, qd), of_joints(robot, qdd);
  const auto wrench = tree::newton_euler(
    robot, q, base, rates, of_joints, NoForces(), links, flow, expected);
  for (int i = 0; i < joints; ++i)
  {
    compare(tau[i], expected[i]);
  }
  const auto sum = [&](const Pack<lanes_of_levels> & numbers)
  {
    double lanes[lanes_of_levels], total = 0;
    numbers.write(lanes);
    for (int lane = 0; lane < levels.first[1]; ++lane)
    {
      total += lanes[lane];
    }
    return total;
  };
  compare(sum(handed.n.x), wrench.n.x), compare(sum(handed.n.y), wrench.n.y);
  compare(sum(handed.n.z), wrench.n.z), compare(sum(handed.f.x), wrench.f.x);
  compare(sum(handed.f.y), wrench.f.y), compare(sum(handed.f.z), wrench.f.z);
  dirty_stack();
  tree::newton_euler(levels, q, qd, tree::Unaccelerated(), base, NoForces(), tau);
  tree::newton_euler(
    robot, q, base, rates, tree::Unaccelerated(), NoForces(), links, flow, expected);
  for (int i = 0; i < joints; ++i)
  {
    compare(tau[i], expected[i]);
  }
  // What is no number stays on its branch.
  const int lost = static_cast<int>((number() + 1) / 2 * joints);
  q[robot.coordinate[lost]] = NAN;
  tree::newton_euler(levels, q, qd, changes, base, NoForces(), tau);
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
  std::printf("%g %d %d", worst, tried, refused);
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
    worst, tried, refused = printed.split()
    assert float(worst) < 1e-11
    assert int(tried) > 1000
    assert int(refused) > 1000


def robot_of(tree: Tree):
    return reduce(parse(Source("tree.urdf", tree.urdf())))


def joints(robot, name, **options):
    """A function's own header, and the table of joints."""
    library = Library(robot, [name], **options)
    files = cpp_files(library, Target("p", "r", "robot"))
    texts = {path.name: text for path, text in files.items()}
    return texts[f"{name}.hpp"], texts.get("joint_table.hpp", "")


@pytest.mark.parametrize("name", BY_LEVELS)
def test_narrow_trees_are_taken_level_by_level(name):
    robot = robot_of(random_tree(60))
    header, table = joints(robot, name)
    assert f"{name}_of<joint_levels>(" in header
    assert f"{name}_of(" not in header
    assert "joint_levels = " in table
    header, table = joints(robot, name, without=["levels"])
    assert f"{name}_of(" in header
    assert "joint_levels" not in header + table


def test_other_robots_are_taken_joint_by_joint():
    def changed(kind, parents):
        tree = random_tree(len(parents))
        hinges = [
            Joint(j.name, kind, f"link{parent}", j.child, j.xyz, j.rpy, j.axis)
            for j, parent in zip(tree.joints, parents, strict=True)
        ]
        return Tree(tree.links, tuple(hinges))

    legs = [0 if i % 12 == 0 else i for i in range(60)]
    wide = robot_of(changed("revolute", legs))
    sliding = robot_of(changed("prismatic", [i - i % 2 for i in range(60)]))
    for robot in (wide, sliding, robot_of(changed("revolute", range(60)))):
        library = Library(robot, ["inverse_dynamics"])
        assert library.looped("inverse_dynamics")
        assert not library.in_levels("inverse_dynamics")
    four = robot_of(changed("revolute", legs[:48]))
    assert Library(four, ["inverse_dynamics"]).in_levels("inverse_dynamics")


@pytest.mark.parametrize("flags", ["-O1 -mavx2 -mfma", "-O1 -march=native", "-O1"])
def test_torques_are_those_of_pinocchio(flags, monkeypatch, tmp_path):
    if "-m" in flags and platform.machine() != "x86_64":
        pytest.skip("these are options of x86-64")
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", f"{flags} -Wall -Wextra -Wpedantic -Wshadow -Werror")
    path = tmp_path / "tree.urdf"
    path.write_text(random_tree(43).urdf(), encoding="utf-8")
    robot = robcogen_ros.build(path, functions=BY_LEVELS)
    oracle = pytest.importorskip("test.support.pinocchio_oracle").PinocchioOracle(path)
    random = np.random.default_rng(4)
    for _ in range(5):
        q, qd, qdd = random.uniform(-3, 3, (3, robot.n))
        none = np.zeros(robot.n)
        torques = oracle.inverse_dynamics(q, qd, qdd)
        np.testing.assert_allclose(robot.inverse_dynamics(q, qd, qdd), torques, 1e-10, 1e-9)
        forces = random.uniform(-5, 5, (len(robot.link_names), 6))
        gravity = random.uniform(-10, 10, 3)
        on_links = dict(zip(robot.link_names, forces, strict=True))
        torques = oracle.inverse_dynamics(q, qd, qdd, gravity, on_links)
        found = robot.inverse_dynamics(q, qd, qdd, external_forces=forces, gravity=gravity)
        np.testing.assert_allclose(found, torques, 1e-10, 1e-9)
        torques = oracle.inverse_dynamics(q, qd, none, gravity=np.zeros(3))
        np.testing.assert_allclose(robot.coriolis_torques(q, qd), torques, 1e-10, 1e-9)
