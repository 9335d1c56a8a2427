"""Legs that follow from their feet: soles stay where they are, whatever else moves."""

from __future__ import annotations

import warnings

import casadi
import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.gait.coordinates import Coordinates, closed_legs
from robcogen_ros.gait.motion import FUNCTIONS, Motion
from robcogen_ros.model.contacts import Foot, shaped
from robcogen_ros.standing.posture import Legs
from test.support.robots import robot_path, robots_directory

pytestmark = pytest.mark.skipif(
    robots_directory() is None, reason="example-robot-data is not installed"
)

SOLES = ("left_sole_link", "right_sole_link")
CORNERS = np.array([[0.1, 0.05, 0.0], [0.1, -0.05, 0.0], [-0.1, 0.05, 0.0], [-0.1, -0.05, 0.0]])


def test_soles_of_talos_rest_on_their_footholds():
    parts = {"arm_left": 7, "arm_right": 7, "torso": 2, "head": 2}
    lock = {f"{part}_{i + 1}_joint": 0.0 for part, count in parts.items() for i in range(count)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robot = robcogen_ros.build(
            robot_path("talos_data/robots/talos_reduced.urdf"),
            floating_base=True,
            lock={**lock, "gripper_left_joint": 0.0, "gripper_right_joint": 0.0},
            contacts=[f"{sole}:pose" for sole in SOLES],
            functions=[*FUNCTIONS, *(f"base_link_inverse_kinematics_{sole}" for sole in SOLES)],
            backend="numpy",
        )
    feet = [Foot(corners=CORNERS) for _ in SOLES]
    motion = Motion(robot, shaped(robot.contact_records, feet))
    legs = Legs(robot, feet)
    posture = legs.standing()
    coordinates = Coordinates(motion, (0, 1), closed_legs(robot, legs, posture.q))
    standing = np.concatenate([[0.0, 0.0, posture.height, 0.0, 0.0, 0.0], posture.q])
    places = coordinates.stood(standing[None])
    still = np.concatenate([standing[:6], np.zeros(12), places])
    np.testing.assert_allclose(
        np.array(coordinates.complete(still)[0]).ravel(), standing, atol=1e-8
    )

    random = np.random.default_rng(0)
    places += [0.01, 0.02, 0.1, -0.01, 0.0, -0.05]
    base = standing[:6] + 0.02 * random.normal(size=6)
    moved = coordinates.complete(np.concatenate([base, random.normal(size=12), places]))
    feet = casadi.Function(
        "feet",
        [motion.y, motion.v, motion.a],
        [
            casadi.vertcat(motion.foothold(0), motion.foothold(1)),
            casadi.vertcat(*motion.tilts, motion.points[0][2::3], motion.points[1][2::3]),
            casadi.vertcat(*motion.velocities(motion.v)),
            casadi.vertcat(*motion.accelerations),
        ],
    )
    where, above, velocities, accelerations = (np.array(p).ravel() for p in feet(*moved))
    np.testing.assert_allclose(where, places, atol=1e-9)
    for zero in (above, velocities, accelerations):
        np.testing.assert_allclose(zero, 0.0, atol=1e-8)
