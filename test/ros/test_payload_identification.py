"""The node that finds what an arm carries, beside bodies that Pinocchio moves."""

import numpy as np
import pinocchio
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("sensor_msgs", reason="sensor_msgs is not built")

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState

from robcogen_ros.ros.payload_identification import STEP, PayloadIdentificationNode
from test.ros.controller_in_process import ros_context
from test.support.recordings import sines
from test.support.robots import robot_path

UR5 = robot_path("ur_description/urdf/ur5_robot.urdf")
CENTER, TENSOR = np.array([0.03, -0.02, 0.08]), np.diag([0.004, 0.005, 0.003])
FIRST = 0.3


class Carrying:
    """The node, and a controller that has the parameters of a payload."""

    def __init__(self, context, **parameters):
        self.controller = rclpy.create_node("arm", context=context)
        own = {"payload_mass": FIRST, "payload_com": [0.0] * 3, "payload_inertia": [0.0] * 6}
        for name, value in own.items():
            self.controller.declare_parameter(name, value)
        values = {"robot_description": UR5.read_text(), "frame": "tool0", "controller": "arm"}
        values |= {"window": 4.0, **parameters}
        overrides = [Parameter(name, value=value) for name, value in values.items()]
        self.program = PayloadIdentificationNode(context=context, parameter_overrides=overrides)
        for timer in list(self.program.node.timers):
            self.program.node.destroy_timer(timer)  # the test is the clock
        self._executor = SingleThreadedExecutor(context=context)
        for node in (self.program.node, self.controller):
            self._executor.add_node(node)
        self._masses = []

    def close(self):
        for node in (self.program.node, self.controller):
            node.destroy_node()

    def payload(self):
        rows = self.controller.get_parameters(["payload_mass", "payload_com", "payload_inertia"])
        return [row.value for row in rows]

    def tell(self, steps):
        """Lets the node set parameters so many times; the masses that the controller had."""
        masses = []
        for _ in range(steps):
            self.program._tell()
            for _ in range(200):
                if self.program._asked is None:
                    break
                self._executor.spin_once(timeout_sec=0.05)
            masses.append(self.payload()[0])
        return masses

    def move(self, mass, begin, motion, noise=0.05, estimates=2):
        """Publishes a motion of the arm with a body at its tool."""
        arm = pinocchio.buildModelFromUrdf(str(UR5))
        tool = arm.frames[arm.getFrameId("tool0")]
        body = pinocchio.Inertia(mass, CENTER, TENSOR)
        arm.appendBodyToJoint(tool.parentJoint, body, tool.placement)
        data, random = arm.createData(), np.random.default_rng(1)
        for time, *row in zip(motion.time, motion.q, motion.qd, motion.qdd, strict=True):
            tau = pinocchio.rnea(arm, data, *row) + noise * random.normal(size=6)
            state = JointState(name=list(arm.names)[1:], position=row[0], velocity=row[1])
            state.effort = tau
            stamp = round((begin + float(time)) * 1e9)
            state.header.stamp.sec, state.header.stamp.nanosec = divmod(stamp, 10**9)
            self.program._on_state(serialize_message(state))
        for _ in range(estimates):
            self.program._estimate()


@pytest.fixture
def carrying():
    with ros_context() as context:
        made = Carrying(context)
        for _ in range(100):  # until the controller is found
            made.tell(1)
            if made.program._controller:
                break
        assert made.program._controller
        yield made
        made.close()


def test_a_controller_is_told_of_a_payload_at_a_bounded_rate_from_its_own_on(carrying):
    motion = sines(6, 400, 0.01)
    assert carrying.tell(3) == [FIRST] * 3  # until something is known, its own
    carrying.move(1.0, 10.0, motion)
    masses = [FIRST, *carrying.tell(20)]
    assert 0 < np.diff(masses).max() <= 0.5 * STEP + 1e-9
    mass, center, tensor = carrying.payload()
    assert abs(mass - 1.0) < 0.02
    np.testing.assert_allclose(center, CENTER, atol=4e-3)
    np.testing.assert_allclose(tensor[::3][:1], TENSOR[0, 0], atol=4e-3)
    carrying.move(1.02, 20.0, motion)  # less than mass_change
    assert carrying.tell(3) == [mass] * 3
    carrying.move(0.0, 30.0, motion)
    assert carrying.tell(25)[-1] == 0.0
    carrying.move(2.0, 35.0, motion, estimates=1)  # found once alone, as where states come late
    carrying.move(0.0, 38.0, motion, estimates=1)
    assert carrying.tell(3) == [0.0] * 3
    carrying.move(11.0, 40.0, motion)  # more than max_mass
    assert carrying.tell(3) == [0.0] * 3
    still = motion.rows(np.zeros(400, dtype=int))
    still.time[:] = motion.time
    carrying.move(1.0, 50.0, still)  # a pose tells too little
    assert carrying.tell(3) == [0.0] * 3
