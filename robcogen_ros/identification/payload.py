"""The body that a robot carries, from motions or poses at rest, by a description of the rest.

Forces are linear in the ten inertial parameters of a body that is fixed at a frame; what the
description does not explain of them is what the body needs (Atkeson, An, Hollerbach 1986,
"Estimation of inertial parameters of manipulator loads and links").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.identification import contradictions
from robcogen_ros.identification.noise import Disturbed
from robcogen_ros.identification.pseudo_inertia import central, factor, inertial_parameters, moved
from robcogen_ros.identification.sample import Sample
from robcogen_ros.model.robot import PAYLOAD
from robcogen_ros.recordings import Motion, Recording
from robcogen_ros.runtime.identification import BaseParameters, checked_terms, column_names
from robcogen_ros.runtime.identified import RESIDUALS, Identification, Identified
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot

Array = NDArray[np.float64]

_TENSOR, _STATIC = 10, 4
"""Parameters of a body, and those of them that poses at rest tell: its mass and its moments."""
_STEP = 1e-6
_LIGHTEST = 1e-4
"""Least mass that is a payload [kg]."""
_SURE = 2.0
"""Standard errors that a mass or a tensor has to have to be told."""
_FAR = 3.0
"""Standard errors from the nearest real body that are told."""


@dataclass(frozen=True)
class Payload:
    """A body at a frame, with the standard errors of its numbers.

    Attributes:
        frame: The frame, in whose axes all numbers are.
        mass: Its mass [kg].
        mass_error: Standard error of that.
        found: What least squares found: the body's parameters, then terms of joints.
        without: (n,) root mean square of what the description alone leaves of each effort.
        center: (3,) center of mass [m]; zeros where nothing is carried.
        center_errors: (3,) standard errors; infinite where nothing is.
        tensor: (6,) ixx, ixy, ixz, iyy, iyz, izz about the center [kg m^2]; zeros where the motion
            does not tell it.
        tensor_errors: (6,) standard errors; infinite where it does not.
        notes: What was odd.
        doubts: Why recording and description do not belong together.
    """

    frame: str
    mass: float
    mass_error: float
    found: Identified
    without: Array
    center: Array = field(default_factory=lambda: np.zeros(3))
    center_errors: Array = field(default_factory=lambda: np.full(3, np.inf))
    tensor: Array = field(default_factory=lambda: np.zeros(6))
    tensor_errors: Array = field(default_factory=lambda: np.full(6, np.inf))
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """True if nothing is carried."""
        return not np.isfinite(self.center_errors).all()


class PayloadIdentification:
    """Takes recordings of a robot that carries something.

    Example:
        >>> taken = PayloadIdentification(robot, "tool0", ["offset"])
        >>> for motion in recording:
        ...     taken.add(recording, motion)
        >>> taken.solve().mass
        1.02
    """

    def __init__(self, robot: FixedBaseRobot, frame: str, terms: Sequence[str] = ()) -> None:
        """Starts without measurements.

        Args:
            robot: The robot without what it carries, with `kinematics`, `inverse_dynamics` and its
                regressor.
            frame: Where the body is.
            terms: What of the joints is found too: armature, damping, friction, offset.

        Raises:
            RobcogenError: If there is no such frame, or it does not move.
        """
        self._frame, regressor = frame, payload_regressor(robot, frame)

        def described(**state: ArrayLike) -> Array:
            forces: Array = robot.inverse_dynamics(**state)
            return forces

        self._joints, self._described, self._sample = robot.joint_names, described, Sample(run=1)
        found = checked_terms(terms)
        names = column_names([PAYLOAD], robot.joint_names, found)
        limits = robot.lower_limits, robot.upper_limits
        self._tried = []
        for count in (_TENSOR, _STATIC):
            columns = np.r_[:count, _TENSOR : len(names)]
            base = BaseParameters(names, columns, np.eye(len(names))[columns])
            measured = Identification(base, regressor, found, limits, robot.n, described)
            self._tried.append(Disturbed(measured))

    def add(self, recording: Recording, motion: Motion, weights: ArrayLike = 1.0) -> None:
        """Takes a block of a recording.

        Args:
            recording: The recording.
            motion: The block.
            weights: What each effort counts, (states, n) or a number.
        """
        self._sample.add(motion)
        for each in self._tried:
            each.add(recording, motion, weights)

    def solve(self) -> Payload:
        """Returns the body; without a tensor where the motion does not tell it.

        Raises:
            RobcogenError: If the motion does not tell mass and center either.
        """
        whole, static = self._tried
        try:
            found = whole.solve(RESIDUALS)
        except RobcogenError:
            found = static.solve(RESIDUALS)
        doubts = contradictions.columns(
            self._joints,
            self._sample,
            lambda q, qd, qdd: self._described(q=q, qd=qd, qdd=qdd) + found.predict(q, qd, qdd),
        )
        return replace(self._told(found, static.measured), doubts=tuple(doubts))

    def _told(self, found: Identified, measured: Identification) -> Payload:
        known = np.count_nonzero(found.base.columns < _TENSOR)
        values, covariance = np.zeros(_TENSOR), found.covariance[:known, :known]
        values[:known] = found.values[:known]
        mass, error = float(values[0]), float(found.standard_errors[0])
        without = measured.left(np.zeros(measured.base.count))
        payload = Payload(self._frame, max(mass, 0.0), error, found, without)
        if mass < max(_SURE * error, _LIGHTEST):
            return replace(payload, notes=(_nothing(mass, error),))
        slope = np.stack(
            [(_split(values + d) - _split(values - d)) / (2 * _STEP) for d in _STEP * np.eye(10)],
            axis=1,
        )[:, :known]
        errors = np.sqrt(np.diag(slope @ covariance @ slope.T))
        payload = replace(payload, center=values[1:4] / mass, center_errors=errors[:3])
        return _with_tensor(payload, values, errors[3:] if known == _TENSOR else None)


def payload_regressor(robot: FixedBaseRobot, frame: str) -> Callable[..., Array]:
    """Returns the function from states to (..., n, 10) forces by a body's parameters at a frame.

    Args:
        robot: As in `PayloadIdentification`.
        frame: Where the body is.

    Raises:
        RobcogenError: If there is no such frame, or it does not move.
    """
    link, pose = robot.carrier(frame)
    if link == 0:
        raise RobcogenError(
            f"frame '{frame}' of robot '{robot.name}' does not move: no joint bears what it carries"
        )
    first = _TENSOR * (link - 1)
    change = np.stack([moved(pose, unit) for unit in np.eye(_TENSOR)], axis=1)

    def regressor(**state: ArrayLike) -> Array:
        whole: Array = robot.inverse_dynamics_regressor(**state)
        own: Array = whole[..., first : first + _TENSOR] @ change
        return own

    return regressor


def _nothing(mass: float, error: float) -> str:
    """Returns why a mass is none."""
    if mass > -max(_SURE * error, _LIGHTEST):
        return (
            f"a mass of {mass:.3g} kg with a standard error of {error:.2g} is no payload: nothing "
            "is told of its center"
        )
    return (
        f"the mass would be {mass:.3g} kg: efforts of another sign or unit, or a description that "
        "is too heavy"
    )


def _with_tensor(payload: Payload, values: Array, errors: Array | None) -> Payload:
    """Returns a payload with the tensor of the nearest real body, if the motion tells it."""
    found, trace = _split(values)[3:], [0, 3, 5]
    if errors is None or found[trace].sum() < _SURE * np.linalg.norm(errors[trace]):
        note = (
            "the motion does not tell the inertia about the center, which is taken for zero; turn "
            "the last joints faster"
        )
        return replace(payload, notes=(note,))
    real = _split(inertial_parameters((U := factor(values)) @ U.T))[3:]
    far = float(np.max(np.abs(real - found) / errors))
    note = f"no real body has this tensor: the nearest is {far:.1f} standard errors away"
    return replace(payload, tensor=real, tensor_errors=errors, notes=(note,) if far > _FAR else ())


def _split(parameters: Array) -> Array:
    """Returns (9,) center of mass and tensor about it of (10,) parameters."""
    _, center, tensor = central(parameters)
    return np.concatenate([center, tensor[np.triu_indices(3)]])
