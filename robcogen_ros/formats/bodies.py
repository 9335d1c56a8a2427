"""A robot as simulators have it: rigid bodies in the frames of its file, each moved by a joint.

Links that are fixed on others are part of these; where they are, frames tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from robcogen_ros.errors import Location
from robcogen_ros.formats.written import about_center
from robcogen_ros.model.description import Description, JointDescription, Limits
from robcogen_ros.model.joint_kinds import JointKind
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Pose, Symmetric3, Vector

_HERE = Pose().map(expression)


@dataclass(frozen=True, slots=True)
class Movement:
    """Motion of a body against the one that carries it.

    Attributes:
        name: Name of the joint.
        kind: Kind of the joint.
        axis: Direction of its axis through the body's origin, in the body's frame.
        limits: Limits, as they are meant; without effect where it follows another.
        damping: Viscous friction [N m s/rad or N s/m].
        friction: Dry friction [N m or N].
        armature: Inertia of the rotor as it is felt at the joint [kg m^2 or kg].
        stiffness: Of the spring that pulls it to its rest [N m/rad or N/m].
        rest: Position at which that does not [rad or m].
        leader: Name of the joint that it follows; None where it is free.
        multiplier: Its position is `multiplier * leader's position + offset`.
        offset: See multiplier [rad or m].
    """

    name: str
    kind: JointKind
    axis: Vector
    limits: Limits = Limits()
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    leader: str | None = None
    multiplier: Scalar = 1
    offset: Scalar = 0


@dataclass(frozen=True, slots=True)
class Body:
    """A rigid body.

    Attributes:
        name: Name of the file's link.
        parent: Number of the body that carries it; None for the base.
        pose: Pose parent_X_body with its joint at zero.
        movement: Its joint; None for the base.
        mass: Mass [kg].
        center: Center of mass in the body's frame [m].
        tensor: Rotational inertia about the center of mass [kg m^2].
        frames: Names and poses body_X_frame of other frames fixed on it.
        links: Poses body_X_link of the file's links that are part of it, by name.
        location: Where the file has its link.
    """

    name: str
    parent: int | None
    pose: Pose
    movement: Movement | None
    mass: Scalar
    center: Vector
    tensor: Symmetric3
    frames: tuple[tuple[str, Pose], ...]
    links: dict[str, Pose]
    location: Location | None = None


def bodies(robot: Robot, description: Description) -> tuple[Body, ...]:
    """The bodies of a robot without parameters, base first, each subtree in one piece.

    Args:
        robot: The robot, its quantities constant.
        description: What its file says of its joints.
    """
    written = {joint.name: joint for joint in description.joints}
    places = {link.name: link.location for link in description.links}
    order = [0, *(robot.joints[index].successor for index in depth_first(robot))]
    number = {link: place for place, link in enumerate(order)}
    found = (_body(robot, link, number, written) for link in order)
    return tuple(replace(body, location=places.get(body.name)) for body in found)


def depth_first(robot: Robot) -> list[int]:
    """Indices of the joints so that each subtree is in one piece."""
    below: dict[int, list[int]] = {}
    for index, joint in enumerate(robot.joints):
        below.setdefault(joint.predecessor, []).append(index)
    order: list[int] = []
    pending = below.get(0, [])[::-1]
    while pending:
        index = pending.pop()
        order.append(index)
        pending.extend(below.get(robot.joints[index].successor, [])[::-1])
    return order


def _body(
    robot: Robot, link: int, number: dict[int, int], written: dict[str, JointDescription]
) -> Body:
    back = robot.links[link].frame.inverse()
    here = [frame for frame in robot.frames if frame.link == link]
    mass, center, tensor = about_center(back.inertia(robot.links[link].inertia))
    joint = robot.joints[link - 1] if link else None
    return Body(
        name=robot.links[link].name,
        parent=number[joint.predecessor] if joint else None,
        pose=_pose(robot, joint) if joint else _HERE,
        movement=_movement(robot, joint, written[joint.name]) if joint else None,
        mass=mass,
        center=center,
        tensor=tensor,
        frames=tuple((name, back @ pose) for name, pose in _frames_by_name(robot, link)),
        links={frame.of_link: back @ frame.pose for frame in here if frame.of_link is not None},
    )


def _pose(robot: Robot, joint: Joint) -> Pose:
    before = robot.links[joint.predecessor].frame.inverse()
    return before @ joint.pose @ robot.links[joint.successor].frame


def _frames_by_name(robot: Robot, link: int) -> Iterator[tuple[str, Pose]]:
    """Frames on a link but its own; those of links by the names of these, if no other has them."""
    custom = {frame.name for frame in robot.frames if frame.of_link is None}
    for frame in robot.frames:
        if frame.link == link and frame.of_link != robot.links[link].name:
            name = frame.of_link or frame.name
            known = frame.of_link is not None and name in custom
            yield frame.name if known else name, frame.pose


def _movement(robot: Robot, joint: Joint, written: JointDescription) -> Movement:
    coordinate = robot.coordinates[joint.coordinate]
    free = coordinate.name == joint.name
    z = robot.links[joint.successor].frame.rotation.z
    return Movement(
        joint.name,
        joint.kind,
        z,
        written.limits.meant(),
        written.damping,
        written.friction,
        written.armature,
        written.stiffness,
        written.rest,
        None if free else coordinate.name,
        joint.multiplier,
        joint.offset,
    )
