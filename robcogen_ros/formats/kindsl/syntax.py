"""Rules of the Kinematics-DSL alone: its grammar, its names, its first version."""

from __future__ import annotations

from collections.abc import Iterator

from robcogen_ros.errors import ModelError, Problem
from robcogen_ros.formats.grammar import Grammar
from robcogen_ros.formats.kindsl.names import KEYWORDS, LONGEST
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.syntax_tree import Node, children, location, nodes, own_name, token

GRAMMAR = Grammar(
    "kindsl/kindsl.lark",
    meanings={
        "MOMENT": ("Ix", "Iy", "Iz", "Ixy", "Ixz", "Iyz"),
        "LIMIT": ("lower", "upper", "velocity", "effort"),
        "RUB": ("viscous", "dry"),
        "PULL": ("stiffness", "rest"),
        "STRETCH": ("stiffness", "length"),
        "RATIO": ("multiplier", "offset"),
    },
    hints={
        ("')'", ","): "a vector has three numbers, and decimals follow a point",
        ("a number", "*"): "a power is written x^2",
    },
)
_NEWER = frozenset(
    {"sum", "product", "group", "call", "default", "constant", "limits", "friction", "mimic"}
    | {"limb", "positive", "armature", "spring", "pitch", "power", "power_of_number"}
    | {"loop", "line", "independent", "position"}
)
"""Rules that only later versions of the language have."""


def refuse_names(source: Source, document: Node) -> None:
    """Refuses names that are too long, or keywords without a caret.

    Of values only the first version has none: in the second, keywords can be parameters.

    Raises:
        ModelError: If there are any.
    """
    of_values = set() if is_first_version(document) else set(map(id, _names_in_values(document)))
    problems = []
    for node in nodes(document, {"name"}):
        text = token(node, "NAME") or ""
        if len(text.removeprefix("^")) > LONGEST:
            message = f"a name of {len(own_name(node))} characters is too long"
            problems.append(Problem(message, location(source, node)))
        elif text in KEYWORDS and id(node) not in of_values:
            message = f"'{text}' is a keyword; as a name it has a caret: ^{text}"
            problems.append(Problem(message, location(source, node)))
    if problems:
        raise ModelError(problems)


def _names_in_values(document: Node) -> Iterator[Node]:
    for node in nodes(document, {"parameter", "constant", "argument", "assignment"}):
        yield from children(node, "name")


def is_first_version(document: Node) -> bool:
    """Returns True if a document's values could be of the language's first version."""
    return not any(
        node.data != "number" or not _has_point(token(node, "NUMBER") or "")
        for node in nodes(document, _NEWER | {"number"})
    )


def _has_point(number: str) -> bool:
    return "." in number and not number.endswith(".") and "e" not in number.lower()
