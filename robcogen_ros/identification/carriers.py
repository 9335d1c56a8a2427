"""Bodies of a file that each link's identified parameters go to, and what else is fixed there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.identification.pseudo_inertia import moved
from robcogen_ros.model.description import Description
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Pose

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Carriers:
    """The bodies of a file that carry the parameters of the links that move.

    Attributes:
        names: Of the file's link that carries those of each link: the one that the joint moves, or
            else the first with a mass that is fixed on it; None where there is none.
        bodies: (links, 10) its own parameters, in the frame of the link that the joint moves.
        fixed: (links, 10) those of all else that is fixed there.
        poses: Homogeneous transforms from its own frame to that.
    """

    names: tuple[str | None, ...]
    bodies: Array
    fixed: Array
    poses: tuple[Array, ...]

    def own(self, link: int, parameters: Array) -> Array:
        """Returns (10,) parameters of a carrier in its own frame, of those that `bodies` hold."""
        inverse = np.asarray(np.linalg.inv(self.poses[link]), dtype=np.float64)
        return moved(inverse, parameters)


def carriers(robot: Robot, description: Description, links: Sequence[str]) -> Carriers:
    """Returns the carriers of links.

    Args:
        robot: The robot.
        description: The file that it was made from.
        links: Names of the links that move, in the order of the regressor.
    """
    inertials = {link.name: link.inertial for link in description.links if link.inertial}
    numbers = {link.name: number for number, link in enumerate(robot.links)}
    names: list[str | None] = []
    poses, bodies, fixed = [], np.zeros((len(links), 10)), np.zeros((len(links), 10))
    for row, link in enumerate(links):
        body = robot.links[numbers[link]]
        parts: dict[str, tuple[Array, Array]] = {}
        for frame in robot.frames:
            if frame.link == numbers[link] and frame.of_link in inertials:
                pose = homogeneous(body.frame.inverse() @ frame.pose)
                parts[frame.of_link] = pose, moved(pose, _parameters(inertials[frame.of_link]))
        heavy = [name for name, part in parts.items() if part[1][0] > 0]
        name = link if link in heavy else next(iter(heavy), None)
        names.append(name)
        poses.append(parts[name][0] if name else np.eye(4))
        for part, (_, parameters) in parts.items():
            (bodies if part == name else fixed)[row] += parameters
    return Carriers(tuple(names), bodies, fixed, tuple(poses))


def _parameters(inertial: object) -> Array:
    inertia = inertial.spatial()  # type: ignore[attr-defined]
    return np.array([float(x) for x in (inertia.mass, *inertia.moment, *inertia.tensor)])


def homogeneous(pose: Pose) -> Array:
    """Returns (4, 4) homogeneous transform of a pose."""
    matrix = np.eye(4)
    matrix[:3, :3] = [[float(x) for x in row] for row in pose.rotation]
    matrix[:3, 3] = [float(x) for x in pose.translation]
    return matrix
