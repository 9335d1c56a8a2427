import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("tf2_msgs", reason="tf2_msgs is not built")

from builtin_interfaces.msg import Duration
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from robcogen_ros.control.trajectory import Trajectory
from test.ros.harness import ARM, JOINTS

PAGE = Path(__file__).parents[2] / "docs" / "nodes.md"
START, GOAL, SECONDS = [0.2, 0.4, 0.01], [-0.6, 1.5, 0.03], 1.5
SPACE = "/closed_loop"


@pytest.fixture(scope="module")
def loop(probe, start):
    robot = start(
        "simulated_robot",
        SPACE,
        model_file=ARM,
        rate=250.0,
        initial_positions=START,
        publish_clock="true",
        lockstep="true",
    )
    control = start(
        "inverse_dynamics_controller",
        SPACE,
        model_file=ARM,
        autostart="true",
        kp=200.0,
        kd=28.0,
        use_sim_time="true",
    )
    return robot, control


def stamp(state):
    """Simulated time [s]."""
    return state.header.stamp.sec + 1e-9 * state.header.stamp.nanosec


def position(state):
    return np.array([state.position[state.name.index(name)] for name in JOINTS])


def test_the_robot_goes_where_it_is_asked_to(loop, probe):
    states = probe.listen(JointState, f"{SPACE}/joint_states", 1000)
    commands = probe.listen(JointState, f"{SPACE}/joint_commands")
    references = probe.node.create_publisher(
        JointTrajectory, f"{SPACE}/inverse_dynamics_controller/reference", 10
    )
    probe.until(lambda: states and commands and references.get_subscription_count() > 0)
    np.testing.assert_allclose(position(states[-1]), START, atol=1e-3)

    still = np.zeros((2, 3))
    begin = stamp(states[-1]) + 0.5
    whole, part = divmod(SECONDS, 1.0)
    goal = JointTrajectory(joint_names=JOINTS)
    goal.header.stamp.sec, goal.header.stamp.nanosec = int(begin), int(begin % 1.0 * 1e9)
    for time, place in (
        (Duration(), START),
        (Duration(sec=int(whole), nanosec=int(part * 1e9)), GOAL),
    ):
        goal.points.append(
            JointTrajectoryPoint(
                positions=place,
                velocities=[0.0] * 3,
                accelerations=[0.0] * 3,
                time_from_start=time,
            )
        )
    states.clear()
    references.publish(goal)
    probe.until(lambda: states and stamp(states[-1]) > begin + SECONDS + 0.5)
    np.testing.assert_allclose(position(states[-1]), GOAL, atol=5e-3)

    wanted = Trajectory.through((0.0, SECONDS), np.array([START, GOAL]), still, still)
    errors = [wanted.sample(stamp(s) - begin).position - position(s) for s in states]
    assert len(states) > 50
    assert np.abs(errors).max() < 0.05
    assert all(np.isfinite(s.effort).all() for s in states)


def test_what_replaces_the_ros2_command_does_so(loop, probe):
    (code,) = re.findall(r"```python arm.py\n(.*?)```", PAGE.read_text(), re.DOTALL)
    states = probe.listen(JointState, f"{SPACE}/joint_states")
    probe.until(lambda: states)
    goal = position(states[-1]) + np.array([0.3, 0.0, 0.0])
    words = [sys.executable, "-c", code, "--ros-args", "-r", f"__ns:={SPACE}"]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"kp: True\n{JOINTS} array('d', [")
    probe.until(lambda: np.allclose(position(states[-1]), goal, atol=5e-3))


@pytest.mark.parametrize("which", [0, 1])
def test_nodes_end_well(loop, which):
    code, said = loop[which].end()
    assert code == 0
    assert "Traceback" not in said
