"""Sums along trees, a pack of joints at a time: what joint after joint gives, for any tree."""

from __future__ import annotations

import platform
import subprocess

import pytest

from robcogen_ros.backends.render import include_directory
from test.support.compiler import clang

PROGRAM = """
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "robcogen_ros/tree/inverse_dynamics.hpp"

using namespace robcogen_ros;

static std::mt19937 engine;

static double number() { return std::uniform_real_distribution<double>(-1, 1)(engine); }

static double worst = 0;

static void compare(double found, double expected)
{
  const double difference = std::abs(found - expected);
  worst = difference > worst || difference != difference ? difference : worst;
}

/// A tree whose joints follow those before with some probability, or else any of those before.
template <int joints>
static Tree<joints> any_tree(double chains)
{
  Tree<joints> tree{};
  std::vector<int> path{0};
  for (int i = 0; i < joints; ++i)
  {
    while (path.size() > 1 && number() > 2 * chains - 1)
    {
      path.pop_back();
    }
    tree.link[i] = path.back();
    path.push_back(i + 1);
    tree.end[i] = i + 1;
  }
  for (int i = joints; i-- > 0;)
  {
    if (tree.link[i] > 0)
    {
      double & end = tree.end[tree.link[i] - 1];
      end = std::max(end, tree.end[i]);
    }
  }
  tree.sums = tree::sum_table<joints>(tree.link, tree.end);
  return tree;
}

/// Any joint, the frame of which is turned in any way.
template <int joints>
static void set_joint(Tree<joints> & tree, int i)
{
  double turn[4], norm = 0, position[3];
  for (double & x : turn)
  {
    x = number();
    norm += x * x;
  }
  for (int k = 0; k < 4; ++k)
  {
    tree.quaternion[k][i] = turn[k] /= std::sqrt(norm);
  }
  const auto [x, y, z, w] = turn;
  const double rows[9] = {
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
  for (int k = 0; k < 3; ++k)
  {
    position[k] = tree.position[k][i] = number();
  }
  for (int k = 0; k < 9; ++k)
  {
    tree.rotation[k][i] = rows[k];
    tree.along[k % 3][i] += rows[k] * position[k / 3];
  }
  tree.turns[i] = number() > 0;
}

template <int joints>
static void try_tree(double chains)
{
  constexpr int size = tree::row_size<double>(joints);
  Tree<joints> robot = any_tree<joints>(chains);
  alignas(64) double rows[3][size]{}, told[3][size];
  double own[3][size], given[3][size];
  for (int k = 0; k < 3; ++k)
  {
    for (int i = 0; i < size; ++i)
    {
      own[k][i] = given[k][i] = i < joints ? number() : NAN;
    }
  }
  const tree::Triple<double> base{number(), number(), number()};
  const double of_base[] = {base.x, base.y, base.z};
  const auto more = [&](int i) { return tree::read<double>(given, i); };
  tree::accumulate<double>(robot, base, more, rows, told);
  for (int k = 0; k < 3; ++k)
  {
    for (int i = 0; i < joints; ++i)
    {
      double before = of_base[k];
      for (int link = robot.link[i]; link > 0; link = robot.link[link - 1])
      {
        before += own[k][link - 1];
      }
      compare(told[k][i], before);
      compare(rows[k][i], before + own[k][i]);
    }
  }
  tree::Links<double, joints> links;
  double steps[12][joints], q[joints];
  robot.in_order = chains < 0.5;
  for (int i = 0; i < joints; ++i)
  {
    const int coordinate = robot.coordinate[i] = robot.in_order ? i : joints - 1 - i;
    set_joint(robot, i);
    q[coordinate] = 3 * number();
    const double along = robot.turns[i] ? 0 : q[coordinate];
    const double angle = q[coordinate] - along, c = std::cos(angle), s = std::sin(angle);
    for (int row = 0; row < 3; ++row)
    {
      const double x = robot.rotation[3 * row][i], y = robot.rotation[3 * row + 1][i];
      const double z = robot.rotation[3 * row + 2][i];
      steps[row][i] = x * c + y * s;
      steps[3 + row][i] = y * c - x * s;
      steps[6 + row][i] = z;
      steps[9 + row][i] = robot.position[row][i] + z * along;
    }
  }
  tree::find_poses(robot, q, links);
  for (int i = 0; i < joints; ++i)
  {
    const int before = robot.link[i] - 1;
    for (int row = 0; row < 3; ++row)
    {
      for (int column = 0; column < 4; ++column)
      {
        double entry = 0;
        for (int k = 0; k < 3; ++k)
        {
          const double carrier = before < 0 ? k == row : links.pose[3 * k + row][before];
          entry += carrier * steps[3 * column + k][i];
        }
        if (column == 3)
        {
          compare(links.offset[row][i], entry);
          entry += before < 0 ? 0 : links.pose[9 + row][before];
        }
        compare(links.pose[3 * column + row][i], entry);
      }
    }
  }
}

/// What each joint carries, and what it takes of that.
template <int joints>
static void try_forces(double chains)
{
  constexpr int size = tree::row_size<double>(joints);
  Tree<joints> robot = any_tree<joints>(chains);
  robot.in_order = true;
  tree::Links<double, joints> links;
  tree::Flow<double, joints> flow;
  tree::Wrench<double> own[joints];
  double taken[2][3][size];
  for (int i = 0; i < size; ++i)
  {
    robot.coordinate[i] = i;
    robot.turns[i] = chains < 0.5 || number() > 0;
    robot.slides |= robot.turns[i] == 0;
    for (int k = 0; k < 3; ++k)
    {
      links.offset[k][i] = i < joints ? number() : NAN;
      links.pose[6 + k][i] = i < joints ? number() : NAN;
      taken[0][k][i] = i < joints ? number() : NAN;
      taken[1][k][i] = i < joints ? number() : NAN;
      flow.n[k][i] = flow.f[k][i] = NAN;
    }
    if (i < joints)
    {
      own[i] = {tree::at<double>(taken[0], i), tree::at<double>(taken[1], i)};
    }
  }
  const tree::Wrench<double> base{{number(), number(), number()}, {number(), number(), number()}};
  double tau[joints], own_tau[tree::row_size<double>(joints)];
  for (double & force : own_tau)
  {
    force = number();
  }
  const auto rotors = [&](int i) { return tree::read<double>(own_tau + i); };
  const auto put_own = [&](int i)
  {
    tree::write<double>(tree::read<double>(taken[0], i), flow.n, i);
    tree::write<double>(tree::read<double>(taken[1], i), flow.f, i);
  };
  const tree::Wrench<double> whole =
    tree::gather_forces(robot, links, base, put_own, rotors, flow, tau);
  tree::Wrench<double> sum = base;
  for (int i = joints; i-- > 0;)
  {
    const auto axis = tree::at<double>(links.pose + 6, i);
    const auto along = robot.turns[i] != 0 ? own[i].n : own[i].f;
    compare(tau[i], dot(axis, along) + own_tau[i]);
    const auto n = own[i].n + cross(tree::at<double>(links.offset, i), own[i].f);
    tree::Wrench<double> & before = robot.link[i] > 0 ? own[robot.link[i] - 1] : sum;
    before = {before.n + n, before.f + own[i].f};
    const auto f = tree::at<double>(flow.f, i);
    compare(f.x + f.y + f.z, own[i].f.x + own[i].f.y + own[i].f.z);
  }
  compare(whole.n.x, sum.n.x), compare(whole.n.y, sum.n.y), compare(whole.n.z, sum.n.z);
  compare(whole.f.x, sum.f.x), compare(whole.f.y, sum.f.y), compare(whole.f.z, sum.f.z);
}

int main()
{
  for (int k = 0; k < 200; ++k)
  {
    for (const double chains : {0.05, 0.5, 0.75, 0.95, 1.0})
    {
      try_tree<8>(chains);
      try_tree<9>(chains);
      try_tree<23>(chains);
      try_tree<40>(chains);
      try_forces<8>(chains);
      try_forces<9>(chains);
      try_forces<23>(chains);
      try_forces<40>(chains);
    }
  }
  std::printf("%g", worst);
}
"""


@pytest.mark.parametrize("with_clang", [False, True])
@pytest.mark.parametrize("options", ["", "-march=native"])
def test_sums_are_those_of_one_joint_after_the_other(options, with_clang, tmp_path):
    if options and platform.machine() != "x86_64":
        pytest.skip("these are options of x86-64")
    compiler = clang() if with_clang else "c++"
    if not compiler:
        pytest.skip("there is no clang")
    source, program = tmp_path / "sums.cpp", tmp_path / "sums"
    source.write_text(PROGRAM)
    flags = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", *options.split()]
    command = [*compiler.split(), *flags, f"-I{include_directory()}", source, "-o", program]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    assert compiled.returncode == 0, compiled.stderr
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    assert float(printed) < 1e-12
