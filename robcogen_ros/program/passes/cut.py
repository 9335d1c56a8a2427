"""Cutting between stages: what is known early goes into a block that the caller keeps.

The early program fills the block (derived constants of a parametric robot, what depends on q
alone), the late one reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.leaf import Input, ParameterValue, Stage
from robcogen_ros.program.passes.drop import drop
from robcogen_ros.program.program import Block, Output, Program, Statement
from robcogen_ros.program.rebuild import Rebuild


def cut(program: Program, stage: Stage, block: str) -> tuple[Program, Program]:
    """The program up to a stage, and the program after it; arguments as in `cut_together`."""
    early, (late,) = cut_together([program], stage, block)
    return early, late


def cut_together(
    programs: Sequence[Program], stage: Stage, block: str
) -> tuple[Program, list[Program]]:
    """One program up to a stage for several programs, and what is left of each after it.

    What several of them need early is computed once. Entries of inputs stay what they are, but
    parameters go through the block, so that the late programs read no parameters.

    Args:
        programs: Any programs of one robot.
        stage: The last stage of the early program.
        block: Name of the early program's output, which is the first input of the late ones.
    """
    graph = Graph()
    body: list[Block] = []
    places: dict[Node, int] = {}
    frontiers = []
    for program in programs:
        rebuild = Rebuild(graph, body=body)
        rebuild.block(Block(tuple(s for s in program.statements() if s.node.stage <= stage)))
        frontier = {node: rebuild.node(node) for node in _frontier(program, stage)}
        frontiers.append({n: places.setdefault(new, len(places)) for n, new in frontier.items()})
    argument = Argument(block, len(places), meaning=f"values known from {stage.name.lower()}")
    inputs = {a.name: a for program in programs for a in program.inputs}
    early = Program(
        block,
        f"What is known from {stage.name.lower()}",
        graph,
        tuple(a for a in inputs.values() if Input(a.name, 0).stage <= stage),
        (Output(argument, tuple(places)),),
        tuple(body),
    )
    late = [
        _late(program, known, argument) for program, known in zip(programs, frontiers, strict=True)
    ]
    return drop(early), late


def _frontier(program: Program, stage: Stage) -> list[Node]:
    """Returns the nodes up to a stage that later operations or outputs need, without inputs."""
    used: dict[Node, None] = {}
    for statement in program.statements():
        if statement.node.stage > stage:
            used.update(dict.fromkeys(statement.node.operands))
    for output in program.outputs:
        used.update(dict.fromkeys(output.nodes))
    return [
        node
        for node in used
        if node.stage <= stage
        and (node.operation is not None or isinstance(node.leaf, ParameterValue))
    ]


def _late(program: Program, known: dict[Node, int], argument: Argument) -> Program:
    graph = Graph()
    rebuild = Rebuild(graph)
    for node, index in known.items():
        rebuild.define(node, graph.leaf(Input(argument.name, index)))
    needed = _needed(program, set(known))
    rebuild.block(Block(tuple(s for s in program.statements() if s.node in needed)))
    outputs = rebuild.outputs(program.outputs)
    inputs = (argument, *program.inputs)
    return drop(
        replace(program, graph=graph, inputs=inputs, outputs=outputs, body=tuple(rebuild.body))
    )


def _needed(program: Program, known: set[Node]) -> set[Node]:
    """Operations that the outputs need when some nodes are known already."""
    needed: set[Node] = set()
    live = {node for output in program.outputs for node in output.nodes}
    statements: list[Statement] = list(program.statements())
    for statement in reversed(statements):
        if statement.node in live and statement.node not in known:
            needed.add(statement.node)
            live.update(statement.node.operands)
    return needed
