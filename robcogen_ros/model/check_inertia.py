"""Whether an inertia could be that of a body made of matter.

The principal moments A <= B <= C about the center of mass of any body are not negative, and
A + B >= C. Makers' own files break this by rounding, by placeholders and by mistake, and dynamics
can be computed all the same: of the 1700 inertias in the robots of the PyPI package
example-robot-data some 50 break it, the worst by 0.068 kg m^2. So a breach is a warning, and an
error only where it is clearly beyond those, or a moment about an axis of the frame is negative.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import Problem
from robcogen_ros.model.description import Inertial, LinkDescription

_NEGLIGIBLE = 1e-15
"""Moments below are rounding noise [kg m^2]."""
_TOLERANCE = 1e-6
"""Breaches below, relative to the largest moment, come from rounding."""
_GROSS = 0.1
"""Breaches above are errors [kg m^2], if they are also ..."""
_GROSS_PART = 0.01
"""... more than this part of the largest moment."""


def check_inertia(link: LinkDescription) -> Iterator[Problem]:
    """Findings about a link's mass and rotational inertia.

    Parameters without a default are taken on trust.
    """
    inertial = link.inertial
    if inertial is None:
        return
    try:
        mass, tensor = float(inertial.mass), about_center_of_mass(inertial)
    except ValueError:
        return
    if mass < 0:
        message = f"the mass of link '{link.name}' is negative: {mass:g} kg"
        yield Problem(message, inertial.location)
        return
    largest = float(np.abs(tensor).max())
    if largest < _NEGLIGIBLE:
        return
    if mass == 0:
        message = f"link '{link.name}' has rotational inertia but no mass"
        yield Problem(message, inertial.location, "warning")
    yield from _moments(link.name, inertial, tensor)


def about_center_of_mass(inertial: Inertial) -> NDArray[np.float64]:
    """The tensor about the center of mass [kg m^2], in the inertial frame's orientation.

    Raises:
        ValueError: If it depends on a parameter without a default.
    """
    rows = [[float(entry) for entry in row] for row in inertial.tensor.matrix()]
    tensor: NDArray[np.float64] = np.array(rows)
    if inertial.about_center:
        return tensor
    c = np.array([float(coordinate) for coordinate in inertial.center])
    steiner: NDArray[np.float64] = float(inertial.mass) * (c @ c * np.eye(3) - np.outer(c, c))
    return tensor - steiner


def _moments(name: str, inertial: Inertial, tensor: NDArray[np.float64]) -> Iterator[Problem]:
    a, b, c = (float(moment) for moment in np.linalg.eigvalsh(tensor))
    largest = max(abs(a), abs(c))
    moments = f"principal moments about the center of mass are {a:.6g}, {b:.6g}, {c:.6g} kg m^2"
    if not inertial.about_center:
        moments += " (the moments of inertia are to be given about the frame's origin)"
    if a < -_TOLERANCE * largest:
        impossible = tensor.diagonal().min() < -_TOLERANCE * largest
        severity = "error" if impossible else _severity(max(-a, c - a - b), largest)
        message = f"the rotational inertia of link '{name}' is not positive: its {moments}"
        yield Problem(message, inertial.location, severity)
    elif c - a - b > _TOLERANCE * largest:
        message = (
            f"the rotational inertia of link '{name}' breaks the triangle inequality, for no body "
            f"has a moment greater than the sum of the other two: its {moments}"
        )
        yield Problem(message, inertial.location, _severity(c - a - b, largest))


def _severity(breach: float, largest: float) -> str:
    return "error" if breach > _GROSS and breach > _GROSS_PART * largest else "warning"
