"""Angles as files write them."""

from __future__ import annotations

import struct
from decimal import Decimal

from robcogen_ros.errors import Location, Problem
from robcogen_ros.model.options import option_text
from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.expression import PI, ZERO, Expression

_ROUNDED = Decimal("1e-5")
"""Distance by which a file's rounding takes an angle from the multiple of pi/2 that it means
[rad]."""
_FEWEST_DIGITS = 5
"""Significant digits from which on a rounded angle tells what it means."""
_FARTHEST = 10**9
"""Angles beyond which nothing tells a multiple of pi/2 [rad]."""
_CUT_SHORT = Decimal("1e-11")
_NOISE = Decimal("1e-14")
_ALL_DIGITS = 15
"""Digits from which on a number is taken to be written in full."""


class Angles:
    """Reads the angles of a file, and remembers those that the file has rounded."""

    def __init__(self, snap: float | None = None) -> None:
        """Angles of a file.

        Args:
            snap: How near they are taken for multiples of pi/2 [rad]; None: what a file rounds.
        """
        self._snap = snap
        self._changes: list[tuple[Location, Decimal]] = []

    def angle(self, written: Decimal, place: Location) -> Expression:
        """An angle [rad]; one that means a multiple of pi/2 is exactly that.

        It means one if only rounding can be between them: that of double precision where it is
        written in full, of a dozen digits where digits were cut off. A file that rounds sooner, to
        five digits and more or to single precision, is up to 1e-5 rad off; what means zero is never
        rounded so. A tolerance that is given takes the place of that.

        Args:
            written: The angle as written.
            place: Where.
        """
        if not written:
            return ZERO
        if abs(written) > _FARTHEST:
            return Expression(value=written)
        exact: Expression = PI * round(float(written) / float(PI) * 2) / 2
        away = abs(number.subtract(written, exact.evaluate()))
        if away < rounding(written):
            return exact
        if self._snap is not None:
            return exact if away < Decimal(self._snap) else Expression(value=written)
        if exact.structurally_zero or away > _ROUNDED or not _is_rounded(written):
            return Expression(value=written)
        self._changes.append((place, away))
        return exact

    def note(self) -> tuple[Problem, ...]:
        """Returns a note on the angles that the file has rounded; empty if there are none."""
        if not self._changes:
            return ()
        count, most = len(self._changes), float(max(away for _, away in self._changes))
        place = min((place for place, _ in self._changes), key=lambda each: each.line)
        them = f"{count} rounded angles are" if count > 1 else "1 rounded angle is"
        message = (
            f"{them} taken for multiples of pi/2, which changes none by more than {most:.1e} rad; "
            f"{option_text('snap_angles', 0)} keeps what is written"
        )
        return (Problem(message, place, "note"),)


def rounding(written: Decimal) -> Decimal:
    """Returns the largest distance of a number from its meaning if it is only rounded."""
    return _NOISE if _digits(written) >= _ALL_DIGITS else _CUT_SHORT


def _is_rounded(written: Decimal) -> bool:
    """Returns True if a number has the digits of a rounded one, and enough to tell of which."""
    single = struct.unpack("f", struct.pack("f", written))[0] == float(written)
    return single or _FEWEST_DIGITS <= _digits(written) < _ALL_DIGITS


def _digits(written: Decimal) -> int:
    return len(written.normalize().as_tuple().digits)
