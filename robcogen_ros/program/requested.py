"""The functions that are asked for of a robot: what names stand for, and what it cannot have."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property

from robcogen_ros.algorithms.functions.catalogue import functions
from robcogen_ros.algorithms.functions.frames import WORDS, frame_function
from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.algorithms.functions.fused import fused_function
from robcogen_ros.algorithms.functions.guessed import guessing_function
from robcogen_ros.algorithms.functions.limb_positions import limb_form as limb_form
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.singular import lacking
from robcogen_ros.program.unknown import unknown_function

_POSES = ("transform", "jacobian", "full_jacobian", "frame_poses", "bias_acceleration")
_BEHIND = {
    **dict.fromkeys(_POSES, ("kinematics",)),
    "operational_space": ("kinematics", "inertia_matrix"),
}
"""Methods of a robot that are computed from other functions."""

DEFAULT = "default"
"""The word for the functions that are generated unless others are asked for."""

ALL = "all"
"""The word for all functions but derivatives and those of named frames."""

DERIVATIVES = "derivatives"
"""The word for all derivatives of the dynamics, and its regressor."""

_GROUPS: dict[str, Callable[[Function], bool]] = {
    DEFAULT: lambda function: not function.on_request,
    ALL: lambda function: not function.derivative,
    DERIVATIVES: lambda function: function.derivative,
}

FRAME_WORDS = tuple(WORDS)
"""Words between two frames in the names of their functions, `A_X_B`."""


class Requested:
    """The functions that are asked for of a robot.

    Attributes:
        all_names: Names of all of them, also of those that the robot cannot have.
    """

    def __init__(self, robot: Robot, names: Sequence[str], without: Collection[str]) -> None:
        """The functions of the given names, those of groups one by one.

        Args:
            robot: The robot.
            names: Names of functions and groups; none for the default ones.
            without: Names of optimisations to leave out, of `program.optimisations`.

        Raises:
            RobcogenError: If a name is unknown.
        """
        self._robot = robot
        self._catalogue = functions(robot, without)
        self._functions = dict(self._catalogue)
        self.all_names = self._find(names or [DEFAULT])

    @cached_property
    def unavailable(self) -> dict[str, str]:
        """Functions that this robot cannot have, and why."""
        reasons = lacking(self._robot)
        return {
            name: reasons[need]
            for name, function in self._functions.items()
            for need in function.needs
            if need in reasons
        }

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the functions that the robot can have."""
        return tuple(name for name in self.all_names if name not in self.unavailable)

    def refusals(self) -> list[tuple[tuple[str, ...], str]]:
        """Returns the functions asked for that this robot cannot have, by reason."""
        by_reason: dict[str, list[str]] = {}
        for name in self.all_names:
            if name in self.unavailable:
                by_reason.setdefault(self.unavailable[name], []).append(name)
        return [(tuple(names), reason) for reason, names in by_reason.items()]

    def function(self, name: str) -> Function:
        """A function of the robot, of the catalogue or asked for."""
        return self._functions[name]

    def _find(self, names: Sequence[str]) -> tuple[str, ...]:
        """The names of single functions, each of which is known from then on."""
        single = list(dict.fromkeys(each for name in names for each in self._standing_for(name)))
        for name in single:
            function = self._single(name) or fused_function(name, self._single)
            if function is None:
                known = self._functions, self._single
                raise RobcogenError(unknown_function(name, self._robot, *known))
            self._functions[name] = function
        return tuple(single)

    def _single(self, name: str) -> Function | None:
        """A function of this name that is no fusion of others."""
        robot = self._robot
        known = self._functions.get(name) or frame_function(robot, name)
        return known or guessing_function(robot, name, self._single)

    def _standing_for(self, name: str) -> list[str]:
        """The functions that a name stands for."""
        if name in self._functions or name not in _GROUPS:
            return [*_BEHIND.get(name, (name,))]
        return [f.name for f in self._catalogue.values() if _GROUPS[name](f)]
