"""The options by which commands name recordings, and say how these were written."""

from __future__ import annotations

import argparse
import math

import numpy as np

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Robot
from robcogen_ros.recordings import Conventions, Recording
from robcogen_ros.recordings.conventions import TIME_UNITS

_SLACK = 0.05
"""Distance by which calibrations may be beyond position limits [rad or m]."""
_OTHER_UNIT = 5.0
"""Times a position limit that no robot of that description reaches."""
_ANY = ""
"""Stands for every joint."""


def add_recording_options(parser: argparse.ArgumentParser) -> None:
    """Declare the recordings of a command, and what it has to know of them."""
    parser.add_argument(
        "recording",
        nargs="+",
        metavar="RECORDING",
        help=".npz, .csv, .parquet, a ROS 2 bag: its directory, .mcap or .db3 file",
    )
    group = parser.add_argument_group("recordings")
    group.add_argument("--topic", help="topic of the joint states in a bag")
    group.add_argument(
        "--rename",
        action="append",
        default=[],
        type=_renaming,
        metavar="THERE=HERE",
        help="a name in the recording and the robot's, or beginnings of such names (repeatable)",
    )
    group.add_argument("--prefix", default="", help="what the recording has before each name")
    group.add_argument(
        "--rate", type=positive, metavar="HZ", help="states a second, for a file without times"
    )
    group.add_argument(
        "--time-unit",
        choices=(*TIME_UNITS,),
        help="unit of the times (default: s, and that of dates since 1970)",
    )
    group.add_argument(
        "--degrees", action="store_true", help="positions and their rates are in degrees"
    )
    group.add_argument(
        "--torque-constant",
        action="append",
        default=[],
        type=_constant,
        metavar="[JOINT=]K",
        help="multiply efforts, such as currents, by K [N m/A]; -1 where they are reactions "
        "(repeatable)",
    )
    group.add_argument(
        "--delay",
        type=_delay,
        default=0.0,
        metavar="S",
        help="time by which efforts are later than the positions that they belong to",
    )
    group.add_argument(
        "--window",
        type=positive,
        metavar="S",
        help="smooth motion and forces over this time (default: 0.1, or nine states, if velocities "
        "or accelerations are not recorded, else no smoothing)",
    )
    group.add_argument(
        "--every",
        type=count,
        metavar="N",
        help="use every N-th smoothed state (default: as many as are independent)",
    )


def recordings(
    options: argparse.Namespace, robot: Robot, *, at_rest: bool = False
) -> list[Recording]:
    """Returns the recordings that the options name; their surveys are made.

    Args:
        options: The options.
        robot: The robot.
        at_rest: Whether each state is a pose at rest.

    Raises:
        RobcogenError: If one cannot be read, or a joint is unknown.
    """
    conventions = Conventions(
        tuple(options.rename),
        options.prefix,
        options.degrees,
        options.time_unit,
        _efforts(options, robot),
        options.delay,
        frozenset(c.name for c in robot.coordinates if c.kind.is_length),
        frozenset(c.name for c in robot.coordinates if c.continuous),
    )
    found = []
    for file in options.recording:
        recording = Recording(
            file,
            robot.joint_names,
            options.topic,
            options.rate,
            options.window,
            options.every,
            conventions,
            at_rest,
        )
        recording.notes += _odd(recording, robot)
        found.append(recording)
    return found


def _odd(recording: Recording, robot: Robot) -> list[str]:
    """Returns what a recording holds that this robot does not do.

    Raises:
        RobcogenError: If no effort changes.
    """
    survey, names = recording.survey, robot.joint_names
    still = [name for name, same in zip(names, survey.constant, strict=True) if same]
    if len(still) == len(names):
        raise RobcogenError(
            f"{recording.file}: no effort changes from the first state to the last; expected "
            "measured forces"
        )
    told = [f"efforts of {', '.join(still)} never change"] if still else []
    if survey.step and not recording.at_rest:
        told.append(
            f"{survey.states} states, {survey.duration:.4g} s, {1 / survey.step:.4g} a second; "
            f"{recording.smoothing or 'used as recorded, without smoothing'}"
        )
    return [f"{recording.file}: {t}" for t in (*told, *_beyond(recording, robot))]


def _beyond(recording: Recording, robot: Robot) -> list[str]:
    """Returns which joints were beyond their position limits.

    Raises:
        RobcogenError: If one was so far beyond that positions are in another unit.
    """
    survey, names = recording.survey, robot.joint_names
    limits = [c.limits for c in robot.coordinates]
    lower = np.array([-np.inf if limit.lower is None else limit.lower for limit in limits])
    upper = np.array([np.inf if limit.upper is None else limit.upper for limit in limits])
    told = []
    for joint, times in survey.beyond(names, lower, upper, _SLACK).items():
        k = names.index(joint)
        text = (
            f"positions of {joint} go from {survey.lowest[k]:.4g} to {survey.highest[k]:.4g}, its "
            f"limits are {lower[k]:.4g} and {upper[k]:.4g}"
        )
        if times > _OTHER_UNIT:
            raise RobcogenError(f"{recording.file}: {text}; if they are in degrees: --degrees")
        told.append(text)
    return told


def _efforts(options: argparse.Namespace, robot: Robot) -> dict[str, float]:
    """Returns what efforts of joints are multiplied by."""
    found: dict[str, float] = {}
    for joint, constant in options.torque_constant:
        if joint != _ANY and joint not in robot.joint_names:
            raise RobcogenError(
                f"--torque-constant: '{robot.name}' has no joint '{joint}'; it has "
                f"{', '.join(robot.joint_names)}"
            )
        for name in robot.joint_names if joint == _ANY else [joint]:
            if joint != _ANY or name not in found:
                found[name] = constant
    return found


def positive(text: str) -> float:
    """Returns a number above 0, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"expected a number above 0, found '{text}'")
    return value


def _delay(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.inf
    if not abs(value) < 1:
        raise argparse.ArgumentTypeError(f"expected seconds, less than 1, found '{text}'")
    return value


def count(text: str) -> int:
    """Returns a number from 1 on, for argparse."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1 on, found '{text}'")
    return int(text)


def _renaming(text: str) -> tuple[str, str]:
    there, separator, here = text.partition("=")
    if not separator or not here:
        raise argparse.ArgumentTypeError(f"expected THERE=HERE, found '{text}'")
    return there, here


def _constant(text: str) -> tuple[str, float]:
    joint, _, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = 0.0
    if not value or not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"expected [JOINT=]NUMBER, not 0, found '{text}'")
    return joint, value
