"""What a whole-body controller commands when something is wrong: each line of the page's table."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.whole_body import Command, Motion
from test.support.fault_table import fault, held_lines, table_lines
from test.support.hyq import FEET
from test.whole_body.conftest import STANDING, Stand

pytestmark = pytest.mark.slow
PAGE = Path(__file__).parents[2] / "docs" / "whole_body.md"
NAN = float("nan")


@fault("`state_not_finite`")
@pytest.mark.parametrize("what", ["q", "qd", "position", "orientation", "base_velocity"])
def test_state_that_is_no_number(stand: Stand, what: str) -> None:
    """The robot is held by the feet at the state before; without one no effort is given."""
    controller = stand.controller()
    broken = {what: np.full(np.shape(stand.state[what]), NAN)}
    first = stand.command(controller, **broken)
    assert first.faults == ("state_not_finite",)
    assert np.all(first.efforts == 0.0)
    before = stand.command(controller)
    after = stand.command(controller, **broken)
    assert after.faults == ("state_not_finite",)
    assert after.efforts == pytest.approx(before.efforts, abs=15.0)
    _holds(stand, after)


@fault("`reference_not_finite`")
def test_reference_that_is_no_number(stand: Stand) -> None:
    """The reference before is kept, at rest; without one the robot stays where it is."""
    wrong = {"trunk": Motion((NAN, 0, 0))}, {"wrenches": {"lf_foot": [0, 0, 0, NAN, 0, 0]}}
    for known, broken in product((False, True), wrong):
        controller = stand.controller()
        if known:
            moving = {"linear_velocity": (0, 0, 0.1), "linear_acceleration": (0, 0, 0.5)}
            stand.command(controller, trunk=Motion((0, 0, 0.01), **moving))
        command = stand.command(controller, **broken)
        assert command.faults == ("reference_not_finite",)
        assert command.accelerations[5] == pytest.approx(2.0 if known else 0.0, abs=0.1)


@fault("`reference_out_of_reach`")
def test_reference_that_is_far_away(stand: Stand) -> None:
    """It counts as if it were `greatest_distance` away."""
    settings = {"greatest_distance": 0.01}
    far = stand.command(stand.controller(**settings), trunk=Motion((0, 0, 5)))
    near = stand.command(stand.controller(**settings), trunk=Motion((0, 0, 0.01)))
    assert far.faults == ("reference_out_of_reach",)
    assert near.faults == ()
    assert far.efforts == pytest.approx(near.efforts, abs=1e-2)


@fault("`all_contacts_lost`")
def test_no_foot_touches_the_ground(stand: Stand) -> None:
    """Joints go to the posture; no force is reckoned with."""
    posture = STANDING + 0.01
    command = stand.command(closed=np.zeros(4), posture=posture)
    assert set(command.faults) == {"all_contacts_lost", "schedule_disagrees"}
    assert np.all(command.forces == 0.0)
    assert command.accelerations[6:] == pytest.approx(100.0 * 0.01, abs=0.05)


@fault("`schedule_disagrees`")
def test_foot_that_should_stand_does_not(stand: Stand) -> None:
    """It gets no force and is lowered at `landing_speed`."""
    command = stand.command(closed=[0.0, 1.0, 1.0, 1.0])
    assert command.faults == ("schedule_disagrees",)
    assert np.all(command.forces[:3] == 0.0)
    foot = (stand.contact_jacobian(STANDING) @ command.accelerations)[:3]
    assert foot == pytest.approx([0.0, 0.0, -50.0 * 0.3], abs=0.5)


@fault("`schedule_disagrees`")
def test_foot_that_should_swing_stands(stand: Stand) -> None:
    """It gets no force: whoever plans the steps decides when it stands."""
    position = stand.oracle.frame_pose("lf_foot", STANDING)[:3, 3]
    command = stand.command(swing={"lf_foot": Motion(position)}, closed=np.ones(4))
    assert command.faults == ("schedule_disagrees",)
    assert np.all(command.forces[:3] == 0.0)


@fault("`no_solution`")
def test_program_that_is_not_solved(moving: Stand) -> None:
    """The robot is held by its feet, joints are damped."""
    controller = moving.controller(iterations=1)
    random = np.random.default_rng(0)
    for _ in range(100):
        command = moving.command(controller, trunk=Motion(random.uniform(-1, 1, 3)))
        if "no_solution" in command.faults:
            assert np.all(command.accelerations == 0.0)
            _holds(moving, command)
            return
    pytest.fail("one iteration was always enough")


@fault("`no_solution`")
@pytest.mark.parametrize("damping", [0.5, 1e4])
def test_damping_of_the_held_robot(moving: Stand, damping: float) -> None:
    """As it is set, but of no joint stronger than what stops it alone within 0.01 s."""
    controller = moving.controller(
        iterations=1, joint_damping=np.full(12, damping), effort_limits=np.full(12, 1e6)
    )
    random = np.random.default_rng(0)
    commands = (
        moving.command(controller, trunk=Motion(random.uniform(-1, 1, 3))) for _ in range(100)
    )
    command = next(c for c in commands if "no_solution" in c.faults)
    q, rest, gravity = moving.state["q"], np.zeros(18), moving.world_axes.T @ [0, 0, -9.81]
    holding = moving.oracle.inverse_dynamics(q, rest, rest, gravity)
    holding -= moving.contact_jacobian(q).T @ command.forces
    mobility = np.diag(np.linalg.inv(moving.oracle.inertia_matrix(q)))[6:]
    strength = np.minimum(damping, 100.0 / mobility)
    expected = holding[6:] - strength * moving.state["qd"]
    assert command.efforts == pytest.approx(expected, abs=1e-6)


@fault("`limits_exceeded`")
def test_limits_are_kept_by_a_quadratic_program(stand: Stand) -> None:
    """This fault is of controllers without one: the tests have proxsuite."""
    command = stand.command(trunk=Motion((0.2, 0, 0), linear_acceleration=(50, 0, 0)))
    assert "limits_exceeded" not in command.faults
    assert "limits_exceeded" in stand.controller()._object.faults


@fault("`trunk_not_followed`")
@pytest.mark.parametrize(
    ("upwards", "setting", "left"),
    [
        (0.0, {"effort_limits": np.full(12, 10.0)}, None),
        (-8.0, {"least_normal_force": 0.25}, 0.0),
        (8.0, {"greatest_normal_force": 0.25}, 0.0),
    ],
)
def test_limits_that_forbid_what_is_wanted(
    stand: Stand, upwards: float, setting: dict[str, object], left: float | None
) -> None:
    """The trunk falls, or does not move, and that is told; the usual limits let it follow.

    Four feet that bear a quarter of the weight each, not less or not more, hold it where it is.
    """
    trunk = Motion((0, 0, 0), linear_acceleration=(0, 0, upwards))
    assert stand.command(trunk=trunk).faults == ()
    command = stand.command(stand.controller(**setting), trunk=trunk)
    assert command.faults == ("trunk_not_followed",)
    assert abs(command.accelerations[5] - upwards) > 0.5 * 9.81
    if left is not None:
        assert command.accelerations[5] == pytest.approx(left, abs=0.2)


@fault("`position_limits`")
@pytest.mark.parametrize("beyond", [-0.0005, 0.2])
def test_joint_at_its_limit(stand: Stand, beyond: float) -> None:
    """It is told, and the joint goes no further."""
    q = STANDING.copy()
    q[1] = stand.robot.upper_limits[1] + beyond
    assert "position_limits" in stand.command(q=q).faults
    qd = np.zeros(12)
    qd[1] = 0.1
    posture = STANDING.copy()
    posture[1] = 10.0
    driven = stand.controller(posture_weight=1.0)
    command = stand.command(driven, q=q, qd=qd, posture=posture)
    distance = max(0.0, -beyond)
    assert command.accelerations[7] <= 50.0**2 * distance - 2.0 * 50.0 * 0.1 + 2.0
    q[1] = stand.robot.upper_limits[1] - 0.01
    assert "position_limits" not in stand.command(q=q).faults


@fault("`reference_not_finite`")
@pytest.mark.parametrize("length", [0.5, 0.98, 1.02, 2.0])
def test_quaternion_of_another_length(stand: Stand, length: float) -> None:
    """It is no orientation, whether it is too short or too long."""
    turned = np.array([0.0, 0.0, 0.0, length])
    assert stand.command(trunk=Motion(orientation=turned)).faults == ("reference_not_finite",)
    assert stand.command(orientation=turned).faults == ("state_not_finite",)
    turned = np.array([0.0, 0.0, 0.0, 1.0 + 0.002 * np.sign(length - 1.0)])
    assert stand.command(orientation=turned, trunk=Motion(orientation=turned)).faults == ()


def test_numbers_of_no_robot(stand: Stand) -> None:
    """A reference of 1e307 m/s is none."""
    far = Motion(linear_velocity=(1e307, 0, 0))
    assert stand.command(trunk=far).faults == ("reference_not_finite",)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"friction": -1}, "friction: expected 0.01 to 10, found -1"),
        ({"gravity": (0, 0, 0)}, "gravity: expected a vector"),
        ({"gravity": (0, 0, 9.81)}, "normal against gravity, found [0.   0.   9.81]"),
        ({"ground_normal": (0, 0, -1)}, "and the normal against gravity, found [ 0.  0. -1.]"),
        ({"iterations": 0}, "iterations: expected 1 to 10000, found 0"),
        ({"position_gains": (NAN, 1)}, "expected a finite number, 0 or more, found nan"),
        ({"effort_limits": [45, 45, NAN, *[45] * 9]}, "effort_limits: expected more than 0"),
        ({"effort_limits": [NAN, *[45] * 11]}, "effort_limits: expected more than 0, found nan"),
        ({"least_normal_force": 4}, "least_normal_force: expected 0 to 1, found 4"),
        ({"least_normal_force": 1, "greatest_normal_force": 0.5}, "at most greatest_normal_force"),
        ({"least_normal_force": 0.26}, "of all feet together no more than the weight"),
        ({"greatest_normal_force": 0.24}, "of all feet together the weight, 1, or more"),
        ({"ground_normal": (0, 0, 1e-300)}, "gravity and ground_normal: expected finite lengths"),
        ({"joint_damping": -1}, "joint_damping: expected a finite number, 0 or more, found -1"),
        ({"friction": 1e9}, "friction: expected 0.01 to 10, found 1e+09"),
        ({"gravity": (0, 0, -1e5)}, "gravity: expected -100 to 100, found -100000"),
        ({"iterations": 2.5}, "iterations: expected a whole number, found 2.5"),
        ({"compensate_friction": 7}, "compensate_friction: expected true or false, found 7"),
    ],
)
def test_settings_out_of_their_range(stand: Stand, setting: dict[str, object], said: str) -> None:
    """They are refused at once, by name and with what was given."""
    with pytest.raises(RobcogenError, match=re.escape(said)):
        stand.controller(**setting)


def test_arguments_that_are_wrong(stand: Stand) -> None:
    """They are refused, by name."""
    with pytest.raises(ValueError, match="swing: 'lf_fot' is no contact; did you mean 'lf_foot'"):
        stand.command(swing={"lf_fot": Motion()})
    with pytest.raises(TypeError, match=r"swing: expected a dictionary by contact, found \['lf_"):
        stand.command(swing=["lf_foot"])
    with pytest.raises(TypeError, match="centered: expected numbers, found the text 'x'"):
        stand.command(centered="x")
    with pytest.raises(TypeError, match=r"'frictoin'; did you mean 'friction'\?"):
        stand.controller(frictoin=0.5)
    with pytest.raises(TypeError, match="trunk_angular: use orientation_gains instead"):
        stand.controller(trunk_angular=(200.0, 28.0))
    with pytest.raises(ValueError, match=r"soles\['lf_foot'\]: expected shape \(4, 3\)"):
        stand.controller(soles={"lf_foot": np.zeros((4, 2))})


def test_each_line_of_the_page_has_a_test() -> None:
    """The table of faults is all that can happen."""
    lines = table_lines(PAGE, "| fault | what is wrong | what is commanded |")
    assert held_lines(globals()) == lines


def _holds(stand: Stand, command: Command) -> None:
    """The forces carry the weight, as far as friction lets them."""
    weight = stand.oracle.inertia_matrix(STANDING)[3, 3] * 9.81
    force = stand.world_forces(command)
    assert len(force) == len(FEET)
    assert np.sum(force[:, 2]) == pytest.approx(weight, rel=0.02)
    assert np.all(np.hypot(force[:, 0], force[:, 1]) <= 0.5 * force[:, 2] + 1e-9)
