"""Parts that the readers of the Motion-DSL and the Transforms-DSL share."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace

from robcogen_ros.errors import ModelError, Problem
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.syntax_tree import Node, children, location, names, token
from robcogen_ros.formats.transforms.amounts import Amounts
from robcogen_ros.model.names import nearest
from robcogen_ros.transforms.document import Group, Relation
from robcogen_ros.transforms.steps import AXES, Step, Steps


@dataclass(frozen=True, slots=True)
class Header:
    """Head of a document.

    Attributes:
        name: Its name; empty if it has none.
        frames: The frames it lists; None where it lists none.
        groups: Groups of parameters.
    """

    name: str
    frames: tuple[str, ...] | None
    groups: tuple[Group, ...]


AMOUNT_HINTS = {
    ("')'", ","): "decimals follow a point",
    ("')'", "+"): "a step has one number or name: make it two steps",
    ("')'", "-"): "a step has one number or name: make it two steps",
}
"""Hints about amounts that the languages do not have."""


class Relations:
    """Reads the relations of a document and finds what is wrong about them.

    Attributes:
        header: The top of the document.
        problems: Findings.
    """

    def __init__(self, source: Source, document: Node) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.header = self._header(document)
        self.amounts = Amounts(source, self.header.groups)
        self._known = None if self.header.frames is None else dict.fromkeys(self.header.frames)

    def relations(self, nodes: list[Node]) -> tuple[Relation, ...]:
        """The relations that nodes of the grammar stand for."""
        found = self._distinct([self._relation(node) for node in nodes], nodes)
        return tuple(
            replace(
                relation,
                steps=tuple(
                    replace(s, amount=self.amounts.with_default(s.amount)) for s in relation.steps
                ),
            )
            for relation in found
        )

    def frames(self, relations: tuple[Relation, ...]) -> tuple[str, ...]:
        """All frames: first those that the document lists, then those that it only uses."""
        used = (frame for r in relations for frame in (r.left, r.right))
        return tuple(dict.fromkeys([*(self.header.frames or ()), *used]))

    def finish(self) -> tuple[Problem, ...]:
        """All findings in the order of the text.

        Raises:
            ModelError: If any is an error.
        """
        found = [
            problem if problem.location else replace(problem, location=self.source.whole)
            for problem in (*self.problems, *self.amounts.problems)
        ]
        found.sort(key=_place)
        if self.failed:
            raise ModelError(found)
        return tuple(found)

    @property
    def failed(self) -> bool:
        """True if an error was found."""
        return any(p.severity == "error" for p in (*self.problems, *self.amounts.problems))

    def complain(self, node: Node, message: str, severity: str = "error") -> None:
        """Notes a finding about a node."""
        self.problems.append(Problem(message, location(self.source, node), severity))

    def _header(self, document: Node) -> Header:
        frames: tuple[str, ...] | None = None
        for node in children(document, "frames"):
            frames = tuple(dict.fromkeys(self._listed(node, "frame", names(node))))
        groups: dict[str, Group] = {}
        for node in children(document, "params"):
            group, *members = names(node)
            if group in groups:
                self.complain(node, f"there is a group of parameters '{group}' already")
            groups[group] = Group(group, tuple(self._listed(node, "parameter", members)))
        return Header("".join(names(document)), frames, tuple(groups.values()))

    def _listed(self, node: Node, what: str, listed: list[str]) -> list[str]:
        for name, count in Counter(listed).items():
            if count > 1:
                self.complain(node, f"{what} '{name}' is listed twice", "warning")
        return listed

    def _relation(self, node: Node) -> Relation:
        left, right = names(node)
        for frame in dict.fromkeys((left, right)):
            if self._known is not None and frame not in self._known:
                hint = nearest(frame, self._known) or "; add it to Frames"
                self.complain(node, f"frame '{frame}' is not listed{hint}")
        if left == right:
            self.complain(node, f"'{left}' stands on both sides; expected two different frames")
        names_given = [name for part in children(node, "user_name") for name in names(part)]
        place = location(self.source, node)
        return Relation(left, right, self._steps(node), "".join(names_given), place)

    def _steps(self, node: Node) -> Steps:
        steps = []
        for part in children(node, "step"):
            word = token(part, "STEP") or ""
            (written,) = children(part, "amount")
            amount, turns = self.amounts.amount(written), word.lower().startswith("r")
            if turns and amount.symbol is None:
                self._check_angle(written, float(amount.coefficient))
            steps.append(Step(turns, AXES.index(word[-1]), amount))
        return tuple(steps)

    def _check_angle(self, node: Node, angle: float) -> None:
        if abs(angle) > math.tau:
            message = f"{angle:g} is more than a turn; angles are in radians"
            self.complain(node, message, "warning")

    def _distinct(self, relations: list[Relation], nodes: list[Node]) -> list[Relation]:
        """The relations without those that are defined twice, or relate a frame to itself."""
        distinct: dict[tuple[str, str], Relation] = {}
        named: set[str] = set()
        for relation, node in zip(relations, nodes, strict=True):
            pair = relation.left, relation.right
            if pair in distinct:
                self.complain(node, f"how '{pair[0]}' and '{pair[1]}' relate is defined twice")
            elif relation.left != relation.right:
                distinct[pair] = relation
            if relation.name in named:
                self.complain(node, f"the name '{relation.name}' is given twice")
            named.update([relation.name] if relation.name else [])
        return list(distinct.values())


def _place(problem: Problem) -> tuple[int, int]:
    assert problem.location is not None
    return problem.location.line, problem.location.column
