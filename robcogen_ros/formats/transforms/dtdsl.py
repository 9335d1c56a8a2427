"""Reads documents of desired transforms and Jacobians."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from robcogen_ros.errors import ModelError, Problem
from robcogen_ros.formats.grammar import Grammar
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.syntax_tree import Node, children, location, names
from robcogen_ros.model.names import nearest
from robcogen_ros.transforms.desired import Desired, Wanted

_GRAMMAR = Grammar(
    "transforms/dtdsl.lark",
    meanings={
        "LEFT": ("left", "left_frame", "base"),
        "RIGHT": ("right", "right_frame", "target"),
    },
    hints={("'}'", ";"): "nothing stands between pairs"},
)
_LEFT_FIRST = ("left_first", "backwards")
_RIGHT_FIRST = ("right_first", "forwards")


def read(source: Source, *, tolerant: bool = False) -> Desired:
    """The transforms and Jacobians that a document asks for.

    Args:
        source: The document.
        tolerant: Whether frames that are used but not declared, here or by the robot, are warned
            about instead of refused.

    Raises:
        ModelError: If the text is not in the language or, not tolerantly read, uses frames that it
            does not declare; all of these at once.
    """
    tree = _GRAMMAR.parse(source)
    transforms, jacobians = (_pairs(source, tree, kind) for kind in ("transforms", "jacobians"))
    frames, problems = _declared(source, tree, [*transforms, *jacobians])
    if tolerant:
        problems = [replace(problem, severity="warning") for problem in problems]
    elif problems:
        raise ModelError(problems)
    return Desired(
        name=names(tree)[0],
        frames=frames,
        transforms=transforms,
        jacobians=jacobians,
        tolerant=tolerant,
        location=source.whole,
        warnings=tuple(problems),
        files=source.files,
    )


def _declared(
    source: Source, tree: Node, pairs: Sequence[Wanted]
) -> tuple[tuple[str, ...], list[Problem]]:
    """The frames that a document declares, and what is wrong with its use of frames."""
    sections = children(tree, "frames")
    if not sections:
        message = "'Frames { ... }' is missing before 'Transforms'; it declares the frames below"
        return (), [Problem(message, source.whole)]
    declared = dict.fromkeys(names(sections[0]))
    problems = []
    for pair in pairs:
        for frame in dict.fromkeys((pair.left, pair.right)):
            if frame not in declared:
                hint = nearest(frame, declared) or "; add it to Frames"
                problems.append(Problem(f"frame '{frame}' is not declared{hint}", pair.location))
    return tuple(declared), problems


def _pairs(source: Source, tree: Node, kind: str) -> tuple[Wanted, ...]:
    """The pairs of a section; `A -> B` wants B_X_A."""
    result = []
    for section in children(tree, kind):
        for node in children(section, *_LEFT_FIRST, *_RIGHT_FIRST):
            first, second = names(node)
            left, right = (first, second) if node.data in _LEFT_FIRST else (second, first)
            result.append(Wanted(left, right, location(source, node)))
    return tuple(result)
