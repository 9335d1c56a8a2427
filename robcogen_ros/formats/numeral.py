"""Numbers as users write them, checked without regard to any locale."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE | re.ASCII)
_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+", re.ASCII)
_BETWEEN = str.maketrans(",;()[]", " " * 6)
"""Characters that some write between several numbers, and around them."""
LARGEST = 1e30
"""No quantity of a robot in SI units is larger."""


def is_not_finite(text: str) -> bool:
    """Returns True if a text is how programs print infinity, or no number."""
    return _NOT_FINITE.fullmatch(text) is not None


def complaint(text: str, *, infinite: bool = False) -> str | None:
    """Returns why a text is not a number, or None if it is one.

    Args:
        text: The text, without surrounding space.
        infinite: Whether infinity is welcome.
    """
    if _NUMBER.fullmatch(text):
        huge = abs(float(text)) > LARGEST and not infinite
        return f"'{text}' is larger than any quantity of a robot" if huge else None
    if is_not_finite(text):
        if infinite and "inf" in text.lower():
            return None
        return f"'{text}' is not a finite number"
    if _COMMA.fullmatch(text):
        point = text.replace(",", ".")
        return f"'{text}' is not a number; decimals follow a point: '{point}'"
    return f"'{text}' is not a number"


def complaint_of_several(text: str, count: int, meaning: str = "") -> str | None:
    """Returns why a text is not `count` finite numbers with spaces between them, else None.

    Args:
        text: The text.
        count: How many.
        meaning: What they are, after "expected 3 numbers".
    """
    words = text.split()
    meant = text.translate(_BETWEEN).split()
    if words != meant and len(meant) == count and not any(map(complaint, meant)):
        return f"'{text}' has more than spaces between its numbers; write '{' '.join(meant)}'"
    if wrong := next(filter(None, map(complaint, words)), None):
        return wrong
    if len(words) != count:
        return f"expected {count} numbers{meaning}, found {len(words)}: '{text}'"
    return None
