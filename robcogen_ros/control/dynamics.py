"""Functions that controllers and the simulation need of a robot; `robcogen_ros.Robot` has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]


class Measured(Protocol):
    """Parts of a robot that are measured and commanded: its joints, or its motors."""

    @property
    def n(self) -> int:
        """The number of joints."""

    @property
    def joint_names(self) -> Sequence[str]:
        """Names of the joints in the order of all vectors."""

    @property
    def continuous(self) -> NDArray[np.bool_]:
        """True for each that turns without end."""

    @property
    def velocity_limits(self) -> Array:
        """Greatest speeds, inf where there are none."""

    @property
    def effort_limits(self) -> Array:
        """Greatest efforts, inf where there are none."""


class Joints(Measured, Protocol):
    """The joints of a robot."""

    @property
    def lower_limits(self) -> Array:
        """Least positions, -inf where there are none."""

    @property
    def upper_limits(self) -> Array:
        """Greatest positions, inf where there are none."""

    @property
    def damping(self) -> Array:
        """Viscous friction."""

    @property
    def friction(self) -> Array:
        """Dry friction."""

    @property
    def terms(self) -> Sequence[str]:
        """The terms of the dynamics, of armature, damping, friction and springs."""


class Dynamics(Joints, Protocol):
    """A fixed-base robot with dynamics; leading batch dimensions are accepted everywhere."""

    def inverse_dynamics(
        self,
        q: Array,
        qd: Array,
        qdd: Array,
        *,
        gravity: Array | None = None,
    ) -> Array:
        """Efforts for an acceleration."""

    def gravity_torques(self, q: Array) -> Array:
        """Efforts that hold the robot still."""

    def inertia_matrix(self, q: Array) -> Array:
        """Joint-space inertia matrix."""

    def forward_dynamics(
        self,
        q: Array,
        qd: Array,
        tau: Array,
        *,
        external_forces: Array | None = None,
        gravity: Array | None = None,
    ) -> Array:
        """Acceleration under efforts and wrenches on the links."""
