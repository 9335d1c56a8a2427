"""The service of inverse kinematics, beside Pinocchio's forward kinematics."""

from __future__ import annotations

import numpy as np
import pinocchio
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("moveit_msgs.srv", reason="moveit_msgs is not installed")

import rclpy
from geometry_msgs.msg import Pose
from moveit_msgs.msg import JointConstraint
from moveit_msgs.srv import GetPositionIK
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter

from robcogen_ros.ros.inverse_kinematics import InverseKinematicsNode
from test.ros.controller_in_process import ros_context
from test.support.robots import robot_path

pytestmark = pytest.mark.slow
ARMS = {
    "ur": ("ur_description/urdf/ur5_robot.urdf", "base_link", "tool0"),
    "panda": ("panda_description/urdf/panda.urdf", "panda_link0", "panda_link8"),
}


@pytest.fixture(params=ARMS)
def service(request):
    file, base, tool = ARMS[request.param]
    text = robot_path(file).read_text()
    values = {"robot_description": text, "base_frame": base, "tool_frame": tool}
    with ros_context() as context:
        overrides = [Parameter(name, value=value) for name, value in values.items()]
        program = InverseKinematicsNode(context=context, parameter_overrides=overrides)
        yield Service(program, pinocchio.buildModelFromXML(text), context)
        program.node.destroy_node()


class Service:
    def __init__(self, program, model, context):
        self.program, self.model, self.context = program, model, context
        self.names = [name for name in model.names if name != "universe"]

    def place(self, q, frame):
        data = self.model.createData()
        pinocchio.framesForwardKinematics(self.model, data, q)
        return data.oMf[self.model.getFrameId(frame)]

    def request(self, place, seed=None):
        asked = GetPositionIK.Request()
        asked.ik_request.pose_stamped.pose = message(place)
        if seed is not None:
            asked.ik_request.robot_state.joint_state.name = self.names
            asked.ik_request.robot_state.joint_state.position = seed.tolist()
        return asked

    def answer(self, asked):
        return self.program.answer(asked, GetPositionIK.Response())

    def random(self, rng):
        low = np.maximum(self.model.lowerPositionLimit, -2.5)
        return rng.uniform(low, np.minimum(self.model.upperPositionLimit, 2.5))


def message(place):
    pose, turn = Pose(), pinocchio.Quaternion(place.rotation)
    pose.position.x, pose.position.y, pose.position.z = place.translation.tolist()
    pose.orientation.x, pose.orientation.y, pose.orientation.z, pose.orientation.w = turn.coeffs()
    return pose


def test_the_solution_nearest_to_the_state_is_returned(service):
    rng, program = np.random.default_rng(1), service.program
    for _ in range(20):
        q = service.random(rng)
        found = service.answer(service.request(service.place(q, program._tool), seed=q))
        assert found.error_code.val == found.error_code.SUCCESS
        assert list(found.solution.joint_state.name) == service.names
        np.testing.assert_allclose(found.solution.joint_state.position, q, atol=1e-6)


def test_a_pose_in_another_frame_without_a_state_is_answered_over_the_wire(service):
    q = service.random(np.random.default_rng(2))
    base, tool = service.program._base, service.program._tool
    elbow = service.program._robot.link_names[1]  # placed by the first joint, which stands at 0
    still = np.zeros(len(q))
    place = service.place(still, elbow).actInv(service.place(q, tool))
    asked = service.request(place)
    asked.ik_request.pose_stamped.header.frame_id = elbow
    asker = rclpy.create_node("asker", context=service.context)
    client = asker.create_client(GetPositionIK, "compute_ik")
    spinner = SingleThreadedExecutor(context=service.context)
    for node in (asker, service.program.node):
        spinner.add_node(node)
    future = client.call_async(asked)
    spinner.spin_until_future_complete(future, timeout_sec=20.0)
    found = future.result()
    asker.destroy_node()
    assert found.error_code.val == found.error_code.SUCCESS, base
    whole = np.zeros(len(q))
    state = found.solution.joint_state
    for name, position in zip(state.name, state.position, strict=True):
        whole[service.names.index(name)] = position
    there, wanted = service.place(whole, tool), service.place(q, tool)
    np.testing.assert_allclose(there.homogeneous, wanted.homogeneous, atol=1e-9)


def wrong_requests(asked):
    asked.avoid_collisions = True
    yield "COLLISION_CHECKING_UNAVAILABLE"
    asked.avoid_collisions = False
    asked.constraints.joint_constraints = [JointConstraint()]
    yield "INVALID_GOAL_CONSTRAINTS"
    asked.constraints.joint_constraints = []
    asked.ik_link_name = "nothing"
    yield "INVALID_LINK_NAME"
    asked.ik_link_name = ""
    asked.pose_stamped.header.frame_id = "nothing"
    yield "FRAME_TRANSFORM_FAILURE"
    asked.pose_stamped.header.frame_id = ""
    asked.robot_state.joint_state.name = ["nothing"]
    yield "INVALID_ROBOT_STATE"
    asked.robot_state.joint_state.name = []
    asked.pose_stamped.pose.position.x += 9.0
    yield "NO_IK_SOLUTION"
    asked.pose_stamped.pose.orientation.w = asked.pose_stamped.pose.orientation.x = 0.0
    yield "NO_IK_SOLUTION"


def test_what_cannot_be_answered_has_the_code_that_says_why(service):
    q = service.random(np.random.default_rng(3))
    asked = service.request(service.place(q, service.program._tool))
    for name in wrong_requests(asked.ik_request):
        code = service.answer(asked).error_code
        assert code.val == getattr(code, name), name
