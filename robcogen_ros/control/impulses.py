"""Velocity changes in one time step by what takes energy away: damping, dry friction, stops."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from robcogen_ros.control.dynamics import Array

SWEEPS = 50
SLOWEST = 1e-6
"""Decay in a step below which the weight stays what it is there: a half, to eight digits."""


@dataclass(frozen=True, slots=True)
class Dissipation:
    """Friction of the joints.

    Attributes:
        damping: Viscous friction.
        friction: Dry friction.
        present: Whether there is any.
    """

    damping: Array
    friction: Array
    present: bool = field(init=False)

    def __post_init__(self) -> None:
        """Looks once whether there is any."""
        object.__setattr__(self, "present", bool(self.damping.any() or self.friction.any()))


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
        blocked: Array | None,
        last: Impulses | None = None,
    ) -> None:
        """Prepares a step.

        Args:
            inertia: Inertia matrix.
            before: Velocity at the start of the step.
            step: Length of the step [s].
            dissipation: Friction.
            blocked: Joints at their lower and those at their upper stop (2, n); None where no
                joint is at a stop.
            last: Those of the step before, to start from.
        """
        damping = step * dissipation.damping
        late = damping * _late_weight(damping / inertia.diagonal())
        later = np.array(inertia, order="C")
        later.reshape(-1)[:: len(later) + 1] += late
        self._response = np.asarray(np.linalg.inv(later), dtype=np.float64)
        self._inertia = inertia
        self._early = (damping - late) * before
        self._high = step * dissipation.friction
        self._low = -self._high
        if blocked is not None:
            self._low = np.where(blocked[1], -np.inf, self._low)
            self._high = np.where(blocked[0], np.inf, self._high)
        start = np.zeros(len(before)) if last is None else last.found
        self.found: Array = self._allowed(start)

    def after(self, free: Array) -> Array:
        """Velocity at the end of the step, from what it would be without all this."""
        velocity: Array = self._response @ (self._inertia @ free - self._early + self.found)
        wanted = self.found - velocity / self._response.diagonal()
        if (self._allowed(wanted) == self.found).all():
            return velocity
        return self._settled(velocity)

    def _allowed(self, impulses: Array) -> Array:
        """Impulses within what friction and stops can give."""
        return np.minimum(np.maximum(impulses, self._low), self._high)

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
    z = np.maximum(rate, SLOWEST)
    return -1 / np.expm1(-z) - 1 / z
