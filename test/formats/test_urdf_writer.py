"""URDF as we write it, and the command kindsl2urdf."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.cli.kindsl2urdf import main
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.kindsl import writer as kindsl_writer
from robcogen_ros.formats.load import load
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.urdf import reader as urdf
from robcogen_ros.formats.urdf import writer as urdf_writer
from robcogen_ros.model.checks.tree import check
from robcogen_ros.model.reduce import reduce
from test.formats.compare import distance, entries
from test.support.robots import oracle_robots, robot_path

EXAMPLES = Path(__file__).parents[2] / "examples"
SOME = {"simple_humanoid", "talos_left_arm", "ur5_robot", "panda", "hyq_no_sensors", "z1"}


def rewritten(description):
    return urdf.read(Source("w.urdf", urdf_writer.write(description)))


@pytest.mark.parametrize(("name", "frame"), [("hyl", "fr_foot"), ("quadruped", "RH_foot")])
def test_a_model_is_the_same_robot_as_urdf(name, frame):
    description = load(EXAMPLES / f"{name}.kindsl")
    again = rewritten(description)
    assert [p.message for p in check(again) if p.severity == "error"] == []
    before, after = reduce(description), reduce(again)
    assert distance(before, after) < 1e-14
    assert after.floating_base == before.floating_base
    poses = [entries(robot.frames[robot.frame_index(frame)].pose) for robot in (before, after)]
    assert np.abs(poses[0] - poses[1]).max() < 1e-14


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in oracle_robots() if Path(n).stem in SOME])
def test_from_urdf_and_back(name):
    description = load(robot_path(name))
    text = kindsl_writer.write(description)
    again = rewritten(kindsl.read(Source("w.kindsl", text)))
    before, after = reduce(description), reduce(again)
    assert before.joint_names == after.joint_names
    for i, j in zip(before.link_order, after.link_order, strict=True):
        first, second = before.links[i].inertia, after.links[j].inertia
        scale = max(abs(float(entry)) for entry in first.tensor) or 1
        for a, b in zip(first.tensor, second.tensor, strict=True):
            assert abs(float(a) - float(b)) < 1e-13 * scale


JOINTS = """Robot R {
    RobotBase b { children { l via j k via m } }
    virtual link l { id = 1 children {} }
    virtual link k { id = 2 children {} }
    p_joint j { ref_frame { translation = (x[1.5], 0, 0) rotation = (0.1, PI/2, 0.3) }
        limits { lower = -1 upper = 2 velocity = 3 effort = 4 } friction { viscous = 5 dry = 6 } }
    r_joint m { ref_frame { translation = (0, 0, 0.1) rotation = (0, 1.5707963, 0) }
        limits { lower = -1 upper = 2 velocity = 3 effort = 4 }
        mimic { joint = j multiplier = 2 offset = 0.1 } }
}"""


def test_joints_keep_all_they_have():
    description = kindsl.read(Source("r.kindsl", JOINTS))
    for before, after in zip(description.joints, rewritten(description).joints, strict=True):
        for what in ("name", "kind", "limits", "mimic", "damping", "friction"):
            assert getattr(before, what) == getattr(after, what)
        written, read = (
            np.array([[float(e) for e in row] for row in joint.pose.rotation])
            for joint in (before, after)
        )
        assert np.abs(written - read).max() < 1e-15


def test_a_joint_without_limits_is_continuous():
    text = JOINTS.replace("limits { lower = -1 upper = 2 velocity = 3 effort = 4 }", "")
    kinds = [joint.kind for joint in rewritten(kindsl.read(Source("r", text))).joints]
    assert kinds == ["prismatic", "continuous"]


def test_a_parameter_needs_a_value():
    text = JOINTS.replace("x[1.5]", "x")
    with pytest.raises(RobcogenError, match="parameter 'x' has no default value, and URDF has no"):
        rewritten(kindsl.read(Source("r", text)))


def test_the_command_writes_a_file(tmp_path, capsys):
    source, target = tmp_path / "r.kindsl", tmp_path / "r.urdf"
    source.write_text(JOINTS)
    assert main([str(source), "-o", str(target), "--floating-base"]) == 0
    assert load(target).floating_base
    assert main([str(source)]) == 0
    written = capsys.readouterr()
    assert written.out.startswith('<?xml version="1.0"?>\n<robot name="R">')
    assert "note: URDF has no parameters; written for x = 1.5\n" in written.err
    source.write_text(JOINTS.replace("x[1.5]", "x"))
    assert main([str(source)]) == 1
