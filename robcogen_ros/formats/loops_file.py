"""Reads what closes the loops of a robot, and its springs, from a YAML file beside its description.

Files in the form of Gepetto's example-parallel-robots are read as they are: `closed_loop`, `type`,
`name_mot`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, TypeVar

from robcogen_ros.errors import Location, ModelError, Problem
from robcogen_ros.formats import yaml_text
from robcogen_ros.formats.rods import with_whole_rods
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.urdf.many_axes import KINDS, with_single_axes
from robcogen_ros.formats.yaml_text import Entry
from robcogen_ros.model.closures.closure import FIXED, closing_frames
from robcogen_ros.model.description import (
    Description,
    FrameDescription,
    JointDescription,
    LoopDescription,
    LoopsDescription,
    SpringDescription,
)
from robcogen_ros.model.names import nearest
from robcogen_ros.model.options import option_text
from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.model.spatial import Pose, Vector, rotation_x, rotation_y, rotation_z

_KEYS = ("loops", "joints", "independent", "position", "springs")
_OF_GEPETTO = ("closed_loop", "type", "name_mot", "joint_name", "joint_type", "position")
_OF_A_LOOP = ("frames", "fixed")
_OF_A_SPRING = ("frames", "stiffness", "length")
_OF_AN_END = ("link", "xyz", "rpy")
_WORDS_OF_GEPETTO = {"3d": "point", "6d": "all"}
_JOINTS = ("fixed", *(kind for kind in KINDS if kind != "floating"))

_Ended = TypeVar("_Ended", LoopDescription, SpringDescription)


def with_loops(description: Description, text: Source) -> Description:
    """A description with the loops and springs of a YAML file, its frames, and other joints.

    Raises:
        ModelError: If the file is wrong.
    """
    reading = _Reading()
    entries = yaml_text.located(text)
    theirs = any(key in _OF_GEPETTO and key not in _KEYS for key in entries)
    reading.unknown(entries, _OF_GEPETTO if theirs else _KEYS, "key")
    loops = reading.of_gepetto(entries) if theirs else reading.of_ours(entries)
    springs = () if theirs else reading.springs(entries.get("springs"))
    if not loops.loops and description.loops:
        given = loops.independent or description.loops.independent
        loops = replace(description.loops, independent=given, positions=loops.positions)
    if not loops.loops and not springs and not reading.problems:
        message = "expected at least one loop or spring, found none"
        reading.problems.append(Problem(message, text.whole))
    for name, place in loops.independent if not loops.loops else ():
        message = f"independent: '{name}' cannot be, for there are no loops"
        reading.problems.append(Problem(message, place))
    ends = _frames_of_joints(description)
    closing = replace(loops, loops=_with_ends(loops.loops, ends), location=text.whole)
    found = reading.with_joints(
        replace(
            description,
            loops=closing if loops.loops else None,
            springs=(*description.springs, *_with_ends(springs, ends)),
            frames=(*description.frames, *reading.frames),
            files=(*description.files, *text.files),
            motors=tuple(name for name, _ in loops.independent) if theirs else description.motors,
        )
    )
    if reading.problems:
        raise ModelError(reading.problems)
    return found


def _frames_of_joints(description: Description) -> dict[str, str]:
    """The frame of the link that each joint moves, by the joint's name if nothing else has it."""
    children = {joint.name: joint.child for joint in description.joints}
    own = {link.name for link in description.links} | {f.name for f in description.frames}
    prefix = description.link_frame_prefix
    return {n: prefix + child for n, child in children.items() if n not in own}


def _with_ends(found: tuple[_Ended, ...], names: Mapping[str, str]) -> tuple[_Ended, ...]:
    """Loops or springs with other names for their ends."""

    def ends(first: str, second: str) -> tuple[str, str]:
        return names.get(first, first), names.get(second, second)

    return tuple(replace(each, frames=ends(*each.frames)) for each in found)


def told_of_pairs(description: Description) -> Description:
    """The description with a warning of frames that are named as those of loops are, if any."""
    places = {link.name: link.location for link in description.links}
    places |= {frame.name: frame.location for frame in description.frames}
    names = [name[8:-2] for name in places if name.startswith("closing_") and name.endswith("_1")]
    pairs = [name for name in names if {*closing_frames(name)} <= {*places}]
    if not pairs:
        return description
    ends = closing_frames(pairs[0])
    more = f" (and {len(pairs) - 1} more)" if len(pairs) > 1 else ""
    lines = [
        f"{name}: {{frames: [{', '.join(closing_frames(name))}], fixed: point}}" for name in pairs
    ]
    message = (
        f"frames '{ends[0]}' and '{ends[1]}'{more} are named as if they closed a loop, which "
        f"nothing does; {option_text('loops', 'FILE')} with loops: {{{', '.join(lines)}}} does, "
        f"where 'fixed' is one of {', '.join(FIXED)}"
    )
    told = Problem(message, places[ends[0]], "warning")
    return replace(description, warnings=(*description.warnings, told))


class _Reading:
    """Contents of a file while it is read.

    Attributes:
        problems: All that is wrong.
        frames: Frames that the file adds.
        kinds: What the file makes of joints, by their names, with its place.
    """

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.frames: list[FrameDescription] = []
        self.kinds: dict[str, tuple[str, Location]] = {}

    def unknown(self, entries: Mapping[str, Entry], known: Collection[str], what: str) -> None:
        """Complains of keys that nothing reads."""
        for key, entry in entries.items():
            if key not in known:
                expected = f"expected one of {', '.join(known)}"
                message = f"unknown {what} '{key}'{nearest(key, known)}; {expected}"
                self.problems.append(Problem(message, entry.key_location))

    def of_ours(self, entries: Mapping[str, Entry]) -> LoopsDescription:
        """The loops of a file in the form of `docs/loops.md`."""
        for name, entry in self._mapping(
            entries.get("joints"), "joints", "JOINT: KIND on each line"
        ).items():
            self._joint(name, entry.value, entry.key_location, entry.location)
        found = self._mapping(entries.get("loops"), "loops", "a loop's name on each line")
        loops = [self._loop(name, entry) for name, entry in found.items()]
        return LoopsDescription(
            tuple(loop for loop in loops if loop is not None),
            tuple(self._names(entries.get("independent"), "independent")),
            positions=self._positions(entries.get("position")),
        )

    def _positions(self, entry: Entry | None) -> tuple[tuple[str, float, Location], ...]:
        at = self._mapping(entry, "position", "JOINT: NUMBER on each line")
        return tuple((name, self._number(x, name), x.key_location) for name, x in at.items())

    def springs(self, entry: Entry | None) -> tuple[SpringDescription, ...]:
        """The springs between frames."""
        found = self._mapping(entry, "springs", "a spring's name on each line")
        springs = (self._spring(name, each) for name, each in found.items())
        return tuple(spring for spring in springs if spring is not None)

    def _spring(self, name: str, entry: Entry) -> SpringDescription | None:
        given = self._mapping(entry, name, ", ".join(_OF_A_SPRING))
        self.unknown(given, _OF_A_SPRING, f"key of spring '{name}'")
        missing = [key for key in _OF_A_SPRING if key not in given]
        if missing:
            self._wrong(entry, f"spring '{name}': {' and '.join(missing)} expected, found none")
            return None
        ends = self._ends([f"spring_{name}_{k}" for k in (1, 2)], given["frames"])
        stiffness, length = (self._number(given[key], key) for key in _OF_A_SPRING[1:])
        return (
            SpringDescription(name, ends, stiffness, length, entry.key_location) if ends else None
        )

    def of_gepetto(self, entries: Mapping[str, Entry]) -> LoopsDescription:
        """The loops of a file in the form of example-parallel-robots."""
        joints, kinds = (
            self._names(entries.get(f"joint_{x}"), f"joint_{x}") for x in ("name", "type")
        )
        for joint, kind in zip_longest(joints, kinds):
            if joint is None or kind is None:
                message = "joint_type: expected as many words as there are names in joint_name"
                self._wrong(entries.get("joint_type") or entries.get("joint_name"), message)
                break
            word = kind[0].lower().replace("ujoint_", "universal_")
            self._joint(joint[0], word, joint[1], kind[1])
        pairs = self._list(entries.get("closed_loop"), "closed_loop", "pairs of frames")
        words = list(self._names(entries.get("type"), "type"))
        if len(words) != len(pairs):
            message = f"type: expected {len(pairs)} words, one a loop, found {len(words)}"
            self._wrong(entries.get("type") or entries.get("closed_loop"), message)
            return LoopsDescription(())
        loops = []
        for i, (pair, (word, place)) in enumerate(zip(pairs, words, strict=True)):
            if word.lower() not in _WORDS_OF_GEPETTO:
                expected = f"expected {' or '.join(_WORDS_OF_GEPETTO)}"
                self.problems.append(Problem(f"type: {expected}, found '{word}'", place))
                continue
            fixed, name = _WORDS_OF_GEPETTO[word.lower()], f"loop{i + 1}"
            ends = self._ends(closing_frames(name), pair)
            if ends:
                loops.append(LoopDescription(name, ends, fixed, pair.location))
        motors = tuple(self._names(entries.get("name_mot"), "name_mot"))
        positions = self._positions(entries.get("position"))
        return LoopsDescription(tuple(loops), motors, True, positions)

    def _joint(self, name: str, kind: Any, place: Location, place_of_kind: Location) -> None:
        if kind in _JOINTS:
            self.kinds[name] = kind, place
        else:
            message = f"joint '{name}': expected one of {', '.join(_JOINTS)}, found {_shown(kind)}"
            self.problems.append(Problem(message, place_of_kind))

    def with_joints(self, description: Description) -> Description:
        """The description with joints as the file makes them."""
        names = [joint.name for joint in description.joints]
        for name, (_, place) in self.kinds.items():
            if name not in names:
                message = f"there is no joint '{name}'{nearest(name, names)}"
                self.problems.append(Problem(message, place))
        kinds = {name: kind for name, (kind, _) in self.kinds.items()}
        held = [self._as_kind(joint, kinds.get(joint.name)) for joint in description.joints]
        balls = [name for name, kind in kinds.items() if kind == "spherical"]
        description = with_whole_rods(replace(description, joints=tuple(held)), balls)
        moving = (j.name for j in description.joints if j.name in kinds and j.kind != "fixed")
        many = {name: kinds[name] for name in moving}
        links, joints, odd = with_single_axes(description.links, description.joints, many)
        self.problems += [problem for problem in odd if problem.severity == "error"]
        warnings = [problem for problem in odd if problem.severity != "error"]
        return replace(
            description,
            links=tuple(links),
            joints=tuple(joints),
            warnings=(*description.warnings, *warnings),
        )

    def _as_kind(self, joint: JointDescription, kind: str | None) -> JointDescription:
        """A joint that is to be of a kind, before its coordinates are joints of their own."""
        if kind is None or kind == "fixed":
            return replace(joint, kind="fixed", mimic=None) if kind else joint
        if joint.kind in ("revolute", "continuous", "fixed"):
            return replace(joint, kind="continuous")
        message = f"joint '{joint.name}' is {joint.kind}; expected one that turns or is fixed"
        self.problems.append(Problem(f"{message}, to make it {kind}", self.kinds[joint.name][1]))
        return joint

    def _loop(self, name: str, entry: Entry) -> LoopDescription | None:
        of_loop = self._mapping(entry, name, "frames and fixed")
        self.unknown(of_loop, _OF_A_LOOP, f"key of loop '{name}'")
        missing = [key for key in _OF_A_LOOP if key not in of_loop]
        if missing:
            self._wrong(entry, f"loop '{name}': {' and '.join(missing)} expected, found none")
            return None
        fixed = of_loop["fixed"]
        ends = self._ends(closing_frames(name), of_loop["frames"])
        if not isinstance(fixed.value, str) or fixed.value not in FIXED:
            found = _shown(fixed.value)
            self._wrong(fixed, f"fixed: expected one of {', '.join(FIXED)}, found {found}")
            return None
        return LoopDescription(name, ends, fixed.value, entry.key_location) if ends else None

    def _ends(self, names: Sequence[str], entry: Entry) -> tuple[str, str] | None:
        """The names of two frames; those that are added to links have these."""
        value = entry.value
        if not isinstance(value, list) or len(value) != 2:
            self._wrong(entry, f"frames: expected two frames, [A, B], found {_shown(value)}")
            return None
        ends = [self._end(*each) for each in zip(names, value, strict=True)]
        first, second = ends
        return (first, second) if first is not None and second is not None else None

    def _end(self, name: str, entry: Entry) -> str | None:
        """The name of a frame: as it is written, or of one that is added to a link."""
        if isinstance(entry.value, str) and entry.value:
            return entry.value
        if not isinstance(entry.value, dict):
            expected = "expected the name of a frame, or {link: LINK, xyz: [X, Y, Z]}"
            self._wrong(entry, f"{expected}, found {_shown(entry.value)}")
            return None
        self.unknown(entry.value, _OF_AN_END, "key of a frame")
        link = entry.value.get("link")
        if link is None or not isinstance(link.value, str) or not link.value:
            self._wrong(link or entry, "link: expected the name of a link")
            return None
        xyz, rpy = (self._vector(entry.value.get(key), key) for key in ("xyz", "rpy"))
        rotation = rotation_z(rpy.z) @ rotation_y(rpy.y) @ rotation_x(rpy.x)
        pose = Pose(rotation, xyz).map(expression)
        self.frames.append(FrameDescription(name, link.value, pose, entry.location))
        return name

    def _vector(self, entry: Entry | None, name: str) -> Vector:
        value = [] if entry is None else entry.value
        if entry is not None and (not isinstance(value, list) or len(value) != 3):
            self._wrong(entry, f"{name}: expected three numbers, found {_shown(value)}")
            value = []
        numbers = [self._number(each, name) for each in value] or [0.0] * 3
        return Vector(*(expression(number.number(repr(each))) for each in numbers))

    def _number(self, entry: Entry, name: str) -> float:
        value = entry.value
        if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > 1e9:
            self._wrong(entry, f"{name}: expected a number, found {_shown(value)}")
            return 0.0
        return float(value)

    def _names(self, entry: Entry | None, name: str) -> Iterator[tuple[str, Location]]:
        seen: set[str] = set()
        for each in self._list(entry, name, "a list of names"):
            if not isinstance(each.value, str) or not each.value:
                self._wrong(each, f"{name}: expected a name, found {_shown(each.value)}")
            elif each.value in seen and name not in ("type", "joint_type"):
                self._wrong(each, f"{name}: '{each.value}' is there twice")
            else:
                seen.add(each.value)
                yield each.value, each.location

    def _list(self, entry: Entry | None, name: str, expected: str) -> list[Entry]:
        if entry is None or isinstance(entry.value, list):
            return entry.value if entry else []
        self._wrong(entry, f"{name}: expected {expected}, [...], found {_shown(entry.value)}")
        return []

    def _mapping(self, entry: Entry | None, name: str, expected: str) -> dict[str, Entry]:
        if entry is None or isinstance(entry.value, dict):
            return entry.value if entry else {}
        self._wrong(entry, f"{name}: expected {expected}, found {_shown(entry.value)}")
        return {}

    def _wrong(self, entry: Entry | None, message: str) -> None:
        self.problems.append(Problem(message, entry.location if entry else None))


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, (list, dict)):
        return f"{len(value)} entries"
    return f"'{value}'" if isinstance(value, str) else str(value)
