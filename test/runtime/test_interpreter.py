"""The interpreter computes what NumPy does, to the last bit; sines are those of the C library."""

import copy
import math
import pickle
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import robcogen_ros
from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.program.graph import Graph as Numbers
from robcogen_ros.backends.program.graph import graph_of
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.scalars.operation import OPERATIONS, SQRT
from robcogen_ros.program.graph import Graph
from robcogen_ros.program.leaf import Input
from robcogen_ros.program.library import Library
from robcogen_ros.program.program import Block, Output, Program, Statement
from robcogen_ros.runtime.evaluators.interpreter import Code, interpreter
from test.support.examples import example, example_path, free_leg
from test.support.operations import evaluated, reference

pytestmark = pytest.mark.slow

FEET = ("LF_foot", "RF_foot", "LH_foot:pose")


def assert_equal(found, expected):
    assert found.keys() == expected.keys()
    for name, values in found.items():
        np.testing.assert_array_equal(values, expected[name], err_msg=name)
        numbers = ~np.isnan(values)
        signs = np.signbit(values), np.signbit(expected[name])
        np.testing.assert_array_equal(signs[0][numbers], signs[1][numbers], err_msg=name)


@pytest.fixture(scope="module")
def library():
    return interpreter()


@pytest.mark.parametrize(
    ("name", "options"),
    [("hyl", {}), ("quadruped", {}), ("quadruped", {"contacts": FEET}), ("hyl", {"parameters": 1})],
)
def test_all_functions_of_robots_are_numpys_to_the_last_bit(name, options, library):
    if "parameters" in options:
        options = {"parameters": ["lowerleg.mass", "upperleg.com.x", "KFE.origin.x"]}
    functions = ["all"] if "contacts" in options else ["all", "derivatives"]
    robot = Library(example(name, **options), functions)
    parameters = [(p.name, float(p.default) * 1.1) for p in robot.robot.parameters]
    random = np.random.default_rng(5)
    for function in robot.names:
        entry = robot.entry(function)
        for program in filter(None, (entry.general, entry.usual)):
            inputs = {a.name: random.uniform(-1, 1, a.size) for a in program.inputs}
            code = Code(library, graph_of(program, tuple(name for name, _ in parameters)))
            given = {**inputs, "parameters": [value for _, value in parameters]}
            assert_equal(evaluated(code, given), reference(program, inputs, parameters))


ODD = [0.0, -0.0, 1.0, -1.0, 1e-320, 1e308, math.inf, -math.inf, math.nan]
NUMBERS = st.sampled_from(ODD) | st.floats(-10, 10)


@st.composite
def programs(draw):
    """Any operations on three inputs and some constants; any nodes are results."""
    graph = Graph()
    nodes = [graph.leaf(Input("x", i)) for i in range(3)]
    nodes += [graph.node(value) for value in draw(st.lists(st.integers(-3, 3), max_size=4))]
    for _ in range(draw(st.integers(0, 40))):
        operation = draw(st.sampled_from(list(OPERATIONS.values())))
        operands = [draw(st.sampled_from(nodes)) for _ in range(operation.arity)]
        nodes.append(graph.operate(operation, operands))
    results = [
        Output(Argument(f"y{i}", len(picked)), tuple(picked))
        for i, picked in enumerate(draw(st.lists(st.lists(st.sampled_from(nodes)), max_size=3)))
    ]
    body = (Block(tuple(Statement(n) for n in graph.nodes if n.operation)),)
    return Program("f", "", graph, (Argument("x", 3),), tuple(results), body)


@settings(max_examples=120)
@given(programs(), st.lists(NUMBERS, min_size=3, max_size=3))
def test_any_program(library, program, x):
    code = Code(library, graph_of(program))
    assert_equal(evaluated(code, {"x": x}), reference(program, {"x": x}))


def test_values_that_go_through_many_windows_stay(library):
    graph = Graph()
    first = graph.leaf(Input("x", 0))
    chain, kept = first, []
    for i in range(5000):
        chain = graph.operate(OPERATIONS[("add", "multiply", "subtract")[i % 3]], (chain, first))
        chain = graph.operate(SQRT, (graph.operate(OPERATIONS["multiply"], (chain, chain)),))
        kept += [chain] if i % 7 == 0 else []
    total = kept[0]
    for node in kept[1:]:
        total = graph.operate(OPERATIONS["add"], (total, node))
    body = (Block(tuple(Statement(n) for n in graph.nodes if n.operation)),)
    outputs = (Output(Argument("y", 1), (total,)), Output(Argument("kept", len(kept)), (*kept,)))
    program = Program("f", "", graph, (Argument("x", 1),), outputs, body)
    found = evaluated(Code(library, graph_of(program)), {"x": [0.7]})
    assert_equal(found, reference(program, {"x": [0.7]}))


def numbers(nodes, entries=((0, 0, 0),), arguments=(("x", 2),), results=(("y", 1),)):
    return Numbers(
        np.array(nodes, np.uint32),
        np.array([1.0]),
        arguments,
        results,
        np.array(entries, np.uint32).reshape(-1, 3),
    )


@pytest.mark.parametrize(
    ("graph", "reason"),
    [
        (numbers([(12, 0, 0, 0)]), "an unknown operation"),
        (numbers([(0, 1, 0, 0)]), "an input is of no argument"),
        (numbers([(0, 0, 2, 0)]), "an input lies beyond its argument"),
        (numbers([(1, 1, 0, 0)]), "a constant is missing"),
        (numbers([(1, 0, 0, 0), (2, 0, 1, 0)]), "an operand does not come before its operation"),
        (numbers([(1, 0, 0, 0)], [(0, 0, 1)]), "an entry of a result is no node"),
        (numbers([(1, 0, 0, 0)], [(1, 0, 0)]), "an entry is of no result"),
        (numbers([(1, 0, 0, 0)], [(0, 1, 0)]), "an entry lies beyond its result"),
    ],
)
def test_wrong_graphs_are_refused(library, graph, reason):
    with pytest.raises(RobcogenError, match=reason):
        Code(library, graph)


def test_more_values_than_registers_are_refused(library):
    count = 70_000
    nodes = [(0, 0, i, 0) for i in range(count)]
    entries = [(0, i, i) for i in range(count)]
    graph = numbers(nodes, entries, (("x", count),), (("y", count),))
    with pytest.raises(RobcogenError, match="more than 65536 values at a time; use backend='cpp'"):
        Code(library, graph)


@pytest.fixture(scope="module")
def robots(tmp_path_factory):
    path = free_leg(tmp_path_factory.mktemp("leg"))
    return [
        robcogen_ros.build(path, backend=backend, floating_base=True, parameters=["lowerleg.mass"])
        for backend in ("interpreter", "numpy")
    ]


@pytest.mark.parametrize("batch", [(), (3,), (2, 9), (300,)])
@pytest.mark.parametrize("forces", [(), (4, 6), "batch"])
def test_batches(robots, batch, forces):
    random = np.random.default_rng(1)
    shapes = {"q": 3, "qd": 3, "tau": 3, "base_velocity": 6}
    given = {name: random.normal(size=(*batch, n)) for name, n in shapes.items()}
    given["gravity"] = random.normal(size=3)
    if forces:
        shape = (*batch, 4, 6) if forces == "batch" else forces
        given["external_forces"] = random.normal(size=shape)
    for mass in (1.0, 2.0):
        for robot in robots:
            robot.parameters["lowerleg.mass"] = mass
        found, expected = (robot.forward_dynamics(**given) for robot in robots)
        for ours, numpys in zip(found, expected, strict=True):
            assert ours.shape == numpys.shape
            np.testing.assert_allclose(ours, numpys, rtol=1e-11, atol=1e-11)
        if batch == (300,):
            robots[0]._evaluator.threads = 2
            for ours, other in zip(found, robots[0].forward_dynamics(**given), strict=True):
                np.testing.assert_array_equal(ours, other)
            robots[0]._evaluator.threads = 1


def test_many_states_are_computed_as_single_ones_are(robots):
    q = np.random.default_rng(2).normal(size=(19, 3))
    together = robots[0].inertia_matrix(q)
    np.testing.assert_array_equal(together, [robots[0].inertia_matrix(each) for each in q])


def test_copies_and_pickles(robots):
    robot = robots[0]
    q = [0.1, 0.2, 0.3]
    for other in (copy.copy(robot), copy.deepcopy(robot), pickle.loads(pickle.dumps(robot))):
        np.testing.assert_array_equal(other.inertia_matrix(q), robot.inertia_matrix(q))


def test_errors_are_those_of_other_backends(robots):
    for robot in robots:
        with pytest.raises(ValueError, match=r"q: expected shape \(\.\.\., 3\), found"):
            robot.inertia_matrix([0.0, 0.0])
        with pytest.raises(RobcogenError, match="was generated without inertia_matrx"):
            robot.evaluate("inertia_matrx", q=[0, 0, 0])
    with pytest.raises(RobcogenError, match="the ground is compiled: use backend='cpp'"):
        robcogen_ros.build(
            example_path("quadruped"), backend="interpreter", ground=True, contacts=FEET
        )
    with pytest.raises(ValueError, match="expected 'cpp', 'interpreter' or 'numpy', found 'x'"):
        robcogen_ros.build(example_path("hyl"), backend="x")


def test_contacts_are_closed_by_name():
    robot = robcogen_ros.build(example_path("quadruped"), backend="interpreter", contacts=FEET)
    state = ([0.3, -0.6, 1.1] * 4, [0.0] * 12, [0.0] * 12, [0.0] * 6, [0, 0, -9.81])
    found = robot.contact_forward_dynamics(*state, contact=["LH_foot:pose", "LF_foot"])
    expected = robot.contact_forward_dynamics(*state, contact=[1, 0, 1])
    for ours, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours, other)
    message = r"contact: unknown contact 'LF_fot'; did you mean 'LF_foot'\? \(contacts: LF_foot"
    with pytest.raises(ValueError, match=message):
        robot.contact_forward_dynamics(*state, contact=["LF_fot"])


def test_numpy_computes_where_there_is_no_interpreter(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.setattr(sys.modules[Code.__module__], "_NAME", "no-such-library")
    interpreter.cache_clear()
    with pytest.warns(UserWarning, match="NumPy stands for .*CC names 'no-such-compiler'"):
        robot = robcogen_ros.build(example_path("hyl"), backend="interpreter")
    other = robcogen_ros.build(example_path("hyl"), backend="numpy")
    q = [0.1, 0.2, 0.3]
    np.testing.assert_array_equal(robot.inertia_matrix(q), other.inertia_matrix(q))
    interpreter.cache_clear()
