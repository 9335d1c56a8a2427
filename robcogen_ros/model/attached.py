"""Links that are cut off a robot: those that cannot but move with what stays, and others on it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from robcogen_ros.errors import Problem
from robcogen_ros.model.description import Description, JointDescription, LinkDescription
from robcogen_ros.model.names import listed
from robcogen_ros.model.options import option_text


@dataclass(frozen=True, slots=True)
class Attached:
    """Names of links that were cut off.

    Attributes:
        fixed: Those fixed on links that stay, the base among them.
        of_base: Those of them that are fixed on the base.
        following: Those whose joints follow one that stays, and what is fixed on them; all the
            way to what stays there are only such joints.
        apart: Others whose joints follow one that stays.
        above: Those that the root is fixed on, and what is fixed on them.
        loose: Others that links which stay carry, as fingers.
    """

    fixed: tuple[str, ...] = ()
    of_base: tuple[str, ...] = ()
    following: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()


def attached(description: Description, top: str, kept: Collection[str]) -> Attached:
    """Returns what is cut off a part of a robot.

    Args:
        description: The whole robot, joints that cannot move fixed, others following the last of
            their leaders.
        top: The root of the part.
        kept: The links of the part.
    """
    stays = {j.name for j in description.joints if j.child in kept and j.child != top}
    tree = _Tree(description, kept)

    moved_by = {name: {*c.coordinates} for c in description.closures for name in c.dependent}

    def follows(joint: JointDescription) -> bool:
        leaders = {joint.mimic.leader} if joint.mimic else moved_by.get(joint.name, {""})
        return leaders <= stays

    def goes_along(joint: JointDescription) -> bool:
        return _is_fixed(joint) or follows(joint)

    ancestors = tree.above(top, lambda joint: True)
    fixed = tree.beyond(kept, _is_fixed)
    along = tree.beyond(kept, goes_along)
    driven = [j.child for j in description.joints if follows(j) and j.child not in ancestors]
    apart = tree.beyond(driven, goes_along) - along
    carriers = tree.above(top, _is_fixed)
    return Attached(
        tree.sorted(fixed),
        tree.sorted(fixed & _Tree(description, ()).beyond([top], _is_fixed)),
        tree.sorted(along - fixed),
        tree.sorted(apart),
        tree.sorted(tree.beyond(carriers, _is_fixed) - along),
        tree.sorted(tree.beyond(kept, lambda joint: True) - along - apart),
    )


def _is_fixed(joint: JointDescription) -> bool:
    return joint.kind == "fixed"


class _Tree:
    """The links that are cut off, from joint to joint."""

    def __init__(self, description: Description, kept: Collection[str]) -> None:
        self._links = description.links
        self._kept = kept
        self._mover = {joint.child: joint for joint in description.joints}
        self._carried: dict[str, list[JointDescription]] = {}
        for joint in description.joints:
            self._carried.setdefault(joint.parent, []).append(joint)

    def beyond(self, start: Collection[str], along: Callable[[JointDescription], bool]) -> set[str]:
        """Returns some links and those beyond them that are reached along such joints."""
        found = set(start)
        pending = list(start)
        while pending:
            for joint in self._carried.get(pending.pop(), ()):
                if joint.child not in found and joint.child not in self._kept and along(joint):
                    found.add(joint.child)
                    pending.append(joint.child)
        return found.difference(self._kept)

    def above(self, link: str, along: Callable[[JointDescription], bool]) -> set[str]:
        """Returns the links above a link that are reached along such joints."""
        found = set()
        while link in self._mover and along(self._mover[link]):
            link = self._mover[link].parent
            found.add(link)
        return found

    def sorted(self, names: Collection[str]) -> tuple[str, ...]:
        """Names in the order of the links."""
        return tuple(link.name for link in self._links if link.name in names)


_FOLLOW = "although their joints follow joints that stay"


def told(description: Description, cut: Attached, floating: bool) -> Iterator[Problem]:
    """Warnings about mass that is left out; a note where it moves by itself.

    Args:
        description: The whole robot.
        cut: What is left out of it.
        floating: Whether the base floats, so that what is fixed on it, or it on, moves with it.
    """
    links = {link.name: link for link in description.links}
    option = option_text("keep_attached", flag=True)
    keep = f"; {option} keeps them"
    still = () if floating else cut.of_base
    fixed = tuple(name for name in cut.fixed if name not in still)
    for names, why, remedy, severity in (
        (fixed, "although they are fixed on links that stay", keep, "warning"),
        (cut.following, _FOLLOW, keep, "warning"),
        (cut.apart, _FOLLOW, "; only a larger part of the robot can keep them", "warning"),
        (
            cut.above if floating else (),
            "although the root is fixed on them",
            "; only a root further up keeps them",
            "warning",
        ),
        (
            cut.loose,
            "that move by themselves on links that stay",
            f"; where their joints are locked, {option} keeps them",
            "note",
        ),
    ):
        masses = {name: mass for name in names if (mass := _mass(links[name])) != 0}
        if masses:
            total = sum(mass for mass in masses.values() if mass is not None)
            parts = listed([f"'{name}' ({_kg(mass)})" for name, mass in masses.items()])
            text = f"{total:.4g} kg are left out {why}: {parts}{remedy}"
            yield Problem(text, description.location, severity)


def _mass(link: LinkDescription) -> float | None:
    """Mass [kg]; None where it is a parameter without a default."""
    if link.inertial is None:
        return 0.0
    try:
        return float(link.inertial.mass)
    except ValueError:
        return None


def _kg(mass: float | None) -> str:
    return "a parameter" if mass is None else f"{mass:.4g} kg"
