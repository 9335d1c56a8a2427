"""HyQ on the ground: balances of momentum and energy, forces in cones, feet above the plane."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some
from scipy.spatial.transform import Rotation

from robcogen_ros.model.quaternions import rotation
from robcogen_ros.runtime.objects import Fault
from test.support.hyq import FEET, STANCE, hyq

pytestmark = pytest.mark.slow

GRAVITY = np.array([0, 0, -9.81])


class Now:
    """What a ground tells of HyQ, as mechanics knows it."""

    def __init__(self, ground):
        robot, self.q, self.forces = hyq(), ground.q, ground.wrenches[:, 3:]
        turn = rotation(ground.orientation)
        rates = np.concatenate([ground.base_velocity, ground.qd])
        momentum = (robot.centroidal_momentum_matrix(self.q) @ rates).reshape(2, 3)
        self.angular, self.linear = (turn @ momentum.T).T
        self.center = ground.position + turn @ robot.center_of_mass(self.q)
        self.energy = 0.5 * rates @ robot.inertia_matrix(self.q) @ rates
        self.energy -= robot.total_mass() * GRAVITY @ self.center
        self.feet = np.array(
            [
                ground.position + turn @ robot.transform(robot.link_names[0], foot, self.q)[:3, 3]
                for foot in FEET
            ]
        )


def standing(ground, above=0.0, turn=(0, 0, 0, 1)):
    """Feet of the stance so far above the plane."""
    robot = hyq()
    feet = [robot.transform(robot.link_names[0], foot, STANCE)[:3, 3] for foot in FEET]
    low = min((rotation(np.array(turn)) @ foot)[2] for foot in feet)
    ground.place(STANCE, position=(0, 0, above - low), orientation=turn)
    return ground


def carried():
    """Efforts that carry the robot at rest in its stance."""
    still = np.zeros(12)
    torque, wrench = hyq().inverse_dynamics_fully_actuated(
        STANCE, still, still, still[:6], still[:6], GRAVITY
    )
    jacobian = hyq().contact_jacobian(STANCE)
    return torque - jacobian[:, 6:].T @ np.linalg.lstsq(jacobian[:, :6].T, wrench, rcond=None)[0]


def test_momentum_balances_over_ten_seconds():
    """Dropped by 2 cm on drives whose set points swing; angular momentum in the first second."""
    ground = standing(hyq().ground(friction=0.6, joint_friction=np.zeros(12)), 0.02)
    before, step, total, spun = Now(ground), 2e-3, np.zeros(3), np.zeros(3)
    start, effort = before, carried()
    swing = 0.05 * np.array([0, 0.5, -1] * 2 + [0, -0.5, 1] * 2)
    for i in range(5000):
        wanted = STANCE + np.sin(2 * np.pi * step * i) * swing
        ground.advance(effort + 600 * (wanted - ground.q) - 20 * ground.qd, step)
        forces = ground.wrenches[:, 3:]
        total += step * (forces.sum(axis=0) + hyq().total_mass() * GRAVITY)
        assert (np.hypot(*forces[:, :2].T) <= 0.6 * forces[:, 2] + 1e-4).all()
        if i < 500:
            now = Now(ground)
            lever = 0.5 * (now.feet - now.center + before.feet - before.center)
            spun += step * np.cross(lever, forces).sum(axis=0)
            assert now.feet[:, 2].min() > -1e-9
            before = now
    np.testing.assert_allclose(Now(ground).linear - start.linear, total, atol=1e-3)
    np.testing.assert_allclose(before.angular - start.angular, spun, atol=2e-2)
    assert ground.counters["unsettled"] < 5


def test_feet_that_are_balls_roll_and_lose_no_energy():
    """The trunk turns over legs of constant torque; balls go by their turn, across their radius."""
    radius, idle, effort = 0.05, np.zeros(12), carried()
    ground = hyq().ground(
        radii=dict.fromkeys(FEET, radius),
        friction=10.0,
        stops=False,
        damping=idle,
        joint_friction=idle,
    )
    low = hyq().transform(hyq().link_names[0], FEET[0], STANCE)[2, 3]
    ground.place(
        STANCE, position=(0, 0, radius - low), base_velocity=(0.3, 0.5, -0.4, 0.2, 0.1, 0.0)
    )
    for _ in range(10):  # until all feet carry
        ground.advance(effort, 1e-3)
    before, turns, rolled = Now(ground), feet_turns(ground), 0.0
    energy = before.energy - effort @ before.q
    for _ in range(90):
        ground.advance(effort, 1e-3)
        now, turned = Now(ground), feet_turns(ground)
        for foot in range(4):
            by = Rotation.from_matrix(turned[foot] @ turns[foot].T).as_rotvec()
            way = np.cross(by, [0, 0, radius])
            np.testing.assert_allclose(now.feet[foot] - before.feet[foot], way, atol=1e-9)
            rolled += np.linalg.norm(way)
        before, turns = now, turned
    assert rolled > 0.005
    assert before.energy - effort @ before.q == pytest.approx(energy, abs=1e-9)


def feet_turns(ground):
    """Rotations of the feet in the world."""
    turn, base = rotation(ground.orientation), hyq().link_names[0]
    return [turn @ hyq().transform(base, foot, ground.q)[:3, :3] for foot in FEET]


def spinning(rates):
    """Rates of all freedoms, from those that are not zero."""
    return [rates.get(i, 0.0) for i in range(18)]


@settings(max_examples=6)
@given(
    some.lists(some.floats(-0.25, 0.25, width=32), min_size=3, max_size=3),
    some.lists(some.floats(-2, 2, width=32), min_size=18, max_size=18),
    some.sampled_from([0.0, 0.6, 1.2]),
    some.sampled_from([0.0, 0.5]),
)
@example([0, 0, 0], spinning({1: 1.25, 4: 0.5, 7: -1}), 0.6, 0.0)
@example([0, 0, 0], spinning({1: 1, 4: 0.5, 8: -1}), 0.6, 0.0)
def test_a_robot_without_power_loses_energy_and_does_not_explode(tilt, rates, friction, bounce):
    """Lift-off is located to a billionth of the weight, so feet may pull by a few of these."""
    turn = np.append(tilt, 1) / np.linalg.norm([*tilt, 1])
    ground = standing(
        hyq().ground(friction=friction, restitution=bounce, joint_friction=np.zeros(12)), 0.05, turn
    )
    ground.place(
        ground.q,
        position=ground.position,
        orientation=turn,
        base_velocity=rates[:6],
        qd=rates[6:],
    )
    energy, little = Now(ground).energy, 4e-9 * 9.81 * hyq().total_mass()
    for _ in range(150):
        try:
            ground.advance(np.zeros(12), 2e-3)
        except Fault as fault:
            assert "fallen" in str(fault)
            break
        now = Now(ground)
        assert now.energy <= energy + 1e-6 * abs(energy)
        assert now.feet[:, 2].min() > -1e-9
        push = now.forces[:, 2]
        assert push.min() > -little
        assert (np.hypot(*now.forces[:, :2].T) <= friction * push + little + 1e-9 * push).all()
        energy = now.energy


def test_after_steps_by_impulses_what_is_on_the_plane_touches():
    """With dry joints, on feet that slide fast on a rough plane and jam."""
    ground = hyq().ground(friction=1.5, joint_friction=np.full(12, 10.0))
    start = standing(ground).position
    ground.place(STANCE, position=start, base_velocity=(0, 0, 0, 1, 0, 0))
    for _ in range(20):
        ground.advance(np.zeros(12), 2e-3)
        assert ground.touches[Now(ground).feet[:, 2] < 1e-9].all()
    assert ground.counters["unsettled"] > 0


def test_joints_that_rock_between_their_stops_come_to_rest():
    """Events do not end in such steps; the next ones are by impulses, which lose nothing."""
    ground = standing(hyq().ground(friction=0.6), above=0.5)
    for _ in range(300):
        ground.advance(np.linspace(-30.0, 30.0, 12), 1e-3)
    assert ground.counters["impacts"] + ground.counters["switches"] < 1500
    assert Now(ground).feet[:, 2].min() > -1e-9


def test_at_rest_contacts_stops_and_joint_friction_carry_the_weight_together():
    """Legs without power fold onto their stops; others are held by friction, within its bound."""
    robot, bound = hyq(), 8.0
    ground = standing(robot.ground(friction=0.8, joint_friction=np.full(12, bound)))
    for _ in range(1500):
        ground.advance(np.zeros(12), 2e-3)
    assert np.abs(ground.qd).max() < 1e-9
    turn = rotation(ground.orientation)
    jacobian = robot.contact_jacobian(ground.q)
    forces = (ground.wrenches[:, 3:] @ turn).ravel()
    torque, wrench = robot.inverse_dynamics_fully_actuated(
        ground.q, np.zeros(12), np.zeros(12), np.zeros(6), np.zeros(6), turn.T @ GRAVITY
    )
    np.testing.assert_allclose(jacobian[:, :6].T @ forces, wrench, atol=1e-6)
    held = torque - jacobian[:, 6:].T @ forces
    low, high = ground.q <= robot.lower_limits + 1e-9, ground.q >= robot.upper_limits - 1e-9
    free = ~(low | high)
    assert (np.abs(held[free]) <= bound + 1e-6).all()
    assert (held[low] >= -bound - 1e-6).all()
    assert (held[high] <= bound + 1e-6).all()
