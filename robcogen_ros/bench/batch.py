"""Many states a call: what a state takes, beside a call of Pinocchio's for one."""

from __future__ import annotations

import platform
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.algorithms.function import Argument
from robcogen_ros.bench.comparison import OURS, Candidate, Comparison, made, written
from robcogen_ros.bench.generated import compile_function, write_sources
from robcogen_ros.bench.measured import Measured
from robcogen_ros.bench.meter import Meter, Subject
from robcogen_ros.bench.states import disagreement
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.library import Library

Array = NDArray[np.float64]

STATES = 64
"""States of a call: what a thread takes at least, and what fits a cache for any robot."""

_AGREEMENT = 1e-11
_NATIVE = "native"
_AVX512, _AVX2 = "AVX-512", "AVX2"


@dataclass(frozen=True, slots=True)
class BatchRow:
    """A function over many states, one core.

    Attributes:
        function: The function.
        single: Nanoseconds of our call for one state.
        theirs: Nanoseconds of a call of each other library for one state, the fastest first.
        states: For each set of instructions, nanoseconds a state of our call for many.
    """

    function: str
    single: float
    theirs: dict[str, float]
    states: dict[str, float]


def instruction_sets() -> dict[str, tuple[str, ...]]:
    """Sets of instructions that this machine has, with the compiler's options for them."""
    path = Path("/proc/cpuinfo")
    known = path.read_text(encoding="utf-8") if path.is_file() else ""
    if platform.machine() not in ("x86_64", "AMD64") or " avx2" not in known:
        return {_NATIVE: ()}
    wide: dict[str, tuple[str, ...]] = {_AVX512: ()} if " avx512f" in known else {}
    return {**wide, _AVX2: ("-march=x86-64-v3",)}


def batch_rows(comparison: Comparison, functions: Sequence[Measured]) -> Iterator[BatchRow]:
    """Each function that the robot has, by the faster compiler, in one interleaved run.

    Raises:
        RobcogenError: If a function does not compile, or gives other results than for one state.
    """
    for function in comparison.available(functions):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            meter = Meter(comparison.compilers[0], folder)
            one = comparison.candidates(function, meter, made(folder / "one"))
            many = list(_many(comparison, function, meter, made(folder / "many"), one[0]))
            hot = meter.hot([candidate.subject for candidate in (*one, *many)])
        yield _row(function.name, list(zip((*one, *many), hot, strict=True)))


def _row(function: str, measured: list[tuple[Candidate, float]]) -> BatchRow:
    fastest: dict[str, float] = {}
    for candidate, hot in measured:
        fastest[candidate.library] = min(hot, fastest.get(candidate.library, hot))
    single = fastest.pop(OURS)
    states = {name: fastest.pop(name) / STATES for name in instruction_sets()}
    theirs = dict(sorted(fastest.items(), key=lambda item: item[1]))
    return BatchRow(function, single, theirs, states)


def _many(
    comparison: Comparison, function: Measured, meter: Meter, folder: Path, single: Candidate
) -> Iterator[Candidate]:
    """The function over many states for each set of instructions, which its library is named by."""
    name = function.of(comparison.robot.floating_base)
    known = Library(comparison.robot, [name]).function(name)
    write_sources(comparison.robot, name, folder, STATES)
    rows = comparison.states.ours(known)
    needed = [argument for argument in known.inputs if not argument.optional]
    states = written(folder / "states", _blocks(rows, needed))
    expected = np.fromfile(single.subject.results).reshape(len(rows), -1)
    for set_name, options in instruction_sets().items():
        for compiler in comparison.compilers:
            output = made(folder / f"{set_name}_{compiler.name}")
            path, compiled = compile_function(folder, compiler, output, options)
            subject = Subject(path, "robot", name, states, output / "results")
            found = _first(meter.results(subject), known.outputs, len(rows))
            difference = disagreement(found, expected, function.result)
            if not difference < _AGREEMENT:
                raise RobcogenError(f"{name}: many states differ from one by {difference:.1e}")
            yield Candidate(set_name, compiler.name, subject, compiled)


def _blocks(rows: Array, arguments: Sequence[Argument]) -> Array:
    """For each state a block of many that begins with it: all of an argument, then of the next."""
    ends = np.cumsum([argument.size for argument in arguments])[:-1]
    order = (np.arange(len(rows))[:, None] + np.arange(STATES)) % len(rows)
    parts = np.split(rows[order], ends, axis=2)
    return np.hstack([part.reshape(len(rows), -1) for part in parts])


def _first(results: Array, outputs: Sequence[Argument], count: int) -> Array:
    """Of the first block's results those of the first states, a row a state."""
    ends = np.cumsum([argument.size * STATES for argument in outputs])
    parts = np.split(results[: ends[-1]], ends[:-1])
    return np.hstack([part.reshape(STATES, -1)[:count] for part in parts])
