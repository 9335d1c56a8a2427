"""Whether an inertia could be that of a body made of matter.

The principal moments A <= B <= C of any body, about any point, are not negative, and A + B >= C.
Makers' own files break this by rounding, by placeholders and by mistake, and dynamics
can be computed all the same: of the 1700 inertias in the robots of the PyPI package
example-robot-data some 50 break it, the worst by 0.068 kg m^2. So a breach is a warning, and an
error only where it is clearly beyond those, or a moment about an axis of the frame is negative.
Moments about a frame are also looked at after moving them to the center of mass, where the same
must hold; that real Kinematics-DSL documents break it (the ABB irb4600 of RobCoGen's users by
0.33 kg m^2) makes this a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import Problem
from robcogen_ros.model.description import Inertial, LinkDescription

T = TypeVar("T")

_NEGLIGIBLE = 1e-15
"""Moments below are rounding noise [kg m^2]."""
_TOLERANCE = 1e-6
"""Breaches below, relative to the largest moment, come from rounding."""
_GROSS = 0.1
"""Breaches above are errors [kg m^2], if they are also ..."""
_GROSS_PART = 0.01
"""... more than this part of the largest moment."""


def check_inertia(link: LinkDescription, accept: bool = False) -> Iterator[Problem]:
    """Findings about a link's mass and rotational inertia.

    Parameters without a default are taken on trust; `accept` makes all findings warnings.
    """
    for problem in _findings(link):
        yield replace(problem, severity="warning") if accept else problem


def _findings(link: LinkDescription) -> Iterator[Problem]:
    inertial = link.inertial
    if inertial is None:
        return
    mass = _unless_open(lambda: float(inertial.mass))
    if mass is not None and mass < 0:
        message = f"the mass of link '{link.name}' is negative: {mass:g} kg"
        yield Problem(message, inertial.location)
        return
    tensor = _unless_open(lambda: _written(inertial))
    if tensor is None or float(np.abs(tensor).max()) < _NEGLIGIBLE:
        return
    if mass == 0:
        message = f"link '{link.name}' has rotational inertia but no mass"
        yield Problem(message, inertial.location, "warning")
    found = _moments(link.name, inertial, tensor)
    centered = _unless_open(lambda: about_center_of_mass(inertial))
    if not found and centered is not None:
        found = _centered(link.name, inertial, centered)
    yield from found


def _unless_open(value: Callable[[], T]) -> T | None:
    """A value, None if it depends on a parameter without a default."""
    try:
        return value()
    except ValueError:
        return None


def about_center_of_mass(inertial: Inertial) -> NDArray[np.float64]:
    """The tensor about the center of mass [kg m^2], in the inertial frame's orientation.

    Raises:
        ValueError: If it depends on a parameter without a default.
    """
    tensor = _written(inertial)
    if inertial.about_center:
        return tensor
    c = np.array([float(coordinate) for coordinate in inertial.center])
    steiner: NDArray[np.float64] = float(inertial.mass) * (c @ c * np.eye(3) - np.outer(c, c))
    return tensor - steiner


def _written(inertial: Inertial) -> NDArray[np.float64]:
    return np.array([[float(entry) for entry in row] for row in inertial.tensor.matrix()])


def _moments(name: str, inertial: Inertial, tensor: NDArray[np.float64]) -> list[Problem]:
    """Findings about the tensor as written; the inequality holds about any point."""
    complaint, breach, largest = inertia_breach(tensor)
    if not complaint:
        return []
    impossible = tensor.diagonal().min() < -_TOLERANCE * largest
    gross = breach > _GROSS and breach > _GROSS_PART * largest
    severity = "error" if impossible or gross else "warning"
    message = f"the rotational inertia of link '{name}' {complaint}"
    return [Problem(message, inertial.location, severity)]


def _centered(name: str, inertial: Inertial, tensor: NDArray[np.float64]) -> list[Problem]:
    """Findings about the tensor moved to the center of mass, where it was not written there."""
    complaint, _, _ = inertia_breach(tensor)
    if not complaint or inertial.about_center:
        return []
    message = (
        f"about the center of mass, the rotational inertia of link '{name}' {complaint}; moments "
        "and products are to be given about the frame's origin"
    )
    return [Problem(message, inertial.location, "warning")]


def inertia_breach(tensor: NDArray[np.float64]) -> tuple[str, float, float]:
    """What is wrong with a (3, 3) tensor, if anything; by how much, its largest moment [kg m^2]."""
    a, b, c = (float(moment) for moment in np.linalg.eigvalsh(tensor))
    largest = max(abs(a), abs(c))
    moments = f"its principal moments are {a:.6g}, {b:.6g}, {c:.6g} kg m^2"
    if a < -_TOLERANCE * largest:
        return f"is not positive: {moments}", max(-a, c - a - b), largest
    if c - a - b > _TOLERANCE * largest:
        inequality = "breaks the triangle inequality, for no body has a moment greater than the sum"
        return f"{inequality} of the other two: {moments}", c - a - b, largest
    return "", 0.0, largest
