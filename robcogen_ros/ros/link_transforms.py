"""The pose of each link on the link it hangs on, from one call of the generated kinematics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.ros.rotations import quaternions


@dataclass(frozen=True, slots=True)
class Poses:
    """Poses of child links on their parents.

    Attributes:
        parents: Names of the parents.
        children: Names of the children.
        translations: (m, 3) [m].
        quaternions: (m, 4): x, y, z, w.
    """

    parents: tuple[str, ...]
    children: tuple[str, ...]
    translations: Array
    quaternions: Array


@dataclass(frozen=True, slots=True)
class _Joint:
    """A moving joint: it follows `multiplier * q[coordinate] + offset`."""

    name: str
    parent: str
    child: str
    coordinate: int
    multiplier: float
    offset: float


@dataclass(frozen=True, slots=True)
class _Selection:
    """What a message with certain names tells: where values go, which joints can be placed."""

    columns: Array
    sources: Array
    joints: tuple[_Joint, ...]
    parents: Array
    children: Array
    followers: tuple[tuple[int, int], ...]


class LinkTransforms:
    """All joints of a robot, moving and fixed, as its file has them.

    Attributes:
        skipped: Joints that no joint state can place: floating and planar ones.
        fixed: Poses of links on fixed joints.
    """

    def __init__(self, robot: Any) -> None:
        self._robot = robot
        frames: list[str] = list(robot.frame_names)
        self._frames = {frames[i]: i for i in reversed(range(len(frames)))}
        self._coordinates = {name: i for i, name in enumerate(robot.joint_names)}
        attachments = robot.attachments
        moving = [self._joint(*a) for a in attachments if not a[3]]
        self._joints = tuple(joint for joint in moving if joint is not None)
        known = {joint.name for joint in self._joints}
        self.skipped = tuple(a[0] for a in attachments if not a[3] and a[0] not in known)
        self.fixed = self._fixed([(a[1], a[2]) for a in attachments if a[3]])
        self._selections: dict[tuple[str, ...], _Selection] = {}

    def poses(self, names: Sequence[str], positions: Sequence[float]) -> Poses:
        """Poses of the links that the joints of a joint state move, mimicking ones included.

        A mimicking joint follows its leader unless the state gives its own position.
        """
        chosen = self._selection(tuple(names))
        values = np.asarray(positions, dtype=float)
        q = np.zeros((1, self._robot.n))
        q[0, chosen.columns] = values[chosen.sources]
        rows = np.zeros(len(chosen.joints), np.intp)
        for row, source in chosen.followers:
            joint = chosen.joints[row]
            own = q[:1].copy()
            own[0, joint.coordinate] = (values[source] - joint.offset) / joint.multiplier
            rows[row] = len(q)
            q = np.vstack([q, own])
        frames = self._robot.frame_poses(q)
        return _relative(
            tuple(joint.parent for joint in chosen.joints),
            tuple(joint.child for joint in chosen.joints),
            frames[rows, chosen.parents],
            frames[rows, chosen.children],
        )

    def _joint(self, name: str, parent: str, child: str, fixed: bool) -> _Joint | None:
        if name in self._coordinates:
            return _Joint(name, parent, child, self._coordinates[name], 1.0, 0.0)
        mimic: Mapping[str, tuple[str, float, float]] = self._robot.mimic
        if name not in mimic:
            return None
        leader, multiplier, offset = mimic[name]
        return _Joint(name, parent, child, self._coordinates[leader], multiplier, offset)

    def _fixed(self, pairs: Sequence[tuple[str, str]]) -> Poses:
        frames = self._robot.frame_poses(np.zeros(self._robot.n))
        parents = np.array([self._frame(parent) for parent, _ in pairs], np.intp)
        children = np.array([self._frame(child) for _, child in pairs], np.intp)
        names = (tuple(parent for parent, _ in pairs), tuple(child for _, child in pairs))
        return _relative(*names, frames[parents], frames[children])

    def _frame(self, link: str) -> int:
        return self._frames[link] if link in self._frames else self._frames[f"fr_{link}"]

    def _selection(self, names: tuple[str, ...]) -> _Selection:
        if names not in self._selections:
            if len(self._selections) > 16:
                self._selections.clear()
            self._selections[names] = self._select(names)
        return self._selections[names]

    def _select(self, names: tuple[str, ...]) -> _Selection:
        """A leader's value counts before what an explicitly given follower tells of it."""
        place = {name: i for i, name in enumerate(names)}
        own = {self._coordinates[n]: i for n, i in place.items() if n in self._coordinates}
        joints = tuple(j for j in self._joints if j.coordinate in own or j.name in place)
        followers = tuple(
            (row, place[j.name])
            for row, j in enumerate(joints)
            if j.name in place and j.name not in self._coordinates and j.multiplier
        )
        return _Selection(
            np.array(list(own), np.intp),
            np.array(list(own.values()), np.intp),
            joints,
            np.array([self._frame(j.parent) for j in joints], np.intp),
            np.array([self._frame(j.child) for j in joints], np.intp),
            followers,
        )


def _relative(
    parents: tuple[str, ...], children: tuple[str, ...], bases: Array, links: Array
) -> Poses:
    """Poses of links relative to others, from the poses of both in one frame."""
    back = bases[:, :3, :3].swapaxes(1, 2)
    offsets = (links[:, :3, 3] - bases[:, :3, 3])[..., None]
    rotations = back @ links[:, :3, :3]
    return Poses(parents, children, (back @ offsets)[..., 0], quaternions(rotations))
