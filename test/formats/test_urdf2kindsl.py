"""The command urdf2kindsl."""

from __future__ import annotations

import io
import sys

import pytest

from robcogen_ros.cli.urdf2kindsl import main
from robcogen_ros.formats import source
from robcogen_ros.formats.load import load
from robcogen_ros.formats.read import read
from robcogen_ros.formats.transforms import dtdsl
from robcogen_ros.transforms.desired import function_names
from test.support.robots import robot_path

URDF = """<robot name="arm"><link name="base"/><link name="upper"/>
<joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/></joint></robot>
"""


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(URDF)
    return path


def test_writes_to_the_standard_output(arm, capsys):
    assert main([str(arm)]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("// SI units")
    assert "\nRobot arm {\n    RobotBase base {\n" in printed.out
    assert printed.out.endswith("}\n")
    assert printed.err == ""


def test_writes_a_file_that_loads(arm, tmp_path):
    output = tmp_path / "arm.kindsl"
    assert main([str(arm), "-o", str(output), "--floating-base"]) == 0
    description = load(output)
    assert [joint.name for joint in description.joints] == ["shoulder"]
    assert description.floating_base


def test_reads_the_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(URDF.encode())))
    assert main(["-"]) == 0
    assert "Robot arm {" in capsys.readouterr().out


def test_passes_arguments_to_xacro(arm, capsys):
    xacro = arm.parent / "arm.urdf.xacro"
    start = '<robot name="$(arg name)" xmlns:xacro="x"><xacro:arg name="name" default="none"/>'
    xacro.write_text(start.join(URDF.split('<robot name="arm">')).replace('"$(arg name)"', '"x"'))
    assert main([str(xacro), "name:=leg"]) == 0
    assert main([str(arm), "name:=leg"]) == 1
    assert "takes no arguments (name)" in capsys.readouterr().err


def test_warnings_go_to_the_standard_error(arm, capsys):
    arm.write_text(URDF.replace('<link name="upper"/>', '<link name="upper"><inertal/></link>'))
    assert main([str(arm)]) == 0
    assert "warning: unknown tag <inertal>" in capsys.readouterr().err


def test_an_unwritable_output_is_told(arm, capsys):
    assert main([str(arm), "-o", str(arm / "arm.kindsl")]) == 1
    assert "cannot write" in capsys.readouterr().err


def test_wrong_usage_is_2(arm):
    with pytest.raises(SystemExit) as caught:
        main([str(arm), str(arm)])
    assert caught.value.code == 2


def test_the_matching_desired_transforms(tmp_path):
    output, wanted = tmp_path / "panda.kindsl", tmp_path / "panda.dtdsl"
    path = robot_path("panda_description/urdf/panda.urdf")
    assert main([str(path), "-o", str(output), "--desired", str(wanted)]) == 0
    robot = read(output).robot
    desired = dtdsl.read(source.read(wanted))
    names, warnings = function_names(desired, robot)
    assert not (desired.warnings or warnings)
    placed = {pair.right for pair in desired.transforms}
    assert {f"fr_{link.name}" for link in robot.links[1:]} | {"panda_hand_tcp"} <= placed
    assert "fr_panda_link0_J_panda_hand_tcp" in names
