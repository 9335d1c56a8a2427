"""Fewer searches for dead objects while programs are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_OBJECTS = 2_000_000
"""How many new objects come between two searches, about 200 MB."""


@contextmanager
def patience() -> Iterator[None]:
    """Let Python search seldom: programs are graphs of many objects, nearly all of which live."""
    usual = gc.get_threshold()
    gc.set_threshold(_OBJECTS, 2, 2)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
