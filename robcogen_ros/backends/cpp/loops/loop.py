"""One loop over rows of four joints, or over the rows that those pass on their walks, as C++."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from robcogen_ros.backends.cpp.loops.names import Shared, literal
from robcogen_ros.backends.notation import Dialect, operand, text
from robcogen_ros.backends.wrap import enclosed, statement
from robcogen_ros.model.scalars.operation import COS, SIN
from robcogen_ros.program.graph import Node
from robcogen_ros.program.joint_rows import Move, flowing, moves
from robcogen_ros.program.leaf import Before, Field, LimbConstant, OfAncestor, PackedInput, Total
from robcogen_ros.program.sweeps.plan import Key, Loop, Store
from robcogen_ros.program.sweeps.swept import INWARD, OUTWARD, WALK

_OF_ROWS = Dialect(
    literal, {name: f"robcogen_ros::{name}_of<T>" for name in ("sqrt", "atan2", "select")}
)
_ZERO = "robcogen_ros::row<T>(T(0.0))"
_PERMUTATION = "robcogen_ros::Permutation"


class LoopWriter:
    """Writes one loop."""

    def __init__(self, of: Shared, loop: Loop) -> None:
        self.of = of
        self.plan = of.plan
        self.loop = loop
        self.names = dict(of.names)
        self.states: dict[tuple[int, int], str] = {}
        self._local: list[str] = []

    def lines(self) -> list[str]:
        """The loop, what stands before it, and sums after it."""
        of, count = self.of, self.of.count
        lines = [f"  V {name}[{self._length(key)}];" for key, name in self._arrays()]
        first: list[str] = []
        for s in self.loop.sweeps:
            kind = of.swept.sweeps[s].kind
            if kind == OUTWARD:
                self._enter_outward(s, lines, first)
            elif kind == INWARD:
                self._enter_inward(s, lines, first)
        if self.loop.kind == INWARD:
            lines.append(f"  for (int row = {count}; row-- > 0;)")
        else:
            lines.append(f"  for (int row = 0; row < {count}; ++row)")
        lines += ["  {", *first]
        sweeps = self.loop.sweeps
        if self.loop.kind == WALK:
            lines += self._walk(sweeps[0])
            sweeps = sweeps[1:]
        lines += self._computed([n for s in sweeps for n in self.plan.ends(s)], "    ")
        for s in sweeps:
            lines += self._left(s, "    ", "row", self._joint_places)
        for s in sweeps:
            kind = of.swept.sweeps[s].kind
            if kind == OUTWARD:
                lines += self._leave_outward(s)
            elif kind == INWARD:
                lines += self._leave_inward(s)
        lines.append("  }")
        for s in sweeps:
            if of.swept.sweeps[s].kind == INWARD:
                lines += self._totals(s)
        of.free(self._local)
        return lines

    def _new(self, name: str) -> str:
        """A name of a variable in the loop."""
        self._local.append(self.of.new(name))
        return self._local[-1]

    # States

    @cached_property
    def _moves(self) -> tuple[list[list[Move]], list[int]]:
        """The moves of what joints hand on, for each row, and the rows that receive some."""
        found = [moves(self.of.rows, row) for row in range(self.of.count)]
        return found, sorted({move.onto for each in found for move in each})

    def _fields(self, s: int) -> Iterator[tuple[int, Node]]:
        """The numbers of a sweep's state that are needed and not always zero."""
        before = self.of.swept.sweeps[s].before
        for k in sorted(self.plan.needed.states[s]):
            if not before[k].structurally_zero:
                yield k, before[k]

    def _state(self, s: int, k: int, ending: str) -> str:
        sweep = self.of.swept.sweeps[s]
        name = self.of.new(f"{self.of.said((sweep.total or sweep.after)[k])}_{ending}")
        self.states[s, k] = self.names[sweep.before[k]] = name
        return name

    def _enter_outward(self, s: int, before: list[str], first: list[str]) -> None:
        rows, of = self.of.rows, self.of
        late = [any(j >= 0 and not rows.follows(j) for j in joints) for joints in rows.joints]
        collected: list[str] = []
        for k, _ in self._fields(s):
            name = self._state(s, k, "before")
            start = self._row(of.swept.sweeps[s].start[k])
            if any(late):
                before.append(f"  V {name}_at[{of.count + 1}];")
                before.append(f"  V {name} = {name}_at[0] = {start};")
                collected.append(f"      {name} = robcogen_ros::row_from<T>({name}_at, from);")
            else:
                before.append(f"  V {name} = {start};")
        if any(late) and collected:
            slots = [tuple(rows.slot(rows.parents[j]) for j in js) for js in rows.filled()]
            flags = of.table("late", "bool", [str(flag).lower() for flag in late])
            first.append(f"    if ({flags}[row])\n    {{")
            first.append(f"      const auto & from = {of.table('slots', 'short', slots)}[row];")
            first += [*collected, "    }"]
        self._scattered = any(late)

    def _leave_outward(self, s: int) -> Iterator[str]:
        lines: list[str] = []
        values = self._handed_on(s, lines, "    ")
        yield from lines
        for name, value in values:
            kept = f" = {name}_at[row + 1]" if self._scattered else ""
            yield f"    {name}{kept} = {value};"

    def _handed_on(self, s: int, lines: list[str], indent: str) -> list[tuple[str, str]]:
        """The variables of a state and their new values, none of them another one's old value."""
        sweep = self.of.swept.sweeps[s]
        found = []
        for k, before in self._fields(s):
            after = sweep.after[k]
            value = self._row(after)
            if isinstance(after.leaf, Before) and after is not before:
                lines.append(f"{indent}const V {value}_kept = {value};")
                value = f"{value}_kept"
            found.append((self.states[s, k], value))
        return found

    def _enter_inward(self, s: int, before: list[str], first: list[str]) -> None:
        of = self.of
        _, onto = self._moves
        joined = of.table(
            "joined",
            "signed char",
            [onto.index(row) if row in onto else -1 for row in range(of.count)],
        )
        adding: list[str] = []
        for k, _ in self._fields(s):
            name = self._state(s, k, "beyond")
            before.append(f"  V {name} = {_ZERO}, {name}_at[{len(onto)}];")
            before.append(f"  for (V & each : {name}_at)\n  {{\n    each = {name};\n  }}")
            adding.append(f"      {name} = {name} + {name}_at[{joined}[row]];")
        if adding and any(row >= 0 for row in onto):
            first += [f"    if ({joined}[row] >= 0)\n    {{", *adding, "    }"]

    def _leave_inward(self, s: int) -> Iterator[str]:
        of = self.of
        found, onto = self._moves
        flat = [move for each in found for move in each]
        starts = [sum(map(len, found[:row])) for row in range(of.count + 1)]
        begin = of.table("moves", "short", starts)
        target = of.table("onto", "short", [onto.index(move.onto) for move in flat])
        masks = of.table("moved", "unsigned char", [move.mask for move in flat])
        lanes = of.table("moving", _PERMUTATION, [_permutation(move.lanes) for move in flat])
        flow = of.table("flows", "unsigned char", [flowing(of.rows, r) for r in range(of.count)])
        after = of.swept.sweeps[s].after
        handed = {k: self._new(f"{self.states[s, k]}_on") for k, _ in self._fields(s)}
        for k, name in handed.items():
            yield f"    const V {name} = {self._row(after[k])};"
        yield f"    for (int move = {begin}[row]; move < {begin}[row + 1]; ++move)\n    {{"
        for k, name in handed.items():
            place = f"{self.states[s, k]}_at[{target}[move]]"
            permuted = f"robcogen_ros::permuted<T>({name}, {lanes}[move])"
            yield f"      {place} =\n        {place} +"
            blended = [f"{masks}[move]", permuted, _ZERO]
            yield enclosed("robcogen_ros::blended<T>(", blended, ");", "        ")
        yield "    }"
        for k, name in handed.items():
            head = f"{self.states[s, k]} = robcogen_ros::blended<T>("
            yield enclosed(head, [f"{flow}[row]", name, _ZERO], ");", "    ")

    def _totals(self, s: int) -> Iterator[str]:
        """Lines that add up what reaches the base."""
        of = self.of
        for k, _ in self._fields(s):
            node = of.swept.graph.leaf(Total(s, k))
            if node in self.plan.needed.nodes:
                name = of.names[node] = of.new(f"{of.said(of.swept.sweeps[s].total[k])}_0")
                yield f"  const T {name} = robcogen_ros::total<T>({self.states[s, k]}_at[0]);"

    # Walks

    def _walk(self, s: int) -> list[str]:
        of = self.of
        sweep = of.swept.sweeps[s]
        fields = [k for k, _ in self._fields(s)]
        lines = self._computed([sweep.start[k] for k in fields], "    ")
        for k in fields:
            start = self._row(sweep.start[k])
            lines.append(f"    V {self._state(s, k, 'before')} = {start};")
        flat = [passing for each in of.passings for passing in each]
        starts = [sum(map(len, of.passings[:row])) for row in range(of.count + 1)]
        begin = of.table("walks", "short", starts)
        passed = of.table("passed", "short", [passing.row for passing in flat])
        masks = of.table("walking", "unsigned char", [passing.mask for passing in flat])
        lanes = of.table("passing", _PERMUTATION, [_permutation(p.lanes) for p in flat])
        lines.append(f"    for (int step = {begin}[row]; step < {begin}[row + 1]; ++step)\n    {{")
        lines.append(f"      const int at = {passed}[step];")
        lines.append(f"      const auto & from = {lanes}[step];")
        outer = dict(self.names)
        lines += self._computed(self.plan.ends(s), "      ")
        lines += self._left(s, "      ", "step", self._pair_places)
        for name, value in self._handed_on(s, lines, "      "):
            lines.append(
                f"      {name} = robcogen_ros::blended<T>({masks}[step], {value}, {name});"
            )
        lines.append("    }")
        self.names = outer
        for k in fields:
            self.names[of.swept.graph.leaf(Field(s, sweep.after[k].number))] = self.states[s, k]
        return lines

    # Steps

    def _arrays(self) -> list[tuple[Key, str]]:
        return [(key, name) for key, name in self.of.arrays.items() if key[0] in self.loop.sweeps]

    def _length(self, key: Key) -> int:
        walk = self.of.swept.sweeps[key[0]].kind == WALK
        return sum(map(len, self.of.passings)) if walk else self.of.count

    def _row(self, node: Node) -> str:
        """A node as a row."""
        written = operand(node, self.names, _OF_ROWS)
        return written if self.plan.varies(node) else f"robcogen_ros::row<T>({written})"

    def _computed(self, roots: Sequence[Node], indent: str) -> list[str]:
        """Lines that compute nodes, and first what they need."""
        found: set[Node] = set()
        pending = [node for node in roots if self.plan.varies(node)]
        while pending:
            node = pending.pop()
            if node in found or node in self.names or not self.plan.varies(node):
                continue
            found.add(node)
            pending.extend(node.operands)
            pending.extend(self._read_by_number(node))
        kept = {*roots, *(read for node in found for read in self._read_by_number(node))}
        lines: list[str] = []
        title = ""
        for node in sorted(found, key=lambda node: node.number):
            part = node not in kept and self.of.is_part(node, self.names, _OF_ROWS)
            if part or node in self.names:
                continue
            computed = list(self._computed_one(node, indent))
            if computed and self._title(node) not in ("", title):
                title = self._title(node)
                lines += ["", f"{indent}// {title}"]
            lines += computed
        return lines

    def _read_by_number(self, node: Node) -> Iterator[Node]:
        """Yields the node of a field of the same loop."""
        leaf = node.leaf
        if isinstance(leaf, Field) and leaf.sweep in self.loop.sweeps and not leaf.ancestor:
            yield self.of.swept.graph.nodes[leaf.number]

    def _title(self, node: Node) -> str:
        """Returns the title of the sweep in which a node was made, where several share the loop."""
        sweeps = self.of.swept.sweeps
        at = bisect_right([sweep.first for sweep in sweeps], node.number) - 1
        return sweeps[at].title if at in self.loop.sweeps and len(self.loop.sweeps) > 1 else ""

    def _computed_one(self, node: Node, indent: str) -> Iterator[str]:
        of, graph = self.of, self.of.swept.graph
        leaf = node.leaf
        if leaf is not None:
            inner = isinstance(leaf, Field) and leaf.sweep in self.loop.sweeps and not leaf.ancestor
            if isinstance(leaf, Field) and inner:
                self.names[node] = self._row(graph.nodes[leaf.number])
                return
            name = self.names[node] = self._new(self._leaf_name(node))
            yield statement(f"const V {name}", self._loaded(node), indent)
        elif node.operation in (SIN, COS):
            yield from self._sincos(node, indent)
        else:
            name = self._new(of.said(node))
            yield statement(f"const V {name}", text(node, self.names, _OF_ROWS), indent)
            self.names[node] = name

    def _sincos(self, node: Node, indent: str) -> Iterator[str]:
        """The lines that compute sine and cosine."""
        of, graph = self.of, self.of.swept.graph
        both = [graph.operate(operation, node.operands) for operation in (SIN, COS)]
        names = [self._new(of.said(each)) for each in both]
        self.names.update(zip(both, names, strict=True))
        angle = operand(node.operands[0], self.names, _OF_ROWS)
        yield f"{indent}V {names[0]}, {names[1]};"
        yield f"{indent}robcogen_ros::sincos_of<T>({angle}, {names[0]}, {names[1]});"

    def _leaf_name(self, node: Node) -> str:
        leaf = node.leaf
        if isinstance(leaf, Field):
            return self.of.said(self.of.swept.graph.nodes[leaf.number])
        given = leaf.leaf if isinstance(leaf, OfAncestor) else leaf
        if isinstance(given, PackedInput):
            return f"{given.name}_i"
        assert isinstance(given, LimbConstant)
        return self.of.said(self.of.swept.graph.leaf(given), "k")

    def _loaded(self, node: Node) -> str:
        """A leaf, as it is read."""
        leaf = node.leaf
        if isinstance(leaf, Field):
            array = self.of.arrays[leaf.sweep, leaf.number]
            if leaf.ancestor:
                return f"robcogen_ros::permuted<T>({array}[at], from)"
            return f"{array}[row]"
        if isinstance(leaf, OfAncestor):
            return f"robcogen_ros::permuted<T>({self._row_of(leaf.leaf, 'at')}, from)"
        assert isinstance(leaf, (LimbConstant, PackedInput))
        return self._row_of(leaf, "row")

    def _row_of(self, leaf: LimbConstant | PackedInput, at: str) -> str:
        if isinstance(leaf, LimbConstant):
            return f"robcogen_ros::row<T>(constants[{at}][{self.of.constant(leaf)}])"
        least = min(leaf.indices)
        rows = [tuple(leaf.indices[j] - least for j in js) for js in self.of.rows.filled()]
        places = self.of.table(f"{leaf.name}_at", "short", rows)
        given = f"{leaf.name} + {least}" if least else leaf.name
        return f"robcogen_ros::row<T>({given}, {places}[{at}])"

    def _left(
        self, s: int, indent: str, at: str, places: Callable[[Store], list[tuple[int, ...]]]
    ) -> Iterator[str]:
        """Lines that keep numbers of a sweep, and store results."""
        nodes = self.of.swept.graph.nodes
        for number_ in sorted(self.plan.needed.kept[s]):
            key = (s, number_)
            value = self._row(nodes[number_])
            if key in self.of.arrays:
                yield f"{indent}{self.of.arrays[key]}[{at}] = {value};"
            for store in self.plan.stores.get(key, ()):
                table = self.of.table(f"{store.output}_at", "int", places(store))
                yield f"{indent}robcogen_ros::scatter<T>({value}, {table}[{at}], {store.output});"

    def _joint_places(self, store: Store) -> list[tuple[int, ...]]:
        return [tuple(store.indices.get(j, -1) for j in joints) for joints in self.of.rows.joints]

    def _pair_places(self, store: Store) -> list[tuple[int, ...]]:
        index = {self.of.swept.pairs[place]: k for place, k in store.indices.items()}
        flat = [passing for each in self.of.passings for passing in each]
        return [tuple(index.get(p, -1) if p else -1 for p in passing.pairs) for passing in flat]


def _permutation(lanes: tuple[int, ...]) -> str:
    """The initializer of a permutation of lanes."""
    return "{{" + ", ".join(map(str, lanes)) + "}}"
