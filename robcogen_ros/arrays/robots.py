"""Robots whose methods take and return arrays of other libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robcogen_ros.arrays.calls import ArrayCalls
from robcogen_ros.runtime.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.floating_base_robot import FloatingBaseRobot
from robcogen_ros.runtime.robot import Robot

if TYPE_CHECKING:
    _Base = Robot
else:
    _Base = object


class _OnArrays(_Base):
    """A robot whose functions are those of `calls`."""

    def __init__(self, calls: ArrayCalls) -> None:
        super().__init__(calls.evaluator)
        self._calls = calls

    def __reduce__(self) -> Any:
        raise TypeError("a robot on arrays of another library cannot be pickled: pickle the robot")

    def _call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        self._signature(name)
        return self._calls.call(name, arguments, self._calls.parameters)


class FixedBaseOnArrays(_OnArrays, FixedBaseRobot):
    """A robot on a fixed base, on arrays of another library."""


class FloatingBaseOnArrays(_OnArrays, FloatingBaseRobot):
    """A robot whose base moves freely, on arrays of another library."""


def robot_on(calls: ArrayCalls) -> FixedBaseRobot | FloatingBaseRobot:
    """Returns the robot whose functions are those of `calls`."""
    floating = calls.evaluator.summary.floating_base
    return FloatingBaseOnArrays(calls) if floating else FixedBaseOnArrays(calls)
