"""`robcogen new`: the package is whole, its own test passes, nothing is left of a failure."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from robcogen_ros.cli.depfile import write_depfile
from robcogen_ros.cli.main import main
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from test.support.cpp_program import CppRobot
from test.support.examples import EXAMPLES

ARM = EXAMPLES / "my_arm_control" / "description" / "my_arm.urdf.xacro"
FUNCTIONS = ["gravity_torques", "potential_energy", "total_mass", "inverse_dynamics"]


def new(tmp_path, *words):
    assert main(["new", "my_robot", "-o", str(tmp_path), *map(str, words)]) == 0
    return tmp_path / "my_robot"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "options"),
    [("quadruped.kindsl", ["--floating-base"]), ("leg_design/leg.kindsl", [])],
    ids=["floating", "parametric"],
)
def test_its_own_test_passes(model, options, tmp_path):
    package = new(tmp_path, "--urdf", EXAMPLES / model, *options)
    robot = read(EXAMPLES / model, floating_base=bool(options) or None).robot
    library = Library(robot, [*FUNCTIONS, *(["forward_dynamics"] if options else [])])
    made = CppRobot(library, tmp_path, name="robot", project="my_robot")
    made.compile("-O0")
    assert "WRONG" not in made.run((package / "test" / "test_robot.cpp").read_text(), "-O0")


def test_a_xacro_comes_with_what_it_includes_and_its_arguments(tmp_path):
    package = new(tmp_path, "--urdf", ARM, "hardware:=mock")
    model = package / "description" / ARM.name
    assert read(model, xacro_args={"hardware": "mock"}).robot == read(ARM).robot
    cmake = (package / "CMakeLists.txt").read_text()
    assert f"MODEL description/{ARM.name}" in cmake and "XACRO_ARGS hardware:=mock" in cmake
    assert 'value="my_robot/robot"' in (package / "launch" / "simulation.launch.xml").read_text()


ODD_VALUES = ("tool;0", r"C:\new", "${HOME}", 'the "tool"', "[a; #b", "a (b)", "@x $ENV{HOME} %")


@pytest.mark.parametrize("value", ODD_VALUES)
def test_words_that_cmake_would_read_are_in_a_file(value, tmp_path):
    package = new(tmp_path, "--urdf", ARM, "hardware:=mock", f"unused:={value}")
    cmake = (package / "CMakeLists.txt").read_text()
    assert "XACRO_ARGS hardware:=mock\n  ARGUMENTS description/arguments.txt)" in cmake
    assert value not in cmake
    words = (package / "description" / "arguments.txt").read_text()
    assert words == f"--xacro-arg\nunused:={value}\n"


def test_a_file_that_cmake_would_not_take_is_renamed_and_told(tmp_path, capsys):
    source = tmp_path / "my arm (v2).urdf.xacro"
    source.write_text((EXAMPLES / "my_quadruped/description/my_quadruped.urdf.xacro").read_text())
    package = new(tmp_path, "--urdf", source, "--floating-base")
    assert "MODEL description/my_arm__v2_.urdf.xacro" in (package / "CMakeLists.txt").read_text()
    assert [file.name for file in (package / "description").iterdir()] == ["my_arm__v2_.urdf.xacro"]
    assert "is called my_arm__v2_.urdf.xacro there" in capsys.readouterr().err


def test_a_line_break_in_an_argument_is_refused(tmp_path, capsys):
    words = ["--urdf", str(ARM), "hardware:=mock", "unused:=a\nb", "-o", str(tmp_path)]
    assert main(["new", "my_robot", *words]) == 1
    assert "--xacro-arg: a line break" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_a_command_reads_its_words_from_a_file(tmp_path, capsys):
    (tmp_path / "words").write_text(f"{ARM}\n--xacro-arg\nhardware:=mock\n")
    assert main(["check", f"@{tmp_path}/words"]) == 0
    assert main(["check", f"@{tmp_path}/none"]) == 1
    assert f"{tmp_path}/none:1:1: error: cannot read the file" in capsys.readouterr().err


def test_files_of_dependencies_escape_what_make_and_ninja_read(tmp_path):
    names = ["a b", "a$b", "a#b", r"a\ b", r"a\b"]
    write_depfile(tmp_path / "d", "out", names)
    lines = (tmp_path / "d").read_text().splitlines()[1 : 1 + len(names)]
    escaped = [r"a\ b", "a$$b", r"a\#b", r"a\\\ b", r"a\b"]
    assert [line.removesuffix(" \\").strip() for line in lines] == escaped


def test_feet_and_packages_that_are_named(tmp_path):
    text = (EXAMPLES / "my_quadruped" / "description" / "my_quadruped.urdf.xacro").read_text()
    source = tmp_path / "dog.urdf.xacro"
    source.write_text(text.replace("</robot>", "<!-- package://dog_meshes/a.stl --></robot>"))
    contacts = [word for leg in ("LF", "RH") for word in ("--contact", f"{leg}_foot")]
    package = new(tmp_path, "--urdf", source, "--floating-base", *contacts)
    cmake = (package / "CMakeLists.txt").read_text()
    assert "CONTACTS LF_foot RH_foot\n  FLOATING_BASE\n  GROUND WHOLE_BODY)" in cmake
    depends = ElementTree.parse(package / "package.xml").iter("depend")
    assert [element.text for element in depends] == ["robcogen_ros", "dog_meshes"]
    assert "legged.launch.xml" in (package / "launch" / "simulation.launch.xml").read_text()


def test_a_floating_robot_without_feet_is_not_simulated(tmp_path):
    package = new(tmp_path, "--urdf", EXAMPLES / "quadruped.kindsl", "--floating-base")
    assert not (package / "launch").exists()
    assert "launch" not in (package / "CMakeLists.txt").read_text()


@pytest.mark.parametrize(
    ("name", "file", "code", "said"),
    [
        ("My-Robot", ARM, 2, "'My-Robot' is no name of a ROS package"),
        ("class", ARM, 2, "'class' has a meaning of its own in generated C++"),
        ("my_robot", "missing.urdf", 1, "missing.urdf:1:1: error: cannot read the file"),
        ("there", ARM, 1, "there exists; choose another name or folder, or remove it"),
    ],
)
def test_what_cannot_be_made(name, file, code, said, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    try:
        found = main(["new", name, "--urdf", str(file)])
    except SystemExit as stop:
        found = stop.code
    assert found == code and said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_an_include_that_depends_on_its_place(tmp_path, capsys):
    root = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="a">'
    (tmp_path / "other").mkdir()
    part = tmp_path / "other" / "part.xacro"
    part.write_text(f'{root}<link name="b"/></robot>')
    (tmp_path / "other" / "package.xml").write_text("<package/>")
    source = tmp_path / "a.urdf.xacro"
    source.write_text(f'{root}<xacro:include filename="other/part.xacro"/></robot>')
    assert main(["new", "my_robot", "--urdf", str(source), "-o", str(tmp_path)]) == 1
    assert "other/part.xacro" in capsys.readouterr().err
    assert not (tmp_path / "my_robot").exists()
