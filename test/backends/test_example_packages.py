"""The packages to copy: their own tests pass, and their files agree with their robots."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from robcogen_ros.formats.read import read
from robcogen_ros.formats.urdf.text import urdf_text
from robcogen_ros.parameters.table import table
from robcogen_ros.program.library import Library
from robcogen_ros.standing.build import FUNCTIONS
from test.support.cpp_program import CppRobot
from test.support.examples import EXAMPLES

ARM, QUADRUPED = EXAMPLES / "my_arm_control", EXAMPLES / "my_quadruped"
NEEDED = {
    "arm": ["inverse_dynamics", "forward_dynamics", "gravity_torques", "kinematics"],
    "robot": ["gravity_torques", "forward_dynamics", "kinematics", "total_mass"],
}
SOURCES = ("inverse_dynamics", "forward_dynamics", "kinematics")


def robot_of(package: Path):
    """The robot that a package generates, and the name of the target."""
    text = (package / "CMakeLists.txt").read_text()
    target, model = re.findall(r"robcogen_generate\((\w+) MODEL (\S+)", text)[0]
    floating = True if "FLOATING_BASE" in text else None
    return target, read(package / model, floating_base=floating).robot


@pytest.mark.slow
@pytest.mark.parametrize("package", [ARM, QUADRUPED], ids=lambda path: path.name)
def test_its_own_test_passes(package, tmp_path):
    target, robot = robot_of(package)
    library = Library(robot, NEEDED[target])
    made = CppRobot(library, tmp_path, name=target, project=package.name)
    made.compile("-O0", only=SOURCES)
    (source,) = (package / "test").glob("*.cpp")
    text = source.read_text().replace("../src/", f"{package}/src/")
    assert "WRONG" not in made.run(text, "-O0")


@pytest.mark.parametrize("package", [ARM, QUADRUPED], ids=lambda path: path.name)
def test_its_page_names_what_is_there(package):
    page = (package / "README.md").read_text()
    named = re.findall(r"`([\w*/]+(?:\.[\w.]+|/))`", page)
    launched = [f"launch/{name}" for name in re.findall(r"ros2 launch \w+ (\S+)", page)]
    roots = package, EXAMPLES.parent
    assert named
    assert [path for path in named + launched if not any(any(r.glob(path)) for r in roots)] == []


def test_the_quadruped_generates_what_its_test_and_the_nodes_need():
    text = (QUADRUPED / "CMakeLists.txt").read_text()
    (functions,) = re.findall(r"FUNCTIONS ([\w\s]+)\)", text)
    assert {*NEEDED["robot"], *FUNCTIONS} == set(functions.split())


def controllers(yaml, package):
    return yaml.safe_load((package / "config" / "controllers.yaml").read_text())


def parameters(name):
    """Those that a controller declares."""
    return {parameter.name for parameter in table(name)}


def test_the_quadruped_is_controlled_by_plugins_of_its_package():
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    target, robot = robot_of(QUADRUPED)
    config = controllers(yaml, QUADRUPED)
    manager = config["controller_manager"]["ros__parameters"]
    plugin = f"my_quadruped/{target.title()}"
    assert manager["robot_controller"]["type"] == f"{plugin}WholeBodyController"
    known = parameters("whole_body_controller")
    assert set(config["robot_controller"]["ros__parameters"]) <= known
    described = urdf_text(QUADRUPED / "description" / "my_quadruped.ros2_control.xacro", {})
    hardware = ElementTree.fromstring(described).find("ros2_control")
    assert hardware.findtext("hardware/plugin") == f"{plugin}System"
    assert {joint.get("name") for joint in hardware.iter("joint")} == set(robot.joint_names)


def test_controllers_are_for_the_joints_of_the_arm():
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    target, robot = robot_of(ARM)
    config = controllers(yaml, ARM)
    manager = config["controller_manager"]["ros__parameters"]
    assert manager["arm_controller"]["type"] == f"my_arm_control/{target.title()}Controller"
    known = parameters("inverse_dynamics_controller")
    assert set(config["arm_controller"]["ros__parameters"]) <= known
    plugin = f"my_arm_control/{target.title()}TaskSpaceController"
    assert manager["tool_controller"]["type"] == plugin
    tool = config["tool_controller"]["ros__parameters"]
    assert set(tool) <= parameters("task_space_controller")
    assert tool["tool_frame"] in [frame.name for frame in robot.frames]
    trajectories = config["joint_trajectory_controller"]["ros__parameters"]
    assert tuple(trajectories["joints"]) == robot.joint_names
    commanded = [f"arm_controller/{name}" for name in robot.joint_names]
    assert trajectories["command_joints"] == commanded


def test_hardware_has_the_joints_of_the_arm():
    path = ARM / "description" / "my_arm.ros2_control.xacro"
    joints = [
        element.get("name")
        for element in ElementTree.parse(path).iter()
        if element.tag.endswith("joint_with_effort")
    ]
    assert tuple(joints) == robot_of(ARM)[1].joint_names
    assert "my_arm_control/ArmSystem" in path.read_text()


@pytest.mark.parametrize("package", [ARM, QUADRUPED], ids=lambda path: path.name)
def test_the_package_depends_on_what_the_controller_needs(package):
    cmake = (EXAMPLES.parent / "cmake" / "ros2_control.cmake").read_text()
    (needed,) = re.findall(r"set\(_robcogen_ros2_control_packages ([\w\s]+)\)", cmake)
    file = ElementTree.parse(package / "package.xml")
    assert {*needed.split()} <= {element.text for element in file.iter("depend")}
