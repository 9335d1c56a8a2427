"""Specialising: inputs that are known when code is generated become constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.program.graph import Graph, Node, Rule
from robcogen_ros.program.leaf import Input, Leaf
from robcogen_ros.program.passes.drop import drop
from robcogen_ros.program.program import Program
from robcogen_ros.program.rebuild import Rebuild


def specialise(
    program: Program, bindings: Mapping[str, Sequence[Scalar]], rules: Sequence[Rule]
) -> Program:
    """The program for given values of some inputs, which it no longer takes.

    Args:
        program: Any program.
        bindings: Values of whole inputs, by name.
        rules: What to simplify while the constants spread.
    """
    graph = Graph(rules)

    def replacement(leaf: Leaf) -> Node | None:
        if isinstance(leaf, Input) and leaf.name in bindings:
            return graph.node(bindings[leaf.name][leaf.index])
        return None

    rebuild = Rebuild(graph, replacement)
    for block in program.body:
        rebuild.block(block)
    outputs = rebuild.outputs(program.outputs)
    inputs = tuple(argument for argument in program.inputs if argument.name not in bindings)
    return drop(
        replace(program, graph=graph, inputs=inputs, outputs=outputs, body=tuple(rebuild.body))
    )
