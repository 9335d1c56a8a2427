"""Postures in which a robot stands on its feet on a plane."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from typing import Any

import numpy as np

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.contacts import Array, Foot, shaped
from robcogen_ros.model.quaternions import turning
from robcogen_ros.standing.chains import AWRY, Chain
from robcogen_ros.standing.legs import HEIGHT, NOT_MOVED, UPRIGHT, remedy
from robcogen_ros.standing.statics import depth, share_of_one_foot

REACH = 0.8
"""Distance from hip to foot, as a share of that of a straight leg."""
_HIP = 0.75
"""Joints from which a straight leg is so long at least, of its length, are those of the hip."""
_HIGHER = (1.0, 1.07, 1.14, 1.2)
"""Factors of the share until the joints can do it, and have room and strength to move on."""
_ROOM = 0.1
"""Distance of the joints of legs from their limits, where a posture has it [rad], and at most this
share of their range."""
_SHARE = 0.75
"""Greatest share of the limits of efforts that it takes where one of two feet carries the robot."""
_SAMPLES = 4000
_BENT = 0.6
"""Angle by which joints without a range are bent where the search begins [rad]."""
_OFF = 0.02
"""Distance of joints that are in no leg from their limits [rad, m]."""
_NEARLY = 0.1 * AWRY
"""Distance that remains to a place near where a foot is already [rad, m]."""
_HALVINGS, _END = 12, 0.03
"""Halvings of a foot's way to where it can be; how near to a limit a joint is then [rad, m]."""
_SPREAD = ((0.55, 0.45), (0.45, 0.35), (0.65, 0.3))
"""Distances from hips, aside and below, at which spread legs put their feet, as shares of
straight legs."""
_ASIDE = 0.6
"""Distance aside of the foot of a spread leg with joints at zero, as a share of its length."""
_BALANCED = 3
"""Rounds in which feet and center of mass are brought above each other."""


@dataclass(frozen=True, slots=True)
class Posture:
    """Posture in which a robot stands, its base level.

    Attributes:
        q: Positions of the joints.
        height: Height of the base's origin above the plane [m].
    """

    q: Array
    height: float


class Legs:
    """The legs of a robot on which it stands, one a contact."""

    def __init__(self, robot: Any, feet: Sequence[Foot]) -> None:
        """Looks what the legs can reach.

        Args:
            robot: The robot; its contacts are the feet. It needs the functions `kinematics` and
                `center_of_mass`, and `total_mass` where they are two.
            feet: Their shapes.
        """
        self._robot, self._base = robot, robot.link_names[0]
        self._feet = shaped(robot.contact_records, feet)
        self.frames = [robot.frame_names[foot.frame] for foot in self._feet]
        self._index = [foot.frame for foot in self._feet]
        names = list(robot.joint_names)
        self.joints = [
            [names.index(joint) for joint in robot.task_joints(self._base, frame)]
            for frame in self.frames
        ]
        shared = Counter(chain.from_iterable(self.joints))
        self._own = [[j for j in leg if shared[j] == 1] for leg in self.joints]
        free = np.where(robot.units == "m", _BENT, np.pi)
        self._lower = np.where(np.isfinite(robot.lower_limits), robot.lower_limits, -free)
        self._upper = np.where(np.isfinite(robot.upper_limits), robot.upper_limits, free)
        self._chains = [
            Chain(robot, foot, joints, self._lower, self._upper)
            for foot, joints in zip(self._feet, self._own, strict=True)
        ]
        room = np.minimum(_OFF, 0.1 * (self._upper - self._lower))
        self._start = np.clip(np.zeros(robot.n), self._lower + room, self._upper - room)
        self._straight = robot.frame_poses(np.zeros(robot.n))
        carried = {joint: child for joint, _, child, _ in robot.attachments}
        frames = robot.link_frames
        legs = [own or leg for own, leg in zip(self._own, self.joints, strict=True)]
        self._limbs = [[frames[carried[names[j]]] for j in leg] for leg in legs]

    def standing(self, given: Mapping[str, float] | None = None, reach: float = REACH) -> Posture:
        """A posture in which all feet are on the plane.

        Args:
            given: Positions of joints at which it stands, as an SRDF has them; legs are moved so
                that all feet are on one plane then. Without, they are bent so that their feet are
                below the hips, or beside those of spread legs, and the center of mass above their
                middle.
            reach: Distance from hips to feet, as a share of that of straight legs.

        Raises:
            RobcogenError: If there is no such posture.
        """
        if given is not None:
            names = self._robot.joint_names
            q = np.array([given.get(*pair) for pair in zip(names, self._start, strict=True)])
            poses = self.poses(q)
            level = float(np.mean([self._bottom(i, pose) for i, pose in enumerate(poses)]))
            places = [self._on(i, pose, level) for i, pose in enumerate(poses)]
            found, missing = self._near(q, places, AWRY)
            if missing is None:
                return Posture(found, -level)
        best, least = None, np.inf
        for places in self._ways(reach):
            posture, missing = self._bent(places)
            if missing is not None:
                missed = missing, posture.q, places[missing]
            elif (lacks := self._lacks(posture.q)) < least:
                best, least = posture, lacks
            if not least:
                break
        if best is not None:
            return best
        what = f"robot '{self._robot.name}': no posture within its joint limits stands on "
        what += ", ".join(self.frames)
        hips, lengths = self.reaches()
        away = (hips - self.poses(self._start)[:, :3, 3]).mean(axis=0)
        i = int(np.argmax(np.abs(away)))
        axis = ("-" if away[i] < 0 else "") + "xyz"[i]
        if axis in UPRIGHT and np.abs(away[i]) > HEIGHT * lengths.max():
            raise RobcogenError(f"{what}: {remedy(self._base, axis)}")
        remedies = "give one by an SRDF's state, or by initial_positions"
        raise RobcogenError(f"{what}: {self._beyond(*missed)}; {remedies}")

    def placed(self, q: Array, targets: Sequence[Array]) -> tuple[Array, str]:
        """Positions of all joints at which feet have poses (4, 4) in the base, near others.

        With a text that tells the first foot out of reach; it is empty if there is none. Of feet
        that are points the positions count.
        """
        found, missing = self._near(q, targets)
        told = "" if missing is None else self._beyond(missing, found, targets[missing])
        return found, told

    def _near(
        self, q: Array, targets: Sequence[Array], awry: float = _NEARLY
    ) -> tuple[Array, int | None]:
        """Positions of all joints as `placed()` has them, and the first foot out of reach."""
        found: Array = q.copy()
        for i, target in enumerate(targets):
            ends, good = self._chains[i].solved(found[None], target, awry)
            if not good[0]:
                return found, i
            found = ends[0]
        return found, None

    def _beyond(self, foot: int, q: Array, target: Array) -> str:
        """Returns the distance from a foot's way to its place, and what holds it, in words."""
        begin, low, high = self.poses(q)[foot][:3, 3], 0.0, 1.0
        for _ in range(_HALVINGS):
            middle, on_way = 0.5 * (low + high), target.copy()
            on_way[:3, 3] = begin + middle * (target[:3, 3] - begin)
            ends, good = self._chains[foot].solved(q[None], on_way, AWRY)
            low, high = (middle, high) if good[0] else (low, middle)
            q = ends[0] if good[0] else q
        gap, joints = np.linalg.norm((1.0 - low) * (target[:3, 3] - begin)), self._own[foot]
        stopped = [j for j in joints if min(q[j] - self._lower[j], self._upper[j] - q[j]) < _END]
        names = [f"joint {self._robot.joint_names[j]} at its limit" for j in stopped]
        held = f", with {' and '.join(names)}" if names else ""
        held = held if joints else ", for all joints that move it move other feet, too"
        return f"foot {self.frames[foot]} is {1e3 * gap:.0f} mm out of reach{held}"

    def balance(self, q: Array, base: Array) -> float:
        """Returns the center of mass's depth inside the feet: 1 in the middle, 0 at the rim.

        Args:
            q: Positions of the joints.
            base: Pose of the base in the world (4, 4), where the plane is level.
        """
        poses, points = base @ self.poses(q), []
        for pose, foot in zip(poses, self._feet, strict=True):
            points += list(foot.points @ pose[:3, :3].T + pose[:3, 3])
        flat_points = np.array(points)[:, :2]
        center = (base[:3, :3] @ self._robot.center_of_mass(q) + base[:3, 3])[:2]
        here, amidst = (depth(flat_points, p) for p in (center, flat_points.mean(axis=0)))
        return here / max(amidst, 1e-9)

    def _ways(self, reach: float) -> Iterator[list[Array]]:
        """Poses of the feet on one plane: below the hips, or beside those of spread legs."""
        hips, lengths = self.reaches()
        aside = np.hypot(*(self._straight[self._index, :2, 3] - hips[:, :2]).T)
        if (aside > _ASIDE * lengths).all():
            yield from (self._spread(*shares) for shares in _SPREAD)
        else:
            yield from (self._below(reach * more) for more in _HIGHER)

    def _below(self, reach: float) -> list[Array]:
        """Poses of the feet on one plane, below where they are with joints at zero."""
        straight = self._straight[self._index]
        levels = [self._level(i, reach) - self._above(i, at) for i, at in enumerate(straight)]
        level = float(np.mean(levels))
        return [self._on(i, at, level) for i, at in enumerate(straight)]

    def _spread(self, aside: float, below: float) -> list[Array]:
        """Poses of the feet on one plane, away from the middle of the hips as shares of legs."""
        hips, lengths = self.reaches()
        above = [self._above(i, at) for i, at in enumerate(self._straight[self._index])]
        level = float(np.mean(hips[:, 2] - below * lengths - above))
        places = []
        for foot, (hip, length) in enumerate(zip(hips, lengths, strict=True)):
            away = (hip - hips.mean(axis=0))[:2]
            pose = self._straight[self._index[foot]].copy()
            pose[:2, 3] = hip[:2] + aside * length * away / max(float(np.hypot(*away)), 1e-9)
            places.append(self._on(foot, pose, level))
        return places

    def _bent(self, places: list[Array]) -> tuple[Posture, int | None]:
        """Legs bent, feet at some places on a plane, the center of mass above their middle.

        With the first foot out of reach.
        """
        found, missing = self._limbs_bent(self._start, places)
        for _ in range(_BALANCED if missing is None else 0):
            places = list(self.poses(found))
            middles = [self._middle(i, place) for i, place in enumerate(places)]
            off = self._robot.center_of_mass(found)[:2] - np.mean(middles, axis=0)[:2]
            found, places = self._moved(found, places, off)
        level = np.mean([self._bottom(i, place) for i, place in enumerate(places)])
        return Posture(found, -float(level)), missing

    def _lacks(self, q: Array) -> float:
        """Returns 0 if no joint of a leg is near a limit of its positions or, of two, efforts."""
        room = _ROOM * np.minimum(1.0, self._upper - self._lower)
        near = (q < self._lower + room) | (q > self._upper - room)
        lacks = 1e3 * near[sorted(set().union(*self._own))].any()
        if len(self._feet) == 2:
            share = max(share_of_one_foot(self._robot, foot, q) for foot in self._feet)
            lacks += round(max(share - _SHARE, 0.0), 2)
        return float(lacks)

    def _moved(self, q: Array, places: list[Array], way: Array) -> tuple[Array, list[Array]]:
        """Positions with all feet moved over the plane as far as they can be, and their poses.

        Legs of five joints put flat feet ahead, but not aside.
        """
        for possible in (way, way * [1.0, 0.0]):
            moved = [place.copy() for place in places]
            for place in moved:
                place[:2, 3] += possible
            found, missing = self._near(q, moved)
            if missing is None:
                return found, moved
        return q, places

    def _level(self, foot: int, reach: float) -> float:
        """Returns the height of the plane in the base, by one leg that is stretched."""
        at = self._straight[self._index[foot], :3, 3]
        origins, lengths = self._stretches[foot]
        levels = [origins[0][2] - reach * lengths[0]]
        for origin, length in zip(origins[1:], lengths[1:], strict=True):
            aside, most = float(np.hypot(*(at - origin)[:2])), reach * length
            if length >= _HIP * lengths[0] and aside < 0.5 * most:
                levels.append(origin[2] - np.sqrt(most**2 - aside**2))
        return float(max(levels))

    def _limbs_bent(self, q: Array, places: Sequence[Array]) -> tuple[Array, int | None]:
        """Each leg at its place, bent as its ranges suggest; and the first out of reach."""
        found: Array = q.copy()
        for i, place in enumerate(places):
            joints = self._own[i]
            ends, good = self._chains[i].solved(self._starts(found, joints), place, AWRY)
            if not good.any():
                return found, i
            ends = ends[good]
            found[joints] = ends[int(np.argmin(self._cost(i, ends)))][joints]
        return found, None

    def _starts(self, q: Array, joints: Sequence[int]) -> Array:
        """Positions with the joints of a leg bent to either side."""
        low, high = self._lower[joints], self._upper[joints]
        middle = np.clip(0.0, low, high)
        ways = np.array([*product((-1.0, 1.0), repeat=min(len(joints), 6))])
        ways = np.pad(ways, ((0, 0), (0, len(joints) - ways.shape[1])))
        room = np.where(ways > 0, high - middle, middle - low)
        starts = np.tile(q, (len(ways), 1))
        starts[:, joints] = middle + ways * np.minimum(_BENT, 0.5 * room)
        return starts

    def _cost(self, foot: int, q: Array) -> Array:
        """Returns the distance of joints from the middle of their ranges and from zero, as a cost.

        Of equals, knees behind the foot cost less; of legs with soles those ahead of the ankle.
        """
        joints, ranges = self._own[foot], self._upper - self._lower
        ranged = (ranges < 2 * np.pi - 1e-6) & (ranges > 0)
        middle = 0.5 * (self._lower + self._upper)
        away = np.where(ranged, (q - middle) / np.where(ranged, ranges, 1.0), 0.1 * q)[:, joints]
        ahead, limb = self._robot.frame_poses(q)[:, :, 0, 3], self._limbs[foot]
        knees, weight = ahead[:, limb].mean(axis=1) - ahead[:, self._index[foot]], 1e-3
        if self._feet[foot].is_pose:
            ankle = min(limb, key=lambda frame: self._straight[frame, 2, 3])
            knees, weight = ahead[:, limb].mean(axis=1) - ahead[:, ankle], -2e-2
        costs = np.round((away**2).sum(axis=1), 2) + weight * np.sign(np.round(knees, 6))
        return np.asarray(costs)

    @cached_property
    def _stretches(self) -> list[tuple[Array, Array]]:
        """Places of the joints of each leg (joints, 3), and how far its foot gets from them [m]."""
        random = np.random.default_rng(0).uniform(size=(_SAMPLES, self._robot.n))
        q = self._lower + random * (self._upper - self._lower)
        q = np.vstack([np.clip(np.zeros(self._robot.n), self._lower, self._upper), q])
        places, found = self._robot.frame_poses(q)[:, :, :3, 3], []
        for foot, limb in zip(self._index, self._limbs, strict=True):
            ways = places[:, [foot]] - places[:, limb]
            found.append(
                (self._straight[limb, :3, 3], np.nanmax(np.linalg.norm(ways, axis=2), axis=0))
            )
        return found

    def reaches(self) -> tuple[Array, Array]:
        """Returns where each leg begins in the base (feet, 3), and its foot's reach (feet,) [m]."""
        begins, lengths = zip(
            *((places[0], far[0]) for places, far in self._stretches), strict=True
        )
        return np.array(begins), np.array(lengths)

    def thighs(self) -> tuple[list[int], Array]:
        """Returns the frame that the last joint of each hip moves, and the foot's reach from it.

        From there it depends on the bend of the leg alone; from the first joint also on where it
        points, if axes of the hip are apart (ANYmal).
        """
        lengths = [far for _, far in self._stretches]
        last = [int(np.flatnonzero(far >= _HIP * far[0])[-1]) for far in lengths]
        frames = [limb[i] for limb, i in zip(self._limbs, last, strict=True)]
        return frames, np.array([far[i] for far, i in zip(lengths, last, strict=True)])

    def _bottom(self, foot: int, pose: Array) -> float:
        """Height of a foot's lowest point in the base, of its pose there."""
        touched = self._feet[foot]
        return float((touched.points @ pose[2, :3] + pose[2, 3]).min() - touched.shape.radius)

    def _on(self, foot: int, pose: Array, level: float) -> Array:
        """A pose near another, at which a foot is on a level plane, flat where it has a sole."""
        moved: Array = pose.copy()
        up = pose[2, :3]
        if self._feet[foot].is_pose:
            corners = self._feet[foot].shape.corners
            normal = up if corners is None else np.cross(*(corners[[1, 2]] - corners[0]))
            normal = normal / np.linalg.norm(normal) * np.sign(normal @ up)
            moved[:3, :3] = turning(pose[:3, :3] @ normal, np.array([0.0, 0.0, 1.0])) @ pose[:3, :3]
        moved[2, 3] += level - self._bottom(foot, moved)
        return moved

    def _above(self, foot: int, pose: Array) -> float:
        """Returns how high a frame is above the plane that is no end of a leg: ankles, axles."""
        counts = self._feet[foot].is_pose or self._rolls(foot)
        return float(self._on(foot, pose, 0.0)[2, 3]) if counts else 0.0

    def _rolls(self, foot: int) -> bool:
        """Returns True for a foot that its last joint turns about its own place, as wheels are."""
        q, last = np.zeros(self._robot.n), self.joints[foot][-1]
        q[last] = 1.0
        moved = self.poses(q)[foot, :3, 3] - self._straight[self._index[foot], :3, 3]
        return self._robot.units[last] != "m" and bool(np.linalg.norm(moved) < NOT_MOVED)

    def _middle(self, foot: int, pose: Array) -> Array:
        return np.asarray(pose[:3, :3] @ self._feet[foot].points.mean(axis=0) + pose[:3, 3])

    def poses(self, q: Array) -> Array:
        """Poses of the feet in the base (feet, 4, 4)."""
        return np.asarray(self._robot.frame_poses(q)[self._index])
