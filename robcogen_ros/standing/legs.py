"""Search for the legs of a robot, and for the frames that are its feet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.algorithms.conditioning.plain import plain
from robcogen_ros.algorithms.mechanics.loops.closures import at_position, joint_angles
from robcogen_ros.model.contacts import Contact, parsed
from robcogen_ros.model.joint_kinds import JointKind
from robcogen_ros.model.quaternions import matrix
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import rotation_z

Array = NDArray[np.float64]

LEAST_JOINTS = 3
"""Joints of a leg, from which on it can place its foot."""
FLAT_JOINTS = 5
"""Joints of a leg, from which on a robot on two of them has flat feet."""
ALIKE = 0.05
"""Difference that lengths of congruent limbs may have, as a share of the limb's length."""
HEIGHT = 0.25
"""Least height of the base above the feet, as a share of the length of a leg."""
NEAR = 0.1
"""Angle by which the upward direction in a foot may be off an axis of its frame that is meant
[rad]."""
WORLD = "world"
"""Link of a file that stands for what does not move."""
LEGLIKE = re.compile(
    "leg|foot|feet|sole|toe|ankle|calf|shank|shin|paw|hoof|coxa|femur|tibia|thigh", re.IGNORECASE
)
"""Names of links of a robot on legs, where these do not end in its lowest points."""
UPRIGHT = {
    "x": "0 -1.5707963267948966 0",
    "-x": "0 1.5707963267948966 0",
    "y": "1.5707963267948966 0 0",
    "-y": "-1.5707963267948966 0 0",
    "-z": "3.141592653589793 0 0",
}
"""Turns (rpy) of a root by each axis of it that is upwards, other than z."""
SWEEPS, TRIED = 2, 7
"""Times that each joint of a leg is turned to reach down, and positions that are tried."""
NOT_MOVED = 1e-6
"""Distance of the end of a limb from its last joint below which that does not move it [m]."""
NAMES = ("sole", "foot", "contact", "toe", "tip")
"""Words at the end of the names of frames that touch the ground, best first."""


@dataclass(frozen=True, slots=True)
class Feet:
    """Feet of a robot.

    Attributes:
        reason: Why it is a robot on legs, or why it is none.
        contacts: Frames at the ends of its legs, points or poses; none if it has no legs.
        up: For each foot what is upwards in its frame while it stands (feet, 3).
        length: Of a leg from its first joint to its foot where it is stretched [m].
    """

    reason: str
    contacts: tuple[Contact, ...] = ()
    up: Array = field(default_factory=lambda: np.zeros((0, 3)), compare=False)
    length: float = 0.0


@dataclass(frozen=True, slots=True)
class _Limb:
    """A chain of joints from where limbs branch off to the lowest end.

    Attributes:
        kinds: Kind of each joint.
        lengths: Distances between the origins of successive joints, and to the foot [m].
        apart: The same from the foot on, for each joint of the point of its axis that is nearest to
            the one before: where its origin is on the axis moves nothing [m].
        links: Numbers of the links in it, and in what branches off it.
        foot: Index of the frame at its end.
        up: What is upwards in the base, in coordinates of that frame (3,).
        bottom: How high the lowest of its frames is, in the base [m].
        top: How high its first joint is [m].
    """

    kinds: tuple[JointKind, ...]
    lengths: Array
    apart: Array
    links: frozenset[int]
    foot: int
    up: Array
    bottom: float
    top: float

    @property
    def length(self) -> float:
        """The length from its first joint to its foot where it is stretched [m]."""
        return float(self.lengths.sum())

    def alike(self, other: _Limb) -> bool:
        """Returns True if it is congruent to another, or to its mirror image."""
        if self.kinds != other.kinds:
            return False
        return bool(np.abs(self.apart - other.apart).max() <= ALIKE * self.length)


def find_feet(robot: Robot, standing: Mapping[str, float] | None = None) -> Feet:
    """The feet of a robot: of at least two congruent limbs whose ends are its lowest points.

    A limb has three joints or more; of a robot whose file lets its base float it may have fewer.

    Args:
        robot: The robot.
        standing: Positions of joints at which it stands, if that is known. Without, its joints are
            at zero, or else amidst their ranges, or else limbs that are called legs reach down, as
            those of an insect do not at zero.
    """
    name = robot.links[0].name
    if name == WORLD and not robot.floating_base:
        return Feet(f"its base is fixed: it is called '{name}'")
    if any(parameter.default is None for parameter in robot.parameters):
        return Feet("parameters of its file have no values")
    least = 1 if robot.floating_base else LEAST_JOINTS
    for where, q in _places(robot, standing):
        if limbs := _lowest(robot, q, least):
            return _feet(robot, limbs, where)
    advice = _advice(robot, standing, least, UPRIGHT)
    if not advice and (limbs := _lowest(robot, _downwards(robot), least)):
        return _feet(robot, limbs, "legs stretched down")
    what = f"two congruent limbs of {least} or more joints whose ends are its lowest points"
    advice = advice or _advice(robot, standing, least, "z") or _uneven(robot, least)
    return Feet(f"it has no {what}{advice}")


def _uneven(robot: Robot, least: int) -> str:
    """Tells of four congruent limbs or more that end lowest, but not all, with joints at zero."""
    tree = _Tree(robot, np.zeros(robot.n), _unit("z"))
    for limbs in tree.groups(least):
        ends = {robot.frames[limb.foot].name: tree.heights[limb.foot] for limb in limbs}
        low, high = min(ends.values()), max(ends.values())
        if len(limbs) > 3 and low <= min(tree.heights) and high - low > HEIGHT * limbs[0].length:
            told = ", ".join(f"{name} at {z:.2f} m" for name, z in ends.items())
            return f"; {len(limbs)} limbs are congruent, but not level with joints at zero: {told}"
    return ""


def turns_of(robot: Robot, frames: Sequence[int], standing: Mapping[str, float] | None) -> Array:
    """Rotations of frames in the base (frames, 3, 3), where the robot is first seen to stand."""
    known = all(parameter.default is not None for parameter in robot.parameters)
    for _, q in _places(robot, standing) if known else ():
        turns = np.array(_Tree(robot, q, _unit("z")).turns)[frames]
        if np.isfinite(turns).all():
            return turns
    return np.tile(np.eye(3), (len(frames), 1, 1))


def remedy(root: str, axis: str) -> str:
    """Returns advice to turn a robot whose z is not upwards.

    Args:
        root: Name of its root link.
        axis: The axis of that which is upwards: a key of `UPRIGHT`.
    """
    return (
        f"the {axis} axis of its root '{root}' is upwards, where z is expected. Put an upright "
        f'link above it: <link name="upright"/><joint name="upright_to_{root}" type="fixed">'
        f'<parent link="upright"/><child link="{root}"/><origin rpy="{UPRIGHT[axis]}"/></joint>'
    )


def _advice(
    robot: Robot, standing: Mapping[str, float] | None, least: int, axes: Iterable[str]
) -> str:
    """Returns advice on a robot that would be on legs if its root were turned; else empty.

    Of z: if the origin of its root were above its feet.
    """
    for axis in axes:
        for _, q in _places(robot, standing):
            limbs = _lowest(robot, q, least, axis, by_origin=axis != "z")
            links = set[int]().union(*(limb.links for limb in limbs))
            if _is_legs(robot, links) and not _is_legs(robot, set(range(len(robot.links))) - links):
                root = robot.links[0].name
                return (
                    f"; it seems that {remedy(root, axis) if axis != 'z' else _lift(root, limbs)}"
                )
    return ""


def _lift(root: str, limbs: Sequence[_Limb]) -> str:
    feet, hips = (max(getattr(limb, at) for limb in limbs) for at in ("bottom", "top"))
    return (
        f"the origin of its root '{root}' is too low: its feet are at z = {feet:.2f} m there, "
        f"expected below 0. Take {hips:.2f} m off the z of all that is placed on '{root}': its "
        "inertia, shapes and joints"
    )


def _feet(robot: Robot, limbs: Sequence[_Limb], where: str) -> Feet:
    count, joints = len(limbs), len(limbs[0].kinds)
    of = f"{joints} joint" + "s" * (joints > 1)
    reason = f"{count} congruent limbs of {of} end in its lowest points, {where}"
    if robot.floating_base:
        reason = f"a floating joint moves its base, and {reason}"
    word = ":pose" if count == 2 and joints >= FLAT_JOINTS else ""
    ends = [robot.frames[limb.foot].name for limb in limbs]
    if joints == LEAST_JOINTS and min(limb.lengths[-1] for limb in limbs) < NOT_MOVED:
        return Feet(
            f"its legs end at their last joints, in {', '.join(ends)}, which no frame of a foot "
            f'follows. Put one where each touches the ground: <link name="{ends[0]}_foot"/>'
            f'<joint name="{ends[0]}_to_foot" type="fixed"><parent link="{ends[0]}"/>'
            f'<child link="{ends[0]}_foot"/><origin xyz="..."/></joint>'
        )
    feet = parsed((f"{end}{word}" for end in ends), robot.frame_index)
    return Feet(reason, feet, np.array([limb.up for limb in limbs]), limbs[0].length)


def _places(robot: Robot, standing: Mapping[str, float] | None) -> Iterator[tuple[str, Array]]:
    """Positions of all joints at which a robot may be seen to stand, and what they are called."""
    if standing:
        yield "as it stands", np.array([standing.get(name, 0.0) for name in robot.joint_names])
    yield "joints at zero", np.zeros(robot.n)
    yield "joints amidst their ranges", _amidst(robot)


def _amidst(robot: Robot) -> Array:
    middle = np.zeros(robot.n)
    for i, coordinate in enumerate(robot.coordinates):
        lower, upper = coordinate.limits.lower, coordinate.limits.upper
        if lower is not None and upper is not None:
            middle[i] = 0.5 * (lower + upper)
    return middle


def _is_legs(robot: Robot, links: Iterable[int]) -> bool:
    return any(LEGLIKE.search(robot.links[i].name) for i in links)


def _downwards(robot: Robot) -> Array:
    """Positions at which limbs that are called legs reach down as low as their joints let them."""
    up, best, names = _unit("z"), _amidst(robot), list(robot.joint_names)
    groups = _Tree(robot, np.zeros(robot.n), up).groups(LEAST_JOINTS)
    inside, feet = list[list[int]](), list[int]()
    for leg in (limb for limbs in groups for limb in limbs if _is_legs(robot, limb.links)):
        own = {joint.name for joint in robot.joints if joint.successor in leg.links}
        if joints := [i for i, name in enumerate(names) if name in own]:
            inside.append(joints)
            feet.append(leg.foot)

    def heights(q: Array) -> Array:
        return np.array(_Tree(robot, q, up).heights)[feet]

    for turn in range(SWEEPS * max(map(len, inside), default=0)):
        joints = [leg[turn % len(leg)] for leg in inside]
        low, high = (np.array([_range(robot, j)[end] for j in joints]) for end in (0, 1))
        lowest, here = heights(best), best.copy()
        for share in np.linspace(0.0, 1.0, TRIED):
            here[joints] = low + share * (high - low)
            now = heights(here)
            for j, lower in zip(joints, now < lowest - 1e-9, strict=True):
                best[j] = here[j] if lower else best[j]
            lowest = np.fmin(lowest, now)
    return best


def _range(robot: Robot, joint: int) -> tuple[float, float]:
    limits = robot.coordinates[joint].limits
    return (
        -np.pi / 2 if limits.lower is None else max(limits.lower, -np.pi),
        np.pi / 2 if limits.upper is None else min(limits.upper, np.pi),
    )


def _lowest(
    robot: Robot, q: Array, least: int, up: str = "z", by_origin: bool = True
) -> list[_Limb]:
    """Congruent limbs that end below all the rest, an axis of the base upwards; or none.

    Also below the origin of the base, if that counts, else below where they begin.
    """
    tree = _Tree(robot, q, _unit(up))
    root = "" if by_origin else robot.links[0].name
    best: list[_Limb] = []
    for limbs in tree.groups(least):
        links = frozenset[int]().union(*(limb.links for limb in limbs))
        rest = [
            z
            for z, frame in zip(tree.heights, robot.frames, strict=True)
            if frame.link not in links and frame.of_link != root
        ]
        lowest, length = max(limb.bottom for limb in limbs), max(limb.length for limb in limbs)
        hips = 0.0 if by_origin else min(limb.top for limb in limbs)
        if lowest < min(rest, default=hips) and lowest < hips - HEIGHT * length:
            best = limbs if len(limbs) > len(best) else best
    return best


class _Tree:
    """The links of a robot at some positions.

    Attributes:
        heights: Of the origin of each frame, in the base [m].
        turns: Rotation of each frame in the base.
    """

    def __init__(self, robot: Robot, q: Array, up: Array) -> None:
        self._robot = robot
        poses = [np.linalg.inv(matrix(robot.links[0].frame))]
        self._below: list[list[int]] = [[] for _ in robot.links]
        here = list(q)  # its division by zero is no error
        with np.errstate(divide="ignore", invalid="ignore"):  # loops that do not close
            angles = joint_angles(at_position(plain(robot), here), here)
        for joint, position in zip(robot.joints, angles, strict=True):
            moved = joint.kind.pose(float(position), rotation_z)
            poses.append(poses[joint.predecessor] @ matrix(joint.pose) @ matrix(moved))
            self._below[joint.predecessor].append(joint.successor)
        frames = [poses[frame.link] @ matrix(frame.pose) for frame in robot.frames]
        self._origins = [pose[:3, 3] for pose in poses]
        self._axes = [pose[:3, 2] for pose in poses]
        self._places = [pose[:3, 3] for pose in frames]
        self._upwards = up
        self.turns = [pose[:3, :3] for pose in frames]
        self.heights = [float(up @ place) for place in self._places]

    def groups(self, least: int) -> Iterator[list[_Limb]]:
        """Sets of congruent limbs, of that many joints at least, that branch off one link."""
        for children in self._below:
            every = [limb for limb in map(self._limb, children) if len(limb.kinds) >= least]
            limbs = [limb for limb in every if np.isfinite(limb.lengths).all()]
            while limbs:
                first = limbs[0]
                alike = [limb for limb in limbs if first.alike(limb)]
                limbs = [limb for limb in limbs if not first.alike(limb)]
                if len(alike) > 1:
                    yield alike

    def _limb(self, root: int) -> _Limb:
        """The chain from a link to the lowest of the links that hang on it and carry none."""
        links = [root]
        for link in links:
            links += self._below[link]
        end = min((link for link in links if not self._below[link]), key=self._bottom)
        chain = [i for i in self._robot.support(end) if i + 1 in links]
        frames = self._frames(end)
        if len(chain) == LEAST_JOINTS:  # what is at the last joint reaches no ground
            off = {i: np.linalg.norm(self._places[i] - self._origins[end]) for i in frames}
            frames = [i for i in frames if off[i] >= NOT_MOVED] or frames
        foot = self._likely_foot(frames)
        points = [self._origins[i + 1] for i in chain] + [self._places[foot]]
        near = points[-1:]
        for i, point in zip(chain[::-1], points[-2::-1], strict=True):
            along = self._axes[i + 1] if self._robot.joints[i].kind.turns else np.zeros(3)
            near.append(point + along * (along @ (near[-1] - point)))
        return _Limb(
            tuple(self._robot.joints[i].kind for i in chain),
            np.linalg.norm(np.diff(points, axis=0), axis=1),
            np.linalg.norm(np.diff(near, axis=0), axis=1),
            frozenset(links),
            foot,
            _along_axis(self._upwards @ self.turns[foot]),
            self._bottom(end),
            float(self._upwards @ self._origins[root]),
        )

    def _bottom(self, link: int) -> float:
        return min(self.heights[frame] for frame in self._frames(link))

    def _frames(self, link: int) -> list[int]:
        return [i for i, frame in enumerate(self._robot.frames) if frame.link == link]

    def _likely_foot(self, frames: Sequence[int]) -> int:
        """The frame that is rather a foot by its name, then its height; the middle of such."""
        likely = {frame: self._likelihood(frame) for frame in frames}
        best = [frame for frame in frames if likely[frame] == min(likely.values())]
        places = np.array([self._places[frame] for frame in best])
        off = np.linalg.norm(places - places.mean(axis=0), axis=1)
        return best[int(np.argmin(off.round(4)))]

    def _likelihood(self, frame: int) -> tuple[int, float]:
        """Less for what is rather a foot: by the last word of its name, then by its height."""
        words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", self._robot.frames[frame].name)
        words = [word.lower() for word in words if word.lower() not in ("link", "frame")]
        last = words[-1] if words else ""
        named = NAMES.index(last) if last in NAMES else len(NAMES)
        return named, round(self.heights[frame], 6)


def _along_axis(up: Array) -> Array:
    """A unit vector, or the axis that it is nearly along."""
    axis = np.round(up)
    return np.asarray(axis if np.abs(up - axis).max() < NEAR else up) + 0.0


def _unit(axis: str) -> Array:
    unit = np.zeros(3)
    unit["xyz".index(axis[-1])] = -1.0 if axis.startswith("-") else 1.0
    return unit
