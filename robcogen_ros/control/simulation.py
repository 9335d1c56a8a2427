"""A robot moving under efforts, by its forward dynamics."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from robcogen_ros.control.actuation import Actuation
from robcogen_ros.control.dynamics import Array, Dynamics
from robcogen_ros.control.impulses import Impulses
from robcogen_ros.errors import RobcogenError

ROOT = np.sqrt(3.0) / 6.0
STAGES = np.array([[0.25, 0.25 - ROOT], [0.25 + ROOT, 0.25]])
NODES = STAGES.sum(axis=1)
ENDING = STAGES.mean(axis=0)
# What accelerations at the nodes add to velocities and positions there.
STATES = np.vstack([STAGES, STAGES @ STAGES])
# Extrapolates the accelerations at the nodes of one step to those of the next.
EXTRAPOLATION = np.array(
    [[1 - 1 / (2 * ROOT), 1 / (2 * ROOT)], [-1 / (2 * ROOT), 1 + 1 / (2 * ROOT)]]
)
ITERATIONS = 12
HALVINGS = 6
TOLERANCE = 1e-10
"""To which accelerations are solved for, as changes of velocity, where energy is kept."""
FASTEST = 1e6
"""Speed [rad/s or m/s] at which a motion has run away."""
ACCEPTED = 1e-8


class SimulationError(RobcogenError):
    """The motion cannot be computed any more."""


class Simulation:
    """Integrates the equation of motion by Gauss-Legendre collocation (two stages, order four).

    The method is symmetric in time: where no one adds energy it keeps it, without drift, however
    long it runs. Where friction or stops take energy a step is one of the midpoint rule, order two,
    and they act implicitly at its end.

    Attributes:
        q: Positions.
        qd: Velocities.
        external_forces: Wrenches on the links (links, 6), in their coordinates, base first; None
            where there are none.
    """

    def __init__(
        self,
        robot: Dynamics,
        q: Array,
        *,
        actuation: Actuation | None = None,
        gravity: Array | None = None,
    ) -> None:
        """Starts at rest.

        Args:
            robot: The robot.
            q: Its positions.
            actuation: Its motors, friction and stops, if not as the model has them.
            gravity: Gravity in the base frame, if not as the model has it.
        """
        self.q = np.array(q, dtype=float)
        self.qd = np.zeros_like(self.q)
        self.external_forces: Array | None = None
        self._robot = robot
        self._actuation = actuation or Actuation(robot)
        self._gravity = gravity
        self._accelerations = np.zeros((2, robot.n))
        self._last: Impulses | None = None

    def advance(self, effort: Array, duration: float) -> Array:
        """Moves on in one step under efforts, limited to what the motors can give.

        Returns:
            The efforts that the motors gave.

        Raises:
            SimulationError: If the motion runs away beyond what numbers can hold.
        """
        within = self._actuation.within_limits(effort)
        with np.errstate(all="ignore"):
            self._advance(within, duration, HALVINGS)
        return within

    def inverse_dynamics(self, qdd: Array) -> Array:
        """Efforts that accelerate the joints as they move now."""
        return self._robot.inverse_dynamics(self.q, self.qd, qdd, gravity=self._gravity)

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
        impulses = self._impulses(step)
        if impulses is None:
            return self._collocation(effort, step)
        return self._midpoint(effort, step, impulses)

    def _collocation(self, effort: Array, step: float) -> bool:
        """A step without friction: accelerations at both nodes agree with the states they make."""
        efforts, start, weights = np.array([effort, effort]), self._start(step), _scaled(step)
        a = EXTRAPOLATION @ self._accelerations
        size = 1.0 + float(np.abs(self.qd).max()) + step * float(np.abs(a).max())
        change = np.inf
        for _ in range(ITERATIONS):
            states = weights @ a + start
            new = self._acceleration(states[2:], states[:2], efforts)
            change = step * float(np.abs(new - a).max())
            a = new
            if not change > TOLERANCE * size:
                break
        if not change <= ACCEPTED * size:
            return False
        moved = step * (self.qd + step * (ENDING @ a))
        self._finish(a, moved, self.qd + 0.5 * step * (a[0] + a[1]))
        return True

    def _midpoint(self, effort: Array, step: float, impulses: Impulses) -> bool:
        """A step with friction or stops: what the middle accelerates, less what they take."""
        half = 0.5 * step
        velocity = self.qd + half * self._accelerations[1]
        for _ in range(2):
            middle = self.q + half * (0.5 * (self.qd + velocity))
            a = self._acceleration(middle, velocity, effort)
            free = self.qd + step * a
            if not free.dot(free) <= FASTEST * FASTEST:
                return False
            after = impulses.after(free)
            velocity = 0.5 * (self.qd + after)
        self._finish(np.array([a, a]), step * velocity, after)
        return True

    def _acceleration(self, q: Array, qd: Array, effort: Array) -> Array:
        """Forward dynamics without friction, which acts at the end of the step."""
        effort = self._actuation.without_friction(effort, qd)
        return self._robot.forward_dynamics(
            q, qd, effort, external_forces=self.external_forces, gravity=self._gravity
        )

    def _start(self, step: float) -> Array:
        """Velocities and positions at both nodes as they would be without acceleration."""
        q1, q2 = (self.q + step * node * self.qd for node in NODES)
        return np.array([self.qd, self.qd, q1, q2])

    def _impulses(self, step: float) -> Impulses | None:
        """What acts besides the efforts, None if nothing does."""
        ahead = self.q + step * (self.qd + 0.5 * step * self._accelerations[1])
        blocked, dissipation = self._actuation.blocked(ahead), self._actuation.dissipation
        if not (dissipation.present or blocked is not None):
            return None
        inertia = self._robot.inertia_matrix(self.q + 0.5 * step * self.qd)
        self._last = Impulses(inertia, self.qd, step, dissipation, blocked, self._last)
        return self._last

    def _finish(self, accelerations: Array, moved: Array, velocity: Array) -> None:
        """Takes over a step that came out well."""
        self.q = self._actuation.within_stops(self.q + moved)
        self.qd, self._accelerations = velocity, accelerations


@lru_cache(maxsize=64)
def _scaled(step: float) -> Array:
    """`STATES` for the length of a step."""
    scaled: Array = STATES * np.array([[step], [step], [step * step], [step * step]])
    return scaled
