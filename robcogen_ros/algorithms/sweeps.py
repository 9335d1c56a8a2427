"""Sweeps over the tree of links: four of them, each given the step of one joint.

An algorithm hands a step to a sweep, which runs it for every joint. A step reads its body and what
it is given, nothing else of the robot, returns records of scalars, and asks of numbers only whether
they are structurally zero. So it may as well stand for all joints at once: whoever traces the
algorithm can take the sweeps over, and makes loops of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

from robcogen_ros.algorithms.annotate import step as begin
from robcogen_ros.model.robot import Joint, Link, Robot
from robcogen_ros.model.scalars.operation import Scalar

Record = Any
"""Scalars, in a dataclass or tuple, or one by itself."""

Step = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Body:
    """A link that moves, and the joint that moves it.

    Attributes:
        joint: The joint.
        link: The link.
        children: The joints on the link.
        armature: Inertia of the joint's rotor [kg m^2 or kg].
        latency_bound: Whether the robot has little else to compute while a division is under way.
        number: What the names of its quantities end with.
        predecessor: The same of the link that the joint is on.
        title: What it is called in titles: `{link}`, `{joint}`, `{predecessor}`.
    """

    joint: Joint
    link: Link
    children: tuple[Joint, ...]
    armature: Scalar
    latency_bound: bool
    number: str
    predecessor: str
    title: dict[str, str]


@dataclass(frozen=True, slots=True)
class Walk:
    """Result of `walk`.

    Attributes:
        entries: `(i, j, entry)`: of joint `joints[i]`, and itself or one that carries it.
        ends: For each joint the state in which its walk reaches the base.
    """

    entries: Sequence[tuple[int, int, Record]]
    ends: Sequence[Record]


class Sweeps(Protocol):
    """Ways through a tree. What belongs to joints or links is in their order, links base first."""

    def each(self, title: str, step: Step, *records: Sequence[Record]) -> Sequence[Record]:
        """A record for each joint: `step(body, *records)`, of its own records."""

    def outward(
        self, title: str, step: Step, base: Record, *records: Sequence[Record]
    ) -> Sequence[Record]:
        """The state of each link, from the base's: `step(body, state of predecessor, *records)`."""

    def inward(
        self, title: str, step: Step, start: Sequence[Record], *records: Sequence[Record]
    ) -> tuple[Sequence[Record], Record]:
        """A record for each joint, and the total of the base.

        `step(body, total, *records)` gives what is handed on to the predecessor, and the record. A
        link's total is its start and what the links on it hand on.
        """

    def walk(
        self, title: str, step: Step, start: Sequence[Record], *records: Sequence[Record]
    ) -> Walk:
        """Walks from each joint to the base over the joints that carry it, itself first.

        `step(body, state, *records)`, of the joint that is passed, gives the state beyond it and an
        entry.
        """


_FEW = 20
"""Joints of robots that wait for divisions."""

_taken_over: ContextVar[Callable[[Robot], Sweeps] | None] = ContextVar("sweeps", default=None)


@contextmanager
def sweeping(take_over: Callable[[Robot], Sweeps]) -> Iterator[None]:
    """Lets another one run the sweeps of the algorithms in the block."""
    token = _taken_over.set(take_over)
    try:
        yield
    finally:
        _taken_over.reset(token)


def sweeps(robot: Robot) -> Sweeps:
    """The sweeps of a robot: joint by joint, unless another one runs them."""
    take_over = _taken_over.get()
    return take_over(robot) if take_over else JointByJoint(robot)


class JointByJoint:
    """Sweeps as loops in Python."""

    def __init__(self, robot: Robot) -> None:
        children: list[list[Joint]] = [[] for _ in robot.links]
        for joint in robot.joints:
            children[joint.predecessor].append(joint)
        self._bodies = [_body(robot, joint, children[joint.successor]) for joint in robot.joints]

    def each(self, title: str, step: Step, *records: Sequence[Record]) -> list[Record]:
        """A record for each joint."""
        found = []
        for body, *own in zip(self._bodies, *records, strict=True):
            begin(title.format(**body.title))
            found.append(step(body, *own))
        begin("")
        return found

    def outward(
        self, title: str, step: Step, base: Record, *records: Sequence[Record]
    ) -> list[Record]:
        """The state of each link."""
        states = [base]
        for body, *own in zip(self._bodies, *records, strict=True):
            begin(title.format(**body.title))
            states.append(step(body, states[body.joint.predecessor], *own))
        begin("")
        return states

    def inward(
        self, title: str, step: Step, start: Sequence[Record], *records: Sequence[Record]
    ) -> tuple[list[Record], Record]:
        """A record for each joint, and the total of the base."""
        total, found = list(start), []
        for body, *own in reversed(list(zip(self._bodies, *records, strict=True))):
            begin(title.format(**body.title))
            handed, record = step(body, total[body.joint.successor], *own)
            found.append(record)
            parent = body.joint.predecessor
            total[parent] = added(total[parent], handed)
        begin("")
        return found[::-1], total[0]

    def walk(
        self, title: str, step: Step, start: Sequence[Record], *records: Sequence[Record]
    ) -> Walk:
        """Walks from each joint to the base over the joints that carry it, itself first."""
        entries, ends = [], []
        for i, (body, state) in enumerate(zip(self._bodies, start, strict=True)):
            begin(title.format(**body.title))
            link = body.joint.successor
            while link:
                j = link - 1
                state, entry = step(self._bodies[j], state, *[record[j] for record in records])
                entries.append((i, j, entry))
                link = self._bodies[j].joint.predecessor
            ends.append(state)
        begin("")
        return Walk(entries, ends)


def on_links(base: Record, beyond: Sequence[Record]) -> Sequence[Record]:
    """Returns records of all links, from that of the base and those of joints."""
    if isinstance(beyond, list):
        return [base, *beyond]
    return beyond.on_links(base)  # type: ignore[attr-defined, no-any-return]


def added(a: Record, b: Record) -> Record:
    """The sum of two records."""
    if isinstance(a, tuple):
        return tuple(added(x, y) for x, y in zip(a, b, strict=True))
    return a + b


def _body(robot: Robot, joint: Joint, children: Sequence[Joint]) -> Body:
    i, parent = joint.successor, joint.predecessor
    armature = robot.terms.armature[joint.coordinate] if robot.terms.armature else 0
    title = {
        "link": f"link {i}, {robot.links[i].name}",
        "joint": f"joint {i}, {joint.name}",
        "predecessor": f"link {parent}, {robot.links[parent].name}",
    }
    few = len(robot.joints) <= _FEW
    return Body(joint, robot.links[i], tuple(children), armature, few, f"{i}", f"{parent}", title)
