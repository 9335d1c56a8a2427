"""Rods that a loop closes in their middle, of which one half hangs on a ball joint.

The half is fixed on the other and the loop closed in the ball joint: half as many joints follow.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from robcogen_ros.model.closures.closure import closing_frames
from robcogen_ros.model.description import (
    Description,
    FrameDescription,
    JointDescription,
    LoopDescription,
)
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.model.spatial import Pose

_HERE = Pose().map(expression)


def with_whole_rods(description: Description, balls: Collection[str]) -> Description:
    """Returns the robot with loops closed in ball joints where they may be.

    Args:
        description: A robot with loops.
        balls: Names of its ball joints, whatever else they are called there.
    """
    loops = description.loops
    if loops is None:
        return description
    for loop in loops.loops:
        for name in balls if loop.fixed == "all" else ():
            if found := _closed_in(description, loop, name):
                description = found
                break
    return description


def _closed_in(description: Description, loop: LoopDescription, name: str) -> Description | None:
    """The robot with a loop closed in a ball joint, if the joint's link is at one of its ends."""
    joint = next((j for j in description.joints if j.name == name), None)
    ends = [_placed(description, frame) for frame in loop.frames]
    if joint is None or None in ends or description.loops is None:
        return None
    below = _carried(description, joint.child)
    for here, there in (ends, ends[::-1]):
        assert here is not None and there is not None
        fixed = _fixed_on(description, joint.child)
        if here[0] not in fixed or there[0] in below or below - {*fixed}:
            continue
        pose = there[1] @ (fixed[here[0]] @ here[1]).inverse()
        welded = JointDescription(
            name, "fixed", there[0], joint.child, pose, location=joint.location
        )
        names = closing_frames(loop.name)
        frames = (
            FrameDescription(names[0], joint.parent, joint.pose, loop.location),
            FrameDescription(names[1], joint.child, _HERE, loop.location),
        )
        closed = replace(loop, frames=names, fixed="point")
        others = [closed if each is loop else each for each in description.loops.loops]
        return replace(
            description,
            joints=tuple(welded if j is joint else j for j in description.joints),
            frames=(*(f for f in description.frames if f.name not in names), *frames),
            loops=replace(description.loops, loops=tuple(others)),
        )
    return None


def _placed(description: Description, name: str) -> tuple[str, Pose] | None:
    """The link that a frame is on, and its pose there."""
    prefix = description.link_frame_prefix
    for link in description.links:
        if name in (link.name, prefix + link.name):
            return link.name, _HERE
    frames = (f for f in description.frames if f.name == name)
    return next(((f.link, f.pose.map(expression)) for f in frames), None)


def _fixed_on(description: Description, link: str) -> dict[str, Pose]:
    """Links that are fixed on one, with their poses there."""
    found = {link: _HERE}
    pending = [link]
    while pending:
        parent = pending.pop()
        for joint in description.joints:
            if joint.parent == parent and joint.kind == "fixed" and joint.child not in found:
                found[joint.child] = found[parent] @ joint.pose.map(expression)
                pending.append(joint.child)
    return found


def _carried(description: Description, link: str) -> set[str]:
    """A link and all that it carries."""
    found, pending = {link}, [link]
    while pending:
        parent = pending.pop()
        below = {j.child for j in description.joints if j.parent == parent} - found
        found |= below
        pending += below
    return found
