"""What is particular to the Kinematics-DSL: its grammar, its names, its first version."""

from __future__ import annotations

from robcogen_ros.errors import ModelError, Problem
from robcogen_ros.formats.grammar import Grammar
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.syntax_tree import Node, location, nodes, own_name, token

GRAMMAR = Grammar(
    "kindsl.lark",
    meanings={
        "MOMENT": ("Ix", "Iy", "Iz", "Ixy", "Ixz", "Iyz"),
        "LIMIT": ("lower", "upper", "velocity", "effort"),
        "RUB": ("viscous", "dry"),
        "RATIO": ("multiplier", "offset"),
    },
    hints={("')'", ","): "a vector has three numbers, and decimals follow a point"},
)
_NEWER = frozenset(
    {"sum", "product", "group", "call", "default", "constant", "limits", "friction", "mimic"}
    | {"limb", "positive", "armature"}
)
"""Rules that only later versions of the language have."""


def refuse_long_names(source: Source, document: Node, longest: int) -> None:
    """Refuse names with more characters than that.

    Raises:
        ModelError: If there are any.
    """
    problems = [
        Problem(f"a name of {len(own_name(node))} characters is too long", location(source, node))
        for node in nodes(document, {"name"})
        if len(own_name(node)) > longest
    ]
    if problems:
        raise ModelError(problems)


def is_first_version(document: Node) -> bool:
    """Whether a document's values could be of the language's first version."""
    return not any(
        node.data != "number" or not _has_point(token(node, "NUMBER") or "")
        for node in nodes(document, _NEWER | {"number"})
    )


def _has_point(number: str) -> bool:
    return "." in number and not number.endswith(".") and "e" not in number.lower()
