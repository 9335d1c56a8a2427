"""Robots on JAX arrays: the values of the compiled robot, and derivatives beside differences."""

import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.arrays.jax import _calls
from test.arrays.leg import A0, FX, NAMES, QD, QDD, TAU, V0, G, P, Q, leg, states
from test.support.parametric import LEG

jax = pytest.importorskip("jax", reason="JAX is not installed")
jax.config.update("jax_enable_x64", True)
check_grads = partial(
    pytest.importorskip("jax.test_util").check_grads,
    modes=["fwd", "rev"],
    atol=1e-6,
    rtol=1e-6,
    eps=1e-5,
)
pytestmark = pytest.mark.slow
_ROTATION = np.linalg.qr(np.random.default_rng(8).normal(size=(3, 3)))[0]


def at(parameters, floating_base=False):
    return robcogen_ros.jax(leg(floating_base), parameters)


def test_states_of_a_batch_are_those_of_the_compiled_batch():
    robot, on_jax = leg(), at(None)
    for q, qd, qdd in (states(3000), states(5, 7), states(0)):
        expected = robot.inverse_dynamics(q, qd, qdd)
        for call in (on_jax.inverse_dynamics, jax.jit(on_jax.inverse_dynamics)):
            assert np.array_equal(call(q, qd, qdd), expected)
    q, qd, qdd = states(3000)
    mapped = jax.jit(jax.vmap(on_jax.inverse_dynamics))
    assert np.array_equal(mapped(q, qd, qdd), robot.inverse_dynamics(q, qd, qdd))
    assert np.array_equal(on_jax.inertia_matrix(q), robot.inertia_matrix(q))
    assert np.array_equal(on_jax.link_velocities(q, qd), robot.link_velocities(q, qd))


def test_leading_dimensions_and_mapped_axes_broadcast():
    robot, on_jax = leg(), at(None)
    q, qd, qdd = states(6)
    forces = np.random.default_rng(3).normal(size=(4, 1, 3, 6))
    found = on_jax.inverse_dynamics(q, qd[0], qdd, external_forces=forces, gravity=G)
    expected = robot.inverse_dynamics(q, qd[0], qdd, external_forces=forces, gravity=G)
    assert found.shape == (4, 6, 2)
    assert np.allclose(found, expected, rtol=1e-14, atol=1e-14)

    one = jax.vmap(on_jax.inverse_dynamics, in_axes=(None, 1, 0))
    two = jax.vmap(one, in_axes=(0, None, None))
    expected = robot.inverse_dynamics(q[:, None], qd, qdd)
    assert np.allclose(two(q, qd.T, qdd), expected, rtol=1e-14, atol=1e-14)


def test_what_is_no_number_stays_in_its_state():
    q, qd, qdd = states(20)
    q[7, 1] = np.nan
    found = np.isnan(at(None).inverse_dynamics(q, qd, qdd)).any(axis=-1)
    assert found.tolist() == [i == 7 for i in range(20)]


def test_derivatives_of_a_fixed_base():
    def inverse(p, q, qd, qdd, gravity, forces):
        return at(p).inverse_dynamics(q, qd, qdd, gravity=gravity, external_forces=forces)

    def forward(p, q, qd, tau, gravity, forces):
        return at(p).forward_dynamics(q, qd, tau, gravity=gravity, external_forces=forces)

    check_grads(inverse, (P, Q, QD, QDD, G, FX), order=1)
    check_grads(forward, (P, Q, QD, TAU, G, FX), order=1)
    check_grads(lambda p, q, g: at(p).gravity_torques(q, gravity=g), (P, Q, G), order=1)
    for method in ("inertia_matrix", "center_of_mass"):
        check_grads(getattr(at(None), method), (Q,), order=1)


def test_derivatives_of_frames():
    def pose(q):
        return at(None).evaluate("base_X_foot", q=q)["X"]

    check_grads(pose, (Q,), order=1)
    check_grads(lambda q: at(None).evaluate("base_J_foot", q=q)["J"], (Q,), order=1)
    assert np.allclose(at(None).transform("base", "foot", Q), pose(Q), atol=1e-15)
    assert np.allclose(
        at(None).jacobian("base", "foot", Q), at(None).evaluate("base_J_foot", q=Q)["J"], atol=1e-15
    )


def test_derivatives_of_a_floating_base():
    def inverse(p, q, qd, qdd, v0, gravity, forces):
        return at(p, True).inverse_dynamics(q, qd, qdd, v0, gravity, external_forces=forces)

    def actuated(p, q, qd, qdd, v0, a0, gravity, forces):
        method = at(p, True).inverse_dynamics_fully_actuated
        return method(q, qd, qdd, v0, a0, gravity, external_forces=forces)

    def forward(p, q, qd, tau, v0, gravity, forces):
        return at(p, True).forward_dynamics(q, qd, tau, v0, gravity, external_forces=forces)

    def contact(q, qd, tau, v0, gravity, forces, stirred):
        return at(None, True).contact_forward_dynamics(
            q,
            qd,
            tau,
            v0,
            gravity,
            contact=[1, 0, 1],
            contact_rotation=_ROTATION,
            contact_acceleration=stirred,
            external_forces=forces,
        )

    def impact(q, qd, v0):
        return at(None, True).impact(q, qd, v0)

    check_grads(inverse, (P, Q, QD, QDD, V0, G, FX), order=1)
    check_grads(actuated, (P, Q, QD, QDD, V0, A0, G, FX), order=1)
    check_grads(forward, (P, Q, QD, TAU, V0, G, FX), order=1)
    check_grads(contact, (Q, QD, TAU, V0, G, FX, np.array([0.3, 0.0, -0.2])), order=1)
    check_grads(impact, (Q, QD, V0), order=1)
    check_grads(at(None, True).center_of_mass, (Q,), order=1)


def test_derivatives_are_those_that_are_generated():
    robot, on_jax = leg(), at(None)
    q, qd, qdd = states(50)
    by_all = jax.jit(jax.vmap(jax.jacrev(on_jax.inverse_dynamics, argnums=(0, 1, 2))))
    expected = robot.inverse_dynamics_derivatives(q, qd, qdd)
    for found, value in zip(by_all(q, qd, qdd), expected, strict=True):
        assert np.allclose(found, value, rtol=1e-15, atol=1e-15)


def test_parameters_of_each_state():
    robot = leg()
    values = P * np.linspace(0.9, 1.1, 4)[:, None]
    found = jax.jit(jax.vmap(lambda p, q: at(p).inverse_dynamics(q, QD, QDD)))(values, states(4)[0])
    assert tuple(robot.parameters) == NAMES
    for p, q, tau in zip(values, states(4)[0], found, strict=True):
        robot.parameters.update(zip(NAMES, p, strict=True))
        assert np.allclose(tau, robot.inverse_dynamics(q, QD, QDD), rtol=1e-14, atol=1e-14)
    robot.parameters.update(zip(NAMES, P, strict=True))


def test_what_has_no_derivative_is_told():
    on_jax = at(None)
    with pytest.raises(robcogen_ros.RobcogenError, match=r"coriolis_torques.*inverse_dynamics"):
        jax.grad(lambda q: on_jax.coriolis_torques(q, QD).sum())(Q)
    with pytest.raises(robcogen_ros.RobcogenError, match="inverse_dynamics_derivatives of robot"):
        jax.hessian(lambda q: on_jax.inverse_dynamics(q, QD, QDD).sum())(Q)
    contact = at(None, True).contact_forward_dynamics
    with pytest.raises(robcogen_ros.RobcogenError, match=r"by damping in .* only by base_velocity"):
        jax.grad(lambda d: contact(Q, QD, TAU, V0, G, damping=d)[0].sum())(np.ones(3))
    plain = robcogen_ros.jax(robcogen_ros.build(text=LEG, functions=["inverse_dynamics"]), P[:5])
    with pytest.raises(robcogen_ros.RobcogenError, match="calls inverse_dynamics_derivatives"):
        jax.grad(lambda q: plain.inverse_dynamics(q, QD, QDD).sum())(Q)


def test_wrong_arguments_are_told():
    on_jax = at(None)
    with pytest.raises(ValueError, match=r"q: expected shape \(..., 2\), found \(3,\)"):
        on_jax.inverse_dynamics(jax.numpy.zeros(3), QD, QDD)
    with pytest.raises(TypeError, match="q: expected real numbers, found complex128"):
        on_jax.inverse_dynamics(jax.numpy.zeros(2) + 1j, QD, QDD)
    with pytest.raises(TypeError, match="qdd: expected numbers"):
        on_jax.inverse_dynamics(Q, QD, None)
    for kind in ("float32", "bfloat16"):
        with pytest.warns(UserWarning, match=f"qd: {kind} is converted to float64"):
            on_jax.inverse_dynamics(Q, jax.numpy.asarray(QD, dtype=kind), QDD)
    with pytest.raises(robcogen_ros.RobcogenError, match="interpreted"):
        interpreted = robcogen_ros.build(text=LEG, backend="numpy")
        robcogen_ros.jax(interpreted)
    for wrong in ("arm.urdf", on_jax):
        with pytest.raises(TypeError, match=rf"expected a robot .* found .*{type(wrong).__name__}"):
            robcogen_ros.jax(wrong)
    jax.config.update("jax_enable_x64", False)
    try:
        for call in (on_jax.inverse_dynamics, jax.jit(on_jax.inverse_dynamics)):
            with pytest.raises(robcogen_ros.RobcogenError, match="double precision"):
                call(Q, QD, QDD)
    finally:
        jax.config.update("jax_enable_x64", True)


def test_lists_of_numbers_that_are_traced_are_arrays():
    on_jax = at(None)
    found = jax.jit(lambda a, b: on_jax.inverse_dynamics([a, b], QD, [[QDD[0], b], QDD]))(*Q)
    assert np.allclose(found, leg().inverse_dynamics(Q, QD, [[QDD[0], Q[1]], QDD]), rtol=1e-14)


def test_frames_have_second_derivatives():
    def place(q):
        return at(None).evaluate("base_X_foot", q=q)["X"][:3, 3]

    step = 1e-6
    differences = [
        (jax.jacfwd(place)(Q + d) - jax.jacfwd(place)(Q - d)) / (2 * step) for d in step * np.eye(2)
    ]
    assert np.allclose(jax.hessian(place)(Q), np.stack(differences, axis=-1), atol=1e-8)


def test_numbers_that_are_traced_are_told():
    on_jax = at(None)
    for name, arguments in {
        "operational_space": ("base", "foot", Q),
        "bias_acceleration": ("base", "foot", Q, QD),
        "inverse_kinematics": ("base", "foot", np.eye(4)),
    }.items():
        with pytest.raises(robcogen_ros.RobcogenError, match=f"{name} computes with numbers, not"):
            getattr(on_jax, name)(*arguments)
    with pytest.raises(TypeError, match=r"contact: expected numbers .* found what JAX traces"):
        contact = at(None, True).contact_forward_dynamics
        jax.jit(lambda c: contact(Q, QD, TAU, V0, G, contact=c))(np.ones(3))
    with pytest.raises(TypeError, match=r"q: expected numbers .* found what JAX traces"):
        jax.jit(leg().inverse_dynamics)(Q, QD, QDD)


SHARED = """
import jax, numpy as np, robcogen_ros
from test.arrays.leg import P, leg, states
jax.config.update("jax_enable_x64", True)
along = jax.sharding.PartitionSpec("states")
mesh = jax.make_mesh((2,), ("states",))
on_jax = robcogen_ros.jax(leg(), P)
q, qd, qdd = states(2000)

def error(q, qd, qdd):
    return (on_jax.inverse_dynamics(q, qd, qdd) ** 2).sum()

for call in on_jax.inverse_dynamics, jax.grad(error):
    shared = jax.jit(jax.shard_map(call, mesh=mesh, in_specs=along, out_specs=along))
    placed = [jax.device_put(x, jax.sharding.NamedSharding(mesh, along)) for x in (q, qd, qdd)]
    found = shared(*placed)
    assert len(found.devices()) == 2
    assert np.array_equal(found, jax.jit(call)(q, qd, qdd))
"""


def test_states_are_shared_among_devices():
    pytest.importorskip("jax", minversion="0.7")
    flags = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    subprocess.run([sys.executable, "-c", SHARED], check=True, env=flags)


def test_the_page_runs_as_written(tmp_path, monkeypatch):
    root = Path(__file__).resolve().parents[2]
    shutil.copy(root / "examples/two_link_arm/two_link_arm.urdf", tmp_path / "arm.urdf")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", "-O0 -march=native")
    page = (root / "docs" / "arrays.md").read_text(encoding="utf-8")
    names = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        if not block.startswith("import torch"):
            exec(block, names)
    assert names["slope"].shape == (1,)
    assert abs(names["slope"][0]) < 1e-9


def test_a_version_of_jax_that_calls_no_code_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax.ffi", None)
    with pytest.raises(robcogen_ros.RobcogenError, match=r"robcogen_ros\.jax needs .*'jax>=0\.5'"):
        _calls.__wrapped__()


def test_single_precision_of_jax_is_told():
    program = "import robcogen_ros; import jax; from test.arrays.leg import leg\n"
    program += "jax.config.update('jax_enable_x64', False); robcogen_ros.jax(leg())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "jax.config.update('jax_enable_x64', True)" in done.stderr
