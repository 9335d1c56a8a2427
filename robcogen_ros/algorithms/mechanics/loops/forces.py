"""Forces that hold loops closed: K' f = ID - tau, with ID what the tree's motion takes.

Joints that follow have no tau, so K_d' f = ID_d (Featherstone 2008, section 8.3). Loops may have
joints that follow from others, which are therefore dealt with after them.
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.mechanics.joints import JointTransform
from robcogen_ros.algorithms.mechanics.loops.rows import closure_rows, dependent_inverse
from robcogen_ros.algorithms.mechanics.operational_space import dot, times, transposed
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Force


def loop_forces(
    robot: Robot, transforms: Sequence[JointTransform], forces: Sequence[Scalar]
) -> list[Force]:
    """The wrench on the second frame of each loop, about and in the axes of the first.

    Args:
        robot: The robot, at the position.
        transforms: Transform across each joint.
        forces: (joints,) what the motion takes along each joint of the tree [N m or N].

    Returns:
        A force a loop, zero along what the loop does not fix, and along rows that do not count.
    """
    left = list(forces)
    found: list[Force] = []
    for closure in reversed(robot.closures):
        for joint, leader, multiplier, _ in closure.followers:
            left[leader], left[joint] = left[leader] + left[joint] * multiplier, 0
        K = closure_rows(robot, closure, transforms)
        inverse = dependent_inverse(closure, K)
        step(f"{closure.title}: forces")
        held = times(transposed(inverse), [left[k] for k in closure.dependent])
        left = [x - dot(held, column) for x, column in zip(left, transposed(K), strict=True)]
        by_row, own = iter(held), []
        for loop in closure.loops:
            six: list[Scalar] = [0] * 6
            for row in loop.rows:
                six[row] = next(by_row)
            own.append(Force.of(six))
        found = own + found
    return found
