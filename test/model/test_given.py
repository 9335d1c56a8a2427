"""Options and values that Python callers give: wrong ones are refused where they come in."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli.check import main as check
from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.formats.read import read
from test.support.random_robots import Joint, Link, Tree

ARM = Tree(
    (Link("base", 1.0), Link("rod", 1.0, (0.1, 0.0, 0.0), tensor=(0.1, 0.0, 0.0, 0.1, 0.0, 0.1))),
    (Joint("hinge", "revolute", "base", "rod"),),
)
XACRO = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="length" default="1"/><xacro:arg name="flag" default="false"/>
  <xacro:arg name="list" default="[0, 0]"/><xacro:property name="numbers" value="${$(arg list)}"/>
  <link name="base"/><link name="tool"/><xacro:if value="$(arg flag)"><link name="more"/>
  <joint name="weld" type="fixed"><parent link="base"/><child link="more"/></joint></xacro:if>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="tool"/>
    <origin xyz="$(arg length) ${numbers[0]} ${numbers[1]}"/></joint></robot>"""


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    path = tmp_path / "arm.urdf"
    path.write_text(ARM.urdf())
    return path


@pytest.fixture
def xacro(tmp_path: Path) -> Path:
    path = tmp_path / "arm.urdf.xacro"
    path.write_text(XACRO)
    return path


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tips": "rod"}, r"tips: expected a list of names, found 'rod'; write \['rod'\]"),
        ({"tips": [None]}, r"tips: expected a list of names, found \[None\]"),
        ({"tips": 5}, "tips: expected a list of names, found 5"),
        ({"root": 5}, "root: expected a name, found 5"),
        ({"root": ["base"]}, r"root: expected a name, found \['base'\]"),
        ({"parameters": "rod.mass"}, r"parameters: .* write \['rod.mass'\]"),
        ({"parameters": [5]}, r"parameters: expected a list of names, found \[5\]"),
        ({"terms": "damping"}, r"terms: .* write \['damping'\]"),
        ({"functions": "inertia_matrix"}, r"functions: .* write \['inertia_matrix'\]"),
        ({"payload": 5}, "payload: expected a name, found 5"),
        ({"snap_angles": 1.0}, "snap_angles: expected 0 to 0.01 rad, found 1.0"),
        ({"snap_angles": -1e-9}, "snap_angles: expected 0 to 0.01 rad"),
        ({"snap_angles": math.nan}, "snap_angles: expected a finite number, found nan"),
        ({"snap_angles": "0.001"}, "snap_angles: expected a number, found '0.001'"),
        ({"floating_base": "no"}, "floating_base: expected True or False, found 'no'"),
        ({"floating_base": 2}, "floating_base: expected True or False, found 2"),
        ({"keep_attached": "no"}, "keep_attached: expected True or False, found 'no'"),
        ({"strict": "no"}, "strict: expected True or False, found 'no'"),
        ({"accept_inertia": "no"}, "accept_inertia: expected True or False, found 'no'"),
        ({"cut_loops": "no"}, "cut_loops: expected True or False, found 'no'"),
        ({"batch": "no"}, "batch: expected True or False, found 'no'"),
        ({"threads": 0}, "threads: expected a number from 1 on, found 0"),
        ({"threads": math.nan}, "threads: expected a number from 1 on, found nan"),
        ({"package_paths": "robots:=/"}, "package_paths: expected values by name, as a dict"),
        ({"package_paths": {5: "/"}}, "package_paths: expected values by name, as a dict"),
    ],
)
def test_an_option_of_another_kind_is_refused(arm, options, message):
    with pytest.raises(RobcogenError, match=message):
        robcogen_ros.build(arm, backend="numpy", **options)


@pytest.mark.parametrize(
    "options",
    [
        {"tips": ("rod",), "root": "base", "floating_base": np.bool_(True), "strict": 0},
        {"tips": {"rod"}, "parameters": None, "terms": None, "lock": None, "threads": np.int64(2)},
        {"tips": np.array(["rod"]), "snap_angles": np.float32(1e-3), "keep_attached": 1},
    ],
)
def test_other_types_for_the_same_are_fine(arm, options):
    assert robcogen_ros.build(arm, backend="numpy", **options).n == 1


def test_wrong_values_of_parameters_change_nothing(arm):
    robot = robcogen_ros.build(arm, parameters=["rod"], backend="numpy")
    before = dict(robot.parameters)
    for wrong in ({"rod.mass": 2.0, "rod.com.x": math.nan}, {"rod.mass": 2.0, "rod.com": 1.0}):
        with pytest.raises((ValueError, KeyError)):
            robot.parameters.update(wrong)
        assert dict(robot.parameters) == before
    robot.parameters.update({"rod.mass": np.float32(2.0)}, **{"rod.com.x": 0.5})
    assert robot.parameters["rod.mass"] == 2.0
    assert robot.parameters["rod.com.x"] == 0.5


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({"length": 0.3}, (0.3, 0, 0)),
        ({"length": 2}, (2, 0, 0)),
        ({"length": np.float64(0.3)}, (0.3, 0, 0)),
        ({"length": np.float32(0.25)}, (0.25, 0, 0)),
        ({"length": 1e-7}, (1e-7, 0, 0)),
        ({"length": "0.3"}, (0.3, 0, 0)),
        ({"list": [0.1, 2]}, (1, 0.1, 2)),
        ({"list": (0.1, np.float64(2))}, (1, 0.1, 2)),
        ({"list": np.array([0.1, 2])}, (1, 0.1, 2)),
        ({"list": {0: 0.1, 1: 2}}, (1, 0.1, 2)),
        ({"length": 0.3, "flag": False, "list": [1, 2]}, (0.3, 1, 2)),
    ],
)
def test_arguments_of_a_xacro_are_as_xacro_writes_them(xacro, arguments, place):
    robot = robcogen_ros.build(xacro, xacro_args=arguments, backend="numpy")
    assert tuple(robot.transform("base", "tool", [0.0])[:3, 3]) == pytest.approx(place)


@pytest.mark.parametrize("flag", [True, np.bool_(True), "true", "True", 1, "1"])
def test_a_yes_for_a_xacro(xacro, flag):
    assert "more" in read(xacro, xacro_args={"flag": flag}).robot.frame_names


@pytest.mark.parametrize(
    "value", [None, b"1", 1j, {1, 2}, object(), [1, None], {"a": object()}, range(2)]
)
def test_what_a_xacro_has_no_value_for_is_refused(xacro, value):
    with pytest.raises(RobcogenError, match="xacro_args: 'list' cannot be"):
        read(xacro, xacro_args={"list": value})


@pytest.mark.parametrize("arguments", ["length:=1", ["length:=1"], {5: 1}, 7], ids=repr)
def test_arguments_of_a_xacro_are_given_by_name(xacro, arguments):
    with pytest.raises(RobcogenError, match="xacro_args: expected values by name, as a dict"):
        read(xacro, xacro_args=arguments)


def test_a_value_that_does_not_fit_is_told_where_it_is_used(xacro):
    for value in (math.nan, math.inf, True):
        with pytest.raises(ModelError, match=r"arm.urdf.xacro:7:.*xyz of <origin>"):
            read(xacro, xacro_args={"length": value})


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--lock", "hinge=0.1", "--lock", "hinge=0.2"], "joint 'hinge' is given twice"),
        (["--xacro-arg", "a:=1", "--xacro-arg", "a:=2"], "xacro argument 'a' is given twice"),
        (["--lock", "hinge=nan"], "expected JOINT=NUMBER, found 'hinge=nan'"),
        (["--gravity", "0", "0"], "expected X Y Z or mount after MODEL, found '0 0'"),
        (["--gravity", "0", "0", "inf"], "expected X Y Z or mount after MODEL, found '0 0 inf'"),
        (["--gravity", "up"], "expected X Y Z or mount after MODEL, found 'up'"),
    ],
)
def test_wrong_options_of_commands_are_refused(arm, capsys, options, told):
    try:
        assert check([str(arm), *options]) == 1
    except SystemExit as end:
        assert end.code == 2
    assert told in capsys.readouterr().err


def test_gravity_of_commands(arm, capsys):
    assert check([str(arm), "--gravity", "0", "-9.81", "1e-3", "--root", "base"]) == 0
    assert check([str(arm), "--gravity", "mount"]) == 0
    assert not capsys.readouterr().err
