"""A function for several states at once limb after limb: limbs of equal shape share their code.

Straight-line code of a robot with legs does not fit the cache of instructions where it is long.
What of the limbs is alike is a loop over them here, their numbers are rows of a table. A state's
registers are not full of its limbs, but of other states.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from robcogen_ros.backends.cpp.function import CppFunction, argument_names
from robcogen_ros.backends.cpp.part import CppPart, CppSection, Writer, declared, read_inputs
from robcogen_ros.backends.cpp.text import Language
from robcogen_ros.backends.layout import Layout
from robcogen_ros.backends.limb_layout import LimbLayout, limb_layout
from robcogen_ros.backends.wrap import filled, statement
from robcogen_ros.model import number
from robcogen_ros.program.graph import Node, PackedConstant, PackedInput
from robcogen_ros.program.passes.packs import Lanes
from robcogen_ros.program.passes.side_by_side import LANES, TOTAL
from robcogen_ros.program.program import Program

_LIMB = "limb"
"""The variable of loops."""


def limb_loops(program: Program, lanes: Lanes, name: str, language: Language) -> CppFunction:
    """A straight-line program on packs as a function of a given name.

    Args:
        program: The program.
        lanes: For each node that is a pack, how many numbers it holds: a lane a limb.
        name: The function's name.
        language: How it is written.
    """
    laid = limb_layout(program, lanes, language.reserved | {_LIMB})
    order = argument_names(program, False)
    parameters = declared(program, language.scalar, order, order, language)
    types = declared(program, "double", order, (), language)
    sections: list[CppSection] = []
    for index in range(len(laid.limbs)):
        sections += _StretchWriter(laid, index, order, language).scope()
    size = laid.layout.work_size
    work = (f"  {language.scalar} work[{size}];",) if size else ()
    used = {argument for part in laid.layout.parts for argument in part.arguments}
    return CppFunction(
        name=name,
        summary="",
        operations="",
        documentation=(),
        parameters=parameters,
        types=types,
        parts=(CppPart(name, parameters, types, order, work, tuple(sections)),),
        work_size=0,
        unused=tuple(argument for argument in order if argument not in used),
        uses=(),
    )


class _StretchWriter(Writer):
    """Writes a stretch: a block of the trunk, or a loop over limbs.

    What a later stretch needs is kept in an array, of limbs for all of them.
    """

    def __init__(
        self, laid: LimbLayout, index: int, order: tuple[str, ...], language: Language
    ) -> None:
        layout = laid.layout
        self._packs = layout.lanes
        self._limbs = laid.limbs[index]
        self._entries = laid.entries
        self._order = order
        self._table = f"of_limb_{index}"
        self._columns: list[Sequence[str]] = []
        joined = dict(self._joined(layout))
        inlined = {node: f"({value})" for node, value in joined.items()}
        plain = replace(layout, names=inlined | layout.names, lanes={})
        super().__init__(plain, layout.parts[index], language)
        self._places.update(joined)
        if not self._limbs:
            self._unread -= layout.lanes.keys()

    def scope(self) -> Iterator[CppSection]:
        """The stretch; none where there is nothing to compute."""
        if not self._part.sections:
            return
        reads = read_inputs(self._laid, self._part, self._order, self._language.scalar)
        first, body = (*reads, *self.turned()), list(self.sections())
        title = "limb by limb" if self._limbs else "trunk"
        yield CppSection(title, (*self._head(), *_indented(first)))
        for section in body:
            yield CppSection(section.title, _indented(section.lines))
        yield CppSection("", ("  }",))

    def _head(self) -> Iterator[str]:
        """The lines that a stretch begins with: its table, where the block begins."""
        if self._columns:
            shape = f"[{self._limbs}][{len(self._columns)}]"
            yield f"  static constexpr double {self._table}{shape} = {{"
            for row in zip(*self._columns, strict=True):
                yield f"    {{{filled(row, indent='     ')}}},"
            yield "  };"
        if self._limbs:
            yield f"  for (int {_LIMB} = 0; {_LIMB} < {self._limbs}; ++{_LIMB})"
        yield "  {"

    def _joined(self, layout: Layout) -> Iterator[tuple[Node, str]]:
        """What mixes limbs: the number of one of them, or the sum of all."""
        slots = {node: slot for part in layout.parts for node, slot in part.recalled.items()}
        for said in layout.program.statements():
            node, first = said.node, slots.get(said.node.operands[0])
            if node.operation in LANES and first is not None:
                yield node, f"work[{first + LANES.index(node.operation)}]"
            elif node.operation is TOTAL and first is not None:
                count = layout.lanes[node.operands[0]]
                yield node, _sum([f"work[{first + limb}]" for limb in range(count)])

    def _read(self, node: Node) -> list[str]:
        leaf, scalar, name = node.leaf, self._language.scalar, self._laid.names[node]
        if isinstance(leaf, PackedInput):
            self._unread.discard(node)
            return [statement(f"const {scalar} {name}", f"{leaf.name}[{self._at(leaf.indices)}]")]
        if isinstance(leaf, PackedConstant):
            self._unread.discard(node)
            self._columns.append([repr(number.to_float(value)) for value in leaf.values])
            return [f"  const {scalar} {name}({self._table}[{_LIMB}][{len(self._columns) - 1}]);"]
        if node in self._packs:
            self._unread.discard(node)
            slot = self._part.recalled[node]
            return [statement(f"const {scalar} {name}", f"work[{slot} + {_LIMB}]")]
        return super()._read(node)

    def _kept(self, node: Node, value: str, slot: int) -> str:
        if node in self._packs:
            return statement(f"work[{slot} + {_LIMB}]", value)
        return super()._kept(node, value, slot)

    def _entry(self, output: str, index: int) -> str:
        of_limbs = self._entries.get((output, index))
        return f"{output}[{self._at(of_limbs)}]" if of_limbs else super()._entry(output, index)

    def _at(self, indices: Sequence[int]) -> str:
        """The index that each limb has."""
        first, step = indices[0], indices[1] - indices[0]
        if indices == tuple(range(first, first + step * len(indices), step)):
            ahead = _LIMB if abs(step) == 1 else f"{abs(step)} * {_LIMB}"
            return f"{first} {'-' if step < 0 else '+'} {ahead}" if first or step < 0 else ahead
        self._columns.append([str(index) for index in indices])
        return f"static_cast<int>({self._table}[{_LIMB}][{len(self._columns) - 1}])"


def _indented(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(textwrap.indent(line, "  ") for line in lines)


def _sum(summands: Sequence[str]) -> str:
    """A sum, halves first."""
    if len(summands) == 1:
        return summands[0]
    half = len(summands) // 2
    parts = (_sum(summands[:half]), _sum(summands[half:]))
    return " + ".join(f"({part})" if " " in part else part for part in parts)
