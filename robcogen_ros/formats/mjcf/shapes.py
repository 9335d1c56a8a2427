"""Shapes of bodies of an MJCF, to be seen and to collide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.mjcf.classes import Item
from robcogen_ros.formats.mjcf.inertia import Inertias
from robcogen_ros.formats.mjcf.tree import Body, Model, Placed
from robcogen_ros.formats.mjcf.values import Values
from robcogen_ros.model.description import ShapeDescription

_SEEN = 2
"""MuJoCo shows geoms up to this group."""
_LEFT_OUT = ("plane", "hfield", "sdf", "ellipsoid")
_COLOR = "0.5 0.5 0.5 1"


class Shapes:
    """Reads the shapes of bodies."""

    def __init__(self, model: Model, values: Values, inertias: Inertias) -> None:
        self._values, self._inertias = values, inertias
        self._meshes = {
            _mesh_name(x): x for x in model.classes.section(model.root, "asset") if x.tag == "mesh"
        }
        pairs = [x for x in model.classes.section(model.root, "contact") if x.tag == "pair"]
        self._paired = {x.attributes.get(key) for x in pairs for key in ("geom1", "geom2")}
        self._materials: Mapping[str, Item] = {
            x.attributes.get("name", ""): x
            for x in model.classes.section(model.root, "asset")
            if x.tag == "material"
        }

    def of(self, body: Body, link: str) -> Iterator[ShapeDescription]:
        """The shapes of a body: one that is seen and collides is two."""
        for part in body.all("geom"):
            form = self._inertias.form(part.item)
            if form in _LEFT_OUT or (form != "mesh" and "mesh" in part.item.attributes):
                continue
            group = self._values.one(part.item, "group", "0")
            touches = part.item.attributes.get("name", "") in self._paired or any(
                self._values.one(part.item, k, "1") for k in ("contype", "conaffinity")
            )
            for visual in (True, False):
                if (group <= _SEEN) if visual else touches:
                    yield from self._shape(part, link, form, visual)

    def _shape(
        self, part: Placed, link: str, form: str, visual: bool
    ) -> Iterator[ShapeDescription]:
        item, file, sizes = part.item, "", tuple[float, ...]()
        pose = self._inertias.pose(part)
        if form == "mesh":
            asset = self._meshes.get(item.attributes.get("mesh", ""))
            if asset is None or "file" not in asset.attributes or "refpos" in asset.attributes:
                return
            file = str(part.settings.meshes / asset.attributes["file"])
            sizes = tuple(map(float, self._values.numbers(asset, "scale", 3, "1 1 1")))
        else:
            halves = tuple(map(float, self._inertias.sizes(part, form)))
            sizes = _full(form, halves)
        yield ShapeDescription(
            link,
            visual,
            form,  # type: ignore[arg-type]
            sizes,
            pose,
            file,
            self._color(item),
            item.source.files,
            item.location,
        )

    def _color(self, item: Item) -> tuple[float, ...]:
        material = self._materials.get(item.attributes.get("material", ""))
        holder: Element = item if "rgba" in item.attributes or material is None else material
        return tuple(map(float, self._values.numbers(holder, "rgba", 4, _COLOR)))


def _mesh_name(mesh: Item) -> str:
    return mesh.attributes.get("name", Path(mesh.attributes.get("file", "")).stem)


def _full(form: str, halves: tuple[float, ...]) -> tuple[float, ...]:
    """Edges of a box, radius and length of others."""
    if form == "box":
        return tuple(2 * half for half in halves)
    return halves if len(halves) == 1 else (halves[0], 2 * halves[1])
