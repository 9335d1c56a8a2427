"""The Python module of a robot: what it takes, what it refuses, and what it needs."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import lru_cache

import mpmath
import numpy as np
import pytest
import sympy

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.program.library import Library
from test.support.examples import example
from test.support.model_of import model_of
from test.support.parametric import VALUES, parametric_leg
from test.support.wrong_values import no_numbers, wrong_numbers

Q = [0.1, -0.4, 0.9]


def text(library: Library) -> str:
    (text,) = BACKENDS["python"](library, Target("demo", "robot", "model")).values()
    return text


def module(text: str) -> dict:
    names: dict = {}
    exec(compile(text, "robot.py", "exec"), names)
    return names


@lru_cache
def hyl() -> dict:
    return module(text(Library(example("hyl"))))


@lru_cache
def leg() -> dict:
    return module(text(Library(parametric_leg(), ["gravity_torques"])))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([0.1, 0.2], r"q: expected shape \(..., 3\), found \(2,\)"),
        (0.1, r"q: expected shape \(..., 3\), found \(\)"),
        (np.zeros((3, 4)), r"q: expected shape \(..., 3\), found \(3, 4\)"),
    ],
)
def test_a_wrong_shape_is_told_by_name(given, message):
    with pytest.raises(ValueError, match=message):
        hyl()["gravity_torques"](given)


@pytest.mark.parametrize("given", list(no_numbers()))
def test_what_is_no_array_of_numbers_is_told_by_name(given):
    for argument in ({"q": given}, {"q": Q, "gravity": given}):
        name = list(argument)[-1]
        with pytest.raises(
            TypeError, match=rf"^{name}: expected numbers of shape \(..., 3\), found"
        ):
            hyl()["gravity_torques"](**argument)


@pytest.mark.parametrize("given", list(wrong_numbers()))
def test_wrong_numbers_are_told_by_name(given):
    with pytest.raises(ValueError, match=r"^q: expected"):
        hyl()["gravity_torques"](given)


def test_none_is_no_state():
    with pytest.raises(TypeError, match=r"^q: expected numbers of shape \(..., 3\), found None"):
        hyl()["gravity_torques"](None)


def test_what_may_be_left_out_is_given_by_name():
    for call in (
        lambda: hyl()["gravity_torques"](Q, [0, 0, -1]),
        lambda: leg()["gravity_torques"]([0, 0], leg()["Parameters"](**VALUES)),
    ):
        with pytest.raises(TypeError, match="positional"):
            call()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (None, "parameters: expected Parameters"),
        ((1.0,) * 5, "parameters: expected Parameters"),
        ({"c": "1"}, "parameter c: expected a number, found '1'"),
        ({"c": [1.0]}, "parameter c: expected a number, found"),
        ({"c": 1j}, "parameter c: expected a number, found 1j"),
        ({"c": None}, "parameter c: expected a number, found None"),
    ],
)
def test_wrong_parameters_are_told_by_name(parameters, message):
    given = parameters
    if isinstance(parameters, dict):
        given = leg()["Parameters"](**{**VALUES, **parameters})
    with pytest.raises(TypeError, match=message):
        leg()["gravity_torques"]([0, 0], parameters=given)


def test_a_wrong_shape_of_an_optional_argument_is_told():
    with pytest.raises(ValueError, match=r"gravity: expected shape \(..., 3\), found \(\)"):
        hyl()["gravity_torques"](Q, gravity=9.81)
    with pytest.raises(ValueError, match=r"external_forces: expected shape \(..., 4, 6\), found"):
        hyl()["inverse_dynamics"](Q, Q, Q, external_forces=np.zeros((6, 4)))


def test_batches_that_do_not_fit_are_told():
    with pytest.raises(ValueError, match=r"do not fit together: q \(2,\), qd \(5,\)"):
        hyl()["coriolis_torques"](np.zeros((2, 3)), np.zeros((5, 3)))


@pytest.mark.parametrize("shape", [(0,), (1,), (3, 0), (2, 1, 3), (5000,)])
def test_a_batch_is_its_states(shape):
    q, tau = np.random.default_rng(0).uniform(-1, 1, (2, *shape, 3))
    found = hyl()["forward_dynamics"](q, np.array(Q), tau)
    assert found.shape == (*shape, 3)
    for index in list(np.ndindex(shape))[:: max(1, found.size // 60)]:
        alone = hyl()["forward_dynamics"](q[index], Q, tau[index])
        assert found[index] == pytest.approx(alone, rel=1e-13, abs=1e-13)


def test_numbers_without_end_spread_alike_in_one_state_and_in_many():
    q = [0.1, np.inf, 0.9]
    with np.errstate(invalid="ignore"):
        one, many = hyl()["gravity_torques"](q), hyl()["gravity_torques"]([q, Q])
    assert np.array_equal(one, many[0], equal_nan=True)
    assert np.isnan(one).any()
    assert np.array_equal(many[1], hyl()["gravity_torques"](Q))


def test_integers_are_numbers():
    assert np.array_equal(
        hyl()["gravity_torques"]([0, 1, 2]), hyl()["gravity_torques"]([0.0, 1, 2])
    )


def test_arguments_stay_as_they_are():
    q, gravity = np.array([Q, Q]), np.array([0.0, 0.0, -1.6])
    kept = q.copy(), gravity.copy()
    hyl()["gravity_torques"](q, gravity=gravity)
    assert np.array_equal(q, kept[0]) and np.array_equal(gravity, kept[1])


def test_a_parameter_that_is_not_given_is_told():
    with pytest.raises(ValueError, match="parameter c has no default: give it a value"):
        leg()["gravity_torques"]([0, 0], parameters=leg()["Parameters"](**{**VALUES, "c": np.nan}))


def test_constants_are_computed_once_for_each_set_of_parameters(monkeypatch):
    calls = []
    update = leg()["_update_parameters"]
    monkeypatch.setitem(
        leg(), "_update_parameters", lambda *given: calls.append(given) or update(*given)
    )
    light, heavy = (leg()["Parameters"](**{**VALUES, "m": mass}) for mass in (1.0, 3.0))
    torques = [leg()["gravity_torques"]([0.3, 0.2], parameters=p) for p in (light, heavy) * 3]
    assert len(calls) == 2
    assert not np.allclose(torques[0], torques[1])
    for again in torques[2::2]:
        assert np.array_equal(again, torques[0])


def test_the_module_needs_numpy_alone():
    for library in (Library(example("hyl")), Library(parametric_leg(), ["gravity_torques"])):
        tree = ast.parse(text(library))
        imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {a.name for node in imports if isinstance(node, ast.Import) for a in node.names}
        names |= {node.module for node in imports if isinstance(node, ast.ImportFrom)}
        rooms = {name.split(".")[0] for name in names}
        assert rooms - set(sys.stdlib_module_names) == {"numpy"}


def test_every_function_tells_its_arguments_and_types():
    functions = [f for name, f in hyl().items() if inspect.isfunction(f) and name[0] != "_"]
    assert len(functions) > 10
    for function in functions:
        signature = inspect.signature(function)
        assert "Array" in signature.return_annotation
        documentation = inspect.getdoc(function)
        assert "\nReturns:\n" in documentation
        for name, argument in signature.parameters.items():
            told = ("Any", "what") if name == "maths" else ("ArrayLike", "(")
            assert argument.annotation.startswith(told[0])
            assert f"\n    {name}: {told[1]}" in documentation


def test_digits_of_other_numbers_are_kept():
    with mpmath.workdps(40):
        found = hyl()["center_of_mass"]([0, 0, mpmath.mpf(1) / 3], maths=mpmath)
        a, b = (hyl()["center_of_mass"]([0, 0, x], maths=mpmath) for x in (0, mpmath.pi / 2))
        sine, cosine = mpmath.sin(mpmath.mpf(1) / 3), mpmath.cos(mpmath.mpf(1) / 3)
        # a point that turns about one axis: c + A cos + B sin, with what does not turn by itself
        half = hyl()["center_of_mass"]([0, 0, mpmath.pi], maths=mpmath)
        for k in range(3):
            middle = (a[k] + half[k]) / 2
            expected = middle + (a[k] - middle) * cosine + (b[k] - middle) * sine
            assert abs(found[k] - expected) < mpmath.mpf("1e-38")


def test_formulas_of_sympy():
    q = sympy.symbols("slide hip knee")
    H = hyl()["inertia_matrix"](sympy.Matrix(q), maths=sympy)
    values = dict(zip(q, Q, strict=True))
    assert H.shape == (3, 3)
    assert [float(x.subs(values)) if hasattr(x, "subs") else x for x in H.ravel()] == pytest.approx(
        hyl()["inertia_matrix"](Q).ravel(), rel=1e-14
    )


def test_graphs_of_casadi():
    casadi = pytest.importorskip("casadi", reason="CasADi is not installed")
    q = casadi.SX.sym("q", 3)
    for given in (q, casadi.vertsplit(q)):
        tau = hyl()["gravity_torques"](given, maths=casadi)
        function = casadi.Function("gravity_torques", [q], [casadi.vertcat(*tau)])
        assert function(Q).full().ravel() == pytest.approx(hyl()["gravity_torques"](Q), rel=1e-14)


def test_parameters_are_symbols_too():
    parameters = sympy.symbols(list(leg()["Parameters"]._fields))
    given = leg()["Parameters"](*parameters)
    tau = leg()["gravity_torques"]([0.3, 0.2], parameters=given, maths=sympy)
    found = [float(x.subs({str(p): VALUES[str(p)] for p in parameters})) for x in tau]
    right = leg()["gravity_torques"]([0.3, 0.2], parameters=leg()["Parameters"](**VALUES))
    assert found == pytest.approx(right, rel=1e-13)
    with pytest.raises(ValueError, match="has no default: give it a value"):
        leg()["gravity_torques"]([0.3, 0.2], maths=sympy)


@pytest.mark.parametrize("given", [[0.1, 0.2], 0.1, np.zeros((3, 4)), None, sympy.zeros(2, 3)])
def test_a_wrong_shape_of_other_entries_is_told_by_name(given):
    with pytest.raises(ValueError, match=r"^q: expected shape \(3,\) of entries, found"):
        hyl()["gravity_torques"](given, maths=sympy)


def test_no_line_is_long():
    long = [line for line in text(Library(example("hyl"))).splitlines() if len(line) > 100]
    assert not long


@pytest.mark.parametrize("floating", [False, True])
def test_a_robot_without_joints(floating):
    body = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    alone = f'<robot name="r"><link name="base">{body}</inertial></link></robot>'
    robot = model_of(alone, floating_base=floating)
    functions = module(text(Library(robot, ["inertia_matrix", "kinematics"])))
    size = 6 if floating else 0
    assert functions["inertia_matrix"]([]).shape == (size, size)
    assert functions["inertia_matrix"](np.zeros((3, 0))).shape == (3, size, size)
    assert functions["kinematics"]([])[1].shape == (6, 0)
