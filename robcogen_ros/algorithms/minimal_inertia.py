"""Minimal inertial parameters (Khalil and Dombre, Modeling of Robots, 2002, section 9.4.2).

Of a link's inertia, a part J that does no work on its joint and looks alike at every position of
it, J S = 0, may as well be fixed on the predecessor. Across a turning joint these are the mass, the
first moment along the axis and the second moment along the axis; across a sliding one it is the
whole tensor. What is left has more zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from robcogen_ros.algorithms.balance import balancing_masses, outweigh
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import Pose, SpatialInertia, Symmetric3, Vector


def regrouped(robot: Robot) -> Robot:
    """The robot with inertias moved towards its base, as far as its motion does not tell.

    Joint forces, base wrench, inertia matrix, energies and momentum stay exactly what they are;
    the forces between links, and the inertias of single links and subtrees, do not.
    """
    inertias = [link.inertia for link in robot.links]
    carried = [link.carried for link in robot.links]
    for joint in reversed(robot.joints):
        i = joint.successor
        carried[i] = carried[i] + inertias[i].mass
        _hand_on(joint, inertias)
    links = (replace(link, carried=mass) for link, mass in zip(robot.links, carried, strict=True))
    return _with_inertias(replace(robot, links=tuple(links)), inertias)


def balanced(robot: Robot) -> Robot:
    """The robot with masses at its turning joints by which first moments of its links vanish.

    The mass at a joint is counted to the link beyond it, to which it is no more than a force on
    the joint: fewer operations than the first moment takes of the link before, unless that moves
    as little as the first one on a fixed base, or the one beyond is the last. For net forces;
    composite and articulated inertias are better off without masses. It preserves what `regrouped`
    does.
    """
    inertias = [link.inertia for link in robot.links]
    parents = {joint.predecessor for joint in robot.joints}
    carriers: list[list[Joint]] = [[] for _ in robot.links]
    for joint in reversed(robot.joints):
        i, parent = joint.successor, joint.predecessor
        if parent or robot.floating_base:
            _balance(robot, inertias, i, carriers[i])
        _hand_on(joint, inertias)
        if i in parents and not joint.prismatic:
            carriers[parent].append(joint)
    if robot.floating_base:
        _balance(robot, inertias, 0, carriers[0])
    return _with_inertias(robot, inertias)


def _hand_on(joint: Joint, inertias: list[SpatialInertia]) -> None:
    """Move what may be moved of a link's inertia to the predecessor."""
    i, parent = joint.successor, joint.predecessor
    moved = _movable(joint, inertias[i])
    inertias[i] = _left(joint, inertias[i], moved)
    inertias[parent] = inertias[parent] + joint.pose.inertia(moved)


def _balance(
    robot: Robot, inertias: list[SpatialInertia], i: int, children: Sequence[Joint]
) -> None:
    """Count masses at the joints on a link to the links beyond them."""
    points = [child.pose.translation for child in children]
    masses, balanced_axes = balancing_masses(inertias[i].moment, points)
    if outweigh(masses, robot.links[i].carried + inertias[i].mass):
        return
    for child, mass in zip(children, masses, strict=True):
        beyond = child.successor
        at_joint = Pose(translation=child.pose.translation).inertia(SpatialInertia(mass))
        inertias[i] = inertias[i] - at_joint
        inertias[beyond] = inertias[beyond] + SpatialInertia(mass)
    vanishing = dict.fromkeys(balanced_axes, 0)
    inertias[i] = replace(inertias[i], moment=replace(inertias[i].moment, **vanishing))


def _movable(joint: Joint, inertia: SpatialInertia) -> SpatialInertia:
    """The part of an inertia that may be fixed on the predecessor of a joint as well."""
    if joint.prismatic:
        return SpatialInertia(0, Vector(), inertia.tensor)
    axial = inertia.tensor.second_moments().zz
    tensor = Symmetric3(axial, 0, 0, axial, 0, 0)
    return SpatialInertia(inertia.mass, Vector(0, 0, inertia.moment.z), tensor)


def _left(joint: Joint, inertia: SpatialInertia, moved: SpatialInertia) -> SpatialInertia:
    """What is left; across a turning joint zz = xx + yy, said so that of symbols it is seen too."""
    left = inertia - moved
    if joint.prismatic:
        return left
    tensor = replace(left.tensor, zz=left.tensor.xx + left.tensor.yy)
    return replace(left, tensor=tensor)


def _with_inertias(robot: Robot, inertias: Sequence[SpatialInertia]) -> Robot:
    links = zip(robot.links, inertias, strict=True)
    return replace(robot, links=tuple(replace(link, inertia=inertia) for link, inertia in links))
