"""Numbers in texts of the controller do not depend on the locale of the process."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from test.support.compiler import compile_program
from test.support.eigen import eigen_directory

PROGRAM = r"""
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <locale>
#include <sstream>

#include "robcogen_ros/control/model_check.hpp"
#include "robcogen_ros/parameters/inverse_dynamics_controller.hpp"
#include "robcogen_ros/realtime/request.hpp"

struct Comma : std::numpunct<char>
{
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

int main()
{
  using namespace robcogen_ros;
  const bool set = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
  std::locale::global(std::locale(std::locale(), new Comma));
  std::printf("%d\n", !set || std::strtod("0,5", nullptr) == 0.5);

  try {
    parameters::read<parameters::InverseDynamicsController>(
      [](std::string_view name) -> std::optional<parameters::Value> {
        return name == "activation_time" ? std::optional<parameters::Value>(12345.5) : std::nullopt;
      });
  } catch (const std::invalid_argument & error) {
    std::printf("%s\n", error.what());
  }
  std::istringstream lines("rate 1234.5\ncenter 0.25 -1e-3\n");
  const realtime::Request request(lines);
  std::printf("%g\n", request.number("rate") * 2);
  std::printf("%g\n", request.vector<Eigen::Vector2d>("center")(0) * 4);
  for (const char * odd : {"0,5", "1.5x", "", "one"}) {
    try {
      std::printf("%g\n", number(odd));
    } catch (const std::invalid_argument & error) {
      std::printf("%s\n", error.what());
    }
  }
}
"""
EXPECTED = """\
1
activation_time: expected 0 to 60, found 12345.5
2469
1
expected a number, found '0,5'
expected a number, found '1.5x'
expected a number, found ''
expected a number, found 'one'
"""


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment that has a locale whose numbers have a comma, if it can be made here."""
    folder = tmp_path_factory.mktemp("locales")
    if localedef := shutil.which("localedef"):
        command = [localedef, "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")]
        subprocess.run(command, capture_output=True, check=False)
    return os.environ | {"LOCPATH": str(folder)}


@pytest.mark.slow
def test_texts_are_those_of_code(german: dict[str, str], tmp_path: Path) -> None:
    source = tmp_path / "texts.cpp"
    source.write_text(PROGRAM)
    program = compile_program(source, tmp_path, "-isystem", str(eigen_directory()))
    done = subprocess.run([program], env=german, capture_output=True, text=True, check=True)
    assert done.stdout.replace(",", ".") == EXPECTED.replace(",", ".")
    assert "12345.5" in done.stdout
