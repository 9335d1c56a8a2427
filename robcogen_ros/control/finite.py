"""Checks for numbers that are finite."""

from __future__ import annotations

import math

import numpy as np

from robcogen_ros.control.dynamics import Array


def all_finite(values: Array) -> bool:
    """Returns True if all entries of a vector are finite."""
    return math.isfinite(values.dot(values)) or bool(np.isfinite(values).all())
