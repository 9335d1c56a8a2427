"""Closures of loops: joints of the tree whose positions follow from others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, NoReturn

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.closures.starts import Start
from robcogen_ros.model.scalars.operation import Scalar

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


def closing_frames(loop: str) -> tuple[str, str]:
    """Names of the frames of a loop that are written as places on links."""
    return f"closing_{loop}_1", f"closing_{loop}_2"


@dataclass(frozen=True, slots=True)
class Loop:
    """Two frames that stay together.

    Attributes:
        name: Its name.
        frames: Indices of the two frames.
        fixed: Rows of the Jacobian of the second relative to the first that vanish.
        rows: Those that count.
    """

    name: str
    frames: tuple[int, ...]
    fixed: tuple[int, ...]
    rows: tuple[int, ...]


class Curve(NamedTuple):
    """A joint's position as a polynomial of another's.

    Attributes:
        name: Its name.
        leader: Number of the other.
        coefficients: From the lowest power on.
    """

    name: str
    leader: int
    coefficients: tuple[Scalar, ...]

    def at(self, x: Scalar) -> tuple[Scalar, Scalar, Scalar]:
        """Returns the value and its first two derivatives, by Horner's scheme."""
        value: Scalar = 0
        slope: Scalar = 0
        half: Scalar = 0
        for coefficient in reversed(self.coefficients):
            half, slope, value = half * x + slope, slope * x + value, value * x + coefficient
        return value, slope, half + half

    def map(self, lift: Callable[[Scalar], Any]) -> Curve:
        """Returns this polynomial with its numbers over another scalar."""
        return self._replace(coefficients=tuple(map(lift, self.coefficients)))


class Follower(NamedTuple):
    """A joint whose position is multiplier * leader's position + offset.

    Attributes:
        joint: Its number.
        leader: Number of a joint that follows from loops.
        multiplier: See above.
        offset: See above [rad or m].
    """

    joint: int
    leader: int
    multiplier: Scalar
    offset: Scalar


@dataclass(frozen=True, slots=True)
class Closure:
    """Loops from which the positions of as many joints follow as rows of theirs count.

    A loop in a plane is a triangle: three joints move at its corners, of
    which one may slide, and each side is a chain of
    links that other joints position. Where it is closed by a joint that is not in the tree, that is
    one of the corners. Other loops are closed by steps of Newton's method.

    Attributes:
        loops: The loops; a triangle is one.
        dependent: Numbers of the joints that follow.
        corners: Numbers of the joints at the corners, in the order of the loop from the first
            frame to the second over the tree; -1 for the loop itself.
        signs: At each corner 1 where the way to the next corner is turned, about the joint's axis,
            by less than half a turn from the way to the last one, else -1; it stays so. Where a
            joint slides at a corner, its sign alone: 1 where, as far as it does, it moves the way
            between the others along its axis.
        start: Where the joints are as the loops are written, and before the first step [rad or m].
        near: Where the joints that steps give are before the first step instead, as polynomials of
            the coordinates.
        coordinates: Numbers of these.
        followers: Joints that follow the dependent ones by factors.
        curve: How one joint follows another without a loop; there are no loops then.
        steps: How many steps.
        closed_at: Sum of the squares of gaps [m, rad] of what counts as closed.
        rods: Of each loop that holds a point of a rod, which hangs in two joints whose axes meet,
            the numbers of these; its sign is 1 where the second turns the rod, at first, towards
            the first axis, else -1. Of a single rod without steps, the sign of the joint that
            brings its ends to their distance comes after it: of the product of the ways from the
            joint to both, as it turns, or of the way between them along one that slides. Where
            there are steps for few joints, the sign of the determinant of what they solve comes
            after those of rods; 0 for the sign that it has where they start.
    """

    loops: tuple[Loop, ...]
    dependent: tuple[int, ...]
    corners: tuple[int, ...] = ()
    signs: tuple[int, ...] = ()
    start: tuple[Scalar, ...] = ()
    steps: int = 0
    closed_at: float = 0.0
    rods: tuple[tuple[int, ...], ...] = ()
    near: Start | None = None
    coordinates: tuple[int, ...] = ()
    followers: tuple[Follower, ...] = ()
    curve: Curve | None = None

    @property
    def solved(self) -> tuple[int, ...]:
        """The joints that steps give; rods follow from these."""
        return tuple(k for k in self.dependent if not any(k in rod for rod in self.rods))

    def map(self, lift: Callable[[Scalar], Any]) -> Closure:
        """Returns this closure with its numbers over another scalar."""
        near = self.near and self.near.map(lift)
        followers = tuple(Follower(*f[:2], *map(lift, f[2:])) for f in self.followers)
        start = tuple(map(lift, self.start))
        curve = self.curve and self.curve.map(lift)
        return replace(self, start=start, near=near, followers=followers, curve=curve)

    def started(self, q: Sequence[Scalar], guess: Sequence[Scalar] = ()) -> Closure:
        """Returns this closure with the start that it has at positions of all coordinates.

        Args:
            q: These positions.
            guess: Positions of all joints, for the start to be there, and with it the side of dead
                centres on which loops are closed by steps; none for the own.
        """
        if guess and self.steps:
            sides = [0] * (len(self.signs) - len(self.rods))
            signs = *self.signs[: len(self.rods)], *sides
            return replace(
                self,
                start=tuple(guess[k] for k in self.dependent),
                near=None,
                signs=signs,
                steps=self.near.without if self.near else self.steps,
            )
        if self.near is None:
            return self
        places = dict(zip(self.dependent, self.start, strict=True))
        found = self.near.at([q[k] for k in self.coordinates])
        places |= zip(self.solved, found, strict=True)
        return replace(self, start=tuple(places.values()), near=None)

    @property
    def name(self) -> str:
        """The names of its loops."""
        return ", ".join(loop.name for loop in self.loops)

    @property
    def title(self) -> str:
        """The word for it with its name."""
        return f"coupling {self.curve.name}" if self.curve else f"loop {self.name}"


def misalignment(R: Sequence[Sequence[Scalar]], fixed: Sequence[int]) -> list[Scalar]:
    """Returns the turn of a frame against another, (3,), to first order [rad].

    Args:
        R: Its axes are the columns, in the other's coordinates.
        fixed: Which of the rows are to vanish; if two are, those of one axis.
    """
    free = [k for k in range(3) if k not in fixed]
    if len(free) == 1:
        (k,) = free
        i, j = (k + 1) % 3, (k + 2) % 3
        off: list[Scalar] = [0, 0, 0]
        off[i], off[j] = -R[j][k], R[i][k]
        return off
    return [(R[2][1] - R[1][2]) / 2, (R[0][2] - R[2][0]) / 2, (R[1][0] - R[0][1]) / 2]


class _Dependent:
    """Stands for a number that only a position gives, and gives way to no other."""

    def _refuse(self, *_: Any) -> NoReturn:
        raise RobcogenError(
            "loops in which joints depend on others by more than a factor are not possible here "
            "yet; those of parallelograms are"
        )

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
