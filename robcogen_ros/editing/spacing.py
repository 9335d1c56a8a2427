"""Space between two words of a statement on a line."""

from __future__ import annotations

from robcogen_ros.editing.scan import NAME, NUMBER, scan
from robcogen_ros.editing.tree import Document, Statement

_CLOSERS, _OPENERS = frozenset({",", ")", "]"}), frozenset({"(", "[", ""})
_SIGNS = frozenset("+-")
_TIGHT = frozenset("*/^")
_VALUE_ENDS = frozenset({")", "]", ">"})


def gap(suffix: str, document: Document, statement: Statement, index: int) -> str:
    """Returns the space before a token that goes on with a statement on the same line."""
    found = _gap(suffix, document, statement, index)
    return found or (" " if _would_merge(document, index) else "")


def _would_merge(document: Document, index: int) -> bool:
    """Returns True if two tokens would become others without a space: documents may be wrong."""
    before, word = document.word(index - 1), document.word(index)
    if word == ":":
        return before in ("p", "c")
    return [token.text for token in scan(before + word)] != [before, word]


def _gap(suffix: str, document: Document, statement: Statement, index: int) -> str:
    before, word = document.word(index - 1), document.word(index)
    if word in _CLOSERS or before in _OPENERS:
        return ""
    if before == ",":
        return " "
    if before in _SIGNS or word in _SIGNS:
        return _around_sign(suffix, document, index)
    if _TIGHT.intersection((before, word)):
        return ""
    if suffix == ".kindsl":
        return _in_robot(document, statement, index)
    if suffix == ".dtdsl":
        return "  " if document.word(index + 1) == "=" else " "
    return _in_relation(document, statement, index)


def _around_sign(suffix: str, document: Document, index: int) -> str:
    """Signs before a value stand close to it; `2.0 -x` stays, which is a product in places."""
    before = document.word(index - 1)
    if before in _SIGNS:
        return " " if _is_sum(suffix, document, index - 1) else ""
    if _is_sum(suffix, document, index) or document.code[index - 1].kind == NUMBER:
        return " "
    return " " if before in ("=", ":") and not _is_constant(document, index) else ""


def _is_sum(suffix: str, document: Document, index: int) -> bool:
    """Returns True if a sign stands between two values and adds them."""
    if suffix != ".kindsl" or not _ends_value(document, index - 1):
        return False
    first, sign = document.code[index - 1], document.code[index]
    if first.kind != NUMBER or index + 1 >= len(document.code):
        return True
    last = document.code[index + 1]
    return last.kind != NAME or sign.start == first.end or last.start > sign.end


def _ends_value(document: Document, index: int) -> bool:
    token = document.code[index]
    return token.kind in (NAME, NUMBER) or token.text in _VALUE_ENDS


def _is_constant(document: Document, index: int) -> bool:
    """Returns True if a token is in a named constant: `<g=-9.81>`, `c:g:-9.81`."""
    return document.word(index - 3) == "<" or document.word(index - 2).startswith("c:")


def _in_robot(document: Document, statement: Statement, index: int) -> str:
    before, word = document.word(index - 1), document.word(index)
    if before == "<" or word in (">", "["):
        return ""
    if "=" in (before, word):
        name = index - (2 if before == "=" else 1)
        return "" if document.word(name - 1) == "<" else " "
    if word == "(" and document.is_name(index - 1):
        declares = len(statement.head) > 1 and document.is_name(index - 2)
        return " " if declares else ""
    return " "


def _in_relation(document: Document, statement: Statement, index: int) -> str:
    before, word = document.word(index - 1), document.word(index)
    if "." in (before, word) or before == "{" or word == "}":
        return ""
    if word == "_X_" or before == "_X_":
        return ""
    inside = "(" in _since(document, statement, index)
    if word == "[" or ":" in (before, word):
        return "" if inside else " "
    return " "


def _since(document: Document, statement: Statement, index: int) -> list[str]:
    """The words of the step that a token is in; empty outside of steps."""
    words: list[str] = []
    for k in range(index - 1, statement.head[0], -1):
        if document.word(k) == ")":
            return []
        words.append(document.word(k))
        if document.word(k) == "(":
            return words
    return []
