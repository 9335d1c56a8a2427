"""SDF as we write it, and the command urdf2sdf: read by its specification, and by libsdformat."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import strategies as st

pytest.importorskip("pinocchio")

import robcogen_ros
from robcogen_ros.cli.main import main
from test.support.random_robots import for_random, trees
from test.support.robots import robot_path
from test.support.scaled import wrong
from test.support.sdf_model import compared

ROBOTS = [
    ("panda_description/urdf/panda.urdf", False),
    ("hyq_description/robots/hyq_no_sensors.urdf", True),
    ("so_arm_description/urdf/so101.urdf", True),
]
BODY = (
    '<inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
)
ARM = f"""<robot name="arm"><link name="base"/><link name="elbow">{BODY}</link>
<link name="hand">{BODY}</link><link name="a::b"/>
<joint name="elbow" type="revolute"><parent link="base"/><child link="elbow"/><origin xyz="0 0 1"/>
<axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="7" velocity="3"/>
<dynamics damping="0.3" friction="0.2" armature="0.1"/></joint>
<joint name="wrist" type="continuous"><parent link="elbow"/><child link="hand"/>
<mimic joint="elbow" multiplier="2"/><limit effort="5" velocity="4"/></joint>
<joint name="tip" type="fixed"><parent link="hand"/><child link="a::b"/>
<origin xyz="0 0 0.1"/></joint>
</robot>"""


def written(path, floating: bool, folder: str) -> str:
    sdf = Path(folder, "r.sdf")
    assert main(["urdf2sdf", str(path), "-o", str(sdf), *["--floating-base"] * floating]) == 0
    return sdf.read_text()


@pytest.mark.parametrize(("name", "floating"), ROBOTS)
def test_a_robot_is_the_same_as_sdf(name, floating, tmp_path):
    path = robot_path(name)
    robot = robcogen_ros.build(path, floating_base=floating, backend="numpy")
    assert wrong(compared(robot, path, written(path, floating, tmp_path))) == {}


@for_random(trees(), st.booleans(), examples=10)
def test_random_robots_are_the_same_as_sdf(tree, floating):
    with tempfile.TemporaryDirectory() as folder:
        urdf = Path(folder, "r.urdf")
        urdf.write_text(tree.urdf())
        text = written(urdf, floating, folder)
        assert wrong(compared(tree.build(floating), urdf, text)) == {}


@pytest.fixture
def arm(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("arm.urdf").write_text(ARM)
    assert main(["urdf2sdf", "arm.urdf", "-o", "arm.sdf"]) == 0
    return ElementTree.parse("arm.sdf").getroot(), capsys.readouterr().err


def test_joints_have_what_sdf_can_say_and_the_rest_is_told(arm):
    root, told = arm
    world, elbow, wrist = root.iter("joint")
    assert [world.get("type"), world.findtext("parent"), world.findtext("child")] == [
        "fixed",
        "world",
        "base",
    ]
    assert elbow.get("name") == "elbow_2"
    assert [e.text for e in elbow.iter() if e.tag in ("lower", "upper", "effort", "velocity")] == [
        "-1",
        "2",
        "7",
        "3",
    ]
    assert elbow.findtext("axis/xyz") == "0 1 0"
    assert elbow.findtext("axis/dynamics/damping") == "0.3"
    assert elbow.findtext("axis/dynamics/friction") == "0.2"
    assert wrist.get("type") == "continuous"
    assert wrist.findtext("axis/limit/effort") == "5"
    (frame,) = root.iter("frame")
    assert frame.attrib == {"name": "a_b", "attached_to": "hand"}
    assert frame.findtext("pose") == "0 0 0.1 0 0 0"
    assert told.splitlines() == [
        "warning: SDF 1.9 has no mimic: these joints follow none there: 'wrist' ('elbow')",
        "warning: SDF has no armature: rotors of these joints are left out: 'elbow'",
        "note: names that SDF cannot have, or not twice, are others: joint 'elbow' as 'elbow_2', "
        "frame 'a::b' as 'a_b'",
    ]


def test_with_strict_a_mimic_is_an_error(arm, capsys):
    assert main(["urdf2sdf", "arm.urdf", "-o", "other.sdf", "--strict"]) == 1
    assert "error: SDF 1.9 has no mimic" in capsys.readouterr().err
    assert not Path("other.sdf").exists()


def test_shapes_are_where_they_are(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("a.dae").write_text("<COLLADA/>")
    shapes = (
        '<visual><origin xyz="1 2 3"/><geometry><box size="2 4 6"/></geometry>'
        '<material name="m"><color rgba="1 0 0 1"/></material></visual>'
        '<collision><geometry><cylinder radius="0.5" length="3"/></geometry></collision>'
        '<collision><geometry><mesh filename="a.dae" scale="1 1 2"/></geometry></collision>'
        '<collision><geometry><mesh filename="none.dae"/></geometry></collision>'
    )
    Path("arm.urdf").write_text(
        ARM.replace('<link name="a::b"/>', f'<link name="a::b">{shapes}</link>')
    )
    assert main(["urdf2sdf", "arm.urdf", "-o", "arm.sdf"]) == 0
    said = f"meshes are left out, for there is no such file in {tmp_path}: none.dae"
    assert said in capsys.readouterr().err
    root = ElementTree.parse("arm.sdf").getroot()
    link = root.find(".//link[@name='hand']")
    visual, first, second = (*link.iter("visual"), *link.iter("collision"))
    assert visual.findtext("pose") == "1 2 3.1 0 0 0"
    assert visual.findtext("geometry/box/size") == "2 4 6"
    assert visual.findtext("material/diffuse") == "1 0 0 1"
    assert first.findtext("geometry/cylinder/length") == "3"
    assert second.findtext("geometry/mesh/uri") == "a.dae"
    assert second.findtext("geometry/mesh/scale") == "1 1 2"


def libsdformat(path: Path) -> str:
    """What libsdformat complains of; the test is skipped where there is none."""
    for version in range(12, 20):
        for name in (f"sdformat{version}", f"gz.sdformat{version}"):
            try:
                importlib.import_module(name).Root().load(str(path))
            except ModuleNotFoundError:
                continue
            except Exception as error:
                return str(error)
            return ""
    tool = shutil.which("gz") or shutil.which("ign")
    if tool is None:
        pytest.skip("there is no libsdformat: neither its Python module nor gz sdf")
    done = subprocess.run(
        [tool, "sdf", "--check", str(path)], capture_output=True, text=True, check=False
    )
    return "" if "Valid" in done.stdout and not done.returncode else done.stdout + done.stderr


@pytest.mark.parametrize(("name", "floating"), ROBOTS)
def test_libsdformat_reads_it(name, floating, tmp_path):
    path = tmp_path / "r.sdf"
    path.write_text(written(robot_path(name), floating, tmp_path))
    assert libsdformat(path) == ""
