"""What `robcogen_generate()` refuses, at configuration, and what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from test.cmake.tools import needs_ros, run

pytestmark = needs_ros

MODEL = "MODEL robot.urdf"
REFUSED = {
    f"arm {MODEL} BACKENDS c SCALAR half": "SCALAR half: expected double or float",
    f"arm {MODEL} SCALAR float": "SCALAR float is for BACKENDS c",
    f"arm {MODEL} WITH slip": "WITH slip: expected some of armature, damping, friction",
    f"arm {MODEL} CONTROLLER FLOATING_BASE": "CONTROLLER is for robots on a fixed base",
    f"arm {MODEL} TASK_SPACE_CONTROLLER FLOATING_BASE": "TASK_SPACE_CONTROLLER is for robots on",
    f"arm {MODEL} WHOLE_BODY_CONTROLLER": "needs FLOATING_BASE and CONTACTS",
    f"arm {MODEL} WHOLE_BODY_CONTROLLER FLOATING_BASE": "needs FLOATING_BASE and CONTACTS",
    f"arm {MODEL} INVERSE_DYNAMICS_SOLVER FLOATING_BASE": "INVERSE_DYNAMICS_SOLVER is for robots",
    f"arm {MODEL} KINEMATICS_PLUGIN FLOATING_BASE": "KINEMATICS_PLUGIN is for robots on a fixed",
    f"arm {MODEL} GRAVITY mount FLOATING_BASE": "GRAVITY is for a fixed base; with FLOATING_BASE",
    f"arm {MODEL} GRAVITY": "no value after: GRAVITY",
    "crane MODEL crane.motdsl GRAVITY mount": "GRAVITY is for robots",
    "crane MODEL crane.motdsl KEEP_ATTACHED": "KEEP_ATTACHED is for robots",
    f"arm {MODEL} DESIRED no.dtdsl": "there is no file",
    f"arm {MODEL} ARGUMENTS no.txt": "there is no file",
    f'arm {MODEL} XACRO_ARGS "a:=b;c"': "an argument has a semicolon, which divides it",
    f"arm {MODEL} DESIRED": "no value after: DESIRED",
    f"arm {MODEL} BACKENDS fortran": "BACKENDS fortran is not available in this version",
    f"arm {MODEL} INSTRUCTION_SETS avx2": "INSTRUCTION_SETS avx2: expected x86-64 (all processors)",
    f"arm {MODEL} SHAREDD": "unknown argument: SHAREDD",
    f"arm {MODEL} SHARED STATIC": "SHARED and STATIC exclude each other",
    f"arm {MODEL} ROOT": "no value after: ROOT",
    "crane MODEL crane.motdsl LOCK_JOINTS a=1": "LOCK_JOINTS is for robots",
    "crane MODEL crane.motdsl WITH damping": "WITH is for robots",
    "crane MODEL crane.motdsl PARAMETERS a.mass": "PARAMETERS is for robots",
    "crane MODEL crane.motdsl PAYLOAD a": "PAYLOAD is for robots",
    "crane MODEL crane.motdsl SHARED": "SHARED is for robots",
    "crane MODEL crane.motdsl CONTROLLER": "CONTROLLER is for robots",
    "crane MODEL crane.motdsl BACKENDS fortran": "BACKENDS fortran is not available",
    "arm": "MODEL <file> is missing",
    f"arm {MODEL} {MODEL}": "MODEL is given 2 times; it is expected once",
    "arm MODEL no.urdf": "there is no file",
    f"left-arm {MODEL}": "'left-arm' names a C++ namespace",
}


@pytest.mark.parametrize(("arguments", "message"), REFUSED.items())
def test_a_wrong_call_is_refused_with_its_reason(
    installed: Path, tmp_path: Path, arguments: str, message: str
) -> None:
    (tmp_path / "robot.urdf").touch()
    (tmp_path / "crane.motdsl").touch()
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\n"
        "project(wrong NONE)\n"
        f'set(robcogen_ros_DIR "{installed}/share/robcogen_ros/cmake")\n'
        "find_package(robcogen_ros REQUIRED)\n"
        f"robcogen_generate({arguments})\n"
    )
    printed = " ".join(run(["cmake", "-S", tmp_path, "-B", tmp_path / "build"], fails=True).split())
    assert message in printed


def test_a_call_after_ament_package_is_refused(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\n"
        "project(late CXX)\n"
        f'set(robcogen_ros_DIR "{installed}/share/robcogen_ros/cmake")\n'
        "find_package(robcogen_ros REQUIRED)\n"
        "set(_late_AMENT_PACKAGE TRUE)\n"
        "robcogen_generate(arm MODEL robot.urdf)\n"
    )
    printed = " ".join(run(["cmake", "-S", tmp_path, "-B", tmp_path / "build"], fails=True).split())
    assert "must be called before ament_package()" in printed


@pytest.mark.parametrize(
    ("keyword", "package", "other"),
    [
        ("CONTROLLER", "controller_interface", "rclcpp_lifecycle"),
        ("INVERSE_DYNAMICS_SOLVER", "inverse_dynamics_solver", "pluginlib"),
        ("KINEMATICS_PLUGIN", "kinematics_interface", "pluginlib"),
        ("MOVEIT_PLUGIN", "moveit_core", "pluginlib"),
    ],
)
def test_missing_packages_of_a_plugin_are_named(
    installed: Path, tmp_path: Path, keyword: str, package: str, other: str
) -> None:
    (tmp_path / "robot.urdf").touch()
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\n"
        "project(bare CXX)\n"
        f'set(robcogen_ros_DIR "{installed}/share/robcogen_ros/cmake")\n'
        "find_package(robcogen_ros REQUIRED)\n"
        f"set(CMAKE_DISABLE_FIND_PACKAGE_{package} TRUE)\n"
        f"robcogen_generate(arm MODEL robot.urdf {keyword})\n"
    )
    printed = " ".join(run(["cmake", "-S", tmp_path, "-B", tmp_path / "build"], fails=True).split())
    assert f"{keyword} needs the package {package}" in printed
    assert f"<depend>{other}</depend>" in printed


def test_keywords_reach_the_generator_as_its_options(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "robot.urdf").touch()
    (tmp_path / "more.txt").write_text("label:=a;b [c\n")
    keywords = "ARGUMENTS more.txt "
    keywords += "CUT_LOOPS KEEP_ATTACHED ACCEPT_INERTIA STRICT GRAVITY 0 -9.81 0 SNAP_ANGLES 1e-3"
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\n"
        "project(all CXX)\n"
        f'set(robcogen_ros_DIR "{installed}/share/robcogen_ros/cmake")\n'
        "find_package(robcogen_ros REQUIRED)\n"
        f"robcogen_generate(arm MODEL robot.urdf {keywords} SKIP_INSTALL)\n"
    )
    run(["cmake", "-S", tmp_path, "-B", tmp_path / "build"])
    handed = (tmp_path / "build/robcogen/arm/arguments").read_text().splitlines()
    assert handed[-1] == "label:=a;b [c"
    for option in ("--cut-loops", "--keep-attached", "--accept-inertia", "--strict"):
        assert option in handed
    gravity = handed.index("--gravity")
    assert handed[gravity + 1 : gravity + 4] == ["0", "-9.81", "0"]
    assert handed[handed.index("--snap-angles") + 1] == "1e-3"
