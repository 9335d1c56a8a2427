"""Instructions and nanoseconds a call of a measuring program."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

_FEW, _MANY = 8, 208
_CALLS, _ROUNDS, _REPEATS = 4000, 7, 5


@dataclass(frozen=True)
class Command:
    """A measuring program on one function: it takes calls and repeats as its last arguments."""

    line: tuple[str, ...]

    def with_counts(self, calls: int, repeats: int) -> list[str]:
        """The whole command line."""
        return [*self.line, str(calls), str(repeats)]


def instruction_counter() -> str | None:
    """What counts instructions here: callgrind, else perf, else nothing."""
    if shutil.which("valgrind"):
        return "callgrind"
    if shutil.which("perf") and _perf(["true"]) is not None:
        return "perf"
    return None


def instructions(command: Command) -> float | None:
    """Instructions a call: those of many calls less those of few, over the difference."""
    counter = {"callgrind": _callgrind, "perf": _perf}.get(instruction_counter() or "")
    if counter is None:
        return None
    few, many = (counter(command.with_counts(calls, 1)) for calls in (_FEW, _MANY))
    return None if few is None or many is None else (many - few) / (_MANY - _FEW)


def nanoseconds(commands: Sequence[Command]) -> list[float]:
    """Nanoseconds a call, hot: medians of thread CPU time over rounds that take turns."""
    rounds = [[_time(command) for command in commands] for _ in range(_ROUNDS)]
    return [median(times) for times in zip(*rounds, strict=True)]


def results(command: Command, path: Path) -> bytes:
    """What one call for each state gives, as the program wrote it to a file."""
    _time(command, calls=1)
    return path.read_bytes()


def _time(command: Command, calls: int = _CALLS) -> float:
    done = subprocess.run(
        command.with_counts(calls, _REPEATS), check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def _callgrind(line: Sequence[str]) -> int | None:
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run([*tool, *line], capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found[1]) if found else None


def _perf(line: Sequence[str]) -> int | None:
    tool = ["perf", "stat", "-x,", "-e", "instructions:u"]
    done = subprocess.run([*tool, *line], capture_output=True, text=True, check=False)
    found = re.search(r"^(\d+),", done.stderr, re.MULTILINE)
    return int(found[1]) if found else None
