import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.errors import Location, ModelError, Problem, RobcogenError
from robcogen_ros.nodes import model_parameter

ARM = Path(__file__).parents[1] / "ros" / "arm.urdf"
TEXT = ARM.read_text()
NOTHING = {"model": "", "model_file": "", "robot_description": ""}


@pytest.fixture(scope="module")
def compiled():
    return robcogen_ros.build(ARM)


def test_a_description_runs_interpreted(monkeypatch):
    monkeypatch.setenv("AMENT_PREFIX_PATH", "")
    found = model_parameter.find_robot({**NOTHING, "robot_description": TEXT})
    assert found.robot.library_path is None
    assert found.description == TEXT
    assert "interpreted" in found.note


@pytest.mark.slow
def test_a_description_that_equals_an_installed_model_runs_compiled(monkeypatch, compiled):
    monkeypatch.setattr(model_parameter, "available", lambda: ("pkg/other", "pkg/arm"))
    other = robcogen_ros.build(ARM, lock={"finger": 0.0}, backend="numpy")
    monkeypatch.setattr(robcogen_ros, "load", {"pkg/arm": compiled, "pkg/other": other}.get)
    reformatted = TEXT.replace('"0.4"', '"0.40"').replace("\n", "\n\n")
    assert model_parameter.from_description(reformatted).robot is compiled
    turned = robcogen_ros.build(ARM, gravity=(0, 9.81, 0), backend="numpy")
    assert not model_parameter.same(turned, compiled)
    heavier = TEXT.replace('<mass value="2"/>', '<mass value="2.001"/>')
    assert model_parameter.from_description(heavier).robot.library_path is None


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"model_file": "a.xacro", "xacro_args": ["x:=1", "y:=2"]}, ["reads a.xacro x:=1 y:=2"]),
        ({"model_file": "a.urdf"}, ["reads a.urdf"]),
        ({"model": "package/arm"}, ["loads package/arm"]),
        ({"robot_description": TEXT}, []),
    ],
)
def test_where_a_robot_comes_from_is_told_before_it_is_read(values, said):
    heard = []
    model_parameter.tell_source(SimpleNamespace(info=heard.append), {**NOTHING, **values})
    assert heard == said


def test_notes_and_warnings_are_logged_each_as_what_it_is(capfd):
    log = pytest.importorskip("rclpy.logging").get_logger("odd")
    kinds = ("note", "warning", "note", "warning")
    odd = [Problem(f"number {i}", Location("r.urdf", i), kind) for i, kind in enumerate(kinds)]
    model_parameter.tell(log, odd)
    said = [line for line in capfd.readouterr().err.splitlines() if "number" in line]
    assert [line.partition("]")[0] for line in said] == ["[INFO", "[WARN"] * 2
    assert [line.partition("]: ")[2] for line in said] == [str(problem) for problem in odd]


@pytest.mark.slow
def test_a_file_comes_with_its_description(compiled):
    found = model_parameter.find_robot({**NOTHING, "model_file": str(ARM)})
    assert found.robot.joint_names == compiled.joint_names
    assert found.description == TEXT


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "GBK", "utf-16", "no-such"])
@pytest.mark.parametrize("before", ["", "\ufeff", "\n \n", "\ufeff\n"])
def test_a_description_is_a_text_whatever_encoding_its_header_declares(encoding, before):
    body = TEXT[TEXT.index("<robot") :].replace("finger", "flèche钩")
    text = f'{before}<?xml version="1.0" encoding="{encoding}"?>{body}'
    found = model_parameter.from_description(text)
    assert "flèche钩" in found.robot.joint_names
    assert found.description == text.removeprefix("\ufeff")


def test_a_description_keeps_what_only_looks_like_xacro():
    plugin = '<!-- <xacro:include filename="x"/> --><gazebo>${a} &lt;xacro:if&gt;</gazebo></robot>'
    text = TEXT.replace("</robot>", plugin)
    assert model_parameter.from_description(text).description == text
    file = {**NOTHING, "model_file": str(ARM)}
    assert model_parameter.find_robot(file, dynamics=False).description == TEXT


def test_a_description_with_elements_of_xacro_is_expanded_for_others_too():
    text = TEXT.replace("<robot", '<robot xmlns:xacro="http://ros.org/wiki/xacro"', 1)
    text = text.replace('<mass value="2"/>', '<mass value="${m}"/>')
    found = model_parameter.from_description(
        text.replace("<link", '<xacro:property name="m" value="2"/><link', 1)
    )
    interpreted, q = robcogen_ros.build(ARM, backend="numpy"), np.ones(3)
    assert "xacro:" not in found.description.replace("xmlns:xacro", "")
    assert np.array_equal(found.robot.inertia_matrix(q), interpreted.inertia_matrix(q))


@pytest.mark.slow
def test_what_is_odd_about_a_description_is_handed_on():
    found = model_parameter.from_description(TEXT.replace("<mass value", '<mass valu="" value'))
    assert "unknown attribute 'valu' of <mass>" in str(found.warnings[0])
    file = model_parameter.find_robot({**NOTHING, "model_file": str(ARM)})
    assert file.warnings == ()


def test_a_robot_has_one_source():
    both = {**NOTHING, "model": "pkg/arm", "model_file": str(ARM)}
    with pytest.raises(RobcogenError, match="model and model_file are both set"):
        model_parameter.find_robot(both)


def test_a_robot_without_mass_is_told():
    arm = robcogen_ros.build(ARM, backend="numpy")
    assert model_parameter.weightless(arm) == ""
    bare = re.sub(r"<inertial>.*?</inertial>", "", TEXT, flags=re.DOTALL)
    with pytest.warns(UserWarning, match="has no mass: no effort"):
        found = robcogen_ros.build(text=bare, backend="numpy")
    assert "no link that joints move has mass" in model_parameter.weightless(found)


def test_nothing_or_nonsense_is_told():
    with pytest.raises(RobcogenError, match="model, model_file and robot_description"):
        model_parameter.find_robot(NOTHING)
    with pytest.raises(RobcogenError, match="robot_description:1:"):
        model_parameter.from_description("<robot")
    with pytest.raises(ModelError):
        model_parameter.find_robot({**NOTHING, "model_file": "missing.urdf"})


def test_a_floating_base_is_refused():
    robot = robcogen_ros.build(ARM, floating_base=True, backend="numpy")
    with pytest.raises(RobcogenError, match="floating base"):
        model_parameter.fixed_base(robot)


@pytest.mark.slow
def test_a_file_may_be_one_of_a_package(tmp_path, monkeypatch):
    index = tmp_path / "share" / "ament_index" / "resource_index" / "packages"
    index.mkdir(parents=True)
    (index / "arms").touch()
    (tmp_path / "share" / "arms").mkdir()
    (tmp_path / "share" / "arms" / "arm.urdf").write_text(TEXT)
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path))
    file = {**NOTHING, "model_file": "package://arms/arm.urdf"}
    for dynamics in (True, False):
        found = model_parameter.find_robot(file, dynamics)
        assert (found.robot.n, found.description) == (3, TEXT)
    with pytest.raises(RobcogenError, match=r"package .legs. of package:.* is not found"):
        model_parameter.find_robot({**NOTHING, "model_file": "package://legs/a.urdf"})


def test_a_publisher_needs_no_functions():
    """So a robot with thousands of frames is read in time that grows with their number."""
    robot = model_parameter.from_description(TEXT, dynamics=False).robot
    whole = model_parameter.from_description(TEXT).robot
    for name in ("name", "n", "joint_names", "link_names", "mimic", "attachments", "origins"):
        assert getattr(robot, name) == getattr(whole, name)
    assert not robot.required_inputs
