"""Programs in sweeps as C++: loops over rows of four joints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from robcogen_ros.backends.cpp.loops.loop import LoopWriter
from robcogen_ros.backends.cpp.loops.names import Shared, literal
from robcogen_ros.backends.notation import Dialect, operand, text
from robcogen_ros.backends.wrap import filled, statement
from robcogen_ros.model.scalars import number
from robcogen_ros.program.graph import Node
from robcogen_ros.program.joint_rows import LANES, JointRows
from robcogen_ros.program.leaf import Entry, Input
from robcogen_ros.program.sweeps.swept import Swept

_SCALARS = Dialect(literal)


def sweep_lines(swept: Swept, rows: JointRows) -> list[str]:
    """The body of a function in sweeps."""
    return _Function(swept, rows).lines()


class _Function(Shared):
    """Writes the body of a function."""

    def lines(self) -> list[str]:
        """The body."""
        body: list[str] = []
        for loop in self.plan.loops:
            body += self._block(self.plan.given(loop))
            body.append("")
            if len(loop.sweeps) == 1:
                body.append(f"  // {self.swept.sweeps[loop.sweeps[0]].title}")
            body += LoopWriter(self, loop).lines()
        body += self._block(node for _, _, node in self.plan.others)
        for name, index, node in self.plan.others:
            body.append(statement(f"{name}[{index}]", operand(node, self.names, _SCALARS)))
        return [*self._head(), *self._cleared(), *body]

    def _head(self) -> Iterator[str]:
        yield "  using V = robcogen_ros::Row<T>;"
        yield from self.table_lines
        if self.constants:
            shape = f"[{self.count}][{len(self.constants)}][{LANES}]"
            yield f"  static constexpr double constants{shape} = {{"
            for joints in self.rows.filled():
                cells = [
                    "{" + ", ".join(repr(number.to_float(values[j])) for j in joints) + "}"
                    for values in self.constants
                ]
                yield f"    {{{filled(cells, indent='     ')}}},"
            yield "  };"
        for node, name in self.names.items():
            if isinstance(node.leaf, Input):
                yield statement(f"const T {name}", f"{node.leaf.name}[{node.leaf.index}]")

    def _cleared(self) -> Iterator[str]:
        """Lines that set results to zero where some of their entries always are."""
        for output in self.swept.outputs:
            if output.structural_zeros():
                name, size = output.argument.name, output.argument.size
                yield f"  for (int entry = 0; entry < {size}; ++entry)"
                yield f"  {{\n    {name}[entry] = T(0.0);\n  }}"

    def _block(self, roots: Iterable[Node]) -> list[str]:
        """Lines that compute what is the same for all joints, as far as it is not known."""
        found: set[Node] = set()
        ends = {*roots}
        pending = list(ends)
        while pending:
            node = pending.pop()
            if node not in found and node not in self.names and node.literal is None:
                found.add(node)
                pending.extend(node.operands)
        lines: list[str] = []
        inputs = {argument.name: argument for argument in self.swept.inputs}
        for node in sorted(found, key=lambda node: node.number):
            leaf = node.leaf
            if isinstance(leaf, Input):
                self.names[node] = self.new(inputs[leaf.name].label(leaf.index))
            elif isinstance(leaf, Entry):
                self.names[node] = self._entry(leaf)
            elif node in ends or not self.is_part(node, self.names, _SCALARS):
                name = self.new(self.said(node))
                lines.append(statement(f"const T {name}", text(node, self.names, _SCALARS)))
                self.names[node] = name
        return lines

    def _entry(self, leaf: Entry) -> str:
        array = self.arrays[leaf.sweep, leaf.number]
        at, lane = self.place(leaf.sweep, leaf.place)
        return f"{array}[{at}][{lane}]"
