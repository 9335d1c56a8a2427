"""Patterns of the functions that return entries of sparse matrices, as arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.sparse_pattern import SparsePattern, dynamics_patterns
from robcogen_ros.program.summary import Summary

CompressedColumns = tuple[NDArray[np.intp], NDArray[np.intp]]
"""The row of each entry, and where each column begins; the last number is that of all entries."""


class DerivativePatterns(NamedTuple):
    """Patterns of the results of `inverse_dynamics_derivatives_entries`.

    Attributes:
        dtau_dq: Entries of the derivatives by positions.
        dtau_dqd: Those by velocities.
        dtau_dqdd: Those of the upper triangle of the inertia matrix.
    """

    dtau_dq: CompressedColumns
    dtau_dqd: CompressedColumns
    dtau_dqdd: CompressedColumns


def derivative_patterns(robot: Summary) -> DerivativePatterns:
    """The patterns of a robot."""
    coordinates = [(joint.coordinate, *joint.more) for joint in robot.joints]
    patterns = dynamics_patterns(
        coordinates, robot.supports[1:], len(robot.coordinates), robot.floating_base, robot.pulled
    )
    by = (patterns.by_positions, patterns.by_velocities, patterns.inertia)
    return DerivativePatterns(*map(_compressed, by))


def _compressed(pattern: SparsePattern) -> CompressedColumns:
    return np.array(pattern.rows, dtype=np.intp), np.array(pattern.starts, dtype=np.intp)
