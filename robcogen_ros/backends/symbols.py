"""Meanings of the symbols in a program's names; `docs/cpp.md` has the same with sources."""

from __future__ import annotations

import re
from collections.abc import Iterator

from robcogen_ros.program.program import Program

_NAME = re.compile(r"(?:minus_)?((?:twice_)?[A-Za-z]+?)\d+(?:_\d+)?(?:_[JBM])?(?:_([a-z]{1,2}))?")

_KINDS = {
    "vector": ("x", "y", "z"),
    "motion": ("wx", "wy", "wz", "vx", "vy", "vz"),
    "force": ("nx", "ny", "nz", "fx", "fy", "fz"),
    "matrix": tuple(row + column for row in "xyz" for column in "xyz"),
}

MEANINGS = {
    ("theta", ""): "angle of the joint, with what its frame is turned by",
    ("c", ""): "cosine of the joint's angle",
    ("s", ""): "its sine",
    ("E", "matrix"): "rotation from link to base",
    ("r", "vector"): "origin of the link in the base",
    ("w", "vector"): "angular velocity",
    ("wd", "vector"): "angular acceleration",
    ("ww", "matrix"): "products of components of w",
    ("Omega", "matrix"): "[wd]x + [w]x [w]x, by which points accelerate relative to the origin",
    ("v", "motion"): "spatial velocity",
    ("a", "vector"): "acceleration of the origin, less gravity",
    ("a", "motion"): "spatial acceleration",
    ("fx", "force"): "external force",
    ("f", "force"): "net force on the link, then force through its joint",
    ("m", ""): "mass beyond the joint",
    ("h", "vector"): "moment of mass beyond it",
    ("I", "matrix"): "tensor of what is beyond it, about the link's origin",
    ("F", "force"): "force that unit acceleration of the joint takes",
    ("k", "vector"): "rate of h, twice",
    ("K", "matrix"): "rate of the second moments beyond the joint, twice",
    ("G", "vector"): "force of the joint per rate of an axis before it",
    ("P", "force"): "change of the force with the joint's velocity",
    ("Q", "force"): "change of the force with the joint's position",
    ("IA", "matrix"): "blocks J, B, M of the articulated-body inertia",
    ("pA", "force"): "articulated bias force",
    ("U", "force"): "IA S, S the axis of the joint",
    ("u", ""): "tau - S' pA",
    ("d", ""): "1 / D",
    ("K", "force"): "U / D",
    ("da", "motion"): "acceleration beyond that without accelerations of the joints",
    ("L", ""): "entries of the factor of H = L' D L",
    ("W", ""): "entries of the inverse of L",
}
"""Meanings by symbol and kind of quantity."""


def symbols(program: Program) -> str:
    """The symbols of a program and what they mean; empty if it has none."""
    said = set(_symbols_in(program))
    found = [
        f"{symbol} {text}" for (symbol, kind), text in MEANINGS.items() if (symbol, kind) in said
    ]
    return f"Symbols, by the number of link or row: {'; '.join(found)}." if found else ""


def _symbols_in(program: Program) -> Iterator[tuple[str, str]]:
    kind_of = {component: kind for kind, parts in _KINDS.items() for component in parts}
    for name in {statement.name for statement in program.statements()}:
        found = _NAME.fullmatch(name)
        if found:
            yield found[1], kind_of.get(found[2] or "", "")
