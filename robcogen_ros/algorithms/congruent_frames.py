"""Frames inside limbs of equal shape, turned so that the limbs differ in as few numbers as can be.

A link's frame may be turned about its joint's axis by half a turn, or about x: then the joint goes
the other way, which its multiplier says. The first limb keeps its frames, the others follow it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import product

from robcogen_ros.algorithms.limbs import Limbs
from robcogen_ros.model.expression import Expression, expression
from robcogen_ros.model.operation import is_zero
from robcogen_ros.model.robot import Frame, Joint, Link, Robot
from robcogen_ros.model.spatial import Matrix3, Pose, Vector

_ROTATION, _TRANSLATION, _INERTIA = 20, 3, 1
"""What a number that differs costs, roughly, in operations."""


def _half_turns() -> tuple[Pose, ...]:
    """No turn, and half turns about x, y and z."""
    signs = [(x, y, x * y) for x, y in product((1, -1), repeat=2)]
    return tuple(
        Pose(Matrix3(Vector(x, 0, 0), Vector(0, y, 0), Vector(0, 0, z))).map(expression)
        for x, y, z in signs
    )


_TURNS = _half_turns()


@lru_cache(maxsize=4)
def with_congruent_limbs(robot: Robot, groups: tuple[Limbs, ...]) -> Robot:
    """The same robot with other frames inside its limbs; public frames stay where they are."""
    turns = [_TURNS[0]] * len(robot.links)
    links, joints = list(robot.links), list(robot.joints)
    for group in groups:
        first, *others = group.links
        for model, link in ((m, i) for limb in others for m, i in zip(first, limb, strict=True)):
            body = robot.links[link]
            joint = joints[link - 1]
            joint = replace(joint, pose=turns[joint.predecessor].inverse() @ joint.pose)
            candidates = [(_turned_joint(joint, t), _turned_link(body, t)) for t in _TURNS]
            costs = [_difference(joints[model - 1], links[model], *c) for c in candidates]
            best = costs.index(min(costs))
            joints[link - 1], links[link] = candidates[best]
            turns[link] = _TURNS[best]
    frames = tuple(_turned_frame(frame, turns[frame.link]) for frame in robot.frames)
    return replace(robot, links=tuple(links), joints=tuple(joints), frames=frames)


def _turned_joint(joint: Joint, turn: Pose) -> Joint:
    """The joint with a turned successor, going the other way where z is reversed."""
    way = turn.rotation.z.z
    return replace(
        joint,
        pose=joint.pose @ turn,
        multiplier=joint.multiplier * way,
        offset=joint.offset * way,
        pole=0 if is_zero(joint.pole) else joint.pole * way,
    )


def _turned_link(link: Link, turn: Pose) -> Link:
    back = turn.inverse()
    return replace(link, inertia=back.inertia(link.inertia), frame=back @ link.frame)


def _turned_frame(frame: Frame, turn: Pose) -> Frame:
    return replace(frame, pose=turn.inverse() @ frame.pose)


def _difference(joint: Joint, link: Link, other: Joint, turned: Link) -> int:
    """What it costs that a joint and its link differ from another joint and link."""
    return (
        _ROTATION * _unequal(_entries(joint.pose), _entries(other.pose))
        + _TRANSLATION * _unequal(joint.pose.translation, other.pose.translation)
        + _ROTATION // 5 * _unequal([joint.multiplier], [other.multiplier])
        + _INERTIA * _unequal(link.inertia.moment, turned.inertia.moment)
        + _INERTIA * _unequal(link.inertia.tensor, turned.inertia.tensor)
    )


def _entries(pose: Pose) -> list[Expression]:
    return [entry for row in pose.rotation for entry in row]


def _unequal(these: Iterable[Expression], those: Iterable[Expression]) -> int:
    """How many constants differ."""
    return sum(a.value != b.value for a, b in zip(these, those, strict=True))
