"""Derivatives of any robot are those of its functions, and have the structure of mechanics."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import robcogen_ros
from robcogen_ros.algorithms.functions.derivatives import derivative_functions
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.trace import trace
from test.property.test_joint_terms import build as build_with_terms
from test.support.full_calls import FullCalls
from test.support.model_of import model_of
from test.support.parametric import LEG, VALUES
from test.support.random_robots import for_random, is_regular, state_of, trees

floating_or_fixed = st.booleans()
for_few = partial(for_random, examples=5)
_STEP = 1e-5


class Case:
    """A robot, and the first of its random states."""

    def __init__(self, robot) -> None:
        self.robot, self.calls = robot, FullCalls(robot)
        self.first = 6 if robot.floating_base else 0
        s = state_of(robot)
        self.q, self.gravity = s.q[0], s.gravity[0]
        self.velocity, self.acceleration = s.velocity[0], s.acceleration[0]
        random = np.random.default_rng(2)
        self.forces = random.normal(size=(len(robot.link_names), 6))

    def given(self, *names: str):
        """Arguments of a method of the robot."""
        b = self.first
        values = {
            "q": self.q,
            "qd": self.velocity[b:],
            "qdd": self.acceleration[b:],
            "gravity": self.gravity,
            "external_forces": self.forces,
        }
        base = {"qd": ("base_velocity", self.velocity), "qdd": ("base_acceleration", None)}
        given = {name: values[name] for name in names}
        for name in names:
            if b and name in base:
                argument, vector = base[name]
                given[argument] = (self.acceleration if vector is None else vector)[:b]
        return given

    def force(self, turn=None, q=None, velocity=None, acceleration=None):
        """Forces that give the motion, with some of it changed."""
        seen = self.gravity
        if turn is not None:
            seen = seen + np.cross(seen, turn)
        return self.calls.inverse_dynamics(
            self.q if q is None else q,
            self.velocity if velocity is None else velocity,
            self.acceleration if acceleration is None else acceleration,
            seen,
            self.forces,
        )


def differentiated(function, at):
    """The Jacobian of a function by central differences."""
    steps = _STEP * np.eye(len(at))
    return np.stack([(function(at + h) - function(at - h)) / (2 * _STEP) for h in steps], axis=-1)


def close(found, expected) -> bool:
    return bool(np.abs(found - expected).max(initial=0) <= 1e-6 * (1 + np.abs(expected).max()))


@for_few(trees(most=4), floating_or_fixed)
def test_derivatives_are_the_limits_of_differences(tree, floating):
    case = Case(tree.build(floating))
    given = case.given("q", "qd", "qdd", "gravity", "external_forces")
    by_q, by_qd, H = case.robot.inverse_dynamics_derivatives(**given)
    b = case.first
    assert close(by_q[:, b:], differentiated(lambda q: case.force(q=q), case.q))
    assert close(by_qd, differentiated(lambda v: case.force(velocity=v), case.velocity))
    assert close(H, differentiated(lambda a: case.force(acceleration=a), case.acceleration))
    if floating:
        turned = differentiated(lambda e: case.force(turn=e), np.zeros(3))
        assert close(by_q[:, :3], turned)
        assert not by_q[:, 3:6].any()


@for_few(trees(mimic=False))
def test_recursion_equals_automatic_differentiation(tree):
    """Two ways to the same entries: they agree to rounding, not only to differences."""
    robot = model_of(tree.urdf())
    assume(max(len(robot.support(i)) for i in range(len(robot.links))) > 1)
    function = derivative_functions(robot)[0]
    random = np.random.default_rng(1)
    values = {a.name: list(random.normal(size=a.size)) for a in function.inputs}
    ways = []
    for way in (function.compute, function.otherwise):
        results = interpret(trace(replace(function, compute=way), robot), values)
        ways.append({name: np.array(entries, dtype=float) for name, entries in results.items()})
    for name, entries in ways[0].items():
        scale = 1 + np.abs(entries).max()
        assert np.abs(entries - ways[1][name]).max() < 1e-12 * scale


@for_few(trees(most=4), floating_or_fixed)
def test_forward_derivatives_undo_inverse_derivatives(tree, floating):
    case = Case(tree.build(floating))
    robot, b = case.robot, case.first
    H = robot.inertia_matrix(case.q)
    assume(is_regular(H))
    tau = np.random.default_rng(3).normal(size=robot.n)
    motion = case.calls.forward_dynamics(case.q, case.velocity, tau, case.gravity, case.forces)
    case.acceleration = motion
    inverse = robot.inverse_dynamics_derivatives(
        **case.given("q", "qd", "qdd", "gravity", "external_forces")
    )
    forward = robot.forward_dynamics_derivatives(
        **case.given("q", "qd", "gravity", "external_forces"), tau=tau
    )
    for answer, change in zip(forward[:2], inverse[:2], strict=True):
        scale = 1 + np.abs(H) @ np.abs(answer) + np.abs(change)
        assert (np.abs(H @ answer + change) / scale).max() < 1e-9
    assert np.abs(H @ forward.dqdd_dtau - np.eye(b + robot.n)).max() < 1e-8


@for_few(trees(most=4), floating_or_fixed)
def test_coriolis_matrix_makes_the_change_of_inertia_passive(tree, floating):
    """C = dtau/dqd / 2 has C + C' = dH/dt, so dH/dt - 2 C is skew; the base's own turning aside."""
    case = Case(tree.build(floating))
    case.velocity[: case.first] = 0.0
    b = case.first
    _, by_qd, _ = case.robot.inverse_dynamics_derivatives(**case.given("q", "qd", "qdd", "gravity"))
    C = by_qd[b:, b:] / 2
    H = case.robot.inertia_matrix
    qd = case.velocity[b:]
    rate = (H(case.q + _STEP * qd) - H(case.q - _STEP * qd)) / (2 * _STEP)
    assert close(C + C.T, rate[b:, b:])
    no_gravity = case.calls.coriolis_torques(case.q, case.velocity)
    assert close(C @ qd, no_gravity[b:])


@for_few(trees(most=4), floating_or_fixed)
def test_regressor_times_parameters_is_the_force(tree, floating):
    case = Case(tree.build(floating))
    case.forces[:] = 0.0
    Y = case.robot.inverse_dynamics_regressor(**case.given("q", "qd", "qdd", "gravity"))
    parameters = case.robot.inertial_parameters()
    force = case.force()
    scale = 1e-9 + np.abs(Y) @ np.abs(parameters).ravel()
    assert (np.abs(Y @ parameters.ravel() - force) / scale).max() < 1e-13


@for_few(trees(most=4), floating_or_fixed)
def test_base_parameters_tell_all_forces(tree, floating):
    case = Case(tree.build(floating))
    if not floating:
        case.gravity = np.array([0.0, 0.0, -9.81])
    case.forces[:] = 0.0
    base = case.robot.base_parameters()
    Y = case.robot.inverse_dynamics_regressor(**case.given("q", "qd", "qdd", "gravity"))
    parameters = case.robot.inertial_parameters()
    told = base.regressor(Y) @ base.values(parameters)
    scale = 1e-9 + np.abs(Y) @ np.abs(parameters).ravel()
    assert (np.abs(told - case.force()) / scale).max() < 1e-7
    assert len(base.described) == base.count <= Y.shape[1]


@for_few(trees(most=4), floating_or_fixed, st.randoms(use_true_random=False))
def test_hessian_is_the_change_of_the_jacobian(tree, floating, random):
    plain = tree.build(floating)
    target, base = random.choice(plain.frame_names), random.choice(plain.frame_names)
    names = [f"{base}_hessian_{target}", *([f"full_hessian_{target}"] if floating else [])]
    robot = tree.build(floating, functions=["default", *names])
    q = state_of(robot).q[0]
    for name in names:
        full = name.startswith("full")
        columns = robot.n + (6 if full else 0)
        tensor = robot.evaluate(name, q=q)["hessian"].reshape(columns, 6, robot.n)

        def jacobian(q, full=full):
            return robot.full_jacobian(target, q) if full else robot.jacobian(base, target, q)

        assert close(tensor.swapaxes(0, 1), differentiated(jacobian, q))


@pytest.mark.parametrize("floating", [False, True])
def test_derivatives_by_parameters(floating, tmp_path):
    path = tmp_path / "leg.kindsl"
    path.write_text(LEG)
    robot = robcogen_ros.build(path, floating_base=floating, backend="numpy")
    robot.parameters.update(VALUES)
    case = Case(robot)
    given = case.given("q", "qd", "qdd", "gravity", "external_forces")
    found = robot.inverse_dynamics_parameter_derivatives(**given)
    names = list(robot.parameters)

    def force(values):
        robot.parameters.update(dict(zip(names, values, strict=True)))
        return case.force()

    expected = differentiated(force, np.array([VALUES[name] for name in names]))
    assert close(found, expected)
    told = np.abs(expected).max(axis=0) > 1e-3
    untold = set() if floating else {"ixx"}  # Iyy of a link that only turns about z
    assert {name for name, tells in zip(names, told, strict=True) if not tells} == untold


@pytest.mark.parametrize("mimic", [False, True])
def test_joint_terms_have_their_derivatives(mimic, tmp_path):
    robot = build_with_terms(tmp_path, mimic)
    case = Case(robot)
    case.velocity *= 1e-3  # where dry friction changes
    by_q, by_qd, H = robot.inverse_dynamics_derivatives(**case.given("q", "qd", "qdd", "gravity"))
    case.forces[:] = 0.0
    slopes = np.stack(
        [
            (case.force(velocity=case.velocity + h) - case.force(velocity=case.velocity - h)) / 2e-9
            for h in 1e-9 * np.eye(robot.n)
        ],
        axis=-1,
    )
    assert by_qd == pytest.approx(slopes, rel=1e-4, abs=1e-4)
    assert np.array_equal(H, robot.inertia_matrix(case.q))
    assert close(by_q, differentiated(lambda q: case.force(q=q), case.q))


def test_functions_that_need_another_scalar_are_no_part_of_others(tmp_path):
    path = tmp_path / "leg.kindsl"
    path.write_text(LEG)
    name = "inverse_dynamics_parameter_derivatives_and_inertia_matrix"
    with pytest.raises(robcogen_ros.RobcogenError, match="there is no function"):
        robcogen_ros.build(path, backend="numpy", functions=[name])
