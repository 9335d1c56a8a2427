"""Changes of a text by the places that they replace, and the numbers that they write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import ModelError
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.source import Source
from robcogen_ros.model.description import JointDescription, LinkDescription

Array = NDArray[np.float64]
Part = TypeVar("Part", LinkDescription, JointDescription)
Terms = Mapping[str, float]
"""Terms of a joint: damping, friction, armature, stiffness, rest, as far as they change."""

MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_ROWS, _COLUMNS = np.triu_indices(3)


@dataclass(frozen=True)
class BodyNumbers:
    """Inertial parameters of a link.

    Attributes:
        mass: Mass [kg].
        center: (3,) center of mass, in the link's frame [m].
        tensor: (3, 3) inertia about it, in the axes of the link's frame [kg m^2].
    """

    mass: float
    center: Array
    tensor: Array

    def seen_from(self, rotation: Array, translation: Array) -> BodyNumbers:
        """Returns them in a frame that is at a pose in the link's frame."""
        return BodyNumbers(
            self.mass, (self.center - translation) @ rotation, rotation.T @ self.tensor @ rotation
        )

    @property
    def moments(self) -> list[float]:
        """The entries of the tensor, in the order of `MOMENTS`."""
        return list(map(float, self.tensor[_ROWS, _COLUMNS]))


def text(value: float) -> str:
    """Returns twelve digits of a number, which is more than measurements tell, down to 1e-12."""
    return f"{value if abs(value) > 1e-12 else 0:.12g}"


def texts(values: Iterable[float]) -> str:
    """Returns the texts of some numbers, with blanks between them."""
    return " ".join(map(text, values))


def wanted(parts: Iterable[Part], names: set[str]) -> list[Part]:
    """Returns the links or joints that change, each of which is written once.

    Args:
        parts: All links or joints of the robot.
        names: Names of those that change.

    Raises:
        ModelError: If what is written in one place stands for several, with that place.
    """
    every, known = list(parts), dict[object, str]()
    for part in every:
        other = known.setdefault(part.location, part.name)
        if other != part.name and names & {other, part.name}:
            message = (
                f"{other} and {part.name} are written here once, and would get different numbers: "
                "write each of them out, or let -o name a .yaml file"
            )
            raise ModelError.at(part.location, message)
    return [part for part in every if part.name in names]


@dataclass
class Edits:
    """Changes of a text, by the places that they replace."""

    source: Source
    changes: list[tuple[int, int, str]] = field(default_factory=list)

    def replace(self, begin: int, end: int, new: str) -> None:
        """Puts another text in the place of a part."""
        self.changes.append((begin, end, new))

    def set(self, element: Element, name: str, value: str) -> None:
        """Changes an attribute, or adds it at the end of the tag."""
        found = element.attribute_span(name)
        if found:
            self.replace(*found, value)
        else:
            end = element.tag_end()
            self.replace(end, end, f' {name}="{value}"')

    def drop(self, element: Element, name: str) -> None:
        """Takes an attribute away, with the blanks before it."""
        span = element.attribute_span(name)
        if span:
            begin = self.source.text.rindex(name, 0, span[0])
            begin = len(self.source.text[:begin].rstrip())
            self.replace(begin, span[1] + 1, "")

    def put(self, inside: Element, new: str, missing: str) -> None:
        """Adds an element as the first of another one's children, on a line of its own."""
        if not inside.children:
            raise ModelError.at(inside.location, missing)
        first = inside.children[0].offset
        before = self.source.text[:first]
        indent = before[len(before.rstrip(" \t")) :]
        line = before[: len(before) - len(indent)].endswith("\n")
        self.replace(first, first, new + (f"\n{indent}" if line else ""))

    def result(self) -> str:
        """Returns the changed text."""
        changed = self.source.text
        for begin, end, new in sorted(self.changes, reverse=True):
            changed = changed[:begin] + new + changed[end:]
        return changed
