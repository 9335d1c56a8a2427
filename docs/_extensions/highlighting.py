"""Colours for the four languages, from their keywords."""

from __future__ import annotations

from typing import Any

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Punctuation, Text
from sphinx.application import Sphinx

from robcogen_ros.editing.keywords import KEYWORDS


def _lexer(suffix: str) -> type[RegexLexer]:
    rules = [
        (r"//[^\n]*", Comment.Single),
        (r"/\*(.|\n)*?\*/", Comment.Multiline),
        (words(tuple(KEYWORDS[suffix]), prefix=r"\b", suffix=r"\b"), Keyword),
        (r"[A-Za-z_]\w*", Name),
        (r"\d+(\.\d*)?([eE][-+]?\d+)?|\.\d+", Number),
        (r"\s+", Text),
        (r".", Punctuation),
    ]
    return type(f"{suffix[1:].title()}Lexer", (RegexLexer,), {"tokens": {"root": rules}})


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    for suffix in KEYWORDS:
        app.add_lexer(suffix[1:], _lexer(suffix))
    return {"parallel_read_safe": True}
