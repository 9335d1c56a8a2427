"""A robot moving under efforts, by its forward dynamics."""

from __future__ import annotations

import numpy as np

from robcogen_ros.control.dynamics import Array, Dynamics
from robcogen_ros.control.impulses import Dissipation, velocity_after
from robcogen_ros.control.limits import Limits
from robcogen_ros.errors import RobcogenError

ROOT = np.sqrt(3.0) / 6.0
STAGES = np.array([[0.25, 0.25 - ROOT], [0.25 + ROOT, 0.25]])
NODES = STAGES.sum(axis=1)
# Extrapolates the accelerations at the nodes of one step to those of the next.
EXTRAPOLATION = np.array(
    [[1 - 1 / (2 * ROOT), 1 / (2 * ROOT)], [-1 / (2 * ROOT), 1 + 1 / (2 * ROOT)]]
)
ITERATIONS = 12
HALVINGS = 6
TOLERANCE = 1e-12
ACCEPTED = 1e-9


class SimulationError(RobcogenError):
    """The motion cannot be computed any more."""


class Simulation:
    """Integrates the equation of motion by Gauss-Legendre collocation (two stages, order four).

    The method is symmetric in time: where no one adds energy it keeps it, without drift, however
    long it runs. Friction and stops, which take energy, act implicitly at the end of each step.

    Attributes:
        q: Positions.
        qd: Velocities.
    """

    def __init__(self, robot: Dynamics, q: Array, *, stops: bool = True) -> None:
        self.q = np.array(q, dtype=float)
        self.qd = np.zeros_like(self.q)
        self._robot = robot
        limits = Limits.of(robot)
        self._limits = limits.effort
        self._dissipation = Dissipation(robot.damping, robot.friction)
        self._lower = limits.lower if stops else np.full(robot.n, -np.inf)
        self._upper = limits.upper if stops else np.full(robot.n, np.inf)
        self._accelerations = np.zeros((2, robot.n))
        self._loss = np.zeros(robot.n)

    def advance(self, effort: Array, duration: float) -> None:
        """Moves on under efforts, limited to what the motors can give.

        Raises:
            SimulationError: If the motion runs away beyond what numbers can hold.
        """
        within = np.clip(effort, -self._limits, self._limits)
        with np.errstate(all="ignore"):
            self._advance(within, duration, HALVINGS)

    def _advance(self, effort: Array, step: float, halvings: int) -> None:
        """One step, or two of half the length where the iteration does not settle."""
        if self._step(effort, step):
            return
        if halvings == 0:
            raise SimulationError("the simulated motion is too fast to be computed")
        self._accelerations[:] = 0.0
        for _ in range(2):
            self._advance(effort, step / 2, halvings - 1)

    def _step(self, effort: Array, step: float) -> bool:
        """One step, if its equations can be solved."""
        efforts = np.stack([effort, effort])
        accelerations = self._solved(
            EXTRAPOLATION @ self._accelerations, efforts, step, loss := self._loss
        )
        if accelerations is None:
            return False
        free = self.qd + step * accelerations.mean(axis=0)
        blocked = self._blocked(free, step)
        if self._dissipation.present or blocked.any():
            middle = self.q + step / 2 * self.qd
            inertia = self._robot.inertia_matrix(middle)
            loss = velocity_after(inertia, self.qd, free, step, self._dissipation, blocked) - free
        elif loss.any():
            loss = np.zeros_like(loss)
        if loss is not self._loss:
            accelerations = self._solved(accelerations, efforts, step, loss)
            if accelerations is None:
                return False
        self._finish(accelerations, loss, step)
        return True

    def _solved(
        self, accelerations: Array, efforts: Array, step: float, loss: Array
    ) -> Array | None:
        """Accelerations at both nodes that agree with the states they lead to."""
        robot, drift = self._robot, np.outer(NODES, loss)
        for _ in range(ITERATIONS):
            velocities = self.qd + step * (STAGES @ accelerations) + drift
            positions = self.q + step * (STAGES @ velocities)
            new = robot.forward_dynamics(positions, velocities, efforts)
            change = step * float(np.abs(new - accelerations).max())
            accelerations = new
            size = 1.0 + float(np.abs(velocities).max()) + step * float(np.abs(new).max())
            if not np.isfinite(size):
                return None
            if change <= TOLERANCE * size:
                return accelerations
        return accelerations if change <= ACCEPTED * size else None

    def _blocked(self, free: Array, step: float) -> Array:
        """Which joints would run into a stop: -1 the lower, 1 the upper."""
        ahead = self.q + step / 2 * (self.qd + free)
        into_lower = (ahead < self._lower) & (free < 0)
        into_upper = (ahead > self._upper) & (free > 0)
        sides: Array = into_upper.astype(float) - into_lower.astype(float)
        return sides

    def _finish(self, accelerations: Array, loss: Array, step: float) -> None:
        velocities = self.qd + step * (STAGES @ accelerations) + np.outer(NODES, loss)
        q = self.q + step * velocities.mean(axis=0)
        self.qd = self.qd + step * accelerations.mean(axis=0) + loss
        self.q = np.clip(q, self._lower, self._upper)
        self._accelerations, self._loss = accelerations, loss
