"""The graph of frames: which relate to which, and through which steps."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from robcogen_ros.errors import Problem, RobcogenError
from robcogen_ros.model.names import nearest
from robcogen_ros.transforms.agreement import Edge, disagreeing
from robcogen_ros.transforms.document import Document, Relation
from robcogen_ros.transforms.steps import Steps, inverse

_SHOWN = 5


class Network:
    """The frames of a document, joined by its relations.

    Attributes:
        document: The document.
        redundant: Relations between frames that earlier ones relate already.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.redundant: list[Relation] = []
        self._tree: list[Relation] = []
        self._near: dict[str, list[tuple[str, Steps]]] = {f: [] for f in document.frames}
        self._island = {frame: frame for frame in document.frames}
        self._join(document.relations)

    def frame(self, name: str) -> str:
        """The frame of a name; `fr_` before it, which robots' frames may have, is no matter.

        Raises:
            RobcogenError: If there is none.
        """
        for candidate in (name, name.removeprefix("fr_"), f"fr_{name}"):
            if candidate in self._near:
                return candidate
        raise RobcogenError(f"there is no frame '{name}'{nearest(name, self._near)}")

    def sequence(self, left: str, right: str) -> Steps:
        """The factors of left_X_right along the shortest way.

        Raises:
            RobcogenError: If no way leads from one to the other.
        """
        before = self._search(left, right)
        if right not in before:
            islands = {name: island for island in self.islands() for name in island}
            raise RobcogenError(
                f"nothing relates '{left}' to '{right}': there are motions between "
                f"{_listed(islands[left])}, and between {_listed(islands[right])}"
            )
        pieces, frame = [], right
        while frame != left:
            frame, steps = before[frame]
            pieces.append(steps)
        return tuple(step for steps in reversed(pieces) for step in steps)

    def connected(self, left: str, right: str) -> bool:
        """Returns True if a way leads from one frame to another."""
        return self._find(left) == self._find(right)

    def islands(self) -> list[list[str]]:
        """Frames that relate to each other, together; in the order of the document."""
        result: dict[str, list[str]] = {}
        for frame in self._near:
            result.setdefault(self._find(frame), []).append(frame)
        return list(result.values())

    def contradictions(self) -> Iterator[Problem]:
        """Relations that say else than earlier ones, which lead between the same frames too."""
        for relation, wrong in self._loops():
            if wrong:
                message = (
                    f"'{relation.left}' and '{relation.right}' are related by what is written "
                    "above already, and otherwise; correct one of the two, or remove it"
                )
                yield Problem(message, relation.location)

    def oddities(self) -> Iterator[Problem]:
        """Relations that say what is known already, and frames that nothing joins."""
        for relation, wrong in self._loops():
            if not wrong:
                message = (
                    f"how '{relation.left}' and '{relation.right}' relate follows from what is "
                    "written above; one of the two can be removed"
                )
                yield Problem(message, relation.location, "warning")
        first, *others = self.islands() or [[]]
        places = {r.left: r.location for r in reversed(self.document.relations)}
        for island in others:
            message = (
                f"nothing relates {_listed(island)} to {_listed(first)}: there is no transform "
                "between them"
            )
            place = next((places[frame] for frame in island if frame in places), None)
            yield Problem(message, place, "warning")

    def _loops(self) -> list[tuple[Relation, bool]]:
        """Relations that close loops, and whether they contradict the others."""
        wrong = disagreeing(map(self._edge, self._tree), map(self._edge, self.redundant))
        return list(zip(self.redundant, wrong, strict=True))

    def _edge(self, relation: Relation) -> Edge:
        return relation.left, relation.right, self.document.sequence(relation)

    def _join(self, relations: Iterable[Relation]) -> None:
        for relation in relations:
            left, right, steps = self._edge(relation)
            joined = self.connected(left, right)
            (self.redundant if joined else self._tree).append(relation)
            self._island[self._find(right)] = self._find(left)
            self._near[left].append((right, steps))
            self._near[right].append((left, inverse(steps)))

    def _find(self, frame: str) -> str:
        while self._island[frame] != frame:
            self._island[frame] = self._island[self._island[frame]]
            frame = self._island[frame]
        return frame

    def _search(self, start: str, end: str) -> dict[str, tuple[str, Steps]]:
        """Returns for each frame found on the way the one before it and the steps from that."""
        before: dict[str, tuple[str, Steps]] = {start: (start, ())}
        pending = deque([start])
        while pending and end not in before:
            frame = pending.popleft()
            for neighbour, steps in self._near[frame]:
                if neighbour not in before:
                    before[neighbour] = frame, steps
                    pending.append(neighbour)
        return before


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"
