"""A robot as a stick figure, and its joints by limbs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.algorithms.conditioning.plain import plain
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.algorithms.mechanics.kinematics import link_poses
from robcogen_ros.model.robot import Robot
from robcogen_ros.plots import style

Array = NDArray[np.float64]

_TOGETHER = 10
"""Joints whose curves are told apart in one picture."""

_AZIMUTH, _ELEVATION = np.radians(35.0), np.radians(18.0)
"""Directions from which a robot is seen [rad]: from its front, its left and above."""

_BENT = 0.6
"""Largest position in a picture that shows no position in particular [rad or m]."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Lines and joints of a robot that are drawn.

    Attributes:
        name: Its name.
        joints: Names of its coordinates.
        lengths: Of each, whether it is a length.
        parents: The coordinate before each on the way to the base; -1 for none.
        bones: Lines: the coordinate that moves it, -1 for none, and both ends.
    """

    name: str
    joints: tuple[str, ...]
    lengths: tuple[bool, ...]
    parents: tuple[int, ...]
    bones: tuple[tuple[int, Array, Array], ...]


@dataclass(frozen=True, slots=True)
class Limb:
    """Joints that are shown together.

    Attributes:
        title: What they are called.
        joints: Which coordinates.
        lengths: Whether these are lengths.
    """

    title: str
    joints: tuple[int, ...]
    lengths: bool

    def unit(self, turning: str, sliding: str) -> str:
        """The unit of a quantity: of joints that turn, or of those that slide."""
        return sliding if self.lengths else turning


def skeleton(robot: Robot) -> Skeleton:
    """The stick figure of a robot in the middle of its limits, bent a little."""
    sample, q = plain(robot), _posture(robot)
    poses = link_poses(sample, joint_transforms(sample, q))
    places = [np.array([*pose.translation], dtype=float) for pose in poses]
    moved_by = {0: -1, **{joint.successor: joint.coordinate for joint in robot.joints}}
    bones = [
        (moved_by[joint.predecessor], places[joint.predecessor], places[joint.successor])
        for joint in robot.joints
    ]
    ends = set(range(len(robot.links))) - {joint.predecessor for joint in robot.joints}
    for i in sorted(ends):
        inertia = sample.links[i].inertia
        if inertia.mass:
            center = poses[i].point(inertia.moment * (1 / inertia.mass))
            bones.append((moved_by[i], places[i], np.array([*center], dtype=float)))
    parents = [-1] * robot.n
    for joint in reversed(robot.joints):
        if moved_by[joint.predecessor] != joint.coordinate:
            parents[joint.coordinate] = moved_by[joint.predecessor]
    lengths = tuple(coordinate.kind.is_length for coordinate in robot.coordinates)
    return Skeleton(robot.name, tuple(robot.joint_names), lengths, tuple(parents), tuple(bones))


def _posture(robot: Robot) -> list[float]:
    middle = []
    for coordinate in robot.coordinates:
        lower, upper = coordinate.limits.lower, coordinate.limits.upper
        ends = [] if coordinate.continuous else [x for x in (lower, upper) if x is not None]
        center = sum(ends) / 2 if len(ends) == 2 else _BENT / 2
        middle.append(min(max(center, -_BENT), _BENT))
    return middle


def stick_figure(robot: Any, q: Any) -> Skeleton:
    """Returns the lines and joints of a robot, computed at a position.

    A line goes to each foot from the link that carries it.
    """
    frames, places = robot.link_frames, robot.frame_poses(np.asarray(q))[..., :3, 3]
    coordinates = {name: i for i, name in enumerate(robot.joint_names)}
    coordinates |= {joint: coordinates[to] for joint, (to, _, _) in robot.mimic.items()}
    moved_by, bones, parents = {robot.link_names[0]: -1}, [], [-1] * robot.n
    for joint, parent, child, fixed in robot.attachments:
        before = moved_by.get(parent, -1)
        moved_by[child] = before if fixed else coordinates.get(joint, before)
        if joint in robot.joint_names and moved_by[child] != before:
            parents[moved_by[child]] = before
        if parent in frames and child in frames:
            ends = places[frames[parent]], places[frames[child]]
            bones += [(before, *ends), (moved_by[child], ends[1], ends[1])]
    carried = {joint: child for joint, _, child, _ in robot.attachments}
    for foot in robot.contact_records:
        *_, last = robot.task_joints(robot.link_names[0], foot.frame_name)
        ends = places[frames[carried[last]]], places[foot.frame]
        bones.append((coordinates[last], *ends))
    lengths = tuple(unit == "m" for unit in robot.units)
    return Skeleton(robot.name, robot.joint_names, lengths, tuple(parents), tuple(bones))


def limbs(robot: Skeleton) -> list[Limb]:
    """A robot's joints in groups of a few: arms and legs, those that slide apart."""
    found = []
    few = len(robot.joints) <= _TOGETHER
    for members in [[*range(len(robot.joints))]] if few else _chains(robot):
        for lengths in (False, True):
            own = tuple(i for i in members if robot.lengths[i] == lengths)
            if own:
                found.append(Limb(_title([robot.joints[i] for i in own]), own, lengths))
    return found


def _chains(robot: Skeleton) -> list[list[int]]:
    """Joints one after the other up to where the robot branches; short branches stay together."""
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(robot.parents):
        children.setdefault(parent, []).append(joint)
    chains: list[list[int]] = []
    pending = [(start, [start]) for start in reversed(children.get(-1, []))]
    while pending:
        joint, chain = pending.pop()
        beyond = children.get(joint, [])
        if len(beyond) == 1:
            pending.append((beyond[0], [*chain, beyond[0]]))
            continue
        chains.append(chain)
        pending += [(start, [start]) for start in reversed(beyond)]
    together: list[list[int]] = []
    for chain in chains:
        short = len(chain) < 3 and together and len(together[-1]) + len(chain) <= _TOGETHER
        if short and (len(together[-1]) < 3 or robot.parents[chain[0]] in together[-1]):
            together[-1] += chain
        else:
            together.append([*chain])
    return together


def _title(names: Sequence[str]) -> str:
    """Returns the common beginning of several names, or the first and the last."""
    if len(names) == 1:
        return names[0]
    same = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    common = "".join(letters[0] for letters in same).strip("_-/ ")
    return common if len(common) > 1 else f"{names[0]} to {names[-1]}"


def flat(point: Array) -> Array:
    """Returns the place of a point in a picture: to the right, up."""
    away = np.array([np.cos(_AZIMUTH), np.sin(_AZIMUTH), 0.0])
    right, up = np.array([-away[1], away[0], 0.0]), np.array([0.0, 0.0, np.cos(_ELEVATION)])
    return np.array([point @ right, point @ (up - np.sin(_ELEVATION) * away)])


def draw(axes: Any, robot: Skeleton, marked: Mapping[int, Mapping[str, str]] | None = None) -> None:
    """Draws a stick figure; marked joints, and what they move, look as their curves do."""
    plain_line = {"color": style.ink(), "linewidth": 1.6}
    if marked:
        plain_line |= {"linewidth": 1.0, "alpha": 0.45}
    marked = marked or {}
    for bright in (False, True):
        for joint, start, end in robot.bones:
            if (joint in marked) == bright:
                ends = np.array([flat(start), flat(end)])
                line = {"color": marked[joint]["color"], "linewidth": 2.2} if bright else plain_line
                axes.plot(*ends.T, solid_capstyle="round", **line)
                if bright:
                    axes.plot(*ends[0], "o", color=line["color"], markersize=4)
    axes.set_aspect("equal")
    axes.margins(0.1)
    axes.set_axis_off()
