"""Differences of positions where some joints turn without end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.control.dynamics import Array

TURN = 2.0 * np.pi


def wrapped(difference: Array, continuous: NDArray[np.bool_]) -> Array:
    """The difference of two positions, taken into (-pi, pi] where the joint is continuous."""
    turns = np.ceil((difference - np.pi) / TURN)
    return difference - np.where(continuous, TURN * turns, 0.0)


def nearest(position: Array, to: Array, continuous: NDArray[np.bool_]) -> Array:
    """Returns `position` with the whole turns that bring it nearest to `to`."""
    distance = position - to
    return position + (wrapped(distance, continuous) - distance)
