"""Commands of the toolchain, several at a time; none outlives whoever started it."""

from __future__ import annotations

import os
import selectors
import shlex
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

from robcogen_ros.errors import RobcogenError
from robcogen_ros.progress import refresh

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_REFRESHED = 0.2
_PATIENCE = 2.0
"""Seconds that a command has to clean up."""

Command = Sequence[str]


@contextmanager
def stopped_by_signals(stopped: type[BaseException]) -> Iterator[None]:
    """Makes what ends a program an exception, so that files and children are cleared up.

    Args:
        stopped: The exception; it is raised with the number of the signal, plus 128 as shells
            have it in a `SystemExit`. Signals that the program handles itself stay as they are.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, _: FrameType | None) -> NoReturn:
        raise stopped(128 + number if stopped is SystemExit else number)

    usual = [n for n in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(n) == signal.SIG_DFL]
    for number in usual:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in usual:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def running(command: Command, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A command that has begun; what still runs of it at the end is ended.

    Args:
        command: The command; compilers start others, which are ended with them.
        options: What `subprocess.Popen` takes.

    Raises:
        RobcogenError: If it cannot be run.
    """
    process: subprocess.Popen[bytes] | None = None
    with stopped_by_signals(SystemExit):
        try:
            try:
                with _undisturbed():
                    process = subprocess.Popen(command, start_new_session=True, **options)
            except OSError as error:
                raise RobcogenError(f"cannot run {shlex.join(command)}: {error.strerror}") from None
            yield process
        finally:
            if process is not None:
                with process:
                    _end(process)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Lets signals that end the program wait: one that comes while a process starts loses it."""
    late: list[tuple[int, FrameType | None]] = []
    usual: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in _ENDING:
            handler = signal.getsignal(number)
            if callable(handler):
                usual[number] = handler
                signal.signal(number, lambda *told: late.append(told))
    try:
        yield
    finally:
        for known, handler in usual.items():
            signal.signal(known, handler)
    for which, frame in late:
        usual[which](which, frame)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends it with all that it started, if it still runs."""
    if process.poll() is not None:
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE)
            return


def run(command: Command) -> None:
    """Runs a command.

    Raises:
        RobcogenError: If it fails, with what it said.
    """
    run_all([command])


def run_all(commands: Sequence[Command], done: Callable[[int], None] = lambda _: None) -> None:
    """Runs commands side by side, as many as there are processors.

    Args:
        commands: The commands.
        done: Called with the place of each that has ended.

    Raises:
        RobcogenError: If one fails, with what it said; the others are ended.
    """
    waiting, many = list(enumerate(commands)), os.cpu_count() or 1
    waiting.reverse()
    with ExitStack() as stack, selectors.DefaultSelector() as selector:
        while waiting or selector.get_map():
            while waiting and len(selector.get_map()) < many:
                place, command = waiting.pop()
                begun = _Begun(place, stack.enter_context(_listening(command)))
                selector.register(begun.output, selectors.EVENT_READ, begun)
            for key, _ in selector.select(_REFRESHED):
                if not key.data.hear():
                    selector.unregister(key.fileobj)
                    key.data.refuse_failure()
                    done(key.data.place)
            refresh()


def _listening(command: Command) -> Any:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return running(command, stdin=subprocess.DEVNULL, **pipes)


class _Begun:
    """A command that has begun, and what it said so far."""

    def __init__(self, place: int, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        self.place, self.output = place, process.stdout
        self._process, self._said = process, bytearray()

    def hear(self) -> bool:
        """Takes what it says; returns False once it says no more."""
        said = os.read(self.output.fileno(), 1 << 16)
        self._said += said
        return bool(said)

    def refuse_failure(self) -> None:
        """Waits for its end.

        Raises:
            RobcogenError: If it failed.
        """
        if code := self._process.wait():
            said = self._said.decode(errors="replace")
            command = self._process.args
            assert isinstance(command, (list, tuple))
            raise RobcogenError(f"{shlex.join(command)} {ending(code)}:\n{said}")


def ending(code: int) -> str:
    """Returns the end of a command that failed in words, by its return code."""
    return "failed" if code > 0 else f"was ended: {signal.strsignal(-code)}"
