"""The sources of plugins, and what cannot be one."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.interface_plugins import (
    INVERSE_DYNAMICS_SOLVER,
    KINEMATICS,
    Interface,
    interface_plugin_files,
)
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
) -> dict[PurePosixPath, str]:
    """What is generated for a hinged rod."""
    (folder / "arm.urdf").write_text(URDF)
    reading = read(folder / "arm.urdf", tips=tips, floating_base=floating)
    library = Library(reading.robot, functions)
    target = Target("my_package", "left_arm", "arm.urdf")
    return interface_plugin_files(interface, reading.description, library, target, "", tips)


@pytest.mark.parametrize(
    ("interface", "name"),
    [
        (INVERSE_DYNAMICS_SOLVER, "LeftArmInverseDynamicsSolver"),
        (KINEMATICS, "LeftArmKinematics"),
    ],
)
def test_a_plugin_is_named_after_its_robot(tmp_path: Path, interface: Interface, name: str) -> None:
    text = sources(tmp_path, interface)[PurePosixPath("src") / f"{interface.name}.cpp"]
    assert f"PLUGINLIB_EXPORT_CLASS(my_package::{name}, {interface.base})" in text
    assert f'plugin_name = "my_package/{name}"' in text


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
