"""Numbers as users write them, checked without regard to any locale."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE | re.ASCII)
_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+", re.ASCII)
LARGEST = 1e30
"""No quantity of a robot in SI units is larger."""


def complaint(text: str, *, infinite: bool = False) -> str | None:
    """Why a text is not a number, or None if it is one.

    Args:
        text: The text, without surrounding space.
        infinite: Whether infinity is welcome.
    """
    if _NUMBER.fullmatch(text):
        huge = abs(float(text)) > LARGEST and not infinite
        return f"'{text}' is larger than any quantity of a robot" if huge else None
    if _NOT_FINITE.fullmatch(text):
        if infinite and "inf" in text.lower():
            return None
        return f"'{text}' is not a finite number"
    if _COMMA.fullmatch(text):
        point = text.replace(",", ".")
        return f"'{text}' is not a number; decimals follow a point: '{point}'"
    return f"'{text}' is not a number"
