"""Names in the Kinematics-DSL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

LINK_FRAME_PREFIX = "fr_"

_KEYWORDS = frozenset(
    {"Robot", "RobotBase", "floating", "link", "r_joint", "p_joint", "id", "children", "via"}
    | {"inertia_params", "inertia_properties", "mass", "CoM", "Ix", "Iy", "Iz", "Ixy", "Ixz", "Iyz"}
    | {"ref_frame", "frames", "translation", "rotation", "PI"}
)


class Names:
    """How any names are written: letters, digits and underscores, keywords with a caret."""

    def __init__(self, names: Iterable[str]) -> None:
        self._written: dict[str, str] = {}
        taken: set[str] = set()
        originals = list(dict.fromkeys(names))
        for name in sorted(originals, key=lambda name: _identifier(name) != name):
            candidate = _identifier(name)
            while candidate in taken:
                candidate += "_"
            taken.add(candidate)
            self._written[name] = candidate

    def __getitem__(self, name: str) -> str:
        identifier = self._written[name]
        return f"^{identifier}" if identifier in _KEYWORDS else identifier

    def changed(self) -> Iterator[tuple[str, str]]:
        """Names that are written differently, each with what is written."""
        return ((name, self[name]) for name, text in self._written.items() if name != text)


def _identifier(name: str) -> str:
    text = re.sub(r"[^A-Za-z0-9_]", "_", name, flags=re.ASCII)
    return text if re.match(r"[A-Za-z_]", text) else f"_{text}"
