"""Robots as other libraries read them: the same robots."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robcogen_ros.bench.measured import MATRIX, measured
from robcogen_ros.bench.python_module import pinocchio_model
from robcogen_ros.bench.robot_file import bodies, mjcf, obstacle
from robcogen_ros.bench.states import States, disagreement
from robcogen_ros.formats.bodies import depth_first
from robcogen_ros.formats.read import read
from robcogen_ros.model.joint_kinds import Helical
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from test.support.examples import example
from test.support.robots import robot_path, robots_directory

NEEDS_ROBOTS = pytest.mark.skipif(
    robots_directory() is None, reason="example-robot-data is not installed"
)


@NEEDS_ROBOTS
def test_each_subtree_is_in_one_piece():
    robot = read(robot_path("hyq_description/robots/hyq_no_sensors.urdf")).robot
    order = depth_first(robot)
    assert sorted(order) == list(range(len(robot.joints)))
    below = [{i for i in order if j in robot.support(robot.joints[i].successor)} for j in order]
    for place, subtree in enumerate(below):
        assert set(order[place : place + len(subtree)]) == subtree


@pytest.mark.parametrize("floating", [False, True])
def test_bodies_have_the_masses_and_the_hanging_of_the_robot(floating):
    robot = example("quadruped", floating_base=floating)
    lines = [line.split() for line in bodies(robot).splitlines()[1:]]
    assert lines[0][0] == ("F" if floating else "B")
    assert [line[0] for line in lines[1:]] == ["R"] * robot.n
    assert all(int(line[2]) < i for i, line in enumerate(lines) if i)
    masses = [float(line[15]) for line in lines]
    assert sum(masses) == pytest.approx(sum(float(link.inertia.mass) for link in robot.links))
    for line in lines:
        xx, xy, yy, xz, yz, zz = map(float, line[19:])
        moments = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        assert moments.min() >= 0 and moments[2] <= moments[0] + moments[1] + 1e-12


@NEEDS_ROBOTS
@pytest.mark.parametrize(
    "file", ["ur_description/urdf/ur5_robot.urdf", "hyq_description/robots/hyq_no_sensors.urdf"]
)
def test_pinocchio_finds_our_inertia_matrix(file):
    pinocchio = pytest.importorskip("pinocchio")
    robot = read(robot_path(file)).robot
    model = pinocchio_model(pinocchio, robot)
    axes = {line.split()[1] for line in bodies(robot).splitlines()[2:]}
    assert len(axes) > 1
    function = measured("inertia_matrix")
    states = States(robot)
    data = model.createData()
    theirs = [
        np.triu(pinocchio.crba(model, data, state[: model.nq])).ravel(order="F")
        for state in states.theirs(function)
    ]
    entry = Library(robot, ["inertia_matrix"]).entry("inertia_matrix")
    ours = [interpret(entry.fastest, {"q": q})["H"] for q in states.ours(entry.function)]
    found = states.result(function, np.array(theirs))
    assert disagreement(np.array(ours, dtype=float), found, MATRIX) < 1e-12


@pytest.mark.parametrize("floating", [False, True])
def test_mujoco_finds_our_inertia_matrix(floating):
    mujoco = pytest.importorskip("mujoco")
    robot = example("quadruped", floating_base=floating)
    model = mujoco.MjModel.from_xml_string(mjcf(robot))
    data = mujoco.MjData(model)
    function = measured("inertia_matrix")
    assert function.result == MATRIX
    states = States(robot)
    theirs = []
    for state in states.theirs(function, mujoco=True):
        data.qpos[:] = state[: model.nq]
        mujoco.mj_forward(model, data)
        columns = [np.zeros(model.nv) for _ in range(model.nv)]
        for i, column in enumerate(columns):
            mujoco.mj_mulM(model, data, column, np.eye(model.nv)[i])
        theirs.append(np.ravel(columns))
    entry = Library(robot, ["inertia_matrix"]).entry("inertia_matrix")
    ours = [interpret(entry.fastest, {"q": q})["H"] for q in states.ours(entry.function)]
    expected = np.array(ours, dtype=float)
    found = states.result(function, np.array(theirs), mujoco=True)
    assert disagreement(expected, found, MATRIX) < 1e-12


def test_what_differs_is_seen_to_differ():
    ours = np.random.default_rng(0).normal(size=(4, 3))
    assert disagreement(ours, ours, "vector") == 0
    theirs = ours.copy()
    theirs[2, 1] *= -1
    assert disagreement(ours, theirs, "vector") > 1e-3
    assert disagreement(ours, ours[:, :2], "vector") == float("inf")


def test_robots_that_others_do_not_know_are_not_compared():
    hyl = example("hyl")
    screws = [replace(joint, kind=Helical(0.1)) for joint in hyl.joints]
    assert "parameters" in obstacle(example("fancy"))
    assert "helical" in obstacle(replace(hyl, joints=tuple(screws)))
    assert not obstacle(hyl)


def test_other_libraries_get_the_gravity_of_generation():
    mujoco = pytest.importorskip("mujoco")
    robot = replace(example("quadruped"), gravity=(1.0, -2.0, 3.5))
    assert [float(x) for x in bodies(robot).splitlines()[0].split()] == [1.0, -2.0, 3.5]
    model = mujoco.MjModel.from_xml_string(mjcf(robot))
    assert list(model.opt.gravity) == [1.0, -2.0, 3.5]
