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


class Impulses:
    """What damping, dry friction and stops do to a robot in one step.

    Damping is integrated implicitly, weighted so that a single damped joint slows down exactly
    exponentially; it stays stable however strong it is. Dry friction stops a joint and keeps it
    where it is as long as it can; at a stop a joint does not bounce.

    Attributes:
        found: The impulses of dry friction and stops.
    """

    def __init__(
        self,
        inertia: Array,
        before: Array,
        step: float,
        dissipation: Dissipation,
        blocked: Array,
        last: Impulses | None = None,
    ) -> None:
        """Prepares a step.

        Args:
            inertia: Inertia matrix.
            before: Velocity at the start of the step.
            step: Length of the step [s].
            dissipation: Friction.
            blocked: -1 for a joint at its lower stop, 1 at its upper stop, otherwise 0.
            last: Those of the step before, to start from.
        """
        damping = step * dissipation.damping
        weight = _late_weight(damping / inertia.diagonal())
        later = inertia + np.diag(damping * weight)
        self._response = np.asarray(np.linalg.inv(later), dtype=np.float64)
        self._carried = self._response @ inertia
        self._early = self._response @ (damping * (1 - weight) * before)
        self._rows = self._response.tolist()
        self._bounds = _bounds(step * dissipation.friction, blocked)
        self.found = [0.0] * len(self._bounds)
        if last is not None and len(last.found) == len(self.found):
            self.found = [
                min(max(guess, low), high)
                for guess, (_, low, high) in zip(last.found, self._bounds, strict=True)
            ]

    def after(self, free: Array) -> Array:
        """Velocity at the end of the step, from what it would be without all this."""
        velocity: Array = self._carried @ free - self._early
        if not self._bounds:
            return velocity
        return np.array(self._settled(velocity.tolist()))

    def _settled(self, velocity: list[float]) -> list[float]:
        """Projected Gauss-Seidel: each impulse brings its joint to rest as far as it may."""
        found = self.found
        for (joint, _, _), impulse in zip(self._bounds, found, strict=True):
            velocity = _pushed(velocity, self._rows[joint], impulse)
        tolerance = 1e-11 * (1.0 + max(map(abs, velocity)))
        for _ in range(SWEEPS):
            change = 0.0
            for i, (joint, low, high) in enumerate(self._bounds):
                row = self._rows[joint]
                impulse = min(max(found[i] - velocity[joint] / row[joint], low), high)
                push = impulse - found[i]
                if push != 0.0:
                    velocity = _pushed(velocity, row, push)
                    change = max(change, abs(push) * row[joint])
                    found[i] = impulse
            if change <= tolerance:
                break
        return velocity


def _pushed(velocity: list[float], response: list[float], impulse: float) -> list[float]:
    return [v + r * impulse for v, r in zip(velocity, response, strict=True)]


def _late_weight(rate: Array) -> Array:
    """The weight w of the later velocity with which the step's decay is exactly exp(-rate)."""
    small = rate < 1e-4
    z = np.where(small, 1.0, rate)
    return np.where(small, 0.5 + rate / 12, -1 / np.expm1(-z) - 1 / z)


def _bounds(friction: Array, blocked: Array) -> list[tuple[int, float, float]]:
    """Joint, least and greatest impulse of all that works towards standstill of a joint."""
    low = np.where(blocked > 0, -np.inf, -friction).tolist()
    high = np.where(blocked < 0, np.inf, friction).tolist()
    return [(i, a, b) for i, (a, b) in enumerate(zip(low, high, strict=True)) if a < b]
