"""Where the project is, and where its files can be seen."""

from __future__ import annotations

import sys
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree


def _root() -> Path:
    """The folder above these pages; of copies that rosdoc2 makes, the one its command names."""
    starts = (Path(__file__).resolve(), Path.cwd(), *(Path(word).resolve() for word in sys.argv))
    for folder in chain.from_iterable((start, *start.parents) for start in starts):
        if (folder / "robcogen_ros" / "version.py").is_file() and (folder / "docs").is_dir():
            return folder
    raise FileNotFoundError("robcogen_ros is not above these pages, nor named on the command line")


ROOT = _root()


def url(path: Path) -> str:
    """Where a file or folder of the project is on the web."""
    package = ElementTree.parse(ROOT / "package.xml")
    repository = next(u.text for u in package.iter("url") if u.get("type") == "repository")
    kind = "tree" if path.is_dir() else "blob"
    return f"{repository}/{kind}/main/{path.relative_to(ROOT).as_posix()}"
