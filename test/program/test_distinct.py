"""Each entry of the outputs once: what is left, and where every entry is found again."""

import numpy as np

from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from robcogen_ros.program.passes.distinct import distinct
from test.program.programs import program
from test.support.examples import example


def entries(found, inputs):
    """The outputs as they were, from the values that are left."""
    results = interpret(found.program, inputs)
    values = [float(value) for value in found.constants]
    for output in found.program.outputs:
        values += list(results[output.argument.name])
    assert len(values) == found.size
    return [[values[place] for place in places] for places in found.places]


def test_entries_that_are_alike_or_constant_are_given_once():
    def compute(graph, inputs):
        x, y = inputs["x"]
        return {"a": [x + y, graph.node(0), x + y, graph.node(2)], "b": [x * y, graph.node(0)]}

    found = distinct(program("f", {"x": 2}, compute))
    assert [output.argument.size for output in found.program.outputs] == [1, 1]
    assert (found.size, found.first) == (4, (2, 3))
    assert entries(found, {"x": [3.0, 5.0]}) == [[8.0, 0.0, 8.0, 2.0], [15.0, 0.0]]


def test_nothing_changes_but_the_number_of_entries():
    whole = Library(example("quadruped"), ["inertia_matrix"]).entry("inertia_matrix").general
    found = distinct(whole)
    (H,) = whole.outputs
    different = {
        frozenset(divmod(i, H.argument.rows)) for i, n in enumerate(H.nodes) if n.operation
    }
    assert found.program.outputs[0].argument.size <= len(different) < H.argument.size / 2
    q = {"q": np.random.default_rng(1).uniform(-2, 2, whole.inputs[0].size)}
    assert np.array_equal(entries(found, q)[0], interpret(whole, q)["H"])
