"""Statements of documents of desired transforms."""

from __future__ import annotations

from robcogen_ros.editing.tree import Document, Grammar, Statement

_SECTIONS = ("Frames", "Transforms", "Jacobians")


def _begins(document: Document, current: Statement, index: int) -> bool:
    word, following = document.word(index), document.word(index + 1)
    if current.parent is None or current.parent.parent is None:
        robot = word in ("Robot", "Model") and document.is_name(index + 1)
        return bool(current.blocks) or robot or (word in _SECTIONS and following == "{")
    if document.keyword(current.parent) == "Frames":
        return document.word(index - 1) == ","
    if following in ("->", "<-"):
        return True
    return following == "=" and document.words(current).count("=") != 1


def _opens(document: Document, current: Statement, index: int) -> bool:
    return document.keyword(current) in _SECTIONS


DESIRED = Grammar(_begins, _opens)
