"""Names that are macros of headers which a file includes beside a robot's."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.c.files import c_files
from robcogen_ros.backends.cpp.text import identifiers
from robcogen_ros.backends.render import write_changed
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from test.support.cpp_program import CppRobot

NAMES = ["FF0", "NAN", "EOF", "OVERFLOW", "M_PI", "I", "major", "minor", "unix", "linux", "INT_MAX"]
HEADERS = """
#include <complex.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/param.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>
"""
PROGRAM = r"""
#include "demo/arm/any_scalar.hpp"
#include "demo/arm/parameters.hpp"
#include "robcogen_ros/control/law.hpp"

int main()
{
  using demo::arm::Joint;
  static_assert(demo::arm::find_joint("FF0") == Joint::FF0_ && Joint::FF0_ == Joint(0));
  static_assert(demo::arm::find_joint("linux") == Joint::linux_);
  const demo::arm::Parameters parameters;
  const auto q = demo::arm::JointVector::Constant(0.5).eval();
  const auto found = demo::arm::gravity_torques(q, parameters);
  const auto same =
    demo::arm::gravity_torques(q.cast<float>().eval(), demo::arm::ParametersOf<float>());
  std::printf("%d\n", found.norm() > 0.1 && (found - same.cast<double>()).norm() < 1e-4);
  struct Source : demo::arm::ParameterSource { };
  std::printf("%d\n", demo::arm::problems(Source().get()).empty());
}
"""
C_PROGRAM = r"""
#include "demo_arm.h"

int main(void)
{
  return DEMO_ARM_JOINT_FF0 + DEMO_ARM_JOINT_NAN_ != 1;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A chain of joints whose names are macros, as are those of its links."""
    links = "".join(
        f'<link name="{name}.link"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        f'<joint name="{name}" type="continuous"><origin xyz="0 0 0.1"/><axis xyz="0 1 0"/>'
        f'<parent link="{parent}"/><child link="{name}.link"/></joint>'
        for name, parent in zip(NAMES, ["ERANGE", *(f"{n}.link" for n in NAMES)], strict=False)
    )
    path = tmp_path_factory.mktemp("model") / "macros.urdf"
    path.write_text(f'<robot name="macros"><link name="ERANGE"/>{links}</robot>')
    robot = read(path, parameters=["FF0.link.mass"]).robot
    return Library(robot, ["gravity_torques", "kinematics"])


@pytest.mark.slow
def test_a_robot_is_included_after_headers_whose_macros_its_names_are(
    library: Library, tmp_path: Path
) -> None:
    robot = CppRobot(library, tmp_path)
    robot.compile("-O0")
    for text in (HEADERS + PROGRAM, PROGRAM.replace("\nint main", f"{HEADERS}\nint main", 1)):
        assert robot.run(text, "-std=gnu++17", "-Wno-pedantic") == "1\n1\n"


@pytest.mark.slow
def test_the_same_in_c(library: Library, tmp_path: Path) -> None:
    files = c_files(library, Target("demo", "arm", "model"))
    write_changed({tmp_path / path: text for path, text in files.items()})
    use = tmp_path / "use.c"
    use.write_text(HEADERS + C_PROGRAM)
    command = ["cc", "-std=gnu99", "-Wall", "-Wextra", "-Werror", f"-I{tmp_path}", "-include"]
    sources = [str(use), str(tmp_path / "demo_arm.c"), "-lm", "-o", str(tmp_path / "use")]
    (tmp_path / "all.h").write_text(HEADERS)
    subprocess.run([*command, str(tmp_path / "all.h"), *sources], check=True)
    subprocess.run([tmp_path / "use"], check=True)


@pytest.mark.parametrize(
    "names",
    [
        ["a-b", "a_b", "a_b_2", "a b"],
        ["1st", "n1st"],
        ["NAN", "NAN_"],
        ["class", "class_", "cl@ss"],
        ["x", "x"],
    ],
)
def test_what_is_an_identifier_stays_itself(names: list[str]) -> None:
    """Else a user who writes a joint's name would command another joint."""
    found = identifiers(names)
    assert len(set(found)) == len(names)
    for name, identifier in zip(names, found, strict=True):
        assert name not in set(found) or identifier == name or names.count(name) > 1
        assert "__" not in identifier
