"""Dead code elimination: statements that no output needs disappear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from robcogen_ros.program.program import Block, Program


def drop(program: Program, outputs: Sequence[str] | None = None) -> Program:
    """The program without what its outputs, or the named ones of them, do not need."""
    kept = tuple(o for o in program.outputs if outputs is None or o.argument.name in outputs)
    live = {node for output in kept for node in output.nodes}
    body: list[Block] = []
    for block in reversed(program.body):
        statements = []
        for statement in reversed(block.statements):
            if statement.node in live:
                statements.append(statement)
                live.update(statement.node.operands)
        body.append(Block(tuple(reversed(statements))))
    return replace(program, outputs=kept, body=tuple(reversed(body)))
