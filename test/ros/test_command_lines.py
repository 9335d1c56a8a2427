"""The words of a node's command line: which are its own, which are for ROS."""

import json
import os
import subprocess
import sys
from importlib import import_module

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("xacro", reason="xacro is not installed")

from sensor_msgs.msg import JointState
from std_msgs.msg import String

from robcogen_ros.errors import RobcogenError
from robcogen_ros.parameters.assignments import NodeArguments, divided
from test.ros.harness import LATCHED, PATIENCE, ROOT

NODES = (
    "transform_publisher",
    "simulated_robot",
    "inverse_dynamics_controller",
    "task_space_controller",
    "whole_body_controller",
    "payload_identification",
    "inverse_kinematics",
    "view",
)
XACRO = """<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:arg name="hand" default="false"/>
  <xacro:arg name="mass" default="1"/>
  <link name="base"/>
  <link name="arm">
    <inertial><mass value="$(arg mass)"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
  </link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="arm"/></joint>
  <xacro:if value="$(arg hand)">
    <link name="hand">
      <inertial><mass value="1"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    </link>
    <joint name="wrist" type="continuous"><parent link="arm"/><child link="hand"/></joint>
  </xacro:if>
</robot>"""


@pytest.fixture
def xacro(tmp_path):
    (tmp_path / "arm.urdf.xacro").write_text(XACRO)
    return tmp_path / "arm.urdf.xacro"


@pytest.mark.parametrize(
    ("words", "own", "of_ros"),
    [
        ("a.xacro hand:=true", "a.xacro hand:=true", ""),
        ("a --ros-args -r x:=y -p q:=1", "a", "--ros-args -r x:=y -p q:=1"),
        ("--ros-args -r x:=y -- a x:=y", "a x:=y", "--ros-args -r x:=y --"),
        (
            "a --ros-args x:=y -- b:=c --ros-args d:=e",
            "a b:=c",
            "--ros-args x:=y -- --ros-args d:=e",
        ),
        ("a __ns:=/left x:=y", "a x:=y", "__ns:=/left"),
        ("/x:=/y ~/x:=y n:x:=y a/x:=b", "", "/x:=/y ~/x:=y n:x:=y a/x:=b"),
        ("/tmp/a.urdf x:=/y x:=a:=b", "/tmp/a.urdf x:=/y x:=a:=b", ""),
        ("a -- b", "a -- b", ""),
    ],
)
def test_a_remapping_is_what_follows_ros_args_or_no_argument_of_a_xacro(words, own, of_ros):
    assert divided(words.split()) == (own.split(), of_ros.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a.urdf", "b.urdf"], "expected one file, found a.urdf, b.urdf"),
        (["--helpp"], "unknown option '--helpp'; usage: .FILE"),
    ],
)
def test_a_second_file_and_an_option_are_refused(words, said):
    with pytest.raises(RobcogenError, match=said):
        NodeArguments.of(words)


@pytest.mark.parametrize("node", NODES)
def test_each_node_has_help(node, capsys):
    module = import_module(f"robcogen_ros.{'view.live' if node == 'view' else f'ros.{node}'}")
    assert module.main([node, "--help"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"usage: ros2 run robcogen_ros {node} [FILE [NAME:=VALUE ...]] [--ros-")
    assert node in told.partition("\n\n")[2]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"model": "p/t"}, "'a.xacro' and the parameter model both name a robot"),
        ({"model_file": "b"}, "parameter model_file both"),
        ({"use_robot_description_topic": True}, "parameter use_robot_description_topic both"),
    ],
)
def test_two_robots_are_refused(values, said):
    with pytest.raises(RobcogenError, match=said):
        NodeArguments("a.xacro").merged(values)


def test_arguments_of_the_command_line_follow_those_of_the_parameter():
    given = {"model": "", "model_file": "a.xacro", "xacro_args": ["x:=1"]}
    merged = NodeArguments(xacro_args=("hand:=true",)).merged(given)
    assert merged == {**given, "xacro_args": ["x:=1", "hand:=true"]}
    with pytest.raises(RobcogenError, match=r"no file takes the argument 'joint_states:=x'.*-r"):
        NodeArguments(xacro_args=("joint_states:=x",)).merged({"model": "p/t", "model_file": ""})


def test_arguments_after_a_file_reach_the_xacro_and_remappings_ros(xacro, probe, start, tmp_path):
    empty = dict.fromkeys(("model", "model_file", "xacro_args"), "")  # as launch writes them
    file = tmp_path / "parameters.yaml"
    file.write_text(json.dumps({"/**": {"ros__parameters": empty}}))
    words = [xacro, "hand:=true", "wings:=2", "--ros-args", "-r", "robot_description:=text"]
    words += ["--params-file", file, "--"]
    node = start("transform_publisher", "/a", words)
    text = probe.listen(String, "/a/text", LATCHED)
    probe.until(lambda: text)
    assert '<link name="hand"' in text[0].data
    code, said = node.end()
    assert code == 0
    assert "the xacro has no argument 'wings'" in said


def test_a_simulated_robot_has_the_joints_that_the_arguments_say(xacro, probe, start):
    node = start("simulated_robot", "/b", [xacro, "hand:=true"])
    states = probe.listen(JointState, "/b/joint_states")
    probe.until(lambda: states)
    assert states[0].name == ["shoulder", "wrist"]
    assert node.end()[0] == 0


@pytest.mark.parametrize("name", NODES)
def test_each_node_takes_a_file_with_arguments_and_tells_what_is_wrong_in_a_line(
    name, xacro, start
):
    if name == "view":
        pytest.importorskip("viser", reason="viser is not installed")
    waits = ("inverse_dynamics_controller", "task_space_controller")
    auto = {"autostart": True} if name in waits else {}
    auto |= {"frame": "arm"} if name == "payload_identification" else {}
    code, said = start(name, words=[xacro, "mass:=heavy"], **auto).wait()
    assert code == 1
    wrong = [line for line in said.splitlines() if "'heavy'" in line]
    assert len(wrong) == 1
    assert f"{xacro}:6:" in wrong[0]
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "words",
    [
        ["--ros-args", "-r", "bogus"],
        ["--ros-args", "bogus"],
        ["--ros-args", "--params-file", "none.yaml"],
        ["--ros-args", "-p", "model_file:=123"],
    ],
    ids=lambda words: words[-1],
)
def test_wrong_words_of_ros_are_told(words, start):
    code, said = start("transform_publisher", words=words).wait()
    assert code == 1
    assert said.splitlines()[-1].startswith("error: ")
    assert words[-1].rpartition("=")[2] in said.splitlines()[-1]
    assert "Traceback" not in said


def test_the_demo_takes_them_beside_what_launch_adds(xacro):
    words = ["--robot", xacro, "mass:=heavy", "--ros-args", "-r", "__node:=demo"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-m", "robcogen_ros.demo", *words, "--out", xacro.parent],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert ran.returncode == 1
    assert f"error: {xacro}:6:" in ran.stderr
