"""Several numbers at once: the sines and cosines that are computed for all lanes together."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from test.support.compiler import compilers

INCLUDE = Path(__file__).parents[2] / "include"
PROGRAM = r"""
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>

#include "robcogen_ros/simd/rows.hpp"
#include "robcogen_ros/simd/sines.hpp"

using robcogen_ros::Pack;

// The largest error so far, in units in the last place of 1.
double absolute = 0.0;

double units(double got, long double exact)
{
  absolute = std::fmax(absolute, static_cast<double>(std::abs(got - exact)) * 0x1p52);
  const double rounded = static_cast<double>(exact);
  const double unit = std::nextafter(std::abs(rounded), INFINITY) - std::abs(rounded);
  return static_cast<double>(std::abs(got - exact) / unit);
}

template <int lanes>
double worst(const double * x)
{
  Pack<lanes> angles;
  for (int i = 0; i < lanes; ++i) {
    angles.set(i, x[i]);
  }
  const Pack<lanes> s = sin(angles), c = cos(angles);
  double result = 0.0;
  for (int i = 0; i < lanes; ++i) {
    const long double angle = x[i];
    result = std::fmax(result, std::fmax(units(s[i], sinl(angle)), units(c[i], cosl(angle))));
  }
  return result;
}

template <int lanes>
bool exact(double x, double s, double c)
{
  const Pack<lanes> angle = x;
  const auto same = [](double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
  };
  bool result = true;
  for (int i = 0; i < lanes; ++i) {
    result = result && same(sin(angle)[i], s) && same(cos(angle)[i], c);
  }
  return result;
}

template <int lanes>
void report()
{
  std::mt19937_64 generator(1);
  double found = 0.0;
  for (double range : {1.0, 4.0, 1e2, 1e4, 1e6, 1e9}) {
    std::uniform_real_distribution<double> angle(-range, range);
    for (int k = 0; k < 20000; ++k) {
      double x[lanes];
      for (double & each : x) {
        each = angle(generator);
      }
      found = std::fmax(found, worst<lanes>(x));
    }
  }
  const long double quarter = 1.570796326794896619231321691639751442L;
  for (long k = 1; k < 660000; k += 7) {
    double x[lanes];
    for (int i = 0; i < lanes; ++i) {
      const double multiple = static_cast<double>(k * quarter);
      x[i] = i % 2 ? multiple : std::nextafter(multiple, 0.0);
    }
    const long double angle = x[0];
    // x87 numbers have 11 bits more than double, so compare where those are enough.
    if (std::abs(sinl(angle)) > 1e-9L && std::abs(cosl(angle)) > 1e-9L) {
      found = std::fmax(found, worst<lanes>(x));
    }
  }
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = INFINITY;
  const bool special = exact<lanes>(0.0, 0.0, 1.0) && exact<lanes>(-0.0, -0.0, 1.0) &&
    exact<lanes>(nan, nan, nan) && exact<lanes>(inf, nan, nan) && exact<lanes>(-inf, nan, nan) &&
    exact<lanes>(1e300, std::sin(1e300), std::cos(1e300));
  std::printf("%.3f %.3f %d\n", found, absolute, special);
}

// Largest error of sines and cosines of so many packs that are computed together.
template <int lanes, std::size_t... place>
double worst_together(std::index_sequence<place...>)
{
  constexpr std::size_t count = sizeof...(place);
  Pack<lanes> angles[count];
  for (std::size_t i = 0; i < count; ++i) {
    for (int l = 0; l < lanes; ++l) {
      angles[i].set(l, 0.1 + static_cast<double>(i) + 0.1 * l);
    }
  }
  const auto found = robcogen_ros::sines_apart(angles[place]...);
  double result = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    for (int l = 0; l < lanes; ++l) {
      const long double angle = angles[i][l];
      result = std::fmax(result, units(found.sine[i][l], sinl(angle)));
      result = std::fmax(result, units(found.cosine[i][l], cosl(angle)));
    }
  }
  return result;
}

template <int lanes>
void report_together()
{
  const double found = std::fmax(
    std::fmax(
      worst_together<lanes>(std::make_index_sequence<1>()),
      worst_together<lanes>(std::make_index_sequence<3>())),
    worst_together<lanes>(std::make_index_sequence<13>()));
  std::printf("%.3f %.3f 1\n", found, absolute);
}

// Whether an angle that is too far, or none, changes no other lane and no other pack.
template <int lanes>
bool alone()
{
  using Numbers = Pack<lanes>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  bool result = true;
  for (double strange : {nan, 0x1p30, -HUGE_VAL}) {
    const Numbers near = 2.5;
    Numbers mixed = near;
    mixed.set(1, strange);
    const auto found = robcogen_ros::sines<Numbers>(near, mixed, near);
    for (int i = 0; i < 3 * lanes; ++i) {
      const double x = i == lanes + 1 ? strange : 2.5;
      const double s = found.sine[i / lanes][i % lanes], c = found.cosine[i / lanes][i % lanes];
      const bool nowhere = std::isnan(std::sin(x)) && std::isnan(s) && std::isnan(c);
      result = result && (nowhere || (units(s, sinl(x)) < 1.0 && units(c, cosl(x)) < 1.0));
    }
  }
  return result;
}

// Largest error, in units in the last place of 1, of sines and cosines of sums of three angles:
// what these themselves have, and a quarter by which the last addition rounds.
template <typename Numbers, typename Turned>
double worst_of_sums(int lanes, const Turned & turned)
{
  std::mt19937_64 generator(2);
  std::uniform_real_distribution<double> any(-3.1, 3.1);
  long double most = 0.0L;
  for (int k = 0; k < 20000; ++k) {
    const double a = any(generator), b = any(generator), c = any(generator);
    const auto found = turned(Numbers(a), Numbers(b), Numbers(c));
    const long double sum = static_cast<long double>(a) + b - c;
    for (int l = 0; l < lanes; ++l) {
      most = std::fmax(most, std::abs(found.sine[0][l] - sinl(a)));
      most = std::fmax(most, std::abs(found.sine[1][l] - sinl(sum)));
      most = std::fmax(most, std::abs(found.cosine[1][l] - cosl(sum)));
    }
  }
  return static_cast<double>(most * 0x1p52L);
}

// A number, and its only lane.
struct One
{
  double value;

  operator double() const { return value; }
  double operator[](int) const { return value; }
};

struct OfOne
{
  One sine[2], cosine[2];
};

template <int lanes>
void report_sums()
{
  using robcogen_ros::compensated;
  using Numbers = Pack<lanes>;
  const auto scalars = [](double a, double b, double c) {
    const auto found = robcogen_ros::sines<double>(a, compensated<double>(a + (b - c), a, b, -c));
    return OfOne{{{found.sine[0]}, {found.sine[1]}}, {{found.cosine[0]}, {found.cosine[1]}}};
  };
  const auto packs = [](const Numbers & a, const Numbers & b, const Numbers & c) {
    return robcogen_ros::sines<Numbers>(a, compensated<Numbers>(a + (b - c), a, b, -c));
  };
  const auto apart = [](const Numbers & a, const Numbers & b, const Numbers & c) {
    return robcogen_ros::sines_apart(a, compensated<Numbers>(a + (b - c), a, b, -c));
  };
  const double found = std::fmax(
    worst_of_sums<double>(1, scalars),
    std::fmax(worst_of_sums<Numbers>(lanes, packs), worst_of_sums<Numbers>(lanes, apart)));
  std::printf("0 0 %d\n", found < 1.0);
}

// Whether angles of points and choices are those of numbers in each lane, and in rows.
template <int lanes>
bool chosen()
{
  const double nan = std::numeric_limits<double>::quiet_NaN(), given[]{1.5, 0.0, -0.0, -2.5, nan};
  bool result = true;
  for (int k = 0; k < 5; ++k) {
    Pack<lanes> c = 1.0;
    robcogen_ros::Row<double> row{1.0, 1.0, 1.0, 1.0}, two = 2.0 * row, three = 3.0 * row;
    const robcogen_ros::Row<float> twos{2.0f, 2.0f, 2.0f, 2.0f}, threes = 1.5f * twos,
      single{1.0f, 1.0f, 1.0f, static_cast<float>(given[k])};
    c.set(lanes - 1, row[3] = given[k]);
    const double x = given[k], expected = std::isnan(x) ? x : x >= 0.0 ? 3.0 : 2.0;
    for (double found :
         {select(c, Pack<lanes>(3.0), 2.0)[lanes - 1], robcogen_ros::select(x, 3.0, 2.0),
          robcogen_ros::select_of<double>(row, three, two)[3],
          static_cast<double>(robcogen_ros::select_of<float>(single, threes,
            twos)[3])}) {
      result = result && (found == expected || (std::isnan(found) && std::isnan(expected)));
    }
    const double angle = std::atan2(x, -2.0);
    for (double found : {atan2(c, -2.0)[lanes - 1], robcogen_ros::atan2_of<double>(row, -two)[3]}) {
      result = result && (found == angle || std::isnan(x));
    }
    result = result && select(c, 3.0, 2.0)[0] == 3.0;
  }
  return result;
}

int main()
{
  report<2>();
  report<4>();
  report<8>();
  report_together<2>();
  report_together<4>();
  report_together<8>();
  report_sums<2>();
  report_sums<4>();
  report_sums<8>();
  std::printf("0 0 %d\n", alone<2>() && alone<4>() && alone<8>());
  std::printf("0 0 %d\n", chosen<2>() && chosen<4>() && chosen<8>());
}
"""
FLAGS = {"baseline": [], "avx2": ["-mavx2", "-mfma"], "avx512": ["-march=native", "-mavx512f"]}
NEEDED = {"baseline": "", "avx2": "avx2", "avx512": "avx512f"}


def printed(text, compiler, kind, folder):
    """What a program prints on this processor, compiled for its registers of a kind."""
    processor = Path("/proc/cpuinfo")
    if NEEDED[kind] and NEEDED[kind] not in (processor.read_text() if processor.exists() else ""):
        pytest.skip(f"this processor has no {NEEDED[kind]}")
    source, program = folder / "pack.cpp", folder / "pack"
    source.write_text(text)
    flags = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Wno-psabi", f"-I{INCLUDE}", *FLAGS[kind]]
    subprocess.run([compiler, *flags, str(source), "-o", str(program)], check=True)
    return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout


ROWS = r"""
#include <cmath>
#include <cstdio>

#include "robcogen_ros/simd/rows.hpp"

using namespace robcogen_ros;

template <typename T>
int wrong()
{
  const Row<T> a{T(-1), T(2), T(3), T(INFINITY)}, b{T(5), T(-6), T(7), T(0)};
  int count = 0;
  for (int code = 0; code < 256; ++code)
  {
    Permutation from;
    for (int lane = 0; lane < row_lanes; ++lane)
    {
      from.lane[lane] = static_cast<std::int8_t>(code >> (2 * lane) & 3);
    }
    const Row<T> found = permuted<T>(a, from);
    const Row<T> some = blended<T>(static_cast<unsigned>(code & 15), a, b);
    for (int lane = 0; lane < row_lanes; ++lane)
    {
      count += found[lane] != a[from.lane[lane]];
      count += some[lane] != (code >> lane & 1 ? a[lane] : b[lane]);
    }
  }
  return count;
}

int main() { std::printf("%d %d", wrong<double>(), wrong<float>()); }
"""


@pytest.mark.slow
@pytest.mark.parametrize("compiler", compilers())
@pytest.mark.parametrize("kind", FLAGS)
def test_lanes_of_rows_go_where_they_belong(compiler, kind, tmp_path):
    assert printed(ROWS, compiler, kind, tmp_path) == "0 0"


@pytest.mark.slow
@pytest.mark.parametrize("compiler", compilers())
@pytest.mark.parametrize("kind", FLAGS)
def test_sines_and_cosines_are_good_to_two_units_in_the_last_place(compiler, kind, tmp_path):
    lines = printed(PROGRAM, compiler, kind, tmp_path)
    for line in lines.splitlines():
        worst, absolute, special = line.split()
        assert float(worst) < 1.6
        assert float(absolute) < 0.75
        assert special == "1"
    assert len(lines.splitlines()) == 11
