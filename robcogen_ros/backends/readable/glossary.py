"""Meanings of the names on a page: of each symbol the quantity, its unit and its source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from robcogen_ros.backends.symbols import MEANINGS
from robcogen_ros.program.named_constants import Quantity

_KINDS = {"x": "vector", "wx": "motion", "nx": "force", "xx": "matrix", "0": "row", "": ""}
"""Kinds of quantities by what their first entries are called."""

_SYMBOL = re.compile(r"twice_[a-z]+|[A-Za-z]+")

_KHALIL = "Khalil and Dombre 2002, 9.5.2"
_BOOK = "Featherstone 2008, "
_FORCE, _MOTION, _INERTIA = "N m, N", "rad/s, m/s", "kg m^2, kg m, kg"

_ONLY_HERE = {
    ("mass", ""): "mass of the link",
    ("moment", "vector"): "first moment of mass of the link, m c",
    ("tensor", "matrix"): "tensor of inertia of the link about its origin",
    ("RJ", "matrix"): "rotation of the joint's frame in the predecessor",
    ("pJ", "vector"): "position of the joint's frame in the predecessor",
    ("RF", "matrix"): "rotation of the file's frame of the link in that of the link",
    ("pF", "vector"): "position of the file's frame of the link in that of the link",
    ("RN", "matrix"): "rotation of a named frame in that of its link, frames by number",
    ("pN", "vector"): "position of a named frame in that of its link, frames by number",
    ("G", ""): "rate of the joint per unit rate of its coordinate, on which it depends by a loop",
    ("multiplier", ""): "position of the joint = multiplier * its coordinate + offset",
    ("offset", ""): "see multiplier",
    ("pitch", ""): "how far the helical joint slides as it turns [m/rad]",
    ("armature", ""): "inertia of the rotor, coordinates by number",
    ("damping", ""): "viscous friction, coordinates by number",
    ("friction", ""): "dry friction, coordinates by number",
    ("stiffness", ""): "stiffness of springs, coordinates by number",
    ("rest", ""): "position at which springs do not pull, coordinates by number",
    ("R", "matrix"): "rotation of the link in its predecessor",
    ("p", "vector"): "position of the link's origin in its predecessor",
    ("S", "matrix"): "second moments of mass about the origin, tr(tensor) / 2 - tensor",
    ("f", "force"): "force through the joint",
    ("h", "vector"): "moment of mass beyond the joint",
    ("I", "matrix"): "tensor of inertia of all beyond the joint, about the link's origin",
    ("net", "force"): "net force on the link, less the external one",
    ("Ia", "matrix"): "blocks J, B, M of IA - U U' / D",
    ("pa", "force"): "pA + U u / D",
    ("g", ""): "u / D",
    ("qdd", ""): "acceleration of the joint",
    ("g", "vector"): "gravity, link coordinates",
    ("h", "force"): "momentum of all beyond the joint [n; f]",
    ("momentum", "vector"): "linear momentum of all beyond the joint",
    ("point", "vector"): "point of the plane",
    ("b", "motion"): "acceleration of the base, in the coordinates of the link",
    ("RC", "matrix"): "rotation of the link in the frame where the chain of joints begins",
    ("pC", "vector"): "position of the link's origin in the frame where the chain begins",
    ("J", "row"): "row of the Jacobian of the contacts, rows by number",
    ("Y", "row"): "row of J by the factor of H = L' D L, L^-T J'",
    ("A", "row"): "row of Delassus' matrix, with damping, the identity where a row is open",
    ("b", ""): "acceleration of a row of the contacts where no coordinate accelerates",
    ("x", ""): "entry of the solution of L x = b, rows by number",
    ("y", ""): "entry of the solution of L' y = b, rows by number",
    ("v", "vector"): "velocity of the link's origin, in the axes of the base",
    ("twice_w", "vector"): "2 w",
    ("twice_pd", "vector"): "twice the velocity of the link's origin relative to the predecessor's",
    ("P", ""): "entries of the inverse inertia that the contacts leave",
}

_MORE = {
    ("mass", ""): ("kg", ""),
    ("moment", "vector"): ("kg m", ""),
    ("tensor", "matrix"): ("kg m^2", _BOOK + "2.13"),
    ("RJ", "matrix"): ("", _BOOK + "4.2, X_T"),
    ("pJ", "vector"): ("m", _BOOK + "4.2, X_T"),
    ("pF", "vector"): ("m", ""),
    ("pN", "vector"): ("m", ""),
    ("armature", ""): ("kg m^2 or kg", _BOOK + "9.6"),
    ("damping", ""): ("N m s/rad or N s/m", ""),
    ("friction", ""): ("N m or N", ""),
    ("stiffness", ""): ("N m/rad or N/m", ""),
    ("rest", ""): ("rad or m", ""),
    ("theta", ""): ("rad", ""),
    ("R", "matrix"): ("", _BOOK + "4.4, lambda(i)_X_i"),
    ("p", "vector"): ("m", _BOOK + "4.4, lambda(i)_X_i"),
    ("E", "matrix"): ("", ""),
    ("r", "vector"): ("m", ""),
    ("w", "vector"): ("rad/s", _KHALIL),
    ("wd", "vector"): ("rad/s^2", _KHALIL),
    ("Omega", "matrix"): ("1/s^2", _KHALIL + ", U"),
    ("a", "vector"): ("m/s^2", _KHALIL),
    ("v", "motion"): (_MOTION, _BOOK + "2.2"),
    ("a", "motion"): ("rad/s^2, m/s^2", _BOOK + "2.11"),
    ("S", "matrix"): ("kg m^2", ""),
    ("net", "force"): (_FORCE, _KHALIL + ", F and N"),
    ("fx", "force"): (_FORCE, _BOOK + "table 5.1"),
    ("f", "force"): (_FORCE, _BOOK + "table 5.1"),
    ("m", ""): ("kg", _BOOK + "6.2"),
    ("h", "vector"): ("kg m", _BOOK + "6.2"),
    ("I", "matrix"): ("kg m^2", _BOOK + "6.2"),
    ("F", "force"): ("", _BOOK + "table 6.2"),
    ("IA", "matrix"): (_INERTIA, _BOOK + "7.1"),
    ("pA", "force"): (_FORCE, _BOOK + "7.1"),
    ("U", "force"): ("", _BOOK + "table 7.1"),
    ("u", ""): ("N m or N", _BOOK + "table 7.1"),
    ("Ia", "matrix"): (_INERTIA, _BOOK + "table 7.1"),
    ("pa", "force"): (_FORCE, _BOOK + "table 7.1"),
    ("qdd", ""): ("rad/s^2 or m/s^2", ""),
    ("G", ""): ("", _BOOK + "8.8"),
    ("d", ""): ("", _BOOK + "table 7.1, or 6.5 of rows of H"),
    ("L", ""): ("", _BOOK + "6.5"),
    ("x", ""): ("", _BOOK + "table 6.5"),
    ("y", ""): ("", _BOOK + "table 6.5"),
    ("g", "vector"): ("m/s^2", ""),
    ("h", "force"): ("N m s, N s", ""),
    ("momentum", "vector"): ("N s", ""),
    ("point", "vector"): ("m", ""),
    ("b", "motion"): ("rad/s^2, m/s^2", ""),
    ("v", "vector"): ("m/s", ""),
    ("twice_w", "vector"): ("rad/s", ""),
    ("twice_pd", "vector"): ("m/s", ""),
}
"""Units and sources."""


def glossary(quantities: Iterable[Quantity]) -> list[tuple[str, str]]:
    """The symbols of quantities in the order in which they come, and what each means."""
    known = {**MEANINGS, **_ONLY_HERE}
    symbols = dict.fromkeys(map(_key, quantities))
    return [(symbol, _described(known, (symbol, kind))) for symbol, kind in symbols]


def _described(known: dict[tuple[str, str], str], key: tuple[str, str]) -> str:
    unit, source = _MORE.get(key, ("", ""))
    parts = [known[key], f" [{unit}]" if unit else "", f" ({source})" if source else ""]
    return "".join(parts)


def _key(quantity: Quantity) -> tuple[str, str]:
    """A quantity's symbol and kind."""
    found = _SYMBOL.match(quantity.name)
    assert found is not None
    return found[0], _KINDS[quantity.labels[0]]


def conventions(names: Iterable[str]) -> Iterator[str]:
    """Yields the rules of names, in paragraphs."""
    yield (
        "Link 0 is the base. Quantities are in the coordinates of their link, whose z is the axis "
        "of its joint: not the frame of the file, if that has another axis."
    )
    yield (
        "Entries are x, y, z; of motions wx to vz, angular first; of forces nx to fz, moment "
        "first; of tensors xx, xy, xz, yy, yz, zz. Those that are 0 whatever the state are left "
        "out of sums."
    )
    if any(re.search(r"_p\d", name) for name in names):
        yield "w2_p1 is the derivative of w2 by parameters[1]."
    if any("_in" in name for name in names):
        yield "A name with _in1 is the quantity in the coordinates of link 1."
    if any(re.search(r"\d_\d+$", name) for name in names):
        yield (
            "A second number is that of a column (L3_1) or of a link (F3_3), or tells quantities "
            "of one name apart (f2_2)."
        )
