"""An estimator of HyQ's base: closed forms, the truth of a simulation, what it refuses."""

from __future__ import annotations

import math
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation
from scipy.stats import chi2

from robcogen_ros.backends.render import include_directory
from robcogen_ros.control.legged_loop import LeggedLoop
from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.compiling.compile import _SYMBOL as SYMBOL
from robcogen_ros.runtime.compiling.core import core_library
from robcogen_ros.runtime.compiling.toolchain import proxsuite_directory
from test.legged.at_rest import STEP, UP, still
from test.support.hyq import FEET, STANCE, hyq

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(proxsuite_directory() is None, reason="proxsuite is not installed"),
]
Array = NDArray[np.float64]
SHEET = {"gyroscope_noise": 2.5e-4, "accelerometer_noise": 1.9e-3}


@pytest.fixture(scope="module")
def robot() -> Any:
    return hyq()


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


def _trotting(robot: Any, ground: Any, estimator: Any, low: float) -> LeggedLoop:
    """A robot on its feet that trots on what an estimator has of it."""
    ground.place(STANCE, position=[0.0, 0.0, -low])
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
    return loop


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
    estimator = robot.base_estimator(accelerometer_bias=0.05)
    loop = _trotting(robot, ground, estimator, low)
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


RADIUS, WAY, CYCLE = 0.05, 0.1, 5e-3


@dataclass(frozen=True)
class Rolled:
    """The trunk ahead over feet that are balls: of each cycle the place, speed, pull and joints."""

    place: Array
    speed: Array
    pull: Array
    q: Array


@pytest.fixture(scope="module")
def rolled(robot: Any) -> Rolled:
    """From rest to rest in 2 s; middles go on by their radius times their turn."""
    share = 2 * np.pi * np.arange(1, 401) / 400
    rate = 2 * np.pi / (400 * CYCLE)
    place = WAY * (share - np.sin(share)) / (2 * np.pi)
    speed = WAY * rate * (1.0 - np.cos(share)) / (2 * np.pi)
    pull = WAY * rate**2 * np.sin(share) / (2 * np.pi)
    starts = [_place(robot, foot, STANCE) for foot in FEET]
    q, joints = STANCE.copy(), []
    for gone in place:
        for i, (foot, at) in enumerate(zip(FEET, starts, strict=True)):
            q[3 * i : 3 * i + 3] = _rolled(robot, foot, q, at, gone, RADIUS)[3 * i : 3 * i + 3]
        joints.append(q.copy())
    return Rolled(place, speed, pull, np.array(joints))


@pytest.mark.parametrize("known", [True, False])
def test_feet_that_are_balls_roll(robot: Any, rolled: Rolled, known: bool) -> None:
    estimator = robot.base_estimator(foot_radius=RADIUS if known else 0.0)
    still(estimator, 0.2)
    for q, pull in zip(rolled.q, rolled.pull, strict=True):
        felt = UP + np.array([pull, 0.0, 0.0])
        found = still(estimator, q=q, cycle=CYCLE, linear_acceleration=felt)
    error = abs(found.position[0] - WAY)
    assert error < 3e-4 if known else error > 3e-3


def test_what_is_known_of_a_robot_on_balls(robot: Any, rolled: Rolled) -> None:
    """Its errors are as large as its covariance says, where encoders are noisy: in 24 runs the mean
    of their normalised squares is within 99.9 %.
    """
    runs = 24
    squares = [_square(robot, rolled, 300, np.random.default_rng(seed)) for seed in range(runs)]
    low, high = chi2.ppf([5e-4, 1.0 - 5e-4], 9 * runs) / runs
    assert low < np.mean(squares) < high


def _square(robot: Any, rolled: Rolled, cycles: int, random: np.random.Generator) -> float:
    """The normalised square of the errors after some cycles, of sensors as the settings say."""
    encoder, biases = 1e-3, {"gyroscope_bias": 0.0175, "accelerometer_bias": 0.05}
    exact = {"foot_position_noise": 1e-6, "foot_creep": 0.0, "joint_position_noise": encoder}
    estimator = robot.base_estimator(**SHEET, **biases, **exact, foot_radius=RADIUS)
    gyroscope, accelerometer = (size * random.normal(size=3) for size in biases.values())
    densities = [density / np.sqrt(CYCLE) for density in SHEET.values()]

    def measure(q: Array, pull: float) -> Any:
        return still(
            estimator,
            q=q + encoder * random.normal(size=12),
            cycle=CYCLE,
            angular_velocity=gyroscope + densities[0] * random.normal(size=3),
            linear_acceleration=UP
            + [pull, 0.0, 0.0]
            + accelerometer
            + densities[1] * random.normal(size=3),
        )

    level = np.zeros(3)
    for _ in range(100):
        found = measure(STANCE, 0.0)
        if abs(found.position[0]) < 1e-12:
            level[2] = found.position[2]  # the world begins with it
    for k in range(cycles):
        found = measure(rolled.q[k], rolled.pull[k])
    there = level + np.array([rolled.place[k], 0.0, 0.0])
    believed = Rotation.from_quat(found.orientation)
    turn, speed = believed.as_rotvec(), np.array([rolled.speed[k], 0.0, 0.0])
    velocity = believed.apply(found.base_velocity[3:]) - speed + np.cross(speed, turn)
    error = np.concatenate([turn, velocity, found.position - there + np.cross(there, turn)])
    return float(error @ np.linalg.solve(estimator.covariances()["filter"][:9, :9], error))


def test_where_the_imu_is_is_told_by_a_mean(robot: Any) -> None:
    """One reading that is right does not let it begin for good; some that are off do not end it."""

    def leaning(angle: float) -> Array:
        up: Array = Rotation.from_rotvec([angle, 0.0, 0.0]).apply(UP)
        return up

    estimator = robot.base_estimator()
    assert still(estimator, linear_acceleration=leaning(0.3)).known
    found = still(estimator, 0.05, linear_acceleration=leaning(1.2))
    assert not found.known
    assert found.faults == ("imu_misplaced",)
    assert found.imu_angle == pytest.approx(1.2, abs=0.04)
    estimator = robot.base_estimator()
    for angle in 25 * (-0.2, 0.0, 0.9, 1.2):
        assert still(estimator, linear_acceleration=leaning(angle)).known
    assert still(estimator, 0.2, linear_acceleration=leaning(1.2)).known  # it has begun


def test_a_reading_counts_for_its_period_where_a_cycle_is_late(robot: Any) -> None:
    """A hit of a millisecond is none of twenty; the velocity is less known after that time."""
    late, hit = 0.02, np.array([50.0, 0.0, 9.81])
    found, spread = [], []
    for cycle in (STEP, late):
        estimator = robot.base_estimator()
        still(estimator, 0.3)
        found.append(still(estimator, cycle=cycle, linear_acceleration=hit, q=np.full(12, np.nan)))
        spread.append(np.sqrt(np.diagonal(estimator.covariances()["twist"])))
    gained = [estimate.base_velocity[3] for estimate in found]
    assert gained == pytest.approx([STEP * hit[0]] * 2, rel=0.1)
    assert (spread[1][:3] > 3.0 * spread[0][:3]).all()


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


def test_feet_of_a_robot_that_is_held_share_its_weight(robot: Any) -> None:
    """In the air they feel nothing."""
    ground = robot.ground(plane_normal=[0.1, 0.0, 1.0])
    low = min(robot.transform("base_link", name, STANCE)[2, 3] for name in FEET)
    turn = Rotation.from_rotvec([0.0, math.atan(0.1), 0.0])
    for height, share in ((0.0, 0.25), (0.1, 0.0)):
        place = turn.apply([0.0, 0.0, height - low])
        ground.place(STANCE, position=place, orientation=turn.as_quat())
        wanted = np.tile([0.0, 0.0, share * 9.81 * robot.total_mass()], (4, 1))
        assert ground.forces == pytest.approx(wanted, rel=1e-3)


def test_false_contacts_are_as_often_as_asked_and_never_where_nothing_touches(robot: Any) -> None:
    ground = robot.ground(false_contacts=0.1)
    low = min(robot.transform("base_link", name, STANCE)[2, 3] for name in FEET)
    ground.place(STANCE, position=[0.0, 0.0, 0.3 - low])
    ground.advance(np.zeros(12), STEP)
    assert not ground.forces.any()
    loop = _trotting(robot, ground, None, low)  # which knows what touches
    false: dict[bool, list[bool]] = {True: [], False: []}
    for _ in range(2000):
        loop.run(STEP, steps=True)
        for force, truth in zip(ground.forces, ground.wrenches[:, 3:], strict=True):
            false[bool(truth.any())].append(bool(force.any()) != bool(truth.any()))
    for touching in false.values():
        n = len(touching)
        assert n > 500
        assert np.mean(touching) == pytest.approx(0.1, abs=4.0 * np.sqrt(0.1 * 0.9 / n))


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_updates_run_where_allocating_aborts(robot: Any, tmp_path: Path) -> None:
    """At rest, in motion, with feet that slip and readings that are NaN."""
    program, library = tmp_path / "no_allocation", core_library("base_estimator", 12, 4)
    source = Path(__file__).parent / "cpp" / "no_allocation.c"
    includes = f"-I{include_directory()}"
    command = ["cc", "-std=gnu99", includes, source, "-o", program, "-ldl", "-lm"]
    subprocess.run(command, check=True)
    given = [program, library._name, robot.library_path, SYMBOL]
    done = subprocess.run(given, capture_output=True, text=True, check=True)
    assert 4900 < int(done.stdout.split()[0]) <= 5000


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"gyroscope_noise": 0.0}, "gyroscope_noise: expected 1e-09 to 1, found 0"),
        ({"foot_creep": -1.0}, "foot_creep: expected 0 to 10, found -1"),
        ({"imu_frame": "lf_foot"}, "imu_frame: 'lf_foot' is no frame of the base link"),
        ({"imu_frame": "trnk"}, "'trnk' is no frame of the base link; did you mean 'trunk'"),
        ({"imu_frame": 3}, "imu_frame: '3' is no frame"),
        ({"foot_radius": 2.0}, "foot_radius: expected 0 to 1, found 2"),
        ({"greatest_imu_angle": 4.0}, "greatest_imu_angle: expected 0.01 to 3.2, found 4"),
    ],
)
def test_settings_out_of_range(robot: Any, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(RobcogenError, match=said):
        robot.base_estimator(**settings)


def test_a_text_is_no_number(robot: Any) -> None:
    """Its characters are not taken for the bits of one."""
    with pytest.raises(TypeError, match=r"friction: expected numbers, found the text '0\.5'"):
        robot.ground(friction="0.5")
