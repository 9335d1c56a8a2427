"""Tracing in sweeps: each step is run once for all joints, and leaves a sweep behind."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, overload

from robcogen_ros.algorithms.annotate import full_names, listening, named
from robcogen_ros.algorithms.functions.function import Function
from robcogen_ros.algorithms.sweeps import Body, Record, Step, Walk, added, sweeping
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import MULTIPLY, Scalar
from robcogen_ros.program.graph import Graph, Node, Rule
from robcogen_ros.program.leaf import (
    Before,
    Entry,
    Field,
    Input,
    LimbConstant,
    OfAncestor,
    PackedInput,
    Total,
)
from robcogen_ros.program.passes.fold import fold
from robcogen_ros.program.program import Output
from robcogen_ros.program.sweeps.records import mapped, scalars, with_scalars
from robcogen_ros.program.sweeps.swept import EACH, INWARD, JOINTS, OUTWARD, WALK, Sweep, Swept
from robcogen_ros.program.trace import RULES, call, lifting


class NotAlikeError(Exception):
    """Joints do not take the same operations, for a reason."""


def swept(
    function: Function,
    robot: Robot,
    bound: Mapping[str, Sequence[Scalar]],
    rules: Sequence[Rule] = RULES,
) -> Swept:
    """The program of a function in sweeps.

    Args:
        function: The function.
        robot: The robot.
        bound: Values of arguments that are left out.
        rules: What is simplified while nodes are made.

    Raises:
        NotAlikeError: If joints do not take the same operations.
    """
    graph = Graph(rules, folding=fold in rules)
    given = tuple(argument for argument in function.inputs if argument.name not in bound)
    values: dict[str, Sequence[Node]] = {
        name: [graph.node(value) for value in entries] for name, entries in bound.items()
    }
    for argument in given:
        values[argument.name] = [graph.leaf(Input(argument.name, i)) for i in range(argument.size)]
    lifted = robot.map(lifting(graph))
    record = _Record(graph, lifted)
    try:
        with listening(record), sweeping(record.taken):
            results = function.compute(lifted, values)
    except ArithmeticError as error:
        raise NotAlikeError("what divides at one joint is zero at another") from error
    outputs = tuple(
        Output(argument, tuple(graph.node(entry) for entry in results[argument.name]))
        for argument in function.outputs
    )
    return Swept(
        function.name,
        function.summary,
        graph,
        given,
        outputs,
        tuple(record.sweeps),
        record.pairs,
        record.names,
    )


class _Record:
    """Runs the sweeps of an algorithm: each step once."""

    def __init__(self, graph: Graph, robot: Robot) -> None:
        self.graph = graph
        self.sweeps: list[Sweep] = []
        self.names: dict[int, str] = {}
        self.count = len(robot.joints)
        if len({joint.kind for joint in robot.joints}) > 1:
            raise NotAlikeError("some joints slide, others turn")
        self.pairs = tuple(
            (i, j)
            for i, joint in enumerate(robot.joints)
            for j in reversed(robot.support(joint.successor))
        )
        self._bodies: dict[int, Body] = {}

    def taken(self, robot: Robot) -> _Record:
        """The sweeps of a robot: this."""
        self._robot = robot
        return self

    def step(self, title: str) -> None:
        """Titles of blocks are not kept."""

    def named(self, value: Scalar, name: str, apart: str) -> Scalar:
        """Keeps the first name of each node."""
        for full, scalar in full_names(value, name):
            call(self.names, scalar, re.sub("_+", "_", full))
        return value

    def noted(self, value: Scalar, name: str) -> Scalar:
        """Names of intermediate quantities are not kept."""
        return value

    def each(self, title: str, step: Step, *records: Sequence[Record]) -> Column:
        """A record for each joint."""
        self._begin(EACH, title)
        return self._column(step(self._body(), *self._own(records)))

    def outward(self, title: str, step: Step, base: Record, *records: Sequence[Record]) -> OnLinks:
        """The state of each link."""
        sweep, own = self._begin(OUTWARD, title), self._own(records)
        sweep.start = [self.graph.node(x) for x in scalars(base)]
        after = self._until_known(sweep, base, lambda state: step(self._body(), state, *own))
        return OnLinks(base, self._column(after))

    def inward(
        self, title: str, step: Step, start: Sequence[Record], *records: Sequence[Record]
    ) -> tuple[Column, Record]:
        """A record for each joint, and the total of the base."""
        sweep, own = self._begin(INWARD, title), self._own(records)
        (begin,) = self._own((start[1:],))
        sweep.start = [self.graph.node(0)] * len(scalars(begin))
        found: list[Record] = []

        def handed(state: Record) -> Record:
            total = added(begin, state)
            on, record = step(self._body(), total, *own)
            found[:] = [record]
            sweep.total = [self.graph.node(x) for x in scalars(total)]
            return on

        self._until_known(sweep, begin, handed)
        number = len(self.sweeps) - 1
        totals = iter(
            self.graph.node(0) if _is_zero(node) else self.graph.leaf(Total(number, index))
            for index, node in enumerate(sweep.before)
        )
        return self._column(found[0]), added(start[0], with_scalars(begin, totals))

    def walk(
        self, title: str, step: Step, start: Sequence[Record], *records: Sequence[Record]
    ) -> Walk:
        """Walks from each joint to the base over the joints that carry it, itself first."""
        sweep, own = self._begin(WALK, title), self._own(records, ancestor=True)
        (begin,) = self._own((start,))
        sweep.start = [self.graph.node(x) for x in scalars(begin)]
        found: list[Record] = []

        def passed(state: Record) -> Record:
            after, entry = step(self._body(ancestor=True), state, *own)
            found[:] = [entry]
            return after

        after = self._until_known(sweep, begin, passed)
        entries, ends = self._column(found[0]), self._column(after)
        found_entries = [(i, j, entries.at(k)) for k, (i, j) in enumerate(self.pairs)]
        return Walk(found_entries, self.each(title, lambda _, end: end, ends))

    def _begin(self, kind: str, title: str) -> Sweep:
        names = {"link": "each link", "joint": "each joint", "predecessor": "its predecessor"}
        self.sweeps.append(Sweep(kind, title.format(**names), len(self.graph.nodes)))
        return self.sweeps[-1]

    def _until_known(self, sweep: Sweep, like: Record, run: Callable[[Record], Record]) -> Record:
        """Runs a step until it is known which numbers of its state are always zero.

        At first all are taken for zero that are so where the sweep begins. Where the step then
        divides by zero, as at a link without inertia of its own, none is.
        """
        zero = [_is_zero(node) for node in sweep.start]
        begins = zero
        while True:
            try:
                after = self._run(sweep, like, run, zero)
            except ArithmeticError:
                if not any(zero):
                    raise
                zero = [False] * len(zero)
                continue
            ends = zip(begins, sweep.after, strict=True)
            found = [begin and _is_zero(node) for begin, node in ends]
            if found == zero:
                return after
            zero = found

    def _run(
        self, sweep: Sweep, like: Record, run: Callable[[Record], Record], zero: Sequence[bool]
    ) -> Record:
        """Runs a step with some numbers of its state zero."""
        number = len(self.sweeps) - 1
        sweep.before = [
            self.graph.node(0) if z else self.graph.leaf(Before(number, k))
            for k, z in enumerate(zero)
        ]
        after = run(with_scalars(like, iter(sweep.before)))
        sweep.after = [self.graph.node(x) for x in scalars(after)]
        return after

    def _column(self, record: Record) -> Column:
        return Column(self, len(self.sweeps) - 1, record)

    def _own(self, records: Sequence[Sequence[Record]], ancestor: bool = False) -> list[Record]:
        """Returns the records as a step sees them."""
        return [self._in_step(record, ancestor) for record in records]

    def _in_step(self, records: Sequence[Record], ancestor: bool) -> Record:
        if isinstance(records, Column):
            return records.in_step(ancestor)
        rows = [scalars(record) for record in records]
        columns = [
            self._alike([self.graph.node(x) for x in row]) for row in zip(*rows, strict=True)
        ]
        read = iter([self.of_ancestor(node) if ancestor else node for node in columns])
        return with_scalars(records[0], read)

    def _alike(self, nodes: Sequence[Node]) -> Node:
        """One node that stands for those of all joints."""
        first = nodes[0]
        if all(node is first for node in nodes):
            return first
        if all(node.literal is not None for node in nodes):
            values = tuple(node.literal for node in nodes if node.literal is not None)
            return self.graph.limb_constant(JOINTS, values, 0)
        leaves = [node.leaf for node in nodes]
        if isinstance(first.leaf, Input):
            found = [leaf for leaf in leaves if isinstance(leaf, Input)]
            if len(found) == len(nodes) and {leaf.name for leaf in found} == {first.leaf.name}:
                packed = PackedInput(first.leaf.name, tuple(leaf.index for leaf in found))
                return self.graph.leaf(packed)
        operations = {node.operation for node in nodes}
        if first.operation is not None and len(operations) == 1:
            operands = zip(*(node.operands for node in nodes), strict=True)
            return self.graph.operate(first.operation, [self._alike(each) for each in operands])
        factors = [self._factors(node) for node in nodes]
        if any(factor is not self.graph.node(1) for factor, _ in factors):
            constants, others = zip(*factors, strict=True)
            product: Node = self._alike(constants) * self._alike(others)
            return product
        raise NotAlikeError("what the joints are given differs in more than numbers")

    def _factors(self, node: Node) -> tuple[Node, Node]:
        """A constant factor of a node, and what it multiplies."""
        if node.operation is MULTIPLY:
            a, b = node.operands
            if a.literal is not None or b.literal is not None:
                return (a, b) if a.literal is not None else (b, a)
        return self.graph.node(1), node

    def of_ancestor(self, node: Node) -> Node:
        """A number of a joint, as that of the joint that a walk passes."""
        if isinstance(node.leaf, (LimbConstant, PackedInput)):
            return self.graph.leaf(OfAncestor(node.leaf))
        if node.operation is not None:
            operands = [self.of_ancestor(operand) for operand in node.operands]
            return self.graph.operate(node.operation, operands)
        return node

    def _body(self, ancestor: bool = False) -> Body:
        """All joints at once: each constant of one beside those of the others."""
        robot = self._robot
        known = self._bodies.get(id(robot))
        if known is None:
            known = self._bodies[id(robot)] = self._alike_bodies(robot)
            self._kept_alive = [*getattr(self, "_kept_alive", []), robot]
        if not ancestor:
            return known
        parts = known.joint, known.link, known.armature
        joint, link, armature = mapped(parts, self.of_ancestor)
        return replace(known, joint=joint, link=link, children=(joint,), armature=armature)

    def _alike_bodies(self, robot: Robot) -> Body:
        rows = []
        armature = robot.terms.armature or (0,) * robot.n
        for joint in robot.joints:
            found: list[Scalar] = []
            own = robot.links[joint.successor]
            mapped((joint, own, armature[joint.coordinate]), found.append)
            rows.append([self.graph.node(x) for x in found])
        nodes = iter([self._alike(column) for column in zip(*rows, strict=True)])
        first = robot.joints[0], robot.links[1], 0
        joint, link, rotor = mapped(first, lambda _: next(nodes))
        named(joint.pose.translation, "p")
        named(joint.pose.rotation, "R")
        named(link.inertia.mass, "m")
        named(link.inertia.moment, "h")
        named(link.inertia.tensor, "I")
        few = False
        return Body(joint, link, (joint,), rotor, few, "", "before", {})


class Column(Sequence[Any]):
    """Result of a sweep: a record of nodes in its step, one for all joints."""

    def __init__(self, recorder: _Record, sweep: int, record: Record) -> None:
        self._recorder = recorder
        self.sweep = sweep
        self.record = record

    def in_step(self, ancestor: bool) -> Record:
        """The record in a later step."""
        return with_scalars(
            self.record, iter([self._read(x, ancestor) for x in scalars(self.record)])
        )

    def _read(self, value: Scalar, ancestor: bool) -> Node:
        graph = self._recorder.graph
        node = graph.node(value)
        positive = node.negated()
        if positive is not None:
            return -self._read(positive, ancestor)
        if node.literal is not None or isinstance(node.leaf, (Input, Total, Entry)):
            return node
        if isinstance(node.leaf, (LimbConstant, PackedInput)):
            return self._recorder.of_ancestor(node) if ancestor else node
        if isinstance(node.leaf, Field) and not node.leaf.ancestor:
            return graph.leaf(Field(node.leaf.sweep, node.leaf.number, ancestor))
        return graph.leaf(Field(self.sweep, node.number, ancestor))

    def at(self, place: int) -> Record:
        """The record of one joint or pair."""
        found = iter([self._entry(x, place) for x in scalars(self.record)])
        return with_scalars(self.record, found)

    def _entry(self, value: Scalar, place: int) -> Node:
        graph = self._recorder.graph
        node = graph.node(value)
        positive = node.negated()
        if positive is not None:
            return -self._entry(positive, place)
        leaf = node.leaf
        if node.literal is not None or isinstance(leaf, (Input, Total, Entry)):
            return node
        return graph.leaf(Entry(self.sweep, node.number, place))

    def on_links(self, base: Record) -> OnLinks:
        """Returns records of all links, from these and that of the base."""
        return OnLinks(base, self)

    def __len__(self) -> int:
        return self._recorder.count

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Record]: ...
    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            raise NotAlikeError("parts of a tree have no sweeps")
        if not 0 <= place < len(self):
            raise IndexError(place)
        return self.at(place)


class OnLinks(Sequence[Any]):
    """Records of all links, base first."""

    def __init__(self, base: Record, beyond: Column) -> None:
        self._base = base
        self._beyond = beyond

    def __len__(self) -> int:
        return 1 + len(self._beyond)

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Record]: ...
    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            if place != slice(1, None):
                raise NotAlikeError("parts of a tree have no sweeps")
            return self._beyond
        return self._beyond[place - 1] if place else self._base


def _is_zero(node: Node) -> bool:
    return node.structurally_zero
