"""Gaits of a robot on legs that stands, steps and answers pushes; computed in C++."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.contacts import Contact
from robcogen_ros.runtime.evaluators.evaluator import Evaluator
from robcogen_ros.runtime.objects import CompiledObject, of_contacts, text_of
from robcogen_ros.runtime.state import RobotState
from robcogen_ros.runtime.whole_body import Motion

if TYPE_CHECKING:
    from typing_extensions import Unpack

Array = NDArray[np.float64]
_PARTS = np.cumsum([3, 4, 3, 3, 3])
GAITS = "stand", "trot", "walk"
"""Names of gaits."""


def usual_gait(contacts: Sequence[Contact]) -> str:
    """Returns how a robot steps by its feet: four points trot, two feet walk, others stand."""
    if len(contacts) == 4 and all(contact.is_point for contact in contacts):
        return "trot"
    return "walk" if len(contacts) == 2 else "stand"


def check_gait(name: str | None, contacts: Sequence[Contact]) -> None:
    """Checks that a robot can have a gait of a name.

    Raises:
        RobcogenError: If there is none of that name, or the robot has other feet.
    """
    if name is not None and name not in GAITS:
        raise RobcogenError(f"gait: expected one of {', '.join(GAITS)}, found '{name}'")
    usual = usual_gait(contacts)
    if name not in (None, GAITS[0], usual) and (usual, name) != ("trot", "walk"):
        feet = ", ".join(contact.name for contact in contacts)
        can = f"only '{usual}'" if usual == GAITS[0] else f"'{GAITS[0]}' and '{usual}'"
        raise RobcogenError(
            f"gait: the robot stands on {feet}: it can {can}, for a trot is of four feet that are "
            "points, and a walk of these or of two feet"
        )


@dataclass(frozen=True, slots=True)
class Reference:
    """Reference of a whole-body controller: arguments of its `compute`.

    Attributes:
        trunk: Motion of the base's frame.
        swing: Motion of each foot that is in the air, by contact.
        posture: (n,) positions of the joints.
        stepping: Whether the robot steps.
        wrenches: (6,) wanted of the ground on feet that stand, by contact.
        centered: Whether the trunk's linear acceleration is, across gravity, that of the center of
            mass.
        stuck: Whether the robot is to step, but its legs, spread as they are, do not let it lean
            over any of its feet.
    """

    trunk: Motion
    swing: dict[str, Motion]
    posture: Array
    stepping: bool
    wrenches: dict[str, Array] = field(default_factory=dict)
    centered: bool = False
    stuck: bool = False


class Gait:
    """Footfalls, swings and the motion of the trunk. Made by `robot.gait()`.

    Attributes:
        contacts: Names of the contacts.

    Example:
        >>> gait = robot.gait(posture=standing, name="trot")
        >>> gait.start(**state)
        >>> reference = gait.update(
        ...     **state, closed=touching, cycle=0.001, steps=True, velocity=(0.3, 0)
        ... )
        >>> reference.trunk, reference.swing  # for `WholeBodyController.compute`
    """

    def __init__(
        self,
        evaluator: Evaluator,
        name: str | None,
        phases: Mapping[str, float] | None,
        soles: Mapping[str, ArrayLike] | None,
        settings: Mapping[str, ArrayLike | None],
    ) -> None:
        """A gait; `robot.gait()` tells what the settings are."""
        contacts = evaluator.summary.contacts
        self.contacts = tuple(contact.name for contact in contacts)
        check_gait(name, contacts)
        shares = None if phases is None else _shares(phases, contacts)
        number = None if name is None else float(GAITS.index(name))
        corners = of_contacts("soles", soles, contacts, (4, 3))
        given = {**settings, "name": number, "phases": shares, "soles": corners}
        self._object = CompiledObject(evaluator, "gait", given)
        self._object.call("check")
        if problem := text_of(self._object.call("problem")["problem"]):
            raise RobcogenError(problem)

    @property
    def period(self) -> float:
        """The period of the cycle of footfalls [s]."""
        return float(self._object.call("pattern")["period"].item())

    def start(self, q: ArrayLike, **state: Unpack[RobotState]) -> None:
        """Stands where the robot is, on all feet.

        Args:
            q: (n,) positions of the joints [rad or m].
            **state: Where the base is and how all moves: what `State` has.
        """
        self._object.call("start", q=q, **state)

    def update(
        self,
        q: ArrayLike,
        *,
        closed: ArrayLike,
        cycle: float,
        steps: bool = False,
        velocity: ArrayLike = (0.0, 0.0),
        yaw_rate: float = 0.0,
        **state: Unpack[RobotState],
    ) -> Reference:
        """Returns the reference for now.

        Args:
            q: (n,) positions of the joints.
            closed: Which feet touch the ground: their names, or 1 or 0 of each.
            cycle: Time since the last call [s].
            steps: Whether to step in the pattern, or to stand.
            velocity: (2,) while stepping, ahead and to the left [m/s].
            yaw_rate: While stepping [rad/s].
            **state: Where the base is and how all moves: what `State` has.

        Raises:
            Fault: If a number is not finite, the cycle negative or the quaternion zero.
        """
        wanted = {"steps": steps, "velocity": velocity, "yaw_rate": yaw_rate}
        touches = self._object.flags("closed", closed)
        result = self._object.call("update", q=q, **state, closed=touches, **wanted, step=cycle)
        feet = zip(self.contacts, result["stance"], result["feet"], strict=True)
        return Reference(
            motion_of(result["trunk"]),
            {name: motion_of(motion) for name, stance, motion in feet if not stance},
            result["posture"].copy(),
            bool(result["stepping"][0]),
            centered=True,
            stuck=bool(result["stuck"][0]),
        )


def _shares(phases: Mapping[str, float], contacts: Sequence[Contact]) -> Array:
    """The phase of each contact.

    Raises:
        ValueError: If one is left out, or there is no such contact.
    """
    found = of_contacts("phases", phases, contacts, ())
    assert found is not None
    missing = [c.name for c in contacts if not {c.name, c.frame} & phases.keys()]
    if missing:
        raise ValueError(f"phases: contact '{missing[0]}' has none")
    return found


def motion_of(numbers: Array) -> Motion:
    """The motion that 19 numbers are, as the core has them."""
    return Motion(*np.split(numbers.copy(), _PARTS))
