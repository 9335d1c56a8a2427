"""Reads the Transforms-DSL, as the paper and the program write it."""

from __future__ import annotations

from dataclasses import replace

from robcogen_ros.formats.grammar import Grammar, children, token
from robcogen_ros.formats.relations import AMOUNT_HINTS, Relations
from robcogen_ros.formats.source import Source
from robcogen_ros.transforms.document import Transforms
from robcogen_ros.transforms.network import Network

_GRAMMAR = Grammar(
    "ctdsl.lark",
    "amounts.lark",
    meanings={"STEP": "Rx, Ry, Rz, Tx, Ty or Tz"},
    hints=AMOUNT_HINTS,
)


def read(source: Source) -> Transforms:
    """The transforms that a document defines.

    Raises:
        ModelError: If the text is not in the language, or contradicts itself; all findings of the
            latter kind at once.
    """
    tree = _GRAMMAR.parse(source)
    reader = Relations(source, tree)
    (moved,) = children(tree, "moved")
    relations = reader.relations(children(tree, "transform"))
    name, groups = reader.header.name, reader.header.groups
    frames = reader.frames(relations)
    right = token(moved, "RIGHT") is not None
    transforms = Transforms(name, frames, relations, "right" if right else "left", groups)
    reader.problems += Network(transforms).contradictions()
    return replace(transforms, warnings=reader.finish())
