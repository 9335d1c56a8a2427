"""Robots in Python: shapes, batches, names, parameters, compiled as interpreted."""

import shutil

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.backends.render import include_directory
from robcogen_ros.runtime.compiling import compile as compilation
from test.support.examples import example_path, free_leg


@pytest.fixture(scope="module")
def compiled():
    return robcogen_ros.build(example_path("hyl"))


@pytest.fixture(scope="module")
def interpreted():
    return robcogen_ros.build(example_path("hyl"), backend="numpy")


@pytest.fixture(scope="module")
def floating(tmp_path_factory):
    path = free_leg(tmp_path_factory.mktemp("leg"))
    return robcogen_ros.build(path, backend="numpy", floating_base=True)


@pytest.fixture
def state():
    return np.random.default_rng(7).normal(size=(3, 4, 2, 3))


@pytest.mark.slow
def test_names_and_numbers(compiled):
    assert compiled.name == "HyL"
    assert compiled.joint_names == ("SLIDE", "HFE", "KFE")
    assert compiled.link_names == ("base", "slider", "upperleg", "lowerleg")
    assert "fr_foot" in compiled.frame_names
    assert not compiled.floating_base
    assert compiled.library_path is not None


@pytest.mark.slow
def test_compiled_equals_interpreted(compiled, interpreted, state):
    q, qd, x = state
    forces = np.random.default_rng(1).normal(size=(4, 6))
    gravity = [1.0, -2.0, 3.0]
    for more in (
        {},
        {"external_forces": forces},
        {"gravity": gravity},
        {"gravity": gravity, "external_forces": forces},
    ):
        for name in ("inverse_dynamics", "forward_dynamics"):
            results = [getattr(r, name)(q, qd, x, **more) for r in (compiled, interpreted)]
            np.testing.assert_allclose(*results, rtol=1e-12, atol=1e-12)
    for name in ("inertia_matrix", "inertia_factor", "inertia_matrix_inverse", "center_of_mass"):
        results = [getattr(r, name)(q) for r in (compiled, interpreted)]
        np.testing.assert_allclose(*results, rtol=1e-12, atol=1e-12)


@pytest.mark.slow
def test_batches_are_what_single_calls_are(compiled, state):
    q, qd, qdd = state
    many = compiled.inverse_dynamics(q, qd, qdd)
    assert many.shape == (4, 2, 3)
    np.testing.assert_array_equal(
        many[2, 1], compiled.inverse_dynamics(q[2, 1], qd[2, 1], qdd[2, 1])
    )
    broadcast = compiled.inverse_dynamics(q, qd[0, 0], qdd[0, 0])
    np.testing.assert_array_equal(
        broadcast[3, 0], compiled.inverse_dynamics(q[3, 0], qd[0, 0], qdd[0, 0])
    )


@pytest.mark.slow
def test_an_empty_batch_is_fine(compiled):
    nothing = np.zeros((0, 3))
    assert compiled.inverse_dynamics(nothing, nothing, nothing).shape == (0, 3)
    assert compiled.inertia_matrix(nothing).shape == (0, 3, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.0] * 4, [0.0] * 3, [0.0] * 3), r"q: expected shape \(\.\.\., 3\), found \(4,\)"),
        (([0.0] * 3, 1.0, [0.0] * 3), r"qd: expected shape \(\.\.\., 3\), found \(\)"),
        ((np.zeros((2, 3)), np.zeros((5, 3)), [0.0] * 3), "leading dimensions do not fit"),
    ],
)
def test_wrong_shapes_name_the_argument(compiled, arguments, message):
    with pytest.raises(ValueError, match=message):
        compiled.inverse_dynamics(*arguments)


@pytest.mark.slow
def test_transforms_of_all_kinds_agree(compiled):
    q = [0.1, 0.4, -0.9]
    X = compiled.transform("fr_foot", "fr_base", q)
    R, p = X[:3, :3], X[:3, 3]
    cross = np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])
    zero = np.zeros((3, 3))
    motion, force = np.block([[R, zero], [cross @ R, R]]), np.block([[R, cross @ R], [zero, R]])
    np.testing.assert_allclose(compiled.transform("fr_foot", "fr_base", q, "motion"), motion)
    np.testing.assert_allclose(compiled.transform("fr_foot", "fr_base", q, "force"), force)
    back = compiled.transform("fr_base", "fr_foot", q)
    np.testing.assert_allclose(back @ X, np.eye(4), atol=1e-15)


@pytest.mark.slow
def test_unknown_frames_are_named(compiled):
    with pytest.raises(
        robcogen_ros.RobcogenError, match="no frame 'fr_fot'; did you mean 'fr_foot'"
    ):
        compiled.jacobian("fr_base", "fr_fot", [0.0] * 3)


@pytest.mark.slow
def test_a_link_answers_to_both_names(compiled):
    q = [0.0, 0.2, 0.3]
    np.testing.assert_array_equal(
        compiled.transform("base", "lowerleg", q), compiled.transform("fr_base", "fr_lowerleg", q)
    )


def test_hybrid_and_fully_actuated_dynamics_agree(floating):
    rng = np.random.default_rng(3)
    q, qd, qdd = rng.normal(size=(3, 3))
    velocity, gravity = rng.normal(size=6), rng.normal(size=3)
    tau, acceleration = floating.inverse_dynamics(q, qd, qdd, velocity, gravity)
    again, wrench = floating.inverse_dynamics_fully_actuated(
        q, qd, qdd, velocity, acceleration, gravity
    )
    np.testing.assert_allclose(again, tau, atol=1e-10)
    np.testing.assert_allclose(wrench, 0, atol=1e-10)


def test_a_freely_falling_base_accelerates_with_gravity(floating):
    zero = np.zeros(3)
    _, acceleration = floating.forward_dynamics(zero, zero, zero, np.zeros(6), [0, 0, -9.81])
    np.testing.assert_allclose(acceleration, [0, 0, 0, 0, 0, -9.81], atol=1e-12)


def test_parameters_are_set_by_name_and_used():
    fancy = robcogen_ros.build(example_path("fancy"), backend="numpy")
    assert list(fancy.parameters) == ["ee_x"]
    with pytest.raises(robcogen_ros.RobcogenError, match="parameter 'ee_x' has no default"):
        fancy.inertia_matrix(np.zeros(5))
    fancy.parameters["ee_x"] = 0.25
    pose = fancy.transform("fr_link5", "ee", np.zeros(5))
    np.testing.assert_allclose(pose[:3, 3], [0.25, 0, 0])
    with pytest.raises(KeyError, match="no parameter 'ee_y'; did you mean 'ee_x'"):
        fancy.parameters["ee_y"] = 1.0
    with pytest.raises(ValueError, match="finite"):
        fancy.parameters["ee_x"] = float("nan")


def test_only_the_functions_asked_for_are_there():
    robot = robcogen_ros.build(
        example_path("hyl"), backend="numpy", functions=["gravity_torques", "fr_base_J_fr_foot"]
    )
    q = [0.1, 0.2, 0.3]
    assert robot.evaluate("fr_base_J_fr_foot", q=q)["J"].shape == (6, 3)
    with pytest.raises(robcogen_ros.RobcogenError, match="generated without inertia_matrix"):
        robot.inertia_matrix(q)
    with pytest.raises(robcogen_ros.RobcogenError, match="no function 'gravity_torque'; did you"):
        robcogen_ros.build(example_path("hyl"), functions=["gravity_torque"])


def test_models_that_nobody_built_are_reported(monkeypatch, tmp_path):
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path))
    with pytest.raises(robcogen_ros.RobcogenError, match="is the workspace sourced"):
        robcogen_ros.load("arms/left")
    with pytest.raises(robcogen_ros.RobcogenError, match="expected '<package>/<target>'"):
        robcogen_ros.load("left")


def test_without_a_compiler_the_message_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("CXX", "no-such-compiler")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(robcogen_ros.RobcogenError, match="backend='interpreter'"):
        robcogen_ros.build(example_path("hyl"))


@pytest.mark.slow
def test_a_changed_header_of_any_folder_is_compiled_again(tmp_path, monkeypatch):
    include = tmp_path / "include"
    shutil.copytree(include_directory(), include)
    monkeypatch.setattr(compilation, "include_directory", lambda: include)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def library_path():
        functions = ["inertia_matrix"]
        return robcogen_ros.build(example_path("hyl"), functions=functions).library_path

    first = library_path()
    assert library_path() == first
    for header in ("simd/pack.hpp", "model.h"):
        with (include / "robcogen_ros" / header).open("a") as file:
            file.write("// changed\n")
        assert library_path() != first
        first = library_path()


def test_a_robot_on_a_fixed_base_says_why_it_has_no_gait(interpreted):
    with pytest.raises(AttributeError, match="'gait': its base is fixed; build it with floating"):
        interpreted.gait(posture=[])
    with pytest.raises(AttributeError, match=r"has no 'gate'$"):
        interpreted.gate()
    assert not hasattr(interpreted, "ground")


def test_functions_of_joints_that_follow_say_that_none_does(interpreted):
    with pytest.raises(robcogen_ros.RobcogenError, match=r"no joint follows another; it is q$"):
        interpreted.joint_positions(np.zeros(3))
