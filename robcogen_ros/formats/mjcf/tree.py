"""The bodies of an MJCF, frames, copies and attached models resolved."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from robcogen_ros.errors import ModelError, Problem
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.mjcf.classes import Classes, Item
from robcogen_ros.formats.mjcf.included import ROOT, Included, read_named
from robcogen_ros.formats.mjcf.poses import HERE, Poses
from robcogen_ros.formats.mjcf.schema import misspelt
from robcogen_ros.formats.mjcf.settings import Settings, settings
from robcogen_ros.formats.mjcf.values import Values
from robcogen_ros.model.names import nearest
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.model.spatial import Pose

WORLD = "world"
_PLACED = ("geom", "site", "camera", "joint", "freejoint", "inertial")
_MOST = 20_000
"""Bodies that can be worked with."""
_FREE = ["ball", "slide", "slide", "slide"]
RESISTING = ("armature", "damping", "frictionloss", "stiffness")
"""Attributes of joints that resist motion."""
_SECTIONS = ("equality", "actuator", "tendon")
_NAMED = ("body", "frame", "joint", "freejoint", "geom", "site", "camera")
REFERENCES = (
    *("body1", "body2", "joint", "joint1", "joint2", "jointinparent", "site", "site1", "site2"),
    *("body", "tendon", "tendon1", "tendon2", "cranksite", "slidersite", "refsite"),
)
"""Attributes that name another element."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An element of a body.

    Attributes:
        item: The element.
        frame: The pose of what it is written in, in the body.
        settings: How it is read.
    """

    item: Item
    frame: Pose
    settings: Settings


@dataclass(slots=True, eq=False)
class Body:
    """A body as written.

    Attributes:
        item: Its element.
        pose: Its pose in its parent.
        parts: Its joints, geoms, sites, cameras and inertial, in their order.
        bodies: The bodies that it carries.
        settings: How it is read.
    """

    item: Item
    pose: Pose
    settings: Settings
    parts: list[Placed] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name; empty if it has none."""
        return self.item.attributes.get("name", "")

    def all(self, *tags: str) -> list[Placed]:
        """Returns its parts of the given tags."""
        return [part for part in self.parts if part.item.tag in tags]

    def walk(self) -> Iterator[Body]:
        """Yields this body and those below, each before those that it carries."""
        pending = [self]
        while pending:
            body = pending.pop()
            yield body
            pending.extend(reversed(body.bodies))


class Model:
    """Model of an MJCF, its parts as they are written.

    Attributes:
        root: The root element, with what it includes.
        settings: How it is read.
        world: The world with all bodies.
        files: Every file that was read.
        sections: The elements of equality, actuator and tendon, those of attached models too.
    """

    def __init__(
        self, root: Element, values: Values, poses: Poses, above: tuple[str, ...] = ()
    ) -> None:
        """Reads a document; findings go to `values`.

        Args:
            root: Its root element.
            values: Reads numbers.
            poses: Reads poses.
            above: The files of models that attach this one.
        """
        included = Included(root)
        self.root, self.files = included.root, included.files
        self._values, self._poses, self._above = values, poses, (*above, *included.files)
        values.problems += misspelt(self.root)
        self.settings = settings(self.root, values)
        self.classes = Classes(self.root, values.problems)
        self._models: dict[str, Element] = {
            each.attributes.get("name", each.attributes.get("file", "")): each
            for asset in self.root.all("asset")
            for each in asset.all("model")
        }
        self.sections = {tag: [*self.classes.section(self.root, tag)] for tag in _SECTIONS}
        self._count = 0
        world = Item("worldbody", {"name": WORLD}, root.source, root.offset)
        self.world = Body(world, HERE, self.settings)
        for section in self.root.all("worldbody"):
            self._fill(self.world, section, HERE, "main", "")
        for body in self.world.bodies:
            self._free(body)

    def joints(self) -> Iterator[Placed]:
        """All joints, in the order of `qpos`."""
        for body in self.world.walk():
            yield from body.all("joint", "freejoint")

    def _free(self, body: Body) -> None:
        """Gives a body a free joint for three slides and a ball, which move it as that does."""
        parts, values = body.all("joint"), self._values
        if sorted(part.item.attributes.get("type", "") for part in parts) != _FREE:
            return
        axes = [
            [float(x) for x in part.frame.rotation.apply(values.vector(part.item, "axis", "0 0 1"))]
            for part in parts
            if part.item.attributes["type"] == "slide"
        ]
        elements = chain.from_iterable(self.sections.values())
        named = {value for element in elements for value in element.attributes.values()}
        if np.linalg.matrix_rank(axes) < 3 or any(
            _held(part.item, named, values) for part in parts
        ):
            return
        message = "three slides and a ball are taken for the free joint that they are"
        values.problems.append(Problem(message, parts[0].item.location, "note"))
        free = replace(parts[0], item=parts[0].item.changed({"type": "free"}))
        body.parts = [free, *(part for part in body.parts if part.item.tag != "joint")]

    def _fill(self, body: Body, holder: Element, frame: Pose, inherited: str, suffix: str) -> None:
        """Adds what stands in a body, or in a frame of it."""
        inherited = self.classes.within(holder, inherited)
        for child in holder.children:
            item = self.classes.resolved(child, inherited)
            if suffix and child.tag in _NAMED and "name" in item.attributes:
                item = item.changed({"name": item.attributes["name"] + suffix})
            if child.tag == "body":
                self._body(body, item, frame, inherited, suffix)
            elif child.tag == "frame":
                here = frame @ self._poses.pose(item, self.settings)
                self._fill(body, child, here, inherited, suffix)
            elif child.tag == "replicate":
                self._replicate(body, item, frame, inherited, suffix)
            elif child.tag == "attach":
                self._attach(body, item, frame)
            elif child.tag in _PLACED:
                body.parts.append(Placed(item, frame, self.settings))
            elif child.tag in ("flexcomp", "composite"):
                message = f"<{child.tag}> is not read: it makes bodies that bend"
                self._values.problems.append(Problem(message, child.location))

    def _body(self, above: Body, item: Item, frame: Pose, inherited: str, suffix: str) -> None:
        self._count += 1
        if self._count > _MOST:
            raise ModelError.at(item.location, f"more than {_MOST} bodies cannot be worked with")
        body = Body(item, frame @ self._poses.pose(item, self.settings), self.settings)
        above.bodies.append(body)
        self._fill(body, item, HERE, inherited, suffix)

    def _replicate(self, body: Body, item: Item, frame: Pose, inherited: str, suffix: str) -> None:
        """Copies of what stands in a `<replicate>`, each moved on from the one before."""
        count = int(self._values.one(item, "count", "1", 1))
        if count > _MOST:
            raise ModelError.at(item.attribute_location("count"), f"{count} copies are too many")
        separator, digits = item.attributes.get("sep", ""), len(str(count - 1))
        endings = [f"{suffix}{separator}{k:0{digits}d}" for k in range(count)]
        self._copy_references(item, suffix, endings)
        offset = self._values.vector(item, "offset")
        euler = self._values.numbers(item, "euler", 3, "0 0 0")
        place = HERE.translation
        for k, ending in enumerate(endings):
            turned = item.changed({"euler": " ".join(str(k * angle) for angle in euler)})
            rotation = self._poses.rotation(turned, self.settings)
            copied = frame @ Pose(rotation, place).map(expression)
            self._fill(body, item, copied, inherited, ending)
            place = place + rotation.apply(offset)

    def _copy_references(self, item: Item, suffix: str, endings: Sequence[str]) -> None:
        """Copies what refers to parts of a `<replicate>`, as MuJoCo does."""
        names = {
            part.attributes["name"] + suffix: part.attributes["name"]
            for part in item.walk()
            if part.tag in _NAMED and "name" in part.attributes
        }
        for tag, elements in self.sections.items():
            self.sections[tag] = [
                each for element in elements for each in _copies(element, names, suffix, endings)
            ]

    def _attach(self, body: Body, item: Item, frame: Pose) -> None:
        """Adds a body of another model, or its whole world."""
        name, wanted = (item.attributes.get(key, "") for key in ("model", "body"))
        asset = self._models.get(name)
        if asset is None:
            known = nearest(name, self._models)
            self._values.fail(item, "model", f"there is no model '{name}' in <asset>{known}")
            return
        root = read_named(asset, asset.source, self.root.source, "an MJCF")
        if root.tag != ROOT:
            raise ModelError.at(root.location, f"expected <mujoco>, found <{root.tag}>")
        if {*root.source.files} & {*self._above}:
            place = item.attribute_location("model")
            raise ModelError.at(place, f"model '{name}' attaches itself")
        model = Model(root, self._values, self._poses, self._above)
        self.files += model.files
        found = [each for each in model.world.walk() if each.name == wanted]
        if wanted and not found:
            known = nearest(wanted, [each.name for each in model.world.walk()])
            self._values.fail(item, "body", f"there is no body '{wanted}' in the model{known}")
            return
        self._take(model, found[0] if wanted else model.world, body, item, frame)

    def _take(self, model: Model, found: Body, body: Body, item: Item, frame: Pose) -> None:
        """Adds a body of an attached model, with what refers to parts of it."""
        prefix = item.attributes.get("prefix", "")
        names = {
            part.attributes["name"]
            for each in found.walk()
            for part in (each.item, *(p.item for p in each.parts))
            if "name" in part.attributes
        }
        for each in found.walk():
            each.item = _prefixed(each.item, prefix)
            each.parts = [replace(p, item=_prefixed(p.item, prefix)) for p in each.parts]
        if found is model.world:
            body.parts += [replace(p, frame=frame @ p.frame) for p in found.parts]
            for top in found.bodies:
                top.pose = frame @ top.pose
            body.bodies += found.bodies
        else:
            found.pose = frame @ found.pose
            body.bodies.append(found)
        for tag, items in model.sections.items():
            for element in items:
                referred = {k: v for k, v in element.attributes.items() if k in REFERENCES}
                if {*referred.values()} <= names:
                    renamed = {key: prefix + name for key, name in referred.items()}
                    self.sections[tag].append(_prefixed(element.changed(renamed), prefix))


def _held(joint: Item, named: Collection[str], values: Values) -> bool:
    """Returns True for a joint with a limit, a resistance, or something else that names it."""
    given = joint.attributes
    limited = given.get("limited", "auto") != "false" and ("range" in given or "limited" in given)
    resists = any(any(values.some(joint, key, 3)) for key in RESISTING)
    return limited or resists or given.get("name", "") in {*named} - {""}


def _copies(
    element: Item, names: Mapping[str, str], suffix: str, endings: Sequence[str]
) -> Iterator[Item]:
    """An element that refers to parts that are copied, once for each copy; itself if it does not.

    Args:
        element: The element.
        names: Names of the parts as they are referred to, and without their suffix.
        suffix: That suffix.
        endings: The suffixes of the copies.
    """
    given = element.attributes
    referred = {k: names[v] for k, v in given.items() if k in REFERENCES and v in names}
    if not referred:
        yield element
        return
    if "name" in given:
        referred["name"] = given["name"].removesuffix(suffix)
    for ending in endings:
        yield element.changed({key: name + ending for key, name in referred.items()})


def _prefixed(item: Item, prefix: str) -> Item:
    name = item.attributes.get("name")
    return item if name is None else item.changed({"name": prefix + name})
