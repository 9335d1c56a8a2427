"""Lines of C++ on packs: numbers side by side, a lane for each of several limbs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeGuard

from robcogen_ros.backends.rows import WIDEST, Rows
from robcogen_ros.backends.wrap import enclosed
from robcogen_ros.program.graph import Node
from robcogen_ros.program.leaf import PackedConstant, PackedInput

_LANES = (2, 4, 8)


def pack_lanes(count: int) -> int:
    """The lanes of a pack that holds so many numbers side by side."""
    return next(lanes for lanes in _LANES if lanes >= count)


def pack_type(count: int) -> str:
    """The type that holds so many numbers side by side."""
    return f"Pack<{pack_lanes(count)}>"


def packed(leaf: PackedConstant | PackedInput, name: str, numbers: Iterable[str]) -> str:
    """The line that puts numbers side by side; lanes to spare repeat the first."""
    given = _all_lanes(list(numbers))
    return enclosed(f"const {pack_type(len(given))} {name}{{", given, "};", "  ")


def _all_lanes(given: list[str]) -> list[str]:
    """Returns the contents of all lanes: those to spare repeat the first."""
    return given + given[:1] * (pack_lanes(len(given)) - len(given))


def packed_input(leaf: PackedInput, name: str) -> str:
    """The line that reads a pack of inputs."""
    return packed(leaf, name, [f"{leaf.name}[{i}]" for i in leaf.indices])


def input_pairs(nodes: Sequence[Node]) -> Mapping[Node, tuple[Node, Node]]:
    """Packs of four inputs, each with that of the entries behind: the pair of both."""
    known = {(node.leaf.name, node.leaf.indices): node for node in nodes if _is_of_four(node.leaf)}
    pairs: dict[Node, tuple[Node, Node]] = {}
    for (name, indices), node in sorted(known.items(), key=lambda item: item[0]):
        behind = known.get((name, tuple(i + 1 for i in indices)))
        if behind is not None and node not in pairs:
            pairs[node] = pairs[behind] = (node, behind)
    return pairs


def _is_of_four(leaf: object) -> TypeGuard[PackedInput]:
    return isinstance(leaf, PackedInput) and pack_lanes(len(leaf.indices)) == 4


def packed_inputs(first: tuple[Node, str], second: tuple[Node, str]) -> list[str]:
    """The lines that read a pair of packs of inputs."""
    leaf = first[0].leaf
    assert isinstance(leaf, PackedInput)
    places = _all_lanes([f"{leaf.name} + {i}" for i in leaf.indices])
    head = f"const auto [{first[1]}, {second[1]}] = robcogen_ros::read_pairs("
    return [enclosed(head, places, ");", "  ")]


def recalled(variable: str, slot: int, count: int) -> str:
    """The line that reads what an earlier part kept."""
    kind = pack_type(count)
    return f"  const {kind} {variable} = {kind}::read(work + {slot});"


def kept(variable: str, slot: int) -> str:
    """The line that keeps a pack for later parts."""
    return f"  {variable}.write(work + {slot});"


def written_rows(variable: str, rows: Rows) -> Iterator[str]:
    """The lines that write packs that were turned from lanes to rows."""
    for lane, (place, whole) in enumerate(zip(rows.places, rows.whole, strict=True)):
        to = f"{rows.output} + {place}"
        if len(rows.packs) == WIDEST - 1 and not whole:
            yield f"  write_three({variable}[{lane}], {to});"
        else:
            yield f"  {variable}[{lane}].write({to});"
