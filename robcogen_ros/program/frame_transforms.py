"""The programs of coordinate transforms between frames, robots or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from robcogen_ros.algorithms.functions.function import Argument, matrix_columns
from robcogen_ros.model.scalars.operation import COS, SIN, Scalar
from robcogen_ros.model.spatial import Matrix3, Pose
from robcogen_ros.program.choose import operation_counts
from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.leaf import Input, ParameterValue
from robcogen_ros.program.passes.drop import drop
from robcogen_ros.program.program import Block, Output, Program, Statement
from robcogen_ros.program.trace import RULES
from robcogen_ros.transforms.amount import Symbol
from robcogen_ros.transforms.document import Relation, Transforms
from robcogen_ros.transforms.pose import crossed, cuts, pose, rotation
from robcogen_ros.transforms.steps import Steps, symbols

VARIABLES = "variables"
"""Name of the argument that holds the values of variables."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of transform.

    Attributes:
        infix: What stands between the frames in the name of a function.
        size: Rows of the matrix.
        meaning: What it maps.
    """

    infix: str
    size: int
    meaning: str


KINDS = {
    "homogeneous": Kind("X", 4, "homogeneous coordinates"),
    "motion": Kind("XM", 6, "spatial motion vectors"),
    "force": Kind("XF", 6, "spatial force vectors"),
    "rotation": Kind("R", 3, "directions"),
}


@dataclass(frozen=True, slots=True)
class TransformProgram:
    """One transform of one kind.

    Attributes:
        name: `left_X_right`, or what the user calls it; with the kind's infix unless homogeneous.
        kind: The kind.
        relation: The transform as the document defines it.
        program: Its program, from variables and parameters to X.
    """

    name: str
    kind: Kind
    relation: Relation
    program: Program


class TransformPrograms:
    """The programs of a document's transforms.

    Attributes:
        document: The document.
        variables: The variables in it, in the order of the argument `variables`.
        parameters: The parameters in it, in the order of the argument `parameters`.
        entries: Each transform in each kind.
    """

    def __init__(self, document: Transforms, kinds: Sequence[str] = tuple(KINDS)) -> None:
        self.document = document
        sequences = [document.sequence(relation) for relation in document.relations]
        self.variables = symbols(sequences, "variable")
        self.parameters = symbols(sequences, "parameter")
        self.entries = tuple(
            entry
            for relation, steps in zip(document.relations, sequences, strict=True)
            for entry in self._entries(relation, steps, kinds)
        )

    def _entries(
        self, relation: Relation, steps: Steps, kinds: Sequence[str]
    ) -> Iterator[TransformProgram]:
        """A transform in each kind, the spatial ones formed where they are shortest."""
        cut = 0
        if {"motion", "force"} & set(kinds):
            tried = [self._program(relation, steps, "motion", cut) for cut in cuts(steps)]
            cut = min(range(len(tried)), key=lambda cut: _cost(tried[cut]))
        for kind in kinds:
            program = self._program(relation, steps, kind, cut)
            yield TransformProgram(program.name, KINDS[kind], relation, program)

    def _program(self, relation: Relation, steps: Steps, kind: str, cut: int) -> Program:
        graph = Graph(RULES)
        index = {symbol: i for i, symbol in enumerate(self.variables)}

        def lift(value: Symbol | Decimal) -> Node:
            if isinstance(value, Decimal):
                return graph.node(value)
            if value.kind == "parameter":
                return graph.leaf(ParameterValue(value.key))
            return graph.leaf(Input(VARIABLES, index[value]))

        if kind == "rotation":
            rows = _square(rotation(steps, lift))
        elif kind == "homogeneous":
            rows = _homogeneous(pose(steps, lift))
        else:
            rows = _spatial(kind, rotation(steps, lift), crossed(steps, lift, cut))
        return self._traced(relation, KINDS[kind], rows, graph)

    def _traced(
        self, relation: Relation, kind: Kind, rows: list[list[Scalar]], graph: Graph
    ) -> Program:
        nodes = tuple(graph.node(entry) for entry in matrix_columns(rows))
        output = Output(Argument("X", kind.size, kind.size), nodes)
        inputs = (Argument(VARIABLES, len(self.variables)),) if self.variables else ()
        summary = f"Transform of {kind.meaning} in {relation.right} to those in {relation.left}"
        statements = tuple(
            Statement(node, name=self._statement_name(node))
            for node in graph.nodes
            if node.operation is not None
        )
        name = _name(relation, kind)
        return drop(Program(name, summary, graph, inputs, (output,), (Block(statements),)))

    def _statement_name(self, node: Node) -> str:
        """Sines and cosines of what has a name are called after it."""
        leaf = node.operands[0].leaf
        name = ""
        if isinstance(leaf, Input):
            name = self.variables[leaf.index].name
        elif isinstance(leaf, ParameterValue):
            name = leaf.name.replace(".", "_")
        named = node.operation in (SIN, COS) and name.isascii() and name.isidentifier()
        return f"{node.operation}_{name}" if named else ""


def _name(relation: Relation, kind: Kind) -> str:
    if not relation.name:
        return f"{relation.left}_{kind.infix}_{relation.right}"
    return relation.name if kind is KINDS["homogeneous"] else f"{relation.name}_{kind.infix}"


def _cost(program: Program) -> int:
    return sum(operation_counts(program).values())


def _square(matrix: Matrix3) -> list[list[Scalar]]:
    return [list(row) for row in matrix]


def _homogeneous(pose: Pose) -> list[list[Scalar]]:
    rows = zip(pose.rotation, pose.translation, strict=True)
    return [*([*row, entry] for row, entry in rows), [0, 0, 0, 1]]


def _spatial(kind: str, R: Matrix3, crossed: Matrix3) -> list[list[Scalar]]:
    """Blocks R, 0, p x R, R for motions; R, p x R, 0, R for forces."""
    turned, coupling, zero = _square(R), _square(crossed), [[0, 0, 0]] * 3
    right, left = (zero, coupling) if kind == "motion" else (coupling, zero)
    top = [[*a, *b] for a, b in zip(turned, right, strict=True)]
    return [*top, *([*a, *b] for a, b in zip(left, turned, strict=True))]
