"""Recording of one motion, and results that are computed of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.trajectory import Trajectory
from robcogen_ros.errors import RobcogenError

DIGITS = 9
"""Decimals of stamps in seconds; they are whole nanoseconds."""


@dataclass(frozen=True, slots=True)
class Recording:
    """Messages of one motion.

    Attributes:
        start: Simulated time when the motion began [s].
        duration: How long it took [simulated s].
        states: Columns of joint states: arrival [s], stamp [simulated s], position, effort.
        commands: Columns of commands: arrival, stamp of the state that they answer, effort.
        controller: Numbers that the controller has counted.
    """

    start: float
    duration: float
    states: Mapping[str, Array]
    commands: Mapping[str, Array]
    controller: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Result:
    """Results of a recording.

    Attributes:
        time: Simulated times of the joint states since the start of the motion [s].
        position: Positions, one row a state.
        wanted: Positions wanted at these times.
        effort: Efforts applied at these times.
        unanswered: Joint states without a command.
        cycle: From each joint state to the next [s], on the clock of this machine.
        response: From a joint state to its command [s], each, on the same clock.
        controller: Numbers that the controller has counted.
    """

    time: Array
    position: Array
    wanted: Array
    effort: Array
    unanswered: int
    cycle: Array
    response: Array
    controller: Mapping[str, float]

    @property
    def error(self) -> Array:
        """Wanted minus actual positions."""
        return self.wanted - self.position

    @property
    def rms(self) -> Array:
        """Root mean square of the error of each joint."""
        return np.asarray(np.sqrt(np.mean(self.error**2, axis=0)))

    @property
    def worst(self) -> Array:
        """Largest error of each joint."""
        return np.asarray(np.abs(self.error).max(axis=0))


def evaluate(recording: Recording, trajectory: Trajectory) -> Result:
    """Computes the results of a recording of a motion.

    Raises:
        RobcogenError: If something in it is broken.
    """
    states, time = _during(recording, recording.states)
    commands, answered = _during(recording, recording.commands)
    if len(time) < 2 or len(answered) < 2:
        raise RobcogenError("joint states or commands stopped during the motion")
    for what, values in (("positions", states["position"]), ("efforts", commands["effort"])):
        if not np.isfinite(values).all():
            raise RobcogenError(f"there were {what} that are not finite")
    _, of_state, of_command = np.intersect1d(time, answered, return_indices=True)
    return Result(
        time=time,
        position=states["position"],
        wanted=np.array([trajectory.sample(float(t)).position for t in time]),
        effort=states["effort"],
        unanswered=len(time) - len(of_state),
        cycle=np.diff(states["arrival"]),
        response=commands["arrival"][of_command] - states["arrival"][of_state],
        controller=recording.controller,
    )


def _during(recording: Recording, told: Mapping[str, Array]) -> tuple[dict[str, Array], Array]:
    """The rows of messages during the motion, and their times since its start."""
    time = np.round(told["stamp"] - recording.start, DIGITS)
    during = (time >= 0.0) & (time <= recording.duration)
    return {name: rows[during] for name, rows in told.items()}, time[during]
