"""Lacks of a robot for some of its functions: inertia along its coordinates, or any mass.

Whether the inertia matrix is singular is told by the pivots of the articulated-body algorithm,
D_i = S_i' IA_i S_i (Featherstone 2008, table 7.1), so the matrix itself is never formed, and time
grows with the number of joints. Where D_i vanishes, joint i moves at no force, and those beyond it
follow.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.algorithms.conditioning.plain import plain, plain_number
from robcogen_ros.algorithms.functions.contacts.reduced import lacking_limbs
from robcogen_ros.algorithms.functions.function import MASS, REGULAR, REGULAR_BASE, STARTED
from robcogen_ros.algorithms.mechanics.composite_inertia import dense_inertia
from robcogen_ros.algorithms.mechanics.joints import JointTransform, joint_transforms
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Matrix3, skew
from robcogen_ros.program.definite import inertia_matrices

Array = NDArray[np.float64]

BASE = "the base"
"""Name of the six coordinates of a floating base."""

_SAMPLES = 4
_SINGULAR = 1e-12
"""Least pivot of the inertia matrix relative to its diagonal."""

_PARALLEL = 1e-9
"""Distance within which directions of unit length depend on each other."""


def is_massless(robot: Robot) -> bool:
    """Returns True if no link of a robot has mass."""
    return all(link.inertia.mass.structurally_zero for link in robot.links)


def lacking(robot: Robot) -> dict[str, str]:
    """Returns what this robot lacks that functions may need, each with the reason."""
    reasons = {}
    massless = massless_coordinates(robot)
    if massless:
        names = ", ".join(f"'{name}'" for name in massless if name != BASE)
        count = len(massless) - (BASE in massless)
        joints = f"joint {names} moves" if count == 1 else f"joints {names} move"
        if BASE in massless:
            joints = f"the floating base and joints {names} move" if count else f"{BASE} moves"
        reasons[REGULAR] = (
            f"the inertia matrix is singular, {joints} no inertia; "
            "give the links beyond them inertia, or lock them"
        )
        if BASE in massless:
            reasons[REGULAR_BASE] = reasons[REGULAR]
    if is_massless(robot):
        reasons[MASS] = "the robot has no mass"
    if not any(closure.steps for closure in robot.closures):
        reasons[STARTED] = (
            "no steps of Newton's method close loops of this robot: none begin at a guess"
        )
    return reasons | (lacking_limbs(robot) if robot.contacts else {})


def massless_coordinates(robot: Robot) -> list[str]:
    """Names of the coordinates along which the robot has no inertia, in some combination."""
    if robot.has_loops:
        return _massless_with_loops(robot)
    free = _ArticulatedBodies(robot).free_motions()
    names = [BASE] * (6 if robot.floating_base else 0) + list(robot.joint_names)
    found: set[int] = set()
    for motions in free:
        if motions.any():
            found.update(_coordinates_within(robot, motions))
    return list(dict.fromkeys(names[i] for i in sorted(found)))


def _massless_with_loops(robot: Robot) -> list[str]:
    """Returns massless coordinates where joints depend on others, by eigenvalues of H."""
    names = [BASE] * (6 if robot.floating_base else 0) + list(robot.joint_names)
    found: set[int] = set()
    for H in inertia_matrices(plain(robot))[:_SAMPLES]:
        diagonal = H.diagonal()
        scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
        values, vectors = np.linalg.eigh(H / np.outer(scale, scale))
        free = vectors[:, values < _SINGULAR]
        found.update(np.flatnonzero((np.abs(free) > _PARALLEL).any(axis=1)).tolist())
    return list(dict.fromkeys(names[i] for i in sorted(found)))


class _ArticulatedBodies:
    """Articulated inertias of all links at a few configurations, the same ones every time."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        numeric = plain(robot)
        angles = np.sin(1.0 + np.arange(_SAMPLES * robot.n)).reshape(robot.n, _SAMPLES)
        self._across = [_dense_motion(X) for X in joint_transforms(numeric, list(angles))]
        self._axes = [np.array([*joint.kind.motion(1)], float) for joint in numeric.joints]
        rigid = [np.array(dense_inertia(link.inertia), dtype=float) for link in numeric.links]
        self._articulated = [np.tile(inertia, (_SAMPLES, 1, 1)) for inertia in rigid]
        self._handles: list[Array] = []
        self._inverse_pivots: list[Array] = []
        self._remove_joints(rigid)

    def free_motions(self) -> Array:
        """Motions that take no force, (samples, motions, 6 + joints), zero where there are none.

        The first six entries are the base's.
        """
        base = self._free_motions_of_base()
        count = 6 + len(self._axes)
        acceleration = [np.concatenate([base, np.zeros((_SAMPLES, count - 6, 6))], axis=1)]
        motions = np.zeros((_SAMPLES, count, count))
        motions[:, :6, :6] = base
        for k, joint in enumerate(self._robot.joints):
            a = acceleration[joint.predecessor] @ self._across[k].swapaxes(-1, -2)
            rate = -np.einsum("smi,si->sm", a, self._handles[k]) * self._inverse_pivots[k][:, None]
            rate[:, 6 + k] = self._inverse_pivots[k] == 0
            motions[:, :, 6 + k] = rate
            acceleration.append(a + rate[..., None] * self._axes[k])
        return motions

    def _remove_joints(self, rigid: Sequence[Array]) -> None:
        """Second pass of the algorithm, from the tips to the base."""
        composite = [np.tile(inertia, (_SAMPLES, 1, 1)) for inertia in rigid]
        for k in reversed(range(len(self._axes))):
            joint, X, axis = self._robot.joints[k], self._across[k], self._axes[k]
            i, parent = joint.successor, joint.predecessor
            handle = self._articulated[i] @ axis
            pivot, whole = handle @ axis, composite[i] @ axis @ axis
            regular = pivot > _SINGULAR * whole.max()
            inverse = np.where(regular, 1.0 / np.where(regular, pivot, 1.0), 0.0)
            self._handles.insert(0, handle)
            self._inverse_pivots.insert(0, inverse)
            outer = handle[:, :, None] * handle[:, None, :] * inverse[:, None, None]
            back = X.swapaxes(-1, -2)
            self._articulated[parent] = (
                self._articulated[parent] + back @ (self._articulated[i] - outer) @ X
            )
            composite[parent] = composite[parent] + back @ composite[i] @ X
        self._whole = composite[0]

    def _free_motions_of_base(self) -> Array:
        """Up to six motions of a floating base, (samples, 6, 6), in base coordinates."""
        if not self._robot.floating_base:
            return np.zeros((_SAMPLES, 6, 6))
        diagonal = np.einsum("sii->si", self._whole).max(axis=0)
        scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
        values, vectors = np.linalg.eigh(self._articulated[0] / np.outer(scale, scale))
        free = vectors / scale[:, None] * (values < _SINGULAR)[:, None, :]
        motions: Array = free.swapaxes(1, 2)
        return motions


def _coordinates_within(robot: Robot, motions: Array) -> list[int]:
    """Numbers of the coordinates, the base's first, that can move within given motions.

    Args:
        robot: The robot; its joints may follow others, and its rotors have inertia of their own.
        motions: (motions, 6 + joints).
    """
    size = 6 if robot.floating_base else 0
    spread = np.zeros((6 + len(robot.joints), size + robot.n))
    spread[:size, :size] = np.eye(size)
    for k, joint in enumerate(robot.joints):
        spread[6 + k, size + joint.coordinate] = plain_number(joint.multiplier)
    resisting = [size + i for i, a in enumerate(robot.terms.armature) if plain_number(a)]
    within = _orthonormal(motions.T)
    held = np.eye(size + robot.n)[resisting]
    top = np.concatenate([spread, -within], axis=1)
    bottom = np.concatenate([held, np.zeros((len(held), within.shape[1]))], axis=1)
    _, values, rows = np.linalg.svd(np.concatenate([top, bottom]), full_matrices=True)
    free = rows[np.count_nonzero(values > _PARALLEL) :, : size + robot.n]
    moved: list[int] = np.flatnonzero(np.abs(free).max(axis=0, initial=0.0) > 1e-3).tolist()
    return moved


def _orthonormal(columns: Array) -> Array:
    """Orthonormal columns of the same span."""
    length = np.linalg.norm(columns, axis=0)
    columns = columns[:, length > 0] / length[length > 0]
    left, values, _ = np.linalg.svd(columns, full_matrices=False)
    kept: Array = left[:, values > _PARALLEL]
    return kept


def _dense_motion(X: JointTransform) -> Array:
    """The transform iXl of motion vectors across a joint, (samples, 6, 6)."""
    rotation, translation = _array(X.pose.rotation), _array(skew(X.pose.translation))
    back = rotation.swapaxes(-1, -2)
    matrix = np.zeros((_SAMPLES, 6, 6))
    matrix[:, :3, :3] = matrix[:, 3:, 3:] = back
    matrix[:, 3:, :3] = -back @ translation
    return matrix


def _array(rows: Matrix3) -> Array:
    entries = [np.broadcast_to(entry, (_SAMPLES,)) for row in rows for entry in row]
    matrices: Array = np.array(entries, dtype=float).T.reshape(_SAMPLES, 3, 3)
    return matrices
