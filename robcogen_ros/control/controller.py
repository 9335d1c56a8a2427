"""A controller without its middleware: states and references in, commands out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robcogen_ros.control.dynamics import Array, Dynamics
from robcogen_ros.control.law import Command, ControlLaw, Settings
from robcogen_ros.control.limits import Limits
from robcogen_ros.control.measurements import Measurements
from robcogen_ros.control.ramp import Ramp
from robcogen_ros.control.reference import Bounds, Reference, Waypoints
from robcogen_ros.control.watchdog import Watchdog

LOOKS = 5
"""How often the watchdog looks within its timeout."""


class Controller:
    """Keeps a robot on its reference and carries its weight when its states stop coming.

    It holds the position that it finds first, until a reference comes. After a loss of states, and
    after a leap of time, it holds the position that it finds again: a motion that was missed is not
    caught up with. Efforts beyond gravity's come up slowly at the start; after a loss they are
    there at once, for the robot may be moving and is to be braked.

    Attributes:
        law: The control law.
        problem: What was wrong with the last state, if anything.
        lost: Whether states have stopped coming.
        losses: How often they have.
        leaps: How often time has leapt between two states.
    """

    def __init__(
        self,
        robot: Dynamics,
        settings: Settings,
        *,
        state_timeout: float = 0.1,
        reference_timeout: float = 0.1,
        zero_on_loss: bool = False,
        activation_time: float = 0.0,
    ) -> None:
        self.law = ControlLaw(robot, settings)
        self.problem: str | None = None
        self.lost = False
        self.losses = 0
        self.leaps = 0
        self.state_timeout = state_timeout
        self.zero_on_loss = zero_on_loss
        self._robot = robot
        self._patience = reference_timeout
        self._ramp = Ramp(activation_time)
        limits = Limits.of(robot)
        self._bounds = Bounds(robot.joint_names, limits.lower, limits.upper)
        self.restart()

    @property
    def ready(self) -> bool:
        """Whether a reference can be followed: the robot's position is known."""
        return self._reference is not None

    def restart(self) -> None:
        """Forgets states and reference; the next state's position is held."""
        self.lost = False
        self._states = Measurements(self._robot)
        self._watchdog = Watchdog(self.state_timeout, self.state_timeout / LOOKS)
        self._reference: Reference | None = None
        self._clocks: tuple[float, float] | None = None
        self._ramp.restart()

    def follow(self, points: Waypoints, start: float) -> None:
        """Follows points from the time of a state on; positions count from the measured one.

        Raises:
            RobcogenError: If all of them lie in the past, or the motion through them leaves the
                joints' limits.
        """
        assert self._reference is not None
        self._reference.follow(points, start, self._states.positions)

    def receive(
        self,
        names: Sequence[str],
        position: Sequence[float] | Array,
        velocity: Sequence[float] | Array,
        now: float,
        time: float,
    ) -> Command | None:
        """The answer to a state of some or all joints; None while others are missing.

        Args:
            names: The joints.
            position: Their positions.
            velocity: Their velocities; may be empty. Those of joints that never had a finite one
                are estimated.
            now: When the state came, on the clock of timeouts [s].
            time: When it was measured, on the clock of references [s].
        """
        states = self._states
        self.problem = states.take(names, position, velocity, now)
        if self.problem is not None or not states.fresh(now, self.state_timeout):
            return None
        self._watchdog.feed()
        leapt = not self.lost and self._leapt(now, time)
        self.leaps += leapt
        if self.lost or leapt:
            self._reference = None
            states.recount()
        self.lost = False
        self._clocks = now, time
        if self._reference is None:
            continuous, found = np.asarray(self._robot.continuous), states.positions.copy()
            self._reference = Reference(found, continuous, self._patience, self._bounds)
        wanted = self._reference.sample(time)
        share = self._ramp.share(now)
        return self.law.command(states.positions, states.velocities, wanted, share)

    def _leapt(self, now: float, time: float) -> bool:
        """Whether a clock went on by more than the timeout since the last state, or back."""
        if self._clocks is None or self.state_timeout <= 0:
            return False
        return max(abs(now - self._clocks[0]), abs(time - self._clocks[1])) > self.state_timeout

    def look(self, now: float) -> Command | None:
        """What to command because states have stopped coming; None while they come."""
        lost = self._watchdog.expired(now)
        self.losses += lost and not self.lost
        self.lost = lost
        return self.parting(zero=self.zero_on_loss) if self.lost else None

    def parting(self, *, zero: bool) -> Command | None:
        """What to leave the robot with: support where it was seen last, or nothing."""
        if zero:
            return Command(np.zeros(self._robot.n))
        return self.law.support(self._states.positions) if self._states.complete else None
