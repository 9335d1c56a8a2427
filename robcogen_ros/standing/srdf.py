"""The posture in which a robot stands, of its SRDF (wiki.ros.org/srdf)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from robcogen_ros.errors import Location, ModelError, Problem
from robcogen_ros.formats import located_xml, source
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.model.description import Description, JointDescription
from robcogen_ros.model.names import listed, nearest

NAMES = ("standing", "half_sitting", "stand")
"""Names of states in which a robot stands on bent legs, best first."""
_SLACK = 1e-3
"""Distance beyond limits of a position that is rounded [rad or m]."""


@dataclass(frozen=True, slots=True)
class GroupState:
    """A state of an SRDF: all group states of one name.

    Attributes:
        name: Its name.
        file: The file.
        positions: Of each joint with one coordinate [rad or m].
        places: Where the file gives each.
        virtual: Joints that the SRDF adds to the robot, such as the one that floats the base.
    """

    name: str
    file: str
    positions: dict[str, float]
    places: dict[str, Location] = field(default_factory=dict)
    virtual: frozenset[str] = frozenset()


def standing_state(path: str | Path) -> GroupState | None:
    """The state of an SRDF in which the robot stands, if there is one.

    It is called as `NAMES` say, or else begins so, as `standing_with_arm_up` does. The states of
    several groups that have this name belong together.

    Raises:
        ModelError: If the file cannot be read, a position is no number, or a joint has two.
    """
    root = located_xml.parse(source.read(str(path), expected="an SRDF"))
    if root.tag != "robot":
        raise ModelError.at(root.location, f"expected <robot>, found <{root.tag}>: not an SRDF")
    states: dict[str, list[Element]] = {}
    for state in root.all("group_state"):
        states.setdefault(state.attributes.get("name", ""), []).append(state)
    for name in (*NAMES, *sorted(states)):
        if name in states and name.startswith(NAMES):
            virtual = (joint.attributes.get("name", "") for joint in root.all("virtual_joint"))
            positions, places = _merged(states[name])
            return GroupState(name, str(path), positions, places, frozenset(virtual))
    return None


def _merged(states: Iterable[Element]) -> tuple[dict[str, float], dict[str, Location]]:
    """Positions of all groups' states of one name, and where each is."""
    positions: dict[str, float] = {}
    places: dict[str, Location] = {}
    for state in states:
        for name, position, place in _positions(state):
            if positions.setdefault(name, position) != position:
                raise ModelError.at(
                    place,
                    f"joint '{name}' is at {position:g} here and at {positions[name]:g} in line "
                    f"{places[name].line}, both in state '{state.attributes.get('name', '')}'",
                )
            places.setdefault(name, place)
    return positions, places


def _positions(state: Element) -> Iterator[tuple[str, float, Location]]:
    """Joints with several coordinates, such as the one that floats the base, are left out."""
    for joint in state.all("joint"):
        words = joint.attributes.get("value", "").split()
        if len(words) > 1:
            continue
        try:
            value = float(words[0]) if words else math.nan
        except ValueError:
            value = math.nan
        place = joint.attribute_location("value")
        if not math.isfinite(value):
            found = " ".join(words)
            raise ModelError.at(place, f"value: expected a number, found '{found}'")
        yield joint.attributes.get("name", ""), value, place


def of_robot(state: GroupState, description: Description) -> tuple[GroupState, list[Problem]]:
    """A state without joints that the robot does not have, and a warning of these.

    Raises:
        ModelError: If a position is beyond the limits of its joint.
    """
    joints = {joint.name: joint for joint in description.joints}
    known, unknown, beyond = dict[str, float](), list[str](), list[Problem]()
    for name, position in state.positions.items():
        place = state.places.get(name)
        if name in joints:
            known[name] = position
            if message := _beyond(joints[name], position):
                beyond.append(Problem(message, place))
        elif name not in state.virtual:
            unknown.append(name)
    if beyond:
        raise ModelError(beyond)
    return replace(state, positions=known), _unknown(state, unknown, joints)


def _unknown(state: GroupState, names: Sequence[str], joints: Iterable[str]) -> list[Problem]:
    """One warning of all joints that the robot does not have, at the first of them."""
    if not names:
        return []
    message = f"state '{state.name}' has joints that the robot does not have, {listed(names)}"
    if len(names) == 1:
        message = f"state '{state.name}': the robot has no joint '{names[0]}'"
        message += nearest(names[0], joints).replace("?", "")
    return [Problem(f"{message}; left out", state.places.get(names[0]), "warning")]


def _beyond(joint: JointDescription, position: float) -> str:
    """Returns how a position is beyond a joint's limits; empty if it is within."""
    limits = joint.limits.meant()
    if joint.kind == "continuous" or limits.lower is None or limits.upper is None:
        return ""
    low, high = limits.lower, limits.upper
    if low - _SLACK <= position <= high + _SLACK:
        return ""
    unit = joint.motion.unit if joint.motion else "rad"
    limit = f"{low:g} to {high:g} {unit}"
    found = f"joint '{joint.name}': {position:g} {unit} is beyond its limits, {limit}"
    radians = math.radians(position)
    if unit == "rad" and abs(position) > math.pi and low <= radians <= high:
        found += f"; if {position:g} degrees are meant, write {radians:.4g}"
    return found


def beside(model: Path, name: str) -> Path | None:
    """The SRDF that belongs to a robot's file, in its folder or in `srdf` beside that.

    Args:
        model: The file.
        name: The robot's name.
    """
    folders = (model.parent, model.parent / "srdf", model.parent.parent / "srdf")
    files = [file for folder in folders for file in sorted(folder.glob("*.srdf"))]
    stem = model.name.split(".")[0]
    for match in (
        lambda file: file.stem == stem,
        lambda file: file.stem == name,
        lambda file: stem.startswith(file.stem) and _robot_of(file) == name,
    ):
        if found := next(filter(match, files), None):
            return found
    return None


def _robot_of(file: Path) -> str:
    try:
        return located_xml.parse(source.read(str(file))).attributes.get("name", "")
    except ModelError:
        return ""
