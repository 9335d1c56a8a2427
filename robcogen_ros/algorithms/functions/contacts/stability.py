"""Functions of a robot that stands: where its weight acts, margins, distances to a plane."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from robcogen_ros.algorithms.functions.contacts.dynamics import (
    CONTACT_ROTATION,
    contact_forces,
    ground_axes,
    row_argument,
)
from robcogen_ros.algorithms.functions.fixed_base import gravity_of
from robcogen_ros.algorithms.functions.function import (
    MASS,
    Argument,
    Function,
    Results,
    Values,
    forces_argument,
    gravity_argument,
    matrix_columns,
    motion_inputs,
    state,
)
from robcogen_ros.algorithms.functions.links import base_motion
from robcogen_ros.algorithms.mechanics.center_of_mass import center_of_mass_velocity
from robcogen_ros.algorithms.mechanics.contacts.dynamics import (
    BASE,
    contact_rows,
    forces_at_frames,
    frame_rows,
    neither,
)
from robcogen_ros.algorithms.mechanics.contacts.stability import (
    Point2,
    capture_point,
    closed_points,
    hull_margin,
    normal_or,
    plane_axes,
    pressure_point,
    unless_closed,
)
from robcogen_ros.algorithms.mechanics.joints import joint_transforms, link_forces
from robcogen_ros.algorithms.mechanics.kinematics import center_of_mass, relative_pose
from robcogen_ros.algorithms.mechanics.newton_euler import newton_euler
from robcogen_ros.algorithms.mechanics.operational_space import dot
from robcogen_ros.algorithms.mechanics.velocities import link_velocities
from robcogen_ros.model.contacts import ABOVE
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar, select, sqrt
from robcogen_ros.model.spatial import Force, Pose, Vector

_POINT = Argument("plane_point", 3, meaning="a point of the plane, base coordinates [m]")
_NORMAL = Argument(
    "plane_normal",
    3,
    meaning="normal of the plane, of any length, base axes; against gravity if zero or left out",
    optional=True,
)
_CORNERS = 4


def stability_functions(robot: Robot) -> tuple[Function, ...]:
    """Returns the functions of stability of a robot with contacts; none without."""
    if not robot.contacts:
        return ()
    return (*_points(robot), *_of_feet(robot), *_margins(robot))


def _points(robot: Robot) -> tuple[Function, ...]:
    moved, gravity = motion_inputs(robot, "q", "qd", "qdd"), gravity_argument(robot)
    point = (Argument("point", 3, meaning="of the plane, base coordinates [m]"),)
    of_ground = _NORMAL.meaning.replace("against gravity", "the ground's")
    return (
        _named(
            "zero_moment_point",
            "Point of a plane about which the ground's wrench has moment along the normal only",
            (*moved, gravity, _POINT, forces_argument(robot), _NORMAL),
            point,
            lambda robot, values: {"point": [*_zero_moment_point(robot, values)]},
        ),
        _named(
            "center_of_pressure",
            "The same of given contact forces",
            (
                *state(robot, "q"),
                contact_forces(contact_rows(robot)),
                _POINT,
                replace(_NORMAL, meaning=of_ground),
                CONTACT_ROTATION,
            ),
            point,
            _center_of_pressure,
        ),
        _named(
            "capture_point",
            "Point of a plane to step on to come to rest, of a linear inverted pendulum",
            (*motion_inputs(robot, "q", "qd"), gravity, _POINT, _NORMAL),
            point,
            _capture_point,
            needs=(MASS,),
        ),
    )


def _of_feet(robot: Robot) -> tuple[Function, ...]:
    count, size = len(robot.contacts), robot.n + (6 if robot.floating_base else 0)
    mu = Argument("friction_coefficients", count, meaning="one a contact")
    return (
        _named(
            "friction_cone_margins",
            "Of each contact, friction times the normal force less the tangential one",
            (contact_forces(contact_rows(robot)), mu),
            (Argument("margins", count, meaning="negative where the contact slips [N]"),),
            _cone_margins,
        ),
        _named(
            "contact_clearance",
            "Distance of each contact's frame above a plane, and its rate per unit rates",
            (*state(robot, "q"), gravity_argument(robot), _POINT, _NORMAL),
            (
                Argument("clearance", count, meaning="negative below [m]"),
                Argument("gradient", count, size, "by q, or [base displacement; q]"),
            ),
            _clearance,
        ),
    )


def _margins(robot: Robot) -> tuple[Function, ...]:
    """Margins, of a robot with contacts that fix a height."""
    if not any(ABOVE in contact.rows for contact in robot.contacts):
        return ()
    gravity, corners = gravity_argument(robot), _corner_argument(robot)
    moved = motion_inputs(robot, "q", "qd", "qdd")
    closed = row_argument(
        "contact", contact_rows(robot), "1 where a row is closed, 0 where open", "1"
    )
    closed = replace(closed, choices=(0, 1))
    margin = (Argument("margin", 1, scalar=True, meaning="to the hull, negative outside [m]"),)
    return (
        _named(
            "support_margin",
            "How far the center of mass is within the hull of the contacts, along gravity",
            (*state(robot, "q"), gravity, *corners, closed),
            margin,
            _static_margin,
            needs=(MASS,),
        ),
        _named(
            "dynamic_support_margin",
            "How far the zero-moment point is within the hull of the contacts",
            (*moved, gravity, _POINT, *corners, forces_argument(robot), _NORMAL, closed),
            margin,
            _dynamic_margin,
        ),
    )


_named = partial(Function, on_request=True)


def _corner_argument(robot: Robot) -> tuple[Argument, ...]:
    """Corners of soles, of robots with flat feet."""
    flat = sum(contact.is_pose for contact in robot.contacts)
    meaning = f"{_CORNERS} corners of each flat foot, a column each, coordinates of its frame [m]"
    return (Argument("sole_corners", 3, _CORNERS * flat, meaning),) if flat else ()


def _normal(values: Values) -> Vector:
    return normal_or(Vector(*values["plane_normal"]), -Vector(*values["gravity"]))


def _zero_moment_point(robot: Robot, values: Values) -> Vector:
    transforms = joint_transforms(robot, values["q"])
    _, wrench = newton_euler(
        robot,
        transforms,
        values["qd"],
        values["qdd"],
        base_motion(values, "base_velocity"),
        base_motion(values, "base_acceleration") - gravity_of(values),
        link_forces(robot, values["external_forces"]),
    )
    return pressure_point(wrench, Vector(*values["plane_point"]), _normal(values))


def _poses(robot: Robot, values: Values) -> list[Pose]:
    transforms = joint_transforms(robot, values["q"])
    return [relative_pose(robot, transforms, BASE, robot.frames[c.frame]) for c in robot.contacts]


def _center_of_pressure(robot: Robot, values: Values) -> Results:
    axes, wrench = ground_axes(values), Force()
    at_frames = forces_at_frames(robot, values["contact_forces"], axes)
    for pose, (_, force) in zip(_poses(robot, values), at_frames, strict=True):
        wrench = wrench + Pose(translation=pose.translation).force(force)
    normal = normal_or(Vector(*values["plane_normal"]), axes.apply(Vector(0, 0, 1)))
    return {"point": [*pressure_point(wrench, Vector(*values["plane_point"]), normal)]}


def _capture_point(robot: Robot, values: Values) -> Results:
    transforms = joint_transforms(robot, values["q"])
    velocity = link_velocities(
        robot, transforms, values["qd"], base_motion(values, "base_velocity")
    )
    found = capture_point(
        center_of_mass(robot, transforms),
        center_of_mass_velocity(robot, transforms, velocity),
        Vector(*values["gravity"]),
        Vector(*values["plane_point"]),
        _normal(values),
    )
    return {"point": [*found]}


def _cone_margins(robot: Robot, values: Values) -> Results:
    forces = [force.linear for _, force in forces_at_frames(robot, values["contact_forces"])]
    pairs = zip(forces, values["friction_coefficients"], strict=True)
    return {"margins": [mu * f.z - _length(f.x, f.y) for f, mu in pairs]}


def _length(x: Scalar, y: Scalar) -> Scalar:
    """The length of a vector in a plane; of zero, where a length has no derivative, that is 0."""
    square = x * x + y * y
    return select(-square, 0, sqrt(select(-square, 1, square)))


def _clearance(robot: Robot, values: Values) -> Results:
    normal = _normal(values)
    unit, plane = normal * (1 / sqrt(normal.dot(normal))), Vector(*values["plane_point"])
    transforms = joint_transforms(robot, values["q"])
    above = [unit.dot(pose.translation - plane) for pose in _poses(robot, values)]
    gradient = [
        [dot(column, [*unit]) for column in zip(*rows[3:], strict=True)]
        for rows in (frame_rows(robot, transforms, c.frame) for c in robot.contacts)
    ]
    return {"clearance": above, "gradient": matrix_columns(gradient)}


def _static_margin(robot: Robot, values: Values) -> Results:
    center = center_of_mass(robot, joint_transforms(robot, values["q"]))
    return _margin(robot, values, center, -Vector(*values["gravity"]))


def _dynamic_margin(robot: Robot, values: Values) -> Results:
    return _margin(robot, values, _zero_moment_point(robot, values), _normal(values))


def _margin(robot: Robot, values: Values, point: Vector, normal: Vector) -> Results:
    """Returns the margin of a point, all seen along a normal."""
    x, y = plane_axes(normal)
    closed, corners = iter(values["contact"]), iter(values.get("sole_corners", ()))
    points: list[Point2] = []
    counted: list[Scalar] = []
    every: list[Scalar] = []
    for contact, pose in zip(robot.contacts, _poses(robot, values), strict=True):
        on = dict(zip(contact.rows, closed, strict=False))
        every += on.values()
        if contact.is_pose:
            at = [Vector(next(corners), next(corners), next(corners)) for _ in range(_CORNERS)]
        else:
            at = [Vector()] * (ABOVE in on)
        apart = [pose.point(corner) - point for corner in at]
        points += [(x.dot(p), y.dot(p)) for p in apart]
        counted += [on[ABOVE]] * len(at) if at else []
    found = hull_margin(closed_points(points, counted))
    return {"margin": [found + unless_closed(counted) + neither(every)]}
