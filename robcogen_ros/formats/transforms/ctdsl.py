"""Reads the Transforms-DSL, as the paper and the program write it."""

from __future__ import annotations

from dataclasses import replace

from robcogen_ros.formats.grammar import Grammar
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.syntax_tree import children, token
from robcogen_ros.formats.transforms.relations import AMOUNT_HINTS, Relations
from robcogen_ros.transforms.document import Transforms
from robcogen_ros.transforms.network import Network

_STEPS = ("Rx", "Ry", "Rz", "Tx", "Ty", "Tz")
_HINTS = {
    (f"one of {', '.join(_STEPS)}", word): f"that is {step} here"
    for word, step in zip(("rotx", "roty", "rotz", "trx", "try", "trz"), _STEPS, strict=True)
}
_GRAMMAR = Grammar(
    "transforms/ctdsl.lark",
    "transforms/amounts.lark",
    meanings={"STEP": _STEPS},
    hints={**AMOUNT_HINTS, **_HINTS},
)


def read(source: Source) -> Transforms:
    """The transforms that a document defines.

    Raises:
        ModelError: If the text is not in the language, or contradicts itself; all findings at
            once.
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
