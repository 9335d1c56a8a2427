"""Description of a robot, made from the root element of an MJCF."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from robcogen_ros.errors import ModelError, Problem
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.mjcf import equality, outside, tendons
from robcogen_ros.formats.mjcf.actuators import with_motors
from robcogen_ros.formats.mjcf.inertia import Inertias
from robcogen_ros.formats.mjcf.joints import Joints
from robcogen_ros.formats.mjcf.masses import inertials_of
from robcogen_ros.formats.mjcf.poses import Poses
from robcogen_ros.formats.mjcf.shapes import Shapes
from robcogen_ros.formats.mjcf.tree import RESISTING, WORLD, Body, Model
from robcogen_ros.formats.mjcf.values import Values
from robcogen_ros.model.description import (
    Description,
    FrameDescription,
    LinkDescription,
    ShapeDescription,
)
from robcogen_ros.model.names import free_name, listed
from robcogen_ros.model.options import option_text
from robcogen_ros.model.spatial import Pose


def describe(
    root: Element,
    snap_angles: float | None = None,
    cut_loops: bool = False,
    link: str | None = None,
) -> Description:
    """The robot that a parsed MJCF describes.

    Args:
        root: Its root element.
        snap_angles: How near angles are taken for multiples of pi/2 [rad]; None: what a file
            rounds, see `angles`.
        cut_loops: Whether what closes a loop is left out.
        link: A link of the tree that is meant, where the file has several; None for the only one.

    Raises:
        ModelError: If it is no MJCF, or describes what is not read; all findings at once.
    """
    values = Values([])
    poses = Poses(values, snap_angles)
    model = Model(root, values, poses)
    _stop(values.problems)
    reading = _Reading(model, values, poses)
    found = reading.description(link)
    _stop(values.problems)
    if not cut_loops:
        found = equality.closed(found, model, reading.places, reading.joints.at_reference, values)
    elif model.sections["equality"]:
        place = model.sections["equality"][0].location
        values.problems.append(Problem("equalities are left out", place, "warning"))
    _stop(values.problems)
    return replace(found, warnings=(*values.problems, *poses.notes()))


def _stop(problems: list[Problem]) -> None:
    if any(problem.severity == "error" for problem in problems):
        raise ModelError([*dict.fromkeys(problems)])


class _Reading:
    """The walk through the bodies of a tree.

    Attributes:
        joints: The joints that it found.
        places: Where each link is in the root, as written.
    """

    def __init__(self, model: Model, values: Values, poses: Poses) -> None:
        self._model, self._values = model, values
        self._poses = poses
        self._inertias = Inertias(values, poses)
        self._shapes = Shapes(model, values, self._inertias)
        named = [*model.world.walk()]
        taken = {each.name for each in named}
        self._names = {id(each): each.name or free_name("body", taken) for each in named}
        self._taken = set(taken)
        joints = (part.item for each in named for part in each.all("joint"))
        self.joints = Joints(values, poses, taken | {j.attributes.get("name", "") for j in joints})
        self.places: dict[str, Pose] = {}
        self._sites: dict[str, FrameDescription] = {}

    def description(self, link: str | None) -> Description:
        """The tree that a link belongs to."""
        values, model = self._values, self._model
        values.problems += outside.outside(model, values)
        top, floats = self._tree(link)
        links: list[LinkDescription] = []
        frames: list[FrameDescription] = []
        shapes: list[ShapeDescription] = []
        bodies = [*self._walk(top)]
        moving = {id(each) for each, above in bodies if above or floats}
        inertials = inertials_of(self._model.world, moving, self._inertias, values)
        for body, above in bodies:
            name = self._names[id(body)]
            self.places[name] = self.places[above] @ body.pose if above else body.pose
            if above:
                self.joints.add(body, name, above)
                links += self.joints.links
                self.joints.links.clear()
            links.append(LinkDescription(name, inertials[id(body)], body.item.location))
            frames += self._frames(body, name)
            shapes += self._shapes.of(body, name)
            values.problems += outside.of_body(body, values)
        self.joints.doubts()
        if floats:
            self._base(top)
        joints = with_motors(self.joints.joints, model, values)
        found = Description(
            name=model.root.attributes.get("model", "") or "robot",
            links=tuple(links),
            joints=tuple(joints),
            frames=tuple(frames),
            shapes=tuple(shapes),
            floating_base=floats,
            location=model.root.location,
            files=tuple(dict.fromkeys(model.files)),
        )
        return replace(found, springs=tuple(tendons.springs(found, model, self._sites, values)))

    def _base(self, body: Body) -> None:
        """Complains of what a floating base has besides its free joint."""
        first, *others = body.all("joint", "freejoint")
        for other in others:
            message = "there is a free joint too, beside which a body has no others"
            self._values.problems.append(Problem(message, other.item.location))
        for key in RESISTING:
            if first.item.tag == "joint" and any(self._values.some(first.item, key, 3)):
                message = f"{key} of a free joint is left out; <freejoint> takes no class"
                self._values.warn(first.item, key, message)

    def _tree(self, link: str | None) -> tuple[Body, bool]:
        """The body at the root of the tree that is meant, and whether it moves freely."""
        free = [body for body in self._model.world.bodies if _free(body)]
        for body in free:
            if link in {self._names[id(each)] for each in body.walk()}:
                return body, True
        fixed = any(each.all("joint", "freejoint") for each, _ in self._walk(self._model.world))
        if link is not None or not free:
            return self._model.world, False
        if len(free) == 1 and not fixed:
            return free[0], True
        roots = [*(self._names[id(body)] for body in free), *([WORLD] if fixed else [])]
        message = f"the file has {len(roots)} trees, of {listed(roots)}: choose one by its root, "
        joints = [len([j for each in body.walk() for j in each.all("joint")]) for body in free]
        joints += [sum(len(b.all("joint")) for b, _ in self._walk(self._model.world))] * bool(fixed)
        meant = option_text("root", roots[joints.index(max(joints))])
        raise ModelError.at(free[0].item.location, message + meant)

    def _walk(self, top: Body) -> Iterator[tuple[Body, str]]:
        """The bodies of a tree, each with the name of the link that carries it."""
        pending = [(top, "")]
        while pending:
            body, above = pending.pop()
            yield body, above
            name = self._names[id(body)]
            below = (
                body.bodies if above or _free(body) else [b for b in body.bodies if not _free(b)]
            )
            pending.extend((each, name) for each in reversed(below))

    def _frames(self, body: Body, link: str) -> Iterator[FrameDescription]:
        """Sites and cameras that have names."""
        for part in body.all("site", "camera"):
            given = part.item.attributes.get("name")
            if given:
                name = f"{given}_{part.item.tag}" if given in self._taken else given
                pose, location = self._inertias.pose(part), part.item.location
                frame = FrameDescription(free_name(name, self._taken), link, pose, location)
                if part.item.tag == "site":
                    self._sites[given] = frame
                yield frame


def _free(body: Body) -> bool:
    return any(
        part.item.tag == "freejoint" or part.item.attributes.get("type") == "free"
        for part in body.all("joint", "freejoint")
    )
