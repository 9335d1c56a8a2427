"""HyQ stands, trots, walks and answers pushes on the simulated ground."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from robcogen_ros.bench import standing as standing_bench
from robcogen_ros.control.legged_loop import LeggedLoop
from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.compiling.toolchain import proxsuite_directory
from robcogen_ros.runtime.objects import Fault
from robcogen_ros.runtime.whole_body import Motion
from robcogen_ros.standing.footing import find_footing
from robcogen_ros.standing.posture import Posture
from test.drivers.on_slopes import on_slope
from test.support.hyq import FEET, hyq
from test.support.hyq import STANCE as POSTURE
from test.support.robots import robot_path

Array = NDArray[np.float64]
TROT = {"period": 0.5, "duty": 0.55, "phases": dict(zip(FEET, (0.0, 0.5, 0.5, 0.0), strict=True))}
WALK = {"period": 4.0, "duty": 0.9, "phases": dict(zip(FEET, (0.25, 0.75, 0.0, 0.5), strict=True))}
MASS, FRICTION = 86.8, 0.7

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(proxsuite_directory() is None, reason="proxsuite is not installed"),
]


@pytest.fixture(scope="module")
def robot() -> Any:
    return hyq()


def height(robot: Any, q: Array) -> float:
    """Height of the base above the feet."""
    return -min(float(robot.transform("base_link", name, q)[2, 3]) for name in FEET)


def standing(robot: Any, gait: dict[str, Any], q: Array = POSTURE) -> LeggedLoop:
    """The robot at rest on all feet."""
    ground = robot.ground(friction=FRICTION)
    ground.place(q, position=[0.0, 0.0, height(robot, q)])
    gait = {"posture": POSTURE, **gait}
    friction = {"friction": FRICTION, "trusted": 0.7 * FRICTION}
    return LeggedLoop(robot, ground, **friction, gait=gait, posture=POSTURE)


def test_it_stands_still(robot: Any) -> None:
    loop = standing(robot, TROT)
    start = loop.world.position
    loop.run(2.0)
    assert loop.rests
    assert np.abs(loop.world.position - start).max() < 0.06
    assert loop.tilt < 0.01
    assert loop.slack > -1e-6
    assert loop.world.counters["unsettled"] == 0


def test_it_rises_from_a_crouch_without_a_jump(robot: Any) -> None:
    loop = standing(robot, TROT, 1.4 * POSTURE)
    for _ in range(150):
        loop.run(0.01)
        assert loop.world.touches.all()
    assert loop.world.position[2] == pytest.approx(height(robot, POSTURE), abs=0.01)
    assert not loop.stepping and loop.tilt < 0.02


def test_it_trots_with_diagonal_feet_and_stops(robot: Any) -> None:
    loop = standing(robot, TROT)
    loop.run(2.0, steps=True, velocity=[0.3, 0.0])
    stood = np.array(loop.stood)
    assert (stood[:, 0] == stood[:, 3]).mean() > 0.95
    assert (stood[:, 1] == stood[:, 2]).mean() > 0.95
    assert (stood[:, :2].sum(axis=1) >= 1).all()
    assert not stood.all(axis=1)[500:].all()
    assert loop.world.position[0] > 0.3
    assert loop.tilt < 0.05
    loop.run(2.0)
    assert loop.rests
    assert not loop.stepping


def test_feet_of_a_trot_by_its_name_come_down_with_a_speed(robot: Any) -> None:
    """None comes to rest above the ground, where the others would wait for it."""
    loop = standing(robot, TROT)
    state = {n: getattr(loop.world, n) for n in ("q", "position", "orientation", "base_velocity")}
    gait = robot.gait(posture=POSTURE, name="trot")
    gait.start(**state, qd=np.zeros(12))
    seen: list[Any] = []
    while len(seen) < 50 or seen[-1].position[2] > seen[0].position[2]:
        reference = gait.update(
            **state, qd=np.zeros(12), closed=np.full(4, not seen), cycle=1e-3, steps=True
        )
        seen += list(reference.swing.values())[:1]
    speed = 0.06 * np.sqrt(9.81 * height(robot, POSTURE))
    assert seen[-1].linear_velocity[2] == pytest.approx(-speed, rel=0.1)


def test_it_turns_as_it_trots(robot: Any) -> None:
    loop = standing(robot, TROT)
    loop.run(3.0, steps=True, yaw_rate=0.3)
    assert np.arctan2(loop.turn[1, 0], loop.turn[0, 0]) == pytest.approx(0.9, abs=0.15)
    assert loop.tilt < 0.05


def test_it_walks_with_one_foot_in_the_air(robot: Any) -> None:
    loop = standing(robot, WALK)
    loop.run(6.0, steps=True, velocity=[0.1, 0.0])
    stood = np.array(loop.stood)
    assert (stood.sum(axis=1) >= 3).all()
    assert (~stood).any(axis=0).all()
    assert loop.world.position[0] > 0.3
    assert loop.tilt < 0.05


@pytest.mark.parametrize(("direction", "steps"), [((1.0, 0.0), False), ((0.0, 1.0), True)])
def test_it_survives_a_push(robot: Any, direction: tuple[float, float], steps: bool) -> None:
    """Along its length on all feet, sideways by steps."""
    loop = standing(robot, TROT)
    impulse = 1.1 * MASS * np.array([*direction, 0.0])

    def push(time: float) -> Array:
        return impulse / 0.1 if time < 0.1 else np.zeros(3)

    loop.run(5.0, push=push)
    assert np.array(loop.stood).all() != steps
    assert loop.tilt < np.pi / 6
    assert loop.rests


def test_the_bench_tells_how_a_robot_stands_and_which_pushes_it_survives(robot: Any) -> None:
    """Pushed: with its feet where they are, it survives what its support polygon can stop."""
    path = robot_path("hyq_description/robots/hyq_no_sensors.urdf")
    low = min(robot.transform("base_link", name, POSTURE)[2, 3] for name in FEET)
    feet = find_footing(path)
    posture = Posture(POSTURE, max(feet.radii.values(), default=0.0) - low)
    subject = standing_bench.Subject("HyQ", path, robot, feet, posture, MASS, "trot")
    stood = standing_bench.stand(subject, subject.on_ground(), 1.0)
    assert stood.seconds == pytest.approx(1.0)
    assert stood.position < 1e-3
    assert stood.angle < 1e-3
    assert stood.friction.max() < 1.0
    assert 0.0 < stood.effort < 1.0
    assert standing_bench.survives(subject, np.array([0.0, 0.2 * MASS, 0.0]), "standing")
    assert not standing_bench.survives(subject, np.array([0.0, 5.0 * MASS, 0.0]), "standing")


def test_open_parameters_are_those_of_ground_controller_and_gait(robot: Any) -> None:
    """Ten kilograms more on the trunk are on the feet, and it stands and trots with them."""
    heavier = copy(robot)
    heavier.parameters["trunk.mass"] += 10.0
    assert heavier.total_mass() == pytest.approx(robot.total_mass() + 10.0)
    loop = standing(heavier, TROT)
    start = loop.world.position
    loop.run(1.0)
    pressed = loop.world.wrenches[:, 5].sum()
    assert pressed == pytest.approx(9.81 * heavier.total_mass(), rel=1e-3)
    assert loop.world.position[2] == pytest.approx(start[2], abs=2e-3)
    loop.run(1.0, steps=True)
    assert loop.tilt < 0.05
    lighter = robot.ground(friction=FRICTION)
    lighter.place(POSTURE, position=start)
    lighter.advance(np.zeros(12), 1e-3)
    assert lighter.wrenches[:, 5].sum() < pressed


def test_a_gait_does_not_depend_on_where_the_world_begins_and_how_it_is_turned(robot: Any) -> None:
    """Pushed about as it steps on the spot, in a world 2 m higher that is turned by 2 rad."""
    away, angle = np.array([3.0, -1.0, 2.0]), 2.0
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    low = min(robot.transform("base_link", name, POSTURE)[2, 3] for name in FEET)
    one, other = (robot.gait(posture=POSTURE, **TROT) for _ in range(2))
    state = {"base_velocity": np.zeros(6), "qd": np.zeros(12)}
    for cycle in range(400):
        sway = 0.03 * np.array([np.sin(0.02 * cycle), np.cos(0.03 * cycle) - 1.0, 0.0])
        state["base_velocity"] = np.array([0.0, 0.0, 0.0, *(10 * sway)])
        places: dict[Any, dict[str, Any]] = {
            one: {"position": sway - [0, 0, low], "orientation": [0, 0, 0, 1]},
            other: {
                "position": np.add([*(turn @ sway[:2]), -low], away),
                "orientation": [0, 0, np.sin(angle / 2), np.cos(angle / 2)],
            },
        }
        if cycle == 0:
            for gait, place in places.items():
                gait.start(POSTURE, **state, **place)
        here, there = (
            gait.update(POSTURE, **state, **place, closed=np.zeros(4), cycle=2e-3, steps=True)
            for gait, place in places.items()
        )
        assert here.swing.keys() == there.swing.keys()
        pairs = [(here.trunk, there.trunk), *((here.swing[f], there.swing[f]) for f in here.swing)]
        for a, b in pairs:
            at = np.array([*(turn @ a.position[:2]), a.position[2]])
            np.testing.assert_allclose(b.position, at + away, atol=1e-9)
            for name in ("linear_velocity", "linear_acceleration"):
                x, y, z = getattr(a, name)
                expected = [*(turn @ [x, y]), z]
                np.testing.assert_allclose(getattr(b, name), expected, atol=1e-7)
    assert here.swing


def test_joints_keep_their_limits_where_there_are_no_stops(robot: Any) -> None:
    """The trunk is asked up by more than legs are long: knees stretch as far as they may."""
    ground = robot.ground(friction=FRICTION, stops=False)
    low = min(robot.transform("base_link", name, POSTURE)[2, 3] for name in FEET)
    ground.place(POSTURE, position=[0.0, 0.0, -low])
    friction = {"friction": FRICTION, "trusted": 0.7 * FRICTION}
    loop = LeggedLoop(robot, ground, **friction, posture=POSTURE)
    most = -np.inf
    for height in np.linspace(0.0, 0.3, 16) - low:
        held = Motion((0.0, 0.0, height))
        loop.run(0.1, trunk=lambda _, held=held: held)
        beyond = np.maximum(ground.q - robot.upper_limits, robot.lower_limits - ground.q)
        most = max(most, float(beyond.max()))
    assert -5e-3 < most < 2e-3
    assert loop.faults["position_limits"] > 0
    assert ground.touches.all()


def test_a_trot_goes_uphill_and_stops(robot: Any) -> None:
    """On a slope of 8 degrees as far as on the level, and nowhere on the spot."""
    slope = np.radians(8.0)
    went = []
    for speed in (0.0, 0.3):
        loop = on_slope(robot, POSTURE, slope, "trot")
        start = loop.world.position
        loop.run(2.0, steps=True, velocity=[speed, 0.0])
        went.append(loop.world.position - start)
        loop.run(1.0)
        assert not loop.stepping
    assert np.linalg.norm(went[0]) < 0.02
    assert went[1][0] == pytest.approx(0.6, abs=0.1)
    assert went[1][2] == pytest.approx(went[1][0] * np.tan(slope), abs=0.02)


@pytest.mark.parametrize(
    ("settings", "error", "said"),
    [
        ({"duty": 1.5}, Fault, "duty: expected more than 0, at most 1, found 1.5"),
        ({"period": 0.0}, Fault, "period: expected more than 0, at most 5, found 0"),
        ({"period": 61.0}, Fault, "period: "),
        ({"name": "trot", "swing_height": 11.0}, Fault, "swing_height: expected 0 to 1, found 11"),
        ({"swing_height": -0.1}, Fault, "swing_height: "),
        ({"sinking_speed": 11.0}, Fault, "sinking_speed: "),
        ({"longest_step": 11.0}, Fault, "longest_step: "),
        ({"balance": -3.0}, Fault, "balance: expected 0 to 100, found -3"),
        ({"balance": 101.0}, Fault, "balance: "),
        ({"polygon_share": 0.0}, Fault, "polygon_share: "),
        ({"settled": np.nan}, Fault, "settled: "),
        ({"settled": 11.0}, Fault, "settled: "),
        ({"last_correction": 1.1}, Fault, "last_correction: "),
        ({"early_contact": 1.1}, Fault, "early_contact: "),
        ({"touch_down_speed": 11.0}, Fault, "touch_down_speed: "),
        ({"apart": 1.1}, Fault, "apart: "),
        ({"gravity": (0.0, 0.0, 9.81)}, Fault, "gravity: .* downwards"),
        ({"ground_normal": (0.0, 0.0, -1.0)}, Fault, "ground_normal: .* upwards"),
        ({"posture": 1e6 * POSTURE}, Fault, "posture: expected numbers from -1000 to 1000"),
        ({"name": "trot", "posture": np.nan * POSTURE}, Fault, "posture: "),
        ({"soles": {FEET[0]: np.full((4, 3), np.nan)}}, Fault, "soles: "),
        ({"phases": dict.fromkeys(FEET, 1.0)}, Fault, "phases: "),
        ({"phases": dict.fromkeys(FEET, 0.0), "duty": 0.55}, Fault, "any time, found 0.55 and "),
        ({"name": "trot", "duty": 0.4}, Fault, "duty and phases: .* any time, found 0.4$"),
        ({"period": 0.09}, RobcogenError, "period: expected 0.1 s or more, found 0.09"),
        ({"name": "trot", "period": 0.09}, RobcogenError, "period: "),
        ({"name": "walk", "duty": 0.79}, RobcogenError, "duty: expected 0.8 or more of a walk"),
        ({"phases": [0.0, 0.5, 0.5, 0.0]}, TypeError, "phases: expected a dictionary by contact"),
        ({"phases": {FEET[0]: 0.0}}, ValueError, "contact '.*' has none"),
        ({"phases": {"LG": 0.0}}, ValueError, "phases: 'LG' is no contact"),
    ],
)
def test_settings_that_are_none_are_refused_where_they_are_given(
    robot: Any, settings: Any, error: Any, said: str
) -> None:
    with pytest.raises(error, match=said):
        robot.gait(**{"posture": POSTURE, **settings})


@pytest.mark.parametrize(
    "wrong",
    [
        *({"cycle": np.nan}, {"cycle": np.inf}, {"cycle": -0.001}, {"yaw_rate": np.nan}),
        *({"velocity": (np.nan, 0.0)}, {"velocity": (0.0, np.inf)}, {"orientation": np.zeros(4)}),
    ],
)
def test_numbers_that_are_none_are_refused_and_leave_the_gait_as_it_is(
    robot: Any, wrong: Any
) -> None:
    state = {"position": [0, 0, 0.6], "orientation": [0, 0, 0, 1], "base_velocity": np.zeros(6)}
    now = {**state, "q": POSTURE, "qd": 0 * POSTURE}
    gait, other = (robot.gait(posture=POSTURE, **TROT) for _ in range(2))
    good = {**now, "closed": np.ones(4), "cycle": 0.004, "steps": True, "velocity": (0.1, 0.0)}
    for each in (gait, other):
        each.start(**now)
    with pytest.raises(Fault, match="finite numbers, a quaternion that is not zero and a cycle"):
        gait.update(**{**good, **wrong})
    for _ in range(200):
        found, expected = gait.update(**good), other.update(**good)
    np.testing.assert_array_equal(found.trunk.numbers(), expected.trunk.numbers())
    assert found.swing.keys() == expected.swing.keys()


def test_an_imu_is_on_the_base_and_a_trunk_is_told_as_a_motion(robot: Any) -> None:
    with pytest.raises(RobcogenError, match=f"imu_frame: '{FEET[0]}' is no frame of the base"):
        robot.ground(imu_frame=FEET[0])
    state = {"position": [0, 0, 0.6], "orientation": [0, 0, 0, 1], "base_velocity": np.zeros(6)}
    now = {**state, "q": POSTURE, "qd": 0 * POSTURE}
    with pytest.raises(TypeError, match=r"trunk: expected a Motion, found \(0, 0, 0.3\)"):
        robot.whole_body_controller().compute(**now, trunk=(0, 0, 0.3), posture=POSTURE)


def test_a_gait_starts_in_no_state_that_is_none(robot: Any) -> None:
    state = {"position": [0, 0, 0.6], "orientation": np.zeros(4), "base_velocity": np.zeros(6)}
    now, gait = {**state, "q": POSTURE, "qd": 0 * POSTURE}, robot.gait(posture=POSTURE, **TROT)
    with pytest.raises(Fault, match="a quaternion that is not zero"):
        gait.start(**now)
    cycle = {"closed": np.ones(4), "cycle": 0.004, "steps": True}
    with pytest.raises(Fault, match="a quaternion that is not zero"):
        gait.update(**now, **cycle)
    now["orientation"] = [0, 0, 0, 1]
    assert [gait.update(**now, **cycle) for _ in range(2)][1].stepping  # from where it is


def test_a_state_with_parts_missing_is_refused(robot: Any) -> None:
    state = {"position": [0, 0, 1], "orientation": [0, 0, 0, 1], "base_velocity": np.zeros(6)}
    with pytest.raises(TypeError, match="missing arguments: qd"):
        robot.gait(posture=POSTURE).start(POSTURE, **state)
