"""The ground that a gait goes over: a plane or steps, and where feet are to stand on it.

Axes of the ground are x, ahead, and z, its normal. In them a slope is a plane z = 0 whose gravity
leans, and a step is a foothold at another height.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.gait.pattern import Pattern
from robcogen_ros.gait.specification import Specification
from robcogen_ros.model.names import nearest


def ground_axes(normal: Sequence[float] | Array) -> Array:
    """Axes of a ground as columns in the world (3, 3): x is ahead, z is its normal."""
    z = np.asarray(normal, dtype=np.float64) / np.linalg.norm(normal)
    x = np.array([z[2], 0.0, -z[0]]) / np.hypot(z[0], z[2])
    return np.column_stack([x, np.cross(z, x), z])


def rotations(angles: Array) -> Array:
    """Rotations (..., 3, 3) of roll, pitch and yaw (..., 3), `R = Rz Ry Rx`."""
    (cr, cp, cy), (sr, sp, sy) = (np.moveaxis(f(angles), -1, 0) for f in (np.cos, np.sin))
    rows = (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def angles_of(turns: Array) -> Array:
    """Roll, pitch and yaw (..., 3) of rotations (..., 3, 3)."""
    roll = np.arctan2(turns[..., 2, 1], turns[..., 2, 2])
    pitch = np.arcsin(np.clip(-turns[..., 2, 0], -1.0, 1.0))
    return np.stack([roll, pitch, np.arctan2(turns[..., 1, 0], turns[..., 0, 0])], axis=-1)


def turned(axes: Array, position: Array, orientation: Array) -> tuple[Array, Array]:
    """Places (k, 3), and roll, pitch and yaw (k, 3), in other axes, whose columns are given."""
    if np.array_equal(axes, np.eye(3)):
        return position, orientation
    return position @ axes.T, angles_of(axes @ rotations(orientation))


class Terrain:
    """Footholds of a stride; those of the next one are further by a stride, and higher by its rise.

    Attributes:
        axes: Of the ground, as columns in the world (3, 3).
        rise: Height by which a stride climbs [m].
        footholds: Where feet stand after they have landed in the first stride (feet, 3), NaN where
            they are not prescribed [m].
        prescribed: Whether footholds are.
    """

    def __init__(self, wanted: Specification, pattern: Pattern, feet: Sequence[str]) -> None:
        """Finds out what is prescribed.

        Raises:
            ModelError: If a foothold is of no foot, or does not fit the other settings.
        """
        self.axes, self.rise = ground_axes(wanted.ground_normal), wanted.rise
        self._pattern, self.prescribed = pattern, bool(wanted.footholds)
        self.footholds = np.full((len(feet), 3), np.nan)
        self.footholds[:, 2] = 0.0
        for name, place in wanted.footholds.items():
            if name not in feet:
                message = f"'{name}' is no foot{nearest(name, feet)}"
                raise wanted.wrong("footholds", message)
            self.footholds[feet.index(name), : len(place)] = place
        missing = [foot for foot in feet if len(wanted.footholds.get(foot, ())) < 3]
        if self.rise and missing:
            message = f"steps need [x, y, z] of each foot, z of {', '.join(missing)} is missing"
            raise wanted.wrong("footholds" if wanted.footholds else "rise", message)
        if self.prescribed and wanted.dynamics == "reduced":
            raise wanted.wrong("footholds", "reduced dynamics choose theirs; give `dynamics: full`")

    def strides(self, foot: int, at: float) -> float:
        """Strides from a foot's first foothold to where it is, at a share of the stride."""
        phase = self._pattern.phase[foot]
        landed = round(at - phase - (at - phase) % 1.0)
        return landed + (self._pattern.swing(foot, at) or 0.0)

    def level(self, foot: int, at: float) -> float:
        """Height of where a foot stands; between two of them while it swings [m]."""
        return float(self.footholds[foot, 2] + self.rise * self.strides(foot, at))

    def base(self, at: float) -> float:
        """Height of the ground below the base, as feet have it in the middle of their stances."""
        stances = zip(self._pattern.phase, self._pattern.duty, strict=True)
        middles = np.array([phase + 0.5 * duty for phase, duty in stances])
        return float(np.mean(self.footholds[:, 2] + self.rise * (at - middles)))
