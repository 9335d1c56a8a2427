"""The four languages, by the suffixes of their files."""

from __future__ import annotations

from pathlib import Path

from robcogen_ros.editing.desired.symbols import desired_symbols
from robcogen_ros.editing.desired.tree import DESIRED
from robcogen_ros.editing.kindsl.symbols import kindsl_symbols
from robcogen_ros.editing.kindsl.tree import KINDSL
from robcogen_ros.editing.relations.symbols import relations_symbols
from robcogen_ros.editing.relations.tree import RELATIONS
from robcogen_ros.editing.symbols import Symbols
from robcogen_ros.editing.tree import Document

_GRAMMARS = {".kindsl": KINDSL, ".motdsl": RELATIONS, ".ctdsl": RELATIONS, ".dtdsl": DESIRED}
_FINDERS = {
    ".kindsl": kindsl_symbols,
    ".motdsl": relations_symbols,
    ".ctdsl": relations_symbols,
    ".dtdsl": desired_symbols,
}
SUFFIXES = tuple(_GRAMMARS)


def suffix(name: str) -> str:
    """The suffix of a file of one of the languages; empty for other files."""
    found = Path(name).suffix
    return found if found in SUFFIXES else ""


def document(name: str, text: str) -> Document:
    """A text as a tree; which language it is in, its file's name tells."""
    return Document(text, _GRAMMARS[suffix(name)])


def symbols(name: str, text: str) -> Symbols:
    """Returns what the names in a text stand for."""
    return _FINDERS[suffix(name)](document(name, text))
