"""What the node commands after faults: the table of docs/inverse_dynamics_controller.md."""

from types import SimpleNamespace

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.parameters.table import table

pytest.importorskip("rclpy", reason="rclpy is not installed")

from test.ros.controller_in_process import (
    HOME,
    REST,
    ControllerInProcess,
    assert_effort,
    held,
    near,
    ros_context,
)
from test.ros.harness import ARM, JOINTS, confine
from test.support.examples import EXAMPLES
from test.support.fault_table import fault, held_lines, table_lines

pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")

PAGE = EXAMPLES.parent / "docs" / "inverse_dynamics_controller.md"
LIMITS = np.array([40.0, 15.0, 30.0])
NAN = float("nan")


@pytest.fixture(scope="module")
def context():
    confine()
    with ros_context() as context:
        yield context


@pytest.fixture(scope="module")
def robot():
    return robcogen_ros.build(ARM, backend="numpy")


@pytest.fixture
def start(context):
    made = []

    def make(**parameters):
        made.append(ControllerInProcess(context, **parameters))
        return made[-1]

    yield make
    for controller in made:
        controller.close()


@pytest.fixture(scope="module")
def shared(context):
    controller = ControllerInProcess(context)
    yield controller
    controller.close()


@pytest.fixture
def running(shared):
    """A controller that holds the robot at HOME."""
    shared.restart()
    shared.state(HOME)
    return shared


def test_each_line_of_the_page_is_held_by_a_test():
    assert held_lines(globals()) == table_lines(PAGE, "| fault | what is commanded next |")


@fault("no joint states yet; a joint that no state names")
def test_no_states_no_command(start):
    assert start().wait(1.0) is None


@fault("no joint states yet; a joint that no state names")
def test_a_joint_that_is_never_heard_of_means_no_command(start):
    controller = start()
    assert controller.state(HOME[:2], REST[:2], JOINTS[:2]) is None
    assert controller.wait(0.5) is None


@fault("joint states stop")
def test_states_that_stop_leave_gravity_support(running, robot):
    running.state(near(0.1, 0.0, 0.0), [1.0, 2.0, 0.1])
    assert running.wait(0.08) is None
    assert_effort(running.wait(0.1), robot.gravity_torques(near(0.1, 0.0, 0.0)))


@fault("joint states stop")
def test_states_that_stop_leave_nothing_where_that_is_asked_for(start):
    controller = start(failure_effort="zero")
    controller.state(HOME)
    assert_effort(controller.wait(0.3), REST)


@fault("states come back after a loss")
def test_states_that_come_back_are_held_where_they_are(running, robot):
    running.reference((1.0, near(0.5, 0.5, 0.0)))
    running.wait(0.3)
    found = near(0.1, -0.1, 0.0)
    assert_effort(running.state(found, [0.2, 0.0, 0.0]), held(robot, found, [0.2, 0, 0], at=found))
    for _ in range(20):
        command = running.state(found, after=0.06)
    assert_effort(command, held(robot, found, at=found))


def test_efforts_come_up_slowly_at_activation(start, robot):
    controller = start(activation_time=0.5)
    weight, whole = robot.gravity_torques(HOME), held(robot, HOME, [0.5, 0, 0])
    assert_effort(controller.state(HOME, [0.5, 0, 0]), weight)
    assert_effort(controller.state(HOME, [0.5, 0, 0]), weight + 0.02 * (whole - weight))


@fault("one joint's states stop")
def test_one_joint_that_stops_is_a_loss(running, robot):
    for _ in range(20):
        last = running.state(HOME[:2], REST[:2], JOINTS[:2])
    assert last is None
    assert_effort(running.wait(0.2), robot.gravity_torques(HOME))


@fault(
    "a position that is NaN or infinite",
    "a velocity that is NaN, of a joint that had one since activation",
    "fewer positions or velocities than names",
)
@pytest.mark.parametrize(
    ("position", "velocity"),
    [
        ([NAN, 0, 0], REST),
        ([0, np.inf, 0], REST),
        (HOME, [0, NAN, 0]),
        (HOME[:2], REST),
        (HOME, REST[:1]),
    ],
    ids=["nan", "infinite", "velocity nan", "too few positions", "too few velocities"],
)
def test_a_bad_state_is_no_state(running, robot, position, velocity):
    assert running.state(position, velocity) is None
    for _ in range(9):
        running.state(position, velocity)
    assert_effort(running.wait(0.1), robot.gravity_torques(HOME))
    assert_effort(running.state(HOME), held(robot, HOME))


@fault("velocities that are NaN from activation on, of some joints or all")
@pytest.mark.parametrize("known", [[], [0], [0, 2]])
def test_velocities_that_are_never_told_are_estimated(shared, robot, known):
    shared.restart()
    velocity = np.array([0.5, -0.4, 0.02])
    told = np.full(3, NAN)
    told[known] = velocity[known]
    for step in range(60):
        q = near(*(0.01 * step * velocity))
        command = shared.state(q, told)
    assert_effort(command, held(robot, q, velocity))


@fault("velocities that are NaN from activation on, of some joints or all")
def test_gravity_needs_no_velocities(start, robot):
    controller = start(mode="gravity")
    for _ in range(20):
        assert_effort(controller.state(HOME, [NAN] * 3), robot.gravity_torques(HOME))


@fault("names in another order, among those of other robots")
def test_names_in_another_order_among_strangers_change_nothing(running, robot):
    q, qd = near(0.1, 0.2, -0.005), np.array([0.1, -0.2, 0.01])
    names = ["wheel", JOINTS[2], JOINTS[0], JOINTS[1]]
    command = running.state([9.0, *q[[2, 0, 1]]], [9.0, *qd[[2, 0, 1]]], names)
    assert_effort(command, held(robot, q, qd))


@fault("an absurd reading, 1e6 rad off at 1e9 rad/s")
def test_a_mad_reading_stays_within_limits(running):
    command = running.state(near(1e6, 0, 0), [1e9, -1e9, 0])
    assert (np.abs(command.effort) <= LIMITS).all()


FINE = near(0.1, 0.1, 0.0)


@fault(
    "a reference with numbers that are not finite",
    "a reference for an unknown joint, or that leaves joints out",
    "a reference with too few positions, without points, with times that do not increase",
    "a reference beyond a position limit, at a point or between points",
    "a motion in the past, a set point more than 1 s old",
)
@pytest.mark.parametrize(
    "message",
    [
        {"points": [(0.5, [NAN, 0, 0])]},
        {"points": [(0.5, FINE, [np.inf, 0, 0])]},
        {"points": [(0.5, FINE)], "names": ["shoulder", "elbow", "wheel"]},
        {"points": [(0.5, FINE[:1])], "names": ["shoulder"]},
        {"points": [(0.5, FINE[:2])]},
        {"points": [(0.5, [5.0, 0, 0])]},
        {"points": [(0.5, FINE), (0.5, HOME)]},
        {"points": []},
        {"points": [(0.5, FINE, [-50.0, 0, 0])]},
        {"points": [(0.5, FINE)], "stamp": 50.0},
        {"points": [(0.0, FINE)], "stamp": 50.0},
    ],
    ids=[
        "nan",
        "infinite velocity",
        "unknown joint",
        "joints left out",
        "too few positions",
        "beyond limits",
        "times do not increase",
        "no points",
        "beyond limits between points",
        "past trajectory",
        "past set point",
    ],
)
def test_a_bad_reference_is_counted_and_changes_no_motion(running, robot, message):
    goal, refused = near(0.2, 0.1, 0.0), running.refused
    running.reference((0.5, goal))
    running.state(HOME, after=0.06)
    running.reference(*message["points"], **{k: v for k, v in message.items() if k != "points"})
    assert running.refused == refused + 1
    for _ in range(10):
        command = running.state(HOME, after=0.06)
    assert_effort(command, held(robot, HOME, at=goal))


@fault("a reference before the first state")
def test_a_reference_before_the_first_state_is_refused(start, robot):
    controller = start()
    controller.reference((0.1, FINE))
    for _ in range(4):
        assert_effort(controller.state(HOME, after=0.06), held(robot, HOME))


@fault("a reference without efforts in mode `gravity` or `compensation`, which follow no positions")
@pytest.mark.parametrize("mode", ["gravity", "compensation"])
def test_positions_that_the_mode_does_not_follow_are_refused(start, robot, mode):
    controller = start(mode=mode)
    controller.state(HOME)
    controller.reference((0.5, FINE))
    assert controller.refused == 1
    assert_effort(controller.state(HOME), robot.gravity_torques(HOME))


@fault("a reference with efforts alone")
@pytest.mark.parametrize("mode", table("inverse_dynamics_controller")[0].choices)
@pytest.mark.parametrize("feed_forward", [True, False])
def test_efforts_alone_are_added_in_each_mode(start, robot, mode, feed_forward):
    controller, effort = start(mode=mode, feed_forward=feed_forward), np.array([1.0, -2.0, 3.0])
    before = controller.state(HOME).effort
    assert_effort(SimpleNamespace(effort=before), robot.gravity_torques(HOME))
    controller.reference((0.0, (), (), (), effort))
    assert_effort(controller.state(HOME), before + effort)
    for _ in range(11):
        last = controller.state(HOME)
    assert_effort(last, before)
    controller.reference((0.1, (), (), (), effort), (1.0, (), (), (), effort))
    for _ in range(110):
        last = controller.state(HOME)
    assert_effort(last, before + effort)


@fault("a reference far away")
def test_a_reference_far_away_saturates_with_the_weight_carried(running, robot):
    goal = near(1.5, 3.0, 0.0)
    running.reference((0.0, goal))
    command, weight = running.state(HOME), robot.gravity_torques(HOME)
    excess = held(robot, HOME, at=goal) - weight
    scale = (command.effort - weight)[1] / excess[1]
    assert 0 < scale < 1
    assert_effort(command, weight + scale * excess)
    assert np.max(np.abs(command.effort) / LIMITS) == pytest.approx(1.0)


@fault("a reference that replaces another in full flight")
def test_a_reference_replaced_in_full_flight_makes_no_jump(start):
    controller = start(mode="feed_forward")
    controller.state(HOME)
    controller.reference((0.0, HOME), (1.0, near(1.0, 0.5, 0.0)))
    path = [controller.state(HOME, after=0.05) for _ in range(10)]
    controller.reference((0.0, HOME), (1.0, near(-1.0, -0.5, 0.0)))
    path += [controller.state(HOME, after=0.05) for _ in range(21)]
    steps = np.diff([command.position for command in path], axis=0)
    fastest = np.max([np.abs(command.velocity) for command in path], axis=0)
    assert (np.abs(steps) <= 0.05 * fastest + 1e-9).all()
    np.testing.assert_allclose(path[-1].position, near(-1.0, -0.5, 0.0))


@fault("a stream of set points that stops")
def test_a_stream_that_stops_comes_to_rest(running, robot):
    running.reference((0.0, HOME, [0.5, 0.0, 0.0]))
    for _ in range(5):
        command = running.state(HOME, after=0.05)
    assert_effort(command, held(robot, HOME, at=near(0.05, 0.0, 0.0)))


@fault("time leaps forward or back by more than `state_timeout`")
@pytest.mark.parametrize("leap", [5.0, -5.0])
def test_a_leap_of_time_ends_the_motion(running, robot, leap):
    running.reference((4.0, near(1.0, 0.0, 0.0)))
    assert_effort(running.state(FINE, after=leap), held(robot, FINE, at=FINE))


@fault("efforts that overflow")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_efforts_that_overflow_become_gravity_support(running, robot):
    running.reference((0.0, HOME, [1e308] * 3, [1e308] * 3))
    assert_effort(running.state(HOME), robot.gravity_torques(HOME))


@fault(
    "a gain that is negative or NaN, a list of wrong length, one wrong value among several",
    "a change of `mode` while active, of the robot once configured",
    "a payload that no body can be, or for a robot that carries none",
)
@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"kp": NAN}, "kp"),
        ({"kd": -1.0}, "kd"),
        ({"kp": [1.0, 2.0]}, "kp: expected one value or 3, found 2"),
        ({"kp": 1.0, "kd": -1.0}, "kd"),
        ({"mode": "gravity"}, "mode: can change only while the controller is not active"),
        ({"mode": "magic"}, "expected one of"),
        ({"gravity": [0.0, 0.0]}, "expected 3 numbers"),
        ({"effort_limits": [5.0, 0.0, 5.0]}, "expected more than 0"),
        ({"gravity": [0.0, 0.0, NAN]}, "expected -100 to 100, found nan"),
        ({"payload_mass": 1.0}, "payload_frame"),
        ({"robot_description": "<robot/>"}, "before the controller is configured"),
        ({"state_timeout": 0.0}, "before the controller is configured"),
    ],
)
def test_a_bad_parameter_is_refused_and_changes_nothing(running, robot, changes, reason):
    assert reason in running.set(**changes)
    moved = near(0.1, 0.0, 0.0)
    assert_effort(running.state(moved), held(robot, moved))


@fault("a limit that does not carry the joint's weight")
def test_a_joint_too_weak_for_its_weight_gives_all_it_has(running, robot):
    assert running.set(effort_limits=[1.0, 15.0, 30.0]) == ""
    weight = robot.gravity_torques(HOME)
    assert weight[0] > 1.0
    assert_effort(running.state(HOME), [1.0, weight[1], weight[2]])


@fault("deactivation, Ctrl-C in motion")
@pytest.mark.parametrize("how", ["hold_gravity", "zero", "keep"])
def test_deactivation_in_motion_leaves_what_was_asked_for(start, robot, how):
    controller = start(deactivation_effort=how)
    controller.state(HOME, [1.0, 1.0, 0.0])
    before = len(controller.commands)
    controller.node.trigger_deactivate()
    last = [command.effort for command in controller.commands[before:]]
    expected = {"hold_gravity": [robot.gravity_torques(HOME)], "zero": [REST], "keep": []}[how]
    np.testing.assert_allclose(last, expected, atol=1e-9)
    assert controller.state(HOME) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"on_deactivate": "zero"}, "on_deactivate: use deactivation_effort instead"),
        ({"on_state_timeout": "zero"}, "on_state_timeout: use failure_effort instead"),
        ({"max_stale_cycles": 5}, r"max_stale_cycles: use state_timeout \[s\] instead"),
        ({"model.payload.mass": 1.0}, r"model.payload.mass: use payload_mass \[kg\] instead"),
    ],
)
def test_old_names_are_refused_with_the_new_ones(start, old, new):
    with pytest.raises(ValueError, match=new):
        start(**old)


@fault("a payload that no body can be, or for a robot that carries none")
def test_a_payload_that_is_no_body_is_refused(start):
    controller = start(payload_frame="tool")
    controller.state(HOME)
    assert "triangle" in controller.set(payload_mass=1.0, payload_inertia=[1.0, *[0.0] * 5])
    assert controller.set(payload_mass=1.0) == ""


def test_a_payload_is_carried(start, robot):
    controller = start(payload_frame="tool", payload_mass=2.0)
    force = np.array([0, 0, -9.81 * 2.0])
    lifted = robot.gravity_torques(HOME) - robot.jacobian("world", "tool", HOME)[3:].T @ force
    assert_effort(controller.state(HOME), lifted)


def test_gravity_may_come_from_elsewhere(start, robot):
    sideways = [9.81, 0.0, 0.0]
    weight = robot.gravity_torques(HOME, gravity=sideways)
    assert_effort(start(gravity=sideways).state(HOME), weight)
    assert_effort(start(gravity=sideways, add_gravity=False).state(HOME), REST)


def test_drives_with_loops_of_their_own_get_positions_too(start, robot):
    controller = start(mode="feed_forward")
    away = near(0.2, 0.1, 0.0)
    controller.state(HOME)
    command = controller.state(away)
    assert_effort(command, robot.gravity_torques(HOME))
    np.testing.assert_allclose(command.position, HOME)
    np.testing.assert_allclose(command.velocity, REST)
    lost = controller.wait(0.3)
    assert_effort(lost, robot.gravity_torques(away))
    np.testing.assert_allclose(lost.position, away)
