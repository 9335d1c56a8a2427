"""The quantities of a robot's description by name: what may become a parameter of it.

<link>.mass                          [kg]
<link>.com.x, .y, .z                 center of mass as the file gives it [m]
<link>.inertia.ixx, .ixy, ...        tensor entries, about the point and in the orientation that
the file gives them [kg m^2]
<joint>.origin.x, .y, .z             position of the joint frame in the parent link frame [m]
<joint>.origin.roll, .pitch, .yaw    its orientation, about fixed axes as in URDF [rad]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from robcogen_ros.model.description import (
    Description,
    Inertial,
    JointDescription,
    LinkDescription,
)
from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.expression import ZERO, Expression, expression
from robcogen_ros.model.scalars.operation import cos, sin
from robcogen_ros.model.spatial import (
    IDENTITY,
    Matrix3,
    Pose,
    Symmetric3,
    Vector,
)

POSITION = ("x", "y", "z")
ANGLES = ("roll", "pitch", "yaw")
MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")

_MASSLESS = Inertial(
    expression(0), Vector().map(expression), Symmetric3().map(expression), about_center=True
)

Values = dict[str, Expression]
"""Values of a part's quantities, by what follows the part's name."""


@dataclass(frozen=True, slots=True)
class Part:
    """A link or joint whose quantities have names.

    Attributes:
        values: Its quantities.
        rebuilt: The link or joint with other values of these.
    """

    values: Values
    rebuilt: Callable[[Mapping[str, Expression]], Any]


def group(quantity: str) -> str:
    """The group of parameters that a quantity belongs to."""
    if not quantity.startswith("origin."):
        return "inertia"
    return "angles" if quantity.removeprefix("origin.") in ANGLES else "lengths"


def link_part(link: LinkDescription) -> Part:
    """Mass, center of mass and inertia of a link; of one without inertia, zero."""
    inertial = link.inertial or _MASSLESS
    center = inertial.pose.translation if inertial.about_center else inertial.center
    values = {"mass": expression(inertial.mass)}
    values.update(_by_name("com", POSITION, center.map(expression)))
    values.update(_by_name("inertia", MOMENTS, inertial.tensor.map(expression)))

    def rebuilt(new: Mapping[str, Expression]) -> LinkDescription:
        com = Vector(*(new[f"com.{axis}"] for axis in POSITION))
        changed = replace(
            inertial,
            mass=new["mass"],
            tensor=Symmetric3(*(new[f"inertia.{moment}"] for moment in MOMENTS)),
        )
        if inertial.about_center:
            changed = replace(changed, pose=Pose(inertial.pose.rotation, com))
        else:
            changed = replace(changed, center=com)
        return replace(link, inertial=changed)

    return Part(values, rebuilt)


def joint_part(joint: JointDescription) -> Part:
    """Position and orientation of a joint; no orientation where its angles are not unique."""
    values = _by_name("origin", POSITION, joint.pose.translation.map(expression))
    angles = _angles(joint.pose.rotation.map(expression))
    if angles is not None:
        values.update(_by_name("origin", ANGLES, angles))

    def rebuilt(new: Mapping[str, Expression]) -> JointDescription:
        rotation = joint.pose.rotation
        if any(new[name] is not values[name] for name in values if group(name) == "angles"):
            rotation = fixed_axes_rotation(*(new[f"origin.{angle}"] for angle in ANGLES))
        position = Vector(*(new[f"origin.{axis}"] for axis in POSITION))
        return replace(joint, pose=Pose(rotation, position).map(expression))

    return Part(values, rebuilt)


def parts(description: Description) -> dict[str, list[Part]]:
    """Links and joints by name; a link and a joint may have the same."""
    found: dict[str, list[Part]] = {}
    for link in description.links:
        found.setdefault(link.name, []).append(link_part(link))
    for joint in description.joints:
        found.setdefault(joint.name, []).append(joint_part(joint))
    return found


def fixed_axes_rotation(roll: Expression, pitch: Expression, yaw: Expression) -> Matrix3:
    """The rotation about the fixed axes x, then y, then z: Rz(yaw) Ry(pitch) Rx(roll)."""
    if all(angle.structurally_zero for angle in (roll, pitch, yaw)):
        return IDENTITY
    (cr, sr), (cp, sp), (cy, sy) = ((cos(angle), sin(angle)) for angle in (roll, pitch, yaw))
    cysp, sysp = cy * sp, sy * sp
    rotation = Matrix3(
        Vector(cy * cp, -sy * cr + cysp * sr, -sy * -sr + cysp * cr),
        Vector(sy * cp, cy * cr + sysp * sr, cy * -sr + sysp * cr),
        Vector(-sp, cp * sr, cp * cr),
    )
    return rotation.map(lambda entry: entry + ZERO)  # no zero has a sign


def _angles(rotation: Matrix3) -> tuple[Expression, ...] | None:
    """Roll, pitch, yaw of a constant rotation whose pitch is no right angle."""
    R = [[entry.value for entry in row] for row in rotation]
    if any(entry is None for row in R for entry in row) or not (R[0][0] or R[1][0]):
        return None
    squares = (number.multiply(R[i][0], R[i][0]) for i in range(2))
    level = number.sqrt(number.add(*squares))
    roll = number.atan2(R[2][1], R[2][2])
    pitch = number.atan2(number.negate(R[2][0]), level)
    yaw = number.atan2(R[1][0], R[0][0])
    return tuple(expression(angle) for angle in (roll, pitch, yaw))


def _by_name(what: str, names: tuple[str, ...], values: Any) -> Values:
    return {f"{what}.{name}": value for name, value in zip(names, values, strict=True)}
