"""Algorithms on plain floats against closed forms of small robots."""

import math

import pytest

from robcogen_ros.algorithms.functions.catalogue import functions
from robcogen_ros.algorithms.mechanics.factorization import inverse_from_ltl, ltdl, ltl, solve
from test.support.model_of import model_of

M1, M2, L1, L2, G = 2.0, 3.0, 0.7, 0.5, 9.81

DOUBLE_PENDULUM = f"""
<robot name="double_pendulum">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0 0 -{L1}"/><mass value="{M1}"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0 0 -{L2}"/><mass value="{M2}"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/>
    <axis xyz="0 -1 0"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/>
    <origin xyz="0 0 -{L1}"/><axis xyz="0 -1 0"/></joint>
</robot>
"""


@pytest.fixture(scope="module")
def robot():
    return model_of(DOUBLE_PENDULUM)


def call(robot, name, **values):
    function = functions(robot)[name]
    defaults = {"gravity": [0.0, 0.0, -G], "external_forces": [0.0] * 18}
    return function.compute(robot.map(float), {**defaults, **values})


def equation_of_motion(q, qd):
    """H and the bias forces of two point masses on massless rods, angles from the vertical."""
    c2, s2 = math.cos(q[1]), math.sin(q[1])
    h22 = M2 * L2**2
    h12 = h22 + M2 * L1 * L2 * c2
    h11 = M1 * L1**2 + M2 * (L1**2 + 2 * L1 * L2 * c2) + h22
    k = M2 * L1 * L2 * s2
    g2 = M2 * G * L2 * math.sin(q[0] + q[1])
    g1 = (M1 + M2) * G * L1 * math.sin(q[0]) + g2
    bias = [-k * qd[1] * (2 * qd[0] + qd[1]) + g1, k * qd[0] ** 2 + g2]
    return [[h11, h12], [h12, h22]], bias


STATES = [([0.3, -0.8], [1.1, -0.4]), ([2.0, 0.5], [-3.0, 2.0]), ([0.0, 0.0], [0.0, 0.0])]


@pytest.mark.parametrize(("q", "qd"), STATES)
def test_the_equation_of_motion_of_a_double_pendulum(robot, q, qd):
    H, bias = equation_of_motion(q, qd)
    qdd = [0.6, -1.3]
    tau = [
        sum(h * a for h, a in zip(row, qdd, strict=True)) + b
        for row, b in zip(H, bias, strict=True)
    ]
    matrix = call(robot, "inertia_matrix", q=q)["H"]
    assert matrix == pytest.approx([H[0][0], H[1][0], H[0][1], H[1][1]], abs=1e-14)
    assert call(robot, "inverse_dynamics", q=q, qd=qd, qdd=qdd)["tau"] == pytest.approx(tau)
    assert call(robot, "forward_dynamics", q=q, qd=qd, tau=tau)["qdd"] == pytest.approx(qdd)


def test_a_positive_angle_swings_towards_positive_x(robot):
    poses = call(robot, "kinematics", q=[math.pi / 2, 0.0])["poses"]
    elbow = poses[2 * 12 + 9 : 2 * 12 + 12]
    assert elbow == pytest.approx([L1, 0, 0], abs=1e-15)


def test_the_center_of_mass(robot):
    center = call(robot, "center_of_mass", q=[0.0, 0.0])["center"]
    assert center == pytest.approx([0, 0, -(M1 * L1 + M2 * (L1 + L2)) / (M1 + M2)])


def test_a_wrench_on_the_last_link_is_carried_by_both_joints(robot):
    """1 N along x at the elbow's link frame, hanging straight down, pushes the shoulder only."""
    forces = [0.0] * 18
    forces[15] = 1.0
    still = {"q": [0.0, 0.0], "qd": [0.0, 0.0], "qdd": [0.0, 0.0]}
    tau = call(robot, "inverse_dynamics", **still, external_forces=forces)["tau"]
    assert tau == pytest.approx([-L1, 0.0], abs=1e-14)


H = [[4.0, 1.0, 0, 0.5], [1.0, 3.0, 0.2, 0], [0, 0.2, 2.0, 0.1], [0.5, 0, 0.1, 1.5]]


def product(a, b):
    return [
        [sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)]
        for row in a
    ]


def transposed(a):
    return [list(column) for column in zip(*a, strict=True)]


def test_ltl_multiplies_back():
    L = ltl(H)
    for row, expected in zip(product(transposed(L), L), H, strict=True):
        assert row == pytest.approx(expected, abs=1e-15)


def test_ltdl_multiplies_back():
    L, inverse_D = ltdl(H)
    scaled = [[x / d for x in row] for row, d in zip(L, inverse_D, strict=True)]
    for row, expected in zip(product(transposed(L), scaled), H, strict=True):
        assert row == pytest.approx(expected, abs=1e-15)


def test_solving_and_inverting():
    b = [1.0, -2.0, 0.5, 3.0]
    x = solve(H, b)
    assert [sum(h * v for h, v in zip(row, x, strict=True)) for row in H] == pytest.approx(b)
    for i, row in enumerate(product(inverse_from_ltl(ltl(H)), H)):
        assert row == pytest.approx([float(i == j) for j in range(4)], abs=1e-14)
