"""Limbs of the Kinematics-DSL: parts of a robot described once and placed many times.

A limb has arguments and hangs on whatever link it is placed on. Placing it makes its links, joints
and frames anew, their names with the placement's prefix. What results is a flat list of parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from robcogen_ros.errors import ModelError, Problem
from robcogen_ros.formats import syntax_tree as syntax
from robcogen_ros.formats.kindsl.names import LINK_FRAME_PREFIX, LONGEST, Hints
from robcogen_ros.formats.kindsl.values import Argument, Arguments
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.syntax_tree import Node, child, children

_DEEPEST = 20
_LONGEST = 2_000_000
"""Characters that limbs may come to, written out wherever they are placed."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Place where a part is written: in the document itself, or in a placed limb.

    Attributes:
        prefix: What names begin with.
        arguments: Values of the limb's arguments.
        around: The scope that the limb is placed in.
        limbs: The limbs around it, the outermost first.
    """

    prefix: str = ""
    arguments: Arguments = field(default_factory=dict)
    around: Scope | None = None
    limbs: tuple[str, ...] = ()

    def name(self, own: str) -> str:
        """The name of a link or joint in the whole robot."""
        return self.prefix + own

    def frame_name(self, own: str) -> str:
        """The name of a frame in the whole robot; the prefix comes after `fr_`."""
        if own.startswith(LINK_FRAME_PREFIX):
            return LINK_FRAME_PREFIX + self.prefix + own.removeprefix(LINK_FRAME_PREFIX)
        return self.prefix + own

    def known_name(self, own: str, known: Mapping[str, object]) -> str:
        """The name that one used in this scope stands for: the nearest scope's that has it."""
        scope: Scope | None = self
        while scope is not None:
            if scope.name(own) in known:
                return scope.name(own)
            scope = scope.around
        return self.name(own)


@dataclass(frozen=True, slots=True)
class Part:
    """A link, the base or a joint, where it is written and under its name in the whole robot."""

    node: Node
    scope: Scope
    name: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """An entry `link via joint` below the link `parent`; names are those in the whole robot."""

    node: Node
    parent: str
    link: str
    joint: str


class Assembly:
    """A document with all limbs placed.

    Attributes:
        base: The base.
        links: The other links, those of limbs after the link that carries them.
        joints: The joints, those of limbs after those of the document.
        attachments: What hangs on what.
        problems: Findings about limbs.
        hints: What to say of unknown names.
    """

    def __init__(self, source: Source, document: Node) -> None:
        self.problems: list[Problem] = []
        self.hints = Hints()
        self.links: list[Part] = []
        self.joints: list[Part] = []
        self.attachments: list[Attachment] = []
        self._source = source
        self._placed: set[str] = set()
        self._length = 0
        self._limbs = self._defined(children(document, "limb"))
        scope = Scope()
        base = child(document, "base")
        self.base = Part(base, scope, syntax.name(base))
        self.joints.extend(_parts(children(document, "joint"), scope))
        self._hang(self.base)
        self._add_links(document, scope)
        self._complain_about_unused()

    def _complain(self, node: Node, message: str, severity: str = "error") -> None:
        location = syntax.location(self._source, node)
        self.problems.append(Problem(message, location, severity))

    def _defined(self, limbs: list[Node]) -> dict[str, Node]:
        found: dict[str, Node] = {}
        for limb in limbs:
            name = syntax.name(limb)
            if name in found:
                self._complain(limb, f"there is a second limb named '{name}'")
            found.setdefault(name, limb)
            arguments = [syntax.name(argument) for argument in children(limb, "argument")]
            for argument in sorted({word for word in arguments if arguments.count(word) > 1}):
                self._complain(limb, f"limb '{name}' has two arguments named '{argument}'")
            self._complain_about_ids(limb)
        return found

    def _complain_about_ids(self, limb: Node) -> None:
        for node in (*children(limb, "link"), *children(limb, "joint")):
            if syntax.token(node, "NUMBER"):
                message = "parts of a limb are numbered where it is placed; leave out the id"
                self._complain(node, message)

    def _complain_about_unused(self) -> None:
        for name, limb in self._limbs.items():
            if name not in self._placed:
                self._complain(limb, f"limb '{name}' is nowhere placed", "warning")

    def _add_links(self, node: Node, scope: Scope) -> None:
        for part in _parts(children(node, "link"), scope):
            self.links.append(part)
            self._hang(part)

    def _hang(self, carrier: Part) -> None:
        """Takes up what hangs on a link, placing limbs."""
        below = child(carrier.node, "children")
        self._attach(below, carrier.name, carrier.scope)
        for placement in children(below, "placement"):
            self._place(placement, carrier)

    def _attach(self, below: Node, parent: str, scope: Scope) -> None:
        for entry in children(below, "child"):
            link, joint = (scope.name(syntax.own_name(part)) for part in children(entry, "name"))
            self.attachments.append(Attachment(entry, parent, link, joint))

    def _place(self, placement: Node, carrier: Part) -> None:
        kind, prefix = (syntax.own_name(part) for part in children(placement, "name"))
        limb = self._limbs.get(kind)
        if limb is None:
            message = f"there is no limb '{kind}'" + self.hints.nearest(kind, self._limbs)
            self._complain(placement, message)
            return
        self._placed.add(kind)
        path = (*carrier.scope.limbs, kind)
        if kind in carrier.scope.limbs:
            self._complain(placement, f"limb '{kind}' contains itself: {' -> '.join(path)}")
            return
        if len(path) > _DEEPEST or len(carrier.scope.prefix + prefix) > LONGEST:
            self._complain(placement, "limbs in limbs are nested too deeply")
            return
        self._length += limb.meta.end_pos - limb.meta.start_pos
        if self._length > _LONGEST:
            message = "limbs are placed so many times that no robot could be so large"
            raise ModelError.at(syntax.location(self._source, placement), message)
        arguments = self._arguments(placement, limb, carrier.scope)
        scope = Scope(carrier.scope.prefix + prefix, arguments, carrier.scope, path)
        self.joints.extend(_parts(children(limb, "joint"), scope))
        below = child(limb, "children")
        self._attach(below, carrier.name, scope)
        for inner in children(below, "placement"):
            self._place(inner, Part(carrier.node, scope, carrier.name))
        self._add_links(limb, scope)

    def _arguments(self, placement: Node, limb: Node, around: Scope) -> Arguments:
        """Returns the values of the arguments: those of the placement, else their defaults."""
        declared = {
            syntax.name(node): children(node, "value") for node in children(limb, "argument")
        }
        given: Arguments = {}
        for node in children(placement, "assignment"):
            name = syntax.name(node)
            if name not in declared:
                message = f"limb '{syntax.name(limb)}' has no argument '{name}'"
                self._complain(node, message + self.hints.nearest(name, declared))
            elif name in given:
                self._complain(node, f"argument '{name}' is given twice")
            given[name] = Argument(child(node, "value"), around.arguments)
        missing = [name for name, default in declared.items() if not default and name not in given]
        if missing:
            names = ", ".join(missing)
            self._complain(placement, f"limb '{syntax.name(limb)}' needs a value for {names}")
        defaults = {name: Argument(value[0], {}) for name, value in declared.items() if value}
        return defaults | given


def _parts(nodes: Iterable[Node], scope: Scope) -> Iterator[Part]:
    return (Part(node, scope, scope.name(syntax.name(node))) for node in nodes)
