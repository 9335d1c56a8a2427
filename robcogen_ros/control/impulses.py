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
        found: The impulses of dry friction and stops, one a joint.
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
        self._low = np.where(blocked > 0, -np.inf, -step * dissipation.friction)
        self._high = np.where(blocked < 0, np.inf, step * dissipation.friction)
        start = np.zeros(len(before)) if last is None else last.found
        self.found: Array = np.clip(start, self._low, self._high)

    def after(self, free: Array) -> Array:
        """Velocity at the end of the step, from what it would be without all this."""
        velocity: Array = self._carried @ free - self._early
        pushed: Array = velocity + self._response @ self.found
        if self._all_slide(pushed):
            return pushed
        return self._settled(pushed)

    def _all_slide(self, velocity: Array) -> bool:
        """Whether each joint moves against the whole of its friction: nothing is left to find."""
        forward = (self.found == self._low) & (velocity >= 0)
        backward = (self.found == self._high) & (velocity <= 0)
        return bool((forward | backward).all())

    def _settled(self, pushed: Array) -> Array:
        """Projected Gauss-Seidel: each impulse brings its joint to rest as far as it may."""
        velocity, found = pushed.tolist(), self.found.tolist()
        rows, low, high = self._response.tolist(), self._low.tolist(), self._high.tolist()
        tolerance = 1e-11 * (1.0 + max(map(abs, velocity)))
        for _ in range(SWEEPS):
            change = 0.0
            for i, row in enumerate(rows):
                impulse = min(max(found[i] - velocity[i] / row[i], low[i]), high[i])
                push = impulse - found[i]
                if push != 0.0:
                    velocity = [v + r * push for v, r in zip(velocity, row, strict=True)]
                    change = max(change, abs(push) * row[i])
                    found[i] = impulse
            if change <= tolerance:
                break
        self.found = np.array(found)
        return np.array(velocity)


def _late_weight(rate: Array) -> Array:
    """The weight w of the later velocity with which the step's decay is exactly exp(-rate)."""
    small = rate < 1e-4
    z = np.where(small, 1.0, rate)
    return np.where(small, 0.5 + rate / 12, -1 / np.expm1(-z) - 1 / z)
