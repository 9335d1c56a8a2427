"""What the controller commands after faults, within ros2_control's controller manager.

The hardware says what the test tells it; what is commanded then is known in closed form.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.control.dynamics import Array
from test.cmake.tools import colcon_build, environment, make_workspace, needs_packages, needs_ros
from test.control.arms import DoublePendulum
from test.control.cpp_controller import ARM, Law, computed_torque, double_pendulum, rows
from test.support.fault_table import fault

JOINTS = ("joint1", "joint2")
Q, QD = np.array([0.4, -1.1]), np.array([0.3, 0.2])
NAN, REST = np.full(2, np.nan), np.zeros(2)
WANTED = rows([0.5, -1.0], [0.2, 0.0])
GRAVITY = ARM.gravity_torques(Q)
LAW = Law()
CONTROL = """
  <ros2_control name="told" type="system">
    <hardware><plugin>managed_arm/ToldSystem</plugin></hardware>{joints}
  </ros2_control>
</robot>"""
JOINT = """
    <joint name="{name}"><command_interface name="effort"/>{states}</joint>"""
STATES = '<state_interface name="position"/>', '<state_interface name="velocity"/>'
PARAMETERS = f"""
controller_manager:
  ros__parameters:
    update_rate: 1000
    use_sim_time: true
    enforce_command_limits: false
    arm_controller:
      type: managed_arm/ArmController
      params_file: {{file}}
arm_controller:
  ros__parameters:
    kp: {LAW.kp.tolist()}
    kd: {LAW.kd.tolist()}
    activation_time: 0.0
    compensate_friction: false
"""


pytestmark = [
    needs_ros,
    needs_packages(
        *("controller_interface", "controller_manager", "hardware_interface"),
        *("control_msgs", "trajectory_msgs", "pluginlib", "urdf"),
    ),
]


def described(robot: str, states: str = "".join(STATES)) -> str:
    """A robot description with hardware that is told what to say."""
    each = zip(JOINTS, ("".join(STATES), states), strict=True)
    joints = "".join(JOINT.format(name=name, states=given) for name, given in each)
    return robot.replace("</robot>", CONTROL.format(joints=joints))


class Managed:
    """A controller manager with the controller, cycle by cycle."""

    def __init__(self, prefix: Path, folder: Path, description: str) -> None:
        """Start it; the controller is loaded, but not configured."""
        model, parameters = folder / "described.urdf", folder / "parameters.yaml"
        model.write_text(description)
        parameters.write_text(PARAMETERS.format(file=parameters))
        program = prefix / "managed_arm/lib/managed_arm/manage"
        command = f'. "{prefix}/local_setup.sh" && exec "{program}" "$@"'
        arguments = [model, "--ros-args", "--params-file", parameters]
        self._process = subprocess.Popen(
            ["sh", "-c", command, "manage", *arguments],
            env=environment() | {"ROS_LOG_DIR": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.logged: list[str] = []
        self.commanded = REST

    def ask(self, *words: object) -> str:
        """Its answer; what it logged, and the efforts commanded last, are kept."""
        assert self._process.stdin
        assert self._process.stdout
        print(*words, file=self._process.stdin, flush=True)
        self.logged = []
        for line in iter(self._process.stdout.readline, ""):
            if line.startswith("= "):
                answer, *values = line[2:].rstrip("\n").split("\t")
                told = dict(value.split("=") for value in values)
                self.commanded = np.array([float(told[f"{name}/effort"]) for name in JOINTS])
                return answer
            self.logged.append(line.rstrip("\n"))
        raise AssertionError(f"it ended: {self.logged}")

    def tell(self, q: Array, qd: Array) -> None:
        """What the hardware says from now on."""
        values = zip(JOINTS, q, qd, strict=True)
        each = ((f"{name}/position", x, f"{name}/velocity", v) for name, x, v in values)
        self.ask("tell", *(word for words in each for word in words))

    def cycle(self, q: Array = Q, qd: Array = QD, period: float = 0.001) -> str:
        """One cycle with this state; the state of the controller after it."""
        self.tell(q, qd)
        return self.ask("cycle", period)

    def reference(self, position: Array, velocity: Array, names: tuple[str, ...] = JOINTS) -> None:
        """Asks for a point on `~/reference`."""
        self.ask("reference", *names, "|", *position, "|", *velocity)

    def active(self) -> Managed:
        """Begins anew, where nothing moves."""
        if self.ask("cycle", 0.001) == "active":
            assert self.ask("deactivate") == "ok"
        self.tell(Q, REST)
        assert self.ask("activate") == "ok"
        return self

    def end(self) -> None:
        """Ends it."""
        assert self._process.stdin
        self._process.stdin.close()
        assert self._process.wait(30) == 0


@pytest.fixture(scope="module")
def prefix(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the controller and the controller manager of the tests are installed."""
    directory = make_workspace(tmp_path_factory.mktemp("managed"), "managed_arm")
    (directory / "src" / "managed_arm" / "arm.urdf").write_text(double_pendulum())
    colcon_build(directory, underlay=installed.parents[1])
    return directory / "install"


@pytest.fixture(scope="module")
def start(
    prefix: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Managed]]:
    """Starts controller managers with a robot description."""
    made = []

    def make(description: str) -> Managed:
        made.append(Managed(prefix, tmp_path_factory.mktemp("manager"), description))
        return made[-1]

    yield make
    for managed in made:
        managed.end()


@pytest.fixture(scope="module")
def shared(start: Callable[[str], Managed]) -> Managed:
    managed = start(described(double_pendulum()))
    assert managed.ask("configure") == "ok", managed.logged
    return managed


@pytest.fixture
def active(shared: Managed) -> Managed:
    """The controller, active; the robot was found at Q."""
    return shared.active()


@pytest.fixture
def running(active: Managed) -> Managed:
    """The same on its way to WANTED."""
    active.reference(WANTED[0], WANTED[1])
    active.cycle()
    assert_effort(active, computed_torque(Q, QD, WANTED))
    return active


def assert_effort(managed: Managed, expected: Array) -> None:
    np.testing.assert_allclose(managed.commanded, expected, atol=1e-9)


def carried_on(age: float) -> Array:
    """The reference of `running` after a while."""
    if age < 0.1:
        return rows(WANTED[0] + age * WANTED[1], WANTED[1])
    return rows(WANTED[0] + 0.1 * WANTED[1])


@fault("no reference at all")
def test_without_reference_the_position_found_is_held(active: Managed) -> None:
    assert active.cycle() == "active"
    assert_effort(active, computed_torque(Q, QD, rows(Q)))


@fault("joints of `~/reference` in reverse order")
def test_reference_is_taken_by_name(active: Managed) -> None:
    active.reference(WANTED[0][::-1], WANTED[1][::-1], JOINTS[::-1])
    active.cycle()
    assert_effort(active, computed_torque(Q, QD, WANTED))


@fault("unknown joint, or one position too few, in it")
@pytest.mark.parametrize(
    ("names", "count", "said"),
    [
        (("joint1", "wheel"), 2, "reference ignored: the robot has no joint 'wheel'"),
        (("joint1",), 1, "reference ignored: expected each of the robot's 2 joints once"),
        (JOINTS, 1, "reference ignored: positions, velocities, accelerations or effort are not"),
    ],
)
def test_bad_message_changes_nothing(
    start: Callable[[str], Managed], names: tuple[str, ...], count: int, said: str
) -> None:
    managed = start(described(double_pendulum()))
    assert managed.ask("configure") == "ok"
    managed.active().reference(WANTED[0], REST)
    managed.reference(np.full(count, 9.0), REST[:count], names)
    assert said in "\n".join(managed.logged)
    managed.cycle()
    assert_effort(managed, computed_torque(Q, QD, rows(WANTED[0])))


@fault("reference NaN; infinite")
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_reference_that_is_no_number_stops_at_the_last_one(running: Managed, bad: float) -> None:
    running.reference(np.full(2, bad), np.full(2, bad))
    assert running.cycle() == "active"
    assert_effort(running, computed_torque(Q, QD, rows(WANTED[0])))


@fault("topic falls silent with 0.2 rad/s")
def test_topic_that_falls_silent_is_carried_on_for_a_tenth_of_a_second(running: Managed) -> None:
    for cycle in range(1, 120):
        assert running.cycle() == "active"
        if cycle in (1, 50, 98, 102, 119):
            assert_effort(running, computed_torque(Q, QD, carried_on(0.001 * cycle)))


@fault("reference beyond a position limit")
def test_reference_beyond_a_limit_is_ignored(running: Managed) -> None:
    running.reference(Q + np.array([0.0, 5.0]), REST)
    assert running.cycle() == "active"
    assert_effort(running, computed_torque(Q, QD, carried_on(0.001)))


@fault("reference jumps by 4 rad, and back")
def test_reference_that_jumps_keeps_efforts_within_limits(running: Managed) -> None:
    far = Q + np.array([0.0, 4.0])
    running.reference(far, REST)
    assert running.cycle() == "active"
    whole = computed_torque(Q, QD, rows(far))
    assert abs(whole[0]) > 30.0
    scale = (running.commanded - GRAVITY) / (whole - GRAVITY)
    np.testing.assert_allclose(scale, scale[0])
    assert abs(running.commanded[0]) == pytest.approx(30.0)
    running.reference(Q, REST)
    running.cycle()
    assert_effort(running, computed_torque(Q, QD, rows(Q)))


@fault("8 cycles missed; 100 missed")
def test_missed_cycles_end_nothing(start: Callable[[str], Managed]) -> None:
    managed = start(described(double_pendulum()))
    managed.ask("set", "activation_time", "number", 0.1)
    assert managed.ask("configure") == "ok"
    managed.active()
    for _ in range(120):
        managed.cycle()
    whole = computed_torque(Q, QD, rows(Q))
    assert managed.cycle(period=0.009) == "active"
    assert_effort(managed, whole)
    for share in (0.02, 0.03, 0.04):
        assert managed.cycle(period=0.101 if share == 0.02 else 0.001) == "active"
        assert_effort(managed, GRAVITY + share * (whole - GRAVITY))


@fault("velocity NaN for 3 ms")
def test_velocity_that_is_missing_for_a_moment_is_bridged(running: Managed) -> None:
    for cycle in range(1, 4):
        assert running.cycle(Q, NAN) == "active"
        assert_effort(running, computed_torque(Q, QD, carried_on(0.001 * cycle)))


@fault("position NaN for good; all states NaN", "states come back, activated anew")
@pytest.mark.parametrize("missing", [(np.array([np.nan, Q[1]]), QD), (NAN, NAN)])
def test_states_that_are_lost_leave_gravity(running: Managed, missing: tuple[Array, Array]) -> None:
    for _ in range(5):
        assert running.cycle(*missing) == "active"
    assert running.cycle(*missing) == "inactive"
    assert_effort(running, GRAVITY)
    assert "control has ended: joint states are missing" in running.logged
    for _ in range(3):
        running.cycle(*missing)
        assert_effort(running, GRAVITY)
    running.active().cycle()
    assert_effort(running, computed_torque(Q, QD, rows(Q)))


@fault("activated while no state is known")
def test_robot_of_unknown_state_gets_no_effort(shared: Managed) -> None:
    if shared.ask("cycle", 0.001) == "active":
        assert shared.ask("deactivate") == "ok"
    shared.tell(NAN, NAN)
    shared.ask("activate")
    states = []
    for _ in range(6):
        states.append(shared.cycle(NAN, NAN))
        assert_effort(shared, REST)
    assert states[-1] == "inactive"


@fault("deactivated, activated again")
def test_deactivation_leaves_the_weight_carried_and_activation_goes_on(running: Managed) -> None:
    assert running.ask("deactivate") == "ok"
    assert_effort(running, GRAVITY)
    running.active().cycle()
    assert_effort(running, computed_torque(Q, QD, rows(Q)))


@fault("pushed, with `stop_efforts`")
def test_an_arm_that_is_pushed_brakes_until_it_is_activated_anew(
    start: Callable[[str], Managed],
) -> None:
    managed = start(described(double_pendulum()))
    managed.ask("set", "stop_efforts", "numbers", 0.3)
    assert managed.ask("configure") == "ok"
    managed.active()
    speed = np.array([0.1, -0.1])
    for cycle in range(80):  # it moves on, whatever is commanded
        q = Q + 0.001 * cycle * speed
        assert managed.cycle(q, speed) == "active"
    wanted = ARM.inverse_dynamics(q, speed, -200.0 * speed)
    assert np.abs(wanted).max() < 30.0
    assert_effort(managed, wanted)
    managed.active().cycle()
    assert_effort(managed, computed_torque(Q, QD, rows(Q)))


@fault(
    "gain NaN; three gains for two joints",
    "mode changed while active",
    "payload of negative mass",
    "a parameter of configuration set while configured",
)
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("kp", "numbers", "nan", 1.0), "kp: expected 0 to 1e+06, found nan"),
        (("kp", "numbers", 1.0, 2.0, 3.0), "kp: expected one value or 2, found 3"),
        (("mode", "text", "gravity"), "mode: can change only while the controller is not active"),
        (("model.payload.mass", "number", -1.0), "the payload has a negative mass"),
        (
            ("activation_time", "number", 1.0),
            "activation_time: can change only before the controller is configured",
        ),
    ],
)
def test_bad_parameter_is_refused(
    running: Managed, change: tuple[object, ...], reason: str
) -> None:
    assert running.ask("set", *change) == reason
    running.cycle()
    assert_effort(running, computed_torque(Q, QD, carried_on(0.001)))


@fault("payload of 1 kg that is not there")
def test_payload_is_carried(running: Managed) -> None:
    for name, value in (("mass", 1.0), ("com.z", -ARM.l2)):
        assert running.ask("set", f"model.payload.{name}", "number", value) == "set"
    laden = DoublePendulum()
    laden.m2 += 1.0
    running.cycle()
    assert_effort(running, computed_torque(Q, QD, carried_on(0.001), laden))
    for name in ("mass", "com.z"):
        assert running.ask("set", f"model.payload.{name}", "number", 0.0) == "set"


@fault("mass of a link differs in the robot description")
def test_other_robot_is_refused(start: Callable[[str], Managed]) -> None:
    heavier = double_pendulum().replace('mass value="0.7"', 'mass value="0.8"')
    managed = start(described(heavier))
    assert managed.ask("configure") == "failed"
    assert "link 'l2': mass 0.8 kg, compiled is 0.7" in managed.logged


@fault("a joint without `velocity` in the description")
def test_missing_interface_is_refused(start: Callable[[str], Managed]) -> None:
    managed = start(described(double_pendulum(), STATES[0]))
    assert managed.ask("configure") == "ok"
    assert managed.ask("activate") == "failed"
    assert any("joint2/velocity" in line for line in managed.logged)
    assert managed.ask("cycle", 0.001) == "inactive"
    assert_effort(managed, REST)
