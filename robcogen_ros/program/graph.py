"""Hash-consed expressions: equal operations on equal operands are one node."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal

from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.operation import (
    ADD,
    MULTIPLY,
    NEGATE,
    SUBTRACT,
    Operation,
    Scalar,
    SymbolicOperators,
)
from robcogen_ros.program.leaf import Leaf, LimbConstant, Literal, Stage


class Node(SymbolicOperators):
    """A leaf, or an operation on nodes of the same graph.

    Attributes:
        graph: The graph it belongs to.
        number: Its place in the order of creation; operands come before.
        leaf: What it stands for, if it is a leaf.
        operation: The operation, if it is one.
        operands: The operands of the operation.
        stage: When its value is known.
        literal: Its value, if it is a literal.
    """

    __slots__ = ("graph", "leaf", "literal", "number", "operands", "operation", "stage")

    def __init__(
        self,
        graph: Graph,
        number: int,
        leaf: Leaf | None,
        operation: Operation | None,
        operands: tuple[Node, ...],
    ) -> None:
        self.graph = graph
        self.number = number
        self.leaf = leaf
        self.operation = operation
        self.operands = operands
        self.literal: Decimal | None = None
        self.stage: Stage
        if leaf is None:
            first, last = operands[0].stage, operands[-1].stage
            self.stage = last if last > first else first
            if len(operands) > 2:
                self.stage = max([operand.stage for operand in operands])
        else:
            self.stage = leaf.stage
            if type(leaf) is Literal:
                self.literal = leaf.value

    def apply(self, operation: Operation, *operands: Scalar) -> Node:
        """The operation on operands, as a node of this node's graph."""
        graph = self.graph
        return graph.operate(operation, tuple(map(graph.node, operands)))

    def __add__(self, other: Scalar) -> Node:
        graph = self.graph
        node: Node = other if type(other) is Node and other.graph is graph else graph.node(other)
        if node is graph.zero:
            return self
        return node if self is graph.zero else graph.operate(ADD, (self, node))

    def __sub__(self, other: Scalar) -> Node:
        graph = self.graph
        node: Node = other if type(other) is Node and other.graph is graph else graph.node(other)
        return self if node is graph.zero else graph.operate(SUBTRACT, (self, node))

    def __mul__(self, other: Scalar) -> Node:
        graph = self.graph
        node: Node = other if type(other) is Node and other.graph is graph else graph.node(other)
        if self is graph.zero or node is graph.one:
            return self
        if node is graph.zero or self is graph.one:
            return node
        return graph.operate(MULTIPLY, (self, node))

    def __neg__(self) -> Node:
        return self.graph.operate(NEGATE, (self,))

    @property
    def structurally_zero(self) -> bool:
        """True if it is the literal zero."""
        return self.literal is not None and not self.literal

    def negated(self) -> Node | None:
        """The x of a node -x."""
        return self.operands[0] if self.operation is NEGATE else None

    def __repr__(self) -> str:
        if self.operation is None:
            return str(self.leaf)
        return f"{self.operation}({', '.join(f'#{operand.number}' for operand in self.operands)})"


Rule = Callable[["Graph", Operation, Sequence[Node]], "Node | None"]
"""A local rewriting: another node of equal value for an operation on nodes, or None."""


class TooLongError(Exception):
    """A graph has more nodes than it may."""


class Graph:
    """The nodes of one program, each operation on the same operands just once.

    Attributes:
        nodes: All nodes in the order of creation.
        rules: What is tried, in this order, before a node is made.
        zero: The literal zero, where operators of nodes need no rule to add it or multiply by it.
        one: The literal one, where they need no rule to multiply by it.
    """

    def __init__(
        self, rules: Sequence[Rule] = (), *, folding: bool = False, most: float = math.inf
    ) -> None:
        """A graph that applies rules, in their order, before it makes a node.

        Args:
            rules: The rules.
            folding: Whether they fold constants, so that zeros vanish.
            most: How many nodes it may have.
        """
        self._most = most
        self.nodes: list[Node] = []
        self.rules = tuple(rules)
        self._known: dict[object, Node] = {}
        self._integers: dict[int, Node] = {}
        self._constants: dict[Decimal, Node] = {}
        self.zero = self.node(0) if folding else None
        self.one = self.node(1) if folding else None

    def node(self, value: Scalar) -> Node:
        """A node of this graph, or a number or constant, as a node."""
        if type(value) is Node:
            if value.graph is not self:
                raise ValueError("a node of another graph")
            return value
        known = self._integers.get(value) if type(value) is int else None
        if known is None:
            known = self.constant(number.number(value))
            if type(value) is int:
                self._integers[value] = known
        return known

    def leaf(self, leaf: Leaf) -> Node:
        """The node of a leaf."""
        known = self._known.get(leaf)
        if known is None:
            known = self._known[leaf] = Node(self, len(self.nodes), leaf, None, ())
            self.nodes.append(known)
        return known

    def constant(self, value: Decimal) -> Node:
        """The node of a constant."""
        known = self._constants.get(value)
        if known is None:
            known = self._constants[value] = self.leaf(Literal(value))
        return known

    def limb_constant(self, group: int, values: tuple[Decimal, ...], limb: int) -> Node:
        """A constant of one of several limbs; where all have the same, that number."""
        if values.count(values[0]) == len(values):
            return self.constant(values[0])
        return self.leaf(LimbConstant(group, values, limb))

    def operate(self, operation: Operation, operands: Sequence[Node]) -> Node:
        """The node of an operation on operands, after the rules."""
        key = _key(operation, operands)
        known = self._known.get(key)
        if known is not None:
            return known
        for rule in self.rules:
            replacement = rule(self, operation, operands)
            if replacement is not None:
                self._known[key] = replacement
                return replacement
        return self._made(key, operation, operands)

    def repeat(self, operation: Operation, operands: Sequence[Node]) -> Node:
        """The node of an operation that no rule concerns, as another graph has shown."""
        key = _key(operation, operands)
        return self._known.get(key) or self._made(key, operation, operands)

    def _made(self, key: object, operation: Operation, operands: Sequence[Node]) -> Node:
        nodes = self.nodes
        if len(nodes) > self._most:
            raise TooLongError
        node = self._known[key] = Node(self, len(nodes), None, operation, tuple(operands))
        nodes.append(node)
        return node


def _key(operation: Operation, operands: Sequence[Node]) -> object:
    """Returns a key that is the same for equal operations on equal operands."""
    first, last = operands[0].number, operands[-1].number
    if last < first and operation.commutative:
        return operation, last, first
    if len(operands) > 2:
        return (operation, *[operand.number for operand in operands])
    return operation, first, last
