"""How many joints are removed at once where limbs end, so that accelerations keep their digits.

What a joint of a stiff end feels of those beyond it, and what the links before the end feel, are
differences of larger numbers than where each joint is removed by itself (see `limb_ends`). Where
axes meet or are parallel that costs digits; elsewhere it costs none. Errors are compared at random
states, in floats of single precision against those of double precision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.algorithms.articulated_body import articulated_body
from robcogen_ros.algorithms.joints import JointTransform, joint_transforms
from robcogen_ros.algorithms.limb_ends import removal_groups
from robcogen_ros.algorithms.minimal_inertia import regrouped
from robcogen_ros.model.operation import Scalar, is_zero
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Force, Motion, RotationZ, Vector

Array = NDArray[np.float64]

_MOST = 8
"""Joints of the longest ends."""

_STATES = 1 << 12
"""Random states at which errors are taken."""

_GRAVITY = Motion(Vector(), Vector(0, 0, -9.81))

_EFFORT = 30.0
"""The largest joint force."""

_NORM = 8
"""The power of errors whose mean over the states counts: large ones do, not one alone."""

_MEDIAN, _LARGE = 1.5, 1.75
"""How many times the errors of joints removed one by one are tolerable."""


@lru_cache(maxsize=4)
def careful_ends(robot: Robot) -> tuple[int, ...]:
    """How many joints may be removed at once, each number that differs in effect.

    Args:
        robot: The robot, its quantities expressions; there are none where these depend on
            parameters.
    """
    candidates = [] if robot.parameters else list(_candidates(robot))
    if not candidates:
        return ()
    try:
        return tuple(_careful(regrouped(robot.map(_lifted)), candidates))
    except ArithmeticError:  # a joint that moves nothing
        return ()


def _careful(robot: Robot, candidates: Sequence[int]) -> Iterator[int]:
    """Those with which errors are about as small as with joints removed one by one."""
    states = _States(robot)
    median, large = states.errors(1)
    for most in candidates:
        other_median, other_large = states.errors(most)
        if other_median <= _MEDIAN * median and other_large <= _LARGE * large:
            yield most


def _candidates(robot: Robot) -> Iterator[int]:
    """Numbers of joints that differ in which ones are removed together."""
    known = removal_groups(robot, 1)
    for most in range(2, _MOST + 1):
        groups = removal_groups(robot, most)
        if groups != known:
            yield most
        known = groups


def _lifted(value: Scalar) -> Scalar:
    """An expression as a float; zeros stay what they are, whatever the inputs."""
    return 0 if is_zero(value) else float(value)


class _States:
    """Random states, and the accelerations there."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        random = np.random.default_rng(1)
        self._transforms = joint_transforms(robot, list(random.uniform(-3, 3, self._shape)))
        self._qd = random.normal(size=self._shape)
        self._tau = random.uniform(-_EFFORT, _EFFORT, self._shape)
        self._right = self._accelerations(np.float64, 1)

    @property
    def _shape(self) -> tuple[int, int]:
        return self._robot.n, _STATES

    def errors(self, together: int) -> tuple[float, float]:
        """The median of single precision's errors, and the mean of large ones.

        Errors of an acceleration are relative to its largest value, that of a state is that of the
        worst one.
        """
        found = self._accelerations(np.float32, together)
        scale = np.max(np.abs(self._right), axis=1, keepdims=True)
        errors = np.max(np.abs(found - self._right) / scale, axis=0)
        return float(np.median(errors)), float(np.mean(errors**_NORM) ** (1 / _NORM))

    def _accelerations(self, precision: type[np.floating], together: int) -> Array:
        transforms = [_rounded(X, precision) for X in self._transforms]
        qd, tau = list(self._qd.astype(precision)), list(self._tau.astype(precision))
        none = [Force()] * len(self._robot.links)
        with np.errstate(all="ignore"):
            qdd, _ = articulated_body(
                self._robot, transforms, qd, tau, Motion(), _GRAVITY, none, together
            )
        return np.array([np.broadcast_to(entry, _STATES) for entry in qdd], dtype=np.float64)


def _rounded(X: JointTransform, precision: type[np.floating]) -> JointTransform:
    """A transform as code of this precision has it."""

    def lift(value: Scalar) -> Scalar:
        return value.astype(precision) if isinstance(value, np.ndarray) else value

    moved = X.moved.map(lift)
    if isinstance(X.moved.rotation, RotationZ):
        moved = replace(moved, rotation=RotationZ.of(moved.rotation.x.x, moved.rotation.y.x))
    return replace(X, moved=moved, pose=X.pose.map(lift))
