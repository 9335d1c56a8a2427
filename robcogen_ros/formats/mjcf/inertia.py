"""Inertia of bodies of an MJCF: as it is written, or of geoms of simple shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np

from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.mjcf.poses import HERE, ORIENTATIONS, Poses, turned_onto, unit
from robcogen_ros.formats.mjcf.tree import Body, Placed
from robcogen_ros.formats.mjcf.values import Values, vector
from robcogen_ros.formats.written import about_center
from robcogen_ros.model.description import Inertial
from robcogen_ros.model.scalars.expression import PI, Expression, expression
from robcogen_ros.model.scalars.operation import is_zero, sqrt
from robcogen_ros.model.spatial import Pose, SpatialInertia, Symmetric3, Vector

_NONE = SpatialInertia().map(expression)
_Moments = tuple[Expression, Expression, Expression]
_LEAST = 1e-14
"""The least moment that MuJoCo takes [kg m^2]."""
_MASSLESS = ("plane", "hfield")
_SIZES = {"sphere": 1, "capsule": 2, "ellipsoid": 3, "cylinder": 2, "box": 3}
"""Number of sizes of a shape; of those between two points, the first is given."""
_ALONG = ("capsule", "ellipsoid", "cylinder", "box")
_FORMS = (*_SIZES, *_MASSLESS, "mesh", "sdf")


class Inertias:
    """Reads the inertia of bodies."""

    def __init__(self, values: Values, poses: Poses) -> None:
        self._values = values
        self._poses = poses

    def of(self, body: Body, moves: bool) -> Inertial | None:
        """The inertia of a body; None if it has no mass.

        Args:
            body: The body.
            moves: Whether it moves: what has no inertia that can be read is an error then.
        """
        written, way = body.all("inertial"), body.settings.from_geoms
        if len(written) > 1:
            self._values.fail(
                written[1].item, "mass", "a body has one inertial, this is the second"
            )
        if written and way != "true":
            return self._written(written[0])
        return None if way == "false" else self._of_geoms(body, moves)

    def _written(self, part: Placed) -> Inertial:
        item, values = part.item, self._values
        for key in ("pos", "mass"):
            if key not in item.attributes:
                values.fail(item, key, "expected, found none")
        pose = self._poses.pose(item, part.settings)
        if "fullinertia" in item.attributes:
            xx, yy, zz, xy, xz, yz = values.numbers(item, "fullinertia", 6, "1 1 1 0 0 0")
            turned = [key for key in (*ORIENTATIONS, "diaginertia") if key in item.attributes]
            if turned:
                values.fail(item, turned[0], "there is fullinertia too; leave out one of them")
            full = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], float)
            if (least := np.linalg.eigvalsh(full)[0]) < _LEAST:
                message = f"a body's moments are positive, the least of these is {least:.3g}"
                values.fail(item, "fullinertia", message)
                xx = yy = zz = Decimal(1)
                xy = xz = yz = Decimal()
        else:
            xx, yy, zz = values.numbers(item, "diaginertia", 3, "0 0 0")
            xy = xz = yz = Decimal()
            if "diaginertia" not in item.attributes:
                values.fail(item, "diaginertia", "expected, or fullinertia, found none")
        tensor = Symmetric3(*(expression(x) for x in (xx, xy, xz, yy, yz, zz)))
        mass = expression(values.one(item, "mass", "0", 0))
        center = Vector().map(expression)
        return Inertial(mass, center, tensor, True, pose, location=item.location)

    def _of_geoms(self, body: Body, moves: bool) -> Inertial | None:
        low, high = body.settings.groups
        total = _NONE
        for part in body.all("geom"):
            if low <= self._values.one(part.item, "group", "0") <= high:
                total = total + self._of_geom(part, moves)
        if is_zero(total.mass):
            return None
        mass, center, tensor = about_center(total)
        pose = replace(HERE, translation=center.map(expression))
        plain = tensor.map(expression)
        place = body.item.location
        return Inertial(expression(mass), HERE.translation, plain, True, pose, location=place)

    def _of_geom(self, part: Placed, moves: bool) -> SpatialInertia:
        item, values = part.item, self._values
        form = self.form(item)
        mass = values.one(item, "mass", "0", 0) if "mass" in item.attributes else None
        density = values.one(item, "density", "1000")
        if form in _MASSLESS or (not density if mass is None else not mass):
            return _NONE
        if form not in _SIZES or "mesh" in item.attributes:
            message = (
                "the inertia of a mesh is not read; give its body an <inertial>, which MuJoCo "
                'writes (docs/mjcf.md has the command), or the geom mass="0" if it is only seen'
            )
            if moves:
                values.fail(item, "mesh", message)
            return _NONE
        if values.flag(item, "shellinertia"):
            values.fail(item, "shellinertia", "shells are not read; give the body an <inertial>")
            return _NONE
        sizes, pose = self.sizes(part, form), self.pose(part)
        volume, moments = _solid(form, sizes)
        whole = expression(density) * volume if mass is None else expression(mass)
        if not is_zero(volume):
            zero = expression(0)
            xx, yy, zz = (whole * moment for moment in moments)
            tensor = Symmetric3(xx, zero, zero, yy, zero, zz)
            return pose.inertia(SpatialInertia(whole, HERE.translation, tensor))
        return _NONE

    def form(self, item: Element) -> str:
        """Returns the form of a geom; one that names a mesh is a mesh."""
        default = "mesh" if "mesh" in item.attributes else "sphere"
        return self._values.word(item, "type", _FORMS, default)

    def sizes(self, part: Placed, form: str) -> tuple[Expression, ...]:
        """Radii and half lengths of a simple shape."""
        count = _SIZES[form]
        if "fromto" in part.item.attributes and form in _ALONG:
            first = self._values.some(part.item, "size", 3, "0")[:1]
            half = self._ends(part)
            wide = [expression(x) for x in first]
            sizes = [*wide, *(wide if count == 3 else []), sqrt(half.dot(half))]
        else:
            sizes = [expression(x) for x in self._values.some(part.item, "size", 3, "0 0 0")]
        found = sizes[:count]
        if len(found) < count or any(float(size) <= 0 for size in found):
            text = part.item.attributes.get("size", "")
            article = "an" if form == "ellipsoid" else "a"
            expected = f"expected {count} positive numbers for {article} {form}"
            self._values.fail(part.item, "size", f"{expected}, found '{text}'")
            return tuple(expression(1) for _ in range(count))
        return tuple(map(expression, found))

    def pose(self, part: Placed) -> Pose:
        """The pose of a geom or site in its body."""
        if "fromto" not in part.item.attributes:
            return part.frame @ self._poses.pose(part.item, part.settings)
        half = self._ends(part)
        entries = self._values.numbers(part.item, "fromto", 6, "0 0 0 0 0 1")
        middle = vector(entries[:3]) + half
        rotation = HERE.rotation if all(map(is_zero, half)) else turned_onto(unit(half))
        return part.frame @ Pose(rotation, middle).map(expression)

    def _ends(self, part: Placed) -> Vector:
        """Half of the way from one end of a geom to the other."""
        entries = self._values.numbers(part.item, "fromto", 6, "0 0 0 0 0 1")
        way = vector(entries[3:]) - vector(entries[:3])
        half: Vector = way * (expression(1) / 2)
        return half


def _solid(form: str, sizes: Sequence[Expression]) -> tuple[Expression, _Moments]:
    """The volume of a solid, and its moments about its center for a unit of mass."""
    r, h = sizes[0], sizes[-1]
    rr, hh = r * r, h * h
    if form == "sphere":
        return PI * rr * r * 4 / 3, (rr * 2 / 5,) * 3
    if form == "cylinder":
        across = rr / 4 + hh / 3
        return PI * rr * h * 2, (across, across, rr / 2)
    if form == "capsule":
        volume = PI * rr * (r * 4 / 3 + h * 2)
        ends = r * 4 / (r * 4 + h * 6)
        middle = expression(1) - ends
        across = middle * (rr / 4 + hh / 3) + ends * (rr * 2 / 5 + hh + h * r * 3 / 4)
        return volume, (across, across, middle * rr / 2 + ends * rr * 2 / 5)
    aa, bb, cc = (size * size for size in sizes)
    part = expression(1) / (3 if form == "box" else 5)
    volume = sizes[0] * sizes[1] * sizes[2] * (8 if form == "box" else PI * 4 / 3)
    return volume, ((bb + cc) * part, (aa + cc) * part, (aa + bb) * part)
