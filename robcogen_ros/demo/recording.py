"""What was recorded of one motion, and what it tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.trajectory import Trajectory
from robcogen_ros.errors import RobcogenError


@dataclass(frozen=True, slots=True)
class Recording:
    """Messages of one motion.

    Attributes:
        start: When the motion began [s].
        duration: How long it took [s].
        states: Columns of joint states: arrival and stamp [s], position, effort.
        commands: Columns of commands: arrival and stamp of the state that they answer [s], effort.
        transforms: Messages on /tf.
        robot: Numbers that the simulated robot counted during it.
        controller: Numbers that the controller has counted.
    """

    start: float
    duration: float
    states: Mapping[str, Array]
    commands: Mapping[str, Array]
    transforms: int
    robot: Mapping[str, float]
    controller: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Result:
    """What a recording tells.

    Attributes:
        time: Times of the joint states since the start of the motion [s].
        position: Positions, one row a state.
        wanted: Positions wanted at these times.
        effort: Efforts applied at these times.
        states_rate: Joint states a second.
        commands_rate: Commands a second.
        missed: Cycles that the simulated robot missed, as a share.
        unanswered: Joint states without a command, as a share.
        response: From a joint state to its command [s], each.
        controller: Numbers that the controller has counted.
    """

    time: Array
    position: Array
    wanted: Array
    effort: Array
    states_rate: float
    commands_rate: float
    missed: float
    unanswered: float
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
    """What a recording of a motion tells.

    Raises:
        RobcogenError: If something in it is broken.
    """
    states, commands = recording.states, recording.commands
    if recording.controller.get("state_losses", 0.0) > 0:
        raise RobcogenError("joint states stopped for too long: is this machine too busy?")
    if recording.controller.get("time_leaps", 0.0) > 0:
        raise RobcogenError("the stamps of joint states leapt: was the clock of this machine set?")
    time = states["stamp"] - recording.start
    during = (time >= 0.0) & (time <= recording.duration)
    answered = commands["stamp"] - recording.start
    answering = (answered >= 0.0) & (answered <= recording.duration)
    if during.sum() < 2 or answering.sum() < 2:
        raise RobcogenError("joint states or commands stopped during the motion")
    position, effort = states["position"][during], states["effort"][during]
    for what, values in (("positions", position), ("efforts", commands["effort"][answering])):
        if not np.isfinite(values).all():
            raise RobcogenError(f"there were {what} that are not finite")
    wanted = np.array([trajectory.sample(float(t)).position for t in time[during]])
    response = _responses(states, commands)
    cycles = recording.robot.get("cycles", 0.0) + recording.robot.get("missed", 0.0)
    return Result(
        time=time[during],
        position=position,
        wanted=wanted,
        effort=effort,
        states_rate=float(during.sum()) / recording.duration,
        commands_rate=float(answering.sum()) / recording.duration,
        missed=recording.robot.get("missed", 0.0) / max(cycles, 1.0),
        unanswered=1.0 - min(1.0, float(answering.sum()) / float(during.sum())),
        response=response,
        controller=recording.controller,
    )


def _responses(states: Mapping[str, Array], commands: Mapping[str, Array]) -> Array:
    """Times between the arrivals of a state and of the command with its stamp."""
    place = np.searchsorted(states["stamp"], commands["stamp"])
    place = np.minimum(place, len(states["stamp"]) - 1)
    same = states["stamp"][place] == commands["stamp"]
    return np.asarray((commands["arrival"] - states["arrival"][place])[same])
