"""Motion of links, wrenches between them and motion of the whole mass equal Pinocchio's."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pinocchio")

import robcogen_ros
from test.oracle.comparison import rows
from test.oracle.states import random_states
from test.support.pinocchio_motion import MotionOracle
from test.support.random_robots import arm_with_everything
from test.support.robots import robot_path, robots_directory

ROBOTS = [
    "arm with everything",
    "hyq_description/robots/hyq_no_sensors.urdf",
    "panda_description/urdf/panda.urdf",
    "simple_humanoid_description/urdf/simple_humanoid.urdf",
]

WORDS = ("J", "Jd", "JdQd", "spatial_JdQd", "velocity", "acceleration", "spatial_acceleration")


class Case:
    """A robot, its oracle and some states of both; without a floating base, the base is at rest."""

    def __init__(self, path, floating: bool) -> None:
        self.oracle = MotionOracle(path)
        self.frame = self.oracle.frame_names[-1]
        base = "full" if floating else self.oracle.root
        self.words = {word: f"{base}_{word}_{self.frame}" for word in WORDS}
        self.robot = robcogen_ros.build(
            path,
            floating_base=floating,
            backend="numpy",
            functions=["all", *self.words.values()],
        )
        self.links = self.robot.link_names
        states = random_states(self.robot.n, len(self.links), True, count=3)
        if not floating:
            states.velocity[:, :6] = states.acceleration[:, :6] = 0.0
        self.states = states

    def call(self, name: str, *inputs: str, **more):
        """A method of the robot, or a function of its last frame, on the states."""
        s = self.states
        values = {"q": s.q, "qd": s.velocity[:, 6:], "qdd": s.acceleration[:, 6:]}
        given = {name: values[name] for name in inputs}
        if self.robot.floating_base and "qd" in inputs:
            given["base_velocity"] = s.velocity[:, :6]
        if self.robot.floating_base and "qdd" in inputs:
            given["base_acceleration"] = s.acceleration[:, :6]
        if name in WORDS:
            (result,) = self.robot.evaluate(self.words[name], **given).values()
            return result
        return getattr(self.robot, name)(**given, **more)

    def expected(self, function, *states):
        """The oracle's results."""
        return rows(function, *(getattr(self.states, name) for name in states))

    def by_link(self, function, *states):
        """The oracle's results for each link, (states, links, 6)."""
        found = [self.expected(lambda *s, x=x: function(x, *s), *states) for x in self.links]
        return np.stack(found, axis=1)


@pytest.fixture(scope="module", params=ROBOTS)
def path(request, tmp_path_factory):
    if request.param != ROBOTS[0]:
        if robots_directory() is None:
            pytest.skip("example-robot-data is not installed")
        return robot_path(request.param)
    path = tmp_path_factory.mktemp("robots") / "arm.urdf"
    path.write_text(arm_with_everything().urdf(), encoding="utf-8")
    return path


@pytest.fixture(scope="module", params=[False, True], ids=["fixed", "floating"])
def case(request, path):
    return Case(path, request.param)


def assert_close(ours, expected):
    assert ours.shape == expected.shape
    assert np.abs(ours - expected).max() < 1e-11 * (1 + np.abs(expected).max())


def test_velocities_of_links(case):
    expected = case.by_link(case.oracle.frame_velocity, "q", "velocity")
    assert_close(case.call("link_velocities", "q", "qd"), expected)


def test_accelerations_of_links(case):
    expected = case.by_link(case.oracle.frame_acceleration, "q", "velocity", "acceleration")
    assert_close(case.call("link_accelerations", "q", "qd", "qdd"), expected)


def test_wrenches_in_joints(case):
    s = case.states
    forces = [dict(zip(case.links, wrenches, strict=True)) for wrenches in s.forces]
    expected = np.stack(
        [
            rows(
                lambda *state, x=link: case.oracle.joint_wrench(x, *state),
                *(s.q, s.velocity, s.acceleration, s.gravity, forces),
            )
            for link in case.links
        ],
        axis=1,
    )
    given = {"gravity": s.gravity, "external_forces": s.forces}
    assert_close(case.call("joint_wrenches", "q", "qd", "qdd", **given), expected)


def test_motion_of_the_center_of_mass(case):
    expected = case.expected(case.oracle.center_of_mass_jacobian, "q")
    base = 0 if case.robot.floating_base else 6
    assert_close(case.call("center_of_mass_jacobian", "q"), expected[:, :, base:])
    velocity = np.einsum("kij,kj->ki", expected, case.states.velocity)
    assert_close(case.call("center_of_mass_velocity", "q", "qd"), velocity)


def test_rate_of_the_centroidal_momentum(case):
    expected = case.expected(case.oracle.centroidal_momentum_rate, "q", "velocity")
    assert_close(case.call("centroidal_momentum_bias", "q", "qd"), expected)


def test_generalized_momentum(case):
    expected = case.expected(case.oracle.generalized_momentum, "q", "velocity", "gravity")
    base = 0 if case.robot.floating_base else 6
    found = case.call("generalized_momentum", "q", "qd", gravity=case.states.gravity)
    assert_close(np.stack(found, axis=1), expected[..., base:])


def test_total_mass(case):
    assert case.robot.total_mass() == pytest.approx(case.oracle.total_mass())


def test_entries_of_the_inertia_matrix(case):
    base = 0 if case.robot.floating_base else 6
    H = case.expected(case.oracle.inertia_matrix, "q")[:, base:, base:]
    rows, starts = case.robot.inertia_matrix_pattern
    columns = np.repeat(np.arange(H.shape[-1]), np.diff(starts))
    assert_close(case.call("inertia_matrix_entries", "q"), H[:, rows, columns])
    H[:, rows, columns] = H[:, columns, rows] = 0.0
    assert_close(H, np.zeros_like(H))


def test_solving_with_the_inertia_matrix(case):
    base = 0 if case.robot.floating_base else 6
    H = case.expected(case.oracle.inertia_matrix, "q")[:, base:, base:]
    b = case.states.velocity[:, base:]
    x = case.call("solve_inertia", "q", b=b)
    scale = np.einsum("kij,kj->ki", np.abs(H), np.abs(x)).max()
    assert np.abs(np.einsum("kij,kj->ki", H, x) - b).max() < 1e-12 * scale


def test_jacobian_of_a_frame_and_its_rate(case):
    base = 0 if case.robot.floating_base else 6
    oracle, frame = case.oracle, case.frame
    expected = case.expected(lambda q: oracle.full_jacobian(frame, q), "q")
    assert_close(case.call("J", "q"), expected[:, :, base:])
    expected = case.expected(lambda *s: oracle.jacobian_rate(frame, *s), "q", "velocity")
    assert_close(case.call("Jd", "q", "qd"), expected[:, :, base:])


def test_motion_of_a_frame(case):
    oracle, frame = case.oracle, case.frame
    states = ("q", "velocity", "acceleration")

    velocity = case.expected(lambda *s: oracle.frame_velocity(frame, *s, aligned=True), *states[:2])
    assert_close(case.call("velocity", "q", "qd"), velocity)
    point = case.expected(lambda *s: oracle.point_acceleration(frame, *s), *states)
    assert_close(case.call("acceleration", "q", "qd", "qdd"), point)
    spatial = case.expected(lambda *s: oracle.frame_acceleration(frame, *s, aligned=True), *states)
    assert_close(case.call("spatial_acceleration", "q", "qd", "qdd"), spatial)


def test_acceleration_of_a_frame_where_nothing_accelerates(case):
    oracle, frame = case.oracle, case.frame

    def at_rest(function):
        return lambda q, v: function(q, v, np.zeros_like(v))

    point = at_rest(lambda *s: oracle.point_acceleration(frame, *s))
    assert_close(case.call("JdQd", "q", "qd"), case.expected(point, "q", "velocity"))
    spatial = at_rest(lambda *s: oracle.frame_acceleration(frame, *s, aligned=True))
    assert_close(case.call("spatial_JdQd", "q", "qd"), case.expected(spatial, "q", "velocity"))
