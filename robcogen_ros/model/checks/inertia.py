"""Checks that an inertia could be that of a body made of matter; one rule for all formats.

The principal moments A <= B <= C of any body, about any point, are not negative, and A + B >= C.
Makers' own files break this by rounding, by placeholders and by mistake: of the 1700 inertias in
the robots of the PyPI package example-robot-data some 50 do, the worst by 0.068 kg m^2; ankles of
a published iCub by 4.8 kg m^2. Dynamics can be computed all the same, so a breach is a warning. It
is an error where a joint feels what is negative: a mass, or a moment of all that turns as one body,
about the origin of the frame of the joint that moves it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import Problem
from robcogen_ros.model.description import Description, LinkDescription
from robcogen_ros.model.reduce import reduce
from robcogen_ros.model.spatial import SpatialInertia, Symmetric3

T = TypeVar("T")
Tensor = NDArray[np.float64]

_NEGLIGIBLE = 1e-15
"""Moments below are rounding noise [kg m^2]."""
_TOLERANCE = 1e-6
"""Breaches below, relative to the largest moment, come from rounding."""


def check_inertia(description: Description, reducible: bool, accept: bool) -> Iterator[Problem]:
    """Findings about the mass and rotational inertia of links.

    Parameters without a default are taken on trust.

    Args:
        description: The robot as written.
        reducible: Whether it can be reduced; if not, each link is taken for one that turns alone.
        accept: Whether all findings are warnings.
    """
    found = [(link, *finding) for link in description.links for finding in _findings(link)]
    felt: set[str] = set()
    if any(negative for _, _, negative in found):
        felt = (
            _bodies_felt_negative(description) if reducible else _links_felt_negative(description)
        )
    for link, problem, negative in found:
        is_error = problem.severity == "error" or (negative and link.name in felt)
        severity = "error" if is_error and not accept else "warning"
        yield replace(problem, severity=severity)


def _findings(link: LinkDescription) -> Iterator[tuple[Problem, bool]]:
    """Yields problems of a link's inertia, each with whether it is a negative moment."""
    inertial = link.inertial
    if inertial is None:
        return
    mass = _unless_open(lambda: float(inertial.mass))
    if mass is not None and mass < 0:
        message = f"the mass of link '{link.name}' is negative: {mass:g} kg"
        yield Problem(message, inertial.location), False
        return
    written = _unless_open(lambda: _matrix(inertial.tensor))
    if written is None or float(np.abs(written).max()) < _NEGLIGIBLE:
        return
    if mass == 0:
        message = f"link '{link.name}' has rotational inertia but no mass"
        yield Problem(message, inertial.location, "warning"), False
    centered = _unless_open(lambda: _matrix(inertial.central_tensor()))
    subject = f"the rotational inertia of link '{link.name}'"
    if complaint := inertia_breach(written):
        message = f"{subject} {complaint}"
    elif centered is not None and (complaint := inertia_breach(centered)):
        message = (
            f"about the center of mass, {subject} {complaint}; moments and products are to be "
            "given about the frame's origin"
        )
    else:
        return
    negative = _is_negative(written if centered is None else centered)
    yield Problem(message, inertial.location, "warning"), negative


def _bodies_felt_negative(description: Description) -> set[str]:
    """Links of bodies that turn and have a negative moment about where they are moved."""
    robot = reduce(replace(description, loops=None))
    turns = {0: robot.floating_base}
    for joint in robot.joints:
        turns[joint.successor] = turns[joint.predecessor] or joint.kind.turns
    negative = {
        number
        for number, link in enumerate(robot.links)
        if turns[number] and _is_felt_negative(link.inertia)
    }
    return {frame.of_link for frame in robot.frames if frame.of_link and frame.link in negative}


def _links_felt_negative(description: Description) -> set[str]:
    """Links with a negative moment about the origins of their own frames."""
    inertials = ((link.name, link.inertial) for link in description.links if link.inertial)
    return {name for name, inertial in inertials if _is_felt_negative(inertial.spatial())}


def _is_felt_negative(inertia: SpatialInertia) -> bool:
    return _is_negative(_unless_open(lambda: _matrix(inertia.tensor)))


def _unless_open(value: Callable[[], T]) -> T | None:
    """A value, None if it depends on a parameter without a default."""
    try:
        return value()
    except (ValueError, ArithmeticError):
        return None


def _matrix(tensor: Symmetric3) -> Tensor:
    return np.array([[float(entry) for entry in row] for row in tensor.matrix()])


def _is_negative(tensor: Tensor | None) -> bool:
    if tensor is None:
        return False
    moments = np.linalg.eigvalsh(tensor)
    return bool(moments[0] < -_TOLERANCE * np.abs(moments).max())


def inertia_breach(tensor: Tensor) -> str:
    """Returns what is wrong with a (3, 3) tensor; empty if nothing is."""
    a, b, c = (float(moment) for moment in np.linalg.eigvalsh(tensor))
    moments = f"its principal moments are {a:.6g}, {b:.6g}, {c:.6g} kg m^2"
    if _is_negative(tensor):
        return f"is not positive: {moments}"
    if c - a - b > _TOLERANCE * max(abs(a), abs(c)):
        inequality = "breaks the triangle inequality, for no body has a moment greater than the sum"
        return f"{inequality} of the other two: {moments}"
    return ""
