"""Small programs to try passes on."""

import numpy as np

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.program.graph import Graph
from robcogen_ros.program.leaf import Input
from robcogen_ros.program.program import Block, Output, Program, Statement
from robcogen_ros.program.trace import RULES


def program(name, sizes, compute, graph=None):
    """The program of `compute(graph, inputs) -> {output: nodes}`, inputs by name and size."""
    graph = graph or Graph(RULES)
    inputs = {key: [graph.leaf(Input(key, i)) for i in range(n)] for key, n in sizes.items()}
    results = compute(graph, inputs)
    statements = tuple(Statement(node) for node in graph.nodes if node.operation)
    return Program(
        name,
        f"{name} of a test",
        graph,
        tuple(Argument(key, n) for key, n in sizes.items()),
        tuple(Output(Argument(key, len(nodes)), tuple(nodes)) for key, nodes in results.items()),
        (Block(statements),),
    )


def assert_operands_first(of):
    """Operands are known where they are used."""
    known = set()
    for statement in of.statements():
        assert all(o.operation is None or o in known for o in statement.node.operands)
        known.add(statement.node)


def some_inputs(of):
    """Values of the inputs of a program, the same each time."""
    random = np.random.default_rng(2)
    return {a.name: list(random.uniform(-2, 2, a.size)) for a in of.inputs}
