"""Generated C++ over any scalar, from any Eigen expression."""

from __future__ import annotations

import subprocess
from decimal import Decimal

import numpy as np
import pytest

from robcogen_ros.program.choose import IN_CONTACT
from robcogen_ros.program.interpret import interpret_exactly
from robcogen_ros.program.library import Library
from test.backends.test_loops import IN_LOOPS, OF_BASE, robot_of, tree
from test.support.cpp_program import CppRobot
from test.support.examples import example

pytestmark = pytest.mark.slow

STEP = Decimal("1e-12")
DUAL = """
struct Scalar
{
  double value = 0.0, slope = 0.0;
  Scalar() = default;
  explicit Scalar(double value, double slope = 0.0) : value(value), slope(slope) {}
};
Scalar operator+(Scalar a, Scalar b) { return Scalar(a.value + b.value, a.slope + b.slope); }
Scalar operator-(Scalar a, Scalar b) { return Scalar(a.value - b.value, a.slope - b.slope); }
Scalar operator-(Scalar a) { return Scalar(-a.value, -a.slope); }
Scalar operator*(Scalar a, Scalar b)
{
  return Scalar(a.value * b.value, a.slope * b.value + a.value * b.slope);
}
Scalar operator/(Scalar a, Scalar b)
{
  const double value = a.value / b.value;
  return Scalar(value, (a.slope - value * b.slope) / b.value);
}
Scalar sin(Scalar a) { return Scalar(std::sin(a.value), a.slope * std::cos(a.value)); }
Scalar cos(Scalar a) { return Scalar(std::cos(a.value), -a.slope * std::sin(a.value)); }
Scalar sqrt(Scalar a)
{
  const double root = std::sqrt(a.value);
  return Scalar(root, a.slope / (2.0 * root));
}
void print(const Scalar & x) { std::printf("%.17g %.17g\\n", x.value, x.slope); }
Scalar make(double value, double slope) { return Scalar(value, slope); }
"""
EIGEN = """
using Scalar = Eigen::AutoDiffScalar<Eigen::Matrix<double, 1, 1>>;
void print(const Scalar & x) { std::printf("%.17g %.17g\\n", x.value(), x.derivatives()(0)); }
Scalar make(double value, double slope)
{
  return Scalar(value, Eigen::Matrix<double, 1, 1>(slope));
}
"""
CPPAD = """
#include <cppad/cppad.hpp>

using Scalar = CppAD::AD<double>;
std::vector<Scalar> step(1), printed;
void print(const Scalar & x) { printed.push_back(x); }
Scalar make(double value, double slope) { return value + slope * step[0]; }
void start()
{
  step[0] = 0.0;
  CppAD::Independent(step);
}
void finish()
{
  CppAD::ADFun<double> tape(step, printed);
  const auto value = tape.Forward(0, std::vector<double>{0.0});
  const auto slope = tape.Forward(1, std::vector<double>{1.0});
  for (std::size_t i = 0; i < value.size(); ++i) std::printf("%.17g %.17g\\n", value[i], slope[i]);
}
#define TAPED
"""
PROGRAM = """
#include <cstdio>
#include <vector>
#include <unsupported/Eigen/AutoDiff>

#include "demo/arm/any_scalar.hpp"
%s
#ifndef TAPED
void start() {}
void finish() {}
#endif

int main()
{
  start();
%s
  finish();
}
"""


@pytest.fixture(scope="module")
def hyl(tmp_path_factory):
    """A robot with a floating base, of which the inverse dynamics are compiled for double."""
    robot = CppRobot(floating(), tmp_path_factory.mktemp("hyl"))
    robot.compile("-O0", only=("inverse_dynamics",))
    return robot


def floating() -> Library:
    return Library(example("hyl", floating_base=True))


def numbers(count: int) -> list[Decimal]:
    """Short decimals that doubles round alike everywhere."""
    random = np.random.default_rng(count + 7)
    return [Decimal(int(x)) / 64 for x in random.integers(-60, 60, count)]


def test_a_dual_number_through_every_function(hyl):
    agrees_with_the_reference(floating(), hyl, DUAL)


def test_automatic_differentiation_of_eigen_through_every_function(tmp_path):
    library = Library(example("hyl", lock={"SLIDE": 0.0}))
    agrees_with_the_reference(library, CppRobot(library, tmp_path), EIGEN)


def test_automatic_differentiation_of_cppad_through_every_function(tmp_path):
    probe = ["c++", "-E", "-x", "c++", "-"]
    found = subprocess.run(
        probe, input="#include <cppad/cppad.hpp>", capture_output=True, text=True
    )
    if found.returncode != 0:
        pytest.skip("CppAD is not installed")
    library = Library(example("hyl", lock={"SLIDE": 0.0}))
    agrees_with_the_reference(library, CppRobot(library, tmp_path), CPPAD, "-DNDEBUG")


@pytest.mark.parametrize("floating", [False, True])
def test_a_dual_number_through_loops(floating, tmp_path, monkeypatch):
    monkeypatch.setattr(Library, "looped", lambda library, name: name in OF_BASE)
    robot = robot_of(tree([0, 1, 1, 0, 4]), tmp_path, floating_base=floating)
    library = Library(robot, OF_BASE if floating else IN_LOOPS)
    agrees_with_the_reference(library, CppRobot(library, tmp_path), DUAL)


def agrees_with_the_reference(library, robot, scalar, *flags):
    """Values and derivatives of every function against those with 50 digits."""
    lines, expected = [], []
    for name in library.names:
        program = library.entry(name).fastest
        at = {a.name: numbers(a.size) for a in program.inputs}
        along = {a.name: numbers(a.size + 1)[1:] for a in program.inputs}
        lines += call(name, program, at, along)
        expected += derivatives(program, at, along)
    text = PROGRAM % (scalar, "\n".join(lines))
    found = np.array(robot.run(text, "-O0", *flags).split(), float)
    assert len(expected) > 100
    np.testing.assert_allclose(
        found.reshape(-1, 2), np.array(expected, float), rtol=1e-10, atol=1e-10
    )


def call(name, program, at, along) -> list[str]:
    """Lines that call a function on plain arrays, and print all it gives."""
    lines = ["  {"]
    for argument in program.inputs:
        pairs = zip(at[argument.name], along[argument.name], strict=True)
        entries = ", ".join(f"make({float(x)!r}, {float(d)!r})" for x, d in pairs)
        lines.append(f"    const Scalar {argument.name}[] = {{{entries}}};")
    for output in program.outputs:
        lines.append(f"    Scalar out_{output.argument.name}[{output.argument.size}];")
    given = [a.name for a in program.inputs] + [f"out_{o.argument.name}" for o in program.outputs]
    lines.append(f"    demo::arm::functions::{name}<Scalar>({', '.join(given)});")
    lines += [
        f"    for (const Scalar & x : out_{output.argument.name}) print(x);"
        for output in program.outputs
    ]
    return [*lines, "  }"]


def derivatives(program, at, along) -> list[tuple[Decimal, Decimal]]:
    """Values, and derivatives along a direction by differences of 50 digits."""

    def results(step: Decimal) -> list[Decimal]:
        moved = {
            name: [x + step * d for x, d in zip(at[name], along[name], strict=True)] for name in at
        }
        return [x for entries in interpret_exactly(program, moved).values() for x in entries]

    three = zip(results(Decimal(0)), results(STEP), results(-STEP), strict=True)
    return [(value, (after - before) / (2 * STEP)) for value, after, before in three]


PUBLIC = """
#include <array>
#include <cstdio>
#include <vector>

#include "demo/arm/any_scalar.hpp"

using namespace demo::arm;

template <typename T>
void show(const T & tau) { std::printf("%.9g ", static_cast<double>(tau.sum())); }

int main()
{
  JointVector q(0.25, -0.5, 1.0);
  Vector3 gravity(0.5, 0.25, -9.0);
  const std::array<double, 3> plain{0.25, -0.5, 1.0};
  const std::vector<double> dynamic(plain.begin(), plain.end());
  Eigen::Matrix<double, 3, 4> many;
  many << q, q, q, q;
  Eigen::Matrix<double, 3, 4, Eigen::RowMajor> rows = many;
  const Eigen::VectorXd any = q;
  show(gravity_torques(q, gravity).tau);
  show(gravity_torques(Eigen::Map<const JointVector>(plain.data()), gravity).tau);
  show(gravity_torques(Eigen::Map<const Eigen::VectorXd>(dynamic.data(), 3), gravity).tau);
  show(gravity_torques(many.col(2), gravity).tau);
  show(gravity_torques(rows.col(2), gravity).tau);
  show(gravity_torques(any, gravity).tau);
  show(gravity_torques(2.0 * q - q, gravity).tau);
  show(gravity_torques(Eigen::Ref<const JointVector>(q), gravity).tau);
  show(gravity_torques(q.cast<float>(), gravity.cast<float>()).tau);
  show(Traits::gravity_torques(q, gravity).tau);
  show(TraitsOf<float>::gravity_torques(q.cast<float>(), gravity.cast<float>()).tau);
  const void * handed = robcogen_ros::argument<double, 3>(many.col(2)).data();
  std::printf("%d", handed == many.col(2).data());
}
"""


def test_arguments_are_any_expression_and_no_numbers_are_copied(hyl):
    *sums, same_place = hyl.run(PUBLIC, "-O0").split()
    np.testing.assert_allclose(np.array(sums, float), float(sums[0]), rtol=1e-5)
    assert len(sums) == 11 and abs(float(sums[0])) > 0.1
    assert same_place == "1"


WRONG = """
#include "demo/arm.hpp"
using namespace demo::arm;
int main()
{
  inertia_matrix(Eigen::Vector3f());
  inertia_matrix(Eigen::Vector4d());
  gravity_torques(JointVector(), Eigen::Vector3f());
}
"""


def test_the_compiler_says_what_is_wrong(hyl):
    said = hyl.refused(WRONG)
    assert "for scalars other than double include demo/arm/any_scalar.hpp" in said
    assert "an argument has another size than this robot's" in said
    assert "all arguments of a call have the same scalar type" in said


COUNTED = """
#include <map>
#include <string>

std::map<std::string, int> counts;
struct Scalar
{
  double value = 0.0;
  Scalar() = default;
  explicit Scalar(double value) : value(value) {}
};
Scalar counted(const char * kind, double value) { ++counts[kind]; return Scalar(value); }
Scalar operator+(Scalar a, Scalar b) { return counted("add", a.value + b.value); }
Scalar operator-(Scalar a, Scalar b) { return counted("subtract", a.value - b.value); }
Scalar operator*(Scalar a, Scalar b) { return counted("multiply", a.value * b.value); }
Scalar operator/(Scalar a, Scalar b) { return counted("divide", a.value / b.value); }
Scalar operator-(Scalar a) { return Scalar(-a.value); }
Scalar & operator+=(Scalar & a, Scalar b) { return a = a + b; }
Scalar & operator-=(Scalar & a, Scalar b) { return a = a - b; }
Scalar sin(Scalar a) { return counted("sin", std::sin(a.value)); }
Scalar cos(Scalar a) { return counted("cos", std::cos(a.value)); }
Scalar sqrt(Scalar a) { return counted("sqrt", std::sqrt(a.value)); }
bool operator>=(Scalar a, Scalar b) { return a.value >= b.value; }
bool operator<(Scalar a, Scalar b) { return a.value < b.value; }
Scalar make(double value, double) { return Scalar(value); }
void print(const Scalar &) {}
void told(const char * name)
{
  for (const auto & [kind, count] : counts) std::printf("%s %s %d\\n", name, kind.c_str(), count);
  counts.clear();
}
"""
FULL_ROWS = tree([0, 1, 2, 0, 4, 5, 0, 7, 8, 0, 10, 11])
"""Four chains of three joints, which fill all lanes of rows."""


@pytest.mark.parametrize("floating", [False, True])
def test_operations_of_loops_are_those_that_are_carried_out(floating, tmp_path, monkeypatch):
    monkeypatch.setattr(Library, "looped", lambda library, name: name in (*OF_BASE, *IN_CONTACT))
    contacts = ["link12", "link9"] if floating else []
    robot = robot_of(FULL_ROWS, tmp_path, floating_base=floating, contacts=contacts)
    names = (*OF_BASE, *IN_CONTACT) if floating else IN_LOOPS
    library, lines = Library(robot, names), []
    for name in names:
        at = {a.name: numbers(a.size) for a in library.entry(name).fastest.inputs}
        lines += [*call(name, library.entry(name).fastest, at, at), f'  told("{name}");']
    program = PROGRAM % (COUNTED, "\n".join(lines))
    found: dict[str, dict[str, int]] = {name: {} for name in names}
    for line in CppRobot(library, tmp_path).run(program, "-O0", "-Wno-unused").splitlines():
        name, kind, count = line.split()
        found[name][kind] = int(count)
    for name in names:
        expected = library.operations(name)
        expected.pop("select", None)
        # rows also add to what nobody reads: lanes of the base's row
        assert 0 <= found[name].pop("add") - expected.pop("add") < 0.05 * sum(expected.values())
        assert found[name] == expected, name
