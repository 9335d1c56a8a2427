"""Joints whose damping is large beside their inertia, on a block that is on the ground."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

import robcogen_ros
from test.control.body_on_ground import INERTIA, MASS, G, block

pytestmark = pytest.mark.slow

ROTOR = 1e-6
"""Inertia of a disc about its axis, through the center of the block."""
LINKS = 4
FINGER = (
    '<joint name="j{0}" type="continuous"><parent link="{1}"/><child link="l{0}"/><axis xyz="{3}"/>'
    '<origin xyz="{2}"/><dynamics damping="{4}"/></joint><link name="l{0}"><inertial>'
    '<origin xyz="{2}"/><mass value="{5}"/>'
    '<inertia ixx="1e-6" iyy="1e-6" izz="1e-6" ixy="0" ixz="0" iyz="0"/></inertial></link>'
)
BLOCK = (
    '<robot name="damped"><link name="center"><inertial><mass value="{0}"/><inertia ixx="{1}" '
    'iyy="{1}" izz="{1}" ixy="0" ixz="0" iyz="0"/></inertial></link>{2}</robot>'
)


@lru_cache
def ground_of(fingers, **settings):
    robot = robcogen_ros.build(
        text=BLOCK.format(MASS, INERTIA, fingers),
        floating_base=True,
        contacts=["center:pose"],
        ground=True,
        functions=["inertia_matrix", "gravity_torques"],
    )
    return robot, robot.ground(soles=block(0.2, 0.15, 0.1), friction=0.3, **settings)


def disc(damping, **settings):
    return ground_of(FINGER.format(0, "center", "0 0 0", "0 0 1", damping, 1e-3), **settings)


@pytest.mark.parametrize("damping", [0.0, 1e-5, 1e-4, 2e-3, 2.0, 1e6])
def test_a_disc_slows_down_by_its_damping(damping):
    """In closed form where that takes longer than a step, else within twenty to what balances."""
    _, ground = disc(damping, gravity=(0.0, 0.0, 0.0))
    base = INERTIA + 1e-6 - ROTOR
    inertia = 1 / (1 / ROTOR + 1 / base)
    torque, step, steps = 1e-5, 1e-3, 20
    ground.place([0.0], qd=[5.0], position=(0, 0, 1))
    for _ in range(steps):
        ground.advance([torque], step)
    time, rate = step * steps, damping / inertia
    lasting = torque / damping if damping else 0.0
    fades = np.exp(-rate * time)
    speed = 5.0 * fades + (lasting * (1 - fades) if damping else torque / inertia * time)
    way = (5.0 - lasting) / (rate or 1.0) * (1 - fades) + lasting * time
    if not damping:
        way = 5.0 * time + 0.5 * torque / inertia * time**2
    exact = rate * step < 0.2
    np.testing.assert_allclose(ground.qd, speed, rtol=1e-5, atol=0 if exact else 1e-4)
    np.testing.assert_allclose(ground.q, way, rtol=1e-5, atol=0 if exact else 1.6 * 5.0 * step)
    np.testing.assert_allclose(
        (INERTIA + ROTOR) * ground.base_velocity[2] + ROTOR * ground.qd, ROTOR * 5.0, rtol=1e-9
    )


@pytest.mark.parametrize("damping", [1e-4, 2.0, 1e6])
def test_a_block_with_a_damped_disc_stops_where_its_energy_is_used_up(damping):
    _, ground = disc(damping)
    ground.place([0.0], qd=[100.0], position=(0, 0, 0.1), base_velocity=[0, 0, 0, 1, 0, 0])
    for _ in range(500):
        ground.advance([0.0], 1e-3)
    np.testing.assert_allclose(ground.position[0], 1 / (2 * 0.3 * G), rtol=1e-6)
    assert ground.wrenches[0, 5] == pytest.approx((MASS + 1e-3) * G)
    np.testing.assert_allclose(ground.qd, 0.0, atol=1e-6)


@pytest.mark.parametrize("step", [1e-3, 4e-3, 2e-2])
@pytest.mark.parametrize("damping", [1e-3, 2.0, 1e4])
def test_light_links_in_a_row_come_to_rest(damping, step):
    """They sink as slowly as their damping lets them, and lose energy in each step until then."""
    fingers = "".join(
        FINGER.format(i, f"l{i - 1}" if i else "center", "0.01 0 0", "0 1 0", damping, 1e-5)
        for i in range(LINKS)
    )
    robot, ground = ground_of(fingers)
    ground.place(np.zeros(LINKS), qd=[30.0, -30.0, 20.0, -10.0], position=(0, 0, 0.1))
    for _ in range(max(60, round(0.3 / step))):
        ground.advance(np.zeros(LINKS), step)
    sinks = -robot.gravity_torques(ground.q, gravity=(0, 0, -G))[0] / damping
    np.testing.assert_allclose(ground.qd, sinks, rtol=0.02, atol=1e-3)
    assert ground.wrenches[0, 5] == pytest.approx((MASS + LINKS * 1e-5) * G, rel=1e-4)
    assert ground.counters["unsettled"] <= 4
