"""Names that controllers have for the numbers of a body that is carried."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.payload import NAMES

Array = NDArray[np.float64]

CONTROLLERS = ("node", "ros2_control")
"""Kinds of controllers: the nodes in Python, and those that were generated for ros2_control."""


def payload_parameters(
    controller: str, mass: float, center: Array, tensor: Array
) -> dict[str, float | list[float]]:
    """Returns parameters of a controller that carries a body, by their names.

    Args:
        controller: Its kind, one of `CONTROLLERS`.
        mass: Mass of the body [kg].
        center: (3,) its center of mass in the frame that carries it [m].
        tensor: (6,) ixx, ixy, ixz, iyy, iyz, izz about that [kg m^2].
    """
    if controller == "node":
        return {
            "payload_mass": mass,
            "payload_com": center.tolist(),
            "payload_inertia": tensor.tolist(),
        }
    values = [mass, *center.tolist(), *tensor.tolist()]
    return {f"model.{name}": value for name, value in zip(NAMES, values, strict=True)}
