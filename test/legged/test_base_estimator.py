"""An estimator of HyQ's base: closed forms, the truth of a simulation, and each of its faults."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from robcogen_ros.control.legged_loop import LeggedLoop
from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.compiling.toolchain import proxsuite_directory
from robcogen_ros.runtime.objects import Fault
from test.support.fault_table import fault, held_lines, table_lines
from test.support.hyq import FEET, STANCE, hyq

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(proxsuite_directory() is None, reason="proxsuite is not installed"),
]
PAGE = Path(__file__).parents[2] / "docs" / "state_estimation.md"
Array = NDArray[np.float64]
UP = np.array([0.0, 0.0, 9.81])
STEP = 1e-3
SHEET = {"gyroscope_noise": 2.5e-4, "accelerometer_noise": 1.9e-3}


@pytest.fixture(scope="module")
def robot() -> Any:
    return hyq()


def still(estimator: Any, seconds: float = STEP, **other: Any) -> Any:
    """What an estimator has of the robot at rest on level ground after a while."""
    reading = {"angular_velocity": np.zeros(3), "linear_acceleration": UP}
    for _ in range(round(seconds / STEP)):
        found = estimator.update(
            **{"q": STANCE, "closed": np.ones(4), "cycle": STEP, **reading, **other}
        )
    return found


@pytest.mark.parametrize("lean", [(0.0, 0.0, 0.0), (0.2, -0.1, 0.0)])
def test_a_robot_at_rest(robot: Any, lean: tuple[float, float, float]) -> None:
    """It leans as gravity says, heads along x, and its base is as high as its feet are low."""
    turn = Rotation.from_euler("xyz", lean)
    found = still(robot.base_estimator(), 0.2, linear_acceleration=turn.inv().apply(UP))
    assert found.known
    assert found.faults == ()
    believed = Rotation.from_quat(found.orientation)
    assert believed.inv().apply(UP) == pytest.approx(turn.inv().apply(UP), abs=1e-6)
    ahead = believed.apply([1.0, 0.0, 0.0])
    assert ahead[1] == pytest.approx(0.0, abs=1e-9)
    feet = np.array([robot.transform("base_link", foot, STANCE)[:3, 3] for foot in FEET])
    assert found.position[2] == pytest.approx(-believed.apply(feet)[:, 2].mean(), abs=1e-3)
    assert found.base_velocity == pytest.approx(np.zeros(6), abs=1e-6)


def test_biases_that_a_robot_at_rest_shows(robot: Any) -> None:
    """Rates of the gyroscope are its bias; a bias along gravity is one of the accelerometer."""
    bias, more = np.array([0.01, -0.02, 0.03]), np.array([0.0, 0.0, 0.1])
    estimator = robot.base_estimator(accelerometer_bias=0.2)
    found = still(estimator, 3.0, angular_velocity=bias, linear_acceleration=UP + more)
    assert found.gyroscope_bias[:2] == pytest.approx(bias[:2], abs=2e-3)
    assert found.accelerometer_bias == pytest.approx(more, abs=0.02)
    assert found.base_velocity[3:] == pytest.approx(np.zeros(3), abs=2e-3)


def test_a_base_that_falls_freely(robot: Any) -> None:
    """Without feet and forces it falls by g t^2 / 2."""
    estimator = robot.base_estimator()
    start = still(estimator, 0.2)
    nothing = {"closed": np.zeros(4), "linear_acceleration": np.zeros(3)}
    found = still(estimator, 0.3, **nothing)
    drop = 0.5 * 9.81 * 0.3**2
    assert found.position[2] - start.position[2] == pytest.approx(-drop, abs=2e-3)
    assert found.base_velocity[5] == pytest.approx(-9.81 * 0.3, abs=1e-2)


def test_place_and_heading_become_unsure_and_tilt_does_not(robot: Any) -> None:
    """What nothing tells grows, each time the feet change; what gravity tells does not."""
    estimator = robot.base_estimator()
    still(estimator, 1.0)
    sure = []
    for step in range(24):
        still(estimator, 0.05, closed=[1, 0, 0, 1] if step % 2 else [0, 1, 1, 0])
        if step % 8:
            continue
        sure.append(np.diag(estimator.covariances()["pose"]).copy())
    assert (np.diff(sure, axis=0)[:, [0, 1, 5]] > 0.0).all()
    assert (sure[-1][3:5] < 1.1 * sure[0][3:5]).all()


def test_a_trot_on_the_estimate(robot: Any) -> None:
    """It is near to the truth, also half a second after 0.2 s in which nothing was told."""
    biases = {
        "gyroscope_bias": [0.01, -0.01, 0.005],
        "accelerometer_bias": [0.03, -0.03, 0.05],
        "force_noise": 5.0,
        "force_delay": 2e-3,
    }
    ground = robot.ground(friction=0.7, **SHEET, **biases)
    low = min(robot.transform("base_link", name, STANCE)[2, 3] for name in FEET)
    ground.place(STANCE, position=[0.0, 0.0, -low])
    estimator = robot.base_estimator(accelerometer_bias=0.05)
    loop = LeggedLoop(
        robot,
        ground,
        friction=0.7,
        trusted=0.5,
        gait={"name": "trot", "posture": STANCE},
        posture=STANCE,
        estimator=estimator,
    )
    loop.run(0.2)
    errors = []
    for _ in range(200):
        loop.run(0.01, steps=True, velocity=[0.3, 0.0])
        errors.append(loop.estimate.base_velocity[3:] - ground.base_velocity[3:])
    assert np.sqrt(np.mean(np.sum(np.square(errors), axis=1))) < 0.03
    assert _tilt(ground.orientation, loop.estimate.orientation) < np.radians(0.7)
    assert ground.position[0] > 0.25  # of 0.6 m: forces that are late and noisy hold it back
    assert loop.tilt < 0.1
    nothing = {"angular_velocity": None, "linear_acceleration": None}
    for _ in range(200):
        estimator.update(None, closed=np.zeros(4), cycle=STEP, **nothing)
    loop.run(0.5, steps=True)
    error = loop.estimate.base_velocity[3:] - ground.base_velocity[3:]
    assert np.linalg.norm(error) < 0.03
    assert _tilt(ground.orientation, loop.estimate.orientation) < np.radians(0.7)


def _tilt(one: Array, other: Array) -> float:
    """How far two orientations lean from each other [rad]."""
    a, b = (Rotation.from_quat(turn).inv().apply(UP) for turn in (one, other))
    return math.atan2(float(np.linalg.norm(np.cross(a, b))), float(a @ b))


@pytest.mark.parametrize("known", [True, False])
def test_feet_that_are_balls_roll(robot: Any, known: bool) -> None:
    """The trunk goes ahead over balls, whose middles go on by their radius times their turn."""
    radius, way, count, cycle = 0.05, 0.1, 400, 5e-3
    estimator = robot.base_estimator(foot_radius=radius if known else 0.0)
    places = [_place(robot, foot, STANCE) for foot in FEET]
    q = STANCE.copy()
    still(estimator, 0.2)
    for k in range(1, count + 1):
        share = 2 * np.pi * k / count
        gone = way * (share - np.sin(share)) / (2 * np.pi)
        pull = way * 2 * np.pi / (count * cycle) ** 2 * np.sin(share)
        for i, (foot, at) in enumerate(zip(FEET, places, strict=True)):
            q[3 * i : 3 * i + 3] = _rolled(robot, foot, q, at, gone, radius)[3 * i : 3 * i + 3]
        felt = UP + np.array([pull, 0.0, 0.0])
        found = still(estimator, q=q, cycle=cycle, linear_acceleration=felt)
    error = abs(found.position[0] - way)
    assert error < 3e-4 if known else error > 3e-3


def _place(robot: Any, foot: str, q: Array) -> Array:
    """Where the middle of a foot is ahead of the base and above it, and its angle about y."""
    pose = robot.transform("base_link", foot, q)
    return np.array([pose[0, 3], pose[2, 3], math.atan2(pose[0, 2], pose[2, 2])])


def _rolled(robot: Any, foot: str, q: Array, at: Array, gone: float, radius: float) -> Array:
    """Positions of joints at which a foot has rolled since it was there, by Newton's method."""
    q, leg = q.copy(), 3 * FEET.index(foot) + np.array([1, 2])

    def miss(q: Array) -> Array:
        x, z, angle = _place(robot, foot, q) - at
        return np.array([x + gone - radius * angle, z])

    for _ in range(4):
        slopes = [
            (miss(q + 1e-6 * unit) - miss(q - 1e-6 * unit)) / 2e-6 for unit in np.eye(12)[leg]
        ]
        q[leg] -= np.linalg.solve(np.transpose(slopes), miss(q))
    return q


@pytest.mark.parametrize("lever", [False, True])
def test_sensors_of_a_simulated_robot(robot: Any, lever: bool) -> None:
    """At rest an IMU has gravity upwards, in the axes of its frame; late ones tell it later."""
    frame = "trunk" if lever else ""
    ground = robot.ground(imu_frame=frame, imu_delay=5e-3, force_delay=5e-3)
    low = min(robot.transform("base_link", name, STANCE)[2, 3] for name in FEET)
    ground.place(STANCE, position=[0.0, 0.0, 0.3 - low])
    assert ground.linear_acceleration == pytest.approx(UP)
    told = []
    for _ in range(10):
        ground.advance(np.zeros(12), STEP)
        told.append(ground.linear_acceleration[2])
    assert told[:5] == pytest.approx([9.81] * 5)
    assert told[5:] == pytest.approx([0.0] * 5, abs=0.5)


@fault("`imu_missing`")
def test_no_imu(robot: Any) -> None:
    estimator = robot.base_estimator()
    nothing = {"angular_velocity": None, "linear_acceleration": None}
    assert not still(estimator, **nothing).known
    still(estimator, 0.1)
    sure = estimator.covariances()["twist"][0, 0]
    found = still(estimator, 0.05, **nothing, closed=np.zeros(4), q=None)
    assert found.known
    assert set(found.faults) == {"imu_missing", "joints_missing"}
    assert found.base_velocity == pytest.approx(np.zeros(6), abs=1e-3)
    assert estimator.covariances()["twist"][0, 0] > 2.0 * sure
    assert still(estimator, linear_acceleration=[0.0, math.nan, 9.81]).faults == ("imu_missing",)


@fault("`joints_missing`")
def test_no_joints(robot: Any) -> None:
    estimator = robot.base_estimator()
    assert not still(estimator, q=None).known
    start = still(estimator, 0.1)
    found = still(estimator, 0.1, q=np.full(12, np.nan))
    assert found.faults == ("joints_missing",)
    assert found.position == pytest.approx(start.position, abs=1e-3)


@fault("`time_not_forwards`")
@pytest.mark.parametrize("cycle", [0.0, -1e-3, math.nan, math.inf])
def test_time_that_goes_back(robot: Any, cycle: float) -> None:
    estimator = robot.base_estimator()
    before = still(estimator, 0.1)
    after = still(estimator, cycle=cycle, linear_acceleration=[5.0, 0.0, 9.81])
    assert after.faults == ("time_not_forwards",)
    assert (after.position == before.position).all()
    assert (after.base_velocity == before.base_velocity).all()


@fault("`not_at_rest`")
@pytest.mark.parametrize(
    "reading", [{"angular_velocity": [0.0, 0.3, 0.0]}, {"linear_acceleration": UP / 9.81}]
)
def test_a_robot_that_moves(robot: Any, reading: dict[str, Any]) -> None:
    estimator = robot.base_estimator()
    found = still(estimator, **reading)
    assert not found.known
    assert "not_at_rest" in found.faults
    assert still(estimator).known


@fault("`imu_misplaced`")
@pytest.mark.parametrize("angle", [0.4, 1.5, math.pi])
def test_an_imu_in_another_frame(robot: Any, angle: float) -> None:
    """It is told with its angle; a slope of 0.3 rad may be."""
    turned = Rotation.from_rotvec([0.6 * angle, 0.8 * angle, 0.0]).apply(UP)
    found = still(robot.base_estimator(), linear_acceleration=turned)
    assert not found.known
    assert found.faults == ("imu_misplaced",)
    assert found.imu_angle == pytest.approx(angle, abs=0.01)
    slope = Rotation.from_rotvec([0.3, 0.0, 0.0]).apply(UP)
    assert still(robot.base_estimator(), linear_acceleration=slope).known


@fault("`no_feet`")
def test_all_feet_in_the_air(robot: Any) -> None:
    estimator = robot.base_estimator()
    found = still(estimator, closed=np.zeros(4))
    assert found.known
    assert found.faults == ("no_feet",)
    still(estimator, 0.1)
    assert still(estimator, 0.4, closed=np.zeros(4)).faults == ()
    assert still(estimator, 0.2, closed=np.zeros(4)).faults == ("no_feet",)


@fault("`foot_slips`")
def test_a_foot_that_slips(robot: Any) -> None:
    """One foot that is told to stand moves; the base does not follow it."""
    estimator = robot.base_estimator()
    before = still(estimator, 0.5)
    q = STANCE.copy()
    slipped = False
    for _ in range(40):
        q[1] += 5e-3
        found = still(estimator, q=q)
        slipped = slipped or "foot_slips" in found.faults
    assert slipped
    assert found.slips > 0
    assert found.position == pytest.approx(before.position, abs=0.02)
    assert np.linalg.norm(found.base_velocity[3:]) < 0.1


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"gyroscope_noise": 0.0}, "gyroscope_noise: expected more than 0; found 0"),
        ({"foot_creep": -1.0}, "foot_creep: expected 0 or more; found -1"),
        ({"imu_frame": "lf_foot"}, "imu_frame: expected a frame of the base link"),
    ],
)
def test_settings_out_of_range(robot: Any, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(Fault, match=said):
        robot.base_estimator(**settings)


def test_a_frame_that_is_not_there(robot: Any) -> None:
    with pytest.raises(RobcogenError, match="imu_frame: 'trnk' is no frame of the robot; did you"):
        robot.base_estimator(imu_frame="trnk")


def test_each_line_of_the_page_has_a_test() -> None:
    """The table of faults is all that can happen."""
    lines = table_lines(PAGE, "| fault | what is wrong | what is done |")
    assert held_lines(globals()) == lines
