"""What functions that take arrays of numbers must refuse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np


class Odd:
    def __array__(self, *_: object, **__: object) -> None:
        raise RuntimeError("no array")


def no_numbers() -> Iterator[Any]:
    """What is no array of numbers, whatever its shape."""
    yield from ("abc", b"abc", object(), {}, {1.0, 2.0, 3.0}, Odd(), 1j, (x for x in (1, 2, 3)))
    yield from ([None] * 3, ["1", "2", "3"], [1j, 2.0, 3.0], [[1.0], [1.0, 2.0]], [object()] * 3)
    for dtype in ("complex64", "complex128", "U3", "S3", "M8[s]", "m8[s]", "V8"):
        yield np.zeros((3,), dtype=dtype)
    yield np.zeros(3, dtype=[("x", float), ("y", float)])


def wrong_numbers() -> Iterator[Any]:
    """Numbers that no argument takes."""
    yield from (7.0, [], [1.0] * 5, np.zeros((3, 0)), np.zeros((2, 1)), True, [10**400] * 3)
    yield np.ma.masked_array(np.zeros(3), [False, True, False])
    yield [np.ma.masked_array(np.zeros(3), True)] * 2
