"""The functions whose rounding errors are measured, by each side: us, Pinocchio, the reference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio
from numpy.typing import NDArray

from robcogen_ros.model.robot import Robot
from test.oracle.digits import Digits
from test.oracle.reference import Reference
from test.support.full_calls import FullCalls
from test.support.pinocchio_derivatives import DerivativesOracle
from test.support.pinocchio_oracle import STANDARD_GRAVITY as GRAVITY

Array = NDArray[Any]

_ANGULAR_FIRST = [3, 4, 5, 0, 1, 2]

INVERSE_SLOPES, FORWARD_SLOPES = "inverse_dynamics_derivatives", "forward_dynamics_derivatives"

ALWAYS = (
    "inverse_dynamics",
    "gravity_torques",
    "coriolis_torques",
    "inertia_matrix",
    "inertia_matrix_inverse",
    "solve_inertia",
    "forward_dynamics",
    INVERSE_SLOPES,
    FORWARD_SLOPES,
    "frame_pose",
    "jacobian",
    "kinetic_energy",
)
"""Functions of any robot; frames are those of the link that most joints carry."""

FLOATING = (
    "potential_energy",
    "center_of_mass",
    "center_of_mass_jacobian",
    "centroidal_momentum_matrix",
)
"""Those of robots with a floating base: of others Pinocchio leaves the root's mass out."""


@dataclass(frozen=True)
class States:
    """States of a robot with n joints; a floating base's entries come first.

    Attributes:
        q: Positions, (states, n).
        velocity: (states, degrees of freedom).
        acceleration: (states, degrees of freedom).
        force: Forces on all degrees of freedom.
        tau: Forces of joints, (states, n).
    """

    q: Array
    velocity: Array
    acceleration: Array
    force: Array
    tau: Array

    @classmethod
    def random(cls, robot: Robot, count: int) -> States:
        """So many states, the same each time."""
        random, size = np.random.default_rng(7), robot.n + 6 * robot.floating_base
        q, tau = random.uniform(-3, 3, (2, count, robot.n))
        return cls(q, *random.normal(size=(3, count, size)), 10 * tau)

    def __getitem__(self, chosen: Any) -> States:
        return States(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))

    def __len__(self) -> int:
        return len(self.q)


Functions = dict[str, Callable[[States], Array]]
"""By their names, each of states."""


def functions_of(robot: Robot) -> tuple[str, ...]:
    """Names of the functions that are measured."""
    return ALWAYS + FLOATING if robot.floating_base else ALWAYS


def generated(robot: Robot) -> tuple[str, ...]:
    """Their names as they are generated."""
    floating = robot.floating_base
    names = dict(zip(functions_of(robot), functions_of(robot), strict=True))
    names["inverse_dynamics"] += "_fully_actuated" if floating else ""
    names["frame_pose"], names["jacobian"] = _pose_and_jacobian(robot)
    return tuple(names.values())


def ours(robot: Robot, code: Any) -> Functions:
    """Our functions, at one state or at all of them in one call.

    Args:
        robot: The robot.
        code: What computes them.
    """
    calls, gravity = FullCalls(code), GRAVITY if robot.floating_base else None
    pose, jacobian = _pose_and_jacobian(robot)

    def motion(s: States) -> tuple[Array, Array, Array, Array | None]:
        return s.q, s.velocity, s.acceleration, gravity

    def push(s: States) -> tuple[Array, Array, Array, Array | None]:
        return s.q, s.velocity, s.tau, gravity

    def slopes(derivatives: Any) -> Array:
        return np.stack(derivatives[:2], axis=-3)

    return {
        "inverse_dynamics": lambda s: calls.inverse_dynamics(*motion(s)),
        "gravity_torques": lambda s: calls.gravity_torques(s.q, gravity),
        "coriolis_torques": lambda s: calls.coriolis_torques(s.q, s.velocity),
        "inertia_matrix": lambda s: code.inertia_matrix(s.q),
        "inertia_matrix_inverse": lambda s: code.inertia_matrix_inverse(s.q),
        "solve_inertia": lambda s: code.solve_inertia(s.q, s.force),
        "forward_dynamics": lambda s: calls.forward_dynamics(*push(s)),
        INVERSE_SLOPES: lambda s: slopes(calls.inverse_dynamics_derivatives(*motion(s))),
        FORWARD_SLOPES: lambda s: slopes(calls.forward_dynamics_derivatives(*push(s))),
        "frame_pose": lambda s: code.evaluate(pose, q=s.q)["X"],
        "jacobian": lambda s: code.evaluate(jacobian, q=s.q)["J"],
        "kinetic_energy": lambda s: calls.kinetic_energy(s.q, s.velocity),
        "potential_energy": lambda s: code.potential_energy(s.q, gravity=GRAVITY),
        "center_of_mass": lambda s: code.center_of_mass(s.q),
        "center_of_mass_jacobian": lambda s: code.center_of_mass_jacobian(s.q),
        "centroidal_momentum_matrix": lambda s: code.centroidal_momentum_matrix(s.q),
    }


def pinocchios(robot: Robot, oracle: DerivativesOracle) -> Functions:
    """Pinocchio's functions, of a single state; coordinates only change their order."""
    model, data, V = oracle.model, oracle.model.createData(), oracle.velocity_map
    frame, still = robot.links[_farthest(robot)].name, np.zeros(oracle.model.nv)

    def by(name: str, s: States, *arguments: Array) -> Any:
        model.gravity.linear[:] = GRAVITY
        return getattr(pinocchio, name)(model, data, oracle.configuration(s.q), *arguments)

    def forces(s: States) -> Array:
        return np.concatenate([np.zeros(len(s.velocity) - len(s.tau)), s.tau])

    def inverse(s: States) -> Array:
        upper = np.triu(by("computeMinverse", s))
        return V.T @ (upper + np.triu(upper, 1).T) @ V

    def solution(s: States) -> Array:
        by("crba", s)
        pinocchio.cholesky.decompose(model, data)
        return V.T @ pinocchio.cholesky.solve(model, data, V @ s.force)

    return {
        "inverse_dynamics": lambda s: V.T @ by("rnea", s, V @ s.velocity, V @ s.acceleration),
        "gravity_torques": lambda s: V.T @ by("computeGeneralizedGravity", s),
        "coriolis_torques": lambda s: oracle.inverse_dynamics(
            s.q, s.velocity, 0 * s.velocity, 0 * GRAVITY
        ),
        "inertia_matrix": lambda s: oracle.inertia_matrix(s.q),
        "inertia_matrix_inverse": inverse,
        "solve_inertia": solution,
        "forward_dynamics": lambda s: V.T @ by("aba", s, V @ s.velocity, V @ forces(s)),
        INVERSE_SLOPES: lambda s: np.stack(
            oracle.inverse_dynamics_derivatives(s.q, s.velocity, s.acceleration, GRAVITY)[:2]
        ),
        FORWARD_SLOPES: lambda s: np.stack(
            oracle.forward_dynamics_derivatives(s.q, s.velocity, forces(s), GRAVITY)[:2]
        ),
        "frame_pose": lambda s: oracle.frame_pose(frame, s.q),
        "jacobian": lambda s: oracle.full_jacobian(frame, s.q),
        "kinetic_energy": lambda s: np.array(by("computeKineticEnergy", s, V @ s.velocity)),
        "potential_energy": lambda s: np.array(by("computePotentialEnergy", s)),
        "center_of_mass": lambda s: by("centerOfMass", s).copy(),
        "center_of_mass_jacobian": lambda s: by("jacobianCenterOfMass", s) @ V,
        "centroidal_momentum_matrix": lambda s: by("ccrba", s, still)[_ANGULAR_FIRST] @ V,
    }


def exact(robot: Robot, digits: Digits) -> Functions:
    """The functions with more digits, at all states."""
    link = _farthest(robot)

    def at(s: States) -> Reference:
        return Reference(robot, digits, s.q)

    def slopes(derivatives: tuple[Array, Array]) -> Array:
        return np.stack(derivatives, axis=-3)

    return {
        "inverse_dynamics": lambda s: at(s).inverse_dynamics(s.velocity, s.acceleration, GRAVITY),
        "gravity_torques": lambda s: at(s).inverse_dynamics(
            0 * s.velocity, 0 * s.velocity, GRAVITY
        ),
        "coriolis_torques": lambda s: at(s).inverse_dynamics(
            s.velocity, 0 * s.velocity, 0 * GRAVITY
        ),
        "inertia_matrix": lambda s: at(s).inertia_matrix(),
        "inertia_matrix_inverse": lambda s: at(s).inertia_matrix_inverse(),
        "solve_inertia": lambda s: at(s).solve_inertia(s.force),
        "forward_dynamics": lambda s: at(s).forward_dynamics(s.velocity, s.tau, GRAVITY),
        INVERSE_SLOPES: lambda s: slopes(
            at(s).inverse_dynamics_derivatives(s.velocity, s.acceleration, GRAVITY)
        ),
        FORWARD_SLOPES: lambda s: slopes(
            at(s).forward_dynamics_derivatives(s.velocity, s.tau, GRAVITY)
        ),
        "frame_pose": lambda s: at(s).frame_pose(link),
        "jacobian": lambda s: at(s).jacobian(link),
        "kinetic_energy": lambda s: at(s).kinetic_energy(s.velocity),
        "potential_energy": lambda s: at(s).potential_energy(GRAVITY),
        "center_of_mass": lambda s: at(s).center_of_mass(),
        "center_of_mass_jacobian": lambda s: at(s).center_of_mass_jacobian(),
        "centroidal_momentum_matrix": lambda s: at(s).centroidal_momentum_matrix(),
    }


def _farthest(robot: Robot) -> int:
    """The link that most joints carry."""
    depths = [0]
    for joint in robot.joints:
        depths.append(depths[joint.predecessor] + 1)
    return int(np.argmax(depths))


def _pose_and_jacobian(robot: Robot) -> tuple[str, str]:
    """Names of our functions of that link's frame."""
    root, link = robot.links[0].name, robot.links[_farthest(robot)].name
    return f"{root}_X_{link}", f"full_J_{link}" if robot.floating_base else f"{root}_J_{link}"
