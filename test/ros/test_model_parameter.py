from pathlib import Path

import pytest

import robcogen_ros
from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.ros import model_parameter

ARM = Path(__file__).with_name("arm.urdf")
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


def test_a_file_comes_with_its_description(compiled):
    found = model_parameter.find_robot({**NOTHING, "model_file": str(ARM)})
    assert found.robot.joint_names == compiled.joint_names
    assert found.description == TEXT


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
