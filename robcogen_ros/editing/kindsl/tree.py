"""Statements of the Kinematics-DSL."""

from __future__ import annotations

from robcogen_ros.editing.tree import Document, Grammar, Statement

_ENTITIES = frozenset({"RobotBase", "link", "r_joint", "p_joint", "fixed_joint", "limb", "loop"})
_BLOCKS = frozenset(
    {"inertia_params", "inertia_properties", "children", "frames", "ref_frame"}
    | {"limits", "friction", "spring", "mimic", "independent", "position"}
)


def _begins(document: Document, current: Statement, index: int) -> bool:
    word, following = document.word(index), document.word(index + 1)
    if current.blocks:
        return True
    if not document.is_name(index):
        return False
    if following == "=" and document.word(index - 1) != "<":
        return current.settles or not current.parentheses
    if word in _BLOCKS and following == "{" and current.settles:
        return True
    if _is_entity(document, index):
        return document.word(index - 1) != "virtual" or document.word(index) != "link"
    return document.keyword(current.parent) == "children" and _is_whole(document, current, index)


def _is_entity(document: Document, index: int) -> bool:
    word = document.word(index)
    if word == "spring":  # between frames it has a name
        return document.word(index + 2) == "{"
    return word in _ENTITIES or (word == "virtual" and document.word(index + 1) == "link")


def _is_whole(document: Document, current: Statement, index: int) -> bool:
    """Returns True if an entry of a `children` block needs nothing more."""
    words = document.words(current)
    return (
        (len(words) == 3 and words[1] == "via")
        or (words[-1] == ")" and not current.parentheses)
        or (document.word(index + 1) == "via" and words[-1] != "via")
    )


def _opens(document: Document, current: Statement, index: int) -> bool:
    return True


KINDSL = Grammar(_begins, _opens)
