"""Contacts: frames of a robot that touch something, and which rows of their motion that fixes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError

Array = NDArray[np.float64]

_AXES = "xyz"

ROWS: dict[str, tuple[int, ...]] = {
    "position": (3, 4, 5),
    "pose": (0, 1, 2, 3, 4, 5),
    "orientation": (0, 1, 2),
    **{f"position_{axis}": (3 + i,) for i, axis in enumerate(_AXES)},
    **{f"orientation_{axis}": (i,) for i, axis in enumerate(_AXES)},
}
"""Rows of the Jacobian of a frame, angular ones first, by what may follow its name."""
ABOVE = 5
"""The row that is along the normal of the ground."""


@dataclass(frozen=True, slots=True)
class Foot:
    """The shape of a foot.

    Attributes:
        radius: Of the ball about the origin of its frame that it is, if it is one [m].
        corners: Corners of its sole (4, 3), one after the other along the border, in the foot's
            frame [m]; None if it has none.
    """

    radius: float = 0.0
    corners: Array | None = None


@dataclass(frozen=True, slots=True)
class Contact:
    """A frame that touches something.

    Attributes:
        name: As it is asked for: `FRAME`, or `FRAME:pose` and other words of `ROWS`.
        frame: Index of the frame.
        rows: Rows of the frame's Jacobian that are fixed, angular ones first.
        frame_name: The frame as it is asked for.
        shape: Of a foot, where it is known.
    """

    name: str
    frame: int
    rows: tuple[int, ...]
    frame_name: str
    shape: Foot = field(default=Foot(), compare=False)

    @property
    def is_point(self) -> bool:
        """True if the position of the frame is fixed, and nothing else."""
        return self.rows == ROWS["position"]

    @property
    def is_pose(self) -> bool:
        """True if all of the frame is fixed, as that of a flat sole is."""
        return self.rows == ROWS["pose"]

    @property
    def points(self) -> Array:
        """Points that touch, in its frame (points, 3): the corners of a sole, or the origin."""
        corners = self.shape.corners if self.is_pose else None
        return np.zeros((1, 3)) if corners is None else corners


def parsed(texts: Iterable[str], frame_index: Callable[[str], int]) -> tuple[Contact, ...]:
    """Contacts from texts, each `FRAME`, `FRAME:pose`, `FRAME:position_z`, ... of `ROWS`.

    A frame alone is a point: its position is fixed.

    Args:
        texts: The texts.
        frame_index: Gives the index of a frame by its name.

    Raises:
        RobcogenError: If there is no such frame or word, or a row of a frame is fixed twice.
    """
    contacts: list[Contact] = []
    for text in texts:
        contact = _parsed(text, frame_index)
        for other in contacts:
            if other.frame == contact.frame and set(other.rows) & set(contact.rows):
                raise RobcogenError(f"contact '{text}': '{other.name}' fixes the same")
        contacts.append(contact)
    return tuple(contacts)


def _parsed(text: str, frame_index: Callable[[str], int]) -> Contact:
    frame, colon, word = text.rpartition(":")
    if not colon:
        frame, word = text, "position"
    if word not in ROWS:
        known = ", ".join(ROWS)
        raise RobcogenError(f"contact '{text}': expected one of {known} after ':', found '{word}'")
    try:
        return Contact(text, frame_index(frame), ROWS[word], frame)
    except RobcogenError as error:
        raise RobcogenError(f"contact '{text}': {error}") from None


def shaped(contacts: Sequence[Contact], feet: Iterable[Foot]) -> tuple[Contact, ...]:
    """The contacts with shapes, one a contact."""
    return tuple(replace(c, shape=foot) for c, foot in zip(contacts, feet, strict=True))


def numbers(contacts: Sequence[Contact]) -> dict[str, int]:
    """The number of each contact by its name, and by that of its frame."""
    by_frame = {contact.frame_name: i for i, contact in enumerate(contacts)}
    return by_frame | {contact.name: i for i, contact in enumerate(contacts)}
