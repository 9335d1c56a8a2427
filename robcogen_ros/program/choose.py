"""Choice of the form of a function that is generated, by counts of the candidates themselves.

Of code that is run through once, operations tell the time with warm caches, and with cold ones, in
which it comes from memory. Loops run short code again: what they take is compared as the geometric
mean of both.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from robcogen_ros.model.scalars.operation import NEGATE, OPERATIONS
from robcogen_ros.program.joint_rows import JointRows, passings
from robcogen_ros.program.leaf import PackedInput
from robcogen_ros.program.passes.vectorise import LANES, TOTAL, Vectorised
from robcogen_ros.program.program import Program
from robcogen_ros.program.sweeps.plan import Plan

_SWEPT = (
    "inverse_dynamics",
    "inverse_dynamics_fully_actuated",
    "forward_dynamics",
    "coriolis_torques",
    "generalized_momentum",
    "inertia_matrix",
    "inertia_matrix_entries",
    "articulated_inertia_matrix",
    "centroidal_momentum_matrix",
    "center_of_mass_jacobian",
    "kinetic_energy",
    "link_velocities",
    "link_accelerations",
    "inverse_dynamics_derivatives",
    "inverse_dynamics_derivatives_entries",
)
"""Functions that may be sweeps from the first to the last operation."""

IN_CONTACT = {
    "contact_forward_dynamics_derivatives": ("contact_forward_dynamics_slopes",),
    "impact_derivatives": ("impact_slopes", "restitution_slopes"),
}
"""Derivatives in contact: linear algebra in loops, after functions that these stand by."""

STEPS = {
    "inertia_factor": ("articulated_inertia_matrix",),
    "inertia_matrix_inverse": ("articulated_inertia_matrix",),
    "solve_inertia": ("articulated_inertia_matrix",),
    "forward_dynamics_derivatives": (),
    **IN_CONTACT,
}
"""All functions that may be so."""

LOOPED = (*_SWEPT, *STEPS)
"""Functions that there are loops for."""

FEWEST = 8
"""Joints that are worth loops: two rows."""

_REGISTER = 2
"""Doubles in a vector register of any machine (SSE2, NEON): wider packs take several operations."""

_MOVE = 1.5
"""Operations that it takes to put a number into a lane of a pack, or to take it out. ANYmal's link
velocities, mostly that, count 0.98 of straight-line code with it, and take 0.79 of its time with
warm caches, 1.02 with cold ones, compiled for registers of two doubles (Intel Xeon, g++ 12)."""

_CLEARLY = 0.97
"""Part of the time of straight-line code that another form may take to be worth its code: of the
1362 forms with limbs side by side of example-robot-data's robots, 27 lie between it and 1."""

_FITS = 5000
"""Statements whose code about fits the first cache of instructions, 32 kB, in which no form is
faster than straight-line code: one takes 7 bytes (Talos, G1 and iCub; g++ 12, AVX-512)."""

_ROW = 1.6
"""Operations on rows of four joints that take the time of a statement of code that does not fit,
as the geometric mean with warm and with cold caches: 1.1 to 1.7 for the forward dynamics of iCub
and derivatives of Talos, G1 and iCub."""

SHARED = 3
"""Nodes of straight-line code for each statement of limbs side by side, at most: legs of four share
one statement in about 2.6 (HyQ), and some nodes are no statements."""

MOST_NODES = 12 * _FITS
"""Nodes of straight-line code that is made at all where there are loops: over twelve times what
fits, loops take less time on any robot, and compilers take 1 s for each 5000."""

_LONGEST_USUAL = 10_000
"""Operations of a usual form up to which it has code of its own, not a call of the general form:
of TIAGo Pro's derivatives of the inverse dynamics, which have more, that halves the 12 s that
compiling takes, and costs 4 % of the time of a call."""


def straight_line(program: Program) -> float:
    """Operations of straight-line code of a program; signs count as nothing."""
    return sum(s.node.operation is not NEGATE for s in program.statements())


def vectorised(packed: Vectorised) -> float:
    """Operations of a vectorised program: limbs of equal shape, a lane each."""
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
    return operations


def is_faster(form: float, straight: float) -> bool:
    """Returns True if a form is generated for double beside straight-line code."""
    return form < _CLEARLY * straight


def worth_loops(plan: Plan | None, rows: JointRows) -> float:
    """Statements of other code from which on loops are expected to be faster.

    Args:
        plan: A function in sweeps; None for one that calls others and is linear algebra then.
        rows: The joints in rows.
    """
    if plan is None:
        return _FITS
    count = len(rows.joints)
    pairs = sum(len(passings(rows, row)) for row in range(count))
    return max(_FITS, plan.executed(count, pairs) / _ROW)


def fewest_operations(programs: Sequence[Program]) -> Program:
    """Returns the shortest of programs of a function that keep as many digits."""
    return min(programs, key=straight_line)


def forwards(usual: Program | None) -> bool:
    """Returns True if the form that most calls run forwards to that with all arguments."""
    return usual is not None and sum(1 for _ in usual.statements()) > _LONGEST_USUAL


def operation_counts(program: Program) -> dict[str, int]:
    """Returns the operations of a straight-line program by kind; signs count as nothing."""
    counts = Counter([s.node.operation for s in program.statements()])
    counted = [each for each in OPERATIONS.values() if counts[each] and each is not NEGATE]
    return {operation.name: counts[operation] for operation in counted}
