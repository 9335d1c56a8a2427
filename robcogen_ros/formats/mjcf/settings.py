"""Settings in the `<compiler>` of an MJCF, by which the rest is read."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.mjcf.classes import Item
from robcogen_ros.formats.mjcf.values import Values


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings by which a document is read.

    Attributes:
        degrees: Whether angles are in degrees.
        eulerseq: The axes of euler, small where they turn with the body.
        autolimits: Whether a range limits, where nothing else is said.
        from_geoms: Whether geoms give inertia: "true", "false", or "auto" where nothing else does.
        groups: The least and greatest group of geoms that do.
        total_mass: What all bodies weigh together [kg]; None as they are.
        least_mass: No body is lighter [kg].
        least_inertia: No moment is smaller [kg m^2].
        balance: Whether moments that no body has are replaced by their mean.
        meshes: The folder of meshes.
        element: The settings as an element.
    """

    degrees: bool
    eulerseq: str
    autolimits: bool
    from_geoms: str
    groups: tuple[Decimal, Decimal]
    total_mass: Decimal | None
    least_mass: Decimal
    least_inertia: Decimal
    balance: bool
    meshes: Path
    element: Element


def settings(root: Element, values: Values) -> Settings:
    """The settings of a document; what comes later wins."""
    found = root.all("compiler")
    merged = Item("compiler", {}, root.source, root.offset)
    merged.attributes = {key: text for each in found for key, text in each.attributes.items()}
    merged.origins = {key: each for each in found for key in each.attributes}
    if values.word(merged, "coordinate", ("local", "global"), "local") == "global":
        values.fail(merged, "coordinate", "expected local, which is all that MuJoCo has today")
    low, high = values.numbers(merged, "inertiagrouprange", 2, "0 5")
    total = values.one(merged, "settotalmass", "-1")
    given = merged.attributes
    return Settings(
        values.word(merged, "angle", ("degree", "radian"), "degree") == "degree",
        _sequence(merged, values),
        values.flag(merged, "autolimits", True),
        values.word(merged, "inertiafromgeom", ("true", "false", "auto"), "auto"),
        (low, high),
        total if total > 0 else None,
        values.one(merged, "boundmass", "0", 0),
        values.one(merged, "boundinertia", "0", 0),
        values.flag(merged, "balanceinertia"),
        Path(*root.source.files[:1]).parent / given.get("meshdir", given.get("assetdir", "")),
        merged,
    )


def _sequence(element: Element, values: Values) -> str:
    text = element.attributes.get("eulerseq", "xyz")
    if len(text) == 3 and set(text.lower()) <= set("xyz"):
        return text
    values.fail(element, "eulerseq", f"expected three of the letters x, y, z, found '{text}'")
    return "xyz"
