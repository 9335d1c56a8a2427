"""Motions from rest to rest."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.control.dynamics import Array


def blend(time: ArrayLike, duration: float) -> Array:
    """The quintic polynomial from 0 to 1, at rest at both ends, and two derivatives (3, ...).

    Args:
        time: Since it began (...) [s]; it stays at its ends before and after.
        duration: How long it takes [s].
    """
    x = np.clip(np.asarray(time) / duration, 0.0, 1.0)
    return np.array(
        [
            x**3 * (10 - 15 * x + 6 * x**2),
            30 * x**2 * (1 - x) ** 2 / duration,
            60 * x * (1 - x) * (1 - 2 * x) / duration**2,
        ]
    )
