"""A controller without its middleware: states and references in, commands out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.control.dynamics import Array, Measured
from robcogen_ros.control.measurements import JointReadings
from robcogen_ros.control.motor_space import determining
from robcogen_ros.control.reference import Bounds, Reference, Waypoints
from robcogen_ros.control.trajectory import MotionState
from robcogen_ros.runtime.objects import object_of

LOOKS = 5
"""How often the watchdog looks within its timeout."""
PARTINGS = ("zero", "hold_gravity", "keep")
"""What a robot may be left with, as the controller in C++ numbers it."""
SPACES = ("joint", "motor")
"""What may be measured and commanded, as the controller in C++ numbers it."""


@dataclass(frozen=True, slots=True)
class Command:
    """Efforts for the robot.

    Attributes:
        effort: One finite value for each that is commanded.
        position: Where drives with a loop of their own shall be.
        velocity: How fast they shall be.
        scale: What saturation left of the efforts beyond gravity's, 1 if it did not act.
        sound: Whether the law gave finite efforts; if not, they only hold the robot, if they can.
    """

    effort: Array
    position: Array
    velocity: Array
    scale: float = 1.0
    sound: bool = True


class Controller:
    """Keeps a robot on its reference and carries its weight when its states stop coming.

    It holds the position that it finds first, until a reference comes. After a loss of states, and
    after a leap of time, it holds the position that it finds again: a motion that was missed is not
    caught up with. Efforts beyond gravity's come up slowly at the start; after a loss they are
    there at once, for the robot may be moving and is to be braked.

    All but names of joints, clocks and motions is the controller in C++ of docs/controller.md.

    Attributes:
        bounds: Joints and the positions that they can reach.
        measured: What states and commands are of, the robot's joints or its motors.
        follows: Whether positions are followed; if not, efforts of references are added.
        problem: What was wrong with the last state, if anything.
        lost: Whether states have stopped coming.
        losses: How often they have.
        leaps: How often time has leapt between two states.
    """

    def __init__(
        self,
        robot: Any,
        settings: Mapping[str, ArrayLike | None],
        *,
        state_timeout: float,
        reference_timeout: float,
    ) -> None:
        """Knows nothing yet.

        Args:
            robot: The robot, on a fixed base.
            settings: Parameters of docs/controller.md as numbers: a word is its number among the
                choices, a list has a number a joint.
            state_timeout: Longest time without states [s]; 0: for ever.
            reference_timeout: How long a set point is carried on [s].

        Raises:
            RobcogenError: If the robot cannot compute inverse dynamics, its motors do not determine
                the coordinates where they are measured, or there is no compiler.
        """
        timeout = {"state_timeout": state_timeout}
        in_motors = settings.get("space") == SPACES.index("motor")
        self.measured: Measured = determining(robot) if in_motors else robot
        self._object = object_of(robot, "inverse_dynamics_controller", {**settings, **timeout})
        self._robot, self._timeout, self._patience = robot, state_timeout, reference_timeout
        self.bounds = Bounds(robot.joint_names, robot.lower_limits, robot.upper_limits)
        self.problem: str | None = None
        self.losses = 0
        self.leaps = 0
        self.restart()

    @property
    def ready(self) -> bool:
        """Whether a reference can be followed: the robot's position is known."""
        return self._reference is not None

    def restart(self) -> None:
        """Forgets states and reference; the next state's position is held."""
        self.lost = False
        self._joints = JointReadings(self.measured)
        self._positions = np.full(self._robot.n, np.nan)
        self._reference: Reference | None = None
        self._clocks: tuple[float, float] | None = None
        self._now: float | None = None
        self.follows = bool(self._object.call("activate")["follows"])

    def use(self, settings: Mapping[str, ArrayLike | None]) -> None:
        """Goes on with other settings of the law.

        Raises:
            RobcogenError: If one is out of its range; all stay as they are.
        """
        self._object.call("set", **settings)

    def follow(self, points: Waypoints, start: float) -> None:
        """Follows points from the time of a state on; positions count from the measured one.

        Raises:
            RobcogenError: If all of them lie in the past, or the motion through them leaves the
                joints' limits.
        """
        assert self._reference is not None
        self._reference.follow(points, start, self._positions)

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
            self._reference = None
            joints.recount()
        wanted = None if self._reference is None else self._reference.sample(time)
        found = self._cycle(now, joints.position, joints.velocity, wanted)
        if found["begun"]:
            start, continuous = found["reference"][0].copy(), self._robot.continuous
            self._reference = Reference(start, continuous, self._patience, self.bounds)
            self._reference.sample(time)
        return None if self.lost or self._reference is None else _command(found)

    def _leapt(self, now: float, time: float) -> bool:
        """Whether a clock went on by more than the timeout since the last state, or back."""
        if self._clocks is None or self._timeout <= 0:
            return False
        return max(abs(now - self._clocks[0]), abs(time - self._clocks[1])) > self._timeout

    def look(self, now: float) -> Command | None:
        """What to command because states have stopped coming; None while they come."""
        found = self._cycle(now)
        return _command(found) if self.lost else None

    def _cycle(
        self,
        now: float,
        position: Array | None = None,
        velocity: Array | None = None,
        wanted: MotionState | None = None,
    ) -> dict[str, Array]:
        """A cycle of the controller in C++, with a state or without."""
        step = 0.0 if self._now is None else now - self._now
        self._now = now
        reference = None if wanted is None else np.array(wanted)
        found = self._object.call(
            "update", position=position, velocity=velocity, reference=reference, step=step
        )
        self._positions = found["position"].copy()
        lost = bool(found["lost"])
        self.losses += lost and not self.lost
        self.lost = lost
        return found

    def parting(self, how: str) -> Command | None:
        """What to leave the robot with, one of `PARTINGS`; None if it was never known."""
        found = self._object.call("end", parting=float(PARTINGS.index(how)))
        return _command(found) if how == "zero" or found["complete"] else None


def _command(found: Mapping[str, Array]) -> Command:
    position, velocity = found["drives"].copy()
    sound = not found["unsound"]
    return Command(found["effort"].copy(), position, velocity, float(found["scale"].item()), sound)
