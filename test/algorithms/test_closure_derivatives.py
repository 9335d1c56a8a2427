"""Derivatives of robots with loops beside central differences, and their contacts beside KKT."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from robcogen_ros.program.library import Library
from test.support.linkage_oracle import Linkage
from test.support.linkages import (
    ANKLE,
    ANKLE_LOOPS,
    CURVED,
    CURVED_LOOPS,
    FIVE_BAR,
    FIVE_BAR_LOOPS,
    FOUR_BAR,
    FOUR_BAR_LOOPS,
    GEARED,
    GEARED_LOOPS,
    RSSP,
    RSSP_LOOPS,
    SLIDER,
    SLIDER_LOOPS,
)

Array = NDArray[np.float64]

_FORMS = {
    "four_bar": (FOUR_BAR, FOUR_BAR_LOOPS),
    "five_bar": (FIVE_BAR, FIVE_BAR_LOOPS),
    "geared": (GEARED, GEARED_LOOPS),
    "curved": (CURVED, CURVED_LOOPS),
    "slider": (SLIDER, SLIDER_LOOPS),
    "slider_in_space": (RSSP, RSSP_LOOPS),
}


_RESISTING = FOUR_BAR.replace(
    "<axis",
    '<dynamics armature="0.4" damping="0.7" spring_stiffness="3" spring_reference="0.2"/><axis',
)


@pytest.fixture(scope="module", params=_FORMS)
def linkage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Linkage:
    return Linkage.of(tmp_path_factory.mktemp("linkage"), *_FORMS[request.param])


def differences(function: Callable[[Array], Array], x: Array, step: float) -> Array:
    """Central differences, a variable a column."""
    units = step * np.eye(len(x))
    return np.stack([(function(x + e) - function(x - e)) / (2 * step) for e in units], axis=-1)


def is_derivative(found: Array, function: Callable[[Array], Array], x: Array) -> None:
    """Central differences come near it by the square of the step."""
    coarse, fine = (np.abs(differences(function, x, h) - found).max() for h in (4e-3, 2e-3))
    scale = max(1.0, float(np.abs(found).max()))
    assert fine < 1e-4 * scale
    assert fine < coarse / 3.8 or fine < 1e-9 * scale


def state(linkage: Linkage, seed: int) -> tuple[Array, ...]:
    """A closed position, velocities, accelerations, forces."""
    q = linkage.positions(3)[-1][linkage.free]
    return (q, *np.random.default_rng(seed).uniform(-2, 2, (3, len(q))))


def test_derivatives_of_the_dynamics(linkage: Linkage) -> None:
    q, qd, qdd, tau = state(linkage, 1)
    of = linkage.of_robot
    found = linkage.results("inverse_dynamics_derivatives", q=q, qd=qd, qdd=qdd)
    name = "inverse_dynamics"
    is_derivative(found["dtau_dq"], lambda x: of(name, q=x, qd=qd, qdd=qdd), q)
    is_derivative(found["dtau_dqd"], lambda x: of(name, q=q, qd=x, qdd=qdd), qd)
    np.testing.assert_allclose(found["dtau_dqdd"], of("inertia_matrix", q=q), atol=1e-13)
    found = linkage.results("forward_dynamics_derivatives", q=q, qd=qd, tau=tau)
    name = "forward_dynamics"
    is_derivative(found["dqdd_dq"], lambda x: of(name, q=x, qd=qd, tau=tau), q)
    is_derivative(found["dqdd_dqd"], lambda x: of(name, q=q, qd=x, tau=tau), qd)


def test_rates_of_jacobians_and_momenta(linkage: Linkage) -> None:
    q, qd, _, _ = state(linkage, 2)
    of = linkage.of_robot

    def in_time(name: str) -> Callable[[Array], Array]:
        return lambda t: of(name, q=q + t[0] * qd).T.ravel()

    start = np.zeros(1)
    rate = of("world_Jd_tool", q=q, qd=qd)
    is_derivative(rate.T.reshape(-1, 1), in_time("world_J_tool"), start)
    np.testing.assert_allclose(rate @ qd, of("world_JdQd_tool", q=q, qd=qd), atol=1e-12)
    hessian = of("world_hessian_tool", q=q)
    is_derivative(hessian, lambda x: of("world_J_tool", q=x).T.ravel(), q)
    found = linkage.results("generalized_momentum", q=q, qd=qd)
    np.testing.assert_allclose(found["momentum"], of("inertia_matrix", q=q) @ qd, atol=1e-13)
    held = of("gravity_torques", q=q) + of("coriolis_torques", q=q, qd=qd)

    def momentum(t: Array) -> Array:
        return of("inertia_matrix", q=q + t[0] * qd) @ qd

    is_derivative((found["bias"] + held)[:, None], momentum, start)


def test_regressor_gives_the_forces(linkage: Linkage) -> None:
    q, qd, qdd, _ = state(linkage, 3)
    Y = linkage.of_robot("inverse_dynamics_regressor", q=q, qd=qd, qdd=qdd)
    parameters = linkage.of_robot("inertial_parameters", q=q).T.ravel()
    expected = linkage.of_robot("inverse_dynamics", q=q, qd=qd, qdd=qdd)
    np.testing.assert_allclose(Y @ parameters, expected, atol=1e-12)


def test_derivatives_through_newton_steps_of_several_loops(tmp_path: Path) -> None:
    linkage = Linkage.of(tmp_path, ANKLE, ANKLE_LOOPS)
    q, qd, qdd, _ = state(linkage, 4)
    found = linkage.results("inverse_dynamics_derivatives", q=q, qd=qd, qdd=qdd)
    of, name = linkage.of_robot, "inverse_dynamics"
    is_derivative(found["dtau_dq"], lambda x: of(name, q=x, qd=qd, qdd=qdd), q)
    is_derivative(found["dtau_dqd"], lambda x: of(name, q=q, qd=x, qdd=qdd), qd)


def test_contacts_of_a_floating_robot_with_loops(tmp_path: Path) -> None:
    options = {"floating_base": True, "contacts": ("tool",)}
    linkage = Linkage.of(tmp_path, FOUR_BAR, FOUR_BAR_LOOPS, **options)
    q, qd, _, tau = state(linkage, 5)
    n, random = len(q), np.random.default_rng(6)
    given = {"gravity": np.array([0.3, -0.2, -9.8]), "damping": np.full(3, 0.1)}
    moving = {"base_velocity": random.uniform(-1, 1, 6)}

    def dynamics(q: Array, qd: Array) -> Array:
        found = linkage.results("contact_forward_dynamics", q=q, qd=qd, tau=tau, **given, **moving)
        return np.concatenate(
            [found[name] for name in ("base_acceleration", "qdd", "contact_forces")]
        )

    # H a + h = [0; tau] + J' f and J a + b + damping f = 0
    motion, forces = np.split(dynamics(q, qd), [-3])
    J = linkage.of_robot("contact_jacobian", q=q)
    bias = linkage.of_robot("contact_bias", q=q, qd=qd, **moving)
    np.testing.assert_allclose(J @ motion + bias + 0.1 * forces, 0, atol=1e-11)
    acceleration = {"base_acceleration": motion[:-n]}
    of_motion = {"q": q, "qd": qd, "qdd": motion[-n:], "gravity": given["gravity"]}
    left = linkage.results(
        "contact_inverse_dynamics", **of_motion, contact_forces=forces, **moving, **acceleration
    )
    np.testing.assert_allclose(left["tau"], tau, atol=1e-11)
    np.testing.assert_allclose(left["base_wrench"], 0, atol=1e-11)
    t = linkage.closed(q, linkage.positions(3)[-1])
    _, td, tdd = linkage.motion(t, qd, np.zeros(n))
    of_tree = linkage.of_tree("contact_bias", q=t, qd=td, **moving)
    of_tree += linkage.of_tree("contact_jacobian", q=t)[:, -len(t) :] @ tdd
    np.testing.assert_allclose(bias, of_tree, atol=1e-12)
    name = "contact_forward_dynamics_derivatives"
    found = linkage.results(name, q=q, qd=qd, tau=tau, **given, **moving)
    by_q = np.concatenate([found["dqdd_dq"], found["dforces_dq"]])[:, -n:]
    by_qd = np.concatenate([found["dqdd_dqd"], found["dforces_dqd"]])[:, -n:]
    is_derivative(by_q, lambda x: dynamics(x, qd), q)
    is_derivative(by_qd, lambda x: dynamics(q, x), qd)

    def impact(q: Array) -> Array:
        hit = {"damping": given["damping"], "restitution": np.array([0.3])}
        found = linkage.results("impact", q=q, qd=qd, **hit, **moving)
        return np.concatenate(list(found.values()))

    hit = {"damping": given["damping"], "restitution": np.array([0.3])}
    found = linkage.results("impact_derivatives", q=q, qd=qd, **hit, **moving)
    after = [found["dqd_dq"][6:, -n:], found["dqd_dq"][:6, -n:], found["dimpulses_dq"][:, -n:]]
    is_derivative(np.concatenate(after), impact, q)


def test_limbs_that_stand_and_follow_are_refused(tmp_path: Path) -> None:
    linkage = Linkage.of(tmp_path, FOUR_BAR, FOUR_BAR_LOOPS, contacts=("tool",))
    requested = Library(linkage.robot, ["dependent_velocities", "kinematics"]).requested
    assert requested.names == ("kinematics",)
    (reason,) = {
        requested.unavailable[name] for name in ("dependent_velocities", "reduced_dynamics")
    }
    assert reason == "contact 'tool': joints before it follow others: drive, pin, wrist"


def test_rotors_damping_and_springs_of_joints_that_follow(tmp_path: Path) -> None:
    """They are G' (a qdd + d qd + k (q - r)) of all joints, whatever these follow."""
    terms = ["armature", "damping", "springs"]
    linkage = Linkage.of(tmp_path, _RESISTING, FOUR_BAR_LOOPS, terms=terms)
    rigid = Linkage.of(tmp_path, FOUR_BAR, FOUR_BAR_LOOPS)
    q, qd, qdd, tau = state(linkage, 5)
    of, t = linkage.of_robot, linkage.positions(3)[-1]
    G, td, tdd = linkage.motion(t, qd, qdd)

    def rotors(q: Array) -> Array:
        G = linkage.motion(linkage.closed(q, t), qd, qdd)[0]
        return 0.4 * G.T @ G

    def more(name: str, **values: Array) -> Array:
        return of(name, **values) - rigid.of_robot(name, **values)

    np.testing.assert_allclose(more("inertia_matrix", q=q), rotors(q), atol=1e-12)
    held = G.T @ (3 * (t - 0.2))
    np.testing.assert_allclose(more("gravity_torques", q=q), held, atol=1e-12)
    np.testing.assert_allclose(more("potential_energy", q=q), 1.5 * sum((t - 0.2) ** 2), atol=1e-12)
    felt = G.T @ (0.4 * tdd + 0.7 * td) + held
    np.testing.assert_allclose(more("inverse_dynamics", q=q, qd=qd, qdd=qdd), felt, atol=1e-12)
    turning = 0.4 * G.T @ (tdd - G @ qdd)
    np.testing.assert_allclose(more("coriolis_torques", q=q, qd=qd), turning, atol=1e-12)
    own = of("inverse_dynamics", q=q, qd=qd, qdd=qdd)
    np.testing.assert_allclose(of("forward_dynamics", q=q, qd=qd, tau=own), qdd, atol=1e-11)
    np.testing.assert_allclose(more("kinetic_energy", q=q, qd=qd), 0.2 * td @ td, atol=1e-12)
    momentum = linkage.results("generalized_momentum", q=q, qd=qd)
    without = rigid.results("generalized_momentum", q=q, qd=qd)
    gained = [momentum[name] - without[name] for name in momentum]
    np.testing.assert_allclose(gained[0], rotors(q) @ qd, atol=1e-12)
    free = gained[1] + 0.7 * G.T @ td + held  # the rest of the rate of momentum is dT/dq
    is_derivative(free[None], lambda q: (qd @ rotors(q) @ qd / 2)[None], q)
    found = linkage.results("inverse_dynamics_derivatives", q=q, qd=qd, qdd=qdd)
    is_derivative(found["dtau_dq"], lambda x: of("inverse_dynamics", q=x, qd=qd, qdd=qdd), q)
    is_derivative(found["dtau_dqd"], lambda x: of("inverse_dynamics", q=q, qd=x, qdd=qdd), qd)
    np.testing.assert_allclose(found["dtau_dqdd"], of("inertia_matrix", q=q), atol=1e-12)
    found = linkage.results("forward_dynamics_derivatives", q=q, qd=qd, tau=tau)
    is_derivative(found["dqdd_dq"], lambda x: of("forward_dynamics", q=x, qd=qd, tau=tau), q)
    is_derivative(found["dqdd_dqd"], lambda x: of("forward_dynamics", q=q, qd=x, tau=tau), qd)


@pytest.mark.parametrize("length", [0.0, 0.3])
def test_springs_between_frames_of_a_linkage(tmp_path: Path, length: float) -> None:
    """Their energy is that of the distance of their ends, their forces its derivatives."""
    springs = f"springs: {{s: {{frames: [tool, frame], stiffness: 40, length: {length}}}}}"
    linkage = Linkage.of(tmp_path, FOUR_BAR, FOUR_BAR_LOOPS + springs, terms=["springs"])
    rigid = Linkage.of(tmp_path, FOUR_BAR, FOUR_BAR_LOOPS)
    q, qd, qdd, tau = state(linkage, 6)
    of = linkage.of_robot

    def more(name: str, q: Array) -> Array:
        return of(name, q=q) - rigid.of_robot(name, q=q)

    stretched = np.linalg.norm(of("frame_X_tool", q=q)[:3, 3]) - length
    np.testing.assert_allclose(more("potential_energy", q), 20 * stretched**2, atol=1e-12)
    is_derivative(more("gravity_torques", q)[None], lambda x: more("potential_energy", x), q)
    found = linkage.results("inverse_dynamics_derivatives", q=q, qd=qd, qdd=qdd)
    is_derivative(found["dtau_dq"], lambda x: of("inverse_dynamics", q=x, qd=qd, qdd=qdd), q)
    found = linkage.results("forward_dynamics_derivatives", q=q, qd=qd, tau=tau)
    is_derivative(found["dqdd_dq"], lambda x: of("forward_dynamics", q=x, qd=qd, tau=tau), q)
