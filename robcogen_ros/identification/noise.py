"""Base parameters without what noise of positions takes away from them.

Accelerations that are derived from noisy positions are too large at random, so that least squares
find parameters too small. How much so is found by adding as much noise again: what that changes is
what the first has changed (Cook, Stefanski 1994, "Simulation-extrapolation estimation in parametric
measurement error models"). Noise is added with both signs, which leaves its square alone.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.recordings import Motion, Recording
from robcogen_ros.runtime.identified import Identification, Identified

Array = NDArray[np.float64]


class Disturbed:
    """Measurements with as much noise again, beside those that were made.

    Attributes:
        measured: The measurements.
    """

    def __init__(self, measured: Identification) -> None:
        """Begins with nothing measured.

        Args:
            measured: Takes the measurements.
        """
        self.measured, self._again = measured, measured.another()
        self._random = np.random.default_rng(0)

    def add(self, recording: Recording, motion: Motion, weights: ArrayLike) -> None:
        """Takes a block of a recording."""
        states = states_of(motion)
        self.measured.add(*states, motion.tau, weights=weights)
        if recording.smoothing is None:
            self._again.add(*states, motion.tau, weights=weights)
            return
        noise = recording.smoothing.disturbances(recording.survey.noise, len(motion), self._random)
        for sign in (1.0, -1.0):
            q, qd, qdd = (s + sign * d for s, d in zip(states, noise, strict=True))
            self._again.add(q, qd, qdd, motion.tau, weights=weights)

    def solve(self, weights: ArrayLike | str | None) -> Identified:
        """Returns the parameters of both, extrapolated to no noise."""
        found = self.measured.solve(weights)
        again = self._again.solve(found.weights)
        values = 2 * found.values - again.values
        return replace(found, values=values, residuals=self.measured.left(values))


def states_of(motion: Motion) -> tuple[Array, Array, Array]:
    """Returns positions, velocities and accelerations of a motion that has all of these."""
    assert motion.qd is not None
    assert motion.qdd is not None
    return motion.q, motion.qd, motion.qdd
