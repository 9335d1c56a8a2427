"""Sharing: what several functions need of one state is computed once and kept.

A block of positions holds what follows from q, one of velocities what follows from qd too, both
only as far as two or more functions need it; each function goes on from there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.leaf import Input, Stage
from robcogen_ros.program.passes.drop import drop
from robcogen_ros.program.program import Block, Output, Program, Statement
from robcogen_ros.program.rebuild import Rebuild

POSITIONS, VELOCITIES = "positions", "velocities"
"""Names of the blocks."""


@dataclass(frozen=True, slots=True)
class Shared:
    """Functions divided into what they share and what each does alone.

    Attributes:
        positions: Fills the block of positions, from q.
        velocities: Fills the block of velocities, from qd and the block of positions.
        reads: For each function, what is left of it; both blocks stand for the state.
        others: The same of other forms of some functions.
    """

    positions: Program
    velocities: Program
    reads: Mapping[str, Program]
    others: Mapping[str, Program]


def share(programs: Mapping[str, Program], others: Mapping[str, Program] | None = None) -> Shared:
    """Divides functions of the same state.

    Args:
        programs: Programs of one robot, by name, each that of another function.
        others: Other forms of some of these functions; they use what is shared, but what these
            alone need is not.
    """
    pairs = [*programs.items(), *(others or {}).items()]
    united = _united([program for _, program in pairs])
    common = _common(united, len(programs))
    inputs = {a.name: a for _, program in pairs for a in program.inputs}
    constants = tuple(a for a in inputs.values() if Input(a.name, 0).stage <= Stage.PARAMETERS)
    known: dict[Node, Input] = {}
    taken = constants
    updates = []
    for name, stage in ((POSITIONS, Stage.Q), (VELOCITIES, Stage.QD)):
        nodes = _frontier(united, {node for node in common if node.stage <= stage}, stage)
        block = Argument(name, len(nodes), meaning=f"what functions share of the {name}")
        own = (argument for argument in inputs.values() if Input(argument.name, 0).stage == stage)
        summary = f"What several functions need of the {name}, for a state"
        output = (Output(block, tuple(nodes)),)
        updates.append(_rest(united, f"update_{name}", summary, (*taken, *own), output, known))
        known |= {node: Input(name, index) for index, node in enumerate(nodes)}
        taken = (*taken, block)
    reads = []
    for (name, program), outputs in zip(pairs, united.outputs, strict=True):
        later = (a for a in program.inputs if Input(a.name, 0).stage > Stage.QD)
        read = _rest(united, name, program.summary, (*taken, *later), outputs, known)
        reads.append((name, read))
    positions, velocities = updates
    first, rest = reads[: len(programs)], reads[len(programs) :]
    return Shared(positions, velocities, dict(first), dict(rest))


@dataclass(frozen=True, slots=True)
class _United:
    """Several programs in one graph: all statements, and the outputs of each."""

    statements: tuple[Statement, ...]
    outputs: tuple[tuple[Output, ...], ...]


def _united(programs: Sequence[Program]) -> _United:
    graph = Graph()
    body: list[Block] = []
    outputs = []
    for program in programs:
        rebuild = Rebuild(graph, body=body)
        for block in program.body:
            rebuild.block(block)
        outputs.append(rebuild.outputs(program.outputs))
    return _United(tuple(s for block in body for s in block.statements), tuple(outputs))


def _common(united: _United, count: int) -> set[Node]:
    """Operations that two or more of the first programs need, known from the state."""
    users: Counter[Node] = Counter()
    for outputs in united.outputs[:count]:
        users.update(_needed(united.statements, outputs, ()))
    return {node for node, count in users.items() if count > 1 and node.stage <= Stage.QD}


def _frontier(united: _United, early: set[Node], stage: Stage) -> list[Node]:
    """Returns the nodes known exactly from a stage that later nodes or results use."""
    used: dict[Node, None] = {}
    for statement in united.statements:
        if statement.node not in early:
            used.update(dict.fromkeys(statement.node.operands))
    for outputs in united.outputs:
        used.update(dict.fromkeys(node for output in outputs for node in output.nodes))
    return [
        node
        for node in used
        if node.stage == stage and (node in early or isinstance(node.leaf, Input))
    ]


def _rest(
    united: _United,
    name: str,
    summary: str,
    inputs: tuple[Argument, ...],
    outputs: tuple[Output, ...],
    known: Mapping[Node, Input],
) -> Program:
    """The program of some outputs, where some nodes are inputs."""
    graph = Graph()
    rebuild = Rebuild(graph)
    for node, leaf in known.items():
        rebuild.define(node, graph.leaf(leaf))
    needed = _needed(united.statements, outputs, known)
    rebuild.block(Block(tuple(s for s in united.statements if s.node in needed)))
    results = rebuild.outputs(outputs)
    return drop(Program(name, summary, graph, inputs, results, tuple(rebuild.body)))


def _needed(
    statements: Sequence[Statement], outputs: Iterable[Output], known: Iterable[Node]
) -> set[Node]:
    """Operations that outputs need when some nodes are known already."""
    live = {node for output in outputs for node in output.nodes}
    done = set(known)
    needed = set()
    for statement in reversed(statements):
        if statement.node in live and statement.node not in done:
            needed.add(statement.node)
            live.update(statement.node.operands)
    return needed
