"""Many states shared out to several threads, so that the results do not depend on how many."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

_TOGETHER = 64
"""States begin at multiples of this, so that each is computed beside the same others always."""

_FEWEST = 256
"""States that are worth a thread."""


def in_threads(run: Callable[[int, int], None], count: int, threads: int) -> None:
    """Calls `run(first, last)` for stretches that together are `range(count)`.

    Args:
        run: What computes the states from first to before last; it must not need the lock of
            Python for long.
        count: How many states there are.
        threads: How many threads may share them.
    """
    parts = max(1, min(threads, count // _FEWEST))
    if parts == 1:
        run(0, count)
        return
    length = -(-count // (parts * _TOGETHER)) * _TOGETHER
    stretches = [(first, min(count, first + length)) for first in range(0, count, length)]
    with ThreadPoolExecutor(len(stretches)) as pool:
        for done in [pool.submit(run, *stretch) for stretch in stretches]:
            done.result()
