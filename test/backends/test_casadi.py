"""CasADi functions of a robot: zeros, Jacobians, files. Values: test_dataset, casadi_graphs."""

from __future__ import annotations

import builtins
import pickle
import subprocess
from functools import lru_cache

import numpy as np
import pinocchio as pin
import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.bench.robots import SUBJECTS
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.build import build
from test.oracle.casadi_graphs import compared
from test.support.examples import example, example_path
from test.support.robots import robot_path

casadi = pytest.importorskip("casadi", reason="CasADi is not installed")

HYQ = "hyq_description/robots/hyq_no_sensors.urdf"


def text(library: Library) -> str:
    (text,) = BACKENDS["casadi"](library, Target("demo", "robot", "model")).values()
    return text


@lru_cache
def module(robot: str) -> dict:
    if robot == "hyl":
        library = Library(example("hyl"))
    else:
        library = Library(read(robot_path(HYQ), floating_base=robot == "floating").robot)
    names: dict = {}
    exec(compile(text(library), "robot_casadi.py", "exec"), names)
    return names


def plain(function: casadi.Function) -> casadi.Function:
    """The same function, differentiated by CasADi."""
    given = function.sx_in()
    return casadi.Function(
        function.name(), given, function.call(given), function.name_in(), function.name_out()
    )


def test_functions_go_by_the_names_of_frames_that_are_no_identifiers(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(
        '<robot name="arm"><link name="base"/><link name="arm__tool"/><link name="1.0"/>'
        '<joint name="j" type="continuous"><parent link="base"/><child link="arm__tool"/></joint>'
        '<joint name="k" type="fixed"><parent link="arm__tool"/><child link="1.0"/>'
        '<origin xyz="1 2 3"/></joint></robot>'
    )
    names = ["base_X_arm__tool", "base_X_1.0", "1.0_J_arm__tool"]
    robot = build(path, backend="numpy", functions=names)
    for name in names:
        found, wanted = robot.casadi(name)([0.3]), robot.evaluate(name, q=[0.3])
        assert np.array(found) == pytest.approx(next(iter(wanted.values())))


def test_cone_margins_have_derivatives_where_a_force_is_upright_or_zero():
    robot = build(
        example_path("quadruped"),
        floating_base=True,
        contacts=["LF_foot", "RF_foot"],
        functions=["friction_cone_margins"],
        backend="numpy",
    )
    forces, f = casadi.MX.sym("forces", 6), robot.casadi("friction_cone_margins")
    margins = f(forces, [0.5, 0.5])
    found = casadi.Function("m", [forces], [margins, casadi.jacobian(margins, forces)])
    for given, value, slope in (
        ([0, 0, 5, 0, 0, 0], [2.5, 0], [0, 0, 0.5]),
        ([3, 4, 5, 0, 0, 7], [-2.5, 3.5], [-0.6, -0.8, 0.5]),
    ):
        value_found, J = map(np.array, found(given))
        assert value_found.ravel() == pytest.approx(value)
        assert pytest.approx(np.array([[*slope, 0, 0, 0], [0, 0, 0, 0, 0, 0.5]])) == J


def random_inputs(function: casadi.Function) -> list[casadi.DM]:
    random = np.random.default_rng(0)
    return [random.normal(size=function.size_in(i)) for i in range(function.n_in())]


@pytest.mark.parametrize("robot", ["hyl", "hyq", "floating"])
def test_jacobians_are_those_of_casadi_and_not_longer(robot):
    shorter = set()
    for name in module(robot)["FUNCTIONS"]:
        if "dynamics" not in name:
            continue
        function = module(robot)["function"](name)
        ours, theirs = function.jacobian(), plain(function).jacobian()
        assert ours.name_in() == theirs.name_in() and ours.name_out() == theirs.name_out()
        assert ours.n_instructions() <= theirs.n_instructions()
        shorter |= {name} if ours.n_instructions() < theirs.n_instructions() else set()
        given = [*random_inputs(function), *[0] * function.n_out()]
        for found, right in zip(ours.call(given), theirs.call(given), strict=True):
            scale = max(1.0, float(casadi.norm_inf(casadi.vec(right))))
            assert float(casadi.norm_inf(casadi.vec(found - right))) < 1e-11 * scale
    ours = ["forward_dynamics"] if robot == "hyq" else ["forward_dynamics", "inverse_dynamics"]
    assert {name + form for name in ours for form in ("", "_general")} <= shorter


def test_a_jacobian_in_a_graph_of_mx_is_that_of_pinocchio():
    function = module("hyq")["function"]("inverse_dynamics")
    model = pin.buildModelFromUrdf(str(robot_path(HYQ)))
    q, qd, qdd = np.random.default_rng(1).normal(size=(3, model.nq))
    order = [model.names[1:].tolist().index(name) for name in module("hyq")["JOINT_NAMES"]]
    symbol = casadi.MX.sym("q", model.nq)
    by_q = casadi.Function("by_q", [symbol], [casadi.jacobian(function(symbol, qd, qdd), symbol)])
    by_name = [np.empty(model.nq) for _ in range(3)]
    for theirs, ours in zip(by_name, (q, qd, qdd), strict=True):
        theirs[order] = ours
    data = model.createData()
    right = pin.computeRNEADerivatives(model, data, *by_name)[0]
    assert by_q(q).full() == pytest.approx(right[np.ix_(order, order)], rel=1e-10, abs=1e-10)
    assert by_q.sparsity_out(0).nnz() == 4 * 3 * 3


def test_what_is_always_zero_is_no_entry():
    H = module("hyq")["function"]("inertia_matrix").sparsity_out("H")
    assert H.nnz() == 4 * 3 * 3 and H.size() == (12, 12)
    L = module("hyq")["function"]("inertia_factor").sparsity_out("L")
    assert L.is_tril() and L.nnz() == 4 * 6


def test_a_function_is_read_back_from_a_file_with_its_jacobian(tmp_path):
    function = module("hyl")["function"]("forward_dynamics")
    path = str(tmp_path / "forward_dynamics.casadi")
    function.save(path)
    again = casadi.Function.load(path)
    assert (again.name_in(), again.name_out()) == (["q", "qd", "tau"], ["qdd"])
    given = random_inputs(function)
    assert np.array_equal(again(*given).full(), function(*given).full())
    assert again.jacobian().n_instructions() == function.jacobian().n_instructions()


@pytest.mark.slow
def test_c_code_of_casadi_has_the_jacobian(tmp_path, monkeypatch):
    function = module("hyl")["function"]("forward_dynamics")
    monkeypatch.chdir(tmp_path)  # CasADi writes into it
    generator = casadi.CodeGenerator("leg.c")
    generator.add(function)
    generator.add(function.jacobian())
    generator.generate()
    subprocess.run(["cc", "-shared", "-fPIC", "leg.c", "-o", "leg.so", "-lm"], check=True)
    compiled = casadi.external("forward_dynamics", "./leg.so")
    given = random_inputs(function)
    assert compiled(*given).full() == pytest.approx(function(*given).full(), rel=1e-13)
    found, right = (f.jacobian().call([*given, 0]) for f in (compiled, function))
    for ours, theirs in zip(found, right, strict=True):
        assert ours.full() == pytest.approx(theirs.full(), rel=1e-13)


@pytest.mark.parametrize("backend", ["numpy", pytest.param("cpp", marks=pytest.mark.slow)])
def test_a_robot_gives_its_functions(backend):
    names = ["forward_dynamics", "forward_dynamics_derivatives"]
    robot = build(example_path("hyl"), functions=names, backend=backend)
    function = pickle.loads(pickle.dumps(robot)).casadi("forward_dynamics_general")
    q, qd, tau, gravity, forces = random_inputs(function)
    given = {"q": q, "qd": qd, "tau": tau, "gravity": gravity}
    right = robot.evaluate(
        "forward_dynamics",
        **{name: value.ravel() for name, value in given.items()},
        external_forces=forces.T,
    )
    found = function(**given, external_forces=forces)["qdd"]
    assert found.full().ravel() == pytest.approx(right["qdd"], rel=1e-13, abs=1e-12)
    with pytest.raises(RobcogenError, match="generated without inertia_matrix"):
        robot.casadi("inertia_matrix")


def test_parameters_are_the_last_input():
    robot = build(example_path("hyl"), parameters=["lowerleg.mass"], backend="numpy")
    H = robot.casadi("inertia_matrix")
    assert H.name_in() == ["q", "parameters"]
    q = [0.1, -0.4, 0.9]
    robot.parameters["lowerleg.mass"] = 2.5
    assert H(q, [2.5]).full() == pytest.approx(robot.inertia_matrix(q), rel=1e-13)


def test_an_unknown_function_is_refused():
    with pytest.raises(ValueError, match=r"no function 'dynamics': expected one of inverse_dyn"):
        module("hyl")["function"]("dynamics")


def test_without_casadi_the_module_says_how_to_install_it(monkeypatch):
    original = builtins.__import__

    def absent(name, *rest):
        if name == "casadi":
            raise ImportError(name)
        return original(name, *rest)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(ImportError, match=r"needs CasADi: `pip install casadi`"):
        exec(text(Library(example("hyl"), ["inertia_matrix"])), {})


def test_no_line_is_long():
    library = Library(example("hyl"), ["default", "derivatives"])
    assert not [line for line in text(library).splitlines() if len(line) > 100]


@pytest.mark.slow
@pytest.mark.parametrize("robot", ["UR5", "HyQ, floating"])
def test_graphs_are_the_compiled_functions(robot):
    functions = ["inverse_dynamics", "forward_dynamics", "inertia_matrix", "kinematics"]
    (subject,) = (subject for subject in SUBJECTS if subject.title == robot)
    for graph, _, difference in compared(subject, functions):
        assert difference < 1e-13, graph.name()
