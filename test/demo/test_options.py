"""What the demo is told by its command line."""

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")

from robcogen_ros.demo.__main__ import _options, main


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


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        *(("--duration", value, "not within 0 and 3600") for value in ("-5", "nan", "inf")),
        *(("--rate", value, "not within 1 and 10000") for value in ("0", "-100", "nan")),
        ("--rate", "fast", "invalid number value: 'fast'"),
    ],
)
def test_a_number_out_of_bounds_is_told(capsys, option, value, said):
    with pytest.raises(SystemExit):
        _options(["--robot", "arm.urdf", f"{option}={value}"])
    assert said in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_told(tmp_path, capsys):
    (tmp_path / "file").touch()
    assert main(["--robot", "arm.urdf", "--out", str(tmp_path / "file")]) == 1
    assert f"error: --out {tmp_path / 'file'}: File exists" in capsys.readouterr().err


def test_no_argument_is_none():
    assert _options(["--model", "arm_example/arm", "--xacro-args="]).xacro_args == []
