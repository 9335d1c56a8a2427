"""Ellipsoids that say what numbers mean: bodies of equal inertia, speeds that a frame can have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.written import about_center
from robcogen_ros.model.checks.inertia import inertia_breach
from robcogen_ros.model.description import Description
from robcogen_ros.model.quaternions import matrix
from robcogen_ros.model.robot import Robot

Array = NDArray[np.float64]

_MARK = 0.1
"""Longest half axis of what no body can be, by the robot's size."""
_FLAT, _THIN = 1e-3, 0.05
"""Half axis drawn where there is none, of what can be and of what cannot, by the longest."""


@dataclass(frozen=True, slots=True)
class Ellipsoid:
    """A homogeneous ellipsoid with the mass, center and moments of inertia of a body.

    Attributes:
        link: Name of the body's link.
        mass: Mass [kg].
        center: In the link's own frame (3,) [m].
        rotation: Columns are the directions of the half axes, there (3, 3).
        axes: Half axes (3,) [m]; of what no body can be, those that can be drawn.
        breach: Why no body has this inertia; empty if one has.
    """

    link: str
    mass: float
    center: Array
    rotation: Array
    axes: Array
    breach: str = ""


@dataclass(frozen=True, slots=True)
class Manipulability:
    """Speeds of a frame along each direction, at joint speeds of length 1.

    Attributes:
        axes: Half axes (3,) [m/s per rad/s or m/s], greatest first.
        rotation: Columns are their directions in the base (3, 3).
        measure: Their product, Yoshikawa's measure of positions.
    """

    axes: Array
    rotation: Array
    measure: float


def drawn_axes(ellipsoid: Ellipsoid, size: float) -> Array:
    """Half axes (3,) as they are drawn on a robot of some size [m].

    What no body can be may be of any size, such as the inertia of a placeholder without mass: it
    is drawn as a mark.
    """
    most = _MARK * size if ellipsoid.breach else size
    return ellipsoid.axes * min(1.0, most / max(float(ellipsoid.axes.max()), 1e-12))


def manipulability(robot: Any, frame: str, q: Array) -> Manipulability:
    """Returns the manipulability of a frame's position relative to the base (Yoshikawa 1985).

    Args:
        robot: A robot to compute with.
        frame: The frame.
        q: (n,) positions.
    """
    J = robot.jacobian(robot.link_names[0], frame, q)[3:]
    rotation, values, _ = np.linalg.svd(np.pad(J, ((0, 0), (0, max(0, 3 - J.shape[1])))))
    return Manipulability(values[:3], rotation, float(np.prod(values[:3])))


def inertia_ellipsoid(link: str, mass: float, center: Array, tensor: Array) -> Ellipsoid:
    """The ellipsoid of a mass [kg] and a tensor (3, 3) about its center [kg m^2]."""
    moments, rotation = np.linalg.eigh(tensor)
    rotation[:, 2] *= np.linalg.det(rotation)
    breach = f"its mass is negative: {mass:g} kg" if mass < 0 else inertia_breach(tensor)
    if not mass and not breach:
        breach = "it has rotational inertia but no mass"
    squares = 2.5 / (abs(mass) or 1.0) * (moments.sum() - 2 * moments)
    longest = float(np.sqrt(np.abs(squares).max()))
    least = (_THIN if breach else _FLAT) * longest
    axes = np.maximum(np.sqrt(np.maximum(squares, 0.0)), least)
    return Ellipsoid(link, mass, center, rotation, axes, breach)


def inertia_ellipsoids(robot: Robot, description: Description) -> list[Ellipsoid]:
    """Returns ellipsoids of all bodies with inertia, and of links with inertia that no body has.

    Inertia that depends on parameters without default is left out.
    """
    return [*_of_bodies(robot), *_of_links(robot, description)]


def _of_bodies(robot: Robot) -> Iterator[Ellipsoid]:
    """Each with all that is fixed on it, as functions are generated from it."""
    for link in robot.links:
        try:
            written = about_center(link.frame.inverse().inertia(link.inertia))
            mass, center, tensor = float(written[0]), _vector(written[1]), _matrix(written[2])
        except (ValueError, RobcogenError):
            continue
        if mass or tensor.any():
            yield inertia_ellipsoid(link.name, mass, center, tensor)


def _of_links(robot: Robot, description: Description) -> Iterator[Ellipsoid]:
    """Yields ellipsoids of single links with impossible inertia, bodies of one link included."""
    count = [0] * len(robot.links)
    place = {f.of_link: f.link for f in robot.frames if f.of_link is not None}
    open_bodies = {body.name for body in robot.bodies}
    written = [
        link
        for link in description.links
        if link.inertial and link.name in place and link.name not in open_bodies
    ]
    for link in written:
        count[place[link.name]] += 1
    for link in written:
        if count[place[link.name]] == 1 or link.inertial is None:
            continue
        try:
            mass, tensor = float(link.inertial.mass), _matrix(link.inertial.central_tensor())
            pose, center = matrix(link.inertial.pose), _vector(link.inertial.center)
        except (ValueError, RobcogenError):
            continue
        R = pose[:3, :3]
        found = inertia_ellipsoid(link.name, mass, R @ center + pose[:3, 3], R @ tensor @ R.T)
        if found.breach and (mass or tensor.any()):
            yield found


def _vector(vector: Any) -> Array:
    return np.array([float(entry) for entry in vector])


def _matrix(tensor: Any) -> Array:
    return np.array([[float(entry) for entry in row] for row in tensor.matrix()])
