"""Whole-body control of a robot on legs, computed in C++."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.runtime.arguments import check_ranges
from robcogen_ros.runtime.evaluators.evaluator import Evaluator
from robcogen_ros.runtime.objects import CompiledObject, of_contacts
from robcogen_ros.runtime.state import RobotState

if TYPE_CHECKING:
    from typing_extensions import Unpack

Array = NDArray[np.float64]
_ZERO = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Motion:
    """Pose and motion of a frame in the world.

    Attributes:
        position: (3,) of its origin [m].
        orientation: (4,) quaternion x, y, z, w from the frame to the world.
        angular_velocity: (3,) [rad/s].
        linear_velocity: (3,) of its origin [m/s].
        angular_acceleration: (3,) [rad/s^2].
        linear_acceleration: (3,) of its origin [m/s^2].
    """

    position: ArrayLike = _ZERO
    orientation: ArrayLike = (0.0, 0.0, 0.0, 1.0)
    angular_velocity: ArrayLike = _ZERO
    linear_velocity: ArrayLike = _ZERO
    angular_acceleration: ArrayLike = _ZERO
    linear_acceleration: ArrayLike = _ZERO

    def numbers(self) -> Array:
        """(19,) all of it.

        Raises:
            ValueError: If something has another shape.
        """
        parts = (getattr(self, field.name) for field in fields(self))
        return np.concatenate([np.asarray(part, dtype=np.float64) for part in parts])


@dataclass(frozen=True, slots=True)
class Command:
    """Answer of a controller.

    Attributes:
        efforts: (n,) of the joints [N m or N].
        forces: (rows,) of the ground on the robot that it reckons with, rows of contact_jacobian.
        accelerations: (6 + n,) of base and joints that they give, the base's in its axes.
        faults: What was wrong, by name; docs/whole_body.md tells what is commanded then.
        iterations: Of the quadratic program.
    """

    efforts: Array
    forces: Array
    accelerations: Array
    faults: tuple[str, ...]
    iterations: int


class WholeBodyController:
    """Joint efforts that move trunk and feet. Made by `robot.whole_body_controller()`.

    Attributes:
        contacts: Names of the contacts.

    Example:
        >>> controller = robot.whole_body_controller(friction=0.6)
        >>> command = controller.compute(
        ...     q,
        ...     position=position,
        ...     orientation=xyzw,
        ...     base_velocity=v0,
        ...     qd=qd,
        ...     closed=touching,
        ...     trunk=Motion((0, 0, 0.5)),
        ...     posture=standing,
        ... )
        >>> command.efforts
    """

    def __init__(
        self,
        evaluator: Evaluator,
        soles: Mapping[str, ArrayLike] | None,
        settings: Mapping[str, ArrayLike | None],
    ) -> None:
        """A controller; `robot.whole_body_controller()` tells what the settings are.

        Raises:
            RobcogenError: If a setting is out of its range, or a contact that is a pose has no
                sole.
        """
        self._contacts = evaluator.summary.contacts
        self.contacts = tuple(contact.name for contact in self._contacts)
        corners = of_contacts("soles", soles, self._contacts, (4, 3))
        self._object = CompiledObject(evaluator, "whole_body", {**settings, "soles": corners})
        check_ranges("whole_body_controller", settings)
        self._object.call("check")
        self._warned = False

    def compute(
        self,
        q: ArrayLike,
        *,
        trunk: Motion,
        posture: ArrayLike,
        swing: Mapping[str, Motion] | None = None,
        closed: ArrayLike | None = None,
        wrenches: Mapping[str, ArrayLike] | None = None,
        centered: bool = False,
        **state: Unpack[RobotState],
    ) -> Command:
        """Efforts for a state and a reference.

        Args:
            q: (n,) positions of the joints.
            trunk: What the base's frame is to do.
            posture: (n,) where joints go as far as trunk and feet leave them free.
            swing: What feet do that are not to stand, by contact.
            closed: Which contacts touch the ground: their names, or 1 or 0 of each; by default
                those that are to stand.
            wrenches: (6,) of the ground on contacts that stand, [n; f] about the origins of their
                frames, world axes, by contact: what they are near to as far as the motion leaves
                them free; by default zero [N m, N].
            centered: Whether the trunk's linear acceleration is, across gravity, that of the center
                of mass, as gaits ask for.
            **state: Where the base is and how all moves: what `State` has.

        Raises:
            ValueError: If an argument has another shape, or names no contact.
        """
        feet = of_contacts("swing", swing or {}, self._contacts, (19,), _numbers)
        moving = (swing or {}).keys()
        stance = np.array(
            [float(moving.isdisjoint((c.name, c.frame_name))) for c in self._contacts]
        )
        results = self._object.call(
            "compute",
            q=q,
            **state,
            closed=stance if closed is None else self._object.flags("closed", closed),
            trunk=_numbers("trunk", trunk),
            stance=stance,
            feet=feet,
            posture=posture,
            wrenches=of_contacts("wrenches", wrenches, self._contacts, (6,)),
            centered=centered,
        )
        if not results["keeps_limits"] and not self._warned:
            self._warned = True
            warnings.warn(
                "the headers of proxsuite are not found: the whole-body controller keeps no limits "
                "but those of efforts",
                stacklevel=2,
            )
        bits, names = int(results["faults"][0]), self._object.faults[2:]
        return Command(
            results["efforts"].copy(),
            results["forces"].copy(),
            results["accelerations"].copy(),
            tuple(name for i, name in enumerate(names) if bits >> i & 1),
            int(results["iterations"][0]),
        )

    def program(self) -> dict[str, Array]:
        """The last quadratic program.

        The least of `x' hessian x / 2 + gradient' x` where `lower <= rows x <= upper` and
        `|x| <= bounds`, with its `solution`; efforts are shares of their limits, or of the
        weight (times a metre) where that is less; forces of the weight, accelerations of g.
        """
        return {name: array.copy() for name, array in self._object.call("program").items()}


def _numbers(name: str, motion: Motion) -> Array:
    """The numbers of a motion.

    Raises:
        TypeError: If it is none.
    """
    if not isinstance(motion, Motion):
        raise TypeError(f"{name}: expected a Motion, found {motion!r}")
    return motion.numbers()
