"""Counts of a controller node's work, and the diagnosis of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from robcogen_ros.control.cycles import Command

HIGH_RATE = 500.0
"""Rate of states [Hz] above which soft real time is not enough."""
BUSY = 0.5
"""Share of the time that commands may take."""


class Level(IntEnum):
    """Level of a diagnosis, as `diagnostic_msgs/DiagnosticStatus` numbers it."""

    OK = 0
    WARN = 1
    ERROR = 2
    STALE = 3


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Diagnosis of a node.

    Attributes:
        level: How bad.
        message: In a sentence.
        values: In numbers and words, by name.
    """

    level: Level
    message: str
    values: dict[str, str]


@dataclass(slots=True)
class Counts:
    """Counts of the work done over some time.

    Attributes:
        commands: Answers to states.
        saturated: Those that a limit held back.
        unsound: Those that were not finite and became gravity support.
        refused: States and references that were not used.
        busy: How long the commands took together [s].
        worst: How long the longest took [s].
    """

    commands: int = 0
    saturated: int = 0
    unsound: int = 0
    refused: int = 0
    busy: float = 0.0
    worst: float = 0.0

    def add(self, duration: float, command: Command) -> None:
        """Counts a command."""
        self.commands += 1
        self.saturated += command.scale < 1.0
        self.unsound += not command.sound
        self.busy += duration
        self.worst = max(self.worst, duration)

    @property
    def mean(self) -> float:
        """The mean duration of a command [s]."""
        return self.busy / self.commands if self.commands else 0.0


class Work:
    """Work of a controller since it was activated.

    Attributes:
        total: Since then.
        rate: Commands a second over the last window that was closed [Hz].
        last_error: What was wrong last; empty if nothing.
    """

    def __init__(self) -> None:
        self.total = Counts()
        self.rate = 0.0
        self.last_error = ""
        self._window = Counts()
        self._busy = 0.0

    def add(self, duration: float, command: Command) -> None:
        """Counts a command."""
        self.total.add(duration, command)
        self._window.add(duration, command)

    def refuse(self, why: str) -> None:
        """Counts a message that was not used."""
        self.total.refused += 1
        self._window.refused += 1
        self.last_error = why

    def close_window(self, duration: float, lost: bool, stop: str = "") -> Diagnosis:
        """Ends a window and returns the diagnosis of the time since the last call.

        Args:
            duration: How long ago that was [s].
            lost: Whether joint states have stopped coming.
            stop: What has pushed the robot, which stands since; empty if nothing.
        """
        window, self._window = self._window, Counts()
        self.rate = window.commands / duration
        self._busy = window.busy / duration
        level, message = self._judged(window, lost, stop)
        values = {
            "rate [Hz]": f"{self.rate:.1f}",
            "mean duration of a command [ms]": f"{1e3 * window.mean:.3f}",
            "longest duration of a command [ms]": f"{1e3 * window.worst:.3f}",
            "commands": str(self.total.commands),
            "saturated": str(self.total.saturated),
            "not finite": str(self.total.unsound),
            "messages refused": str(self.total.refused),
            "last error": self.last_error or "none",
        }
        return Diagnosis(level, message, values)

    def pace_problem(self) -> str | None:
        """Returns a warning about the rate of the last window, if there is one."""
        if self.rate > HIGH_RATE:
            return (
                f"joint states come at {self.rate:.0f} Hz, but this node is soft real time: "
                f"for {HIGH_RATE:.0f} Hz and more use the ros2_control controller"
            )
        if self._busy > BUSY:
            return f"commands take {self._busy:.0%} of the time; lower the rate of joint states"
        return None

    def _judged(self, window: Counts, lost: bool, stop: str) -> tuple[Level, str]:
        if lost:
            return Level.ERROR, "joint states have stopped"
        if stop:
            return Level.ERROR, f"stopped: {stop}"
        if window.unsound:
            return Level.ERROR, "efforts were not finite"
        if not self.total.commands:
            return Level.STALE, "no joint states yet"
        if window.refused:
            return Level.WARN, self.last_error
        if window.saturated:
            return Level.WARN, f"{window.saturated} of {window.commands} commands at a limit"
        if problem := self.pace_problem():
            return Level.WARN, problem
        return Level.OK, "in control"

    def numbers(self) -> dict[str, float]:
        """Counts, durations [s] and rate [Hz]."""
        total = self.total
        counts = {"commands": total.commands, "saturated": total.saturated}
        durations = {"mean_duration": total.mean, "worst_duration": total.worst}
        return {**counts, **durations, "refused": total.refused, "rate": self.rate}
