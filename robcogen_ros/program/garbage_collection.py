"""Garbage collection made rare while programs are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_OBJECTS = 2_000_000
"""Number of new objects between two collections, about 200 MB."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Lets Python collect garbage seldom: nearly all objects of a program live.

    At the end they are old ones, which the next collection of young ones does not go through.
    """
    usual = gc.get_threshold()
    gc.set_threshold(_OBJECTS, 2, 2)
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        gc.set_threshold(*usual)
