"""Reads the Motion-DSL, in both its versions."""

from __future__ import annotations

from dataclasses import replace

from robcogen_ros.formats.grammar import Grammar
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.syntax_tree import children, token
from robcogen_ros.formats.transforms.relations import AMOUNT_HINTS, Relations
from robcogen_ros.transforms.document import Motions
from robcogen_ros.transforms.network import Network

_STEPS = ("rotx", "roty", "rotz", "trx", "try", "trz")
_HINTS = {
    (f"one of {', '.join(_STEPS)}", word): f"that is {step} here"
    for word, step in zip(("Rx", "Ry", "Rz", "Tx", "Ty", "Tz"), _STEPS, strict=True)
}
_GRAMMAR = Grammar(
    "transforms/motdsl.lark",
    "transforms/amounts.lark",
    meanings={"STEP": _STEPS},
    hints={**AMOUNT_HINTS, **_HINTS},
)


def read(source: Source) -> Motions:
    """The motions that a document describes.

    Raises:
        ModelError: If the text is not in the language, or contradicts itself; all findings at
            once.
    """
    tree = _GRAMMAR.parse(source)
    reader = Relations(source, tree)
    (convention,) = children(tree, "convention")
    local = token(convention, "LOCAL", "CURRENT_FRAME") is not None
    relations = reader.relations(children(tree, "motion"))
    name, groups = reader.header.name, reader.header.groups
    frames = reader.frames(relations)
    motions = Motions(name, frames, relations, "local" if local else "fixed", groups)
    network = Network(motions)
    reader.problems += network.contradictions()
    if not reader.failed:
        reader.problems += network.oddities()
    return replace(motions, warnings=reader.finish())
