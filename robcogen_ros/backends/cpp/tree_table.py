"""A robot's numbers as tables that loops over its joints read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from robcogen_ros.algorithms.conditioning.link_frames import with_moments_along_x
from robcogen_ros.algorithms.conditioning.minimal_inertia import regrouped
from robcogen_ros.algorithms.mechanics.joint_terms import armature_of
from robcogen_ros.backends.cpp.text import DOUBLE
from robcogen_ros.backends.wrap import filled
from robcogen_ros.model.expression import expression
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import Pose, SpatialInertia

_INDENT = "   "
"""What lines of a row begin with."""


def tree_table(robot: Robot) -> Iterator[str]:
    """The lines of the tables, as robcogen_ros/tree/table.hpp has them.

    Args:
        robot: A robot without open parameters, each joint of which is a coordinate of its own.
    """
    robot = with_moments_along_x(regrouped(robot.map(expression)))
    joints, ends = _depth_first(robot)
    number = {0: 0} | {joint.successor: i for i, joint in enumerate(joints, start=1)}
    coordinates = [joint.coordinate for joint in joints]
    inertias = [_inertia(robot.links[joint.successor].inertia) for joint in joints]
    masses = _carried(robot, joints)
    yield f"inline constexpr robcogen_ros::Tree<{len(joints)}> joint_table{{"
    yield f"  {str(coordinates == sorted(coordinates)).lower()},"
    yield f"  {str(any(joint.prismatic for joint in joints)).lower()},"
    yield from _rows(
        _floats(range(len(joints))),
        [str(number[joint.predecessor]) for joint in joints],
        _floats(ends),
        list(map(str, coordinates)),
        _floats(not joint.prismatic for joint in joints),
        _floats(joint.offset for joint in joints),
        _floats(armature_of(robot, coordinate) for coordinate in coordinates),
        _floats(masses[joint.successor] for joint in joints),
    )
    yield from _poses([joint.pose for joint in joints])
    yield f"  {_block(inertias)},"
    yield f"  {_row(_floats(_inertia(robot.links[0].inertia)), _INDENT)},"
    (whole,) = _floats([masses[0]])
    yield f"  {whole}}};"
    yield from _link_frames(robot, [0, *(joint.successor for joint in joints)])
    yield from _named_frames(robot, joints, number)
    if robot.terms.damping or robot.terms.friction:
        yield from _friction(robot)


def _link_frames(robot: Robot, links: Sequence[int]) -> Iterator[str]:
    """The frames of some links."""
    place = {link: row for row, link in enumerate(robot.link_order)}
    yield ""
    yield f"inline constexpr robcogen_ros::LinkFrames<{len(links)}> link_frames{{"
    yield from _rows([str(place[link]) for link in links])
    rotations, positions = _poses([robot.links[link].frame for link in links])
    yield rotations
    yield f"{positions[:-1]}}};"


def _named_frames(
    robot: Robot, joints: Sequence[Joint], number: Mapping[int, int]
) -> Iterator[str]:
    """All frames that have names, and which joint is which."""
    sizes = f"{len(joints)}, {len(robot.frames)}"
    yield ""
    yield f"inline constexpr robcogen_ros::Frames<{sizes}> named_frames{{"
    yield from _rows(
        [str(joint.successor - 1) for joint in joints],
        [str(number[frame.link]) for frame in robot.frames],
    )
    rotations, positions = _poses([frame.pose for frame in robot.frames])
    yield rotations
    yield f"{positions[:-1]}}};"


def _friction(robot: Robot) -> Iterator[str]:
    none = (0,) * robot.n
    yield ""
    yield f"inline constexpr robcogen_ros::Friction<{robot.n}> friction{{"
    damping, dry = (_floats(row or none) for row in (robot.terms.damping, robot.terms.friction))
    yield from _rows(damping)
    yield f"  {_row(dry, _INDENT)}}};"


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


def _carried(robot: Robot, joints: Sequence[Joint]) -> list[Scalar]:
    """The mass of each link and all beyond it; `joints` have parents before children."""
    masses: list[Scalar] = [link.inertia.mass for link in robot.links]
    for joint in reversed(joints):
        masses[joint.predecessor] = masses[joint.predecessor] + masses[joint.successor]
    return masses


def _inertia(inertia: SpatialInertia) -> list[Scalar]:
    return [inertia.mass, *inertia.moment, *inertia.tensor]


def _poses(poses: Sequence[Pose]) -> Iterator[str]:
    """Rotations row by row, and positions."""
    yield f"  {_block([[x for row in pose.rotation for x in row] for pose in poses])},"
    yield f"  {_block([[*pose.translation] for pose in poses])},"


def _floats(values: Iterable[Scalar]) -> list[str]:
    return [DOUBLE.dialect.literal(expression(value).evaluate()) for value in values]


def _rows(*rows: Sequence[str]) -> Iterator[str]:
    for row in rows:
        yield f"  {_row(row, _INDENT)},"


def _row(items: Sequence[str], indent: str) -> str:
    return f"{{{filled(items, indent=indent, last='}')}"


def _block(columns: Iterable[Sequence[Scalar]]) -> str:
    """Columns as the rows of a block."""
    rows = zip(*columns, strict=True)
    written = [_row(_floats(row), f"{_INDENT} ") for row in rows]
    return "{" + f",\n{_INDENT}".join(written) + "}"
