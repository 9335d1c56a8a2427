"""A part of a description: what lies below a root link and leads to given tips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.model.attached import Attached, attached
from robcogen_ros.model.description import ClosureDescription, Description, SpringDescription
from robcogen_ros.model.names import FrameNames, hint
from robcogen_ros.model.options import option_text


def select(
    description: Description, root: str | None, tips: Sequence[str], keep_attached: bool = False
) -> tuple[Description, Attached]:
    """The links below `root` that lie on the way to one of `tips`; everything if neither is given.

    Args:
        description: A sound description, joints that cannot move fixed.
        root: Link to start from; None for the file's root.
        tips: Links to end at; none for all ends.
        keep_attached: Whether what hangs on the part and cannot but move with it stays, too.

    Returns:
        The part, and what is left out.

    Raises:
        RobcogenError: If a link is not there, a tip is not below the root, or a joint that stays
            follows one that does not; a ModelError with the place of a loop that is not whole.
    """
    if root is None and not tips:
        return description, Attached()
    names = {link.name for link in description.links}
    for name in ([root] if root else []) + list(tips):
        if name not in names:
            raise RobcogenError(f"there is no link '{name}'{hint(name, sorted(names))}")
    parent_of = {joint.child: joint.parent for joint in description.joints}
    top = root or next(link.name for link in description.links if link.name not in parent_of)
    ends = tips or list(names)
    paths = [path for path in (_path(end, top, parent_of) for end in ends) if path]
    kept = {name for path in paths for name in path}
    for tip in tips:
        if tip not in kept:
            raise RobcogenError(f"link '{tip}' is not below link '{top}'")
    cut = attached(description, top, kept)
    if keep_attached:
        kept |= {*cut.fixed, *cut.following}
        cut = replace(cut, fixed=(), of_base=(), following=())
    return _restricted(description, kept, top), cut


def _path(link: str, top: str, parent_of: dict[str, str]) -> list[str]:
    """The links from one up to the top, both included; none if the top is not above it."""
    path = [link]
    while path[-1] != top:
        if path[-1] not in parent_of:
            return []
        path.append(parent_of[path[-1]])
    return path


def _restricted(description: Description, kept: set[str], top: str) -> Description:
    joints = tuple(j for j in description.joints if j.child in kept and j.child != top)
    remaining = {joint.name for joint in joints}
    for joint in joints:
        if joint.mimic is not None and joint.mimic.leader not in remaining:
            raise RobcogenError(
                f"joint '{joint.name}' follows joint '{joint.mimic.leader}', which is not in the "
                "chosen part of the robot; lock it, or choose a larger part"
            )
    return replace(
        description,
        closures=tuple(_whole(description, kept, remaining)),
        links=tuple(link for link in description.links if link.name in kept),
        joints=joints,
        frames=tuple(frame for frame in description.frames if frame.link in kept),
        springs=tuple(_between_links(description, kept)),
    )


def _between_links(description: Description, kept: set[str]) -> Iterator[SpringDescription]:
    """The springs between links that are kept."""
    frames = description.named_frames
    names = FrameNames(description.name, ((name, of) for name, _, of in frames))
    for spring in description.springs:
        if all(frames[names.index(frame)][1] in kept for frame in spring.frames):
            yield spring


def _whole(
    description: Description, kept: set[str], remaining: set[str]
) -> Iterator[ClosureDescription]:
    """The closures of which joints remain.

    Raises:
        ModelError: If one of them is not whole.
    """
    links = {description.link_frame_prefix + each.name: each.name for each in description.links}
    links |= {frame.name: frame.link for frame in description.frames}
    for closure in description.closures:
        if remaining.isdisjoint(closure.dependent):
            continue
        message = f"loop '{closure.loops[0].name}', which moves the chosen part, is not in it: "
        loops = [] if closure.linear or closure.curve else closure.loops
        ends = [end for loop in loops for end in loop.frames]
        if outside := [links[end] for end in ends if links[end] not in kept]:
            message += f"link '{outside[0]}' is missing; choose a larger part, with another root "
            message += f"or {option_text('tips', outside[0])}"
            raise ModelError.at(closure.loops[0].location, message)
        for name in closure.coordinates:
            if name not in remaining:
                message += f"joint '{name}' is missing; lock it, or choose a larger part"
                raise ModelError.at(closure.loops[0].location, message)
        yield closure
