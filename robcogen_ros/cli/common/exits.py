"""Ends of a command: exit codes, signals, and readers of its output that go away."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

OK, MODEL_ERROR, USAGE_ERROR, INTERNAL_ERROR = 0, 1, 2, 70


def interrupted(stopped: KeyboardInterrupt) -> int:
    """The exit code of a command that a signal ends, as shells have it; said in one line."""
    number = stopped.args[0] if stopped.args else signal.SIGINT
    print("interrupted", file=sys.stderr)
    return 128 + int(number)


@contextmanager
def ended_at_once() -> Iterator[None]:
    """Lets Ctrl-C end the process there and then, while what a command needs is being loaded.

    Nothing has to be cleared up yet, and a KeyboardInterrupt may be lost in an import: C code and
    class bodies drop it, or make it a RuntimeError.
    """
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield
        return
    signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _end(number: int, _: FrameType | None) -> NoReturn:
    os.write(2, b"interrupted\n")
    os._exit(128 + number)


def flush() -> None:
    """Writes what is left for stdout, unless its reader has gone."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        write_nowhere()


def write_nowhere() -> None:
    """Lets what is still written to stdout go nowhere: its reader has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
