"""The options by which `robcogen identify` finds torque constants from a known payload."""

from __future__ import annotations

import argparse
import math

import numpy as np

from robcogen_ros.errors import RobcogenError
from robcogen_ros.identification.scales import KnownPayload


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
        help="frame and mass [kg] of what is carried in these, and its center of mass in that "
        "frame [m], which is found if it is left out, and checked otherwise",
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


def _known(text: str) -> KnownPayload:
    frame, _, numbers = text.rpartition("=")
    try:
        mass, *center = (float(number) for number in numbers.split(","))
    except ValueError:
        mass, center = math.nan, []
    if (
        not frame
        or len(center) not in (0, 3)
        or not mass > 0
        or not np.isfinite([mass, *center]).all()
    ):
        raise argparse.ArgumentTypeError(f"expected FRAME=MASS or FRAME=MASS,X,Y,Z, found '{text}'")
    return KnownPayload(frame, mass, np.array(center) if center else None)
