"""The sources of plugins, and what cannot be one."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.interface_plugins import (
    INVERSE_DYNAMICS_SOLVER,
    KINEMATICS,
    MOVEIT,
    Interface,
    interface_plugin_files,
)
from robcogen_ros.cli.generate import main
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library

URDF = """<robot name="arm"><link name="base"/>
  <link name="rod"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/></joint></robot>"""


def sources(
    folder: Path,
    interface: Interface,
    *,
    tips: tuple[str, ...] = (),
    functions: tuple[str, ...] = (),
    floating: bool = False,
    gravity: tuple[float, float, float] | None = None,
) -> dict[PurePosixPath, str]:
    """What is generated for a hinged rod."""
    (folder / "arm.urdf").write_text(URDF)
    reading = read(folder / "arm.urdf", tips=tips, floating_base=floating, gravity=gravity)
    library = Library(reading.robot, functions)
    target = Target("my_package", "left_arm", "arm.urdf")
    return interface_plugin_files(interface, reading.alone, library, target, "", tips)


@pytest.mark.parametrize(
    ("interface", "name"),
    [
        (INVERSE_DYNAMICS_SOLVER, "LeftArmInverseDynamicsSolver"),
        (KINEMATICS, "LeftArmKinematics"),
        (MOVEIT, "LeftArmMoveItKinematics"),
    ],
)
def test_a_plugin_is_named_after_its_robot(tmp_path: Path, interface: Interface, name: str) -> None:
    text = sources(tmp_path, interface)[PurePosixPath("src") / f"{interface.name}.cpp"]
    assert f"PLUGINLIB_EXPORT_CLASS(my_package::{name}, {interface.base})" in text
    assert f'plugin_name = "my_package/{name}"' in text


def test_a_solver_knows_whether_its_robot_has_the_gravity_of_kdls(tmp_path: Path) -> None:
    path = PurePosixPath("src/inverse_dynamics_solver.cpp")
    for gravity, usual in ((None, "true"), ((0, 0, -9.81), "true"), ((0, 9.81, 0), "false")):
        text = sources(tmp_path, INVERSE_DYNAMICS_SOLVER, gravity=gravity)[path]
        assert f"usual_gravity = {usual};" in text


def test_another_gravity_than_that_of_a_solver_is_told(tmp_path: Path, capsys) -> None:
    (tmp_path / "arm.urdf").write_text(URDF)
    asked = [str(tmp_path / "arm.urdf"), "-o", str(tmp_path), "--inverse-dynamics-solver"]
    assert main([*asked, "--function", "default"]) == 0
    assert "gravity" not in capsys.readouterr().err
    assert main([*asked, "--function", "default", "--gravity", "0", "9.81", "-0.5"]) == 0
    assert "set its parameter 'gravity' to [0, 9.81, -0.5]" in capsys.readouterr().err


def test_the_tip_is_the_one_that_the_robot_was_made_to_end_at(tmp_path: Path) -> None:
    path = PurePosixPath("src/kinematics_plugin.cpp")
    assert 'tip = "rod"' in sources(tmp_path, KINEMATICS, tips=("rod",))[path]
    assert 'tip = ""' in sources(tmp_path, KINEMATICS)[path]


def test_a_free_base_or_a_missing_function_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RobcogenError, match="a kinematics plugin is for a robot on a fixed base"):
        sources(tmp_path, KINEMATICS, floating=True)
    with pytest.raises(
        RobcogenError, match=r"solver needs the functions .* gravity_torques: it is"
    ):
        sources(tmp_path, INVERSE_DYNAMICS_SOLVER, functions=("inverse_dynamics",))
