"""Names in the Kinematics-DSL."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator

from robcogen_ros.model.names import nearest

LINK_FRAME_PREFIX = "fr_"
LONGEST = 200
"""Characters in a name; files and symbols are named after them."""
_MOST_HINTS, _MOST_NAMES = 20, 2000

KEYWORDS = frozenset(
    {"Robot", "RobotBase", "floating", "link", "r_joint", "p_joint", "id", "children", "via"}
    | {"inertia_params", "inertia_properties", "mass", "CoM", "Ix", "Iy", "Iz", "Ixy", "Ixz", "Iyz"}
    | {"ref_frame", "frames", "translation", "rotation", "PI"}
)
"""Keywords of the language's first version, which nothing is named without a caret."""
_WITH_CARET = KEYWORDS | frozenset(
    {"Pi", "pI", "pi"}
    | {"virtual", "fixed_joint", "continuous", "limb", "limits", "friction", "mimic", "joint"}
    | {"lower", "upper", "velocity", "effort", "viscous", "dry", "multiplier", "offset"}
    | {"armature", "screw_thread_pitch", "spring", "stiffness", "rest", "length"}
)


class Names:
    """Texts of names in the language: letters, digits and underscores, keywords with a caret."""

    def __init__(self, names: Iterable[str], reserved: Iterable[str] = ()) -> None:
        """Names to write, and what none of them may become."""
        self._written: dict[str, str] = {}
        taken = set(reserved)
        counters: dict[str, int] = {}
        originals = list(dict.fromkeys(names))
        for name in sorted(originals, key=lambda name: _identifier(name) != name):
            wanted = candidate = _identifier(name)
            while candidate in taken:
                counters[wanted] = counters.get(wanted, 1) + 1
                candidate = f"{wanted}_{counters[wanted]}"
            taken.add(candidate)
            self._written[name] = candidate

    def __getitem__(self, name: str) -> str:
        return written(self._written[name])

    def changed(self) -> Iterator[tuple[str, str]]:
        """Names that the language cannot say, each with what is written instead."""
        return ((name, text) for name, text in self._written.items() if name != text)


class Hints:
    """Tells the nearest known name of unknown ones, as long as that does not take for ever."""

    def __init__(self) -> None:
        self._left = _MOST_HINTS

    def nearest(self, name: str, known: Collection[str]) -> str:
        """The end of a message: the nearest known name, if any is near."""
        self._left -= 1
        return nearest(name, known) if self._left >= 0 and len(known) <= _MOST_NAMES else ""


def written(identifier: str) -> str:
    """An identifier as it is written: keywords have a caret."""
    return f"^{identifier}" if identifier in _WITH_CARET else identifier


def _identifier(name: str) -> str:
    if len(name) <= LONGEST and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name, re.ASCII):
        return name
    text = re.sub(r"[^A-Za-z0-9_]", "_", name[: LONGEST - 10], flags=re.ASCII)
    return text if re.match(r"[A-Za-z_]", text) else f"_{text}"


def quoted(name: str) -> str:
    """A name for a comment of one line: its odd characters escaped."""
    return f"'{json.dumps(name)[1:-1]}'"
