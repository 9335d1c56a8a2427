"""Flags that let compilers compute otherwise than is written, however they are given."""

from __future__ import annotations

import math
import platform
import sysconfig
from pathlib import Path

import pytest

from test.cmake.tools import make_plain_project, needs_ros, run

pytestmark = needs_ros

ON_X86_64 = platform.machine() in ("x86_64", "AMD64")
MARCH = "-march=x86-64" if ON_X86_64 else ""
FLAGS_OF_OTHERS = """
add_compile_options(-ffast-math)
add_library(others INTERFACE)
target_compile_options(others INTERFACE -funsafe-math-optimizations -ffinite-math-only)
link_libraries(others)
find_package(robcogen_ros REQUIRED)
"""
PRINT = """
#include <cstdio>
#include <cstdlib>

#include "plain/arm.hpp"

int main(int, char ** words)
{
  const plain::arm::JointVector q(std::strtod(words[1], nullptr));
  std::printf("%.17g\\n", plain::arm::gravity_torques(q)(0));
}
"""


@pytest.fixture(scope="module")
def built(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a project is built whose flags ask for fast arithmetic in every way."""
    source = make_plain_project(tmp_path_factory.mktemp("fast") / "source")
    lists = source / "CMakeLists.txt"
    text = lists.read_text().replace("find_package(robcogen_ros REQUIRED)", FLAGS_OF_OTHERS)
    lists.write_text(text + "target_compile_options(arm__objects PRIVATE -Ofast)\n")
    (source / "print.cpp").write_text(PRINT)
    eigen = Path(sysconfig.get_path("purelib")) / "cmeel.prefix"
    options = [
        f"-DCMAKE_PREFIX_PATH={installed};{eigen}",
        "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_CXX_FLAGS=-ffast-math {MARCH}",
        "-DCMAKE_CXX_FLAGS_RELEASE=-Ofast",
    ]
    run(["cmake", "-S", source, "-B", source / "build", *options])
    run(["cmake", "--build", source / "build", "--parallel", "2"])
    return source / "build"


@pytest.mark.parametrize("angle", [0.3, 1000.0, 987654.321, 1e9])
def test_sines_are_sines(built: Path, angle: float) -> None:
    at, most = (float(run([built / "print", repr(q)])) for q in (angle, math.pi / 2))
    assert at / most == pytest.approx(math.sin(angle), abs=1e-12)


def test_a_robot_that_is_no_number_gives_none(built: Path) -> None:
    assert "nan" in run([built / "print", "nan"])


def test_a_library_does_not_change_how_its_process_computes(built: Path) -> None:
    assert "set_fast_math" not in run(["nm", built / "libplain__arm.so"])


@pytest.mark.skipif(not ON_X86_64, reason="-march=x86-64 is for no other")
def test_a_processor_that_flags_name_is_the_only_one(built: Path) -> None:
    assert "x86_64" not in run(["nm", built / "libplain__arm.so"])
