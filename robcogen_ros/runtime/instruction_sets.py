"""Libraries compiled for several processors: the best that this one can run.

They lie where the system's own loader looks for them, in `glibc-hwcaps/<set>` beside the one for
all processors (x86-64 psABI, microarchitecture levels).
"""

from __future__ import annotations

import re
from pathlib import Path

_FLAGS = {
    "x86-64-v2": "cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3",
    "x86-64-v3": "abm avx avx2 bmi1 bmi2 f16c fma movbe xsave",
    "x86-64-v4": "avx512bw avx512cd avx512dq avx512f avx512vl",
}
"""What each set needs besides those before it, in the kernel's words."""

_PROCESSOR = Path("/proc/cpuinfo")


def instruction_sets(processor: str) -> list[str]:
    """The sets that a processor has, best first.

    Args:
        processor: What the kernel says of it, `/proc/cpuinfo`.
    """
    found = re.search(r"^flags\s*:(.*)$", processor, re.MULTILINE)
    flags = set(found[1].split()) if found else set()
    sets: list[str] = []
    for name, needed in _FLAGS.items():
        if not flags.issuperset(needed.split()):
            break
        sets.insert(0, name)
    return sets


def best_library(library: Path) -> Path:
    """The file to load for a library: of the best instruction set that it was compiled for."""
    if not (library.parent / "glibc-hwcaps").is_dir() or not _PROCESSOR.is_file():
        return library
    text = _PROCESSOR.read_text(encoding="utf-8", errors="replace")
    folders = (library.parent / "glibc-hwcaps" / name for name in instruction_sets(text))
    files = (folder / library.name for folder in folders)
    return next((file for file in files if file.is_file()), library)
