"""A robot with parameters and a payload, on a fixed and on a floating base, and its states."""

from __future__ import annotations

import warnings
from functools import lru_cache

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.model import payload
from test.support.parametric import LEG, VALUES

FLYING = LEG.replace(
    "RobotBase base {",
    """RobotBase base floating {
        inertia_params {
            mass = 3.0 CoM = (0.01, 0.02, 0.03)
            Ix = 0.1 Iy = 0.12 Iz = 0.08 Ixy = 0.0 Ixz = 0.0 Iyz = 0.0
        }""",
)
_FIXED = (
    "coriolis_torques",
    "forward_dynamics",
    "gravity_torques",
    "inertia_matrix",
    "inverse_dynamics",
    "kinematics",
    "link_velocities",
    "center_of_mass",
    "center_of_mass_jacobian",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
    "inverse_dynamics_parameter_derivatives",
    "base_X_foot",
    "base_J_foot",
    "base_hessian_foot",
)
_FLOATING = (
    "forward_dynamics",
    "inverse_dynamics",
    "inverse_dynamics_fully_actuated",
    "center_of_mass",
    "center_of_mass_jacobian",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
    "inverse_dynamics_parameter_derivatives",
    "contact_forward_dynamics",
    "contact_forward_dynamics_derivatives",
    "impact",
    "impact_derivatives",
)
_RNG = np.random.default_rng(5)
Q, QD, QDD, TAU = _RNG.normal(size=(4, 2))
V0, A0 = _RNG.normal(size=(2, 6))
G, FX = np.array([0.3, -0.2, -9.7]), _RNG.normal(size=(3, 6))
PAYLOAD = (0.8, 0.02, -0.01, 0.03, 0.06, 0.003, -0.002, 0.07, 0.004, 0.05)
NAMES = ("ixx", "m", "c", "tilt", "length", *payload.NAMES)
P = np.array([*(VALUES[name] for name in NAMES[:5]), *PAYLOAD])


@lru_cache
def leg(floating_base=False):
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")
        patch.setenv("ROBCOGEN_CXXFLAGS", "-O0 -march=native")
        robot = robcogen_ros.build(
            text=FLYING if floating_base else LEG,
            functions=_FLOATING if floating_base else _FIXED,
            batch=not floating_base,
            floating_base=floating_base,
            contacts=["foot"] if floating_base else [],
            payload="foot",
        )
    robot.parameters.update(zip(NAMES, P, strict=True))
    return robot


def states(*shape):
    return np.random.default_rng(1).normal(size=(3, *shape, 2))
