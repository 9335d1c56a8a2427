"""Places in a text: offsets, lines and columns as messages count them, positions as editors do."""

from __future__ import annotations

from bisect import bisect_right

from robcogen_ros.errors import Location

Position = tuple[int, int]
"""Line and character, both counted from 0; characters in units of an encoding."""

_BEYOND = {"utf-8": ("\x7f", "\u07ff", "\uffff"), "utf-16": ("\uffff",), "utf-32": ()}
"""The characters of each encoding beyond which one more unit is needed."""


class Lines:
    """The lines of a text."""

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        """The lines of a text, where positions count in units of an encoding."""
        self.text = text
        self._beyond = _BEYOND[encoding]
        self._starts = [0]
        self._starts.extend(k + 1 for k, character in enumerate(text) if character == "\n")

    def position(self, offset: int) -> Position:
        """Returns an offset as an editor has it: line and column."""
        line = bisect_right(self._starts, offset) - 1
        return line, self._units(self.text[self._starts[line] : offset])

    def offset(self, position: Position) -> int:
        """The offset of an editor's position; beyond the end of a line, its end."""
        line, units = position
        if line >= len(self._starts):
            return len(self.text)
        offset = self._starts[line]
        while units > 0 and offset < len(self.text) and self.text[offset] != "\n":
            units -= self._units(self.text[offset])
            offset += 1
        return offset

    def located(self, location: Location) -> int:
        """The offset that a message names."""
        line = min(max(location.line, 1), len(self._starts))
        return min(self._starts[line - 1] + location.column - 1, len(self.text))

    def _units(self, text: str) -> int:
        return len(text) + sum(character > last for last in self._beyond for character in text)
