"""Plain CMake, no ament and no sourced environment: what is made again, and when."""

from __future__ import annotations

import re
import shutil
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.runtime.build import build
from test.cmake.tools import CMAKE, NOTHING_SOURCED, make_plain_project, needs_ros, run

pytestmark = needs_ros

GENERATES, COMPILES = "-m robcogen_ros generate", ".cpp.o -c "
MAKE_PROGRAMS = {"Unix Makefiles": "make", "Ninja": "ninja"}


@dataclass(frozen=True)
class Project:
    """A configured project of plain CMake."""

    source: Path

    @property
    def bob(self) -> Path:
        """The xacro file that the robot's file includes."""
        return self.source / "urdf" / "bob.xacro"

    def build(self, *, fails: bool = False) -> str:
        """What building prints."""
        command = [CMAKE, "--build", self.source / "build", "--verbose", "--parallel", "2"]
        return run(command, env=NOTHING_SOURCED, fails=fails)

    def inertia(self) -> float:
        """What the built program prints."""
        return float(run([self.source / "build" / "print"]))


@pytest.fixture(scope="module", params=MAKE_PROGRAMS)
def project(
    request: pytest.FixtureRequest, installed: Path, tmp_path_factory: pytest.TempPathFactory
) -> Project:
    """A built project for each of CMake's generators."""
    source = make_plain_project(tmp_path_factory.mktemp("plain") / "source")
    eigen = Path(sysconfig.get_path("purelib")) / "cmeel.prefix"
    prefixes = f"-DCMAKE_PREFIX_PATH={installed};{eigen}"
    program = f"-DCMAKE_MAKE_PROGRAM={shutil.which(MAKE_PROGRAMS[request.param])}"
    configure = [CMAKE, "-G", request.param, "-S", source, "-B", source / "build"]
    run([*configure, prefixes, program], env=NOTHING_SOURCED)
    project = Project(source)
    project.build()
    return project


def test_nothing_is_made_twice(project: Project) -> None:
    printed = project.build()
    assert GENERATES not in printed
    assert COMPILES not in printed


def test_a_touched_include_generates_again_but_compiles_nothing(project: Project) -> None:
    project.bob.touch()
    printed = project.build()
    assert GENERATES in printed
    assert COMPILES not in printed


def test_a_changed_include_changes_the_program_in_one_build(project: Project) -> None:
    text = project.bob.read_text()
    project.bob.write_text(text.replace('iyy="0.25"', 'iyy="0.5"'))
    project.build()
    project.bob.write_text(text)
    assert project.inertia() == 0.75


def test_a_changed_argument_changes_the_program_in_one_build(project: Project) -> None:
    lists = project.source / "CMakeLists.txt"
    text = lists.read_text()
    lists.write_text(text.replace("PACKAGE_PATHS", "XACRO_ARGS mass:=3 PACKAGE_PATHS"))
    project.build()
    lists.write_text(text)
    assert project.inertia() == 1.0


def test_a_changed_file_of_desired_transforms_changes_what_is_generated(project: Project) -> None:
    bodies = project.source / "build" / "robcogen" / "arm" / "include" / "plain" / "arm"
    desired = project.source / "pendulum.dtdsl"
    text = desired.read_text()
    assert (bodies / "base_X_bob.hpp").exists()
    assert not (bodies / "bob_X_base.hpp").exists()
    desired.write_text(text.replace("<-", "->"))
    project.build()
    desired.write_text(text)
    assert (bodies / "bob_X_base.hpp").exists()


def test_a_linkage_computes_what_the_interpreter_does(project: Project) -> None:
    files, moving = (project.source / "linkage.urdf", project.source / "loops.yaml"), (0.3, -0.2)
    robot = build(files[0], loops=files[1], backend="numpy")
    expected = [*robot.inverse_dynamics(moving, (0.7, -0.4), (0.5, 0.6))]
    expected += robot.inertia_matrix(moving)[np.tril_indices(2)].tolist()
    printed = run([project.source / "build" / "print_linkage"])
    assert [*map(float, printed.split())] == pytest.approx(expected, rel=1e-12)


def test_a_changed_file_of_loops_generates_again(project: Project) -> None:
    loops = project.source / "loops.yaml"
    text = loops.read_text()
    loops.write_text(text.replace("axis_y", "hinge"))
    printed = project.build(fails=True)
    loops.write_text(text)
    assert re.search(r"loops.yaml:4:12: error: fixed: expected one of", printed)
    project.build()


def test_a_broken_include_fails_with_its_place_and_is_tried_again(project: Project) -> None:
    text = project.bob.read_text()
    project.bob.write_text(text.replace('"${mass}"', '"heavy"'))
    for _ in range(2):
        assert ": error: " in project.build(fails=True)
    project.bob.write_text(text)
    project.build()
    assert project.inertia() == 0.5
