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
from robcogen_ros.standing.legs import Feet, find_feet
from robcogen_ros.standing.shapes import shapes as link_shapes
from robcogen_ros.standing.soles import Shape, fixed_links, foot_shape, rectangle, unread

SOLE = (0.16, 0.08)
"""Length and width of a sole that is not known, as shares of the length of a leg."""
OTHERS = "a box as collision of the foot, or the parameter soles of the nodes, gives others"
"""Ways to give a robot other soles."""
SMALL = 0.05
"""Length of a sole, as a share of that of a leg, below which it is told."""
UP = np.array([0.0, 0.0, 1.0])


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
        feet = _feet_by_name(robot, contacts, feet)
    if not feet.contacts:
        return Footing((), feet.reason, floats=robot.floating_base)
    links = set[str | None]().union(*(fixed_links(robot, c.frame) for c in feet.contacts))
    known, notes = _shaped(robot, feet, shapes(links))
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


def _feet_by_name(robot: Robot, texts: Sequence[str], found: Feet) -> Feet:
    """Feet that are given by name."""
    contacts = parsed(texts, robot.frame_index)
    known = {foot.frame: up for foot, up in zip(found.contacts, found.up, strict=True)}
    up = np.array([known.get(contact.frame, UP) for contact in contacts])
    return Feet(f"its feet are given: {', '.join(texts)}", contacts, up, found.length)


def _shaped(
    robot: Robot, feet: Feet, shapes: Sequence[Shape]
) -> tuple[tuple[Contact, ...], tuple[str, ...]]:
    """The feet with their shapes, and what is to be known of these."""
    known, unknown, missing, small = list[Foot](), list[str](), list[str](), list[str]()
    size = (SOLE[0] * (feet.length or 1.0), SOLE[1] * (feet.length or 1.0))
    for contact, up in zip(feet.contacts, feet.up, strict=True):
        found = foot_shape(robot, contact.frame, up, shapes)
        if found.corners is None and not found.radius:
            missing += unread(robot, contact.frame, shapes)
        if contact.is_pose and found.corners is not None:
            sides = np.linalg.norm(np.diff(found.corners[:3], axis=0), axis=1)
            if sides.max() < SMALL * feet.length:
                small.append(f"{contact.frame_name} ({1e3 * sides.max():.0f} mm)")
        elif contact.is_pose:
            x, y = size[0] / 2, size[1] / 2
            found = Foot(corners=rectangle(-x, x, -y, y, 0.0))
            unknown.append(contact.frame_name)
        known.append(Foot(corners=found.corners) if contact.is_pose else Foot(found.radius))
    notes: tuple[str, ...] = ()
    if len(known) < 3 and not any(contact.is_pose for contact in feet.contacts):
        names = " ".join(f"{contact.frame_name}:pose" for contact in feet.contacts)
        soles = f"; soles would, of feet named {names}" * (found.corners is not None)
        notes = (f"it falls, for {len(known)} points carry no robot at rest{soles}",)
    if small:
        notes += (
            f"soles of {', '.join(small)} are very short, as the lowest points of their shapes "
            f"have them; {OTHERS}",
        )
    if unknown:
        why = "their links have no boxes, cylinders or meshes for collisions"
        notes += (
            f"soles of {', '.join(unknown)} are not known, for {' and '.join(missing) or why}: "
            f"taken as {size[0]:.2f} m by {size[1]:.2f} m about the origins of their frames, at "
            f"that height; {OTHERS}",
        )
    elif missing:
        notes += (
            f"feet are points at their frames, for {' and '.join(missing)}; a sphere as "
            "collision, or the parameter foot_radius of simulated_robot, makes them balls",
        )
    return shaped(feet.contacts, known), notes
