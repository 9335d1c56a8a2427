"""Springs of joints: those that are found, and those whose forces are taken as the file says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Coordinate, Robot
from robcogen_ros.recordings import Motion
from robcogen_ros.runtime.identification import Term, springs
from robcogen_ros.runtime.identified import Identified

Array = NDArray[np.float64]

_SURE = 3.0
"""Standard errors that a stiffness has where there is a spring."""


def sprung(robot: Robot) -> list[str]:
    """Returns the joints that have springs, and the springs between frames."""
    return [c.name for c in robot.coordinates if c.stiffness] + [s.name for s in robot.springs]


def terms_of_springs(
    terms: Sequence[str | Term], joints: Sequence[str], robot: Robot
) -> tuple[list[str | Term], Robot]:
    """Returns terms with those of springs that are to be found, and the robot without these.

    The sensor of such a joint has no offset, which the position of rest could not be told from.

    Args:
        terms: What else of the joints is found.
        joints: Their names.
        robot: The robot.

    Raises:
        RobcogenError: If there is no such joint.
    """
    names = [c.name for c in robot.coordinates]
    if missing := sorted(set(joints) - set(names)):
        raise RobcogenError(
            f"--spring: '{robot.name}' has no joint '{missing[0]}'; it has {', '.join(names)}"
        )
    if not joints:
        return list(terms), robot
    own = [k for k, name in enumerate(names) if name in joints]
    others = tuple(k for k in range(len(names)) if k not in own)
    found = [Term("offset", joints=others) if term == "offset" else term for term in terms]
    left = (replace(c, stiffness=0.0) if c.name in joints else c for c in robot.coordinates)
    return [*found, *springs(own)], replace(robot, coordinates=tuple(left))


def described(term: str, coordinate: Coordinate) -> float:
    """Returns what a description says of a term of a joint."""
    if term == "preload":
        return -float(coordinate.stiffness * coordinate.rest)
    return float(getattr(coordinate, term, 0.0))


def with_found_springs(values: Array, found: Identified) -> Array:
    """Returns (b,) described base parameters, those of springs as they were found."""
    own = [name.endswith((".stiffness", ".preload")) for name in found.base.described]
    return np.where(own, found.values, values)


def without_springs(robot: Any, motion: Motion) -> Motion:
    """Returns a motion whose efforts are without those that springs of the description need.

    Args:
        robot: With `inverse_dynamics` of its springs, and the regressor.
        motion: The motion.
    """
    still = np.zeros(motion.q.shape)
    bodies = robot.inverse_dynamics_regressor(motion.q, still, still)
    forces = robot.inverse_dynamics(motion.q, still, still)
    forces = forces - bodies @ robot.inertial_parameters().ravel()
    return replace(motion, tau=motion.tau - forces)


def no_springs(joints: Sequence[str], found: Identified) -> list[str]:
    """Returns at which joints no spring is told, with its stiffness."""
    told = []
    for name, value, error in zip(
        found.base.described, found.values, found.standard_errors, strict=True
    ):
        joint, _, term = name.rpartition(".")
        if term == "stiffness" and joint in joints and not value > _SURE * error:
            told.append(
                f"the motion tells no spring at {joint}: its stiffness is {value:.3g} +- "
                f"{error:.2g}; leave out --spring {joint}, or move it farther"
            )
    return told
