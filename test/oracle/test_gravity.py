"""Gravity that is given at generation, or seen from a turned root, beside Pinocchio's."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pinocchio")
from hypothesis import strategies as st

import robcogen_ros
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from test.oracle.comparison import rows
from test.support.c_library import CLibrary
from test.support.examples import example
from test.support.pinocchio_oracle import PinocchioOracle
from test.support.random_robots import for_random, trees
from test.support.robots import robot_path, robots_directory
from test.support.scaled import force_error

NEEDS_ROBOTS = pytest.mark.skipif(
    robots_directory() is None, reason="example-robot-data is not installed"
)
TURNED = (3.0, -4.0, 7.5)


def errors_of_part(path: Path, root: str, **options) -> float:
    """How far the torques of a part are from Pinocchio's of the whole, all else at rest at zero."""
    part = robcogen_ros.build(path, root=root, gravity="mount", backend="numpy", **options)
    whole = PinocchioOracle(path)
    places = [whole.joint_names.index(name) for name in part.joint_names]
    random = np.random.default_rng(5)
    states = random.normal(size=(3, 4, part.n))
    full = np.zeros((3, 4, whole.n))
    full[..., places] = states
    found = part.inverse_dynamics(*states)
    return force_error(found, rows(whole.inverse_dynamics, *full)[:, places])


@NEEDS_ROBOTS
@pytest.mark.parametrize(
    ("name", "root"),
    [
        ("talos_data/robots/talos_full_v2.urdf", "arm_left_1_link"),
        ("baxter_description/urdf/baxter.urdf", "left_upper_shoulder"),
        ("baxter_description/urdf/baxter.urdf", "right_lower_shoulder"),
        ("anymal_b_simple_description/robots/anymal-kinova.urdf", "j2s6s200_link_1"),
        ("centauro_description/urdf/centauro.urdf", "arm1_1"),
        ("hyq_description/robots/hyq_no_sensors.urdf", "lf_hipassembly"),
        ("xarm_description/urdf/xarm7.urdf", "link2"),
    ],
)
def test_a_turned_root_sees_gravity_as_the_whole_robot_does(name: str, root: str) -> None:
    assert errors_of_part(robot_path(name), root) < 1e-11


@for_random(trees(mimic=False), st.data())
def test_parts_of_any_robot_see_gravity_as_the_whole_does(tree, data) -> None:
    root = data.draw(st.sampled_from([joint.parent for joint in tree.free_joints]))
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "random.urdf")
        path.write_text(tree.urdf(), encoding="utf-8")
        assert errors_of_part(path, root) < 1e-10


@NEEDS_ROBOTS
@pytest.mark.parametrize("backend", ["numpy", "cpp"])
def test_gravity_at_generation_is_pinocchios(backend: str) -> None:
    path = robot_path("ur_description/urdf/ur5_robot.urdf")
    robot = robcogen_ros.build(path, gravity=TURNED, backend=backend)
    oracle = PinocchioOracle(path)
    q, qd, qdd = np.random.default_rng(6).normal(size=(3, 5, robot.n))
    gravity = np.tile(TURNED, (5, 1))
    expected = rows(oracle.inverse_dynamics, q, qd, qdd, gravity)
    assert force_error(robot.inverse_dynamics(q, qd, qdd), expected) < 1e-11
    assert force_error(robot.inverse_dynamics(q, qd, qdd, gravity=TURNED), expected) < 1e-11
    still = rows(oracle.inverse_dynamics, q, 0 * q, 0 * q, gravity)
    assert force_error(robot.gravity_torques(q), still) < 1e-11
    np.testing.assert_allclose(robot.forward_dynamics(q, qd, expected), qdd, atol=1e-8)
    potential = rows(oracle.energies, q, qd, gravity)[:, 1]
    np.testing.assert_allclose(robot.potential_energy(q), potential, rtol=1e-11)


@NEEDS_ROBOTS
def test_loops_over_many_joints_take_the_gravity_of_generation() -> None:
    robot = robcogen_ros.build(
        robot_path("talos_data/robots/talos_full_v2.urdf"),
        gravity=TURNED,
        functions=["inverse_dynamics", "gravity_torques"],
    )
    q, qd, last = np.random.default_rng(8).normal(size=(3, 3, robot.n))
    for function, state in (
        (robot.inverse_dynamics, (q, qd, last)),
        (robot.gravity_torques, (q,)),
    ):
        expected = function(*state, gravity=TURNED)
        np.testing.assert_allclose(function(*state), expected, atol=1e-9 * np.abs(expected).max())


@for_random(trees(), examples=10)
def test_every_function_takes_the_gravity_of_generation_where_none_is_given(tree) -> None:
    usual = tree.build(False)
    other = tree.build(False, gravity=TURNED)
    random = np.random.default_rng(7)
    taken = 0
    for name, signature in usual._signatures.items():
        if "gravity" in signature.shapes:
            inputs = {
                argument: random.normal(size=signature.shapes[argument])
                for argument in usual.required_inputs[name]
            }
            expected = usual.evaluate(name, **inputs, gravity=TURNED)
            for output, values in other.evaluate(name, **inputs).items():
                scale = np.abs(expected[output]).max(initial=1e-3)
                np.testing.assert_allclose(values, expected[output], atol=1e-8 * scale)
            taken += 1
    assert taken >= 5


def test_generated_languages_take_the_gravity_of_generation(tmp_path) -> None:
    robot = replace(example("hyl"), gravity=TURNED)
    library = Library(robot, ["gravity_torques"])
    entry, q = library.entry("gravity_torques"), [0.1, 0.4, -0.9]
    expected = interpret(entry.general, {"q": q, "gravity": TURNED})["tau"]
    target = Target("demo", "leg", "hyl.kindsl")
    c = CLibrary(BACKENDS["c"](library, target), tmp_path)
    found = c.call("gravity_torques", entry.usual, {"q": q})["tau"]
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    ((_, text),) = BACKENDS["python"](library, target).items()
    module: dict = {"__name__": "leg"}
    exec(compile(text, "leg.py", "exec"), module)
    np.testing.assert_allclose(module["gravity_torques"](q), expected, rtol=1e-13)
    octave = {path.name: text for path, text in BACKENDS["octave"](library, target).items()}
    assert "model.gravity = [3; -4; 7.5];" in octave["spatial_v2.m"]
