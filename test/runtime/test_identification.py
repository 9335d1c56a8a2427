"""Base parameters are those of the literature."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from test.support.random_robots import arm_with_everything
from test.support.robots import robot_path

LINK = """<link name="{0}"><inertial><origin xyz="0.2 0.01 0.03"/><mass value="2"/>
  <inertia ixx="0.05" ixy="0.001" ixz="0" iyy="0.04" iyz="0.002" izz="0.03"/></inertial></link>"""
JOINT = """<joint name="j{1}" type="revolute"><parent link="{0}"/><child link="{1}"/>
  <origin xyz="0.5 0 0"/><axis xyz="0 1 0"/>
  <limit effort="1" velocity="1" lower="-1" upper="1"/></joint>"""


def arm(tmp_path, *links: str):
    joints = [JOINT.format(*pair) for pair in pairwise(links)]
    path = tmp_path / "arm.urdf"
    path.write_text(f'<robot name="r">{"".join(map(LINK.format, links))}{"".join(joints)}</robot>')
    return robcogen_ros.build(path, backend="numpy")


def test_a_planar_arm_tells_six_combinations(tmp_path):
    """Two links that turn about y, gravity in their plane (Khalil, Dombre 2002, section 9.4.2)."""
    robot = arm(tmp_path, "base", "a", "b")
    base = robot.base_parameters()
    assert base.described == (
        "a.mcx + 0.5 b.m",
        "a.mcz",
        "a.iyy + 0.25 b.m",
        "b.mcx",
        "b.mcz",
        "b.iyy",
    )
    m, x, z = 2.0, 0.2, 0.03
    iyy = 0.04 + m * (x * x + z * z)
    expected = [m * x + 0.5 * m, m * z, iyy + 0.25 * m, m * x, m * z, iyy]
    assert base.values(robot.inertial_parameters()) == pytest.approx(np.array(expected))


def test_a_linkage_tells_what_moves_its_forces_where_it_closes(tmp_path):
    """Its loops close at a fraction of random positions; states at others are left out."""
    examples = Path(__file__).parents[2] / "examples" / "linkages"
    functions = ["inverse_dynamics", "inverse_dynamics_regressor", "inertial_parameters"]
    files = {"loops": examples / "leg.yaml", "backend": "numpy"}
    robot = robcogen_ros.build(examples / "leg.urdf", functions=functions, **files)
    base = robot.base_parameters()
    assert base.count > 6
    states = np.random.default_rng(4).uniform(-0.1, 0.1, (3, 5, 2))
    Y = base.regressor(robot.inverse_dynamics_regressor(*states))
    tau = np.einsum("mij,j->mi", Y, base.values(robot.inertial_parameters()))
    assert tau == pytest.approx(robot.inverse_dynamics(*states), rel=1e-8)


def test_a_robot_without_joints_tells_nothing(tmp_path):
    base = arm(tmp_path, "base").base_parameters()
    assert (base.count, base.described) == (0, ())


def test_a_robot_without_the_regressor_says_so():
    robot = arm_with_everything().build(functions=["default"])
    with pytest.raises(robcogen_ros.RobcogenError, match="without inverse_dynamics_regressor"):
        robot.base_parameters()


@pytest.mark.parametrize(
    ("gravity", "count"), [(None, 36), ((0, 0, -9.81), 36), ((9.81, 0, 0), 38), ((0, 0, 0), 34)]
)
def test_a_robot_that_hangs_on_a_wall_tells_more(gravity, count):
    """As many as the regressors of Pinocchio have independent columns, under that gravity."""
    oracle = pytest.importorskip("pinocchio")
    path = robot_path("ur_description/urdf/ur5_robot.urdf")
    robot = robcogen_ros.build(path, backend="numpy", functions=["derivatives"])
    base = robot.base_parameters(gravity=gravity)
    model = oracle.buildModelFromUrdf(str(path))
    model.gravity.linear = np.array((0, 0, -9.81) if gravity is None else gravity, dtype=float)
    data, random = model.createData(), np.random.default_rng(5)
    states = random.normal(size=(60, 3, robot.n))
    rows = [oracle.computeJointTorqueRegressor(model, data, *state) for state in states]
    assert base.count == np.linalg.matrix_rank(np.vstack(rows), tol=1e-8) == count
    q, qd, qdd = random.normal(size=(3, 20, robot.n))
    more = {} if gravity is None else {"gravity": gravity}
    Y = robot.inverse_dynamics_regressor(q, qd, qdd, **more)
    whole = Y @ robot.inertial_parameters().ravel()
    found = base.regressor(Y) @ base.values(robot.inertial_parameters())
    np.testing.assert_allclose(found, whole, atol=1e-9)


def test_parameters_of_many_positions_are_those_of_one():
    robot = arm_with_everything().build(functions=["default", "derivatives"])
    q = np.random.default_rng(0).normal(size=(4, 2, robot.n))
    mass = robot.total_mass()
    assert isinstance(mass, float)
    np.testing.assert_array_equal(robot.total_mass(q), np.full((4, 2), mass))
    parameters = robot.inertial_parameters()
    assert parameters[:, 0].sum() <= mass
    np.testing.assert_array_equal(robot.inertial_parameters(q)[3, 1], parameters)
    base = robot.base_parameters()
    values = base.values(robot.inertial_parameters(q))
    np.testing.assert_allclose(values[3, 1], base.values(parameters))
