"""docs/tutorial.md: its package is sound, and its programs print what the page says."""

import re
from configparser import ConfigParser
from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli.main import main
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tutorial.md").read_text()
FILES = dict(re.findall(r"```\w+ (\S+)\n(.*?)```", PAGE, re.DOTALL))


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The package of the page."""
    folder = tmp_path_factory.mktemp("tutorial")
    for name, text in FILES.items():
        if name.startswith("first_arm/"):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return folder / "first_arm"


@pytest.fixture(scope="module")
def arm(package):
    return robcogen_ros.build(package / "urdf" / "arm.urdf.xacro", backend="numpy")


def test_the_description_is_sound(package, capsys):
    assert main(["check", str(package / "urdf" / "arm.urdf.xacro")]) == 0
    assert "warning" not in "".join(capsys.readouterr())


def test_cmake_builds_files_that_are_there(package):
    text = (package / "CMakeLists.txt").read_text()
    (model,) = re.findall(r"robcogen_generate\(arm MODEL (\S+)\)", text)
    (source,) = re.findall(r"add_executable\(weigh (\S+)\)", text)
    assert (package / model).is_file() and (package / source).is_file()


def test_the_arm_weighs_what_levers_say(arm):
    shoulder, elbow, reach = map(float, re.findall(r"-?\d+\.\d+", FILES["weigh.out"]))
    tau = arm.gravity_torques(np.zeros(2))
    assert (shoulder, elbow) == tuple(tau.round(3))
    levers = 1.5 * 0.2 + 0.8 * (0.4 + 0.15) + 0.5 * 0.7, 0.8 * 0.15 + 0.5 * 0.3
    np.testing.assert_allclose(tau, -9.81 * np.array(levers), rtol=1e-12)
    assert reach == arm.transform("table", "hand", np.zeros(2))[0, 3].round(1)


def test_the_program_calls_what_is_generated(package):
    robot = read(package / "urdf" / "arm.urdf.xacro").robot
    called = re.findall(r"arm::([a-z_]+)\(", FILES["first_arm/src/weigh.cpp"])
    assert set(called) <= set(Library(robot).names)
    frames = re.findall(r"arm::Frame::(\w+)", FILES["first_arm/src/weigh.cpp"])
    assert set(frames) <= set(robot.frame_names)


def test_the_example_in_python(arm, monkeypatch, capsys):
    monkeypatch.setattr(robcogen_ros, "load", {"first_arm/arm": arm}.get)
    exec(FILES["look.py"], {"__name__": "__main__"})
    assert capsys.readouterr().out == FILES["look.py.out"]


def test_commands_name_what_exists():
    scripts = ConfigParser()
    scripts.read(ROOT / "cmake" / "entry_points.cfg")
    executables = scripts["options.entry_points"]["console_scripts"]
    for name in re.findall(r"ros2 run robcogen_ros (\w+)", PAGE):
        assert f"{name} =" in executables
    for package, name in re.findall(r"ros2 launch (\w+) (\S+\.launch\.py)", PAGE):
        folder = ROOT if package == "robcogen_ros" else ROOT / "examples" / package
        assert (folder / "launch" / name).is_file()
