"""Planar and floating joints, which a robot has as chains of joints of one axis.

`formats.urdf_many_axes` says what the joints and the links between them are called.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

PLANAR = ("x", "y", "theta")
FLOATING = ("x", "y", "z", "yaw", "pitch", "roll")


@dataclass(frozen=True, slots=True)
class ManyAxes:
    """A joint of several axes.

    Attributes:
        name: Its name in the file.
        parent: The link it is on.
        child: The link it carries.
        coordinates: The joints of one axis that it is made of.
    """

    name: str
    parent: str
    child: str
    coordinates: tuple[str, ...]

    @property
    def planar(self) -> bool:
        """Whether it moves in a plane."""
        return len(self.coordinates) == len(PLANAR)


def many_axes(attachments: Iterable[tuple[str, str, str, bool]]) -> Iterator[ManyAxes]:
    """The joints of several axes among a robot's attachments."""
    listed = list(attachments)
    by_parent = {parent: (name, parent, child) for name, parent, child, _ in listed}
    for name, parent, child, _ in listed:
        stem = name.rstrip("_").removesuffix("_x")
        if not name.startswith(f"{stem}_x"):
            continue
        for kind in (PLANAR, FLOATING):
            chain = [(name, parent, child)]
            for suffix in kind[1:]:
                following = by_parent.get(chain[-1][2])
                between = chain[-1][0] == chain[-1][2]
                if not (between and following and _named(following[0], f"{stem}_{suffix}")):
                    break
                chain.append(following)
            if len(chain) == len(kind):
                yield ManyAxes(stem, parent, chain[-1][2], tuple(link[0] for link in chain))


def _named(name: str, wanted: str) -> bool:
    """Whether a name is the wanted one, or that with underscores to tell it from others."""
    return name.startswith(wanted) and not name[len(wanted) :].strip("_")
