"""The whole-body controller in C++: its first message, soles and normals that cannot be."""

from __future__ import annotations

import numpy as np
import pytest

from test.control.cpp_legged import JOINTS, Loop, World
from test.support.fault_table import fault

pytestmark = pytest.mark.slow
TRUNK = "trunk/position"


def without_base(readings):
    """Readings as if nothing had told where the base is."""
    base = ("base_position", "orientation", "linear_velocity", "angular_velocity")
    return {name: np.full_like(r, np.nan) if name in base else r for name, r in readings.items()}


@pytest.mark.parametrize("late", [9, 20])
def test_first_odometry_may_take_as_long_as_it_may_be_old(legged_library, world, late):
    """At 100 Hz and 1 kHz it comes up to ten cycles after activation, which forgets others."""
    loop = Loop(legged_library, base_state="topic", base_state_timeout=0.02)
    readings = world.readings()
    for _ in range(late):
        reply = loop.update(without_base(readings))
        assert reply.condition == "stale"
        assert not reply.efforts.any()
    assert loop.update(readings).condition == "normal"
    for _ in range(5):
        assert loop.update(without_base(readings)).condition == "stale"
    assert loop.update(without_base(readings)).condition == "lost"


@pytest.mark.parametrize(("source", "cycles"), [("topic", 26), ("interfaces", 6)])
def test_base_that_is_never_told_ends_control(legged_library, world, source, cycles):
    loop = Loop(legged_library, base_state=source, base_state_timeout=0.0201)
    readings = without_base(world.readings())
    said = [loop.update(readings).condition for _ in range(cycles)]
    assert said == ["stale"] * (cycles - 1) + ["lost"]


@pytest.mark.parametrize("parameters", ["ground_normal=[0, 0, -1]", "gravity=[0, 0, 9.81]"])
def test_ground_above_the_robot_is_refused(legged_library, parameters):
    said = legged_library.refusal(parameters.encode()).decode()
    expected = "finite lengths, and the normal against gravity"
    assert said == f"gravity and ground_normal: expected {expected}"


@pytest.mark.parametrize("length", [0.5, 2.0])
def test_trunk_keeps_its_orientation_where_the_quaternion_is_none(legged_library, world, length):
    """A request of another length tells a place, but no orientation."""
    loop, place = Loop(legged_library), world["trunk/position"]
    turned = np.array([np.sin(0.1), 0.0, 0.0, np.cos(0.1)])
    level = {"trunk/position": place}
    told = {**level, "trunk/orientation": length * turned}
    without = loop.update(world.readings(), level).efforts
    np.testing.assert_allclose(loop.update(world.readings(), told).efforts, without, atol=1e-3)
    told["trunk/orientation"] = turned
    assert np.abs(loop.update(world.readings(), told).efforts - without).max() > 0.3


@fault(
    "position of the base jumps by more than 2 cm from where its velocity leads, or its heading by "
    "more than 0.05 rad"
)
@pytest.mark.parametrize(
    ("jump", "turn"), [((0.0, 0.0, 0.05), 0.0), ((0.5, -0.3, 0.0), 0.0), ((0.0, 0.0, 0.0), -0.4)]
)
def test_robot_stays_where_the_estimate_of_its_place_jumps(legged_library, world, jump, turn):
    """The same efforts as without a jump; a reference in the world is followed there."""
    loop, other, place = Loop(legged_library), Loop(legged_library), world["trunk/position"]
    c, s = np.cos(turn), np.sin(turn)
    rotation = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

    def there(position):
        return rotation @ position + np.array(jump)

    def told():
        readings = world.readings()
        x, y, z, w = readings["orientation"]
        c, s = np.cos(turn / 2), np.sin(turn / 2)
        turned = np.array([c * x - s * y, c * y + s * x, c * z + s * w, c * w - s * z])
        return {
            **readings,
            "base_position": there(readings["base_position"]),
            "orientation": turned,
        }

    for cycle in range(60):
        readings = world.readings()
        reply = loop.update(told() if cycle > 20 else readings)
        expected = other.update(readings)
        np.testing.assert_allclose(reply.efforts, expected.efforts, atol=1e-2)
        assert not world.advance(reply.efforts)
    goal = place + np.array([0.0, 0.0, 0.01])
    reply = loop.update(told(), {TRUNK: there(goal)})
    expected = other.update(world.readings(), {TRUNK: goal})
    np.testing.assert_allclose(reply.efforts, expected.efforts, atol=0.1)


def test_steps_of_a_moving_base_are_no_jumps(legged_library, world):
    """At 3 m/s odometry of 50 Hz moves by 6 cm at a time; a trunk that is told to stay is moved.

    Whichever way the robot heads.
    """
    readings = world.readings()
    start = readings["base_position"]
    loops = [Loop(legged_library, base_state="topic") for _ in range(2)]
    for cycle in range(110):
        replies, moved = [], 0.06 * (cycle // 20)
        for loop, heading in zip(loops, (0.0, 2.0), strict=True):
            told = {
                "base_position": start + moved * np.array([np.cos(heading), np.sin(heading), 0.0]),
                "orientation": np.array([0.0, 0.0, np.sin(heading / 2), np.cos(heading / 2)]),
                "linear_velocity": np.array([3.0, 0.0, 0.0]),
            }
            replies.append(loop.update({**readings, **told}))
            assert ("reference_out_of_reach" in replies[-1].faults) == (moved > 0.2)
            assert replies[-1].position == pytest.approx(start)
        np.testing.assert_allclose(replies[0].efforts, replies[1].efforts, atol=1e-6)
    stopped = loops[0].update(readings | {"base_position": start + np.array([0.36, 0.0, 0.0])})
    assert stopped.condition == "normal"


def test_a_robot_stands_on_what_its_imu_joints_and_feet_tell(legged_library):
    """Nothing else tells where its base is; the IMU is noisy and has biases."""
    noise = "gyroscope_noise=0.00025", "accelerometer_noise=0.0019", "force_noise=0.5"
    biases = "gyroscope_bias=[0.01, -0.01, 0.01]", "accelerometer_bias=[0.03, 0.03, 0.03]"
    world = World(legged_library, parameters=(*noise, *biases))
    loop = Loop(legged_library, base_state="estimator")
    start = world["trunk/position"]
    for cycle in range(300):  # in the first no foot bears it, and it falls: it is not at rest
        reply = loop.update(without_base(world.readings()))
        assert reply.condition == "normal" or cycle < 2
        assert world.advance(reply.efforts) == ""
    np.testing.assert_allclose(world["trunk/position"], start, atol=0.01)
    assert np.abs(world["trunk/linear_velocity"]).max() < 0.02


def test_an_imu_that_measures_in_another_frame_ends_control(legged_library, world):
    """Its axes are turned by a right angle: efforts stay zero, and the controller fails."""
    loop = Loop(legged_library, base_state="estimator")
    readings = without_base(world.readings())
    readings["imu_acceleration"] = np.array([9.81, 0.0, 0.0])
    replies = [loop.update(readings) for _ in range(6)]
    assert [reply.condition for reply in replies] == ["stale"] * 5 + ["lost"]
    assert not any(reply.efforts.any() for reply in replies)


@pytest.mark.parametrize("frame", ["lf", "nowhere"])
def test_an_imu_on_no_frame_of_the_base_is_refused(legged_library, frame):
    said = legged_library.refusal(f"base_state=estimator;imu_frame={frame}".encode()).decode()
    assert said == "imu_frame: expected a frame of the base link"


def lifting(cycle, base):
    """A request: the trunk goes back to the right, then the left front foot goes up by 4 cm."""
    request = {TRUNK: base + min(1.0, cycle / 400) * np.array([-0.06, -0.04, 0.0])}
    if 500 <= cycle < 900:
        height = 0.02 * (1 - np.cos(2 * np.pi * (cycle - 500) / 400))
        request |= {"lf/stance": 0.0, "lf/position": [base[0] + 0.3, base[1] + 0.15, height]}
    return request


@pytest.mark.parametrize("every", [1200, 7])
def test_feet_without_sensors_are_felt_by_motion_and_efforts(legged_library, world, every):
    """Of a foot that lifts off and lands on the ground, the observer says so within 20 ms.

    Also where each seventh cycle has no states of the joints.
    """
    loop = Loop(legged_library, contact_source="observer")
    base, told, true = world["trunk/position"], [], []
    for cycle in range(1200):
        readings = world.readings()
        true.append(np.linalg.norm(readings["forces"], axis=1) > 0.0)
        if cycle % every == 1:
            readings |= {name: np.full(JOINTS, np.nan) for name in ("position", "velocity")}
        reply = loop.update(readings | {"forces": np.full((4, 3), np.nan)}, lifting(cycle, base))
        told.append(reply.closed)
        assert not world.advance(reply.efforts)
    told, true = np.array(told), np.array(true)
    assert true[:, 1:].all() and 300 < (~true[:, 0]).sum() < 600
    wrong = np.flatnonzero((told != true).any(axis=1))
    late = wrong[:, None] - np.flatnonzero(np.diff(true[:, 0]))
    assert ((late > 0) & (late <= 20)).any(axis=1).all()
