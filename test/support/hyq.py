"""HyQ, compiled once for all tests that need it on its feet."""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

import robcogen_ros
from test.support.robots import robot_path, robots_directory

HYQ = "hyq_description/robots/hyq_no_sensors.urdf"
FEET = ("lf_foot", "rf_foot", "lh_foot", "rh_foot")
STANCE = np.array([0, 0.7, -1.4] * 2 + [0, -0.7, 1.4] * 2)
OPEN = ("trunk.mass",)
"""Its parameters: what objects do at open ones is seen by all tests, at the file's values."""

_FUNCTIONS = (
    "center_of_mass",
    "center_of_mass_jacobian",
    "centroidal_momentum_matrix",
    "contact_bias",
    "contact_forward_dynamics",
    "contact_inverse_dynamics",
    "contact_jacobian",
    "forward_dynamics",
    "generalized_momentum",
    "gravity_torques",
    "inertia_matrix",
    "inertia_matrix_inverse",
    "inverse_dynamics_fully_actuated",
    "kinematics",
    "total_mass",
)


@lru_cache(maxsize=1)
def hyq() -> Any:
    """The robot, with all objects."""
    if robots_directory() is None:
        pytest.skip("example-robot-data is not installed")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*triangle inequality")
        return robcogen_ros.build(
            robot_path(HYQ),
            floating_base=True,
            contacts=FEET,
            functions=_FUNCTIONS,
            parameters=OPEN,
            ground=True,
            whole_body=True,
            momentum_observer=True,
        )
