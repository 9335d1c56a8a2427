"""The inertia matrix for double by loops over tables of a robot's numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from robcogen_ros.algorithms.joint_terms import armature_of
from robcogen_ros.backends.cpp.function import CppFunction
from robcogen_ros.backends.cpp.text import DOUBLE
from robcogen_ros.backends.wrap import filled
from robcogen_ros.model.expression import expression
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import SpatialInertia

_INDENT = "     "
"""What lines of a row begin with."""


def tree_function(straight: CppFunction, robot: Robot) -> CppFunction:
    """The same function as `straight`, the inertia matrix of a robot, by loops.

    Args:
        straight: The function as straight-line code.
        robot: A robot without open parameters, each joint of which is a coordinate of its own.
    """
    (whole, *_) = straight.parts
    call = f"  robcogen_ros::inertia_matrix_of<{str(robot.floating_base).lower()}>(robot, q, H);"
    lines = (*_table(robot), call)
    return replace(
        straight,
        parameters=("const double * q", "double * H"),
        parts=(replace(whole, reads=lines, sections=()),),
        work_size=0,
        unused=(),
        uses=(),
        looped=True,
    )


def _table(robot: Robot) -> Iterator[str]:
    """The lines of the table, as `Tree` in robcogen_ros/tree.hpp has it."""
    joints, ends = _depth_first(robot)
    number = {0: 0} | {joint.successor: i for i, joint in enumerate(joints, start=1)}
    coordinates = [joint.coordinate for joint in joints]
    rows: list[Sequence[str]] = [
        _floats(range(len(joints))),
        [str(number[joint.predecessor]) for joint in joints],
        _floats(ends),
        list(map(str, coordinates)),
        _floats(not joint.prismatic for joint in joints),
        _floats(joint.offset for joint in joints),
        _floats(armature_of(robot, coordinate) for coordinate in coordinates),
    ]
    yield "  // clang-format off: columns would be aligned"
    yield f"  static constexpr robcogen_ros::Tree<{len(joints)}> robot{{"
    yield f"    {str(coordinates == sorted(coordinates)).lower()},"
    for row in rows:
        yield f"    {_row(row, _INDENT)},"
    rotations = [[x for row in joint.pose.rotation for x in row] for joint in joints]
    inertias = [_inertia(robot.links[joint.successor].inertia) for joint in joints]
    for block in (rotations, [[*joint.pose.translation] for joint in joints], inertias):
        yield f"    {_rows(zip(*block, strict=True))},"
    yield f"    {_row(_floats(_inertia(robot.links[0].inertia)), _INDENT)}}};"
    yield "  // clang-format on"


def _depth_first(robot: Robot) -> tuple[list[Joint], list[int]]:
    """The joints so that each subtree is in one piece, and how many come before its end."""
    on: dict[int, list[Joint]] = {}
    for joint in robot.joints:
        on.setdefault(joint.predecessor, []).append(joint)
    order: list[Joint] = []
    pending = on.get(0, [])[::-1]
    while pending:
        joint = pending.pop()
        order.append(joint)
        pending += on.get(joint.successor, [])[::-1]
    beyond = {joint.successor: 1 for joint in order}
    for joint in reversed(order):
        if joint.predecessor:
            beyond[joint.predecessor] += beyond[joint.successor]
    return order, [i + beyond[joint.successor] for i, joint in enumerate(order)]


def _inertia(inertia: SpatialInertia) -> list[Scalar]:
    return [inertia.mass, *inertia.moment, *inertia.tensor]


def _floats(values: Iterable[Scalar]) -> list[str]:
    return [DOUBLE.dialect.literal(expression(value).evaluate()) for value in values]


def _row(items: Sequence[str], indent: str) -> str:
    return f"{{{filled(items, indent=indent, last='}')}"


def _rows(rows: Iterable[Iterable[Scalar]]) -> str:
    """The rows of a block."""
    written = [_row(_floats(row), f"{_INDENT} ") for row in rows]
    return "{" + f",\n{_INDENT}".join(written) + "}"
