"""Uniting: several programs become one, which computes what they share once."""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.program.graph import Graph, Rule
from robcogen_ros.program.passes.drop import drop
from robcogen_ros.program.passes.inline import inline
from robcogen_ros.program.program import Output, Program, Region
from robcogen_ros.program.rebuild import Rebuild


def unite(name: str, programs: Sequence[Program], rules: Sequence[Rule]) -> Program:
    """One program with the outputs of all; inputs of the same name are the same input."""
    graph = Graph(rules)
    body: list[Region] = []
    outputs: list[Output] = []
    for program in programs:
        rebuild = Rebuild(graph, body=body)
        flat = inline(program, rules)
        for region in flat.body:
            rebuild.region(region)
        outputs += rebuild.outputs(flat.outputs)
    inputs = {argument.name: argument for program in programs for argument in program.inputs}
    summary = "; ".join(program.summary for program in programs)
    return drop(Program(name, summary, graph, tuple(inputs.values()), tuple(outputs), tuple(body)))
