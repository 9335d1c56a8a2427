"""Contacts on robots with all that a joint and a link may have."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli.generate import main
from test.property.test_joint_terms import TERMS, text
from test.support.random_robots import arm_with_everything

FUNCTIONS = ["contact_forward_dynamics", "contact_inverse_dynamics", "contact_jacobian"]
FUNCTIONS += ["contact_bias", "contact_wrenches", "impact", "forward_dynamics"]


def check(robot, seed: int = 0, **given):
    """External forces move a robot as those of its contacts do, and these stay."""
    random = np.random.default_rng(seed)
    n, base = robot.n, 6 if robot.floating_base else 0
    q, qd, tau = random.uniform(-1, 1, (3, n))
    v0 = [random.normal(size=6)] if base else []
    gravity = {"gravity": random.normal(size=3)}
    qdd, *a0, forces = robot.contact_forward_dynamics(q, qd, tau, *v0, **gravity, **given)
    wrenches = robot.contact_wrenches(q, forces)
    found = robot.forward_dynamics(q, qd, tau, *v0, **gravity, external_forces=wrenches)
    free = found if base else (found,)
    scale = 1 + max(np.abs(x).max() for x in (qdd, *a0))
    for ours, right in zip((qdd, *a0), free, strict=True):
        assert np.abs(ours - right).max() <= 1e-10 * scale
    J, bias = robot.contact_jacobian(q), robot.contact_bias(q, qd, *v0)
    missed = given.get("damping", 0) * forces
    assert np.abs(J @ np.concatenate([*a0, qdd]) + bias + missed).max() <= 1e-10 * scale
    back, *left = robot.contact_inverse_dynamics(
        q, qd, qdd, *v0, *a0, **gravity, contact_forces=forces
    )
    assert np.abs(back - tau).max() <= 1e-10 * (1 + np.abs(tau).max() + np.abs(forces).max())
    assert all(np.abs(w).max() <= 1e-9 * (1 + np.abs(forces).max()) for w in left)


def built(description: str, contacts, **options):
    options = {"backend": "numpy", "functions": FUNCTIONS, **options}
    return robcogen_ros.build(text=description, contacts=contacts, **options)


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("mimic", [False, True])
def test_armature_damping_and_friction(floating, mimic):
    contacts = ["l2:position_x"] if not floating else ["l2", "l3:position_z"]
    check(built(text(mimic), contacts, floating_base=floating, terms=TERMS))


@pytest.mark.parametrize("floating", [False, True])
def test_parameters_and_a_payload_in_the_leg(floating):
    contacts = ["l3:position_z"]
    options = {"floating_base": floating, "payload": "l3", "parameters": ["l3.mass"]}
    robot = built(text(), contacts, **options)
    check(robot)
    for number, name in enumerate(robot.parameters):
        if name.endswith("mass"):
            robot.parameters[name] = 2.0 + number
    check(robot)


def test_dependent_rows_miss_what_damping_says():
    robot = built(text(), ["l3:pose"], floating_base=False)
    check(robot, damping=np.full(6, 1e-3))


def test_the_tip_of_an_arm_with_everything():
    description = arm_with_everything().urdf()
    tip = robcogen_ros.build(text=description, backend="numpy").link_names[-1]
    for floating in (False, True):
        check(built(description, [f"{tip}:position_x"], floating_base=floating))


def test_a_python_module_takes_the_same_arguments(tmp_path, monkeypatch):
    (tmp_path / "r.urdf").write_text(text())
    words = ["--target", "python", "--name", "in_contact", "--floating-base", "--contact", "l2"]
    words += ["--function", "contact_forward_dynamics", "-o", str(tmp_path)]
    assert main([str(tmp_path / "r.urdf"), *words]) == 0
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("in_contact")
    robot = built(text(), ["l2"], floating_base=True)
    random = np.random.default_rng(2)
    state = (*random.normal(size=(3, robot.n)), random.normal(size=6), random.normal(size=3))
    turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
    for given in ({"contact_rotation": turn * np.linalg.det(turn)}, {"contact": [1.0, 0.0, 1.0]}):
        expected = robot.contact_forward_dynamics(*state, **given)
        for ours, right in zip(
            module.contact_forward_dynamics(*state, **given), expected, strict=True
        ):
            np.testing.assert_allclose(ours, right, rtol=1e-12, atol=1e-12)
