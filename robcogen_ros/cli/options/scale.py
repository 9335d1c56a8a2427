"""The options by which `robcogen identify` finds torque constants from a known payload."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.cli.options.recording import recordings
from robcogen_ros.errors import RobcogenError
from robcogen_ros.identification.pseudo_inertia import of_body
from robcogen_ros.identification.sample import Sample
from robcogen_ros.identification.scales import scales
from robcogen_ros.model.robot import Robot

_SURE = 0.1
"""Largest standard error of a factor, as a part of it."""

Known = tuple[str, NDArray[np.float64]]


def add_scale_options(parser: argparse.ArgumentParser) -> None:
    """Declares the recordings with a known payload, and what that is."""
    group = parser.add_argument_group("torque constants of joints whose currents are recorded")
    group.add_argument(
        "--loaded",
        action="append",
        default=[],
        metavar="RECORDING",
        help="recording of the same motion or another with the payload of --known-payload, from "
        "which, beside those without, each joint's torque constant follows (repeatable)",
    )
    group.add_argument(
        "--known-payload",
        type=_known,
        metavar="FRAME=M[,X,Y,Z]",
        help="frame, mass [kg] and center of mass in that frame [m] of what is carried in these",
    )


def check_scale_options(options: argparse.Namespace) -> None:
    """Refuses recordings with a payload that nobody knows, and one that is in none.

    Raises:
        RobcogenError: If one is given without the other.
    """
    if options.loaded and options.known_payload is None:
        raise RobcogenError(
            "--loaded: expected --known-payload, too: all masses and frictions could be larger by "
            "the factor of a joint, and only a known weight tells it"
        )
    if options.known_payload is not None and not options.loaded:
        raise RobcogenError("--known-payload: name the recordings with it by --loaded")


def find_scales(
    options: argparse.Namespace, compiled: Any, robot: Robot, terms: Sequence[str]
) -> list[str]:
    """Returns lines that tell torque constants; the options have these from then on.

    Args:
        options: Those of the command.
        compiled: The robot.
        robot: The same.
        terms: What of the joints is found.

    Raises:
        RobcogenError: If recordings do not tell them, with the joints.
    """
    frame, body = options.known_payload
    loaded = copy(options)
    loaded.recording = options.loaded
    samples = _sample(options, robot), _sample(loaded, robot)
    found = scales(compiled, frame, body, terms, samples)
    lines, unknown = [], []
    for name, value, error in zip(robot.joint_names, found.values, found.errors, strict=True):
        if not error < _SURE * abs(value):
            unknown.append(f"{name} ({value:.3g} +- {error:.2g})")
        lines.append(f"torque constant: {name} {value:.5g} +- {error:.2g}")
    if unknown:
        raise RobcogenError(
            f"torque constants of {', '.join(unknown)} are not known to {_SURE:.0%}: these joints "
            "bear too little of the known payload: take a heavier one, or one farther off, or "
            "name them by --torque-constant JOINT=K and leave --loaded"
        )
    given: dict[str, float] = dict(options.torque_constant)
    common = given.get("", 1.0)
    options.torque_constant = [
        (name, float(value) * given.get(name, common))
        for name, value in zip(robot.joint_names, found.values, strict=True)
    ]
    return lines


def _sample(options: argparse.Namespace, robot: Robot) -> Sample:
    """Returns states of recordings."""
    sample = Sample()
    for recording in recordings(options, robot):
        for motion in recording:
            sample.add(motion)
    if not len(sample):
        raise RobcogenError(f"{options.recording[0]}: too short to tell torque constants")
    return sample


def _known(text: str) -> Known:
    frame, separator, numbers = text.rpartition("=")
    try:
        values = [float(number) for number in numbers.split(",")]
    except ValueError:
        values = []
    if not separator or not frame or len(values) not in (1, 4) or not values[0] > 0:
        raise argparse.ArgumentTypeError(f"expected FRAME=MASS or FRAME=MASS,X,Y,Z, found '{text}'")
    center = np.array(values[1:] or [0.0, 0.0, 0.0])
    return frame, of_body(values[0], center, np.zeros(6))
