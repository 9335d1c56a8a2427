import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.errors import RobcogenError

pytest.importorskip("rclpy", reason="rclpy is not installed")

import rclpy
from geometry_msgs.msg import WrenchStamped
from rclpy.parameter import Parameter
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from std_msgs.msg import Header

from robcogen_ros.nodes.ground_parameters import with_shapes
from robcogen_ros.ros import simulated_robot
from robcogen_ros.ros.messages.statistics import numbers_by_name
from robcogen_ros.ros.simulated_robot import SimulatedRobot
from robcogen_ros.standing.footing import Footing
from test.ros.controller_in_process import ros_context
from test.ros.harness import ARM, JOINTS, confine
from test.ros.overheard import Overheard
from test.support.examples import example, example_path

TWO_LEGS = Path(__file__).parents[1] / "control" / "two_legs.urdf"
HOME = [0.3, -0.5, 0.01]
RATE = 500.0


@pytest.fixture(scope="module")
def context():
    confine()
    with ros_context() as context:
        yield context


@pytest.fixture(scope="module")
def model():
    return robcogen_ros.build(ARM, backend="numpy")


@pytest.fixture
def start(context, monkeypatch):
    monkeypatch.setattr(rclpy, "create_node", Overheard)
    made = []

    def make(**parameters):
        values = {"robot_description": ARM.read_text(), "rate": RATE, **parameters}
        overrides = [Parameter(name, value=value) for name, value in values.items()]
        made.append(SimulatedRobot(context=context, parameter_overrides=overrides))
        return made[-1]

    yield make
    for robot in made:
        robot.node.destroy_node()


@pytest.fixture
def robot(start):
    """A robot at HOME, held by its brakes."""
    return start(initial_positions=HOME, publish_clock=True)


def run(robot, cycles):
    for _ in range(cycles):
        robot.cycle()
    return robot.node.said["joint_states"][-1]


def command(robot, names=JOINTS, **values):
    robot.node.hears["joint_commands"](serialize_message(JointState(name=names, **values)))


def push(robot, frame, force):
    message = WrenchStamped()
    message.header.frame_id = frame
    message.wrench.force.x, message.wrench.force.y, message.wrench.force.z = force
    robot.node.hears["~/wrench"](message)


def test_brakes_hold_it_until_it_is_commanded(robot):
    np.testing.assert_array_equal(run(robot, 5).position, HOME)
    command(robot, effort=[0.0] * 3)
    assert run(robot, 5).velocity[0] != 0.0


@pytest.mark.parametrize(
    ("factor", "punctual", "late", "told"),
    [
        (1.0, 400, 50, []),
        (1.0, 396, 52, ["late: 52 of 500 cycles"]),
        (1.0, 0, 750, ["late: 250 of 500 cycles"] * 3),
        (3.0, 0, 750, ["late: 750 of 1500 cycles"]),
    ],
)
def test_it_says_once_a_second_that_it_is_late(start, capfd, factor, punctual, late, told):
    robot = start(publish_clock=True, real_time_factor=factor)
    for elapsed in [2] * late + [1] * punctual:
        robot.cycle(elapsed)
    said = [line for line in capfd.readouterr().err.splitlines() if "late: " in line]
    assert len(said) == len(told)
    for line, words in zip(said, told, strict=True):
        assert words in line and "lockstep:=true" in line


def test_efforts_move_it_by_name(robot, model):
    weight = model.gravity_torques(HOME)
    command(robot, names=["elbow", "finger", "shoulder"], effort=weight[[1, 2, 0]].tolist())
    state = run(robot, 10)
    np.testing.assert_allclose(state.position, HOME, atol=1e-6)
    np.testing.assert_allclose(state.effort, weight)


def test_positions_move_it_too(robot):
    command(robot, position=[0.4, -0.4, 0.02])
    np.testing.assert_allclose(run(robot, 100).position, [0.4, -0.4, 0.02], atol=1e-3)


def test_it_goes_limp_without_commands(robot, model):
    command(robot, effort=model.gravity_torques(HOME).tolist())
    run(robot, 99)
    np.testing.assert_array_equal(run(robot, 4).effort, 0.0)


@pytest.mark.parametrize(
    "bad",
    [
        {"effort": [np.nan, 0.0, 0.0]},
        {"effort": [1.0]},
        {"position": [np.inf, 0.0, 0.0]},
        {"velocity": [0.0, 0.0, 0.0]},
        {},
    ],
)
def test_a_bad_command_changes_nothing(robot, bad):
    command(robot, **bad)
    np.testing.assert_array_equal(run(robot, 5).position, HOME)


def test_efforts_end_at_limits(robot):
    command(robot, effort=[1e3, -1e3, 0.0])
    np.testing.assert_array_equal(run(robot, 1).effort, [40.0, -15.0, 0.0])


def test_a_disturbance_pushes_it_and_ends(robot, model):
    command(robot, effort=model.gravity_torques(HOME).tolist())
    push(robot, "tool", (0.0, 3.0, 0.0))
    run(robot, 1)
    turned = model.transform("world", "tool", HOME)[:3, :3]
    torque = model.jacobian("world", "tool", HOME)[3:].T @ turned @ [0.0, 3.0, 0.0]
    wanted = np.linalg.solve(model.inertia_matrix(HOME), torque) / RATE
    np.testing.assert_allclose(run(robot, 0).velocity, wanted, atol=2e-3 * np.abs(wanted).max())
    assert robot._simulation.external_forces is not None
    robot.node.set_parameters([Parameter("wrench_timeout", value=0.01)])
    run(robot, 8)
    assert robot._simulation.external_forces is None


@pytest.mark.parametrize(("frame", "force"), [("wheel", (1, 0, 0)), ("tool", (np.nan, 0, 0))])
def test_a_disturbance_that_cannot_be_is_ignored(robot, frame, force):
    push(robot, frame, tuple(map(float, force)))
    run(robot, 2)
    assert robot._simulation.external_forces is None


def test_reset_puts_it_back_and_time_goes_on(robot):
    command(robot, effort=[5.0, 0.0, 0.0])
    run(robot, 20)
    assert robot.node.answers["~/reset"]().success
    state = run(robot, 5)
    np.testing.assert_array_equal(state.position, HOME)
    np.testing.assert_array_equal(state.velocity, 0.0)
    assert robot.time == pytest.approx(25 / RATE)


def test_pause_stops_time_and_motion(robot):
    command(robot, effort=[5.0, 0.0, 0.0])
    run(robot, 5)
    assert robot.node.answers["~/pause"](data=True).message == "paused"
    before = len(robot.node.said["joint_states"])
    run(robot, 50)
    assert len(robot.node.said["joint_states"]) == before
    assert robot.time == pytest.approx(5 / RATE)
    robot.node.answers["~/pause"](data=False)
    run(robot, 1)
    assert robot.time == pytest.approx(6 / RATE)


def test_it_is_the_source_of_time(robot):
    run(robot, 3)
    times = [m.clock.sec + m.clock.nanosec * 1e-9 for m in robot.node.said["/clock"]]
    np.testing.assert_allclose(times, np.arange(1, 4) / RATE)


class Rounds:
    """A node that is to run for some cycles."""

    def __init__(self, count):
        self._left = count

    def __bool__(self):
        self._left -= 1
        return self._left >= 0


@pytest.fixture
def spin(monkeypatch):
    """Lets a robot spin for some cycles; with `pause` [s] after each of them."""
    idle = SimpleNamespace(add_node=lambda node: None, spin_once=lambda timeout_sec: None)
    monkeypatch.setattr(rclpy.executors, "SingleThreadedExecutor", lambda: idle)

    def spun(robot, cycles, after=lambda: None):
        publish = type(robot)._publish
        monkeypatch.setattr(robot, "_publish", lambda: (publish(robot), after()))
        robot.spin(Rounds(cycles))

    return spun


@pytest.mark.parametrize("lockstep", [True, False])
def test_in_lockstep_no_cycle_is_missed_however_slow_the_machine_is(start, spin, lockstep):
    robot = start(lockstep=lockstep, publish_clock=True)
    spin(robot, 12, lambda: time.sleep(5 / RATE))
    values = numbers_by_name(robot.node.said["~/statistics"][-1])
    assert (values["missed"] == 0) == lockstep


def test_in_lockstep_states_are_told_again_until_efforts_answer_them(
    start, spin, monkeypatch, capfd
):
    monkeypatch.setattr(simulated_robot, "AGAIN", 0.001)
    monkeypatch.setattr(simulated_robot, "ANSWER", 0.005)
    robot = start(lockstep=True, publish_clock=True, command_timeout=1.0)
    silent = 0

    def answer():
        nonlocal silent
        silent -= 1
        if silent < 0:
            header = Header(stamp=robot.node.said["/clock"][-1].clock)
            command(robot, header=header, effort=[1.0, 0.0, 0.0])

    def cycles(count):
        """Cycle that each of the next states told, and their positions."""
        spin(robot, count, answer)
        times = [m.clock.sec + 1e-9 * m.clock.nanosec for m in robot.node.said["/clock"][-count:]]
        places = [state.position for state in robot.node.said["joint_states"][-count:]]
        return [round(RATE * time) for time in times], places

    assert cycles(3)[0] == [1, 2, 3]
    silent = 3  # of the next state and of two more times that it is told
    told, places = cycles(6)
    assert told == [4, 4, 4, 4, 5, 6]
    assert np.ptp(places[:4], axis=0).max() == 0.0
    assert "lockstep" not in capfd.readouterr().err
    silent = 100  # as if the controller had ended: after `ANSWER`, time goes on
    assert cycles(8)[0] == [7, 7, 7, 7, 7, 8, 9, 10]
    assert capfd.readouterr().err.count("no efforts with the stamp of the last joint states") == 1


def test_another_pace_needs_its_own_clock(start):
    with pytest.raises(RobcogenError, match="publish_clock"):
        start(real_time_factor=5.0)


def test_a_value_beyond_its_range_is_told(start):
    with pytest.raises(ValueError, match="rate: expected 1 to 10000"):
        start(rate=-1.0)


def test_friction_and_gravity_may_be_set(start):
    floating = start(gravity=[0.0] * 3, joint_friction=0.0, hold_until_commanded=False)
    np.testing.assert_allclose(run(floating, 20).position, 0.0, atol=1e-12)
    stuck = start(joint_friction=[50.0, 50.0, 50.0], hold_until_commanded=False)
    np.testing.assert_allclose(run(stuck, 20).position, 0.0, atol=1e-9)


def test_a_floating_base_falls_as_its_pose_tells(start):
    robot = start(
        robot_description=TWO_LEGS.read_text(),
        floating_base=True,
        initial_base_position=[0.0, 0.0, 2.0],
        initial_base_orientation=[0.0, 0.0, np.pi / 2],
        hold_until_commanded=False,
    )
    assert not robot.node.said["joint_states"]
    run(robot, 50)
    pose, twist = (robot.node.said[topic][-1] for topic in ("~/base_pose", "~/base_twist"))
    assert pose.header.frame_id == "world"
    assert pose.pose.position.z == pytest.approx(2 - 9.81 / 2 * 0.1**2, abs=1e-9)
    assert pose.pose.orientation.z == pytest.approx(np.sqrt(0.5), abs=1e-9)
    assert twist.twist.linear.z == pytest.approx(-0.981, abs=1e-9)


@pytest.fixture
def quadruped(start):
    """Starts a quadruped of a file, whose feet are found."""

    def make(**parameters):
        return start(
            robot_description="",
            model_file=str(example_path("quadruped")),
            rate=250.0,
            **parameters,
        )

    return make


LEGS = ("LF", "RF", "LH", "RH")


def forces(robot):
    """Of the ground on the feet in base coordinates (feet, 3), as they were told last."""
    poses = robot._robot.frame_poses(robot._simulation.q)
    index, rows = robot._robot.frame_names.index, []
    for leg in LEGS:
        message = robot.node.said[f"contacts/{leg}_foot"][-1]
        assert message.header.frame_id == f"{leg}_foot"
        force = message.wrench.force
        rows.append(poses[index(f"{leg}_foot"), :3, :3] @ [force.x, force.y, force.z])
    return np.array(rows)


@pytest.mark.slow
def test_a_quadruped_stands_on_feet_that_are_found(quadruped):
    robot = quadruped()
    run(robot, 5)
    odometry = robot.node.said["odom"][-1]
    assert (odometry.header.frame_id, odometry.child_frame_id) == ("world", "trunk")
    start = odometry.pose.pose.position.z
    assert 0.4 < start < 0.6
    names, q = list(robot._robot.joint_names), robot.node.said["joint_states"][-1].position
    for _ in range(250):
        command(robot, names, position=q)
        run(robot, 1)
    weight = robot._robot.total_mass() * 9.81
    np.testing.assert_allclose(forces(robot).sum(axis=0), [0, 0, weight], atol=0.02 * weight)
    assert robot.node.said["odom"][-1].pose.pose.position.z == pytest.approx(start, abs=2e-3)


@pytest.mark.slow
def test_a_quadruped_that_is_dropped_hits_the_ground_and_is_back_after_a_reset(quadruped):
    robot = quadruped(
        start="placed", initial_base_position=[0.0, 0.0, 1.0], hold_until_commanded=False
    )
    run(robot, int(250 * np.sqrt(2 * (1.0 - 0.68) / 9.81)) - 1)
    assert not forces(robot).any()
    falling = robot.node.said["odom"][-1].twist.twist.linear.z
    assert falling == pytest.approx(-9.81 * robot.time, abs=1e-6)
    run(robot, 5)
    assert forces(robot)[:, 2].sum() > 0
    assert robot.node.answers["~/reset"]().success
    run(robot, 1)
    assert robot.node.said["odom"][-1].pose.pose.position.z == pytest.approx(1.0, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"contacts": ["no_foot"]}, "no_foot"),
        ({"start": "placed"}, "below"),
        ({"initial_positions": [3.0] * 12, "stops": False}, "stands|limits"),
        ({"plane_normal": [0.0, 0.0, 0.0]}, "plane_normal"),
    ],
)
def test_what_is_wrong_with_a_start_on_the_ground_is_told(quadruped, wrong, message):
    with pytest.raises(RobcogenError, match=message):
        quadruped(**wrong)


@pytest.mark.parametrize(
    ("soles", "message"), [([0.0] * 5, "LF_foot:pose.*soles"), ([1.0] * 5, "least values")]
)
def test_soles_that_are_none_are_told(soles, message):
    robot = example("quadruped", floating_base=True, contacts=["LF_foot:pose"])
    footing = Footing(robot.contacts, "")
    values = {"soles": soles, "foot_radius": -1.0}
    with pytest.raises(RobcogenError, match=message):
        with_shapes(SimpleNamespace(contact_records=robot.contacts), footing, values)
