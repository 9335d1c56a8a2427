"""Reads what closes loops from the `<equality>` of an MJCF, of the robot itself or beside another.

`<connect>` and `<weld>` by bodies close where the robot is as it is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from robcogen_ros.errors import ModelError
from robcogen_ros.formats import located_xml
from robcogen_ros.formats.mjcf.actuators import are_direct, driven, of_leaders
from robcogen_ros.formats.mjcf.classes import Item
from robcogen_ros.formats.mjcf.inertia import Inertias
from robcogen_ros.formats.mjcf.keyframes import key_positions
from robcogen_ros.formats.mjcf.poses import HERE, Poses
from robcogen_ros.formats.mjcf.tree import WORLD, Model
from robcogen_ros.formats.mjcf.values import Values
from robcogen_ros.formats.source import Source
from robcogen_ros.model.closures.closure import closing_frames
from robcogen_ros.model.closures.curves import composed, curve_of
from robcogen_ros.model.description import (
    Description,
    FrameDescription,
    LoopDescription,
    LoopsDescription,
    Mimic,
)
from robcogen_ros.model.mimicry import Following, followings, placed, with_followings
from robcogen_ros.model.names import nearest
from robcogen_ros.model.scalars.expression import ONE, ZERO, Expression, expression
from robcogen_ros.model.spatial import Pose

_ENDS = tuple(f"{what}{k}" for what in ("joint", "body", "site") for k in (1, 2))
_IDENTITY = (0, 1, 0, 0, 0)
_READ = ("connect", "weld", "joint")
_Place = tuple[str, Pose]


def with_equalities(description: Description, text: Source) -> Description:
    """A description with the equalities of an MJCF beside it, and the frames that they add.

    Bodies, joints and sites are those of the MJCF; bodies and joints have the names of links and
    joints of the description, and their frames.

    Raises:
        ModelError: If the file is wrong.
    """
    root = located_xml.parse(text)
    if root.tag != "mujoco":
        message = f"expected <mujoco> or a YAML file, found <{root.tag}>"
        raise ModelError.at(root.location, message)
    values = Values([])
    model = Model(root, values, Poses(values, None))
    if not model.sections["equality"]:
        raise ModelError.at(root.location, "expected an <equality>, found none")
    found = closed(description, model, placed(description, {}), {}, values)
    return replace(found, files=(*found.files, *model.files))


def closed(
    description: Description,
    model: Model,
    places: Mapping[str, Pose],
    reference: Mapping[str, Expression],
    values: Values,
) -> Description:
    """A description with the equalities of an MJCF, and the frames that they add.

    Args:
        description: The robot, without what closes its loops.
        model: The MJCF.
        places: Where each link is as it is written.
        reference: Positions of joints as they are written [rad or m], where not zero.
        values: Reads numbers.

    Raises:
        ModelError: If the file is wrong.
    """
    reading = _Reading(description, model, places, reference, values)
    return reading.description()


class _Reading:
    def __init__(
        self,
        description: Description,
        model: Model,
        places: Mapping[str, Pose],
        reference: Mapping[str, Expression],
        values: Values,
    ) -> None:
        self.found, self.model, self.places = description, model, places
        self.reference, self.values = reference, values
        self.base = next(iter(places))
        inertias = Inertias(values, Poses(values, None))
        self.sites = {
            part.item.attributes.get("name", ""): (body.name, part, inertias.pose(part))
            for body in model.world.walk()
            for part in body.all("site")
        }

    def description(self) -> Description:
        """The description with what the equalities say."""
        loops: list[LoopDescription] = []
        by_sites = False
        for number, element in enumerate(self.model.sections["equality"], 1):
            if not self.values.flag(element, "active", True) or self._is_elsewhere(element):
                continue
            if self._is_held(element):
                continue
            if element.tag not in _READ:
                message = f"<{element.tag}> is not read, only {', '.join(_READ)}"
                raise ModelError.at(element.location, message)
            if element.tag == "joint":
                self._follow(element)
            else:
                loops.append(self._loop(element, element.attributes.get("name", f"loop{number}")))
                by_sites |= "site1" in element.attributes
            if any(problem.severity == "error" for problem in self.values.problems):
                raise ModelError(self.values.problems)
        names = {joint.name: joint for joint in self.found.joints if joint.motion}
        motors = driven(self.model.sections["actuator"], names)
        joints, motors = of_leaders(self.found.joints, motors, self.values)
        self.found = replace(self.found, joints=joints)
        if not loops:
            if not motors or not are_direct(self.model.sections["actuator"]):
                return self.found
            return replace(self.found, motors=tuple(motors), has_others=False)
        independent = tuple((n, i.attribute_location("joint")) for n, i in motors.items())
        at = {name: float(x) for name, x in self.reference.items() if name in names}
        if by_sites:
            at |= key_positions(self.model, names, self.values)
        positions = tuple((name, x, None) for name, x in at.items())
        whole = self.model.root.source.whole
        closing = LoopsDescription(tuple(loops), independent, True, positions, whole)
        return replace(self.found, loops=closing, motors=tuple(motors))

    def _is_elsewhere(self, element: Item) -> bool:
        """Returns True if all that an equality names belongs to other trees of the file."""
        here = {joint.name for joint in self.found.joints} | {*self.places}
        there = {part.item.attributes.get("name", "") for part in self.model.joints()}
        there |= {body.name for body in self.model.world.walk()}
        named = [element.attributes[key] for key in _ENDS if key in element.attributes]
        named = [self.sites[name][0] if name in self.sites else name for name in named]
        return bool(named) and all(name in there - here for name in named)

    def _is_held(self, element: Item) -> bool:
        """Returns True, with a note, if an equality is to a body that users place."""
        moved = {
            b.name for b in self.model.world.walk() if b.item.attributes.get("mocap") == "true"
        }
        for key in _ENDS:
            name = element.attributes.get(key, "")
            body = self.sites[name][0] if key.startswith("site") and name in self.sites else name
            if body in moved and not key.startswith("joint"):
                message = (
                    f"<{element.tag}> is left out: body '{body}' is where a simulation puts it"
                )
                self.values.warn(element, key, f"{message} (mocap), which is no part of the robot")
                return True
        return False

    def _loop(self, element: Item, name: str) -> LoopDescription:
        """Two frames on links, which are at one place as the robot is written, or sites."""
        given = element.attributes
        turned = any(self.values.numbers(element, "relpose", 7, "0 0 0 0 0 0 0")[3:])
        if "site1" in given and "site2" in given:
            first, second = (self._site(element, f"site{k}") for k in (1, 2))
        else:
            first, second = (self._body(element, f"body{k}") for k in (1, 2))
            if element.tag == "connect":
                if "anchor" not in given:
                    raise ModelError.at(element.location, "anchor expected, found none")
                anchor = self.values.vector(element, "anchor")
                first = first[0], replace(HERE, translation=anchor)
            elif turned:
                first = first[0], self._relative(element)
        if first[0] == second[0]:
            message = f"both ends of loop '{name}' are on link '{first[0]}'"
            raise ModelError.at(element.location, message)
        if "site1" not in given and not turned:
            back = self.places[second[0]].inverse()
            second = second[0], back @ self.places[first[0]] @ first[1]
        own = {frame.name: frame.link for frame in self.found.frames}
        names = list(closing_frames(name))
        for k, end in enumerate((first, second)):
            if own.get(site := given.get(f"site{k + 1}", "")) == end[0]:
                names[k] = site
            else:
                added = FrameDescription(names[k], *end, element.location)
                self.found = replace(self.found, frames=(*self.found.frames, added))
        fixed = "point" if element.tag == "connect" else "all"
        return LoopDescription(name, (names[0], names[1]), fixed, element.location)

    def _follow(self, element: Item) -> None:
        """Makes a joint follow another by a linear function, or stay where it is."""
        joints = {joint.name: joint for joint in self.found.joints}
        names = [element.attributes[k] for k in ("joint1", "joint2") if k in element.attributes]
        for k, name in enumerate(names or [""], 1):
            if name not in joints:
                message = f"there is no joint '{name}'{nearest(name, joints)}"
                raise ModelError.at(element.attribute_location(f"joint{k}"), message)
        given = self.values.some(element, "polycoef", 5, "0 1")
        powers = tuple(map(expression, [*given, *_IDENTITY[len(given) :]]))
        powers = (powers[0] + self.reference.get(names[0], ZERO), *powers[1:])
        if len(names) == 1:
            held = followings(self.found, {names[0]: powers[0]})
            self.found = with_followings(self.found, held)
            return
        follower, leader = joints[names[0]], names[1]
        powers = composed(powers, Following(leader, ONE, -self.reference.get(leader, ZERO)))
        mimic = Mimic(leader, powers[1], powers[0]) if len(powers) == 2 else None
        curves = {closure.dependent[0]: closure for closure in self.found.closures}
        leads = {name: closure.leader for name, closure in curves.items()}
        leads |= {each.name: each.mimic.leader for each in joints.values() if each.mimic}
        if follower.name in curves or follower.mimic not in (None, mimic):
            message = f"joint '{follower.name}' follows joint '{leads[follower.name]}' otherwise"
            raise ModelError.at(element.location, message)
        chain = [leader]
        while (above := leads.get(chain[-1])) and above not in chain:
            chain.append(above)
        if follower.name in chain:
            message = f"joint '{leader}' follows joint '{follower.name}'"
            raise ModelError.at(element.location, f"{message}, so that cannot follow it too")
        if mimic is None:
            name = element.attributes.get("name", follower.name)
            curve = curve_of(name, follower.name, leader, powers, element.location)
            self.found = replace(self.found, closures=(*self.found.closures, curve))
            return
        followed = replace(follower, mimic=mimic)
        changed = tuple(followed if j is follower else j for j in self.found.joints)
        self.found = replace(self.found, joints=changed)

    def _body(self, element: Item, key: str) -> _Place:
        name = element.attributes.get(key, WORLD)
        return self._link(name, element, key), HERE

    def _link(self, name: str, element: Item, key: str) -> str:
        if name in self.places:
            return name
        if name == WORLD and not self.found.floating_base:
            return self.base
        there = {body.name for body in self.model.world.walk()}
        message = f"the robot has no link '{name}'{nearest(name, self.places)}"
        if (name in there and WORLD in self.places) or self.found.floating_base:
            message = f"body '{name}' is of another tree of the file; loops are those of one tree"
        raise ModelError.at(element.attribute_location(key), message)

    def _site(self, element: Item, key: str) -> _Place:
        name = element.attributes.get(key, "")
        if name not in self.sites:
            message = f"there is no site '{name}'{nearest(name, self.sites)}"
            raise ModelError.at(element.attribute_location(key), message)
        body, part, pose = self.sites[name]
        return self._link(body, part.item, "name"), pose

    def _relative(self, element: Item) -> Pose:
        """The pose of the second body in the first that a weld keeps."""
        x, y, z, *turn = self.values.numbers(element, "relpose", 7)
        quat = " ".join(map(str, turn))
        as_placed = element.changed({"quat": quat, "pos": f"{x} {y} {z}"})
        return Poses(self.values, None).pose(as_placed, self.model.settings)
