"""How programs become lines."""

import pytest

from robcogen_ros.backends.layout import layout
from robcogen_ros.backends.notation import Dialect, text, wrapped
from robcogen_ros.backends.symbols import symbols
from robcogen_ros.backends.wrap import WIDTH, statement
from robcogen_ros.backends.zeros import Zeros
from robcogen_ros.program.graph import Graph
from robcogen_ros.program.leaf import Input
from robcogen_ros.program.library import Library
from robcogen_ros.program.trace import RULES
from test.program.programs import program
from test.support.examples import example

PLAIN = Dialect(str)


@pytest.fixture
def nodes():
    graph = Graph(RULES)
    return [graph.leaf(Input("x", i)) for i in range(4)]


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda a, b, c, d: a + b * c, "a + b * c"),
        (lambda a, b, c, d: (a + b) * c, "(a + b) * c"),
        (lambda a, b, c, d: a - (b - c), "a - (b - c)"),
        (lambda a, b, c, d: a - (b + c), "a - (b + c)"),
        (lambda a, b, c, d: a / (b * c), "a / (b * c)"),
        (lambda a, b, c, d: -(a * b), "-(a * b)"),
        (lambda a, b, c, d: (a / b) / c, "a / b / c"),
    ],
)
def test_parentheses_keep_the_order_of_evaluation(nodes, build, expected):
    names = dict(zip(nodes, "abcd", strict=True))
    assert text(build(*nodes), names, PLAIN) == expected


def test_what_is_used_once_is_written_where_it_is_used():
    once = program("f", {"x": 3}, lambda g, v: {"y": [v["x"][0] * v["x"][1] + v["x"][2]]})
    laid = layout(once, frozenset(), ())
    (section,) = laid.parts[0].sections
    assert [a.outputs for a in section.assignments] == [(("y", 0),)]


def test_what_is_used_twice_is_a_variable():
    def compute(graph, v):
        square = v["x"][0] * v["x"][0]
        return {"y": [square + v["x"][1], square - v["x"][1]]}

    laid = layout(program("f", {"x": 2}, compute), frozenset({"t1"}), ())
    variables = [a.variable for s in laid.parts[0].sections for a in s.assignments if a.variable]
    assert variables == ["t1_2"]


@pytest.mark.parametrize(("turns", "parts"), [(1500, 1), (1600, 4)])
def test_long_programs_are_divided_and_hand_values_on(turns, parts):
    def compute(graph, v):
        x = v["x"][0]
        for i in range(1, turns):
            x = x * v["x"][1] + i
        return {"y": [x]}

    laid = layout(program("f", {"x": 2}, compute), frozenset(), ())
    assert len(laid.parts) == parts
    assert bool(laid.parts[0].keeps) == bool(laid.parts[-1].recalled) == (parts > 1)


@pytest.mark.parametrize("lanes", [1, 4])
def test_parts_read_what_earlier_parts_have_kept(lanes):
    def compute(graph, v):
        x = v["x"]
        values = list(x)
        for i in range(2000):
            values.append(values[-1] * x[i % 400] + values[-1 - i % 300])
        return {"y": values[-1:]}

    long = program("f", {"x": 400}, compute)
    packs = {s.node: lanes for s in long.statements()} if lanes > 1 else {}
    laid = layout(long, frozenset(), (), lanes=packs)
    kept = {}
    for part in laid.parts:
        for node, slot in part.recalled.items():
            assert [kept[place] for place in range(slot, slot + lanes)] == [node] * lanes
        for assignment in (a for section in part.sections for a in section.assignments):
            if assignment.slot is not None:
                places = range(assignment.slot, assignment.slot + lanes)
                assert not kept.keys() & {*places}
                kept.update(dict.fromkeys(places, assignment.node))
    assert len(laid.parts) > 3
    assert max(kept) < laid.work_size == len(kept)


def test_constants_and_inputs_can_be_outputs():
    echo = program("f", {"x": 1}, lambda g, v: {"y": [v["x"][0], g.node(3)]})
    (section,) = layout(echo, frozenset(), ()).parts[0].sections
    assert [a.outputs for a in section.assignments] == [(("y", 0),), (("y", 1),)]


def test_lines_break_before_operators():
    line = "const T a = " + " + ".join(f"b{i}" for i in range(40)) + ";"
    pieces = wrapped(line, "    ", 60).splitlines()
    assert all(len(piece) <= 60 for piece in pieces)
    assert "".join(piece.strip() + " " for piece in pieces).strip() == line


@pytest.mark.parametrize(("zeros", "cleared"), [(119, []), (120, [Zeros("y", 0, 300)])])
def test_outputs_with_many_zeros_are_cleared_first(zeros, cleared):
    def compute(graph, v):
        return {"y": [graph.node(0)] * zeros + [v["x"][0]] * (300 - zeros)}

    laid = layout(program("f", {"x": 1}, compute), frozenset(), (), clearing=True)
    (part,) = laid.parts
    written = {index for s in part.sections for a in s.assignments for _, index in a.outputs}
    assert part.cleared == cleared
    assert written == set(range(zeros if cleared else 0, 300))


def test_a_long_sum_is_one_expression_and_broken_between_its_terms():
    def compute(graph, v):
        total = v["x"][0] * v["x"][1]
        for k in range(2, 18, 2):
            total = total - v["x"][k] * v["x"][k + 1]
        return {"y": [total]}

    laid = layout(program("f", {"x": 18}, compute), frozenset(), ())
    (section,) = laid.parts[0].sections
    (assignment,) = section.assignments
    lines = statement("y[0]", text(assignment.node, laid.names, PLAIN)).splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= WIDTH
    assert all(line.endswith(" -") for line in lines[:-1])


def test_symbols_that_a_program_has_are_explained_and_no_others():
    said = symbols(Library(example("fancy")).derived("inverse_dynamics").general)
    assert "w angular velocity;" in said
    assert "; f net force on the link, then force through its joint" in said
    assert "IA " not in said
