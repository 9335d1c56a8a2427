"""Names, tables and arrays of a function in sweeps, as C++."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import chain

from robcogen_ros.backends.layout import LONGEST_OPERAND
from robcogen_ros.backends.notation import Dialect, text
from robcogen_ros.backends.wrap import filled
from robcogen_ros.model.names import free_name
from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.operation import COS, SIN
from robcogen_ros.program.graph import Node
from robcogen_ros.program.joint_rows import LANES, JointRows, passings
from robcogen_ros.program.leaf import LimbConstant
from robcogen_ros.program.sweeps.plan import Key, Plan
from robcogen_ros.program.sweeps.swept import WALK, Swept


def literal(value: Decimal) -> str:
    """A constant of the type of numbers."""
    return f"T({number.to_float(value)!r})"


class Shared:
    """State that the loops of one function share.

    Attributes:
        swept: The function.
        rows: The joints in rows.
        plan: How it is computed.
        count: Number of rows.
        passings: For each row, over which others its joints walk.
        names: What nodes are called that are the same for all joints.
        arrays: The arrays of numbers that are kept.
        table_lines: The lines that define tables.
    """

    def __init__(self, swept: Swept, rows: JointRows) -> None:
        self.swept = swept
        self.rows = rows
        self.plan = Plan(swept)
        self.count = len(rows.joints)
        self.passings = [passings(rows, row) for row in range(self.count)]
        arguments = [*swept.inputs, *(output.argument for output in swept.outputs)]
        self._taken = {argument.name for argument in arguments} | {"T", "V", "row", "constants"}
        self.names: dict[Node, str] = {}
        needed = self.plan.needed.nodes
        self._uses = Counter(chain.from_iterable(node.operands for node in needed))
        self._tables: dict[object, str] = {}
        self.table_lines: list[str] = []
        self.constants: dict[tuple[Decimal, ...], int] = {}
        nodes = swept.graph.nodes
        self.arrays: dict[Key, str] = {
            key: self.new(f"{self.said(nodes[key[1]])}_of") for key in self.plan.kept
        }

    def said(self, node: Node, otherwise: str = "t") -> str:
        """Returns the algorithm's name of a node, or another one."""
        said = self.swept.names.get(node.number)
        positive = node.negated()
        if said is None and positive is not None:
            return f"minus_{self.said(positive)}"
        return said or otherwise

    def new(self, name: str) -> str:
        """A name that nothing has."""
        return free_name(name, self._taken)

    def free(self, names: Iterable[str]) -> None:
        """Names of variables whose scope ends."""
        self._taken.difference_update(names)

    def is_part(self, node: Node, names: Mapping[Node, str], dialect: Dialect) -> bool:
        """Returns True if a node is written in the only expression that uses it, without a name."""
        if node.operation in (None, SIN, COS) or self._uses[node] > 1 or self.said(node) != "t":
            return False
        return len(text(node, names, dialect)) <= LONGEST_OPERAND

    def place(self, sweep: int, place: int) -> tuple[int, int]:
        """Returns the place of a number of a joint or pair: row or step, and lane."""
        if self.swept.sweeps[sweep].kind != WALK:
            return self.rows.places[place]
        pair = self.swept.pairs[place]
        for step, passing in enumerate(each for of_row in self.passings for each in of_row):
            if pair in passing.pairs:
                return step, passing.pairs.index(pair)
        raise AssertionError("a walk passes all pairs")

    def table(self, name: str, kind: str, rows: Sequence[object]) -> str:
        """The name of a table of numbers, or of rows of them."""
        key = (kind, tuple(rows))
        if key not in self._tables:
            found = self._tables[key] = self.new(name)
            wide = bool(rows) and isinstance(rows[0], tuple)
            shape = f"[{len(rows)}]" + (f"[{LANES}]" if wide else "")
            cells = [
                "{" + ", ".join(map(str, row)) + "}" if isinstance(row, tuple) else str(row)
                for row in rows
            ]
            self.table_lines.append(f"  static constexpr {kind} {found}{shape} = {{")
            self.table_lines.append(f"    {filled(cells, indent='    ')}}};")
        return self._tables[key]

    def constant(self, leaf: LimbConstant) -> int:
        """The column of a constant."""
        return self.constants.setdefault(leaf.values, len(self.constants))
