"""Progress of long work: a bar on a terminal, lines in a log; nothing while it is short.

Who works says what it does: `with task("compiling", 9, "files") as step:`, and `step.advance()`
after each. Who was called by a user says whether that is shown: `with shown():`.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TextIO, TypeVar

DELAY = 1.0
"""Seconds of work before a terminal shows any of it."""

PAUSE = 5.0
"""Seconds before the first line in a log, and between lines."""

AGAIN = 60.0
"""Seconds after which an equal line in a log is repeated: most files compile in less."""

_REDRAWN = 0.02

Item = TypeVar("Item")


@dataclass(slots=True, eq=False)
class Task:
    """Work that is being done.

    Attributes:
        what: The work, as "compiling".
        total: How many parts it has; None where nobody knows.
        unit: What these are, in the plural.
        done: How many are done.
        detail: What is being done just now.
        began: When it began, on the monotonic clock.
    """

    display: Display
    what: str
    total: int | None = None
    unit: str = ""
    done: int = 0
    detail: str = ""
    began: float = field(default_factory=lambda: time.monotonic())

    def advance(self, count: int = 1, detail: str = "") -> None:
        """Tells that parts are done, and which."""
        self.done += count
        self.detail = detail or self.detail
        self.display.show()

    def tell(self, detail: str) -> None:
        """Tells what is being done."""
        self.detail = detail
        self.display.show()

    def __str__(self) -> str:
        whole = "" if self.total is None else f" of {self.total}"
        count = f"{self.done}{whole} {self.unit}" if whole or self.done else ""
        return ": ".join(filter(None, (self.what, ", ".join(filter(None, (count, self.detail))))))


@dataclass(slots=True, eq=False)
class Display:
    """Shows nothing.

    Attributes:
        tasks: What is being done, each a part of the one before.
    """

    tasks: list[Task] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The tasks that are being done, from the whole to its parts."""
        return "; ".join(filter(None, map(str, self.tasks)))

    def show(self) -> None:
        """Shows what is being done, unless that was shown a moment ago."""

    def clear(self) -> None:
        """Takes away what was shown."""


_DISPLAY: ContextVar[Display | None] = ContextVar("display", default=None)


@contextmanager
def task(what: str, total: int | None = None, unit: str = "parts") -> Iterator[Task]:
    """Work that is done meanwhile.

    Args:
        what: The work, as "compiling".
        total: How many parts it has, if that is known.
        unit: What these are, in the plural.
    """
    display = _DISPLAY.get() or Display()
    begun = Task(display, what, total, unit)
    display.tasks.append(begun)
    try:
        display.show()
        yield begun
    finally:
        display.tasks.remove(begun)
        if not display.tasks:
            display.clear()


def each(
    items: Iterable[Item], what: str, unit: str, name: Callable[[Item], str] = str
) -> Iterator[Item]:
    """Items one by one, a part of the work each.

    Args:
        items: The items.
        what: The work, as "compiling".
        unit: What items are, in the plural.
        name: What to call one.
    """
    known = list(items)
    with task(what, len(known), unit) as step:
        for item in known:
            step.tell(name(item))
            yield item
            step.advance()


def tell(detail: str) -> None:
    """Tells what is being done, of the work that was begun last."""
    display = _DISPLAY.get()
    if display and display.tasks:
        display.tasks[-1].tell(detail)


def refresh() -> None:
    """Shows how much time has gone by; called while somebody waits."""
    display = _DISPLAY.get()
    if display:
        display.show()


@contextmanager
def shown(wanted: bool | None = None, log: TextIO | None = None) -> Iterator[None]:
    """Shows what is done meanwhile, unless that is shown already.

    Args:
        wanted: Whether to show it; None shows it on a terminal alone.
        log: Where lines go if the standard error is no terminal; by default there.

    Raises:
        ValueError: If `wanted` is none of these.
    """
    if not (wanted is None or isinstance(wanted, bool)):
        raise ValueError(f"progress: expected True, False or None, found {wanted!r}")
    if wanted is not False and _DISPLAY.get():
        yield
        return
    with displayed(_chosen(wanted, log)):
        yield


@contextmanager
def displayed(display: Display | None) -> Iterator[None]:
    """Lets work that is done meanwhile be shown there."""
    token = _DISPLAY.set(display)
    try:
        yield
    finally:
        _DISPLAY.reset(token)


def say(text: str) -> None:
    """Writes a line on the standard output; a bar makes room for it."""
    display = _DISPLAY.get()
    if display:
        display.clear()
    print(text, flush=True)


def _chosen(wanted: bool | None, log: TextIO | None) -> Display | None:
    terminal = sys.stderr.isatty()
    if wanted is False or not (wanted or terminal):
        return None
    if terminal and os.environ.get("TERM") != "dumb":
        try:
            from tqdm import tqdm
        except ImportError:  # where only the generator is installed, as in builds
            return _Lines(log=sys.stderr)
        return _Bar(make=type("Bar", (tqdm,), {"monitor_interval": 0}))  # a thread forbids forks
    return _Lines(log=log or sys.stderr)


@dataclass(slots=True, eq=False)
class _Lines(Display):
    """Shows lines, seldom; equal ones more seldom."""

    log: TextIO = field(kw_only=True)
    last: str = ""
    due: float = field(default_factory=lambda: time.monotonic() + PAUSE)

    def show(self) -> None:
        now = time.monotonic()
        due = self.due + (AGAIN - PAUSE if self.text == self.last else 0.0)
        if now >= due and self.text:
            self.last, self.due = self.text, now + PAUSE
            print(f"robcogen: {self.last}", file=self.log, flush=True)


@dataclass(slots=True, eq=False)
class _Bar(Display):
    """Shows a bar of tqdm for the whole, with its parts as text."""

    make: Any = field(kw_only=True)
    bar: Any = None
    due: float = field(default_factory=lambda: time.monotonic() + DELAY)

    def show(self) -> None:
        now = time.monotonic()
        if now < self.due or not self.tasks:
            return
        self.due = now + _REDRAWN
        whole, *parts = self.tasks
        if self.bar is None:
            self.bar = self._begun(whole)
            self.bar.start_t -= now - whole.began
        self.bar.n = whole.done
        details = [whole.detail] if whole.detail and not parts else []
        if whole.total is None and whole.done:
            details.insert(0, f"{whole.done} {whole.unit}")
        text = "; ".join([*details, *map(str, parts)])
        room = shutil.get_terminal_size().columns // 2  # the rest is for the bar
        self.bar.set_postfix_str(text[:room], refresh=False)
        self.bar.refresh()

    def _begun(self, whole: Task) -> Any:
        counts = "{l_bar}{bar}| {n_fmt}/{total_fmt} {unit} [{elapsed}<{remaining}{postfix}]"
        return self.make(
            desc=whole.what,
            total=whole.total,
            unit=whole.unit,
            leave=False,
            dynamic_ncols=True,
            file=sys.stderr,
            bar_format=counts if whole.total is not None else "{desc}: {elapsed}{postfix}",
        )

    def clear(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None
