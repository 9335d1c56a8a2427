"""A payload: a body of open mass, center of mass and inertia, fixed at a frame."""

from __future__ import annotations

from dataclasses import replace

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import PAYLOAD, OpenBody, Robot
from robcogen_ros.model.scalars.expression import Expression, Parameter
from robcogen_ros.model.scalars.number import ZERO
from robcogen_ros.model.scalars.quantities import MOMENTS, POSITION
from robcogen_ros.model.spatial import SpatialInertia, Symmetric3, Vector

_PARTS = ("mass", *(f"com.{axis}" for axis in POSITION), *(f"inertia.{m}" for m in MOMENTS))
NAMES = tuple(f"{PAYLOAD}.{part}" for part in _PARTS)
"""The ten parameters of a payload."""


def with_payload(robot: Robot, frame: str) -> Robot:
    """The robot with a payload at a frame, given by ten parameters that are zero by default.

    These are `payload.mass` [kg]; `payload.com.x`, `.y`, `.z`, its center of mass in the frame [m];
    `payload.inertia.ixx`, `.ixy`, ..., its tensor about that center, in the frame's axes [kg m^2].

    Raises:
        RobcogenError: If there is no such frame, or a parameter has such a name already.
    """
    place = robot.frames[robot.frame_index(frame)]
    parameters = [Parameter(name, "inertia", ZERO) for name in NAMES]
    taken = {parameter.name for parameter in robot.parameters}
    for parameter in parameters:
        if parameter.name in taken:
            raise RobcogenError(
                f"parameter '{parameter.name}' is both of a link and of the payload"
            )
    mass, *rest = (Expression(parameter=parameter) for parameter in parameters)
    center, tensor = Vector(*rest[:3]), Symmetric3(*rest[3:])
    inertia = place.pose.inertia(SpatialInertia.about_center(mass, center, tensor))
    carrier = robot.links[place.link]
    loaded = replace(carrier, inertia=carrier.inertia + inertia)
    links = tuple(loaded if link is carrier else link for link in robot.links)
    return replace(
        robot,
        links=links,
        parameters=(*robot.parameters, *parameters),
        bodies=(*robot.bodies, OpenBody(PAYLOAD, mass, tensor, NAMES)),
    )
