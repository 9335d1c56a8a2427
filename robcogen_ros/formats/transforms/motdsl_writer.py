"""Writes the Motion-DSL."""

from __future__ import annotations

from robcogen_ros.formats.transforms.relations_writer import Writer
from robcogen_ros.transforms.document import Motions, Relation


def write(motions: Motions) -> str:
    """The document that says where frames are."""
    writer = Writer(motions)

    def start(relation: Relation) -> str:
        return f"{writer.frames[relation.left]} -> {writer.frames[relation.right]} :"

    return writer.document_text(f"Convention = {motions.convention}", start, "rot tr")
