"""Names: the nearest known one for a message, and those that frames answer to."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from robcogen_ros.errors import RobcogenError

_MOST_COMPARED = 400


def free_name(stem: str, taken: set[str], longest: int | None = None) -> str:
    """A name that is not taken yet, which it then is: a stem, numbered if need be.

    Args:
        stem: What the name begins with.
        taken: Names that are taken; the new one is added.
        longest: How many characters of a name count; all by default.
    """
    name, k = stem[:longest], 1
    while name in taken:
        k += 1
        short = stem if longest is None else stem[: longest - len(str(k)) - 1]
        name = f"{short.rstrip('_')}_{k}"
    taken.add(name)
    return name


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint that ends a message about an unknown name: the nearest known one, if any is near.

    Where so many are known that comparing takes long, there is none.
    """
    known = list(known)
    near = len(known) <= _MOST_COMPARED
    matches = difflib.get_close_matches(name, known, n=1) if near else []
    return f"; did you mean '{matches[0]}'?" if matches else ""


def hint(name: str, known: Iterable[str]) -> str:
    """Returns the nearest name for a message about an unknown one, or else those that there are."""
    known = list(known)
    return nearest(name, known) or f"; there are {listed(known) or 'none'}"


def counted(count: int, noun: str) -> str:
    """A count and its noun, such as "1 joint" and "2 joints"."""
    return f"{count} {noun}" + "s" * (count != 1)


def listed(names: Sequence[str], most: int = 6) -> str:
    """Names in a message; of many the first ones."""
    text = ", ".join(names[:most])
    return f"{text} and {len(names) - most} more" if len(names) > most else text


class FrameNames:
    """The names that frames answer to: their own; of a link's frame, the link's and `fr_<link>`."""

    def __init__(self, robot: str, frames: Iterable[tuple[str, str | None]]) -> None:
        """The frames of a robot, each with its name and the link whose own frame it is, if any."""
        self._robot = robot
        pairs = list(frames)
        self._index = {name: i for i, (name, _) in enumerate(pairs)}
        for i, (_, link) in enumerate(pairs):
            if link is not None:
                self._index.setdefault(link, i)
                self._index.setdefault(f"fr_{link}", i)

    def index(self, name: str) -> int:
        """Index of a frame.

        Raises:
            RobcogenError: If there is no such frame.
        """
        try:
            return self._index[name]
        except KeyError:
            known = nearest(name, self._index) or f"; it has {listed([*self._index])}"
            raise RobcogenError(f"robot '{self._robot}' has no frame '{name}'{known}") from None
