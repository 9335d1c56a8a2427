"""Loops of links: only trees are read, so what closes a loop is refused or, on purpose, cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from robcogen_ros.errors import Location, Problem
from robcogen_ros.model.description import JointDescription
from robcogen_ros.model.names import listed
from robcogen_ros.model.options import option_text

_CUT = "to get that robot"
_SWAPPED = "check that no parent and child are swapped; where they are not"
"""Advice about a loop, before the option that cuts it."""


class Tree:
    """The joints of a document without those that close a loop.

    Attributes:
        joints: The joints that are kept, in the order of the document.
        problems: What there is to say about all that is not read.
    """

    def __init__(self, joints: Iterable[JointDescription], cut_loops: bool) -> None:
        """Keeps each joint that closes no loop with those before it.

        Args:
            joints: All joints, in the order of the document.
            cut_loops: Whether loops are cut on purpose; if not, each is an error.
        """
        self.joints: list[JointDescription] = []
        self._cut = cut_loops
        self._mover: dict[str, JointDescription] = {}
        self._higher: dict[str, str] = {}
        closing: list[JointDescription] = []
        for joint in joints:
            if joint.child in self._mover or self._root(joint.parent) == joint.child:
                closing.append(joint)
            else:
                self.joints.append(joint)
                self._mover[joint.child] = joint
                self._higher[joint.child] = joint.parent
        self._by_name = {joint.name: joint for joint in self.joints}
        self.problems = [self._of_joint(joint) for joint in closing]

    def close(self, what: str, links: Sequence[str], location: Location, wrong: str = "") -> None:
        """Takes note of what joins two links, beside the joints.

        There is nothing to say of links that no coordinate moves against one another.

        Args:
            what: What it is, with its name.
            links: The two links; fewer where the document does not name them.
            location: Where it is written.
            wrong: Why it is not read, if others of its kind are.
        """
        path = self._between(*links) if len(links) == 2 else None
        free = self._coordinates(path or ())
        ends = f" between links '{links[0]}' and '{links[1]}'" if len(links) == 2 else ""
        unread = f"{what}{ends} is not read" + (f": {wrong}" if wrong else ", for only trees are")
        if path is None:
            self._complain(unread, location)
        elif len(free) == 1 and any(joint.mimic for joint in path):
            message = f"{unread}; all joints there follow joint '{free[0]}'"
            self.problems.append(Problem(message, location, "warning"))
        elif free:
            self._complain(f"{unread}; without it {_independent(free)}", location)
        elif wrong and len({*links}) == 1:
            self._complain(unread, location)

    def _root(self, link: str) -> str:
        """The link that no joint moves, above a link; each look-up shortens the way of the next."""
        path = []
        while link in self._higher:
            path.append(link)
            link = self._higher[link]
        self._higher.update(dict.fromkeys(path, link))
        return link

    def _of_joint(self, joint: JointDescription) -> Problem:
        """Returns the problem of a joint that closes a loop."""
        first = self._mover.get(joint.child)
        if first is not None and first.name == joint.name:
            line = f", first in line {first.location.line}" if first.location else ""
            message = f"joint '{joint.name}' moves link '{joint.child}' twice{line}"
            if self._cut:
                return Problem(f"{message}; the later is left out", joint.location, "warning")
            advice = "remove one, or give joint and link names of their own"
            return Problem(f"{message}; {advice}", joint.location)
        advice = _CUT
        if first is not None:
            kept = first.name
            message = (
                f"link '{joint.child}' has two parents, and only trees are read: joint '{kept}' "
                f"moves it and so does joint '{joint.name}'; without the later, '{joint.name}', it "
                f"hangs on '{kept}' alone"
            )
        else:
            ring = [joint.child, joint.parent]
            while ring[-1] != joint.child:
                ring.append(self._mover[ring[-1]].parent)
            chain, advice = " -> ".join(reversed(ring)), _SWAPPED
            message = (
                f"the links form a loop, and only trees are read: {chain}; no joint leads there "
                f"from elsewhere: without '{joint.name}', link '{joint.child}' has no parent"
            )
        free = self._coordinates(self._between(joint.parent, joint.child) or ())
        free_ones = f": {_independent(free)}" if free else ""
        return self._problem(message + free_ones, joint.location, advice)

    def _complain(self, message: str, location: Location | None) -> None:
        self.problems.append(self._problem(message, location))

    def _problem(self, message: str, location: Location | None, advice: str = _CUT) -> Problem:
        if self._cut:
            return Problem(message, location, "warning")
        option = option_text("cut_loops", flag=True)
        return Problem(f"{message}; {advice}, cut loops: {option}", location)

    def _between(self, one: str, other: str) -> list[JointDescription] | None:
        """The joints between two links; None if they are in no common tree."""
        (root, above), (other_root, other_above) = self._above(one), self._above(other)
        if root != other_root:
            return None
        return [joint for joint in self.joints if joint.child in above ^ other_above]

    def _above(self, link: str) -> tuple[str, set[str]]:
        """The root above a link, and the links from there on."""
        path: set[str] = set()
        while link in self._mover:
            path.add(link)
            link = self._mover[link].parent
        return link, path

    def _coordinates(self, joints: Iterable[JointDescription]) -> list[str]:
        """The joints that others follow, or that follow none, of those that move."""
        free: dict[str, None] = {}
        for joint in joints:
            seen = {joint.name}
            while joint.mimic and joint.mimic.leader in self._by_name.keys() - seen:
                joint = self._by_name[joint.mimic.leader]
                seen.add(joint.name)
            if joint.kind != "fixed":
                free[joint.name] = None
        return list(free)


def _independent(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"joint '{names[0]}' is free to move"
    quoted = [f"'{name}'" for name in names]
    return f"joints {listed(quoted)} move independently"
