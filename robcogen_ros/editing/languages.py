"""The four languages, by the suffixes of their files."""

from __future__ import annotations

from pathlib import Path

from robcogen_ros.editing.desired_tree import DESIRED
from robcogen_ros.editing.kindsl_tree import KINDSL
from robcogen_ros.editing.relations_tree import RELATIONS
from robcogen_ros.editing.tree import Document

GRAMMARS = {".kindsl": KINDSL, ".motdsl": RELATIONS, ".ctdsl": RELATIONS, ".dtdsl": DESIRED}
SUFFIXES = tuple(GRAMMARS)


def suffix(name: str) -> str:
    """The suffix of a file of one of the languages; empty for other files."""
    found = Path(name).suffix
    return found if found in GRAMMARS else ""


def document(name: str, text: str) -> Document:
    """A text as a tree; which language it is in, its file's name tells."""
    return Document(text, GRAMMARS[suffix(name)])
