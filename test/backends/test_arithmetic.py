"""Headers in sources whose flags let compilers compute otherwise than is written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from robcogen_ros.backends.render import include_directory
from test.support.compiler import clang, compilers
from test.support.eigen import eigen_directory

FLAGS = (
    "-ffast-math",
    "-Ofast",
    "-ffinite-math-only",
    "-funsafe-math-optimizations",
    "-fassociative-math -fno-signed-zeros -fno-trapping-math",
)
UNDONE = "-fno-associative-math -fno-reciprocal-math -fsigned-zeros -fno-finite-math-only"
WITH_GUARDS = (
    "parameter_check.hpp",
    "control/law.hpp",
    "control/model_check.hpp",
)
SINES = """
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "robcogen_ros/simd/sines.hpp"

int main(int, char ** words)
{
  double worst = 0.0;
  for (int i = 0; i < 5; ++i) {
    const double angle = std::strtod(words[i + 1], nullptr);
    const auto found = robcogen_ros::sines<double>(angle, -angle);
    worst = std::fmax(worst, std::fabs(found.sine[0] - std::sin(angle)));
    worst = std::fmax(worst, std::fabs(found.cosine[1] - std::cos(angle)));
  }
  const double nan = robcogen_ros::sines<double>(std::strtod("nan", nullptr)).sine[0];
  std::printf("%g %d", worst, worst < 1e-15 && nan != nan);
}
"""


def _command(compiler: str, flags: str) -> list[str]:
    include = [f"-I{include_directory()}", "-isystem", str(eigen_directory())]
    return [compiler, "-std=c++17", "-O2", *flags.split(), *include]


def _sines(compiler: str, flags: str, folder: Path) -> str:
    source, program = folder / "sines.cpp", folder / "sines"
    source.write_text(SINES)
    subprocess.run([*_command(compiler, flags), str(source), "-o", str(program)], check=True)
    angles = "0.3", "-3.0", "1000.0", "987654.321", "1e15"
    done = subprocess.run([program, *angles], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("header", "flags"),
    [("simd/sines.hpp", flags) for flags in FLAGS] + [(name, FLAGS[0]) for name in WITH_GUARDS],
)
def test_a_header_with_sines_or_guards_is_refused_with_the_remedy(header: str, flags: str) -> None:
    for compiler in compilers():
        if compiler == clang() and not {"-ffast-math", "-Ofast", "-ffinite-math-only"} & {flags}:
            continue
        command = [*_command(compiler, flags), "-fsyntax-only", "-x", "c++", "-"]
        text = f'#include "robcogen_ros/{header}"\n'
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert done.returncode != 0
        assert "robcogen_ros cannot be compiled with -f" in done.stderr
        assert "set_source_files_properties" in done.stderr
        assert UNDONE.split()[0] in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("flags", FLAGS)
def test_the_remedy_is_one(flags: str, tmp_path: Path) -> None:
    for compiler in compilers():
        assert _sines(compiler, f"{flags} {UNDONE}", tmp_path).endswith(" 1")


@pytest.mark.slow
@pytest.mark.skipif(clang() is None, reason="no clang++ here")
@pytest.mark.parametrize("flags", FLAGS[3:])
def test_clang_does_not_tell_of_sums_but_takes_them_as_written(flags: str, tmp_path: Path) -> None:
    assert _sines(clang() or "", flags, tmp_path).endswith(" 1")
