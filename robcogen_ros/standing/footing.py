"""Footing of the robot of a file or a description: its feet, their shapes, a posture."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from robcogen_ros.errors import ModelError, Problem, RobcogenError
from robcogen_ros.formats.read import Reading, read
from robcogen_ros.formats.source import Source
from robcogen_ros.model.contacts import Array, Contact, Foot, parsed, shaped
from robcogen_ros.model.motors import unmoved
from robcogen_ros.model.names import listed
from robcogen_ros.model.robot import Robot
from robcogen_ros.standing import srdf
from robcogen_ros.standing.legs import Feet, find_feet, turns_of
from robcogen_ros.standing.shapes import shapes as link_shapes
from robcogen_ros.standing.soles import (
    Shape,
    depth,
    fixed_links,
    foot_shape,
    rectangle,
    unread,
    upwards,
    wheel_radius,
)

SOLE = (0.16, 0.08)
"""Length and width of a sole that is not known, as shares of the length of a leg."""
OTHERS = "a box as collision of the foot, or the parameter soles of the nodes, gives others"
"""Ways to give a robot other soles."""
BALLS = "a sphere as collision, or the parameter foot_radius of simulated_robot, makes them balls"
"""Ways to make points balls."""
NO_SHAPES = "their links have no boxes, cylinders or meshes for collisions"
"""The reason for which soles are not known, without another."""
SMALL = 0.05
"""Length of a sole below which it is told, of what is below a point above which it is, as a share
of the length of a leg."""
SHORT = f"soles of {{}} are very short, as the lowest points of their shapes have them; {OTHERS}"
UNKNOWN = (
    "soles of {} are not known, for {why}: taken as {length:.2f} m by {width:.2f} m about the "
    f"origins of their frames, at that height; {OTHERS}"
)
WHEELS = "{} are wheels: they roll as balls of that radius, as wheels do while they are upright"
LONG = (
    "shapes of {} reach so far below their frames, where the robot is taken to stand on points; "
    "a frame at the tip of each, given as its foot, gives others"
)
"""Notes on feet, whose names and sizes come first."""


@dataclass(frozen=True, slots=True)
class Footing:
    """Footing of a robot.

    Attributes:
        contacts: Its feet with their shapes; empty if it stands on none.
        reason: Why it is a robot on legs, or why it is none.
        standing: Positions of joints at which it stands, if an SRDF tells them.
        notes: What was found in which way.
        floats: Whether the file lets the base float.
        warnings: What is odd about the file or the description.
        terms: Of the dynamics, beside rigid bodies: `armature` where the rotors of motors have
            inertia, which legs that swing feel.
    """

    contacts: tuple[Contact, ...]
    reason: str
    standing: Mapping[str, float] | None = None
    notes: tuple[str, ...] = ()
    floats: bool = True
    warnings: tuple[Problem, ...] = ()
    terms: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the feet, as `build()` takes them."""
        return tuple(contact.name for contact in self.contacts)

    @property
    def feet(self) -> tuple[Foot, ...]:
        """Shapes of its feet."""
        return tuple(contact.shape for contact in self.contacts)

    @property
    def told(self) -> str:
        """The footing in a sentence."""
        feet = f"stands on {', '.join(self.names)}: {self.reason}"
        return "; ".join((feet if self.contacts else f"not on legs: {self.reason}", *self.notes))

    @property
    def radii(self) -> dict[str, float]:
        """Radii of the feet that are balls, by contact [m]."""
        return {c.name: c.shape.radius for c in self.contacts if not c.is_pose}

    @property
    def soles(self) -> dict[str, Array]:
        """Corners of flat soles (4, 3) in the frames of the feet, by contact [m]."""
        corners = {c.name: c.shape.corners for c in self.contacts if c.is_pose}
        return {name: sole for name, sole in corners.items() if sole is not None}


def find_footing(
    model: str | Path | Source,
    *,
    xacro_args: Mapping[str, str] | None = None,
    loops: str | None = None,
    contacts: Sequence[str] = (),
    posture: str | Path | None = None,
) -> Footing:
    """Finds the footing of the robot of a file, or of a text at hand.

    Args:
        model: URDF, xacro, MJCF or Kinematics-DSL.
        xacro_args: Arguments of a xacro.
        loops: File that says what closes its loops.
        contacts: Its feet; found if there are none.
        posture: SRDF with a state in which it stands; by default that beside the file.

    Raises:
        RobcogenError: If the robot, a contact or the SRDF is wrong.
    """
    arguments = dict(xacro_args or {})
    reading = read(model, xacro_args=arguments, loops=loops)

    def shapes(links: Collection[str | None]) -> tuple[Shape, ...]:
        return link_shapes(reading.description.shapes, links)

    state, odd = standing_state(model, reading, posture)
    found = footing(reading.robot, shapes, state, contacts)
    return replace(found, warnings=(*reading.warnings, *odd))


def footing(
    robot: Robot,
    shapes: Callable[[Collection[str | None]], Sequence[Shape]],
    state: srdf.GroupState | None = None,
    contacts: Sequence[str] = (),
) -> Footing:
    """Finds the footing of a robot.

    Args:
        robot: The robot.
        shapes: Gives the shapes of links; called where it stands on legs.
        state: How it stands, if an SRDF tells.
        contacts: Its feet; found if there are none.

    Raises:
        RobcogenError: If a contact is wrong.
    """
    positions = None if state is None else state.positions
    feet = find_feet(robot, positions)
    if contacts:
        feet = _feet_by_name(robot, contacts, feet, positions)
    if not feet.contacts:
        return Footing((), feet.reason, floats=robot.floating_base)
    links = set[str | None]().union(*(fixed_links(robot, c.frame) for c in feet.contacts))
    known, notes = _shaped(robot, feet, shapes(links), positions)
    if passive := [f"'{name}'" for name in unmoved(robot)]:
        notes += (
            f"no motor moves {listed(passive)}: it is controlled as if motors did; make such "
            "joints fixed in its file",
        )
    if state is not None:
        notes += (f"it stands as state '{state.name}' of {state.file} has it",)
    terms = ("armature",) * any(coordinate.armature for coordinate in robot.coordinates)
    return Footing(known, feet.reason, positions, notes, robot.floating_base, terms=terms)


def standing_state(
    model: str | Path | Source, reading: Reading, posture: str | Path | None = None
) -> tuple[srdf.GroupState | None, list[Problem]]:
    """Returns the state in which a robot stands by an SRDF, if there is one, and problems.

    Without either, or where the SRDF beside is wrong, there is no state.

    Raises:
        RobcogenError: If `posture` cannot be read, is wrong for the robot, or has no such state.
    """
    if posture is not None:
        if (state := srdf.standing_state(posture)) is None:
            expected = ", ".join(srdf.NAMES)
            raise RobcogenError(f"{posture} has no state that is called one of {expected}")
        return srdf.of_robot(state, reading.description)
    if isinstance(model, Source):
        return None, []
    beside = srdf.beside(Path(model), reading.robot.name)
    try:
        state = None if beside is None else srdf.standing_state(beside)
        return (None, []) if state is None else srdf.of_robot(state, reading.description)
    except ModelError as error:
        unused = "; its standing state is not used"
        return None, [
            replace(p, message=p.message + unused, severity="warning") for p in error.problems
        ]


def _feet_by_name(
    robot: Robot, texts: Sequence[str], found: Feet, positions: Mapping[str, float] | None
) -> Feet:
    """Feet that are given by name."""
    contacts = parsed(texts, robot.frame_index)
    known = {foot.frame: up for foot, up in zip(found.contacts, found.up, strict=True)}
    turns = turns_of(robot, [contact.frame for contact in contacts], positions)
    up = [known.get(c.frame, upwards(turn)) for c, turn in zip(contacts, turns, strict=True)]
    odd = "".join(found.reason.partition("; it seems that ")[1:])
    return Feet(
        f"its feet are given: {', '.join(texts)}{odd}", contacts, np.array(up), found.length
    )


def _shaped(
    robot: Robot,
    feet: Feet,
    shapes: Sequence[Shape],
    positions: Mapping[str, float] | None,
) -> tuple[tuple[Contact, ...], tuple[str, ...]]:
    """The feet with their shapes, and what is to be known of these."""
    known, missing, flat = list[Foot](), list[str](), False
    named = dict[str, list[str]]()  # feet by the note that tells of them
    length, width = (share * (feet.length or 1.0) for share in SOLE)
    turns = turns_of(robot, [contact.frame for contact in feet.contacts], positions)
    for contact, up, turn in zip(feet.contacts, feet.up, turns, strict=True):
        found = foot_shape(robot, contact.frame, up, shapes)
        flat = found.corners is not None
        name, note = contact.frame_name, ""
        if contact.is_pose:
            found = Foot(corners=found.corners)
            if found.corners is None:
                x, y, note = length / 2, width / 2, UNKNOWN
                found = Foot(corners=rectangle(-x, x, -y, y, 0.0, turn=turn))
            else:
                side = np.linalg.norm(np.diff(found.corners[:3], axis=0), axis=1).max()
                note = SHORT if side < SMALL * feet.length else ""
                name += f" ({1e3 * side:.0f} mm)"
        else:
            wheel = 0.0 if found.radius else wheel_radius(robot, contact.frame, up, shapes)
            below = depth(robot, contact.frame, up, shapes)
            found = Foot(found.radius or wheel)
            note = WHEELS if wheel else LONG if below - found.radius > SMALL * feet.length else ""
            name += f" ({1e3 * below:.0f} mm)"
        if not flat and not found.radius:
            missing += unread(robot, contact.frame, shapes)
        if note:
            named.setdefault(note, []).append(name)
        known.append(found)
    notes: tuple[str, ...] = ()
    if len(known) < 3 and not any(contact.is_pose for contact in feet.contacts):
        names = " ".join(f"{contact.frame_name}:pose" for contact in feet.contacts)
        soles = f"; soles would, of feet named {names}" * flat
        notes = (f"it falls, for {len(known)} points carry no robot at rest{soles}",)
    why = " and ".join(missing) or NO_SHAPES
    told = {"why": why, "length": length, "width": width}
    notes += tuple(note.format(", ".join(names), **told) for note, names in named.items())
    if missing and UNKNOWN not in named:
        notes += (f"feet are points at their frames, for {why}; {BALLS}",)
    return shaped(feet.contacts, known), notes
