"""The posture in which a robot stands, of its SRDF (wiki.ros.org/srdf)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from robcogen_ros.errors import ModelError
from robcogen_ros.formats import located_xml, source
from robcogen_ros.formats.located_xml import Element

NAMES = ("standing", "half_sitting", "stand")
"""Names of states in which a robot stands on bent legs, best first."""


@dataclass(frozen=True, slots=True)
class State:
    """A state of an SRDF.

    Attributes:
        name: Its name.
        file: The file.
        positions: Of each joint with one coordinate [rad or m].
    """

    name: str
    file: str
    positions: dict[str, float]


def standing_state(path: str | Path) -> State | None:
    """The state of an SRDF in which the robot stands, if there is one.

    It is called as `NAMES` say, or else begins so, as `standing_with_arm_up` does.

    Raises:
        ModelError: If the file cannot be read, or a position is no number.
    """
    root = located_xml.parse(source.read(str(path)))
    if root.tag != "robot":
        raise ModelError.at(root.location, f"expected <robot>, found <{root.tag}>: not an SRDF")
    states = {state.attributes.get("name", ""): state for state in root.all("group_state")}
    for name in (*NAMES, *sorted(states)):
        if name in states and name.startswith(NAMES):
            return State(name, str(path), dict(_positions(states[name])))
    return None


def _positions(state: Element) -> Iterator[tuple[str, float]]:
    """Joints with several coordinates, such as the one that floats the base, are left out."""
    for joint in state.all("joint"):
        words = joint.attributes.get("value", "").split()
        if len(words) > 1:
            continue
        try:
            value = float(words[0]) if words else math.nan
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            found = " ".join(words)
            place = joint.attribute_location("value")
            raise ModelError.at(place, f"value: expected a number, found '{found}'")
        yield joint.attributes.get("name", ""), value


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
