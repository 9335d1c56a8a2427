"""The measuring program: functions side by side in one process, in random order."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.backends.render import beside
from robcogen_ros.bench.compilers import Compiler
from robcogen_ros.bench.kept import SOURCES, kept
from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.compiling.commands import run

Array = NDArray[np.float64]

_ROUNDS = 201
_DEFAULT_CACHE = 32 << 20


@dataclass(frozen=True, slots=True)
class Subject:
    """A function to measure, as the measuring program opens it.

    Attributes:
        library: The library that has it.
        robot: The robot's file; for a library of one robot, its name.
        function: Its name there.
        states: File of states.
        results: File for its results, one a state.
    """

    library: Path
    robot: str
    function: str
    states: Path
    results: Path

    def line(self) -> str:
        """Returns its line in a plan."""
        return f"{self.library} {self.robot} {self.function} {self.states} {self.results}\n"


@dataclass(frozen=True, slots=True)
class Tail:
    """Times of single calls [ns], of a function or of what it is compared with.

    Attributes:
        median: Half of the calls took no more.
        most: 99.9 % took no more.
        nearly_all: 99.999 % took no more.
        worst: None took more.
        late: Calls that took over twice the median.
        switches: How often another thread ran meanwhile.
        faults: Page faults.
        interrupts: Interrupts that this processor served, of anyone; -1 where nothing tells.
    """

    median: float
    most: float
    nearly_all: float
    worst: float
    late: int
    switches: int
    faults: int
    interrupts: int


class Meter:
    """The measuring program."""

    def __init__(self, compiler: Compiler, folder: Path) -> None:
        """Compiles it, unless that was done before.

        Args:
            compiler: What with.
            folder: Where its plans go.
        """
        self._folder = folder
        self._program = _program(compiler)

    def results(self, subject: Subject) -> Array:
        """Results of a function, those of one state after those of the other.

        Raises:
            RobcogenError: If it does not run.
        """
        self._run([subject], "check", 0)
        return np.fromfile(subject.results)

    def hot(self, subjects: Sequence[Subject]) -> list[float]:
        """Nanoseconds a call, of many in a row."""
        return self._numbers(subjects, "hot", _ROUNDS)

    def cold(self, subjects: Sequence[Subject]) -> list[float]:
        """Nanoseconds of a call that finds neither its code nor its data in a cache."""
        return self._numbers(subjects, "cold", 2 * last_level_cache())

    def instructions(self, subjects: Sequence[Subject]) -> list[int | None]:
        """Instructions of a call; None where nothing counts them."""
        counts = self._numbers(subjects, "count", 0)
        return [None if count < 0 else round(count) for count in counts]

    def tail(self, subjects: Sequence[Subject], calls: int) -> list[tuple[Tail, Tail, Tail]]:
        """Returns for each subject tails of single calls, of additions, and of the clock."""
        tails = [_tail(line.split()) for line in self._run(subjects, "tail", calls).splitlines()]
        return list(zip(tails[::3], tails[1::3], tails[2::3], strict=True))

    def _numbers(self, subjects: Sequence[Subject], what: str, number: int) -> list[float]:
        return [float(word) for word in self._run(subjects, what, number).split()]

    def _run(self, subjects: Sequence[Subject], what: str, number: int) -> str:
        plan = self._folder / "plan"
        plan.write_text("".join(subject.line() for subject in subjects), encoding="utf-8")
        line = [str(self._program), str(plan), what, str(number)]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = done.stderr.strip() or f"it stopped with code {done.returncode}"
            raise RobcogenError(f"cannot measure: {reason}")
        return done.stdout


def _program(compiler: Compiler) -> Path:
    source = SOURCES / "meter.cpp"
    line = [*compiler.command, "-std=c++17", "-O2", "-DNDEBUG"]
    program = kept("meter", line, [source])
    if not program.is_file():
        with beside(program) as partial:
            run([*line, str(source), "-o", str(partial), "-ldl"])
    return program


def _tail(words: Sequence[str]) -> Tail:
    median, most, nearly_all, worst = (float(word) for word in words[:4])
    return Tail(median, most, nearly_all, worst, *map(int, words[4:]))


def last_level_cache() -> int:
    """Bytes of the largest cache; a usual size where the system does not tell."""
    largest = 0
    for file in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"):
        found = re.fullmatch(r"(\d+)([KM])", file.read_text().strip())
        if found:
            largest = max(largest, int(found[1]) << {"K": 10, "M": 20}[found[2]])
    return largest or _DEFAULT_CACHE


def machine() -> str:
    """The processor, and how many of its cores there are."""
    path = Path("/proc/cpuinfo")
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    found = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    name = found[1] if found else os.uname().machine
    return f"{name}, {os.cpu_count()} cores"
