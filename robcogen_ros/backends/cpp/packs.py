"""Lines of C++ on packs: numbers side by side, a lane for each of several limbs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from robcogen_ros.backends.rows import WIDEST, Rows
from robcogen_ros.backends.wrap import enclosed
from robcogen_ros.program.graph import PackedConstant, PackedInput

_LANES = (2, 4, 8)


def pack_lanes(count: int) -> int:
    """The lanes of a pack that holds so many numbers side by side."""
    return next(lanes for lanes in _LANES if lanes >= count)


def pack_type(count: int) -> str:
    """The type that holds so many numbers side by side."""
    return f"Pack<{pack_lanes(count)}>"


def packed(leaf: PackedConstant | PackedInput, name: str, numbers: Iterable[str]) -> str:
    """The line that puts numbers side by side; lanes to spare repeat the first."""
    given = list(numbers)
    given += given[:1] * (pack_lanes(len(given)) - len(given))
    return enclosed(f"const {pack_type(len(given))} {name}{{", given, "};", "  ")


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
