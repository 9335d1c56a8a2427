"""A robot with parameters, on a fixed and on a floating base, compiled once, and its states."""

from __future__ import annotations

import warnings
from functools import lru_cache

import numpy as np
import pytest

import robcogen_ros
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
NAMES = ("ixx", "m", "c", "tilt", "length")
P = np.array([VALUES[name] for name in NAMES])


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
        )
    robot.parameters.update(VALUES)
    return robot


def states(*shape):
    return np.random.default_rng(1).normal(size=(3, *shape, 2))
