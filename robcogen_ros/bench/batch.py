"""Many states a call: what a state takes, beside a call of Pinocchio's for one."""

from __future__ import annotations

import platform
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.bench.comparison import OURS, Candidate, Comparison, make_folder, written
from robcogen_ros.bench.generated import compile_function, write_sources
from robcogen_ros.bench.measured import Measured
from robcogen_ros.bench.meter import Meter, Subject
from robcogen_ros.bench.states import disagreement
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.columns import column_distance

Array = NDArray[np.float64]

STATES = 64
"""States of a call where none are asked for: what a thread takes at least, and what fits a cache
for any robot."""

_AGREEMENT = 1e-11
_NATIVE = "native"
_AVX512, _AVX2 = "AVX-512", "AVX2"
_ROWS, _COLUMNS = "rows", "columns"


@dataclass(frozen=True, slots=True)
class BatchRow:
    """A function over many states, one core.

    Attributes:
        function: The function.
        count: How many states a call takes.
        single: Nanoseconds of our call for one state.
        theirs: Nanoseconds of a call of each other library for one state, the fastest first.
        states: For each of `ways()`, nanoseconds a state of our call for many.
    """

    function: str
    count: int
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


def ways() -> dict[str, str]:
    """Returns our ways of calling for many states, with the set of instructions of each.

    A state's numbers follow one another, or lie in columns: a number of all states, then the next.
    """
    return {way: name for name in instruction_sets() for way in (name, _in_columns(name))}


def _in_columns(name: str) -> str:
    return f"{name}, {_COLUMNS}"


def batch_rows(
    comparison: Comparison, functions: Sequence[Measured], count: int = STATES
) -> Iterator[BatchRow]:
    """Each function that the robot has, by the faster compiler, in one interleaved run.

    Args:
        comparison: The robot, and what it is compared with.
        functions: The functions.
        count: How many states a call takes.

    Raises:
        RobcogenError: If a function does not compile, or gives other results than for one state.
    """
    for function in comparison.available(functions):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            meter = Meter(comparison.compilers[0], folder)
            one = comparison.candidates(function, meter, make_folder(folder / "one"))
            blocks = _Blocks.of(comparison, function, count)
            many = list(
                _many(comparison, function, meter, make_folder(folder / "many"), one[0], blocks)
            )
            hot = meter.hot([candidate.subject for candidate in (*one, *many)])
        yield _row(function.name, count, list(zip((*one, *many), hot, strict=True)))


def _row(function: str, count: int, measured: list[tuple[Candidate, float]]) -> BatchRow:
    fastest: dict[str, float] = {}
    for candidate, hot in measured:
        fastest[candidate.library] = min(hot, fastest.get(candidate.library, hot))
    single = fastest.pop(OURS)
    states = {way: fastest.pop(way) / count for way in ways()}
    theirs = dict(sorted(fastest.items(), key=lambda item: item[1]))
    return BatchRow(function, count, single, theirs, states)


@dataclass(frozen=True, slots=True)
class _Blocks:
    """States of calls for many: for each state a block that begins with it.

    Attributes:
        function: The function.
        rows: Its inputs, a row a state.
        count: How many states a block has.
    """

    function: Function
    rows: Array
    count: int

    @classmethod
    def of(cls, comparison: Comparison, function: Measured, count: int) -> _Blocks:
        """The states of a comparison."""
        name = function.of(comparison.robot.floating_base)
        known = Library(comparison.robot, [name]).function(name)
        return cls(known, comparison.states.ours(known), count)

    @property
    def order(self) -> NDArray[np.intp]:
        """The states of each block, a row a block."""
        states = len(self.rows)
        return (np.arange(states)[:, None] + np.arange(self.count)) % states

    def given(self, way: str) -> Array:
        """A row a block: all of an argument, then of the next, in as much room as columns take."""
        needed = [argument.size for argument in self.function.inputs if not argument.optional]
        parts = np.split(self.rows[self.order], np.cumsum(needed)[:-1], axis=2)
        return np.hstack([self._laid_out(part, way) for part in parts])

    def _laid_out(self, part: Array, way: str) -> Array:
        """An argument (blocks, states, numbers) of all blocks, a row a block."""
        blocks, _, size = part.shape
        distance = column_distance(self.count)
        room = np.zeros((blocks, size, distance))
        if way == _COLUMNS:
            room[:, :, : self.count] = part.swapaxes(1, 2)
        else:
            room.reshape(blocks, -1)[:, : size * self.count] = part.reshape(blocks, -1)
        return room.reshape(blocks, -1)

    def found(self, results: Array, way: str) -> Array:
        """Results of all blocks, a row a state."""
        sizes = [output.size for output in self.function.outputs]
        distance = column_distance(self.count)
        ends = np.cumsum(sizes) * distance
        parts = np.split(results.reshape(-1, ends[-1]), ends[:-1], axis=1)
        if way == _COLUMNS:
            turned = [part.reshape(len(part), -1, distance) for part in parts]
            blocks = [part.swapaxes(1, 2)[:, : self.count] for part in turned]
        else:
            rows = [part[:, : size * self.count] for part, size in zip(parts, sizes, strict=True)]
            blocks = [part.reshape(len(part), self.count, -1) for part in rows]
        return np.concatenate(blocks, axis=2).reshape(-1, sum(sizes))


def _many(
    comparison: Comparison,
    function: Measured,
    meter: Meter,
    folder: Path,
    single: Candidate,
    blocks: _Blocks,
) -> Iterator[Candidate]:
    """The function over many states for each set of instructions, which its library is named by."""
    name = blocks.function.name
    write_sources(comparison.robot, name, folder, blocks.count)
    folders = {way: make_folder(folder / way) for way in (_ROWS, _COLUMNS)}
    states = {way: written(path / "states", blocks.given(way)) for way, path in folders.items()}
    results = np.fromfile(single.subject.results).reshape(len(blocks.rows), -1)
    expected = results[blocks.order.reshape(-1)]
    for set_name, options in instruction_sets().items():
        for compiler in comparison.compilers:
            output = make_folder(folder / f"{set_name}_{compiler.name}")
            path, compiled = compile_function(folder, compiler, output, options)
            for way, own_states in states.items():
                subject = Subject(path, way, name, own_states, output / f"results_{way}")
                found = blocks.found(meter.results(subject), way)
                difference = disagreement(found, expected, function.result)
                if not difference < _AGREEMENT:
                    raise RobcogenError(f"{name}: many states differ from one by {difference:.1e}")
                title = set_name if way == _ROWS else _in_columns(set_name)
                yield Candidate(title, compiler.name, subject, compiled)
