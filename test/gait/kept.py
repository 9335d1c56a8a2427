"""A gait that was not sought: a quadruped whose feet stand in turns, its weight on them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

import robcogen_ros
from robcogen_ros.gait import Gait
from robcogen_ros.gait.solve import Solution
from robcogen_ros.model.contacts import Foot
from robcogen_ros.standing.posture import Legs
from test.support.examples import EXAMPLES

FEET = ("LF_foot", "RF_foot", "LH_foot", "RH_foot")
DURATION, SPEED, DUTY = 0.8, 0.5, 0.6
PHASES = np.array([0.0, 0.5, 0.75, 0.25])


@lru_cache(maxsize=1)
def robot() -> Any:
    return robcogen_ros.build(
        EXAMPLES / "quadruped.kindsl",
        contacts=FEET,
        functions=("center_of_mass", "kinematics", "total_mass"),
        backend="numpy",
    )


@lru_cache(maxsize=1)
def kept() -> Gait:
    """It glides ahead in the posture in which it stands."""
    posture = Legs(robot(), [Foot() for _ in FEET]).standing()
    times = np.linspace(0.0, DURATION, 41)
    shares = np.minimum(times / DURATION + 1e-9, 1 - 1e-9)
    standing = (shares[:, None] - PHASES) % 1.0 < DUTY
    forces = np.zeros((len(times), 4, 3))
    forces[..., 2] = standing * 9.81 * robot().total_mass() / standing.sum(axis=1)[:, None]
    forces[..., 0] = 0.2 * forces[..., 2]
    still, q = np.zeros((len(times), robot().n)), np.tile(posture.q, (len(times), 1))
    place = np.outer(times, [SPEED, 0.0, 0.0])
    place[:, 2] = posture.height
    return Gait(
        joint_names=robot().joint_names,
        contacts=FEET,
        feet=FEET,
        times=times,
        position=place,
        orientation=np.tile([0.1, -0.2, 0.3], (len(times), 1)),
        q=q,
        base_velocity=np.zeros((len(times), 6)),
        qd=still,
        base_acceleration=np.zeros((len(times), 6)),
        qdd=still,
        tau=still + 0.25 * robot().effort_limits,
        forces=forces,
        standing=standing,
        duty=np.full(4, DUTY),
        phases=PHASES,
        friction=0.6,
        effort_limits=still + robot().effort_limits,
        impulses=np.zeros((0, 13)),
        duration=DURATION,
        speed=SPEED,
        merit=1.0,
        error=1e-4,
        knots=np.linspace(0.0, 1.0, 5),
        solution=Solution(
            x=np.zeros(0),
            merit=1.0,
            succeeded=True,
            status="Solve_Succeeded",
            iterations=1,
            seconds=(1.0, 0.5),
            violated=(),
            multipliers=(np.zeros(0), np.zeros(0)),
        ),
    )
