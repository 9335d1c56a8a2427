"""What `robcogen view` tells of a robot, beside Pinocchio and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robcogen_ros.errors import RobcogenError
from robcogen_ros.standing.statics import nonnegative, vertical_forces
from robcogen_ros.view.camera import fitted, outline
from robcogen_ros.view.ellipsoids import inertia_ellipsoid, manipulability
from test.support.robots import robot_path, robots_directory
from test.view import seen

pinocchio = pytest.importorskip("pinocchio", reason="Pinocchio is not installed")
optimize = pytest.importorskip("scipy.optimize", reason="SciPy is not installed")
needs_robots = pytest.mark.skipif(robots_directory() is None, reason="no example-robot-data")

HYQ = "hyq_description/robots/hyq_no_sensors.urdf"
TALOS = "talos_data/robots/talos_full_v2.urdf"
PANDA = "panda_description/urdf/panda.urdf"
UR5 = "ur_description/urdf/ur5_robot.urdf"


@needs_robots
@pytest.mark.parametrize("name", [PANDA, UR5])
def test_efforts_of_an_arm_are_those_of_pinocchio(name):
    from test.support.pinocchio_oracle import PinocchioOracle

    model, oracle = seen.robot(name), PinocchioOracle(robot_path(name))
    q = model.posture("middle", {model.robot.joint_names[1]: 0.4})
    zero = np.zeros(oracle.n)
    assert oracle.joint_names == model.robot.joint_names
    wanted = oracle.inverse_dynamics(q, zero, zero)
    np.testing.assert_allclose(model.statics.at(q).efforts, wanted, atol=1e-10)


@needs_robots
@pytest.mark.parametrize("name", [HYQ, TALOS])
def test_efforts_and_forces_of_a_robot_on_legs_balance_in_pinocchio(name):
    """Joint efforts and the ground's forces together are what gravity asks for, base and joints."""
    from test.support.pinocchio_oracle import PinocchioOracle

    model = seen.robot(name)
    oracle = PinocchioOracle(robot_path(name), floating=True)
    state = model.statics.at(model.posture("standing", {}))
    assert state.balanced and len(state.forces) == len(model.footing.contacts)
    weight = 9.81 * model.robot.total_mass()
    np.testing.assert_allclose(state.forces.sum(axis=0), [0, 0, weight], rtol=1e-6)
    zero = np.zeros(oracle.n + 6)
    held = oracle.inverse_dynamics(state.q, zero, zero)
    for contact, point, force in zip(
        model.footing.contacts, state.points, state.forces, strict=True
    ):
        foot = contact.frame_name
        arm = point - state.frames[model.tree.frame_index(foot), :3, 3]
        wrench = np.concatenate([np.cross(arm, force), force])
        held -= oracle_jacobian(oracle, foot, state.q).T @ wrench
    np.testing.assert_allclose(held[:6], 0, atol=1e-3)
    order = [oracle.joint_names.index(joint) for joint in model.robot.joint_names]
    np.testing.assert_allclose(state.efforts, held[6:][order], atol=1e-3)


def oracle_jacobian(oracle, frame, q):
    """Of a frame's origin in axes of the level base, angular first; the base's columns first."""
    model = oracle.model
    data = model.createData()
    pinocchio.computeJointJacobians(model, data, oracle.configuration(q))
    pinocchio.updateFramePlacements(model, data)
    axes = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED
    J = pinocchio.getFrameJacobian(model, data, model.getFrameId(frame), axes)
    return (J @ oracle.velocity_map)[[3, 4, 5, 0, 1, 2]]


@needs_robots
def test_manipulability_is_that_of_pinocchios_jacobian():
    model = seen.robot(PANDA)
    q = model.posture("middle", {"panda_joint2": 0.3})
    found = manipulability(model.robot, "panda_hand", q)
    reference = pinocchio.buildModelFromUrdf(str(robot_path(PANDA)))
    data = reference.createData()
    J = pinocchio.computeFrameJacobian(
        reference,
        data,
        np.append(q, q[-1]),
        reference.getFrameId("panda_hand"),
        pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED,
    )[:3]
    square = (found.rotation * found.axes**2) @ found.rotation.T
    np.testing.assert_allclose(square, J @ J.T, atol=1e-12)
    np.testing.assert_allclose(found.measure, np.sqrt(np.linalg.det(J @ J.T)))


axes = st.tuples(*[st.floats(0.02, 2.0)] * 3)


@given(axes, st.floats(0.1, 50.0), st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_an_ellipsoid_has_the_inertia_that_it_is_drawn_for(half, mass, seed):
    solid = pinocchio.Inertia.FromEllipsoid(mass, *half)
    turn = pinocchio.exp3(np.random.default_rng(seed).normal(size=3))
    found = inertia_ellipsoid("body", mass, np.zeros(3), turn @ solid.inertia @ turn.T)
    assert not found.breach
    np.testing.assert_allclose(np.sort(found.axes), np.sort(half), rtol=1e-6)
    np.testing.assert_allclose(np.linalg.det(found.rotation), 1.0, rtol=1e-9)
    drawn = pinocchio.Inertia.FromEllipsoid(mass, *found.axes).inertia
    turned = found.rotation @ drawn @ found.rotation.T
    np.testing.assert_allclose(turned, turn @ solid.inertia @ turn.T, atol=1e-6 * mass)


@pytest.mark.parametrize("moments", [(1, 1, 3), (-0.1, 1, 1)])
def test_what_no_body_can_be_is_told(moments):
    found = inertia_ellipsoid("body", 2.0, np.zeros(3), np.diag(np.array(moments, float)))
    assert found.breach and (found.axes > 0).all()
    assert "negative" in inertia_ellipsoid("body", -1.0, np.zeros(3), np.eye(3)).breach


@given(st.integers(1, 8), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_weight_is_shared_as_scipy_shares_it(count, seed):
    random = np.random.default_rng(seed)
    A, b = random.normal(size=(count + 3, count)), random.normal(size=count + 3)
    np.testing.assert_allclose(nonnegative(A, b), optimize.nnls(A, b)[0], atol=1e-9)


def test_three_feet_share_the_weight_by_areas():
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0.2]])
    shares = np.array([0.2, 0.5, 0.3])
    found = vertical_forces(points, shares @ points, 100.0)
    np.testing.assert_allclose(found, 100 * shares, rtol=1e-6)
    assert vertical_forces(points, np.array([0.6, 0.6, 0]), 100.0) is None
    assert vertical_forces(np.zeros((0, 3)), np.zeros(3), 100.0) is None


@needs_robots
def test_a_robot_that_would_fall_is_held_by_its_base():
    model = seen.robot(HYQ)
    state = model.statics.at(
        model.posture("standing", {"rf_kfe_joint": -0.4, "lf_kfe_joint": -0.4})
    )
    assert not state.balanced and not len(state.forces)
    held, _ = model.robot.gravity_torques(state.q, [0, 0, -9.81])
    np.testing.assert_array_equal(state.efforts, held)


def test_a_robot_without_mass_has_its_base_for_a_center(tmp_path):
    text = '<robot name="bare"><link name="base"/><link name="arm"/>{}</robot>'
    limits = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
    joint = seen.JOINT.format(name="a", kind="revolute", parent="base", child="arm", more=limits)
    path = tmp_path / "bare.urdf"
    path.write_text(text.format(joint))
    state = seen.of_file(path).statics.at(np.array([0.3]))
    np.testing.assert_array_equal(state.center, np.zeros(3))
    np.testing.assert_array_equal(state.efforts, [0.0])


@needs_robots
def test_postures():
    model = seen.robot(PANDA)
    lower, upper = model.robot.lower_limits, model.robot.upper_limits
    q = model.posture("zero", {"panda_joint1": 0.5})
    assert q[0] == 0.5 and ((q >= lower) & (q <= upper)).all()
    np.testing.assert_allclose(model.posture("middle", {})[1], (lower[1] + upper[1]) / 2)
    with pytest.raises(RobcogenError, match="no joint 'elbow'"):
        model.posture("zero", {"elbow": 1.0})


@needs_robots
@pytest.mark.parametrize("aspect", [0.5, 1.0, 2.0])
def test_the_camera_sees_the_whole_robot_and_fills_the_picture(aspect):
    model = seen.robot(HYQ)
    points = outline(model, model.statics.at(model.posture("standing", {})))
    camera = fitted(points, aspect)
    seen_at = (points - camera.position) @ camera.rotation
    slopes = seen_at[:, :2] / seen_at[:, 2:] / np.tan(camera.opening / 2) / [aspect, 1.0]
    assert (seen_at[:, 2] > 0).all() and np.abs(slopes).max() < 1.0
    assert max(np.ptp(slopes, axis=0)) > 1.6
