"""An ankle of two rods whose motors are told and commanded, as nodes."""

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("tf2_msgs", reason="tf2_msgs is not built")

from builtin_interfaces.msg import Duration
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from robcogen_ros.runtime.build import build
from test.support.examples import EXAMPLES

pytestmark = pytest.mark.slow

SPACE, FOLDER = "/ankle", EXAMPLES / "linkages"
MOTORS, GOAL = ["left_motor", "right_motor"], [-0.15, 0.1]
ROBOT = {
    "model_file": FOLDER / "ankle.urdf",
    "loops": FOLDER / "ankle.yaml",
    "actuated": f"[{','.join(MOTORS)}]",
    "space": "motor",
}


def test_an_ankle_goes_where_it_is_asked_to_by_its_motors(probe, start):
    timed = {"rate": 250.0, "publish_clock": "true", "lockstep": "true"}
    start("simulated_robot", SPACE, **ROBOT, **timed)
    law = {"autostart": "true", "kp": 400.0, "kd": 40.0, "use_sim_time": "true"}
    start("inverse_dynamics_controller", SPACE, **ROBOT, **law)
    states = probe.listen(JointState, f"{SPACE}/joint_states", 1000)
    commands = probe.listen(JointState, f"{SPACE}/joint_commands")
    topic = f"{SPACE}/inverse_dynamics_controller/reference"
    references = probe.node.create_publisher(JointTrajectory, topic, 10)
    probe.until(lambda: states and commands and references.get_subscription_count() > 0)
    assert states[-1].name == commands[-1].name == MOTORS

    goal = JointTrajectory(joint_names=["pitch", "roll"])
    goal.points.append(JointTrajectoryPoint(positions=GOAL, time_from_start=Duration(sec=1)))
    references.publish(goal)
    files = {"loops": ROBOT["loops"], "actuated": MOTORS, "backend": "numpy"}
    ankle = build(FOLDER / "ankle.urdf", functions=["transmission", "gravity_torques"], **files)
    positions, _, inverse = ankle.transmission(np.array(GOAL))
    probe.until(lambda: np.abs(positions - states[-1].position).max() < 1e-4)
    probe.until(lambda: np.abs(states[-1].velocity).max() < 1e-4)
    weight = inverse.T @ ankle.gravity_torques(np.array(GOAL))
    np.testing.assert_allclose(commands[-1].effort, weight, atol=2e-2)
