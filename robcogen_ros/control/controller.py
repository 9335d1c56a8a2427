"""A controller without its middleware: states and references in, commands out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.control.cycles import Command, Cycles
from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.motor_space import measured
from robcogen_ros.control.reference import ReferenceFollower, Waypoints, joint_bounds
from robcogen_ros.errors import RobcogenError


class Controller(Cycles):
    """Keeps a robot on its reference and carries its weight when its states stop coming.

    It holds the position that it finds first, until a reference comes. After a loss of states, and
    after a leap of time, it holds the position that it finds again: a motion that was missed is not
    caught up with. Efforts beyond gravity's come up slowly at the start; after a loss they are
    there at once, for the robot may be moving and is to be braked.

    All but names of joints, clocks and motions is the controller in C++ of docs/controller.md.

    Attributes:
        bounds: Joints and the positions that they can reach.
        follows: Whether positions are followed; if not, efforts of references are added.

    Example:
        >>> controller = Controller(arm, {}, state_timeout=0.1, reference_timeout=0.1)
        >>> command = controller.receive(arm.joint_names, position, velocity, now, now)
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
                the coordinates where they are measured, or shall stop when they are pushed, or
                there is no compiler.
        """
        side = measured(robot, settings)
        if side is not robot and settings.get("stop_efforts") is not None:
            raise RobcogenError(
                "stop_efforts: expected none with space motor: what limits of motors leave of "
                "efforts on joints is not observed"
            )
        self._patience = reference_timeout
        self.bounds = joint_bounds(robot)
        super().__init__(robot, "inverse_dynamics_controller", settings, state_timeout, side)

    def restart(self) -> None:
        """Forgets states and reference; the next state's position is held."""
        super().restart()
        self._reference: ReferenceFollower | None = None
        self.follows = bool(self._object.results("activate")["follows"])

    def follow(self, points: Waypoints, start: float) -> None:
        """Follows points from the time of a state on; positions count from the measured one.

        Args:
            points: Times, and positions, velocities and accelerations of the joints.
            start: The time from which theirs count [s].

        Raises:
            RobcogenError: If all of them lie in the past, or the motion through them leaves the
                joints' limits.
        """
        assert self._reference is not None
        self._reference.follow(points, start, self._object.results("update")["position"].copy())

    def _wanted(self, time: float) -> dict[str, ArrayLike | None]:
        assert self._reference is not None
        return {"reference": np.array(self._reference.sample(time))}

    def _begin(self, found: Mapping[str, Array], time: float) -> None:
        start, continuous = found["reference"][0].copy(), self._robot.continuous
        self._reference = ReferenceFollower(start, continuous, self._patience, self.bounds)
        self._reference.sample(time)

    def _command(self, found: Mapping[str, Array]) -> Command:
        position, velocity = found["drives"].copy()
        return replace(super()._command(found), position=position, velocity=velocity)
