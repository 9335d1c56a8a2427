"""Statements of the Motion-DSL and the Transforms-DSL."""

from __future__ import annotations

from robcogen_ros.editing.tree import Document, Grammar, Statement

LISTS = ("Frames", "Params")
_SETTINGS = ("Convention", "MovedFramePos", "TransformedFramePos")


def _begins(document: Document, current: Statement, index: int) -> bool:
    word, following = document.word(index), document.word(index + 1)
    if document.keyword(current.parent) in LISTS:
        return document.word(index - 1) == ","
    if current.blocks or following == "->":
        return True
    if word in _SETTINGS:
        return following == "="
    if word == "{":
        return document.word(index - 1) != "_X_"
    if word == "Frames":
        return following == "{"
    return word in ("Model", "Params") and document.is_name(index + 1)


def _opens(document: Document, current: Statement, index: int) -> bool:
    return document.keyword(current) in LISTS and not current.blocks


RELATIONS = Grammar(_begins, _opens)
