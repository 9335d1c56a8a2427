"""Robots whose methods take and return arrays of other libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from robcogen_ros.arrays.calls import ArrayCalls
from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.robot import Robot
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.robots.floating_base_robot import FloatingBaseRobot

if TYPE_CHECKING:
    _Base = Robot
else:
    _Base = object

_OF_NUMBERS = (
    "base_parameters",
    "bias_acceleration",
    "coordinates",
    "identification",
    "inverse_kinematics",
    "inverse_kinematics_between",
    "momentum_observer",
    "operational_space",
)
"""Methods that compute with NumPy what they decide by, or go on with, or keep."""


class _OnArrays(_Base):
    """A robot whose functions are those of `calls`.

    Attributes:
        parameters: (P,) values of its parameters, an array of the library.
    """

    def __init__(self, calls: ArrayCalls) -> None:
        super().__init__(calls.evaluator)
        self._calls = calls
        self.parameters = calls.parameters

    def __reduce__(self) -> Any:
        raise TypeError("a robot on arrays of another library cannot be pickled: pickle the robot")

    def _call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        self._signature(name)
        return self._calls.call(name, arguments, self._calls.parameters)


def _refusing(name: str) -> Callable[..., Any]:
    def refuse(self: _OnArrays, *arguments: Any, **options: Any) -> Any:
        raise RobcogenError(
            f"{name} computes with numbers, not on arrays of {self._calls.library}: call it on the "
            "robot itself, or take generated functions, evaluate('A_JdQd_B', q=q, qd=qd) and others"
        )

    return refuse


for _name in _OF_NUMBERS:
    setattr(_OnArrays, _name, _refusing(_name))


class FixedBaseOnArrays(_OnArrays, FixedBaseRobot):
    """A robot on a fixed base, on arrays of another library."""


class FloatingBaseOnArrays(_OnArrays, FloatingBaseRobot):
    """A robot whose base moves freely, on arrays of another library."""


def robot_on(calls: ArrayCalls) -> FixedBaseRobot | FloatingBaseRobot:
    """Returns the robot whose functions are those of `calls`."""
    floating = calls.evaluator.summary.floating_base
    return FloatingBaseOnArrays(calls) if floating else FixedBaseOnArrays(calls)
