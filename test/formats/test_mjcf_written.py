"""MJCF and URDF that are written of an MJCF are the same robot."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.cli import urdf2mjcf
from robcogen_ros.cli.main import main
from robcogen_ros.formats.mjcf import writer as mjcf_writer
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.formats.mjcf_texts import ROBOTS, reading

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", [name for name in ROBOTS if name not in ("copies", "gripper")])
def test_written_as_mjcf_a_robot_is_the_same(name: str) -> None:
    first = reading(ROBOTS[name])
    text, _, _ = mjcf_writer.write(first.robot, first.description)
    second = reading(text)
    assert first.robot.joint_names == second.robot.joint_names
    assert first.robot.floating_base == second.robot.floating_base
    robots = [robot_of(NumpyEvaluator(Library(r.robot))) for r in (first, second)]
    q = np.random.default_rng(0).normal(size=(3, first.robot.n))
    one, other = (robot.inertia_matrix(q) for robot in robots)
    np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
    poses = [dict(zip(r.frame_names, r.frame_poses(q[0]), strict=True)) for r in robots]
    assert {*poses[0]} - {*first.robot.joint_names} <= {*poses[1]} | {"k_link", "j_link", "x_link"}
    for frame in poses[0].keys() & poses[1].keys():
        np.testing.assert_allclose(poses[0][frame], poses[1][frame], atol=1e-12)


def test_written_as_urdf_a_robot_is_the_same(tmp_path: Path, capsys) -> None:
    """Of a tree that is chosen; what a URDF cannot have is refused."""
    file, urdf = tmp_path / "robot.xml", tmp_path / "robot.urdf"
    text = """<mujoco><compiler angle="radian"/><worldbody>
      <body name="stand"><joint name="turn" axis="0 1 0" damping="2" stiffness="3"
          springref="0.1" armature="0.5"/><geom type="box" size="1 2 3" pos="0 1 0"/>
        <body name="arm" pos="0 0 1"><joint name="slide" type="slide" axis="1 1 0" ref="0.4"/>
          <geom size="0.4" pos="1 0 0"/></body></body>
      <body name="thing"><freejoint/><geom size="1"/></body></worldbody></mujoco>"""
    file.write_text(text)
    given = ["mjcf2urdf", str(file), "-o", str(urdf), "--root"]
    assert main([*given, "arm"]) == 1
    assert "--root arm: a part of a robot cannot be written" in capsys.readouterr().err
    assert main([*given, "world"]) == 0
    terms = ["armature", "damping", "springs"]
    one, other = (
        robot_of(NumpyEvaluator(Library(read(path, terms=terms, **more).robot)))
        for path, more in ((file, {"root": "world"}), (urdf, {}))
    )
    assert one.joint_names == other.joint_names == ("turn", "slide")
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 2))
    forces = (each.inverse_dynamics(q, qd, qdd) for each in (one, other))
    np.testing.assert_allclose(*forces, rtol=1e-12)


@pytest.mark.parametrize("name", ["leg", "ankle"])
def test_loops_are_written_and_read(name: str, tmp_path: Path) -> None:
    folder, file = ROOT / "examples" / "linkages", tmp_path / "robot.xml"
    loops = str(folder / f"{name}.yaml")
    given = [str(folder / f"{name}.urdf"), "--loops", loops, "-o", str(file)]
    assert urdf2mjcf.main(given) == 0
    first, second = read(folder / f"{name}.urdf", loops=loops).robot, read(file).robot
    assert first.joint_names == second.joint_names
    q = np.random.default_rng(0).uniform(-0.1, 0.1, (3, first.n))
    one, other = (robot_of(NumpyEvaluator(Library(r))).inertia_matrix(q) for r in (first, second))
    np.testing.assert_allclose(one, other, rtol=1e-10)
    if importlib.util.find_spec("mujoco"):
        import mujoco

        from test.drivers.beside_mujoco import Beside

        Beside(mujoco.MjModel.from_xml_path(str(file)), read(file)).agree()
