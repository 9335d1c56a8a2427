"""External forces on a robot, from its momentum and what its motors do, computed in C++."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.runtime.evaluators.evaluator import Evaluator
from robcogen_ros.runtime.objects import CompiledObject
from robcogen_ros.runtime.parameters import Parameters

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ExternalForces:
    """Forces that act on a robot from outside.

    N degrees of freedom: those of a floating base, [moment; force] about its origin in its axes,
    then the joints. Bands tell what friction may have added to each number.

    Attributes:
        external: (N,) all of it [N m or N].
        contact_forces: (m,) of the ground on the robot, rows of `contact_jacobian`.
        remainder: (N,) what contacts do not explain.
        external_band: (N,).
        contact_band: (m,).
        remainder_band: (N,).
        closed: (contacts,) which contacts bear a force.
        disturbed: (n,) which joints have a remainder.
        pushed: Whether a floating base has one.
    """

    external: Array
    contact_forces: Array
    remainder: Array
    external_band: Array
    contact_band: Array
    remainder_band: Array
    closed: Flags
    disturbed: Flags
    pushed: bool


class MomentumObserver:
    """Follows the generalized momentum of a robot. Made by `robot.momentum_observer()`.

    Example:
        >>> observer = arm.momentum_observer(gain=50.0)
        >>> found = observer.update(q, qd, measured_efforts, 0.001)  # each cycle
        >>> hit = found.disturbed.any()
    """

    def __init__(self, evaluator: Evaluator, settings: Mapping[str, ArrayLike | None]) -> None:
        """An observer of a robot; `robot.momentum_observer()` tells what the settings are.

        Raises:
            Fault: If a setting is out of its range.
        """
        self._object = CompiledObject(evaluator, "momentum_observer", settings)
        self._object.call("check")

    def update(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        step: float,
        *,
        base_velocity: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
    ) -> ExternalForces:
        """Takes a measurement; of the first there is nothing to compare with.

        Args:
            q: (n,) positions.
            qd: (n,) velocities.
            tau: (n,) efforts that have acted since the measurement before: measured, or commanded.
            step: Time since then [s].
            base_velocity: (6,) spatial velocity of a floating base, its coordinates.
            gravity: (3,) free fall in base coordinates; a floating base's must be given.

        Raises:
            Fault: If a number is not finite, gravity is missing or the step is not positive. The
                estimate stays, the next measurement is the first of a new interval.
        """
        found = self._object.call(
            "update", q=q, qd=qd, tau=tau, step=step, base_velocity=base_velocity, gravity=gravity
        )
        flags = {name: found[name] > 0.0 for name in ("closed", "disturbed")}
        pushed = bool(found["pushed"] > 0.0)
        return ExternalForces(**{**_copies(found), **flags, "pushed": pushed})


def _copies(found: Mapping[str, Array]) -> dict[str, Any]:
    """Results that the next call does not change."""
    return {name: values.copy() for name, values in found.items()}


class ObservedRobot:
    """A robot whose external forces can be observed."""

    parameters: Parameters
    _evaluator: Evaluator

    def momentum_observer(
        self,
        *,
        gain: float = 100.0,
        damping: ArrayLike | None = None,
        joint_friction: ArrayLike | None = None,
        sliding: float = 0.01,
        friction_tolerance: float = 0.2,
        joint_threshold: ArrayLike | None = None,
        base_force_threshold: float = 10.0,
        base_moment_threshold: float = 5.0,
        contact_threshold: float | None = None,
        release: float = 0.5,
        base_is_free: bool = True,
        contact_damping: float = 1e-6,
    ) -> MomentumObserver:
        """An observer of external forces; of a robot built with `momentum_observer=True`.

        Args:
            gain: What acts is followed with a first-order lag of one over it [1/s].
            damping: (n,) viscous friction of the joints, by default the model's.
            joint_friction: (n,) dry friction, by default the model's.
            sliding: Speed from which dry friction is fully there [rad/s or m/s].
            friction_tolerance: How far friction may be from what is told, as a share of it.
            joint_threshold: (n,) efforts that are real beyond what friction explains [N m or N];
                by default 2 % of the effort limits, 1 where there are none.
            base_force_threshold: The same of a push at a floating base [N].
            base_moment_threshold: [N m].
            contact_threshold: The same of a contact [N]; by default of a floating base a twentieth
                of the robot's weight, of a fixed one 5 N.
            release: Share of a threshold below which what was real is no more.
            base_is_free: Whether anything but contacts may push a floating base.
            contact_damping: What keeps forces bounded where a limb is singular [1/N^2].

        Raises:
            RobcogenError: If the robot was built without an observer.
            ValueError: If a setting has another shape.
        """
        settings = {
            "gain": gain,
            "damping": damping,
            "joint_friction": joint_friction,
            "sliding": sliding,
            "friction_tolerance": friction_tolerance,
            "joint_threshold": joint_threshold,
            "base_force_threshold": base_force_threshold,
            "base_moment_threshold": base_moment_threshold,
            "contact_threshold": contact_threshold,
            "release": release,
            "base_is_free": float(base_is_free),
            "contact_damping": contact_damping,
            "parameters": self.parameters.array(),
        }
        return MomentumObserver(self._evaluator, settings)
