"""`robcogen new`: the package is whole, its own test passes, nothing is left of a failure."""

from __future__ import annotations

import io
import re
import shutil
import sys
from xml.etree import ElementTree

import pytest

from robcogen_ros.cli.files.depfile import write_depfile
from robcogen_ros.cli.main import main
from robcogen_ros.formats.packages import mesh
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from test.support.cpp_program import CppRobot
from test.support.examples import EXAMPLES
from test.support.linkages import FOUR_BAR, FOUR_BAR_LOOPS

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


@pytest.mark.slow
def test_a_robot_with_loops_comes_with_the_file_of_these(tmp_path):
    (tmp_path / "bar.urdf").write_text(FOUR_BAR)
    loops = tmp_path / "my loops.yaml"
    loops.write_text(FOUR_BAR_LOOPS + "independent: [swing]\n")
    package = new(tmp_path, "--urdf", tmp_path / "bar.urdf", "--loops", loops)
    cmake = (package / "CMakeLists.txt").read_text()
    assert "MODEL description/bar.urdf\n  LOOPS description/my_loops.yaml)" in cmake
    copied = package / "description" / "my_loops.yaml"
    robot = read(package / "description" / "bar.urdf", loops=copied).robot
    library = Library(robot, [*FUNCTIONS, "forward_dynamics"])
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
    told = "description/my_arm__v2_.urdf.xacro: my arm (v2).urdf.xacro is copied\n"
    assert told in capsys.readouterr().out


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


def test_feet(tmp_path):
    source = EXAMPLES / "my_quadruped" / "description" / "my_quadruped.urdf.xacro"
    contacts = [word for leg in ("LF", "RH") for word in ("--contact", f"{leg}_foot")]
    package = new(tmp_path, "--urdf", source, "--floating-base", *contacts)
    cmake = (package / "CMakeLists.txt").read_text()
    assert "FLOATING_BASE\n  CONTACTS LF_foot RH_foot\n  GROUND WHOLE_BODY)" in cmake
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


XACRO = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="crane">'


def test_an_include_comes_to_the_same_place(tmp_path, capsys):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "part.xacro").write_text(f'{XACRO}<link name="b"/></robot>')
    source = tmp_path / "a.urdf.xacro"
    source.write_text(f'{XACRO}<xacro:include filename="other/part.xacro"/></robot>')
    package = new(tmp_path, "--urdf", source)
    assert "a.urdf.xacro: a.urdf.xacro is copied, with part.xacro\n" in capsys.readouterr().out
    assert names_in(package / "description") == ["a.urdf.xacro", "other/part.xacro"]


def names_in(folder):
    return sorted(str(f.relative_to(folder)) for f in folder.rglob("*") if f.is_file())


MAST = """<link name="base"/>
  <joint name="slew" type="revolute">
    <parent link="base"/><child link="mast"/><origin xyz="0.1 0 0.2" rpy="0.3 0 0"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="50" velocity="9"/>
  </joint>"""
LINK = """<link name="mast">
    <inertial>
      <origin xyz="0.4 0 0.1"/><mass value="{mass}"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.2"/>
    </inertial>
    <visual><geometry><mesh filename="{visual}"/></geometry></visual>
    <collision><geometry><mesh filename='{collision}' scale="2 2 2"/></geometry></collision>
  </link>"""


@pytest.fixture
def crane(tmp_path):
    """A package like those that makers of robots publish: a xacro that names files of its own."""
    package = tmp_path / "elsewhere" / "crane_repository"
    for name in ("urdf/inc", "config", "meshes/unused", "textures"):
        (package / name).mkdir(parents=True)
    (package / "package.xml").write_text("<package><name>crane</name></package>")
    (package / "config" / "heavy.yaml").write_text("mass: 7.0")
    for name in ("a&b.obj", "hull.stl", "unused/c.stl"):
        (package / "meshes" / name).write_text(f"# {name}\nmtllib paint.mtl\nmtllib ../../../x.mtl")
    (package / "meshes" / "paint.mtl").write_text("map_Kd ../textures/rust.png")
    (package / "textures" / "rust.png").write_text("red")
    (tmp_path / "x.mtl").write_text("outside of the package")
    there = "$(find crane)"
    part = LINK.format(
        mass="${load['mass']}",
        visual="package://crane/meshes/a&amp;b.obj",
        collision=f"file://{there}/meshes/hull.stl",
    )
    (package / "urdf" / "inc" / "mast.xacro").write_text(f"{XACRO}{part}</robot>")
    (package / "urdf" / "crane.urdf.xacro").write_text(
        f"""{XACRO}
  <xacro:arg name="load" default="none"/>
  <xacro:property name="load" value="${{xacro.load_yaml('{there}/config/$(arg load).yaml')}}"/>
  {MAST}
  <xacro:include filename="{there}/urdf/inc/mast.xacro"/>
  <gazebo><plugin><parameters>{there}/config/c.yaml</parameters></plugin></gazebo>
</robot>"""
    )
    return package / "urdf" / "crane.urdf.xacro"


def test_a_xacro_of_a_package_is_whole_without_it(crane, tmp_path, capsys):
    robot = read(crane, xacro_args={"load": "heavy"}).robot
    package = new(tmp_path, "--urdf", crane, "load:=heavy")
    told = "crane.urdf.xacro is expanded, for it names files of crane; meshes that are copied: 2\n"
    assert f"crane.urdf: {told}" in capsys.readouterr().out
    shutil.rmtree(tmp_path / "elsewhere")
    package = package.rename(tmp_path / "moved")
    reading = read(package / "description" / "crane.urdf", package_paths={"my_robot": package})
    assert reading.robot == robot
    assert float(robot.links[1].inertia.mass.evaluate({})) == 7.0
    assert all(mesh(s, {"my_robot": package}).is_file() for s in reading.description.shapes)
    assert names_in(package / "description") == [
        "crane.urdf",
        "crane/meshes/a&b.obj",
        "crane/meshes/hull.stl",
        "crane/meshes/paint.mtl",
        "crane/textures/rust.png",
    ]
    texts = "".join(file.read_text() for file in package.rglob("*") if file.is_file())
    assert str(tmp_path) not in texts and "<parameters>package://crane/config/c.yaml" in texts
    assert "XACRO_ARGS" not in texts and "PACKAGE_PATHS" not in texts


def test_a_urdf_is_copied_with_its_comments_and_what_is_found(crane, tmp_path, capsys):
    visual, collision = "package://crane/meshes/hull.stl", "package://nowhere/a.stl"
    link = LINK.format(mass=3, visual=visual, collision=collision)
    source = crane.with_name("crane.urdf")
    header = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<!-- \xa9 Mühlenbau -->'
    urdf = f'{header}<robot name="crane">{MAST}{link}</robot>\n'
    source.write_bytes(urdf.encode("latin-1"))
    package = new(tmp_path, "--urdf", source)
    there = "package://my_robot/description/crane/meshes/hull.stl"
    expected = urdf.replace(' encoding="ISO-8859-1"', "").replace(visual, there)
    assert (package / "description" / "crane.urdf").read_bytes() == expected.encode()
    depends = ElementTree.parse(package / "package.xml").iter("depend")
    assert [element.text for element in depends] == ["robcogen_ros", "nowhere"]
    said = capsys.readouterr()
    assert "crane.urdf: crane.urdf is copied; meshes that are copied: 1\n" in said.out
    assert "meshes are left out, for package 'nowhere' is not found" in said.err


def test_a_description_comes_through_a_pipe(tmp_path, monkeypatch):
    text = (EXAMPLES / "quadruped.kindsl").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    package = new(tmp_path, "--urdf", "-", "--floating-base")
    assert (package / "description" / "robot.kindsl").read_bytes() == text


def test_a_file_that_is_no_mesh_by_its_name_is_not_copied(tmp_path, capsys):
    (tmp_path / "secret").write_text("mine")
    visual = '<visual><geometry><mesh filename="secret"/></geometry></visual>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="a">{visual}</link></robot>')
    model = str(tmp_path / "r.urdf")
    assert main(["new", "mine", "--urdf", model, "-o", str(tmp_path / "out")]) == 0
    assert ": secret" in capsys.readouterr().err
    assert not [*(tmp_path / "out").rglob("secret")]


def test_a_name_of_two_meshes_is_refused(tmp_path, capsys):
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "hull.stl").write_text(name)
        part = LINK.format(mass=1, visual="hull.stl", collision="hull.stl")
        part = part.replace("mast", "mast" if name == "a" else "base")
        (tmp_path / name / "part.xacro").write_text(f"{XACRO}{part}</robot>")
    includes = "".join(f'<xacro:include filename="{name}/part.xacro"/>' for name in "ab")
    mast = MAST.replace('<link name="base"/>', "")
    (tmp_path / "c.xacro").write_text(f"{XACRO}{mast}{includes}</robot>")
    assert main(["new", "my_robot", "--urdf", str(tmp_path / "c.xacro"), "-o", str(tmp_path)]) == 1
    assert "'hull.stl' is " in capsys.readouterr().err
    assert not (tmp_path / "my_robot").exists()


def test_every_option_that_names_a_part_is_handed_to_cmake(tmp_path):
    words = ["--root", "column", "--tip", "forearm", "--lock", "elbow=0.25"]
    words += ["--parameter", "forearm.mass", "--payload", "forearm", "--with", "damping"]
    words += ["--gravity", "0", "0", "9.81", "--snap-angles", "0", "--keep-attached", "--strict"]
    package = new(tmp_path, "--urdf", ARM, "hardware:=mock", *words)
    cmake = (package / "CMakeLists.txt").read_text()
    assert cmake[cmake.index("XACRO_ARGS") :].partition(")")[0].split("\n  ") == [
        "XACRO_ARGS hardware:=mock",
        "ROOT column",
        "TIPS forearm",
        "KEEP_ATTACHED",
        "LOCK_JOINTS elbow=0.25",
        "GRAVITY 0.0 0.0 9.81",
        "WITH damping",
        "PARAMETERS forearm.mass",
        "PAYLOAD forearm",
        "SNAP_ANGLES 0.0",
        "STRICT",
    ]


def test_the_test_of_a_robot_without_mass_calls_what_there_is(tmp_path):
    source = tmp_path / "light.urdf"
    source.write_text(f'<robot name="light">{MAST}<link name="mast"/></robot>')
    text = (new(tmp_path, "--urdf", source) / "test" / "test_robot.cpp").read_text()
    called = {*re.findall(r"robot::([a-z_]+)\(", text)}
    assert called == {"total_mass", "gravity_torques", "potential_energy"}
    assert called <= {*Library(read(source).robot).names}
