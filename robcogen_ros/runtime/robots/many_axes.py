"""Planar and floating joints, which a robot has as chains of joints of one axis.

`formats.urdf_many_axes` says what the joints and the links between them are called.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import atan2, cos, sin

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


PLANAR = ("x", "y", "theta")
FLOATING = ("x", "y", "z", "yaw", "pitch", "roll")


_OFF_PLANE = 1e-6
"""Distance that a pose may be from a plane [m, rad] without being told."""


@dataclass(frozen=True, slots=True)
class ManyAxes:
    """A joint of several axes.

    Attributes:
        name: Its name in the file.
        parent: The link it is on.
        child: The link it carries.
        coordinates: The joints of one axis that it is made of.
        axes: Their axes, those of a planar joint in its own frame.
    """

    name: str
    parent: str
    child: str
    coordinates: tuple[str, ...]
    axes: tuple[tuple[float, ...], ...]

    @property
    def planar(self) -> bool:
        """True if it moves in a plane."""
        return len(self.coordinates) == len(PLANAR)

    def positions(self, pose: Array) -> tuple[list[float], bool]:
        """Positions of the coordinates [m, rad] that make a pose of the child in the joint's frame.

        Args:
            pose: (7,) translation x, y, z [m], then quaternion x, y, z, w of length 1.

        Returns:
            Positions, and whether they make this pose; if not, it leaves the joint's plane.
        """
        translation, vector, w = pose[:3], pose[3:6], float(pose[6])
        if not self.planar:
            return [*translation.tolist(), *_yaw_pitch_roll(pose[3:].tolist())], True
        x, y, normal = np.array(self.axes)
        along = float(normal @ vector)
        tilt = 2 * float(np.linalg.norm(vector - along * normal))
        within = max(abs(float(normal @ translation)), tilt) < _OFF_PLANE
        theta = atan2(2 * along * w, w * w - along * along)
        return [float(x @ translation), float(y @ translation), theta], within


def many_axes(
    attachments: Iterable[tuple[str, str, str, bool]], axes: Mapping[str, tuple[float, ...]]
) -> Iterator[ManyAxes]:
    """The joints of several axes among a robot's attachments, with the axes of moving joints."""
    listed = [attachment for attachment in attachments if attachment[0] in axes]
    by_parent = {parent: (name, parent, child) for name, parent, child, _ in listed}
    for name, parent, child, _ in listed:
        stem = name.rstrip("_").removesuffix("_x")
        if not name.startswith(f"{stem}_x"):
            continue
        for kind in (PLANAR, FLOATING):
            chain = [(name, parent, child)]
            for suffix in kind[1:]:
                following = by_parent.get(chain[-1][2])
                between = chain[-1][0] == chain[-1][2]
                if not (between and following and _is_name(following[0], f"{stem}_{suffix}")):
                    break
                chain.append(following)
            if len(chain) == len(kind):
                names = tuple(link[0] for link in chain)
                yield ManyAxes(
                    stem, parent, chain[-1][2], names, tuple(map(axes.__getitem__, names))
                )


def _is_name(name: str, wanted: str) -> bool:
    """Returns True if a name is the wanted one, or that with underscores to tell it from others."""
    return name.startswith(wanted) and not name[len(wanted) :].strip("_")


def _yaw_pitch_roll(quaternion: Iterable[float]) -> tuple[float, float, float]:
    """Angles about z, the new y and the new x; each is that of what the ones before it leave."""
    x, y, z, w = quaternion
    yaw = atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z))
    c, s = cos(yaw), sin(yaw)
    forward = c * (1 - 2 * (y * y + z * z)) + s * 2 * (x * y + w * z)
    pitch = atan2(2 * (w * y - x * z), forward)
    sine = s * 2 * (x * z + w * y) - c * 2 * (y * z - w * x)
    cosine = c * (1 - 2 * (x * x + z * z)) - s * 2 * (x * y - w * z)
    return yaw, pitch, atan2(sine, cosine)
