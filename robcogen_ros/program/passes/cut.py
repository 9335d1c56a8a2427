"""Cutting between stages: what is known early goes into a block that the caller keeps.

The early program fills the block (derived constants of a parametric robot, what depends on q
alone), the late one reads it.
"""

from __future__ import annotations

from dataclasses import replace

from robcogen_ros.algorithms.function import Argument
from robcogen_ros.program.graph import Graph, Input, Node, Stage
from robcogen_ros.program.passes.drop import drop
from robcogen_ros.program.passes.inline import inline
from robcogen_ros.program.program import Block, Output, Program, Statement
from robcogen_ros.program.rebuild import Rebuild


def cut(program: Program, stage: Stage, block: str) -> tuple[Program, Program]:
    """The program up to a stage, and the program after it.

    Args:
        program: Any program.
        stage: The last stage of the early program.
        block: Name of the early program's output, which is an input of the late one.
    """
    flat = inline(program)
    frontier = _frontier(flat, stage)
    argument = Argument(block, len(frontier), meaning=f"values known from {stage.name.lower()}")
    early = drop(
        replace(
            flat,
            name=f"{flat.name}_{block}",
            inputs=tuple(a for a in flat.inputs if Input(a.name, 0).stage <= stage),
            outputs=(Output(argument, tuple(frontier)),),
        )
    )
    return early, _late(flat, frontier, argument)


def _frontier(program: Program, stage: Stage) -> list[Node]:
    """Operations of the stage or before it that later ones, or the outputs, need."""
    used: dict[Node, None] = {}
    for statement in program.statements():
        if statement.node.stage > stage:
            used.update(dict.fromkeys(statement.node.operands))
    for output in program.outputs:
        used.update(dict.fromkeys(output.nodes))
    return [node for node in used if node.operation is not None and node.stage <= stage]


def _late(program: Program, frontier: list[Node], argument: Argument) -> Program:
    graph = Graph()
    rebuild = Rebuild(graph)
    for index, node in enumerate(frontier):
        rebuild.define(node, graph.leaf(Input(argument.name, index)))
    needed = _needed(program, set(frontier))
    rebuild.block(Block(tuple(s for s in program.statements() if s.node in needed)))
    outputs = rebuild.outputs(program.outputs)
    inputs = (*program.inputs, argument)
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
