"""What a robot of a file or a description stands on: its feet, their shapes, a posture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import ModelError, Problem, RobcogenError
from robcogen_ros.formats import collision, srdf
from robcogen_ros.formats.read import Reading, read
from robcogen_ros.formats.source import Source
from robcogen_ros.model.legs import Legs, find_legs
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.soles import Foot, Shape, foot_shape, unread

SOLE = (0.16, 0.08)
"""Length and width of a sole that is not known, as shares of the length of a leg."""
FUNCTIONS = (
    "kinematics",
    "total_mass",
    "center_of_mass",
    "gravity_torques",
    "inertia_matrix",
    "inertia_matrix_inverse",
    "inverse_dynamics",
    "inverse_dynamics_fully_actuated",
    "forward_dynamics",
    "contact_jacobian",
    "contact_bias",
    "contact_inverse_dynamics",
)
"""What a robot that stands is generated with."""
UP = np.array([0.0, 0.0, 1.0])
POSE = ":pose"


@dataclass(frozen=True, slots=True)
class Footing:
    """What a robot stands on.

    Attributes:
        contacts: Its feet, as `build()` takes them; empty if it stands on none.
        feet: Their shapes.
        standing: Positions of joints at which it stands, if an SRDF tells them.
        reason: Why it is a robot on legs, or why it is none.
        notes: What was found in which way.
        floats: Whether the file lets the base float.
        warnings: What is odd about the file or the description.
    """

    contacts: tuple[str, ...]
    feet: tuple[Foot, ...]
    standing: Mapping[str, float] | None
    reason: str
    notes: tuple[str, ...]
    floats: bool = True
    warnings: tuple[Problem, ...] = ()

    @property
    def told(self) -> str:
        """What it stands on, in a sentence."""
        feet = f"stands on {', '.join(self.contacts)}: {self.reason}"
        return "; ".join((feet if self.contacts else f"not on legs: {self.reason}", *self.notes))

    @property
    def radii(self) -> dict[str, float]:
        """Radii of the feet that are balls, by contact [m]."""
        pairs = zip(self.contacts, self.feet, strict=True)
        return {contact: foot.radius for contact, foot in pairs if not contact.endswith(POSE)}

    @property
    def soles(self) -> dict[str, Array]:
        """Corners of flat soles (4, 3) in the frames of the feet, by contact [m]."""
        pairs = zip(self.contacts, self.feet, strict=True)
        return {
            contact: foot.corners
            for contact, foot in pairs
            if contact.endswith(POSE) and foot.corners is not None
        }


def find_footing(
    model: str | Path | Source,
    *,
    xacro_args: Mapping[str, str] | None = None,
    contacts: Sequence[str] = (),
    posture: str | Path | None = None,
) -> Footing:
    """What the robot of a file, or of a text at hand, stands on.

    Args:
        model: URDF, xacro or Kinematics-DSL.
        xacro_args: Arguments of a xacro.
        contacts: Its feet; found if there are none.
        posture: SRDF with a state in which it stands; by default that beside the file.

    Raises:
        RobcogenError: If the robot, a contact or the SRDF is wrong.
    """
    arguments = dict(xacro_args or {})
    reading = read(model, xacro_args=arguments)

    def shapes() -> tuple[Shape, ...]:
        return collision.shapes(reading.description.shapes)

    state, odd = standing_state(model, reading, posture)
    found = footing(reading.robot, shapes, state, contacts)
    return replace(found, warnings=(*reading.warnings, *odd))


def footing(
    robot: Robot,
    shapes: Callable[[], Sequence[Shape]],
    state: srdf.State | None = None,
    contacts: Sequence[str] = (),
) -> Footing:
    """What a robot stands on.

    Args:
        robot: The robot.
        shapes: Gives the shapes of its links; called where it stands on legs.
        state: How it stands, if an SRDF tells.
        contacts: Its feet; found if there are none.

    Raises:
        RobcogenError: If a contact is wrong.
    """
    legs = find_legs(robot, state.positions if state is not None else None)
    if contacts:
        legs = _named(robot, contacts, legs)
    if not legs.feet:
        return Footing((), (), None, legs.reason, (), robot.floating_base)
    chosen = tuple(contacts) or legs.contacts
    feet, notes = _shaped(robot, chosen, legs, shapes())
    if state is not None:
        notes += (f"it stands as state '{state.name}' of {state.file} has it",)
    positions = None if state is None else state.positions
    return Footing(chosen, feet, positions, legs.reason, notes, robot.floating_base)


def standing_state(
    model: str | Path | Source, reading: Reading, posture: str | Path | None = None
) -> tuple[srdf.State | None, list[Problem]]:
    """How a robot stands, and what is odd about that: as the SRDF `posture` says, or that beside.

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


def _named(robot: Robot, contacts: Sequence[str], found: Legs) -> Legs:
    """The legs to feet that are given by name."""
    frames = tuple(contact.partition(":")[0] for contact in contacts)
    for frame in frames:
        robot.frame_index(frame)
    known = dict(zip(found.feet, found.up, strict=True))
    up = np.array([known.get(frame, UP) for frame in frames])
    return Legs(frames, False, f"its feet are given: {', '.join(contacts)}", up, found.length)


def _shaped(
    robot: Robot, contacts: Sequence[str], legs: Legs, shapes: Sequence[Shape]
) -> tuple[tuple[Foot, ...], tuple[str, ...]]:
    """Shapes of the feet, and what is to be known of them."""
    feet, unknown, missing = [], list[str](), list[str]()
    size = (SOLE[0] * (legs.length or 1.0), SOLE[1] * (legs.length or 1.0))
    for contact, frame, up in zip(contacts, legs.feet, legs.up, strict=True):
        found, flat = foot_shape(robot, frame, up, shapes), contact.endswith(POSE)
        if found.corners is None and not found.radius:
            missing += unread(robot, frame, shapes)
        if flat and found.corners is None:
            found = Foot(corners=_rectangle(*size))
            unknown.append(frame)
        feet.append(Foot(corners=found.corners) if flat else Foot(found.radius))
    notes: tuple[str, ...] = ()
    if unknown:
        why = "their links have neither boxes nor STL files for collisions"
        notes = (
            f"soles of {', '.join(unknown)} are not known, for {' and '.join(missing) or why}: "
            f"taken as {size[0]:.2f} m by {size[1]:.2f} m about their frames; a box as "
            "collision of the foot, or the parameter soles of the nodes, gives others",
        )
    elif missing:
        notes = (
            f"feet are points at their frames, for {' and '.join(missing)}; a sphere as "
            "collision, or the parameter foot_radius of simulated_robot, makes them balls",
        )
    return tuple(feet), notes


def _rectangle(length: float, width: float) -> Array:
    x, y = length / 2, width / 2
    return np.array([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]])
