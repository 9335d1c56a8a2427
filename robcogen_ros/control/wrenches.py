"""Wrenches at frames, as the dynamics want them: on links, in their coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError

POSES = 3
"""Random positions by which a frame is seen to stay where it is on a link."""


class Frames(Protocol):
    """A robot's links and frames."""

    @property
    def n(self) -> int:
        """Number of joints."""

    @property
    def link_names(self) -> Sequence[str]:
        """Links that move on their own, the base first."""

    @property
    def frame_names(self) -> Sequence[str]:
        """All frames."""

    def frame_poses(self, q: Array) -> Array:
        """Pose (4, 4) of each frame in the base."""


class Wrenches:
    """Turns wrenches at frames into wrenches on links."""

    def __init__(self, robot: Frames) -> None:
        """Looks where the links are.

        Args:
            robot: The robot.
        """
        self._names = {name: i for i, name in reversed(list(enumerate(robot.frame_names)))}
        self._links = [self._frame(name) for name in robot.link_names]
        self._poses = robot.frame_poses(
            np.random.default_rng(0).uniform(-1.0, 1.0, (POSES, robot.n))
        )
        self._found: dict[str, tuple[int, Array]] = {}

    def at(self, frame: str, force: Array, torque: Array) -> Array:
        """Wrenches on all links (links, 6) of a force and a torque at a frame, in its coordinates.

        Raises:
            RobcogenError: If there is no such frame, or the wrench is not finite.
        """
        if not (np.isfinite(force).all() and np.isfinite(torque).all()):
            raise RobcogenError("the wrench is not finite")
        if frame not in self._found:
            self._found[frame] = self._carrier(frame)
        link, pose = self._found[frame]
        turned = pose[:3, :3] @ force
        result = np.zeros((len(self._links), 6))
        result[link, :3] = pose[:3, :3] @ torque + np.cross(pose[:3, 3], turned)
        result[link, 3:] = turned
        return result

    def _frame(self, name: str) -> int:
        index = self._names.get(name, self._names.get(f"fr_{name}"))
        if index is None:
            raise RobcogenError(f"the robot has no frame '{name}'")
        return index

    def _carrier(self, frame: str) -> tuple[int, Array]:
        """The link that a frame stays still on, and the frame's pose in it."""
        poses = self._poses[:, self._frame(frame)]
        spreads, relative = [], []
        for link in self._links:
            there = np.linalg.inv(self._poses[:, link]) @ poses
            relative.append(there[0])
            spreads.append(float(np.abs(there - there[0]).max()))
        nearest = int(np.argmin(spreads))
        return nearest, relative[nearest]
