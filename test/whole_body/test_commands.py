"""Commands of a whole-body controller, against Pinocchio and another QP solver."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from robcogen_ros.runtime.whole_body import Motion
from test.support.hyq import FEET
from test.whole_body.conftest import STANDING, Stand

pytestmark = pytest.mark.slow
Array = NDArray[np.float64]
GRAVITY = np.array([0.0, 0.0, -9.81])
LIMIT = 150.0


def test_forces_carry_the_weight_of_a_robot_at_rest(stand: Stand) -> None:
    """What the feet push is the weight, and nothing accelerates."""
    command = stand.command()
    weight = stand.oracle.inertia_matrix(STANDING)[3, 3] * 9.81
    assert command.faults == ()
    assert np.sum(stand.world_forces(command), axis=0) == pytest.approx([0, 0, weight], abs=0.5)
    assert np.abs(command.accelerations).max() < 2e-2


def test_command_obeys_the_equation_of_motion(moving: Stand) -> None:
    """Pinocchio's inverse dynamics of the accelerations are the efforts and the forces' wrench."""
    command = moving.command()
    q, rates = (
        moving.state["q"],
        np.concatenate([moving.state["base_velocity"], moving.state["qd"]]),
    )
    wanted = moving.oracle.inverse_dynamics(
        q, rates, command.accelerations, moving.world_axes.T @ GRAVITY
    )
    given = np.concatenate([np.zeros(6), command.efforts])
    given += moving.contact_jacobian(q).T @ command.forces
    assert given == pytest.approx(wanted, rel=1e-9, abs=1e-7)


def test_forces_are_those_that_are_asked_for_where_the_motion_leaves_them_free(
    stand: Stand,
) -> None:
    """Four feet can push against each other; asked for it, they do so without moving the robot."""
    free = stand.command()
    jacobian = stand.contact_jacobian(STANDING)
    wanted = stand.world_forces(free)
    towards = stand.oracle.frame_pose("rh_foot", STANDING)[:3, 3]
    line = towards - stand.oracle.frame_pose("lf_foot", STANDING)[:3, 3]
    wanted[0], wanted[3] = wanted[0] + 50.0 * line, wanted[3] - 50.0 * line
    wrenches = {foot: [0, 0, 0, *force] for foot, force in zip(FEET, wanted, strict=True)}
    command = stand.command(wrenches=wrenches)
    assert command.faults == ()
    assert stand.world_forces(command) == pytest.approx(wanted, abs=2.0)
    assert np.abs(command.accelerations).max() < 2e-2
    change = jacobian[:, 6:].T @ (command.forces - free.forces)
    assert command.efforts - free.efforts == pytest.approx(-change, abs=1.0)


def test_trunk_accelerates_as_wanted(stand: Stand) -> None:
    """Within its limits the robot does what the reference and the gains ask for."""
    wanted = Motion((0.002, 0, 0.001), linear_acceleration=(0.1, -0.2, 0.3))
    command = stand.command(trunk=wanted)
    expected = np.array([0.1, -0.2, 0.3]) + 200.0 * np.array([0.002, 0, 0.001])
    assert command.accelerations[3:6] == pytest.approx(expected, abs=0.02)
    assert command.accelerations[:3] == pytest.approx(0.0, abs=0.02)
    feet = stand.contact_jacobian(STANDING) @ command.accelerations
    assert np.abs(feet).max() < 1e-3


def test_a_trunk_that_turns_as_it_moves_keeps_its_velocity_in_the_world(stand: Stand) -> None:
    """On its reference, on feet that rest: its spatial acceleration is -w x v."""
    w, v = np.array([1.0, -0.6, 1.2]), np.array([0.6, 0.3, -0.3])
    base, jacobian = np.concatenate([w, v]), stand.contact_jacobian(STANDING)
    qd = -np.linalg.solve(jacobian[:, 6:], jacobian[:, :6] @ base)
    command = stand.command(
        base_velocity=base, qd=qd, trunk=Motion(angular_velocity=w, linear_velocity=v)
    )
    assert command.faults == ()
    assert command.accelerations[3:6] == pytest.approx(-np.cross(w, v), abs=0.05)
    assert command.accelerations[:3] == pytest.approx(0.0, abs=0.05)


def test_swing_foot_gets_no_force_and_follows(stand: Stand) -> None:
    """A foot in the air accelerates as wanted; the other three carry the robot."""
    position = stand.oracle.frame_pose("lf_foot", STANDING)[:3, 3]
    swing = {"lf_foot": Motion(position, linear_acceleration=(1.0, 0.0, 2.0))}
    command = stand.command(swing=swing)
    assert command.faults == ()
    assert np.all(command.forces[:3] == 0.0)
    foot = (stand.contact_jacobian(STANDING) @ command.accelerations)[:3]
    assert foot == pytest.approx([1.0, 0.0, 2.0], abs=0.2)


def test_feet_follow_in_a_flight(stand: Stand) -> None:
    """No foot is to stand, so no contact is lost: all feet accelerate as wanted, by no force."""
    swing = {
        foot: Motion(
            stand.oracle.frame_pose(foot, STANDING)[:3, 3], linear_acceleration=(1.0, 0.0, -2.0)
        )
        for foot in FEET
    }
    command = stand.command(swing=swing)
    assert command.faults == ()
    assert np.all(command.forces == 0.0)
    feet = (stand.contact_jacobian(STANDING) @ command.accelerations).reshape(4, 3)
    assert feet == pytest.approx(np.tile([1.0, 0.0, -2.0], (4, 1)), abs=0.2)


def test_joint_friction_at_the_wanted_velocities_is_added(stand: Stand) -> None:
    """The model's damping, of joints that follow trunk and swing foot by Pinocchio's Jacobian."""
    trunk = Motion(angular_velocity=(0.1, -0.2, 0.1), linear_velocity=(0.1, 0.05, -0.1))
    position = stand.oracle.frame_pose("lf_foot", STANDING)[:3, 3]
    swing = {"lf_foot": Motion(position, linear_velocity=(0.3, 0.0, 0.2))}
    with_friction, without = (
        stand.command(stand.controller(compensate_friction=on), trunk=trunk, swing=swing).efforts
        for on in (1, 0)
    )
    jacobian = stand.contact_jacobian(STANDING)
    feet = np.append([0.3, 0.0, 0.2], np.zeros(9))
    base = np.concatenate([trunk.angular_velocity, trunk.linear_velocity])
    wanted = np.linalg.solve(jacobian[:, 6:], feet - jacobian[:, :6] @ base)
    assert np.abs(wanted).max() > 0.3
    added = stand.robot.damping * wanted
    assert with_friction - without == pytest.approx(added, abs=1e-2 * np.abs(added).max())


@pytest.mark.parametrize("friction", [0.3, 0.8])
def test_limits_hold_whatever_is_asked_for(moving: Stand, friction: float) -> None:
    """References far beyond what the robot can do give efforts and forces within their limits."""
    controller = moving.controller(friction=friction)
    random = np.random.default_rng(3)
    for _ in range(20):
        trunk = Motion(random.uniform(-1, 1, 3), linear_acceleration=random.normal(size=3) * 30)
        command = moving.command(controller, trunk=trunk)
        assert "no_solution" not in command.faults
        assert np.all(np.abs(command.efforts) <= LIMIT)
        force = moving.world_forces(command)
        assert np.all(np.hypot(force[:, 0], force[:, 1]) <= friction * force[:, 2])


def test_program_is_solved_as_another_solver_solves_it(moving: Stand) -> None:
    """The alternating direction method of multipliers finds the same least."""
    controller = moving.controller()
    moving.command(controller, trunk=Motion((0.1, 0.1, -0.1)))
    program = controller.program()
    cost = program["hessian"], program["gradient"]
    bounded = program["bounds"] < 1e10
    rows = np.vstack([program["rows"], np.eye(len(bounded))[bounded]])
    lower = np.concatenate([program["lower"], -program["bounds"][bounded]])
    upper = np.concatenate([program["upper"], program["bounds"][bounded]])
    best = _split(*cost, rows, lower, upper)
    found = program["solution"]
    assert np.all(rows @ found >= lower - 1e-5)
    assert np.all(rows @ found <= upper + 1e-5)
    value = [0.5 * x @ cost[0] @ x + cost[1] @ x for x in (found, best)]
    assert value[0] == pytest.approx(value[1], rel=1e-4, abs=1e-5)


def _split(hessian: Array, gradient: Array, rows: Array, lower: Array, upper: Array) -> Array:
    scale = np.linalg.norm(rows, axis=1)
    kept = scale > 0
    rows, lower, upper = (
        a[kept] / scale[kept].reshape(-1, *[1] * (a.ndim - 1)) for a in (rows, lower, upper)
    )
    penalty = np.trace(hessian) / len(hessian) * 0.1
    inverse = np.linalg.inv(hessian + penalty * rows.T @ rows)
    z, y = np.zeros(len(rows)), np.zeros(len(rows))
    for _ in range(20000):
        x = inverse @ (rows.T @ (penalty * z - y) - gradient)
        z = np.clip(rows @ x + y / penalty, lower, upper)
        y += penalty * (rows @ x - z)
    return np.asarray(x)


def test_robot_stands_still(stand: Stand) -> None:
    """Half a second with feet that stick: the trunk comes back from where it was put."""
    controller, step = stand.controller(), 1e-3
    robot, state = stand.robot, stand.state
    home = np.array(state["position"])
    trunk = Motion(home + np.array([0.01, 0.005, -0.01]))
    for _ in range(500):
        command = stand.command(controller, trunk=trunk)
        assert command.faults == ()
        gravity = stand.world_axes.T @ GRAVITY
        qdd, acceleration, _ = robot.contact_forward_dynamics(
            state["q"], state["qd"], command.efforts, state["base_velocity"], gravity
        )
        state["qd"] = state["qd"] + step * qdd
        state["base_velocity"] = state["base_velocity"] + step * acceleration
        state["q"] = state["q"] + step * state["qd"]
        state["position"] = state["position"] + step * stand.world_axes @ state["base_velocity"][3:]
        state["orientation"] = _turned(state["orientation"], step * state["base_velocity"][:3])
    assert state["position"] == pytest.approx(trunk.position, abs=1e-3)
    assert state["orientation"] == pytest.approx([0, 0, 0, 1], abs=1e-3)
    assert len(controller.contacts) == len(FEET)


def _turned(orientation: Array, by: Array) -> Array:
    """A quaternion after a small turn about the axes of its frame."""
    x, y, z, w = orientation
    a, b, c = by / 2
    turned = orientation + np.array(
        [
            w * a + y * c - z * b,
            w * b + z * a - x * c,
            w * c + x * b - y * a,
            -x * a - y * b - z * c,
        ]
    )
    return np.asarray(turned / np.linalg.norm(turned))
