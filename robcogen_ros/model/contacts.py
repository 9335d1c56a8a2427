"""Contacts: frames of a robot that touch something, and which rows of their motion that fixes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Contact, Robot

_AXES = "xyz"

ROWS: dict[str, tuple[int, ...]] = {
    "position": (3, 4, 5),
    "pose": (0, 1, 2, 3, 4, 5),
    "orientation": (0, 1, 2),
    **{f"position_{axis}": (3 + i,) for i, axis in enumerate(_AXES)},
    **{f"orientation_{axis}": (i,) for i, axis in enumerate(_AXES)},
}
"""Rows of the Jacobian of a frame, angular ones first, by what may follow its name."""


def with_contacts(robot: Robot, texts: Sequence[str]) -> Robot:
    """The robot with contacts, each `FRAME`, `FRAME:pose`, `FRAME:position_z`, ... of `ROWS`.

    A frame alone is a point: its position is fixed.

    Raises:
        RobcogenError: If there is no such frame or word, a frame cannot move, or a row of a frame
            is fixed twice.
    """
    contacts: list[Contact] = []
    for text in texts:
        contact = _contact(robot, text)
        for other in contacts:
            if other.frame == contact.frame and set(other.rows) & set(contact.rows):
                raise RobcogenError(f"contact '{text}': '{other.name}' fixes the same")
        contacts.append(contact)
    return replace(robot, contacts=tuple(contacts))


def _contact(robot: Robot, text: str) -> Contact:
    frame, colon, word = text.rpartition(":")
    if not colon:
        frame, word = text, "position"
    if word not in ROWS:
        known = ", ".join(ROWS)
        raise RobcogenError(f"contact '{text}': expected one of {known} after ':', found '{word}'")
    try:
        index = robot.frame_index(frame)
    except RobcogenError as error:
        raise RobcogenError(f"contact '{text}': {error}") from None
    if not robot.floating_base and robot.frames[index].link == 0:
        raise RobcogenError(f"contact '{text}': the frame is on the base, which is fixed")
    return Contact(text, index, ROWS[word])
