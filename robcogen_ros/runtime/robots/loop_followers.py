"""Positions of joints that follow others through loops, beside those that a joint state names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.runtime.robots.link_transforms import EVERY
from robcogen_ros.runtime.robots.measured_joints import FUNCTIONS, MeasuredJoints, start

Array = NDArray[np.float64]

_KEPT = 64


class LoopFollowers:
    """The joints of a robot with loops, of which some are measured: motors, or others.

    Attributes:
        names: Joints that follow others through loops; of some robots there are none.
        known: Whether there are any, and the robot can tell their positions.
        closed: Whether loops close where the joints of the last state are.
    """

    def __init__(self, robot: Any, defaults: Mapping[str, float] | None = None) -> None:
        """Looks for them.

        Args:
            robot: A robot of `robcogen_ros.build()` or `load()`.
            defaults: Positions of coordinates [rad or m] that count as long as none is measured.
        """
        self._robot = robot
        told = {*robot.joint_names, *robot.mimic}
        self.names = tuple(name for name in robot.moving_joint_names if name not in told)
        has = {*FUNCTIONS} <= {*getattr(robot, "required_inputs", ())}
        self.closed = True
        self.known = bool(self.names) and has
        self._measured: dict[tuple[str, ...], tuple[MeasuredJoints, NDArray[np.intp]]] = {}
        if self.known:
            self._begin = start(robot)
            given = defaults or {}
            found = [given.get(name, given.get(EVERY)) for name in robot.joint_names]
            self._heard = {k for k, position in enumerate(found) if position is not None}
            unknown = [x is None for x in found]
            self._q = np.where(unknown, self._begin, np.array(found, float))

    def added(self, names: tuple[str, ...], positions: Array) -> tuple[tuple[str, ...], Array]:
        """A joint state with the positions of those that it lacks, where loops close.

        Joints that it does not determine, nor an earlier one did, are left out.

        Args:
            names: Joints.
            positions: (n,) their positions [rad or m].
        """
        if not self.known:
            return names, positions
        measured, places = self._joints(names)
        for near in (self._q, self._begin):
            q = measured.q(positions[places], near)
            self.closed = bool(np.isfinite(q).all())
            if self.closed:
                break
        else:
            return names, positions
        self._q = q
        self._heard.update(measured.determined)
        found = self._robot.evaluate("joint_positions", q=q)["positions"]
        given = {*names}
        more = [
            (joint, position)
            for joint, position, needed in zip(
                self._robot.moving_joint_names, found, self._robot.joint_coordinates, strict=True
            )
            if joint not in given and np.isfinite(position) and {*needed} <= self._heard
        ]
        return (*names, *(n for n, _ in more)), np.append(positions, [x for _, x in more])

    def _joints(self, names: tuple[str, ...]) -> tuple[MeasuredJoints, NDArray[np.intp]]:
        """The joints of a state that the robot has, and where in the state they are."""
        if names not in self._measured:
            if len(self._measured) >= _KEPT:
                self._measured.clear()
            moving = {*self._robot.moving_joint_names}
            own = [name for name in dict.fromkeys(names) if name in moving]
            places = np.array([names.index(name) for name in own], np.intp)
            self._measured[names] = MeasuredJoints(self._robot, own), places
        return self._measured[names]
