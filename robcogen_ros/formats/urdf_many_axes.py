"""Joints of several degrees of freedom as chains of joints of one, with massless links between.

- `planar`: `<joint>_x` and `<joint>_y` along the plane, then `<joint>_theta` about its normal, the
  joint's axis. With the normal on z, x and y are those of the joint's frame; on x or y, the two
  axes that follow it in the order x, y, z, x.
- `floating`: `<joint>_x`, `_y`, `_z` along the axes of the joint's frame, then `_yaw` about z,
  `_pitch` about the new y, `_roll` about the new x.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from robcogen_ros.errors import Problem
from robcogen_ros.model.axis import rotation_onto
from robcogen_ros.model.description import JointDescription, JointType, Limits, LinkDescription
from robcogen_ros.model.expression import expression
from robcogen_ros.model.operation import is_zero
from robcogen_ros.model.spatial import Pose, Vector

_X, _Y, _Z = (Vector(*axis).map(expression) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
_Step = tuple[str, JointType, Vector]
_HERE = Pose().map(expression)


def with_single_axes(
    links: Sequence[LinkDescription], joints: Sequence[JointDescription]
) -> tuple[list[LinkDescription], list[JointDescription], list[Problem]]:
    """The same robot with joints of one degree of freedom only, and what is to be said about it."""
    many = {joint.name: joint for joint in joints if joint.kind in ("planar", "floating")}
    taken = {link.name for link in links} | {joint.name for joint in joints}
    all_links, all_joints, problems = list(links), [], list(_mimics(joints, many))
    for joint in joints:
        if joint.name not in many or _has_no_axis(joint):
            all_joints.append(joint)
            continue
        problems += _odd(joint)
        chain = _chain(joint, taken)
        all_joints += chain
        place = next((i for i, link in enumerate(all_links) if link.name == joint.child), 0)
        all_links[place:place] = [
            LinkDescription(step.child, location=joint.location) for step in chain[:-1]
        ]
    return all_links, all_joints, problems


def _has_no_axis(joint: JointDescription) -> bool:
    """Whether the normal of a planar joint is zero, which the checks complain about."""
    return joint.kind == "planar" and all(map(is_zero, joint.axis))


def _chain(joint: JointDescription, taken: set[str]) -> list[JointDescription]:
    steps = _planar(joint.axis) if joint.kind == "planar" else _FLOATING
    parent, pose, chain = joint.parent, joint.pose, []
    for suffix, kind, axis in steps:
        name = f"{joint.name}_{suffix}"
        while name in taken:
            name += "_"
        taken.add(name)
        single = JointDescription(
            name, kind, parent, name, pose, axis, Limits(), location=joint.location
        )
        chain.append(single)
        parent, pose = name, _HERE
    return [*chain[:-1], replace(chain[-1], child=joint.child)]


def _planar(normal: Vector) -> tuple[_Step, ...]:
    x, y, _ = rotation_onto(normal).map(expression).transposed()
    return ("x", "prismatic", x), ("y", "prismatic", y), ("theta", "continuous", normal)


_FLOATING: tuple[_Step, ...] = (
    ("x", "prismatic", _X),
    ("y", "prismatic", _Y),
    ("z", "prismatic", _Z),
    ("yaw", "continuous", _Z),
    ("pitch", "continuous", _Y),
    ("roll", "continuous", _X),
)


def _odd(joint: JointDescription) -> Iterable[Problem]:
    if not joint.pitch.structurally_zero:
        message = f"joint '{joint.name}' is planar: it has no screw_thread_pitch"
        yield Problem(message, joint.location)
    if joint.mimic is not None:
        message = f"joint '{joint.name}' is {joint.kind}: it cannot mimic another"
        yield Problem(message, joint.location)
    if joint.damping or joint.friction:
        message = (
            f"damping and friction of joint '{joint.name}' are ignored: URDF does not say what "
            f"they mean for a {joint.kind} joint"
        )
        yield Problem(message, joint.location, "warning")
    if joint.kind == "floating":
        message = (
            f"joint '{joint.name}' floats within the tree: it is six joints, '{joint.name}_x' to "
            f"'{joint.name}_roll', which are singular where '{joint.name}_pitch' is a quarter turn"
        )
        yield Problem(message, joint.location, "warning")


def _mimics(
    joints: Iterable[JointDescription], many: dict[str, JointDescription]
) -> Iterable[Problem]:
    for joint in joints:
        leader = many.get(joint.mimic.leader) if joint.mimic else None
        if leader is not None:
            message = f"joint '{joint.name}' mimics joint '{leader.name}', which is {leader.kind}"
            yield Problem(f"{message}: name one of its coordinates", joint.location)
