"""How far a robot of ours is from the oracle, function by function."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import robcogen_ros
from test.oracle.states import States, random_states
from test.support.full_calls import FullCalls
from test.support.pinocchio_oracle import PinocchioOracle
from test.support.robots import robot_path
from test.support.scaled import absolute_error, force_error, matrix_error, motion_residual

Array = NDArray[np.float64]

TOLERANCE = 1e-9
RESIDUAL_TOLERANCE = 1e-12
_PAIRS = 8


def tolerance(function: str) -> float:
    """How far a function may be from the oracle; both are relative."""
    return RESIDUAL_TOLERANCE if function.startswith("forward_dynamics") else TOLERANCE


@dataclass(frozen=True)
class Comparison:
    """How a robot compares with the oracle.

    Attributes:
        name: The robot's file, below the directory of robots.
        floating: Whether its base floats.
        n: Number of joints.
        build_seconds: Wall-clock time to read, generate and, if compiled, compile it.
        errors: The largest error of each function.
        refused: Functions that the robot cannot have, and why.
    """

    name: str
    floating: bool
    n: int
    build_seconds: float
    errors: dict[str, float]
    refused: dict[str, str]

    @property
    def wrong(self) -> dict[str, float]:
        """Functions that are too far from the oracle, and how far."""
        return {f: error for f, error in self.errors.items() if not error <= tolerance(f)}


def compare(name: str, floating: bool, backend: str) -> Comparison:
    """Compares a robot of example-robot-data with the oracle."""
    start = time.perf_counter()
    robot = robcogen_ros.build(robot_path(name), floating_base=floating, backend=backend)
    seconds = time.perf_counter() - start
    oracle = PinocchioOracle(robot_path(name), floating)
    assert robot.joint_names == oracle.joint_names
    assert sorted(robot.frame_names) == sorted(oracle.frame_names)
    return Comparison(name, floating, robot.n, seconds, errors(robot, oracle), robot.unavailable)


def errors(robot, oracle: PinocchioOracle, states: States | None = None) -> dict[str, float]:
    """The largest error of each function over some states, by default random ones."""
    states = states or random_states(robot.n, len(robot.link_names), robot.floating_base)
    found = dict(_force_errors(robot, oracle, states))
    found.update(_position_errors(robot, oracle, states.q))
    if "center_of_mass" not in robot.unavailable:
        found.update(_momentum_and_energy_errors(robot, oracle, states))
    if "forward_dynamics" not in robot.unavailable:
        found.update(_forward_dynamics_errors(robot, oracle, states))
    return found


def _force_errors(robot, oracle, states: States) -> Iterator[tuple[str, float]]:
    ours, s = FullCalls(robot), states
    forces = [dict(zip(robot.link_names, wrenches, strict=True)) for wrenches in s.forces]
    rest = np.zeros_like(s.velocity)
    none = np.zeros_like(s.gravity)

    def expected(*arguments) -> Array:
        return rows(oracle.inverse_dynamics, *arguments)

    tau = expected(s.q, s.velocity, s.acceleration, s.gravity)
    found = ours.inverse_dynamics(s.q, s.velocity, s.acceleration, s.gravity)
    yield "inverse_dynamics", force_error(found, tau)
    loaded = expected(s.q, s.velocity, s.acceleration, s.gravity, forces)
    found = ours.inverse_dynamics(s.q, s.velocity, s.acceleration, s.gravity, s.forces)
    yield "inverse_dynamics, external forces", force_error(found, loaded)
    weight = expected(s.q, rest, rest, s.gravity)
    yield "gravity_torques", force_error(ours.gravity_torques(s.q, s.gravity), weight, tau)
    coriolis = expected(s.q, s.velocity, rest, none)
    yield "coriolis_torques", force_error(ours.coriolis_torques(s.q, s.velocity), coriolis, tau)


def _position_errors(robot, oracle, q: Array) -> Iterator[tuple[str, float]]:
    H = robot.inertia_matrix(q)
    yield "inertia_matrix", matrix_error(H, rows(oracle.inertia_matrix, q))
    poses = {
        name: rows(lambda q, name=name: oracle.frame_pose(name, q), q) for name in robot.frame_names
    }
    stacked = np.stack(list(poses.values()), axis=1)
    yield "frame_poses", absolute_error(robot.frame_poses(q), stacked)
    if "center_of_mass" not in robot.unavailable:
        center = rows(oracle.center_of_mass, q)
        yield "center_of_mass", absolute_error(robot.center_of_mass(q), center)
    yield "jacobian", max(_jacobian_errors(robot, oracle, q))
    yield "transform", max(_transform_errors(robot, poses, q))
    if robot.floating_base:
        yield "full_jacobian", max(_full_jacobian_errors(robot, oracle, q))


def _momentum_and_energy_errors(robot, oracle, states: States) -> Iterator[tuple[str, float]]:
    ours, s = FullCalls(robot), states
    matrix = rows(oracle.centroidal_momentum_matrix, s.q)
    found = robot.centroidal_momentum_matrix(s.q)
    yield "centroidal_momentum_matrix", _relative_error(found, matrix)
    kinetic, potential = rows(oracle.energies, s.q, s.velocity, s.gravity).T
    yield "kinetic_energy", _relative_error(ours.kinetic_energy(s.q, s.velocity), kinetic)
    yield (
        "potential_energy",
        _relative_error(robot.potential_energy(s.q, gravity=s.gravity), potential),
    )


def _relative_error(ours: Array, expected: Array) -> float:
    return absolute_error(ours, expected) / (1e-9 + float(np.abs(expected).max(initial=0.0)))


def _jacobian_errors(robot, oracle, q: Array) -> Iterator[float]:
    for base, target in _frame_pairs(robot):
        expected = rows(lambda q: oracle.jacobian(base, target, q), q)  # noqa: B023
        yield absolute_error(robot.jacobian(base, target, q), expected)


def _full_jacobian_errors(robot, oracle, q: Array) -> Iterator[float]:
    for _, target in _frame_pairs(robot):
        expected = rows(lambda q: oracle.full_jacobian(target, q), q)  # noqa: B023
        yield absolute_error(robot.full_jacobian(target, q), expected)


def _transform_errors(robot, poses: dict[str, Array], q: Array) -> Iterator[float]:
    for to, frm in _frame_pairs(robot):
        expected = np.linalg.inv(poses[to]) @ poses[frm]
        motion = _motion_transform(expected)
        yield absolute_error(robot.transform(to, frm, q), expected)
        yield absolute_error(robot.transform(to, frm, q, kind="motion"), motion)
        force = np.linalg.inv(motion).swapaxes(-1, -2)
        yield absolute_error(robot.transform(to, frm, q, kind="force"), force)


def _forward_dynamics_errors(robot, oracle, states: States) -> Iterator[tuple[str, float]]:
    """The residual of the oracle's equation of motion, without and with external forces."""
    ours, s = FullCalls(robot), states
    H = rows(oracle.inertia_matrix, s.q)
    tau = np.concatenate([np.zeros((len(s.tau), s.velocity.shape[1] - robot.n)), s.tau], axis=1)
    rest = np.zeros_like(s.velocity)
    by_link = [dict(zip(robot.link_names, wrenches, strict=True)) for wrenches in s.forces]
    bias = rows(oracle.inverse_dynamics, s.q, s.velocity, rest, s.gravity)
    found = ours.forward_dynamics(s.q, s.velocity, s.tau, s.gravity)
    yield "forward_dynamics", motion_residual(H, bias, found, tau)
    loaded = rows(oracle.inverse_dynamics, s.q, s.velocity, rest, s.gravity, by_link)
    found = ours.forward_dynamics(s.q, s.velocity, s.tau, s.gravity, s.forces)
    yield "forward_dynamics, external forces", motion_residual(H, loaded, found, tau)
    if robot.floating_base:
        yield "inverse_dynamics, hybrid", _hybrid_error(robot, s, H, bias)


def _hybrid_error(robot, s: States, H: Array, bias: Array) -> float:
    """The residual of the oracle's equation of motion with no wrench on the base."""
    qdd = s.acceleration[:, 6:]
    tau, base = robot.inverse_dynamics(s.q, s.velocity[:, 6:], qdd, s.velocity[:, :6], s.gravity)
    full = np.concatenate([np.zeros_like(base), tau], axis=1)
    return motion_residual(H, bias, np.concatenate([base, qdd], axis=1), full)


def _frame_pairs(robot) -> list[tuple[str, str]]:
    """Pairs of frames: from the base out, back, and some at random."""
    random = np.random.default_rng(3)
    names = robot.frame_names
    drawn = [tuple(names[i] for i in random.integers(len(names), size=2)) for _ in range(_PAIRS)]
    return [(names[0], names[-1]), (names[-1], names[0]), *drawn]


def _motion_transform(pose: Array) -> Array:
    rotation, p = pose[..., :3, :3], pose[..., :3, 3]
    skew = np.cross(p[..., None, :], np.eye(3), axis=-1)
    result = np.zeros((*pose.shape[:-2], 6, 6))
    result[..., :3, :3] = result[..., 3:, 3:] = rotation
    result[..., 3:, :3] = skew.swapaxes(-1, -2) @ rotation
    return result


def rows(function: Callable[..., Array], *arguments) -> Array:
    """The results of a function of single states, on rows of states."""
    return np.stack([function(*row) for row in zip(*arguments, strict=True)])
