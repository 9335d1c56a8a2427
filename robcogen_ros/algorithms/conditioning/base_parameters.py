"""Base inertial parameters by regrouping (Khalil, Dombre, Modeling of Robots, 2002, 9.4.2).

Of a link's inertia, a part J that does no work on its joint and looks alike at every position of
it, J S = 0, may as well be fixed on the predecessor. Across a turning joint these are the mass, the
first moment along the axis and the second moment along the axis; across a sliding one it is the
whole tensor. What is left has more zeros.
"""

from __future__ import annotations

from dataclasses import replace

from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import SpatialInertia


def regrouped(robot: Robot) -> Robot:
    """The robot with inertias moved towards its base, as far as its motion does not tell.

    Joint forces, base wrench, inertia matrix, energies and momentum stay exactly what they are;
    the forces between links, and the inertias of single links and subtrees, do not.
    """
    inertias = [link.inertia for link in robot.links]
    for joint in reversed(robot.joints):
        i, parent = joint.successor, joint.predecessor
        moved = joint.kind.movable(inertias[i])
        inertias[i] = _left(joint, inertias[i], moved)
        inertias[parent] = inertias[parent] + joint.pose.inertia(moved)
    links = zip(robot.links, inertias, strict=True)
    return replace(robot, links=tuple(replace(link, inertia=inertia) for link, inertia in links))


def _left(joint: Joint, inertia: SpatialInertia, moved: SpatialInertia) -> SpatialInertia:
    """Returns the inertia that stays.

    Across a turning joint zz = xx + yy, written so that it is seen of symbols, too.
    """
    left = inertia - moved
    if not joint.kind.turns:
        return left
    tensor = replace(left.tensor, zz=left.tensor.xx + left.tensor.yy)
    return replace(left, tensor=tensor)
