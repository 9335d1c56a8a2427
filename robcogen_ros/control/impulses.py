"""Velocity changes in one time step by what takes energy away: damping, dry friction, stops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robcogen_ros.control.dynamics import Array

SWEEPS = 50


@dataclass(frozen=True, slots=True)
class Dissipation:
    """Friction of the joints.

    Attributes:
        damping: Viscous friction.
        friction: Dry friction.
    """

    damping: Array
    friction: Array

    @property
    def present(self) -> bool:
        """Whether there is any."""
        return bool(self.damping.any() or self.friction.any())


def velocity_after(
    inertia: Array,
    before: Array,
    free: Array,
    step: float,
    dissipation: Dissipation,
    blocked: Array,
) -> Array:
    """Velocity at the end of a step.

    Damping is integrated implicitly, weighted so that a single damped joint slows down exactly
    exponentially; it stays stable however strong it is. Dry friction stops a joint and keeps it
    where it is as long as it can; at a stop a joint does not bounce.

    Args:
        inertia: Inertia matrix.
        before: Velocity at the start of the step.
        free: Velocity at its end without the forces treated here.
        step: Length of the step [s].
        dissipation: Friction.
        blocked: -1 for a joint at its lower stop, 1 at its upper stop, otherwise 0.
    """
    damping = dissipation.damping
    mobility = np.asarray(np.linalg.inv(inertia), dtype=np.float64)
    rate = step * damping * mobility.diagonal()
    weight = _late_weight(rate)
    later = inertia + np.diag(step * damping * weight)
    response = np.asarray(np.linalg.inv(later), dtype=np.float64)
    velocity: Array = response @ (inertia @ free - step * damping * (1 - weight) * before)
    bounds = _impulse_bounds(step * dissipation.friction, blocked)
    return _with_impulses(velocity, response, bounds)


def _late_weight(rate: Array) -> Array:
    """The weight w of the later velocity with which the step's decay is exactly exp(-rate)."""
    small = rate < 1e-4
    z = np.where(small, 1.0, rate)
    return np.where(small, 0.5 + rate / 12, -1 / np.expm1(-z) - 1 / z)


def _impulse_bounds(friction: Array, blocked: Array) -> list[tuple[int, float, float]]:
    """Joint, least and greatest impulse of everything that works towards standstill."""
    dry = [(i, -f, f) for i, f in enumerate(friction.tolist()) if f > 0]
    low = [(int(i), 0.0, np.inf) for i in np.flatnonzero(blocked < 0)]
    high = [(int(i), -np.inf, 0.0) for i in np.flatnonzero(blocked > 0)]
    return dry + low + high


def _with_impulses(
    velocity: Array, response: Array, bounds: list[tuple[int, float, float]]
) -> Array:
    """Projected Gauss-Seidel: impulses within bounds, each bringing its joint to rest if it can."""
    velocity = velocity.copy()
    impulses = [0.0] * len(bounds)
    tolerance = 1e-12 * (1.0 + float(np.abs(velocity).max(initial=0.0)))
    for _ in range(SWEEPS if bounds else 0):
        change = 0.0
        for row, (joint, low, high) in enumerate(bounds):
            mobility = response[joint, joint]
            impulse = min(max(impulses[row] - velocity[joint] / mobility, low), high)
            velocity += response[:, joint] * (impulse - impulses[row])
            change = max(change, abs(impulse - impulses[row]) * mobility)
            impulses[row] = impulse
        if change <= tolerance:
            break
    return velocity
