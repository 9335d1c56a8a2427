"""Planar and floating joints within the tree move as Pinocchio's do."""

from __future__ import annotations

import numpy as np
import pytest

import robcogen_ros
from test.support.poses import rpy_of

pinocchio = pytest.importorskip("pinocchio")

INERTIAL = """<inertial><origin xyz="0.1 -0.2 0.3" rpy="0.3 0.1 -0.2"/><mass value="2.5"/>
  <inertia ixx="0.3" ixy="0.01" ixz="-0.02" iyy="0.25" iyz="0.03" izz="0.2"/></inertial>"""


def tree(kind: str, extra: str = "") -> str:
    return f"""<robot name="r"><link name="base">{INERTIAL}</link><link name="arm">{INERTIAL}</link>
      <link name="body">{INERTIAL}</link><link name="tip">{INERTIAL}</link>
      <joint name="first" type="revolute"><parent link="base"/><child link="arm"/>
        <origin xyz="0.1 0.2 0.3" rpy="0.4 -0.3 0.9"/><axis xyz="0 1 0"/>
        <limit effort="1" velocity="1" lower="-3" upper="3"/></joint>
      <joint name="free" type="{kind}"><parent link="arm"/><child link="body"/>
        <origin xyz="-0.2 0.5 0.1" rpy="1.0 0.2 -0.5"/>{extra}</joint>
      <joint name="last" type="prismatic"><parent link="body"/><child link="tip"/>
        <origin xyz="0.3 0 0.1" rpy="0.1 0 0"/><axis xyz="1 0 0"/>
        <limit effort="1" velocity="1" lower="-3" upper="3"/></joint></robot>"""


def build(tmp_path, text: str):
    path = tmp_path / "r.urdf"
    path.write_text(text)
    return robcogen_ros.build(path, backend="numpy")


def rotation(axis: int, angle: float) -> np.ndarray:
    return np.asarray(pinocchio.AngleAxis(angle, np.eye(3)[axis]).matrix())


def compare(robot, text: str, q: np.ndarray, theirs: np.ndarray, map_: np.ndarray) -> None:
    """Their velocity is `map_` times ours."""
    model = pinocchio.buildModelFromXML(text)
    data = model.createData()
    upper = np.triu(pinocchio.crba(model, data, theirs))
    H = upper + np.triu(upper, 1).T
    assert robot.inertia_matrix(q) == pytest.approx(map_.T @ H @ map_, abs=1e-12)
    weight = pinocchio.computeGeneralizedGravity(model, data, theirs)
    assert robot.gravity_torques(q) == pytest.approx(map_.T @ weight, abs=1e-12)
    pinocchio.framesForwardKinematics(model, data, theirs)
    for link in ("arm", "body", "tip"):
        expected = data.oMf[model.getFrameId(link)].homogeneous
        assert robot.transform("base", link, q) == pytest.approx(expected, abs=1e-12)


def test_a_planar_joint(tmp_path):
    text = tree("planar", '<axis xyz="0 0 1"/>')
    robot = build(tmp_path, text)
    assert robot.joint_names == ("first", "free_x", "free_y", "free_theta", "last")
    q = np.array([0.7, -0.4, 1.1, 2.3, 0.2])
    map_ = np.eye(5)
    map_[1:4, 1:4] = rotation(2, q[3]).T
    theirs = np.array([q[0], q[1], q[2], np.cos(q[3]), np.sin(q[3]), q[4]])
    compare(robot, text, q, theirs, map_)


def test_a_planar_joint_moves_across_its_normal(tmp_path):
    normal = np.array([1.0, -2.0, 0.5])
    robot = build(tmp_path, tree("planar", '<axis xyz="1 -2 0.5"/>'))
    start = robot.transform("arm", "body", np.zeros(5))
    moved = robot.transform("arm", "body", np.array([0.3, 0.4, -0.7, 0.9, 0.1]))
    shift = start[:3, :3].T @ (moved[:3, 3] - start[:3, 3])
    assert shift @ normal == pytest.approx(0, abs=1e-15)
    assert np.linalg.norm(shift) == pytest.approx(np.hypot(0.4, 0.7))
    turn = start[:3, :3].T @ moved[:3, :3]
    assert turn @ normal == pytest.approx(normal)
    assert np.trace(turn) == pytest.approx(1 + 2 * np.cos(0.9))


def test_a_floating_joint(tmp_path):
    text = tree("floating")
    robot = build(tmp_path, text)
    names = [f"free_{name}" for name in ("x", "y", "z", "yaw", "pitch", "roll")]
    assert list(robot.joint_names) == ["first", *names, "last"]
    q = np.array([0.7, -0.4, 1.1, 0.3, 0.5, -0.8, 2.0, 0.2])
    yaw, pitch, roll = (rotation(axis, q[i]) for axis, i in ((2, 4), (1, 5), (0, 6)))
    R = yaw @ pitch @ roll
    assert rpy_of(R) == pytest.approx((q[6], q[5], q[4]))
    map_ = np.eye(8)
    map_[1:4, 1:4] = R.T
    turns = np.column_stack([[0, 0, 1], yaw @ [0, 1, 0], yaw @ pitch @ [1, 0, 0]])
    map_[4:7, 4:7] = R.T @ turns
    quaternion = pinocchio.Quaternion(R).coeffs()
    compare(robot, text, q, np.concatenate([q[:4], quaternion, q[7:]]), map_)


def test_it_can_be_written_as_other_formats(tmp_path):
    robot = build(tmp_path, tree("planar", '<axis xyz="0 0 1"/>'))
    from robcogen_ros.cli.main import main

    kindsl, urdf = tmp_path / "r.kindsl", tmp_path / "again.urdf"
    assert main(["urdf2kindsl", str(tmp_path / "r.urdf"), "-o", str(kindsl)]) == 0
    assert main(["kindsl2urdf", str(kindsl), "-o", str(urdf)]) == 0
    q = np.array([0.7, -0.4, 1.1, 2.3, 0.2])
    for path in (kindsl, urdf):
        again = robcogen_ros.build(path, backend="numpy")
        assert again.inertia_matrix(q) == pytest.approx(robot.inertia_matrix(q), abs=1e-12)
