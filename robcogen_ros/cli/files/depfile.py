"""Dependencies of an output, as a rule of make."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from robcogen_ros.backends.render import generator_files, write_files


def write_depfile(depfile: Path, output: str, files: Iterable[str]) -> None:
    """Says that an output depends on files, and on the generator."""
    needed = [*files, *map(str, generator_files())]
    rule = " \\\n  ".join([f"{_escaped(output)}:", *map(_escaped, needed)])
    write_files({depfile: rule + "\n"})


def touch(stamp: Path) -> None:
    """Marks that all is written."""
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.touch()


def _escaped(path: str) -> str:
    """A path as make and ninja read it: of backslashes before blanks each needs another one."""
    return re.sub(r"(\\*)([ #])", r"\1\1\\\2", path.replace("$", "$$"))
