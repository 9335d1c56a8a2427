"""Binary STL files."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

_HEAD, _FACET = 84, 50
"""Bytes before the facets, and of each of these."""


def facets(data: bytes) -> int:
    """Returns the number of facets of a binary STL; 0 if it is none."""
    count = int(struct.unpack_from("<I", data, 80)[0]) if len(data) >= _HEAD else 0
    return count if len(data) == _HEAD + _FACET * count else 0


def corners(data: bytes) -> NDArray[np.float64]:
    """The corners of all facets of a binary STL, (m, 3)."""
    records = np.frombuffer(
        data, np.dtype([("", "<f4", 3), ("v", "<f4", (3, 3)), ("", "<u2")]), offset=_HEAD
    )
    return records["v"].reshape(-1, 3).astype(float)
