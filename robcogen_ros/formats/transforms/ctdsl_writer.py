"""Writes the Transforms-DSL."""

from __future__ import annotations

from robcogen_ros.formats.transforms.relations_writer import Writer
from robcogen_ros.transforms.document import Relation, Transforms

KEYWORDS = ("MovedFramePos", "TransformedFramePos")
"""The word of the paper, and that of the program."""


def write(transforms: Transforms, keyword: str = KEYWORDS[0]) -> str:
    """The document that defines transforms."""
    writer = Writer(transforms)

    def start(relation: Relation) -> str:
        return f"{{{writer.frames[relation.left]}}}_X_{{{writer.frames[relation.right]}}} ="

    return writer.document_text(f"{keyword} = {transforms.moved}", start, "R T")
