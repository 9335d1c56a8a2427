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
import select
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, TypeVar

from robcogen_ros.progress import Display, Task, displayed, refresh, task

MOST = 4
"""Processes at most: a build runs several generators side by side."""

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_REFRESHED = 0.2
"""Seconds after which what is shown of the work is made new."""

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def nothing() -> None:
    """Returns at once: there is nothing to do."""


def available() -> int:
    """Returns the number of processes that may work at a time; one where forking is not safe."""
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
    title: tuple[str, str] = ("working", "pieces"),
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
        title: What is done and what the pieces are, to be shown.
    """
    found: dict[int, Result] = {}
    with task(title[0], len(pieces), title[1]) as step:
        if count > 1:
            rest = len(pieces) - early
            queues = [_queue(range(rest)), _queue(range(rest, len(pieces)))]
            helpers = _Helpers(work, pieces, step)
            try:
                if early:
                    helpers.fork(queues[1:])
                prepare()
                while len(helpers.forked) < min(count, len(pieces)):
                    helpers.fork(queues)
                meanwhile()
                if early:  # who began before knows nothing of what was prepared since
                    found.update(helpers.results_of(helpers.forked[0]))
                    helpers.fork(queues)
                for helper in helpers.forked[bool(early) :]:
                    found.update(helpers.results_of(helper))
            finally:
                for queue in queues:
                    os.close(queue)
                helpers.end()
        for i, piece in enumerate(pieces):
            if i not in found:
                found[i] = work(piece)
                step.advance()
    return [found[i] for i in range(len(pieces))]


def _queue(numbers: range) -> int:
    """A pipe to read numbers of pieces from, a byte each."""
    reading, writing = os.pipe()
    os.write(writing, bytes(number for number in numbers if number < 256))
    os.close(writing)
    return reading


@dataclass(slots=True)
class _Relay(Display):
    """Lets the calling process show what is done here: a line each; an empty one ends a piece."""

    pipe: int = field(kw_only=True)

    def show(self) -> None:
        if self.text:
            self.write(self.text)

    def write(self, line: str) -> None:
        """Sends a line.

        Raises:
            BrokenPipeError: If nobody waits any more.
        """
        os.write(self.pipe, f"{line}\n".encode("ascii", "replace"))


@dataclass(slots=True)
class _Helper:
    """A forked process.

    Attributes:
        process: Its number; 0 once it has ended.
        file: What it writes its results to.
        pipe: What it tells meanwhile.
    """

    process: int
    file: IO[bytes]
    pipe: int

    def results(self) -> dict[int, Any]:
        """Returns the results of the process; empty if it failed."""
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
        """Ends it if nobody waited for it."""
        if self.process:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(self.process, signal.SIGKILL)
                os.waitpid(self.process, 0)
        self.file.close()
        os.close(self.pipe)


class _Helpers:
    """Forked processes that do pieces of work.

    Attributes:
        forked: The processes.
    """

    def __init__(self, work: Callable[[Any], Any], pieces: Sequence[Any], step: Task) -> None:
        self._work, self._pieces, self._step = work, pieces, step
        self._telling: dict[int, str] = {}
        self.forked: list[_Helper] = []

    def fork(self, queues: Sequence[int]) -> None:
        """Begins one more; it takes pieces from queues."""
        file = os.fdopen(os.memfd_create("results"), "w+b")
        reading, writing = os.pipe()
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)  # what forking would swallow
        with warnings.catch_warnings():
            # Threads of NumPy and of JAX do no work of these processes.
            warnings.simplefilter("ignore", DeprecationWarning)
            warnings.filterwarnings("ignore", r"os\.fork\(\) was called", RuntimeWarning)
            process = os.fork()
        if process:
            os.close(writing)
            self._telling[reading] = ""
            self.forked.append(_Helper(process, file, reading))
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            return
        status = 1
        try:
            for number in _ENDING:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            pickle.dump(self._share(queues, _Relay(pipe=writing)), file, pickle.HIGHEST_PROTOCOL)
            file.flush()
            status = 0
        finally:
            os._exit(status)

    def _share(self, queues: Sequence[int], relay: _Relay) -> dict[int, Any]:
        """The results of the pieces that this process gets; it stops at the first error."""
        found: dict[int, Any] = {}
        with displayed(relay), task(""):
            for queue in queues:
                while taken := os.read(queue, 1):
                    number = taken[0]
                    try:
                        found[number] = self._work(self._pieces[number])
                    except Exception:
                        return found
                    relay.write("")
        return found

    def results_of(self, helper: _Helper) -> dict[int, Any]:
        """Shows what all tell until one has ended; returns what that one found."""
        while helper.pipe in self._telling:
            for pipe in select.select([*self._telling], [], [], _REFRESHED)[0]:
                self._hear(pipe)
            refresh()
        return helper.results()

    def _hear(self, pipe: int) -> None:
        """Shows what has been told by a pipe; the last line may not have come whole."""
        told = os.read(pipe, select.PIPE_BUF).decode()
        *lines, rest = (self._telling[pipe] + told).split("\n")
        self._telling[pipe] = rest
        for line in lines:
            self._step.advance(not line, line)
        if not told:
            del self._telling[pipe]

    def end(self) -> None:
        """Ends all that nobody waited for."""
        for helper in self.forked:
            helper.end()
