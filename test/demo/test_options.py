"""What the demo is told by its command line."""

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")

from robcogen_ros.demo.__main__ import _options


@pytest.mark.parametrize(
    "words",
    [
        "--robot package://arms/arm.xacro hand:=true size:=2",
        "hand:=true --robot package://arms/arm.xacro size:=2 --ros-args -r __node:=x",
        "--robot package://arms/arm.xacro --xacro-args=hand:=true|size:=2",
        "--robot package://arms/arm.xacro hand:=true --xacro-args size:=2",
    ],
)
def test_a_xacro_takes_arguments_and_a_package_is_no_path(words):
    options = _options([word.replace("|", " ") for word in words.split(" ")])
    assert options.robot == "package://arms/arm.xacro"
    assert options.xacro_args == ["hand:=true", "size:=2"]


def test_no_argument_is_none():
    assert _options(["--model", "arm_example/arm", "--xacro-args="]).xacro_args == []
