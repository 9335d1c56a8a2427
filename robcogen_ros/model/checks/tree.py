"""Checks that a description is one tree with usable axes and mimics, and inertia of real bodies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from robcogen_ros.errors import Location, Problem, RobcogenError
from robcogen_ros.model.checks.inertia import check_inertia
from robcogen_ros.model.checks.limits import check_limits
from robcogen_ros.model.checks.proportions import check_proportions
from robcogen_ros.model.description import Description, JointDescription
from robcogen_ros.model.mimicry import followings
from robcogen_ros.model.names import FrameNames, nearest
from robcogen_ros.model.scalars.expression import Expression
from robcogen_ros.model.scalars.operation import is_zero


def check(description: Description, accept_inertia: bool = False) -> list[Problem]:
    """All findings about a description, in the order of the file; warnings among them.

    A description without errors can be reduced to a `Robot`.

    Args:
        description: The robot as written.
        accept_inertia: Whether inertia that no body can have is a warning.
    """
    findings = [
        *_names(description),
        *_tree(description),
        *_joints(description),
        *_mimics(description),
        *_frames(description),
        *_loops(description),
        *_springs(description),
        *check_limits(description.joints),
    ]
    reducible = not any(problem.severity == "error" for problem in findings)
    findings += check_inertia(description, reducible, accept_inertia)
    if not any(problem.severity == "error" for problem in findings):
        findings += [*_still(description), *check_proportions(description)]
    return sorted(findings, key=_line)


def _line(problem: Problem) -> int:
    return problem.location.line if problem.location else 0


def _names(description: Description) -> Iterator[Problem]:
    if not description.links:
        yield Problem(f"robot '{description.name}' has no links", description.location)
    links = ((link.name, link.location) for link in description.links)
    yield from _repeated("link", links)
    yield from _repeated("joint", ((joint.name, joint.location) for joint in description.joints))


def _repeated(what: str, named: Iterable[tuple[str, Location | None]]) -> Iterator[Problem]:
    first: dict[str, Location | None] = {}
    for name, location in named:
        if name in first and (location is None or location != first[name]):
            place = first[name]
            where = f" (first on line {place.line})" if place and place.line else ""
            yield Problem(f"there is a second {what} named '{name}'{where}", location)
        first.setdefault(name, location)


def _tree(description: Description) -> list[Problem]:
    dangling = list(_dangling(description))
    if dangling:
        return dangling
    return list(_roots(description))


def _dangling(description: Description) -> Iterator[Problem]:
    known = {link.name for link in description.links}
    for joint in description.joints:
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in known:
                message = f"{role} link '{name}' of joint '{joint.name}' does not exist"
                yield Problem(message + nearest(name, known), joint.location)


def _roots(description: Description) -> Iterator[Problem]:
    moved = {joint.child for joint in description.joints}
    roots = list({link.name: link for link in description.links if link.name not in moved}.values())
    for root in roots[1:]:
        yield Problem(
            f"link '{root.name}' hangs on no joint, and neither does '{roots[0].name}': only one "
            "link can be the root",
            root.location,
        )


def _joints(description: Description) -> Iterator[Problem]:
    for joint in description.joints:
        if joint.kind not in ("revolute", "continuous") and not joint.pitch.structurally_zero:
            message = f"joint '{joint.name}' is {joint.kind}: it has no screw_thread_pitch"
            yield Problem(f"{message}; a revolute joint can have one", joint.location)
        if (joint.motion or joint.kind == "planar") and all(map(is_zero, joint.axis)):
            yield Problem(f"the axis of joint '{joint.name}' is zero", joint.location)


def _mimics(description: Description) -> Iterator[Problem]:
    leaders = {j.name: j.mimic.leader for j in description.joints if j.mimic is not None}
    ending: set[str] = set()
    names = {joint.name for joint in description.joints}
    for joint in description.joints:
        if joint.mimic is None:
            continue
        leader = joint.mimic.leader
        if leader not in names:
            message = f"joint '{joint.name}' mimics joint '{leader}', which does not exist"
            yield Problem(message + nearest(leader, names), joint.location)
            continue
        followed = {joint.name: None}
        while leader in leaders and leader not in followed and leader not in ending:
            followed[leader] = None
            leader = leaders[leader]
        if leader == joint.name:
            chain = " -> ".join([*followed, leader])
            yield Problem(f"joint '{joint.name}' mimics itself: {chain}", joint.location)
        elif leader not in followed:
            ending.update(followed)


def _still(description: Description) -> Iterator[Problem]:
    """Joints that could move, but follow what keeps them where they are."""
    found = followings(description, {})
    for joint in description.joints:
        leader, _, offset = found[joint.name]
        if joint.mimic is None or joint.motion is None or leader is not None:
            continue
        zero = joint.mimic.multiplier.structurally_zero
        why = " with multiplier 0" if zero else ", which does not move"
        yield Problem(
            f"joint '{joint.name}' mimics joint '{joint.mimic.leader}'{why}: it stays at "
            f"{_position(offset, joint)}",
            joint.location,
            "warning",
        )


def _position(value: Expression, joint: JointDescription) -> str:
    if not value.is_constant or joint.motion is None:
        return "its offset"
    return f"{float(value):.6g} {joint.motion.unit}"


def _frames(description: Description) -> Iterator[Problem]:
    known = {link.name for link in description.links}
    prefix = description.link_frame_prefix
    taken = Counter(prefix + name for name in known)
    for frame in description.frames:
        if frame.link not in known:
            message = f"frame '{frame.name}' is on link '{frame.link}', which does not exist"
            yield Problem(message + nearest(frame.link, known), frame.location)
        taken[frame.name] += 1
        if taken[frame.name] > 1:
            yield Problem(f"there is a second frame named '{frame.name}'", frame.location)


def _springs(description: Description) -> Iterator[Problem]:
    named = FrameNames(description.name, ((name, of) for name, _, of in description.named_frames))
    yield from _repeated("spring", ((x.name, x.location) for x in description.springs))
    for spring in description.springs:
        for frame in spring.frames:
            try:
                named.index(frame)
            except RobcogenError as error:
                yield Problem(f"spring '{spring.name}': {error}", spring.location)
        for what in ("stiffness", "length"):
            if (value := getattr(spring, what)) < 0:
                message = f"{what} {value:g} of spring '{spring.name}' is negative"
                yield Problem(message, spring.location)


def _loops(description: Description) -> Iterator[Problem]:
    """Loops that no frames or only one link can close."""
    if not description.loops:
        return
    frames = description.named_frames
    named = FrameNames(description.name, ((name, of) for name, _, of in frames))
    body = {link.name: link.name for link in description.links}
    for joint in reversed(description.joints):
        if joint.motion is None and joint.child in body:
            carrier = body.get(joint.parent, joint.parent)
            body = {k: carrier if v == joint.child else v for k, v in body.items()}
    places = {frame.name: (frame.link, frame.pose) for frame in description.frames}
    joined: list[tuple[str, list[object]]] = []
    for loop in description.loops.loops:
        ends = []
        for frame in loop.frames:
            try:
                ends.append(frames[named.index(frame)][1])
            except RobcogenError as error:
                yield Problem(f"loop '{loop.name}': {error}", loop.location)
        if len(ends) == 2 and body.get(ends[0]) == body.get(ends[1]):
            first, second = loop.frames
            message = f"loop '{loop.name}': frames '{first}' and '{second}' are on one body"
            yield Problem(f"{message}; expected frames on two that move", loop.location)
        own: list[object] = [places.get(frame, frame) for frame in loop.frames]
        if twin := next((name for name, other in joined if other in (own, own[::-1])), None):
            message = f"loop '{loop.name}' joins the same frames as loop '{twin}'"
            yield Problem(f"{message}; remove one, or name its own frames", loop.location)
        joined.append((loop.name, own))
