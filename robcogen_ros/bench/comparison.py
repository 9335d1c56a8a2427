"""Our functions beside those of other libraries: one interleaved run, results checked first."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.bench import peers
from robcogen_ros.bench.closed_states import ClosedStates
from robcogen_ros.bench.compilers import Compiled, Compiler, compilers
from robcogen_ros.bench.generated import compile_function, write_sources
from robcogen_ros.bench.measured import CODEGEN, IN_CONTACT, MUJOCO, PINOCCHIO, WHOLE, Measured
from robcogen_ros.bench.meter import Meter, Subject, Tail
from robcogen_ros.bench.peers import Peer
from robcogen_ros.bench.robot_file import bodies, mjcf, obstacle
from robcogen_ros.bench.states import States, disagreement
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from robcogen_ros.progress import each, tell

Array = NDArray[np.float64]

OURS = "robcogen_ros"
"""Our name in tables."""

_AGREEMENT = 1e-7
_LOOPED = (PINOCCHIO, "forward_dynamics")
"""The comparison of robots with loops: with whom, of which function."""


@dataclass(frozen=True, slots=True)
class Row:
    """A function of a robot as one library computes it, in the fastest way it knows.

    Attributes:
        function: The function.
        library: Who computes it.
        way: Convention and compiler of the fastest.
        multiplications: Multiplications and divisions; None where nobody counts them.
        additions: Additions and subtractions.
        instructions: Instructions of a call; None where nothing counts them.
        hot: Nanoseconds of a call, of many in a row.
        cold: Nanoseconds of a call with cold caches.
        bytes: Code and constants.
        compile_seconds: CPU time to compile it.
        difference: How far results are from ours, relative; None of ours.
    """

    function: str
    library: str
    way: str
    multiplications: int | None
    additions: int | None
    instructions: int | None
    hot: float
    cold: float
    bytes: int | None
    compile_seconds: float | None
    difference: float | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to compute a function, ready to be measured.

    Attributes:
        library: Who computes it.
        way: Convention and compiler.
        subject: What the measuring program calls.
        compiled: What its code cost.
        counts: Multiplications and additions.
        difference: How far results are from ours, relative; None of ours.
    """

    library: str
    way: str
    subject: Subject
    compiled: Compiled | None = None
    counts: tuple[int, int] | None = None
    difference: float | None = None


class Comparison:
    """A robot's functions beside those of others.

    Attributes:
        robot: The robot.
        states: Its states to measure at.
        compilers: What code is compiled with.
        notes: What could not be compared, and why.
    """

    def __init__(self, robot: Robot, wanted: Sequence[Peer]) -> None:
        """Finds compilers and libraries.

        Args:
            robot: The robot.
            wanted: Which libraries to compare with.

        Raises:
            RobcogenError: If there is no compiler.
        """
        self.robot = robot
        self.states = ClosedStates(robot) if robot.closures else States(robot)
        self.compilers = compilers()
        self.notes: list[str] = []
        self._peers = list(self._usable(wanted))

    def rows(self, functions: Sequence[Measured]) -> Iterator[Row]:
        """Each function that the robot has: ours first, then those of others.

        Raises:
            RobcogenError: If a function is unknown, or does not compile.
        """
        for function in self.available(functions):
            with tempfile.TemporaryDirectory() as scratch:
                folder = Path(scratch)
                meter = Meter(self.compilers[0], folder)
                yield from _measured(function, self.candidates(function, meter, folder), meter)

    def tails(
        self, functions: Sequence[Measured], calls: int
    ) -> Iterator[tuple[str, tuple[Tail, Tail, Tail]]]:
        """Yields times of single calls of ours, as `Meter.tail` has them."""
        for function in self.available(functions):
            with tempfile.TemporaryDirectory() as scratch:
                folder = Path(scratch)
                meter = Meter(self.compilers[0], folder)
                ours = [c.subject for c in self._ours(function, meter, folder)]
                best = int(np.argmin(meter.hot(ours)))
                yield function.name, meter.tail([ours[best]], calls)[0]

    def slow_to_compile(self, functions: Sequence[Measured]) -> int:
        """Returns the number of files of Pinocchio to compile before functions can be measured."""
        return len(
            {
                path
                for peer in self._peers
                if peer.name in (PINOCCHIO, WHOLE)
                for function in functions
                for path in peers.uncompiled(peer, peers.ways(peer, function), self.compilers)
            }
        )

    def available(self, functions: Sequence[Measured]) -> Iterator[Measured]:
        """Yields the functions that the robot can have; notes the others."""
        for function in each(functions, "measuring", "functions", attrgetter("name")):
            name = function.of(self.robot.floating_base)
            refusals = Library(self.robot, [name]).requested.refusals()
            if not refusals:
                yield function
            for names, reason in refusals:
                self.notes.append(f"no {', '.join(names)}: {reason}")

    def _usable(self, wanted: Sequence[Peer]) -> Iterator[Peer]:
        reason = obstacle(self.robot)
        if reason and wanted:
            self.notes.append(f"not compared with others: {reason}")
            return
        for peer in wanted:
            if peer.fixed_base_only and self.robot.floating_base:
                self.notes.append(f"{peer.title}: knows no floating base")
            elif reason := peers.missing(peer, self.compilers[0]):
                self.notes.append(f"{peer.title}: not found ({peer.package}): {reason}")
            else:
                yield peer

    def candidates(self, function: Measured, meter: Meter, folder: Path) -> list[Candidate]:
        """All ways to compute a function, ours first; those of others that give our results.

        Args:
            function: The function.
            meter: What runs them.
            folder: Where to compile.

        Raises:
            RobcogenError: If ours does not compile.
        """
        ours = list(self._ours(function, meter, folder))
        results = np.fromfile(ours[0].subject.results).reshape(len(self.states), -1)
        expected = self.states.compared(function, results)
        return [*ours, *self._theirs(function, meter, folder, expected)]

    def _ours(self, function: Measured, meter: Meter, folder: Path) -> Iterator[Candidate]:
        name = function.of(self.robot.floating_base)
        library = Library(self.robot, [name])
        write_sources(self.robot, name, folder)
        states = written(folder / "states", self.states.ours(library.function(name)))
        operations = _operations(library, name)
        for compiler in self.compilers:
            tell(f"{function.name}, {OURS}, {compiler.name}")
            output = make_folder(folder / compiler.name)
            path, compiled = compile_function(folder, compiler, output)
            subject = Subject(path, "robot", name, states, output / "results")
            meter.results(subject)
            yield Candidate(OURS, compiler.name, subject, compiled, operations)

    def _theirs(
        self, function: Measured, meter: Meter, folder: Path, expected: Array
    ) -> Iterator[Candidate]:
        for peer in self._peers:
            ways = self._ways(peer, function, folder)
            peers.compile_ahead(peer, ways, self.compilers)
            for way in ways:
                for compiler in self.compilers:
                    tell(f"{function.name}, {peer.title}, {way}, {compiler.name}")
                    output = make_folder(folder / f"{peer.name}_{way}_{compiler.name}")
                    try:
                        found = self._one(peer, function, way, compiler, output)
                        difference = self._difference(peer, function, meter, found, expected)
                    except RobcogenError as error:
                        self.notes.append(f"{peer.title}, {way}: {error}")
                        break
                    if difference < _AGREEMENT:
                        yield replace(found, difference=difference)
                        continue
                    self.notes.append(f"{peer.title}, {way}: differs by {difference:.1e}")

    def _ways(self, peer: Peer, function: Measured, folder: Path) -> Sequence[str]:
        """Returns a library's ways to compute a function; of generated code, the shortest."""
        known = peers.ways(peer, function)
        if self.robot.closures:
            return IN_CONTACT[:1] if (peer.name, function.name) == _LOOPED else ()
        if peer.name != CODEGEN or not known:
            return known
        robot = folder / "robot"
        robot.write_text(bodies(self.robot), encoding="utf-8")

        def operations(way: str) -> int:
            source = peers.generated_code(peer, way, robot, self.compilers[0], folder)
            return sum(peers.counted(source))

        try:
            return [min(known, key=operations)]
        except RobcogenError as error:
            self.notes.append(f"{peer.title}, {function.name}: {error}")
            return ()

    def _one(
        self, peer: Peer, function: Measured, way: str, compiler: Compiler, output: Path
    ) -> Candidate:
        mujoco = peer.name == MUJOCO
        robot = output / "robot"
        robot.write_text((mjcf if mujoco else bodies)(self.robot), encoding="utf-8")
        states = written(output / "states", self.states.theirs(function, mujoco))
        name = f"{way}, {compiler.name}"
        if peer.name != CODEGEN:
            library = peers.side(peer, compiler, way)
            subject = Subject(library, str(robot), way, states, output / "results")
            return Candidate(peer.title, name, subject)
        source = peers.generated_code(peer, way, robot, self.compilers[0], output.parent)
        library, compiled = peers.compile_generated(source, compiler, output)
        subject = Subject(library, str(robot), way, states, output / "results")
        return Candidate(peer.title, name, subject, compiled, peers.counted(source))

    def _difference(
        self, peer: Peer, function: Measured, meter: Meter, found: Candidate, expected: Array
    ) -> float:
        raw = meter.results(found.subject).reshape(len(self.states), -1)
        theirs = self.states.result(function, raw, peer.name == MUJOCO)
        return disagreement(expected, theirs, function.result)


def _operations(library: Library, name: str) -> tuple[int, int]:
    """Multiplications and additions of a function."""
    counts = library.operations(name)
    return (
        counts.get("multiply", 0) + counts.get("divide", 0),
        counts.get("add", 0) + counts.get("subtract", 0),
    )


def _measured(function: Measured, candidates: Sequence[Candidate], meter: Meter) -> Iterator[Row]:
    """The fastest way of each library."""
    subjects = [candidate.subject for candidate in candidates]
    tell(f"{function.name}, {len(subjects)} ways")
    hot, cold, instructions = (
        meter.hot(subjects),
        meter.cold(subjects),
        meter.instructions(subjects),
    )
    for library in dict.fromkeys(candidate.library for candidate in candidates):
        its = [i for i, candidate in enumerate(candidates) if candidate.library == library]
        best = min(its, key=lambda i: hot[i])
        fastest = candidates[best]
        counts = [c for c in (candidates[i].counts for i in its) if c is not None]
        multiplications, additions = min(counts, key=sum) if counts else (None, None)
        yield Row(
            function.name,
            library,
            fastest.way,
            multiplications,
            additions,
            min((n for n in (instructions[i] for i in its) if n is not None), default=None),
            hot[best],
            min(cold[i] for i in its),
            fastest.compiled.bytes if fastest.compiled else None,
            fastest.compiled.seconds if fastest.compiled else None,
            fastest.difference,
        )


def make_folder(path: Path) -> Path:
    """A folder, which is there then."""
    path.mkdir(parents=True, exist_ok=True)
    return path


def written(path: Path, values: Array) -> Path:
    """A file of numbers, one after the other."""
    np.ascontiguousarray(values).tofile(path)
    return path
