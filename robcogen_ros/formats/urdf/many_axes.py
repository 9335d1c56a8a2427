"""Joints of several degrees of freedom as chains of joints of one, with massless links between.

- `planar`: `<joint>_x` and `<joint>_y` along the plane, then `<joint>_theta` about its normal, the
  joint's axis. With the normal on z, x and y are those of the joint's frame; on x or y, the two
  axes that follow it in the order x, y, z, x.
- `floating`: `<joint>_x`, `_y`, `_z` along the axes of the joint's frame, then `_yaw` about z,
  `_pitch` about the new y, `_roll` about the new x.
- What a loops file calls `spherical`, those three angles; what it calls `universal_xy`, `<joint>_x`
  about x and `<joint>_y` about the new y, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from robcogen_ros.errors import Problem
from robcogen_ros.model.axis import rotation_onto
from robcogen_ros.model.description import JointDescription, JointType, Limits, LinkDescription
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.model.scalars.operation import is_zero
from robcogen_ros.model.spatial import Pose, Vector

_X, _Y, _Z = (Vector(*axis).map(expression) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
_Step = tuple[str, JointType, Vector]
_HERE = Pose().map(expression)


def with_single_axes(
    links: Sequence[LinkDescription],
    joints: Sequence[JointDescription],
    kinds: Mapping[str, str] | None = None,
) -> tuple[list[LinkDescription], list[JointDescription], list[Problem]]:
    """Returns links, joints of one degree of freedom only, and problems.

    Args:
        links: Its links.
        joints: Its joints.
        kinds: What joints are by their names, a word of `KINDS`; without it, what they are in URDF.
    """
    if kinds is None:
        kinds = {j.name: j.kind for j in joints if j.kind in ("planar", "floating")}
    many = {joint.name: joint for joint in joints if joint.name in kinds}
    taken = {link.name for link in links} | {joint.name for joint in joints}
    all_links, all_joints, problems = list(links), [], list(_mimics(joints, many, kinds))
    for joint in joints:
        if joint.name not in many or _has_no_axis(joint):
            all_joints.append(joint)
            continue
        problems += _odd(joint, kinds[joint.name])
        chain = _chain(joint, kinds[joint.name], taken)
        all_joints += chain
        place = next((i for i, link in enumerate(all_links) if link.name == joint.child), 0)
        all_links[place:place] = [
            LinkDescription(step.child, location=joint.location) for step in chain[:-1]
        ]
    return all_links, all_joints, problems


def _has_no_axis(joint: JointDescription) -> bool:
    """Returns True if the normal of a planar joint is zero, which the checks complain about."""
    return joint.kind == "planar" and all(map(is_zero, joint.axis))


def _chain(joint: JointDescription, kind: str, taken: set[str]) -> list[JointDescription]:
    steps = _planar(joint.axis) if kind == "planar" else KINDS[kind]
    parent, pose, chain = joint.parent, joint.pose, []
    for suffix, moves, axis in steps:
        name = f"{joint.name}_{suffix}"
        while name in taken:
            name += "_"
        taken.add(name)
        single = JointDescription(
            name, moves, parent, name, pose, axis, Limits(), location=joint.location
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

_AXES = {"x": _X, "y": _Y, "z": _Z}
KINDS: dict[str, tuple[_Step, ...]] = {
    "floating": _FLOATING,
    "spherical": _FLOATING[3:],
    **{
        f"universal_{a}{b}": ((a, "continuous", _AXES[a]), (b, "continuous", _AXES[b]))
        for a in _AXES
        for b in _AXES
        if a != b
    },
}
"""The joints of one degree of freedom of which others consist, by what these are."""


def _odd(joint: JointDescription, kind: str) -> Iterable[Problem]:
    if not joint.pitch.structurally_zero:
        message = f"joint '{joint.name}' is {kind}: it has no screw_thread_pitch"
        yield Problem(message, joint.location)
    if joint.mimic is not None:
        message = f"joint '{joint.name}' is {kind}: it cannot mimic another"
        yield Problem(message, joint.location)
    if joint.damping or joint.friction:
        message = (
            f"damping and friction of joint '{joint.name}' are ignored: URDF does not say what "
            f"they mean for a {kind} joint"
        )
        yield Problem(message, joint.location, "warning")
    if kind == "floating":
        message = (
            f"joint '{joint.name}' floats within the tree: it is six joints, '{joint.name}_x' to "
            f"'{joint.name}_roll', which are singular where '{joint.name}_pitch' is a quarter turn"
        )
        yield Problem(message, joint.location, "warning")


def _mimics(
    joints: Iterable[JointDescription],
    many: Mapping[str, JointDescription],
    kinds: Mapping[str, str],
) -> Iterable[Problem]:
    for joint in joints:
        leader = many.get(joint.mimic.leader) if joint.mimic else None
        if leader is not None:
            message = (
                f"joint '{joint.name}' mimics joint '{leader.name}', which is {kinds[leader.name]}"
            )
            yield Problem(f"{message}: name one of its coordinates", joint.location)
