"""Motions or transforms, from whichever file says them."""

from __future__ import annotations

from pathlib import Path

from robcogen_ros.formats.source import Source
from robcogen_ros.formats.transforms import ctdsl, motdsl
from robcogen_ros.transforms.document import Document

SUFFIXES = (".motdsl", ".ctdsl")


def is_relations_file(name: str) -> bool:
    """Returns True if a file's name is that of motions or transforms."""
    return Path(name).suffix in SUFFIXES


def parse(source: Source) -> Document:
    """The motions or transforms that a text says; which of the two, its name or its words tell.

    Raises:
        ModelError: If the text is wrong.
    """
    suffix = Path(source.name).suffix
    said = "FramePos" in source.text and "Convention" not in source.text
    is_transforms = suffix == ".ctdsl" or (suffix != ".motdsl" and said)
    return ctdsl.read(source) if is_transforms else motdsl.read(source)
