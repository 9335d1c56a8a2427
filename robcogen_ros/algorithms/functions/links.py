"""Functions that tell the motion of each link, and the wrenches between links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from robcogen_ros.algorithms.functions.fixed_base import gravity_of
from robcogen_ros.algorithms.functions.function import (
    Argument,
    Function,
    Results,
    Values,
    forces_argument,
    gravity_argument,
    motion_inputs,
)
from robcogen_ros.algorithms.mechanics.joints import JointTransform, joint_transforms, link_forces
from robcogen_ros.algorithms.mechanics.velocities import (
    joint_wrenches,
    link_accelerations,
    link_velocities,
)
from robcogen_ros.algorithms.sweeps import Body, on_links, sweeps
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Force, MotionVector


def link_functions(robot: Robot) -> tuple[Function, ...]:
    """Velocity and acceleration of each link, wrench in each joint, in link coordinates."""
    motion = motion_inputs(robot, "q", "qd", "qdd")
    links = len(robot.links)
    return (
        Function(
            "link_velocities",
            "Spatial velocity of each link, in its own coordinates",
            motion_inputs(robot, "q", "qd"),
            (Argument("velocities", 6, links, "[w; v], a link a column, base first"),),
            _link_velocities,
        ),
        Function(
            "link_accelerations",
            "Spatial acceleration of each link, in its own coordinates, gravity not added",
            motion,
            (Argument("accelerations", 6, links, "a link a column, base first"),),
            _link_accelerations,
        ),
        Function(
            "joint_wrenches",
            "Wrench that each link gets through the joint that carries it, in link coordinates",
            (*motion, gravity_argument(robot), forces_argument(robot)),
            (Argument("wrenches", 6, links, "[n; f] [N m, N], a link a column, base first"),),
            _joint_wrenches,
            on_request=True,
        ),
    )


def base_motion(values: Values, name: str) -> MotionVector:
    """Velocity or acceleration of the base; none of a fixed one."""
    return MotionVector.of(values[name]) if name in values else MotionVector()


def _link_velocities(robot: Robot, values: Values) -> Results:
    _, velocity = _velocities(robot, values)
    return {"velocities": _public(robot, velocity)}


def _link_accelerations(robot: Robot, values: Values) -> Results:
    transforms, velocity = _velocities(robot, values)
    base = base_motion(values, "base_acceleration")
    found = link_accelerations(robot, transforms, velocity, values["qd"], values["qdd"], base)
    return {"accelerations": _public(robot, found)}


def _joint_wrenches(robot: Robot, values: Values) -> Results:
    transforms, velocity = _velocities(robot, values)
    base = base_motion(values, "base_acceleration") - gravity_of(values)
    acceleration = link_accelerations(
        robot, transforms, velocity, values["qd"], values["qdd"], base
    )
    forces = link_forces(robot, values["external_forces"])
    wrenches = joint_wrenches(robot, transforms, velocity, acceleration, forces)
    own = sweeps(robot).each("wrenches in links' own frames", _own_wrench, wrenches[1:])
    public = on_links(robot.links[0].frame.force_back(wrenches[0]), own)
    return {"wrenches": _joined(public[i] for i in robot.link_order)}


def _velocities(
    robot: Robot, values: Values
) -> tuple[Sequence[JointTransform], Sequence[MotionVector]]:
    transforms = joint_transforms(robot, values["q"])
    base = base_motion(values, "base_velocity")
    return transforms, link_velocities(robot, transforms, values["qd"], base)


def _public(robot: Robot, motions: Sequence[MotionVector]) -> list[Scalar]:
    """Motions of the links' own frames, in public order."""
    own = sweeps(robot).each("motions in links' own frames", _own_motion, motions[1:])
    public = on_links(robot.links[0].frame.motion_back(motions[0]), own)
    return _joined(public[i] for i in robot.link_order)


def _own_motion(body: Body, motion: MotionVector) -> MotionVector:
    return body.link.frame.motion_back(motion)


def _own_wrench(body: Body, wrench: Force) -> Force:
    return body.link.frame.force_back(wrench)


def _joined(vectors: Iterable[Iterable[Scalar]]) -> list[Scalar]:
    return [entry for vector in vectors for entry in vector]
