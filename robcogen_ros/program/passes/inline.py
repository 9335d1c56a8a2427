"""Inlining: calls and loops become the statements they stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from robcogen_ros.program.graph import Graph, Input, Leaf, Literal, Node, Result, Rule, TableEntry
from robcogen_ros.program.passes.drop import drop
from robcogen_ros.program.program import Block, Call, Loop, Program
from robcogen_ros.program.rebuild import Rebuild


def inline(program: Program, rules: Sequence[Rule] = ()) -> Program:
    """The same program made of blocks only, simplified by rules on the way."""
    if program.is_straight_line:
        return program
    graph = Graph(rules)
    results: dict[tuple[int, int, str, int], Node] = {}

    def replacement(leaf: Leaf) -> Node | None:
        if isinstance(leaf, Result):
            return results[leaf.region, leaf.instance, leaf.name, leaf.index]
        return None

    rebuild = Rebuild(graph, replacement)
    for region in program.body:
        if isinstance(region, Block):
            rebuild.block(region)
        elif isinstance(region, Call):
            _inline_call(region, rebuild, results)
        else:
            _inline_loop(region, rebuild, results)
    outputs = rebuild.outputs(program.outputs)
    return drop(replace(program, graph=graph, outputs=outputs, body=tuple(rebuild.body)))


def _inline_call(
    call: Call, rebuild: Rebuild, results: dict[tuple[int, int, str, int], Node]
) -> None:
    for k, instance in enumerate(call.instances):
        inputs = {name: [rebuild.node(n) for n in nodes] for name, nodes in instance.items()}
        tables = {name: rows[k] for name, rows in call.tables.items()}
        for name, nodes in _expand(call.subprogram, rebuild, inputs, tables).items():
            for i, node in enumerate(nodes):
                results[call.number, k, name, i] = node


def _inline_loop(
    loop: Loop, rebuild: Rebuild, results: dict[tuple[int, int, str, int], Node]
) -> None:
    values = {name: [rebuild.node(n) for n in nodes] for name, nodes in loop.inputs.items()}
    for turn in range(loop.count):
        tables = {name: rows[turn] for name, rows in loop.tables.items()}
        values = {**values, **_expand(loop.subprogram, rebuild, values, tables)}
    for output in loop.subprogram.outputs:
        name = output.argument.name
        for i, node in enumerate(values[name]):
            results[loop.number, 0, name, i] = node


def _expand(
    subprogram: Program,
    rebuild: Rebuild,
    inputs: Mapping[str, Sequence[Node]],
    tables: Mapping[str, Sequence[Decimal]],
) -> dict[str, list[Node]]:
    """Write one instance of a subprogram into the rebuilt body; the nodes of its outputs."""

    def replacement(leaf: Leaf) -> Node | None:
        if isinstance(leaf, Input):
            return inputs[leaf.name][leaf.index]
        if isinstance(leaf, TableEntry):
            return rebuild.graph.leaf(Literal(tables[leaf.table][leaf.index]))
        return None

    instance = Rebuild(rebuild.graph, replacement, rebuild.body)
    flat = inline(subprogram)
    for region in flat.body:
        instance.region(region)
    return {
        output.argument.name: [instance.node(node) for node in output.nodes]
        for output in flat.outputs
    }
