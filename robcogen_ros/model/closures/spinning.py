"""Rods that spin: bodies of loops that can turn about an axis of theirs while all else rests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import Problem
from robcogen_ros.model.closures.closed_loops import ClosedLoops
from robcogen_ros.model.closures.forms import rounded
from robcogen_ros.model.closures.spanning_tree import rank
from robcogen_ros.model.names import listed
from robcogen_ros.model.options import option_text
from robcogen_ros.model.scalars.operation import is_zero
from robcogen_ros.model.spatial import MotionVector
from robcogen_ros.model.vectors import Vector

Array = NDArray[np.float64]

_SMALL = 1e-7
_LEAST = 0.1
"""Least rate of the joint that is held, relative to the fastest that spins."""


@dataclass(frozen=True, slots=True)
class _Spin:
    """A motion that turns one body about an axis of its own.

    Attributes:
        links: Numbers of the links that are the body.
        held: Number of the coordinate that is held to stop it.
        inertia: About the axis [kg m^2].
    """

    links: Sequence[int]
    held: int
    inertia: float


def held_spins(at: ClosedLoops) -> dict[str, float]:
    """Positions of joints, by name, that stop bodies from spinning, which is told.

    Bodies may spin that motors turn, or coordinates that the file names; those that carry others
    are no rods, nor what moves alone, as a door in two hinges does.

    Args:
        at: The robot, where its loops are closed.
    """
    held: dict[str, float] = {}
    for spin in _spins(at):
        name, position = at.names[spin.held], rounded(at.begin[spin.held])
        held[name] = position
        links = listed([f"'{at.tree.robot.links[k].name}'" for k in spin.links])
        message = (
            f"{links} can spin about an axis through both ends, which moves nothing else "
            f"(inertia {spin.inertia:.3g} kg m^2): joint '{name}' is held at {position:.4g}; to "
            f"let it spin: {option_text('keep_spinning', flag=True)}"
        )
        at.told.append(Problem(message, at.loops.location, "note"))
    return held


def _spins(at: ClosedLoops) -> list[_Spin]:
    every = np.array([np.concatenate(rows) for rows in at.jacobians])
    columns = np.flatnonzero(np.abs(every).max(axis=(0, 1)) > 0)
    if not len(columns):
        return []
    bodies = [k for k, link in enumerate(at.tree.robot.links) if not is_zero(link.inertia.mass)]
    spaces = [_null(K[:, columns], at.tree.cut) for K in every]
    moving = [
        at.tree.twists(q)[bodies][:, :, columns] @ N
        for q, N in zip(at.samples, spaces, strict=True)
    ]
    kept = {*at.description.motors, *(name for name, _ in at.loops.independent)}
    rigid = _rigid(moving)
    bearing = {j.predecessor for j in at.tree.robot.joints if j.coordinate not in columns}
    spins: list[_Spin] = []
    for own in (*rigid, *_telescopes(at, bodies, rigid)):
        links = [bodies[k] for k in own]
        if bearing & {*links}:
            continue
        found = []
        for q, V, N in zip(at.samples, moving, spaces, strict=True):
            rates = np.zeros(len(at.names))
            free = _null(np.delete(V, own, axis=0).reshape(-1, V.shape[-1]), at.tree.cut)
            if free.shape[1] != 1:
                break
            rates[columns] = (N @ free)[:, 0]
            twist, *others = (V[own] @ free)[..., 0]
            if any(np.abs(x - twist).max() > _SMALL * np.abs(twist).max() for x in others):
                break
            if not _turns(at, q, twist, rates):
                break
            found.append(np.abs(rates) / np.abs(rates).max())
        if len(found) < len(moving):
            continue
        least = np.min(found, axis=0).round(6)
        moved = {at.names[k] for k in np.flatnonzero(np.max(found, axis=0) > _SMALL)}
        if least.max() > _LEAST and not kept & moved:
            spins.append(_Spin(links, int(least.argmax()), _inertia(at, q, links, twist)))
    return spins if len(spins) < spaces[0].shape[1] else []


def _null(matrix: Array, cut: float) -> Array:
    """A basis of the motions that rows let pass, a column each."""
    found: Array = np.linalg.svd(matrix)[2][rank(matrix, cut) :].T
    return found


def _rigid(moving: Sequence[Array]) -> list[list[int]]:
    """Bodies that move, those together that always move as one."""
    scale = max(float(np.abs(V).max(initial=0)) for V in moving)
    groups: list[list[int]] = []
    for k in range(len(moving[0])):
        if max(np.abs(V[k]).max(initial=0) for V in moving) < _SMALL * scale:
            continue
        for group in groups:
            if all(np.abs(V[k] - V[group[0]]).max() < _SMALL * scale for V in moving):
                group.append(k)
                break
        else:
            groups.append([k])
    return groups


def _telescopes(
    at: ClosedLoops, bodies: Sequence[int], rigid: Sequence[list[int]]
) -> Iterator[list[int]]:
    """Bodies of cylinders with those of their pistons."""
    for joint in at.tree.robot.joints:
        ends = [
            group
            for group in rigid
            for k in (joint.predecessor, joint.successor)
            if k in (bodies[i] for i in group)
        ]
        if not joint.kind.turns and len(ends) == 2:
            yield ends[0] + ends[1]


def _turns(at: ClosedLoops, q: Array, twist: Array, rates: Array) -> bool:
    """Returns True if a motion is a turn about a line that all axes of moving joints meet."""
    turn, moment = twist[:3], twist[3:]
    size = float(np.linalg.norm(turn))
    if size < _SMALL * np.abs(rates).max() or abs(turn @ moment) > _SMALL * size**2 * at.tree.size:
        return False
    poses = at.tree.poses(q)
    for joint in at.tree.robot.joints:
        if abs(rates[joint.coordinate]) < _SMALL * np.abs(rates).max():
            continue
        pose = poses[joint.successor]
        axis, moved = pose[:3, 2], np.cross(pose[:3, 3], pose[:3, 2])
        meets = abs(turn @ moved + axis @ moment) < _SMALL * size * at.tree.size
        parallel = np.linalg.norm(np.cross(turn, axis)) < _SMALL * size
        apart = np.linalg.norm(moved * (turn @ axis) - moment) > _SMALL * size * at.tree.size
        if joint.kind.slides or not meets or (parallel and apart):
            return False
    return True


def _inertia(at: ClosedLoops, q: Array, links: Sequence[int], twist: Array) -> float:
    """Inertia of a body about the axis of a turn [kg m^2]."""
    poses, total = at.tree.poses(q), 0.0
    turn, moment = (twist / np.linalg.norm(twist[:3])).reshape(2, 3)
    for k in links:
        R, place = poses[k][:3, :3], poses[k][:3, 3]
        motion = MotionVector(*(Vector(*(R.T @ x)) for x in (turn, moment + np.cross(turn, place))))
        total += float(motion.dot(at.tree.robot.links[k].inertia.map(float).apply(motion)))
    return total
