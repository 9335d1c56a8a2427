"""Cycles of a controller in C++, one for each state of some or all joints that comes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.control.dynamics import Array, Measured
from robcogen_ros.control.measurements import JointReadings
from robcogen_ros.runtime.objects import object_of

LOOKS = 5
"""Looks of the watchdog within its timeout."""
PARTINGS = ("zero", "hold_gravity", "keep")
"""Efforts that a robot may be left with, as controllers in C++ number it."""


@dataclass(frozen=True, slots=True)
class Command:
    """Efforts for the robot.

    Attributes:
        effort: One finite value for each that is commanded.
        scale: What saturation left of the efforts beyond gravity's, 1 if it did not act.
        sound: Whether the law gave finite efforts; if not, they only hold the robot, if they can.
        position: Where drives with a loop of their own shall be, from a law for such.
        velocity: How fast they shall be.
    """

    effort: Array
    scale: float = 1.0
    sound: bool = True
    position: Array | None = None
    velocity: Array | None = None


class Cycles(ABC):
    """A controller in C++ with names of joints, and clocks that may leap.

    Attributes:
        measured: What states and commands are of: a robot's joints, or its motors.
        problem: What was wrong with the last state, if anything.
        lost: Whether states have stopped coming.
        losses: How often they have.
        leaps: How often time has leapt between two states.
        stop: What has pushed the robot, which stands since; empty if nothing.
        ready: Whether a reference can be followed: the robot's position is known.
    """

    def __init__(
        self,
        robot: Any,
        name: str,
        settings: Mapping[str, ArrayLike | None],
        state_timeout: float,
        measured: Measured | None = None,
    ) -> None:
        """Knows nothing yet.

        Args:
            robot: The robot, on a fixed base.
            name: The controller in C++.
            settings: What it is made of, by name.
            state_timeout: Longest time without states [s]; 0: for ever.
            measured: What states and commands are of; None: the robot's joints.

        Raises:
            RobcogenError: If the robot lacks a function, or there is no compiler.
        """
        if settings.get("stop_efforts") is not None:
            robot._signature("generalized_momentum")
        self._object = object_of(robot, name, {**settings, "state_timeout": state_timeout})
        self.measured, self._robot = robot if measured is None else measured, robot
        self._timeout = state_timeout
        self.problem: str | None = None
        self.losses = 0
        self.leaps = 0
        self.restart()

    def restart(self) -> None:
        """Forgets states and reference; the next state's position is held."""
        self.lost = self.ready = False
        self.stop = ""
        self._joints = JointReadings(self.measured)
        self._clocks: tuple[float, float] | None = None
        self._now: float | None = None
        self._object.call("activate")

    def use(self, settings: Mapping[str, ArrayLike | None]) -> None:
        """Goes on with other settings of the law.

        Args:
            settings: All of them by name, as when it was made; None for the default.

        Raises:
            RobcogenError: If one is out of its range; all stay as they are.
        """
        self._object.call("set", **settings)

    def receive(
        self,
        names: Sequence[str],
        position: Sequence[float] | Array,
        velocity: Sequence[float] | Array,
        now: float,
        time: float,
    ) -> Command | None:
        """Returns the answer to a state of some or all joints; None while others are missing.

        Args:
            names: The joints.
            position: Their positions.
            velocity: Their velocities; may be empty. Those of joints that never had a finite one
                are estimated.
            now: When the state came, on the clock of timeouts [s].
            time: When it was measured, on the clock of references [s].
        """
        joints = self._joints
        self.problem = joints.read(names, position, velocity)
        if self.problem is not None:
            return None
        leapt = not self.lost and self._leapt(now, time)
        self._clocks = now, time
        if leapt:
            self.leaps += 1
            self._object.call("doubt")
        if self.lost or leapt:
            self.ready = False
            joints.recount()
        wanted = self._wanted(time) if self.ready else {}
        found = self._cycle(now, position=joints.position, velocity=joints.velocity, **wanted)
        if found["begun"]:
            self.ready = True
            self._begin(found, time)
        return self._command(found) if self.ready and not self.lost else None

    def look(self, now: float) -> Command | None:
        """Returns what to command because states have stopped coming; None while they come.

        Args:
            now: Time by the caller's clock [s].
        """
        found = self._cycle(now)
        return self._command(found) if self.lost else None

    def parting(self, how: str) -> Command | None:
        """Returns what to leave the robot with; None if it was never known.

        Args:
            how: One of `PARTINGS`.
        """
        found = self._object.call("end", parting=float(PARTINGS.index(how)))
        return self._command(found) if how == "zero" or found["complete"] else None

    @abstractmethod
    def _wanted(self, time: float) -> dict[str, ArrayLike | None]:
        """Returns the reference at a time, as inputs of the controller in C++."""

    @abstractmethod
    def _begin(self, found: Mapping[str, Array], time: float) -> None:
        """Holds what was found, first and after a loss."""

    def _command(self, found: Mapping[str, Array]) -> Command:
        """Returns the command of a cycle."""
        return Command(found["effort"].copy(), float(found["scale"][0]), not found["unsound"])

    def _leapt(self, now: float, time: float) -> bool:
        """Returns True if a clock jumped by more than the timeout since the last state, or back."""
        if self._clocks is None or self._timeout <= 0:
            return False
        return max(abs(now - self._clocks[0]), abs(time - self._clocks[1])) > self._timeout

    def _cycle(self, now: float, **inputs: ArrayLike | None) -> dict[str, Array]:
        """Returns what a cycle of the controller in C++ found, with a state or without."""
        step = 0.0 if self._now is None else now - self._now
        self._now = now
        found = self._object.call("update", step=step, **inputs)
        lost = bool(found["lost"])
        self.losses += lost and not self.lost
        self.lost = lost
        if found["stopped"] and not self.stop:
            joint = int(np.argmax(np.abs(found["external"])))
            pushed, effort = self._robot.joint_names[joint], found["external"][joint]
            self.stop = f"joint '{pushed}' was pushed with {effort:.3g} N m or N"
        return found
