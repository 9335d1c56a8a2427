"""Rotations as quaternions of any length, which files round."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from robcogen_ros.formats.angles import rounding
from robcogen_ros.model.scalars.expression import Expression, expression
from robcogen_ros.model.spatial import Matrix3, Vector


def rotation(written: Sequence[Decimal], snap: float = 0.0) -> Matrix3:
    """The rotation that a quaternion x, y, z, w turns by, which need not be of unit length.

    Entries which only rounding can keep apart are taken to be equal, and zero ones to be zero: so
    right angles are exact, as they are in `angles`.

    Args:
        written: The quaternion as written; not all zero.
        snap: How near angles are taken for multiples of pi/2 [rad].
    """
    x, y, z, w = (expression(entry) for entry in _settled(written, snap))
    xx, yy, zz, ww = (entry * entry for entry in (x, y, z, w))
    square = xx + yy + zz + ww

    def row(*entries: Expression) -> Vector:
        return Vector(*(entry / square for entry in entries))

    return Matrix3(
        row(ww + xx - yy - zz, (x * y - w * z) * 2, (x * z + w * y) * 2),
        row((x * y + w * z) * 2, ww - xx + yy - zz, (y * z - w * x) * 2),
        row((x * z - w * y) * 2, (y * z + w * x) * 2, ww - xx - yy + zz),
    )


def length(written: Sequence[Decimal]) -> Decimal:
    """The length of a quaternion."""
    return sum((entry * entry for entry in written), Decimal()).sqrt()


def _settled(written: Sequence[Decimal], snap: float) -> list[Decimal]:
    """The entries without the rounding that keeps them from zero, or apart from one another.

    The half of an angle stands in them, so a turn by `snap` moves none by more than half of that.
    """
    settled, before, scale = list(written), Decimal(), length(written)
    for index in sorted(range(len(written)), key=lambda i: abs(written[i])):
        entry = written[index]
        tolerance = max(rounding(entry), Decimal(snap) / 2) * scale
        if abs(entry) - before < tolerance:
            settled[index] = before.copy_sign(entry)
        before = abs(settled[index])
    return settled
