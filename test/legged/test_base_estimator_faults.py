"""Readings that are missing or wrong: each fault of an estimator of HyQ's base."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from robcogen_ros.runtime.compiling.toolchain import proxsuite_directory
from test.legged.at_rest import UP, still
from test.support.fault_table import fault, held_lines, table_lines
from test.support.hyq import STANCE, hyq

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(proxsuite_directory() is None, reason="proxsuite is not installed"),
]
PAGE = Path(__file__).parents[2] / "docs" / "state_estimation.md"


@pytest.fixture(scope="module")
def robot() -> Any:
    return hyq()


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


@pytest.mark.parametrize("size", [1e3, 1e6, 1e200])
@pytest.mark.parametrize("name", ["angular_velocity", "linear_acceleration"])
def test_a_reading_that_no_imu_has_is_none(robot: Any, name: str, size: float) -> None:
    estimator = robot.base_estimator()
    before = still(estimator, 0.5)
    assert still(estimator, **{name: [size, 0.0, 9.81]}).faults == ("imu_missing",)
    after = still(estimator, 1.0)
    assert after.faults == ()
    assert after.base_velocity == pytest.approx(np.zeros(6), abs=1e-3)
    assert after.position == pytest.approx(before.position, abs=1e-3)
    assert after.orientation == pytest.approx(before.orientation, abs=1e-3)


@pytest.mark.parametrize(("lasts", "slips"), [(3e-3, False), (0.1, True)])
def test_feet_tell_a_velocity_that_an_imu_got_wrong(robot: Any, lasts: float, slips: bool) -> None:
    """A sensor that is stuck at 300 m/s² for 0.1 s throws the estimate to 30 m/s; feet slip."""
    estimator = robot.base_estimator()
    still(estimator, 0.5)
    found = still(estimator, lasts, linear_acceleration=[300.0, 0.0, 9.81])
    assert (found.slips > 0) == slips
    found = still(estimator, 3.0)
    assert found.faults == ()
    assert Rotation.from_quat(found.orientation).magnitude() < 0.02
    spread = np.sqrt(np.diag(estimator.covariances()["twist"]))[:3]
    assert np.linalg.norm(found.base_velocity[3:]) < 0.2
    assert (np.abs(found.base_velocity[3:]) < 4.0 * spread).all()


def test_feet_touch_by_their_names_or_by_flags(robot: Any) -> None:
    estimator = robot.base_estimator()
    still(estimator, 0.5)
    feet = list(robot.contacts)
    assert still(estimator, 0.6, closed=feet[:2]).faults == ()
    assert still(estimator, 0.6, closed=[False] * 4).faults == ("no_feet",)
    for wrong in ([math.nan, 1.0, 1.0, 1.0], [2, 1, 1, 1]):
        with pytest.raises(ValueError, match=r"^closed: expected 0 and 1 only, found \["):
            still(estimator, closed=wrong)


@fault("`joints_missing`", "`time_not_forwards`")
@pytest.mark.parametrize(
    ("given", "what"),
    [({"q": np.degrees(STANCE)}, "joints_missing"), ({"cycle": 1.0}, "time_not_forwards")],
)
def test_units_that_are_others_are_told_at_the_start(
    robot: Any, given: dict[str, Any], what: str
) -> None:
    """Degrees, and milliseconds; once it has begun, a second without a call may pass."""
    found = still(robot.base_estimator(), **given)
    assert not found.known
    assert found.faults == (what,)
    estimator = robot.base_estimator()
    still(estimator, 0.5)
    assert what not in still(estimator, **given).faults


@fault("`joints_missing`")
def test_no_joints(robot: Any) -> None:
    estimator = robot.base_estimator()
    assert not still(estimator, q=None).known
    start = still(estimator, 0.1)
    found = still(estimator, 0.1, q=np.full(12, np.nan))
    assert found.faults == ("joints_missing",)
    assert found.position == pytest.approx(start.position, abs=1e-3)


@fault("`time_not_forwards`")
@pytest.mark.parametrize("cycle", [0.0, -1e-3, 1001.0, math.nan, math.inf])
def test_time_that_goes_back(robot: Any, cycle: float) -> None:
    estimator = robot.base_estimator()
    before = still(estimator, 0.1)
    after = still(estimator, cycle=cycle, linear_acceleration=[5.0, 0.0, 9.81])
    assert after.faults == ("time_not_forwards",)
    assert (after.position == before.position).all()
    assert (after.base_velocity == before.base_velocity).all()


@fault("`not_at_rest`")
@pytest.mark.parametrize(
    "reading",
    [
        {"angular_velocity": [0.0, 0.3, 0.0]},
        {"linear_acceleration": UP / 9.81},
        {"linear_acceleration": [0.4, 0.0, -0.3]},
    ],
)
def test_a_robot_that_moves(robot: Any, reading: dict[str, Any]) -> None:
    """It is waited for, and nothing is said of where the IMU is; one that has begun goes on."""
    estimator = robot.base_estimator()
    found = still(estimator, **reading)
    assert not found.known
    assert found.faults == ("not_at_rest",)
    assert still(estimator).known
    assert still(estimator, **reading).known


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
    """At the start it is waited for one; later the IMU alone has the base."""
    estimator = robot.base_estimator()
    found = still(estimator, 0.3, closed=np.zeros(4))
    assert not found.known
    assert found.faults == ("no_feet",)
    one = still(estimator, closed=[0, 1, 0, 0])
    assert one.known and one.faults == ()
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


def test_each_line_of_the_page_has_a_test() -> None:
    """The table of faults is all that can happen."""
    lines = table_lines(PAGE, "| fault | what is wrong | what is done |")
    assert held_lines(globals()) == lines


def test_feet_that_are_no_mask_are_refused_by_name(robot: Any) -> None:
    with pytest.raises(ValueError, match=r"^closed: unknown contact 'a foot'"):
        still(robot.base_estimator(), closed=["a foot"] * 4)
    with pytest.raises(ValueError, match=r"^closed: expected shape"):
        still(robot.base_estimator(), closed=[True] * 3)
