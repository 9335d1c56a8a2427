"""Rods: links that hang in two joints whose axes meet, and of which a loop holds a point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.closures.closure import FIXED
from robcogen_ros.model.closures.spanning_tree import Ring, SpanningTree
from robcogen_ros.model.description import ClosureDescription
from robcogen_ros.model.robot import Frame

Array = NDArray[np.float64]

_PARALLEL = 1e-6


@dataclass(frozen=True, slots=True)
class Rod:
    """A rod.

    Attributes:
        joints: Numbers of the joints that it hangs in, predecessor first.
        sign: See `closures.Closure`.
        hub: A frame where their axes meet, on what it hangs on.
        far: The loop's frame on the other side.
        length: From the hub to the loop's frame on it [m].
    """

    joints: tuple[int, int]
    sign: int
    hub: Frame
    far: Frame
    length: float


def with_rods(
    closure: ClosureDescription,
    tree: SpanningTree,
    group: Sequence[int],
    columns: Sequence[int],
    begin: Array,
) -> tuple[ClosureDescription, list[Rod]]:
    """A closure with its rods, and these; it has one sign more than rods if it needs no steps.

    Args:
        closure: The closure.
        tree: The tree.
        group: Numbers of its loops.
        columns: Numbers of the coordinates that follow.
        begin: Where the loops are written, closed.
    """
    found = _rods(tree, group, closure.rows, columns, begin)
    names = tuple(tuple(tree.robot.joints[k].name for k in rod.joints) for rod in found)
    signs = tuple(rod.sign for rod in found)
    if len(found) == 1 and (sign := _reaching(tree, found[0], columns, begin)):
        signs = (*signs, sign)
    return replace(closure, rods=names, signs=signs), found


def _rods(
    tree: SpanningTree,
    group: Sequence[int],
    rows: Sequence[Sequence[int]],
    columns: Sequence[int],
    begin: Array,
) -> list[Rod]:
    """The rods of loops that are solved together, one of each; none if one has none."""
    found = []
    for k, own in zip(group, rows, strict=True):
        others = {i for other in group if other != k for i in tree.rings[other].joints}
        every = _of_ring(tree, tree.rings[k], begin) if tuple(own) == FIXED["point"] else ()
        free = [
            rod
            for rod in every
            if not others & {*rod.joints}
            and all(tree.robot.joints[i].coordinate in columns for i in rod.joints)
        ]
        if not free:
            return []
        found.append(free[0])
    return found


def _of_ring(tree: SpanningTree, ring: Ring, begin: Array) -> Iterator[Rod]:
    """Rods at both ends of a loop."""
    robot, poses = tree.robot, tree.poses(begin)
    start, end = (robot.frames[k] for k in ring.frames)
    for chain, own, far in ((ring.up, start, end), (ring.down[::-1], end, start)):
        if len(chain) < 2:
            continue
        b, a = chain[:2]
        kinds = [robot.joints[i].kind for i in (a, b)]
        turning = all(kind.turns and not kind.slides for kind in kinds)
        first, second = (poses[robot.joints[i].successor] for i in (a, b))
        hub, held = second[:3, 3], (second @ _place(own))[:3]
        across = np.cross(first[:3, 2], second[:3, 2])
        meets = not any(map(float, robot.joints[b].pose.translation))
        height = float(first[:3, 2] @ np.cross(second[:3, 2], held - hub))
        length = float(np.linalg.norm(held - hub))
        apart = np.linalg.norm(across) > _PARALLEL and abs(height) > _PARALLEL * length
        if turning and meets and apart:
            joint = robot.joints[a]
            frame = Frame(f"hub of {ring.name}", joint.predecessor, joint.pose)
            yield Rod((a, b), int(np.sign(height)), frame, far, length)


def _reaching(tree: SpanningTree, rod: Rod, columns: Sequence[int], begin: Array) -> int:
    """Returns the sign with which one joint alone brings a rod's ends to their distance; else 0.

    It is that of the slope of the product of the ways from the joint that turns to the ends, or of
    the way between them along the joint that slides.
    """
    robot, poses = tree.robot, tree.poses(begin)
    own = {robot.joints[k].coordinate for k in rod.joints}
    free = {*columns} - own
    others = [k for k, joint in enumerate(robot.joints) if joint.coordinate in free]
    kinds = [robot.joints[k].kind for k in others]
    if len(others) != 1 or (kinds[0].turns and kinds[0].slides):
        return 0
    (k,) = others
    at = poses[robot.joints[k].successor]
    ends = {
        k in robot.support(frame.link): (poses[frame.link] @ _place(frame))[:3] - at[:3, 3]
        for frame in (rod.hub, rod.far)
    }
    if len(ends) != 2:
        return 0
    if kinds[0].slides:
        return int(np.sign((ends[True] - ends[False]) @ at[:3, 2]))
    return int(np.sign(ends[False] @ np.cross(at[:3, 2], ends[True])))


def _place(frame: Frame) -> Array:
    return np.array([*map(float, frame.pose.translation), 1.0])
