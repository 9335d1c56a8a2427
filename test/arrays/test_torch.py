"""Robots on PyTorch tensors: values of the compiled robot, derivatives beside differences."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from test.arrays.leg import A0, FX, NAMES, QD, QDD, TAU, V0, G, P, Q, leg, states
from test.support.parametric import LEG

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
gradcheck = torch.autograd.gradcheck
pytestmark = pytest.mark.slow
TWO_LINKS = Path(__file__).resolve().parents[2] / "examples/two_link_arm/two_link_arm.urdf"


def at(parameters, floating_base=False):
    return robcogen_ros.torch(leg(floating_base), parameters)


def leaves(*arrays):
    return tuple(torch.tensor(array, requires_grad=True) for array in arrays)


def test_states_of_a_batch_are_those_of_the_compiled_batch():
    robot, on_torch = leg(), at(None)
    for q, qd, qdd in (states(3000), states(5, 7), states(0)):
        found = on_torch.inverse_dynamics(*map(torch.from_numpy, (q, qd, qdd)))
        assert np.array_equal(found, robot.inverse_dynamics(q, qd, qdd))
    q, qd, qdd = states(6)
    found = torch.func.vmap(on_torch.inverse_dynamics, in_dims=(0, 1, None))(
        *map(torch.from_numpy, (q, qd.T.copy(), QDD))
    )
    assert np.allclose(found, robot.inverse_dynamics(q, qd, QDD), rtol=1e-14, atol=1e-14)


def test_the_page_runs_as_written(tmp_path, monkeypatch):
    shutil.copy(TWO_LINKS, tmp_path / "arm.urdf")
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).resolve().parents[2] / "docs" / "arrays.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(import torch.*?)```", page, re.DOTALL)
    exec(block, {})


def test_derivatives_of_a_fixed_base():
    def inverse(p, q, qd, qdd, gravity, forces):
        return at(p).inverse_dynamics(q, qd, qdd, gravity=gravity, external_forces=forces)

    def forward(p, q, qd, tau, gravity, forces):
        return at(p).forward_dynamics(q, qd, tau, gravity=gravity, external_forces=forces)

    assert gradcheck(inverse, leaves(P, Q, QD, QDD, G, FX))
    assert gradcheck(forward, leaves(P, Q, QD, TAU, G, FX))
    assert gradcheck(inverse, leaves(P, Q, states(3)[0], QDD, G, FX))
    assert gradcheck(at(None).inertia_matrix, leaves(Q))
    assert gradcheck(lambda q: at(None).evaluate("base_X_foot", q=q)["X"], leaves(Q))
    assert np.allclose(
        at(None).transform("base", "foot", torch.tensor(Q)), leg().transform("base", "foot", Q)
    )


def test_derivatives_of_a_floating_base():
    def inverse(q, qd, qdd, v0, gravity):
        return at(P, True).inverse_dynamics(q, qd, qdd, v0, gravity)

    def actuated(q, qd, qdd, v0, a0, gravity):
        return at(P, True).inverse_dynamics_fully_actuated(q, qd, qdd, v0, a0, gravity)

    def forward(q, qd, tau, v0, gravity):
        return at(P, True).forward_dynamics(q, qd, tau, v0, gravity)

    assert gradcheck(inverse, leaves(Q, QD, QDD, V0, G))
    assert gradcheck(actuated, leaves(Q, QD, QDD, V0, A0, G))
    assert gradcheck(forward, leaves(Q, QD, TAU, V0, G))


def test_jacobians_of_many_states_are_those_that_are_generated():
    robot, on_torch = leg(), at(None)
    q, qd, qdd = states(20)
    by_all = torch.func.vmap(torch.func.jacrev(on_torch.inverse_dynamics, argnums=(0, 1, 2)))
    expected = robot.inverse_dynamics_derivatives(q, qd, qdd)
    for found, value in zip(by_all(*map(torch.from_numpy, (q, qd, qdd))), expected, strict=True):
        assert np.allclose(found, value, rtol=1e-14, atol=1e-14)


def test_derivatives_forward_and_back_are_the_same():
    on_torch = at(None)
    q, qd, qdd = map(torch.from_numpy, (Q, QD, QDD))
    forth = torch.func.jacfwd(on_torch.inverse_dynamics, argnums=(0, 1, 2))(q, qd, qdd)
    back = torch.func.jacrev(on_torch.inverse_dynamics, argnums=(0, 1, 2))(q, qd, qdd)
    assert all(torch.equal(a, b) for a, b in zip(forth, back, strict=True))


def test_a_robot_without_parameters():
    functions = ["inverse_dynamics", "inverse_dynamics_derivatives"]
    arm = robcogen_ros.build(TWO_LINKS, functions=functions)
    q, qd, qdd = map(torch.from_numpy, states(5))
    on_torch = robcogen_ros.torch(arm)
    assert np.array_equal(on_torch.inverse_dynamics(q, qd, qdd), arm.inverse_dynamics(q, qd, qdd))
    listed = torch.func.jacfwd(lambda a: on_torch.inverse_dynamics([*a], qd[0], qdd[0]))(q[0])
    exact = arm.inverse_dynamics_derivatives(q[0], qd[0], qdd[0]).dtau_dq
    assert np.allclose(listed, exact, rtol=1e-14, atol=1e-14)


def test_parameters_of_each_state():
    values = P * np.linspace(0.9, 1.1, 4)[:, None]
    found = at(torch.from_numpy(values)).inverse_dynamics(states(4)[0], QD, QDD)
    robot = leg()
    for p, q, tau in zip(values, states(4)[0], found, strict=True):
        robot.parameters.update(zip(NAMES, p, strict=True))
        assert np.allclose(tau, robot.inverse_dynamics(q, QD, QDD), rtol=1e-14, atol=1e-14)
    robot.parameters.update(zip(NAMES, P, strict=True))


def test_robots_at_many_values_are_one_robot():
    from robcogen_ros.arrays.torch import _ROBOTS

    at(P)
    known = len(_ROBOTS)
    for share in (0.9, 1.0, 1.1):
        at(torch.from_numpy(share * P)).inverse_dynamics(Q, QD, QDD)
    assert len(_ROBOTS) == known


def test_what_does_not_go_is_told():
    on_torch = at(None)
    (q,) = leaves(Q)
    with pytest.raises(robcogen_ros.RobcogenError, match="coriolis_torques of robot"):
        on_torch.coriolis_torques(q, QD).sum().backward()
    with pytest.raises(TypeError, match=r"q: expected real numbers, found torch\.complex128"):
        on_torch.inverse_dynamics(torch.zeros(2, dtype=torch.complex128), QD, QDD)
    with pytest.raises(TypeError, match="expected a tensor on 'cpu', found one on 'meta'"):
        on_torch.inverse_dynamics(torch.zeros(2, device="meta"), QD, QDD)
    with pytest.warns(UserWarning, match=r"q: torch\.float32 is converted"):
        on_torch.inverse_dynamics(torch.zeros(2), QD, QDD)
    with pytest.raises(ValueError, match=r"q: expected shape \(..., 2\), found \(3,\)"):
        on_torch.inverse_dynamics(torch.zeros(3), QD, QDD)
    with pytest.raises(robcogen_ros.RobcogenError, match="operational_space computes with numbers"):
        on_torch.operational_space("base", "foot", q)
    with pytest.raises(robcogen_ros.RobcogenError, match="interpreted"):
        robcogen_ros.torch(robcogen_ros.build(text=LEG, backend="numpy"), P[:5])


def test_what_is_no_number_stays_in_its_state():
    q, qd, qdd = states(20)
    q[7, 1] = np.nan
    found = torch.isnan(at(None).inverse_dynamics(torch.from_numpy(q), qd, qdd)).any(dim=-1)
    assert found.tolist() == [i == 7 for i in range(20)]
