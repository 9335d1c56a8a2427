"""Closures of loops: joints of the tree whose positions follow from others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from robcogen_ros.errors import RobcogenError

FIXED: dict[str, tuple[int, ...]] = {
    "point": (3, 4, 5),
    "axis_x": (1, 2, 3, 4, 5),
    "axis_y": (0, 2, 3, 4, 5),
    "axis_z": (0, 1, 3, 4, 5),
    "all": (0, 1, 2, 3, 4, 5),
}
"""Rows of the Jacobian between two frames that a loop takes away, angular ones first.

The origin stays, the origin and an axis, or all of the frame.
"""


@dataclass(frozen=True, slots=True)
class Closure:
    """A loop of links in a plane, from which the positions of two or three joints follow.

    The joints turn at the corners of a triangle, each side of which is a chain of links that other
    joints position; where the loop itself is closed by a joint that is not in the tree, that is
    one of the corners.

    Attributes:
        name: The loop's name.
        frames: Indices of the two frames that stay together.
        rows: As many rows of the Jacobian of the second relative to the first as joints follow,
            which vanish.
        dependent: Numbers of these joints.
        corners: Numbers of the joints at the corners, in the order of the loop from the first
            frame to the second over the tree; -1 for the loop itself.
        signs: At each corner 1 where the way to the next corner is turned, about the joint's axis,
            by less than half a turn from the way to the last one, else -1; it stays so.
    """

    name: str
    frames: tuple[int, int]
    rows: tuple[int, ...]
    dependent: tuple[int, ...]
    corners: tuple[int, ...]
    signs: tuple[int, ...]


def refuse_closures(closures: object) -> None:
    """Refuse robots with joints that depend on others through loops.

    Raises:
        RobcogenError: If there are any closures.
    """
    if closures:
        raise RobcogenError(
            "loops in which joints depend on others by more than a factor are not possible here "
            "yet; those of parallelograms are"
        )


class _Dependent:
    """Stands for a number that only a position gives, and gives way to no other."""

    def _refuse(self, *_: Any) -> NoReturn:
        refuse_closures(True)
        raise AssertionError

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _refuse
    __rtruediv__ = __neg__ = __abs__ = __float__ = __lt__ = __gt__ = __le__ = __ge__ = _refuse
    apply = _refuse

    def __repr__(self) -> str:
        return "DEPENDENT"

    def __reduce__(self) -> str:
        """The constant of this module, in copies and in other processes too."""
        return "DEPENDENT"


DEPENDENT = _Dependent()
"""The multiplier of a joint that depends on a coordinate through a loop, at no position."""
