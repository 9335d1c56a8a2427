"""Lengths in a unit of the robot's own: one of its lengths, by which nothing is multiplied then.

The way from one joint to the next multiplies accelerations, forces, masses and moments. Where all
joints turn, no position tells the unit of length, and no torque, if that of mass goes with it: a
torque is in kg m^2/s^2, so masses are in kg m^2 / unit^2. One such length then is 1, wherever it
occurs, and what was multiplied by it is left as it is. Gravity and forces on links are given in SI
units, and converted; that is worth it where the former is constant, and the latter are none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from robcogen_ros.algorithms.function import Compute, Results, Values
from robcogen_ros.model.expression import MINUS_ONE, ONE, Expression
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Frame, Joint, Link, Robot
from robcogen_ros.model.spatial import Pose, SpatialInertia, Vector

_EQUAL = Decimal("1e-30")
"""Lengths that differ by less, relative to themselves, are the same."""

_WRENCH = 6


@lru_cache(maxsize=4)
def with_own_unit(robot: Robot) -> Robot:
    """The same robot, its lengths in a unit by which most is multiplied; see `Robot.unit`.

    Args:
        robot: The robot, its quantities expressions. It is left as it is where the base floats, a
            joint slides or anything depends on parameters, and where no joint is beyond another.
    """
    if robot.floating_base or robot.parameters or any(joint.prismatic for joint in robot.joints):
        return robot
    unit = _most_frequent(robot)
    return robot if unit is None else _measured_robot(robot, Expression(unit))


def measuring(compute: Compute) -> Compute:
    """An algorithm for robots of any unit, given what has lengths in m and N."""
    return lambda robot, values: _computed(compute, robot, values)


def _computed(compute: Compute, robot: Robot, values: Values) -> Results:
    unit, other = robot.unit, dict(values)
    if "gravity" in values:
        other["gravity"] = [entry * (1 / unit) for entry in values["gravity"]]
    if "external_forces" in values:
        other["external_forces"] = [
            entry * unit if i % _WRENCH >= _WRENCH // 2 else entry
            for i, entry in enumerate(values["external_forces"])
        ]
    return compute(robot, other)


def _most_frequent(robot: Robot) -> Decimal | None:
    """The length that most joints are beyond those before; the first of equals.

    What the first joint moves turns about one axis only, and takes few products: lengths there
    count only where there are no others.
    """
    deep: Counter[Decimal] = Counter()
    all_lengths: Counter[Decimal] = Counter()
    for joint in robot.joints:
        depth = len(robot.support(joint.predecessor))
        for length in _lengths(joint) if depth else ():
            known = next((known for known in all_lengths if _same(known, length)), length)
            all_lengths[known] += 1
            deep[known] += depth > 1
    lengths = +deep or all_lengths
    return max(lengths, key=lambda length: lengths[length]) if lengths else None


def _lengths(joint: Joint) -> Iterator[Decimal]:
    """How far a joint is from the origin of the link before, along each axis."""
    for entry in joint.pose.translation:
        if entry.value:
            yield abs(entry.value)


def _same(a: Decimal, b: Decimal) -> bool:
    return abs(a - b) <= _EQUAL * a


def _measured_robot(robot: Robot, unit: Expression) -> Robot:
    return replace(
        robot,
        unit=unit,
        links=tuple(_measured_link(link, unit) for link in robot.links),
        joints=tuple(_measured_joint(joint, unit) for joint in robot.joints),
        frames=tuple(_measured_frame(frame, unit) for frame in robot.frames),
    )


def _measured_link(link: Link, unit: Expression) -> Link:
    mass, moment, tensor = link.inertia.mass, link.inertia.moment, link.inertia.tensor
    inertia = SpatialInertia(mass * unit * unit, moment * unit, tensor)
    frame, carried = _measured_pose(link.frame, unit), link.carried * unit * unit
    return replace(link, inertia=inertia, frame=frame, carried=carried)


def _measured_joint(joint: Joint, unit: Expression) -> Joint:
    return replace(joint, pose=_measured_pose(joint.pose, unit), pole=joint.pole / unit)


def _measured_frame(frame: Frame, unit: Expression) -> Frame:
    return replace(frame, pose=_measured_pose(frame.pose, unit))


def _measured_pose(pose: Pose, unit: Expression) -> Pose:
    return replace(pose, translation=Vector(*(_in_units(x, unit) for x in pose.translation)))


def _in_units(length: Scalar, unit: Expression) -> Scalar:
    """A length over the unit; of one that is the unit but for rounding, 1 or -1."""
    assert unit.value is not None
    if length.value and _same(unit.value, abs(length.value)):
        return ONE if length.value > 0 else MINUS_ONE
    return length / unit
