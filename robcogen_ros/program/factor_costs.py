"""What the sparse factor of an inertia matrix takes, and the inverse from it, straight-line."""

from __future__ import annotations

from collections import Counter

from robcogen_ros.model.robot import Robot

_BASE = 6
"""Coordinates of a floating base: each carries those after it."""


def factor_operations(robot: Robot) -> int:
    """Operations of L with L'L = H; `robot` has a coordinate for each joint.

    Row i has an entry for each of the a coordinates that carry coordinate i: a square root, a
    quotients, and a product to be subtracted for each pair of them.
    """
    return sum(1 + a + a * (a + 1) for a in _carried_by(robot))


def solve_operations(robot: Robot) -> int:
    """Operations of an answer of H to forces: of the factor, and of two substitutions."""
    return factor_operations(robot) + 4 * carried_pairs(robot) + len(_carried_by(robot))


def inverse_operations(robot: Robot) -> int:
    """Operations of the inverse of H, by L, the inverse of L, and the products of its columns.

    An entry of the inverse takes a product for each coordinate that carries both of its own.
    """
    carried_by = _carried_by(robot)
    of_lower = sum(1 + a * (a + 1) for a in carried_by)
    carried = [1] * len(robot.links)
    for joint in reversed(robot.joints):
        carried[joint.predecessor] += carried[joint.successor]
    on_base = [carried[j.successor] for j in robot.joints if not j.predecessor]
    sizes = carried[1:]
    blocks = on_base
    if robot.floating_base:
        sizes += [robot.n + 1 + i for i in range(_BASE)]
        blocks = [robot.n + _BASE]
    products = sum(size * (size + 1) for size in sizes)
    entries = sum(size * (size + 1) // 2 for size in blocks)
    return factor_operations(robot) + of_lower + products - entries


def answer_operations(robot: Robot) -> int:
    """Operations of the derivatives of the forward dynamics, from those of the inverse dynamics.

    Columns of derivatives by positions and velocities are solved for with L'DL, in all coordinates
    that share a joint on the base, or the base that floats; the third is the inverse of H.
    """
    inverse = inverse_operations(robot)
    if robot.floating_base:
        size = robot.n + _BASE
        return inverse + 2 * size * (4 * carried_pairs(robot) + size)
    roots = [robot.support(joint.successor)[0] for joint in robot.joints]
    size_of, pairs_of = Counter(roots), Counter[int]()
    for root, joint in zip(roots, robot.joints, strict=True):
        pairs_of[root] += len(robot.support(joint.successor)) - 1
    return inverse + sum(2 * size_of[r] * (4 * pairs_of[r] + size_of[r]) for r in size_of)


def carried_pairs(robot: Robot) -> int:
    """Pairs of coordinates of which one carries the other."""
    return sum(_carried_by(robot))


def _carried_by(robot: Robot) -> list[int]:
    """By how many others each coordinate is carried."""
    before = _BASE if robot.floating_base else 0
    joints = [before + len(robot.support(j.successor)) - 1 for j in robot.joints]
    return [*range(before), *joints]
