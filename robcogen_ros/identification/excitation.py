"""Motions that tell a robot's inertial parameters: Fourier series within limits.

A finite Fourier series for each joint (Swevers et al. 1997, "Optimal robot excitation and
identification") whose sines and cosines are such that velocity and acceleration vanish where the
period begins and ends. Its coefficients maximise the determinant of the information that efforts
give about the base parameters, each effort weighed by its limit; that is the least volume of the
ellipsoid of their standard errors (D-optimality), whatever their units.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.extras import package
from robcogen_ros.runtime.identification import BaseParameters
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot

Array = NDArray[np.float64]

_ANY_ANGLE, _ANY_SPEED = np.pi, 2.0
"""Reach and speed of joints without limits [rad or m, and in a second]."""
_STEEP = (30.0, 1e3)
"""Costs of exceeding a bound by its own size, beside the mean logarithm of errors: where the motion
misses a bound the second is taken, too."""
_WITHIN = 0.97
"""Part of an effort's bound that is kept where it is looked at, so that it is between."""
_STEP = 1e-4
"""Change of a coefficient by which a slope is found."""
_OFFSETS = 0.3
"""Part of what is left of a range by which a motion's middle may be moved at the start."""
_SHRINKS, _SHRINK = 60, 0.93


@dataclass(frozen=True)
class Bounds:
    """Bounds that a motion keeps.

    Attributes:
        lower: (n,) least positions [rad or m].
        upper: (n,) greatest ones.
        velocity: (n,) greatest velocities.
        effort: (n,) greatest efforts [N m or N]; infinite where there is no limit.
    """

    lower: Array
    upper: Array
    velocity: Array
    effort: Array

    @classmethod
    def of(cls, robot: FixedBaseRobot, share: float) -> Bounds:
        """Returns a share of the limits of a robot; of positions, of their range about its middle.

        Joints without limits turn by half a turn to each side, at 2 rad/s.

        Args:
            robot: The robot.
            share: Of its limits, above 0 and at most 1.
        """
        bounded = np.isfinite(robot.lower_limits) & np.isfinite(robot.upper_limits)
        lower = np.where(bounded, robot.lower_limits, -_ANY_ANGLE)
        upper = np.where(bounded, robot.upper_limits, _ANY_ANGLE)
        middle, half = (upper + lower) / 2, share * (upper - lower) / 2
        speed = robot.velocity_limits
        speed = share * np.where(np.isfinite(speed) & (speed > 0), speed, _ANY_SPEED)
        effort = np.where(robot.effort_limits > 0, robot.effort_limits, np.inf)
        return cls(middle - half, middle + half, speed, share * effort)


@dataclass(frozen=True)
class Excitation:
    """A motion of one period that begins and ends at rest.

    Attributes:
        duration: Of the period [s].
        middle: (n,) means of the positions.
        sine: (n, harmonics) coefficients of sines.
        cosine: (n, harmonics) coefficients of cosines.
    """

    duration: float
    middle: Array
    sine: Array
    cosine: Array

    def states(self, time: Array) -> tuple[Array, Array, Array]:
        """Returns positions, velocities and accelerations at m times, (m, n) each.

        Of many motions at a time, whose coefficients have an axis more in front, so have these.
        """
        order = np.arange(1, self.sine.shape[-1] + 1)
        w = 2 * np.pi * order / self.duration
        s, c = np.sin(np.outer(time, w)), np.cos(np.outer(time, w))
        a, b = self.sine.swapaxes(-1, -2), self.cosine.swapaxes(-1, -2)
        q = self.middle[..., None, :] + s @ a + c @ b
        return q, (c * w) @ a - (s * w) @ b, -(s * w**2) @ a - (c * w**2) @ b

    def sampled(self, rate: float) -> tuple[Array, Array, Array, Array]:
        """Returns times, positions, velocities and accelerations, so many a second and the end."""
        time = np.linspace(0, self.duration, round(self.duration * rate) + 1)
        return time, *self.states(time)


class Search:
    """Finds a motion of a robot.

    Attributes:
        bounds: What it keeps.
    """

    def __init__(
        self,
        robot: FixedBaseRobot,
        base: BaseParameters,
        bounds: Bounds,
        *,
        duration: float = 20.0,
        harmonics: int = 5,
        clearance: Callable[[Array], Array] | None = None,
    ) -> None:
        """Prepares a search, with nothing tried yet.

        Args:
            robot: The robot, with `inverse_dynamics` and its regressor.
            base: The parameters to tell, without those of joints.
            bounds: What the motion keeps.
            duration: Of the period [s].
            harmonics: Of the series.
            clearance: How far links are from one another at (m, n) positions, as a part of what
                is asked for, (m,); None where that is not known.
        """
        self._robot, self._base, self.bounds = robot, base, bounds
        self._duration, self._harmonics, self._clearance = duration, harmonics, clearance
        self._time = np.linspace(0, duration, 12 * harmonics, endpoint=False)
        self._dense = np.linspace(0, duration, 100 * harmonics)
        self._close = np.linspace(0, duration, 40 * harmonics, endpoint=False)
        limited = np.isfinite(bounds.effort)
        usual = float(np.median(bounds.effort[limited])) if limited.any() else 1.0
        self._weights = 1 / np.where(limited, bounds.effort, usual)

    def random(self, seed: int) -> Excitation:
        """Returns a random motion that keeps all bounds.

        Raises:
            RobcogenError: If none is found.
        """
        return self._shrunk_motion(self._start(np.random.default_rng(seed)))

    def solve(self, seed: int = 0, iterations: int = 60) -> Excitation:
        """Returns a motion that keeps all bounds, from a random one.

        Args:
            seed: Which random one.
            iterations: Most steps that are taken.

        Raises:
            RobcogenError: If none is found, or SciPy is missing.
        """
        optimize = package("scipy.optimize", "the search for a motion")
        unknowns = self._start(np.random.default_rng(seed))
        for steep in _STEEP:
            unknowns = optimize.minimize(
                self._cost_and_slope,
                unknowns,
                args=(steep,),
                jac=True,
                method="L-BFGS-B",
                options={"maxiter": iterations},
            ).x
            if not self.missed(self._motion(unknowns)):
                break
        return self._shrunk_motion(unknowns)

    def errors(self, motion: Excitation, other: Excitation) -> float:
        """Returns how many times as large standard errors are as along another motion, on average.

        The average is the geometric mean over the base parameters, of the axes of the ellipsoid of
        errors.

        Args:
            motion: The motion.
            other: The one that it is compared with.
        """
        states = [m.states(self._time) for m in (motion, other)]
        _, logarithms = np.linalg.slogdet([self._information(*each) for each in states])
        return float(np.exp((logarithms[1] - logarithms[0]) / (2 * self._base.count)))

    def condition(self, motion: Excitation) -> float:
        """Returns the condition number of the weighted regressor along a motion."""
        eigenvalues = np.linalg.eigvalsh(self._information(*motion.states(self._time)))
        return float(np.sqrt(eigenvalues[-1] / max(eigenvalues[0], np.finfo(float).tiny)))

    def _start(self, random: np.random.Generator) -> Array:
        n, h = self._robot.n, self._harmonics
        series = random.normal(size=(n, 2, h)) / np.arange(1, h + 1)
        return np.concatenate([np.ones(n), _OFFSETS * random.normal(size=n), series.ravel()])

    def _motion(self, unknowns: Array, shrink: float = 1.0) -> Excitation:
        """Returns the motion of (..., u) unknowns: sizes, places of the middle, coefficients.

        Positions and velocities are within their bounds at the instants that are looked at,
        whatever the unknowns are.
        """
        n, h, bounds = self._robot.n, self._harmonics, self.bounds
        order = np.arange(1, h + 1.0)
        series = unknowns[..., 2 * n :].reshape(*unknowns.shape[:-1], n, 2, h)
        rests = np.stack([order, order**2])  # of which the sums over coefficients vanish
        along = (series * rests).sum(axis=-1) / (rests**2).sum(axis=-1)
        series = series - along[..., None] * rests
        shape = Excitation(self._duration, np.zeros(n), series[..., 0, :], series[..., 1, :])
        q, qd, _ = shape.states(self._dense)
        room = (bounds.upper - bounds.lower) / 2
        size = shrink / (1 + np.exp(-2 * unknowns[..., :n]))
        tiny = np.finfo(float).tiny
        farthest, fastest = np.abs(q).max(axis=-2) + tiny, np.abs(qd).max(axis=-2) + tiny
        scale = size * np.minimum(room / farthest, bounds.velocity / fastest)
        left = np.maximum(room - scale * farthest, 0.0)
        middle = (bounds.upper + bounds.lower) / 2 + left * np.tanh(unknowns[..., n : 2 * n])
        sized = scale[..., None, None] * series
        return Excitation(self._duration, middle, sized[..., 0, :], sized[..., 1, :])

    def _information(self, q: Array, qd: Array, qdd: Array) -> Array:
        """Returns (..., b, b) of (..., m, n) states: what efforts of unit errors tell."""
        Y = self._robot.inverse_dynamics_regressor(q, qd, qdd)[..., self._base.columns]
        Y = Y * self._weights[:, None]
        rows: Array = Y.reshape(*Y.shape[:-3], -1, Y.shape[-1])
        return np.asarray(rows.swapaxes(-1, -2) @ rows, dtype=np.float64)

    def _costs(self, motions: Excitation, steep: float) -> Array:
        """Returns what k motions cost, (k,)."""
        states = motions.states(self._time)
        information = self._information(*states)
        b = self._base.count
        scale = np.trace(information, axis1=-2, axis2=-1)[:, None, None] / b
        _, logarithm = np.linalg.slogdet(information + 1e-12 * scale * np.eye(b))
        excess = self._too_strong(motions) + self._too_near(states[0])
        return np.asarray(-logarithm / (2 * b) + steep * excess)

    def _too_strong(self, motions: Excitation) -> Array:
        """Returns the squares of the parts by which k motions exceed efforts, (k,)."""
        tau = self._robot.inverse_dynamics(*motions.states(self._close))
        over = np.abs(tau).max(axis=-2) / (_WITHIN * self.bounds.effort) - 1
        return np.asarray((np.maximum(over, 0) ** 2).sum(axis=-1))

    def _too_near(self, q: Array) -> Array | float:
        """Returns the square of the part by which links are too near at (k, m, n) positions."""
        if self._clearance is None:
            return 0.0
        free = self._clearance(q.reshape(-1, q.shape[-1])).reshape(q.shape[:-1])
        return np.asarray(np.maximum(1 - free, 0).max(axis=-1) ** 2)

    def _cost_and_slope(self, unknowns: Array, steep: float) -> tuple[float, Array]:
        changed = np.vstack([unknowns, unknowns + _STEP * np.eye(len(unknowns))])
        costs = self._costs(self._motion(changed), steep)
        return float(costs[0]), (costs[1:] - costs[0]) / _STEP

    def _shrunk_motion(self, unknowns: Array) -> Excitation:
        """Returns the motion of unknowns, made smaller until it keeps all bounds at all instants.

        Raises:
            RobcogenError: If even the smallest does not.
        """
        shrink = 1.0
        for _ in range(_SHRINKS):
            motion = self._motion(unknowns, shrink)
            if not self.missed(motion):
                return motion
            shrink *= _SHRINK
        raise RobcogenError(f"no motion is found: {'; '.join(self.missed(motion))}")

    def missed(self, motion: Excitation) -> list[str]:
        """Returns which bounds a motion misses, by joint.

        Args:
            motion: The motion.
        """
        q, qd, qdd = motion.states(self._dense)
        bounds, names = self.bounds, self._robot.joint_names
        tau = np.abs(self._robot.inverse_dynamics(q, qd, qdd)).max(axis=0)
        told = []
        for k, name in enumerate(names):
            if q[:, k].min() < bounds.lower[k] - 1e-9 or q[:, k].max() > bounds.upper[k] + 1e-9:
                told.append(f"{name} leaves {bounds.lower[k]:.4g} to {bounds.upper[k]:.4g}")
            if np.abs(qd[:, k]).max() > bounds.velocity[k] * (1 + 1e-9):
                told.append(f"{name} is faster than {bounds.velocity[k]:.4g}")
            if tau[k] > bounds.effort[k]:
                told.append(f"{name} needs {tau[k]:.4g} of the {bounds.effort[k]:.4g} allowed")
        if self._clearance is not None and self._clearance(q).min() < 1:
            told.append("links come too near to one another")
        return told
