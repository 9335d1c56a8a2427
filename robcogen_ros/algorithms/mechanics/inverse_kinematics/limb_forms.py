"""Special positions of the axes of a limb between two frames that give it a closed form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import product

import numpy as np

from robcogen_ros.algorithms.conditioning.plain import plain_number
from robcogen_ros.algorithms.mechanics.inverse_kinematics.closed_form import (
    Axis,
    Form,
    Limb,
    solved,
)
from robcogen_ros.algorithms.mechanics.inverse_kinematics.subproblems import Turn
from robcogen_ros.algorithms.mechanics.kinematics import paths
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Frame, Joint, Robot
from robcogen_ros.model.scalars.expression import at_values
from robcogen_ros.model.scalars.operation import is_zero
from robcogen_ros.model.spatial import Lift, Vector

_SAMPLES = 3
"""Sets of values of parameters at which a form must be there."""
_EXACT = 1e-9
"""Error of positions that a solution reaches, of what the limb is long."""


def limb_joints(robot: Robot, start: Frame, end: Frame) -> list[Joint]:
    """The joints of a limb, from one frame to another.

    Raises:
        RobcogenError: If it is none that can have a closed form.
    """
    up, down = paths(robot, start, end)
    joints = [robot.joints[k] for k in down]
    if up:
        names = ", ".join(f"'{robot.joints[k].name}'" for k in up)
        raise RobcogenError(f"'{start.name}' is beyond {names}: name a frame that carries the limb")
    for joint in joints:
        follows = [other.name for other in robot.joints if other.coordinate == joint.coordinate]
        if len(follows) > 1:
            raise RobcogenError(f"the joints {', '.join(map(repr, follows))} move together")
        if joint.kind.slides:
            raise RobcogenError(f"joint '{joint.name}' {joint.kind.action}: all joints must turn")
    if len(joints) not in (3, 6):
        names = f" ({', '.join(joint.name for joint in joints)})" if joints else ""
        raise RobcogenError(f"number of joints is {len(joints)}{names}: 3 or 6 have closed forms")
    return joints


def limb_between(robot: Robot, start: Frame, end: Frame) -> Limb:
    """The limb between two frames, in coordinates of the first one."""
    pose, axes = start.pose.inverse(), []
    for joint in limb_joints(robot, start, end):
        pose = pose @ joint.pose
        axes.append(Axis(Vector(*[row.z for row in pose.rotation]), pose.translation))
    return Limb(tuple(axes), pose @ end.pose)


def form_between(robot: Robot, start: Frame, end: Frame) -> Form:
    """The form of the limb between two frames.

    Raises:
        RobcogenError: If it has none, with the reason.
    """
    joints = limb_joints(robot, start, end)
    limbs = []
    for lift in _samples(robot):
        ends = [replace(frame, pose=frame.pose.map(lift)) for frame in (start, end)]
        limbs.append(limb_between(robot.map(lift), *ends))
    forms = [*_forms(limbs)]
    for form in forms:
        if all(_solves(form, limb) for limb in limbs):
            return form
    if forms:
        raise RobcogenError(
            f"'{end.name}' is on an axis, or its joints move it in too few directions"
        )
    raise RobcogenError(_distances_in_words(joints, limbs[0]))


def described(form: Form, names: Sequence[str]) -> str:
    """A form in words.

    Args:
        form: The form.
        names: Names of the joints.
    """
    names = names[::-1] if form.turned else names
    kind, first = form.first
    count = 3 if kind == "three parallel" else 2
    special = ", ".join(names[first : first + count])
    verb = "meet" if kind == "meeting" else "are parallel"
    center = names[3:] if form.wrist else names[4:]
    meeting = f"; those of {', '.join(center)} meet" if center else ""
    return f"{len(names)} joints, the axes of {special} {verb}{meeting}"


def _samples(robot: Robot) -> Iterator[Lift]:
    """Yields maps to the constants of the robot at some values of its parameters."""
    for k in range(_SAMPLES if robot.parameters else 1):
        values = {
            p.name: (Decimal(1) if p.default is None else p.default) + Decimal(7 * i + 3) * k / 100
            for i, p in enumerate(robot.parameters)
        }
        yield at_values(values)


def _forms(limbs: Sequence[Limb]) -> Iterator[Form]:
    """The forms that limbs may have which differ in numbers only."""
    if len(limbs[0].axes) == 3:
        yield from (Form(first, signs) for first, signs in _first_three(limbs))
        return
    for turned in (False, True):
        seen = [limb.reversed() for limb in limbs] if turned else limbs
        axes = [limb.axes for limb in seen]
        if not all(_meet(a[4], a[5]) for a in axes):
            continue
        right = all(is_zero(a[4].direction.dot(a[5].direction)) for a in axes)
        center = [a[4].nearest(a[5]) for a in axes]
        if all(_is_on(c, a[3]) for c, a in zip(center, axes, strict=True)):
            right_wrist = right and all(is_zero(a[3].direction.dot(a[4].direction)) for a in axes)
            for first, same in _first_three(seen):
                yield Form(first, same, wrist=True, right=right_wrist, turned=turned)
        signs = (_sign(axes, 1, 2), _sign(axes, 1, 3))
        if all(signs) and not _sign(axes, 0, 1):
            right = right and all(is_zero(a[3].direction.dot(a[4].direction)) for a in axes)
            yield Form(("three parallel", 1), (1, 1, *signs), right=right, turned=turned)


def _first_three(limbs: Sequence[Limb]) -> Iterator[tuple[tuple[str, int], tuple[int, ...]]]:
    """Yields special positions of the first three axes, with the signs of parallel ones."""
    axes = [limb.axes for limb in limbs]
    parallel = [_sign(axes, 0, 1), _sign(axes, 1, 2)]
    for first in (1, 0):
        if parallel[first] and not parallel[1 - first]:
            yield ("parallel", first), (1, 1, parallel[1]) if first else (1, parallel[0])
    for first in (1, 0):
        if all(_meet(a[first], a[first + 1]) for a in axes):
            yield ("meeting", first), ()


def _sign(axes: Sequence[Sequence[Axis]], i: int, j: int) -> int:
    """Returns 1 for parallel axes that point the same way, -1 for opposite ones, else 0."""
    found = {
        0
        if any(map(_nonzero, a[i].direction.cross(a[j].direction)))
        else 1
        if float(a[i].direction.dot(a[j].direction)) > 0
        else -1
        for a in axes
    }
    return found.pop() if len(found) == 1 else 0


def _nonzero(value: object) -> bool:
    return not is_zero(value)


def _meet(one: Axis, two: Axis) -> bool:
    normal = one.direction.cross(two.direction)
    return any(map(_nonzero, normal)) and is_zero((two.point - one.point).dot(normal))


def _is_on(point: Vector, axis: Axis) -> bool:
    return not any(map(_nonzero, axis.across(point - axis.point)))


def _plain(axis: Axis) -> Axis:
    return Axis(axis.direction.map(plain_number), axis.point.map(plain_number))


def _solves(form: Form, limb: Limb) -> bool:
    """Returns True if a form gives back a pose that the limb reaches at some angles."""
    plain = Limb(tuple(map(_plain, limb.axes)), limb.tip.map(plain_number))
    axes = plain.axes
    turns = [Turn(np.cos(1.0 + 0.7 * k), np.sin(1.0 + 0.7 * k)) for k in range(len(axes))]
    pose = plain.reached(turns)
    size, errors = 1 + max(map(abs, pose.translation)), []
    with np.errstate(all="ignore"):
        for branch in product((1.0, -1.0), repeat=len(form.branches)):
            found = plain.reached(solved(form, plain, pose, branch).turns)
            apart = [abs(x) / size for x in found.translation - pose.translation]
            if len(axes) == 6:
                apart += [abs(x) for row in found.rotation - pose.rotation for x in row]
            errors += [max(apart)] if np.isfinite(apart).all() else []
    return bool(errors) and max(errors) < _EXACT


def _distances_in_words(joints: Sequence[Joint], limb: Limb) -> str:
    """Returns the distance of neighbouring axes from being parallel and from meeting, in words."""
    pairs = []
    for k in range(len(joints) - 1):
        one, two = (
            Axis(*[v.map(float) for v in (a.direction, a.point)]) for a in limb.axes[k:][:2]
        )
        normal = one.direction.cross(two.direction)
        size = float(np.sqrt(normal.dot(normal)))
        between = two.point - one.point
        apart = one.across(between) if size == 0 else normal * (between.dot(normal) / size**2)
        distance = float(np.sqrt(apart.dot(apart)))
        angle = float(np.arctan2(size, abs(one.direction.dot(two.direction))))
        pairs.append(
            f"'{joints[k].name}' and '{joints[k + 1].name}' {angle:.2g} rad, {distance:.2g} m"
        )
    wanted = "two neighbours of three must be parallel or meet"
    if len(joints) == 6:
        wanted = "three at one end must meet in a point, or three before two that meet be parallel"
    return (
        f"its axes have no closed form ({wanted}); neighbours are off parallel, and apart, by "
        + "; ".join(pairs)
    )
