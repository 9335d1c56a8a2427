"""Descriptions of any origin in the form that the Kinematics-DSL can say.

There, joint axes lie on z of the link frames and inertia is about their origins. Where the file's
own link frames are other ones, they are kept as custom frames, under the names of their links.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.kindsl.names import LINK_FRAME_PREFIX
from robcogen_ros.model.axis import rotation_onto
from robcogen_ros.model.description import (
    Description,
    FrameDescription,
    Inertial,
    JointDescription,
    LinkDescription,
)
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.model.scalars.operation import Scalar, is_zero
from robcogen_ros.model.spatial import IDENTITY, Pose, SpatialInertia, Vector

_Z = Vector(0, 0, 1)
_ORIGIN = Pose().map(expression)


def lumped(description: Description, robot: Robot) -> Description:
    """A robot whose fixed links are part of those they are fixed on, in the language's form.

    Args:
        description: The robot as its file has it.
        robot: The same robot, reduced.
    """
    written = {joint.name: joint for joint in description.joints}
    links = [robot.links[number] for number in robot.link_order]
    moved = sorted(robot.joints, key=lambda joint: robot.link_order.index(joint.successor))
    joints = tuple(
        replace(
            written[joint.name],
            parent=robot.links[joint.predecessor].name,
            child=robot.links[joint.successor].name,
            pose=joint.pose,
            axis=_Z,
        )
        for joint in moved
    )
    frames = [
        FrameDescription(frame.of_link or frame.name, robot.links[frame.link].name, frame.pose)
        for frame in robot.frames
        if frame.of_link != robot.links[frame.link].name or not _is_identity(frame.pose)
    ]
    return replace(
        description,
        links=tuple(LinkDescription(link.name, inertial(link.inertia)) for link in links),
        joints=joints,
        frames=tuple(frames),
        floating_base=robot.floating_base,
        link_frame_prefix=LINK_FRAME_PREFIX,
    )


def aligned(description: Description) -> Description:
    """A robot with all its links and joints, in the language's form."""
    onto = {
        joint.child: Pose(rotation_onto(joint.axis).map(expression), _ORIGIN.translation)
        for joint in description.joints
        if joint.kind != "fixed" and not _is_z(joint.axis)
    }
    back = {link: pose.inverse() for link, pose in onto.items()}
    frames = [
        FrameDescription(link.name, link.name, back[link.name])
        for link in description.links
        if link.name in back
    ]
    return replace(
        description,
        links=tuple(_turned_link(link, back) for link in description.links),
        joints=tuple(_turned_joint(joint, onto, back) for joint in description.joints),
        frames=(*frames, *_turned_frames(description.frames, back)),
        link_frame_prefix=LINK_FRAME_PREFIX,
    )


def custom_frames(robot: Description) -> Iterator[FrameDescription]:
    """The frames that joints do not have anyway."""
    poses = {LINK_FRAME_PREFIX + joint.name: (joint.parent, joint.pose) for joint in robot.joints}
    used = {link.inertial.frame for link in robot.links if link.inertial}
    for frame in robot.frames:
        if frame.name in used or poses.get(frame.name) != (frame.link, frame.pose):
            yield frame


def inertial(inertia: SpatialInertia) -> Inertial | None:
    """An inertia about a link frame as the language gives it; None for a massless link.

    Raises:
        RobcogenError: If there is a first moment of mass without a mass.
    """
    if all(map(is_zero, (inertia.mass, *inertia.moment, *inertia.tensor))):
        return None
    return Inertial(
        mass=expression(inertia.mass),
        center=_center(inertia).map(expression),
        tensor=inertia.tensor.map(expression),
        about_center=False,
    )


def _center(inertia: SpatialInertia) -> Vector:
    if all(map(is_zero, inertia.moment)):
        return Vector()
    if is_zero(inertia.mass):
        raise RobcogenError("a first moment of mass without mass cannot be written")
    return Vector(*(component / inertia.mass for component in inertia.moment))


def _turned_link(link: LinkDescription, back: dict[str, Pose]) -> LinkDescription:
    if link.inertial is None:
        return link
    if link.name not in back and not link.inertial.about_center:
        return link
    inertia = back.get(link.name, _ORIGIN).inertia(link.inertial.spatial())
    return replace(link, inertial=inertial(inertia.map(expression)))


def _turned_joint(
    joint: JointDescription, onto: dict[str, Pose], back: dict[str, Pose]
) -> JointDescription:
    if joint.parent not in back and joint.child not in onto:
        return replace(joint, axis=_Z)
    pose = back.get(joint.parent, _ORIGIN) @ joint.pose @ onto.get(joint.child, _ORIGIN)
    return replace(joint, pose=pose.map(expression), axis=_Z)


def _turned_frames(
    frames: Iterable[FrameDescription], back: dict[str, Pose]
) -> Iterable[FrameDescription]:
    for frame in frames:
        pose = back[frame.link] @ frame.pose if frame.link in back else frame.pose
        yield replace(frame, pose=pose)


def _is_z(axis: Vector) -> bool:
    x, y, z = (expression(component) for component in axis)
    return is_zero(x) and is_zero(y) and float(z) > 0


def _is_identity(pose: Pose) -> bool:
    def same(entry: Scalar, unit: int) -> bool:
        return is_zero(entry - unit)

    rows = zip(pose.rotation, IDENTITY, strict=True)
    turned = all(same(*entry) for row in rows for entry in zip(*row, strict=True))
    return turned and all(map(is_zero, pose.translation))
