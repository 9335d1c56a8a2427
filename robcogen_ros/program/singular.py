"""Robots whose inertia matrix is singular: forward dynamics has no answer for them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.algorithms.catalogue import functions
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.trace import trace

_SAMPLES = 4
_SINGULAR = 1e-12
"""Least eigenvalue of the inertia matrix scaled to a unit diagonal."""

_NEEDS_REGULAR = ("forward_dynamics", "inertia_factor", "inertia_matrix_inverse")


def unavailable_functions(robot: Robot) -> dict[str, str]:
    """Functions that a robot cannot have, each with the reason."""
    reasons = {}
    massless = massless_coordinates(robot)
    if massless:
        names = ", ".join(f"'{name}'" for name in massless)
        joints = f"joint {names} moves" if len(massless) == 1 else f"joints {names} move"
        reason = (
            f"the inertia matrix is singular, {joints} no inertia; "
            "give the links beyond them inertia, or lock them"
        )
        reasons.update(dict.fromkeys(_NEEDS_REGULAR, reason))
        if robot.floating_base and "the base" in massless:
            reasons["inverse_dynamics"] = reason
    if all(link.inertia.mass.structurally_zero for link in robot.links):
        masses = ("center_of_mass", "centroidal_momentum_matrix")
        reasons.update(dict.fromkeys(masses, "the robot has no mass"))
    return reasons


def massless_coordinates(robot: Robot) -> list[str]:
    """Names of the coordinates along which the robot has no inertia, in some combination."""
    H = _inertia_matrices(robot)
    diagonal = np.einsum("kii->ki", H).max(axis=0)
    scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    values, vectors = np.linalg.eigh(H / np.outer(scale, scale))
    found: set[int] = set()
    for value, vector in zip(values, vectors, strict=True):
        null = vector[:, value < _SINGULAR]
        found.update(np.flatnonzero(np.abs(null).max(axis=1, initial=0.0) > 1e-3).tolist())
    offset = 6 if robot.floating_base else 0
    names = ["the base" if i < offset else robot.joint_names[i - offset] for i in sorted(found)]
    return list(dict.fromkeys(names))


def _inertia_matrices(robot: Robot) -> NDArray[np.float64]:
    """H at a few configurations, the same ones every time."""
    program = trace(functions(robot)["inertia_matrix"], robot)
    angles = np.sin(1.0 + np.arange(_SAMPLES * robot.n)).reshape(robot.n, _SAMPLES)
    parameters = {p.name: 0.5 if p.default is None else float(p.default) for p in robot.parameters}
    entries = interpret(program, {"q": list(angles)}, parameters)["H"]
    size = round(len(entries) ** 0.5)
    H: NDArray[np.float64] = np.array([np.broadcast_to(entry, (_SAMPLES,)) for entry in entries])
    return np.ascontiguousarray(H.reshape(size, size, _SAMPLES).transpose(2, 0, 1))
