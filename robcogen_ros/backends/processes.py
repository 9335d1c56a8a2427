"""Independent pieces of work in several processes, where that is safe.

Processes are forked, so that they know what the calling one knows; the pieces are handed out one by
one. The calling process waits, and is spared the memory that the work leaves behind. What the
others leave undone, whatever the reason, it does itself: errors are those of a single process, and
the results do not depend on how many there are.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Any, TypeVar

MOST = 4
"""Processes at most: a build runs several generators side by side."""

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def nothing() -> None:
    """Do nothing."""


def available() -> int:
    """How many processes may work at a time; one where forking is not safe."""
    if not sys.platform.startswith("linux") or threading.active_count() > 1:
        return 1
    return min(MOST, len(os.sched_getaffinity(0)))


def in_processes(
    work: Callable[[Piece], Result],
    pieces: Sequence[Piece],
    count: int,
    *,
    early: int = 0,
    prepare: Callable[[], None] = nothing,
    meanwhile: Callable[[], None] = nothing,
) -> list[Result]:
    """The result of each piece of work.

    Args:
        work: What to do with a piece; its results can be pickled.
        pieces: The pieces; work begins with the first.
        count: How many processes work; none but the calling one if it is 1.
        early: How many of the last pieces are begun before anything is prepared.
        prepare: What the calling one does before the others are begun; without other processes
            it is left out.
        meanwhile: What the calling one does while others work; left out as well.
    """
    found: dict[int, Result] = {}
    if count > 1:
        rest = len(pieces) - early
        queues = [_queue(range(rest)), _queue(range(rest, len(pieces)))]
        helpers = []
        try:
            if early:
                helpers.append(_fork(work, pieces, queues[1:]))
            prepare()
            while len(helpers) < min(count, len(pieces)):
                helpers.append(_fork(work, pieces, queues))
            meanwhile()
            if early:  # who began before knows nothing of what was prepared since
                found.update(helpers[0].results())
                helpers.append(_fork(work, pieces, queues))
            for helper in helpers[bool(early) :]:
                found.update(helper.results())
        finally:
            for queue in queues:
                os.close(queue)
            for helper in helpers:
                helper.end()
    return [found[i] if i in found else work(piece) for i, piece in enumerate(pieces)]


def _queue(numbers: range) -> int:
    """A pipe to read numbers of pieces from, a byte each."""
    reading, writing = os.pipe()
    os.write(writing, bytes(number for number in numbers if number < 256))
    os.close(writing)
    return reading


def _share(
    work: Callable[[Piece], Result], pieces: Sequence[Piece], queues: Sequence[int]
) -> dict[int, Result]:
    """The results of the pieces that this process gets; it stops at the first error."""
    found: dict[int, Result] = {}
    for queue in queues:
        while taken := os.read(queue, 1):
            number = taken[0]
            try:
                found[number] = work(pieces[number])
            except Exception:
                return found
    return found


@dataclass(slots=True)
class _Helper:
    """A forked process, and the file that it writes its results to."""

    process: int
    file: IO[bytes]

    def results(self) -> dict[int, Any]:
        """Wait for its results; none if it came to grief."""
        try:
            _, status = os.waitpid(self.process, 0)
        except ChildProcessError:  # the system forgot it, as it does where SIGCHLD is ignored
            status = 1
        self.process = 0
        if status:
            return {}
        self.file.seek(0)
        found: dict[int, Any] = pickle.load(self.file)
        return found

    def end(self) -> None:
        """End it if nobody waited for it."""
        if self.process:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(self.process, signal.SIGKILL)
                os.waitpid(self.process, 0)
        self.file.close()


def _fork(work: Callable[[Piece], Any], pieces: Sequence[Piece], queues: Sequence[int]) -> _Helper:
    file = os.fdopen(os.memfd_create("results"), "w+b")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads that NumPy started
        process = os.fork()
    if process:
        return _Helper(process, file)
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        pickle.dump(_share(work, pieces, queues), file, pickle.HIGHEST_PROTOCOL)
        file.flush()
        status = 0
    finally:
        os._exit(status)
