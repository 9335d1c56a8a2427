"""Numbers as users write them, checked without regard to any locale."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE | re.ASCII)
_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+", re.ASCII)


def complaint(text: str, *, infinite: bool = False) -> str | None:
    """Why a text is not a number, or None if it is one.

    Args:
        text: The text, without surrounding space.
        infinite: Whether infinity is welcome.
    """
    if _NUMBER.fullmatch(text):
        return None if infinite or abs(float(text)) != float("inf") else f"'{text}' is too large"
    if _NOT_FINITE.fullmatch(text):
        if infinite and "inf" in text.lower():
            return None
        return f"'{text}' is not a finite number"
    if _COMMA.fullmatch(text):
        point = text.replace(",", ".")
        return f"'{text}' is not a number; decimals follow a point: '{point}'"
    return f"'{text}' is not a number"
