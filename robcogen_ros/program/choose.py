"""Which form of a function is generated: counted operations and bytes of code decide.

A call with full caches takes the time of its operations; with empty ones, that of its code and its
constants to come from memory on top. Callers are of both kinds, so that forms are compared by the
geometric mean of the two.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from robcogen_ros.model.operation import NEGATE, OPERATIONS
from robcogen_ros.program.graph import PackedInput
from robcogen_ros.program.passes.side_by_side import LANES, TOTAL, SideBySide
from robcogen_ros.program.program import Program

_REGISTER = 2
"""Doubles in a vector register of any machine (SSE2, NEON): wider packs take several operations."""

_MOVE = 1.5
"""Operations that it takes to put a number into a lane of a pack, or to take it out. ANYmal's link
velocities, mostly that, count 0.98 of straight-line code with it, and take 0.79 of its time with
full caches, 1.02 with empty ones, compiled for registers of two doubles (Intel Xeon, g++ 12)."""

_OPERATION = 5.3
"""Bytes of code that an operation takes: 51 kB for 9811 of iCub's forward dynamics, g++ 12."""

_BYTE = 2.0
"""Operations that take as long as a byte of code does to come from memory: 0.18 ns, as six
functions of iCub, Talos and G1 of 20 to 654 kB do with empty caches, of 0.09 ns, on Zen 4."""

_CLEARLY = 0.97
"""Part of the time of straight-line code that another form may take to be worth its code: of the
1362 forms with limbs side by side of example-robot-data's robots, 27 lie between it and 1."""

_LONGEST_USUAL = 10_000
"""Operations of a usual form up to which it has code of its own, not a call of the general form:
of TIAGo Pro's derivatives of the inverse dynamics, which have more, that halves the 12 s that
compiling takes, and costs 4 % of the time of a call."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a call of a form takes.

    Attributes:
        operations: Operations, those of vectors counted as what they are on any machine.
        bytes: Of code and constants that it reads.
    """

    operations: float
    bytes: float

    @property
    def time(self) -> float:
        """Geometric mean of a call with full and with empty caches, in operations."""
        return math.sqrt(self.operations * (self.operations + _BYTE * self.bytes))


def straight_line(program: Program) -> Cost:
    """What straight-line code of a program takes; signs count as nothing."""
    return _of_code(sum(s.node.operation is not NEGATE for s in program.statements()))


def side_by_side(packed: SideBySide) -> Cost:
    """What limbs of equal shape take, a lane each."""
    operations = 0.0
    for node in packed.lanes:
        if isinstance(node.leaf, PackedInput):
            operations += _MOVE * packed.lanes[node]
    for statement in packed.program.statements():
        node = statement.node
        if node.operation in LANES:
            operations += _MOVE
        elif node.operation is TOTAL:
            operations += _MOVE * packed.lanes[node.operands[0]]
        elif node in packed.lanes:
            operations += math.ceil(packed.lanes[node] / _REGISTER)
        elif node.operation is not NEGATE:
            operations += 1
    return _of_code(operations)


def is_faster(form: Cost, straight: Cost) -> bool:
    """Whether a form is generated for double beside straight-line code, which any scalar takes."""
    return form.time < _CLEARLY * straight.time


def fewest_operations(programs: Sequence[Program]) -> Program:
    """Of ways to compute a function that keep as many digits, the shortest one."""
    return min(programs, key=lambda program: straight_line(program).operations)


def usual_by_general(usual: Program | None) -> bool:
    """Whether the form that most calls run is a call of that with all arguments."""
    return usual is not None and sum(1 for _ in usual.statements()) > _LONGEST_USUAL


def operation_counts(program: Program) -> dict[str, int]:
    """How many operations of each kind a straight-line program does; signs count as nothing."""
    counts = Counter([s.node.operation for s in program.statements()])
    counted = [each for each in OPERATIONS.values() if counts[each] and each is not NEGATE]
    return {operation.name: counts[operation] for operation in counted}


def _of_code(operations: float) -> Cost:
    """What code takes that is run through once."""
    return Cost(operations, _OPERATION * operations)
