"""Whom each joint follows in the end, and which joints cannot move at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from robcogen_ros.model.axis import rotation_onto
from robcogen_ros.model.description import Description, JointDescription, Mimic
from robcogen_ros.model.scalars.expression import ONE, ZERO, Expression, expression
from robcogen_ros.model.spatial import Pose, rotation_z

_IDENTITY = Pose().map(expression)


class Following(NamedTuple):
    """The position of a joint, multiplier * leader's position + offset.

    Attributes:
        leader: Name of a joint that moves of its own, maybe the joint itself; None if the joint
            stays at `offset`.
        multiplier: See above.
        offset: See above [rad or m].
    """

    leader: str | None
    multiplier: Expression
    offset: Expression


def followings(
    description: Description, positions: Mapping[str, Expression]
) -> dict[str, Following]:
    """Whom each joint follows, by name; itself where it is free.

    Joints that follow another with multiplier 0, or one that does not move, stay where they are.

    Args:
        description: A sound description.
        positions: Positions [rad or m] of joints that are kept there, by name.
    """
    found = {
        joint.name: Following(None, ZERO, positions.get(joint.name, ZERO))
        for joint in description.joints
        if joint.name in positions or joint.motion is None
    }
    by_name = {joint.name: joint for joint in description.joints}
    for joint in description.joints:
        chain = [joint]
        while chain[-1].name not in found and (mimic := chain[-1].mimic) is not None:
            chain.append(by_name[mimic.leader])
        for each in reversed(chain):
            if each.name not in found:
                found[each.name] = _following(each.name, each.mimic, found)
    return found


def _following(name: str, mimic: Mimic | None, found: Mapping[str, Following]) -> Following:
    if mimic is None:
        return Following(name, ONE, ZERO)
    if mimic.multiplier.structurally_zero:
        return Following(None, ZERO, mimic.offset)
    leader, multiplier, offset = found[mimic.leader]
    return Following(
        leader,
        multiplier * mimic.multiplier,
        mimic.multiplier * offset + mimic.offset,
    )


def with_followings(description: Description, found: Mapping[str, Following]) -> Description:
    """The description with joints that cannot move fixed, others following their last leader."""
    joints = tuple(_with_following(joint, found[joint.name]) for joint in description.joints)
    return replace(description, joints=joints)


def _with_following(joint: JointDescription, found: Following) -> JointDescription:
    if found.leader is not None:
        follows = Mimic(found.leader, found.multiplier, found.offset)
        return replace(joint, mimic=follows) if joint.mimic else joint
    if joint.motion:
        return replace(joint, kind="fixed", pose=posed(joint, found.offset), mimic=None)
    return replace(joint, mimic=None) if joint.mimic else joint


def posed(joint: JointDescription, position: Expression) -> Pose:
    """The pose of a joint's successor on its predecessor, with the joint at a position."""
    if joint.motion is None or position.structurally_zero:
        return joint.pose
    onto = Pose(rotation_onto(joint.axis).map(expression), _IDENTITY.translation)
    moved = joint.motion.pose(position, rotation_z).map(expression)
    return joint.pose @ onto @ moved @ onto.inverse()


def placed(description: Description, positions: Mapping[str, Expression]) -> dict[str, Pose]:
    """Returns the poses of links in the root, joints without a position at zero."""
    moved = {joint.child for joint in description.joints}
    found = {link.name: _IDENTITY for link in description.links if link.name not in moved}
    below: dict[str, list[JointDescription]] = {}
    for joint in description.joints:
        below.setdefault(joint.parent, []).append(joint)
    pending = [*found]
    while pending:
        parent = pending.pop()
        for joint in below.get(parent, []):
            pose = posed(joint, positions.get(joint.name, ZERO))
            found[joint.child] = found[parent] @ pose.map(expression)
            pending.append(joint.child)
    return found
