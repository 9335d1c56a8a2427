"""Reads what closes the loops of a robot from the `<equality>` of an MJCF beside its description.

Bodies, joints and sites are those of the MJCF; bodies and joints have the names of links and joints
of the description, and their frames. `<connect>` and `<weld>` close where the robot is at zero.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import NoReturn

from robcogen_ros.errors import ModelError, Problem
from robcogen_ros.formats import located_xml, quaternion
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.source import Source
from robcogen_ros.model import number
from robcogen_ros.model.closures import closing_frames
from robcogen_ros.model.description import (
    Description,
    FrameDescription,
    LoopDescription,
    LoopsDescription,
    Mimic,
)
from robcogen_ros.model.expression import expression
from robcogen_ros.model.names import nearest
from robcogen_ros.model.spatial import Matrix3, Pose, Vector

_READ = ("connect", "weld", "joint")
_HERE = Pose().map(expression)
_Place = tuple[str, Pose]


def with_equalities(description: Description, text: Source) -> Description:
    """A description with the equalities of an MJCF, and the frames that they add.

    Raises:
        ModelError: If the file is wrong.
    """
    return _Reading(description, located_xml.parse(text)).description()


class _Reading:
    def __init__(self, description: Description, root: Element) -> None:
        if root.tag != "mujoco":
            message = f"expected <mujoco> or a YAML file, found <{root.tag}>"
            raise ModelError.at(root.location, message)
        self.root, self.found = root, description
        moved = {joint.child for joint in description.joints}
        self.base = next(link.name for link in description.links if link.name not in moved)
        self.at_zero = {self.base: _HERE}
        pending = [self.base]
        while pending:
            parent = pending.pop()
            for joint in description.joints:
                if joint.parent == parent and joint.child not in self.at_zero:
                    pose = self.at_zero[parent] @ joint.pose.map(expression)
                    self.at_zero[joint.child] = pose
                    pending.append(joint.child)
        self.sites = {
            site.attributes.get("name", ""): (body, site)
            for body in root.walk()
            if body.tag in ("body", "worldbody")
            for site in body.all("site")
        }

    def description(self) -> Description:
        """The description with what the equalities say."""
        elements = [
            element
            for equality in self.root.all("equality")
            for element in equality.children
            if element.attributes.get("active", "true") != "false"
        ]
        loops: list[LoopDescription] = []
        for number_, element in enumerate(elements, 1):
            if element.tag not in _READ:
                message = f"<{element.tag}> is not read, only {', '.join(_READ)}"
                raise ModelError.at(element.location, message)
            if element.tag == "joint":
                self._follow(element)
            else:
                loops.append(self._loop(element, element.attributes.get("name", f"loop{number_}")))
        if not elements:
            raise ModelError.at(self.root.location, "expected an <equality>, found none")
        names = {joint.name for joint in self.found.joints if joint.motion}
        driven = {
            each.attributes["joint"]: each.attribute_location("joint")
            for group in self.root.all("actuator")
            for each in group.children
            if each.attributes.get("joint") in names
        }
        whole = self.root.source.whole
        closing = LoopsDescription(tuple(loops), tuple(driven.items()), True, location=whole)
        files = (*self.found.files, *self.root.source.files)
        return replace(self.found, loops=closing if loops else None, files=files)

    def _loop(self, element: Element, name: str) -> LoopDescription:
        """Two frames on links, which are at one place where the robot is at zero, or sites."""
        given = element.attributes
        if "site1" in given and "site2" in given:
            first, second = (self._site(element, f"site{k}") for k in (1, 2))
        else:
            first, second = (self._body(element, f"body{k}") for k in (1, 2))
            if element.tag == "connect":
                if "anchor" not in given:
                    raise ModelError.at(element.location, "anchor expected, found none")
                first = first[0], replace(_HERE, translation=self._vector(element, "anchor"))
            elif any(entries := self._numbers(element, "relpose", 7, "0 0 0 0 0 0 0")[3:]):
                first = first[0], self._pose(element, "relpose", entries)
        if first[0] == second[0]:
            message = f"both ends of loop '{name}' are on link '{first[0]}'"
            raise ModelError.at(element.location, message)
        if "site1" not in given and not any(self._numbers(element, "relpose", 7, "0 " * 7)[3:]):
            back = self.at_zero[second[0]].inverse()
            second = second[0], back @ self.at_zero[first[0]] @ first[1]
        names = closing_frames(name)
        ends = zip(names, (first, second), strict=True)
        added = (FrameDescription(n, *end, element.location) for n, end in ends)
        self.found = replace(self.found, frames=(*self.found.frames, *added))
        fixed = "point" if element.tag == "connect" else "all"
        return LoopDescription(name, names, fixed, element.location)

    def _follow(self, element: Element) -> None:
        """Makes a joint follow another by a linear function."""
        joints = {joint.name: joint for joint in self.found.joints}
        names = [element.attributes.get(f"joint{k}", "") for k in (1, 2)]
        for k, name in enumerate(names, 1):
            if name not in joints:
                message = f"there is no joint '{name}'{nearest(name, joints)}"
                raise ModelError.at(element.attribute_location(f"joint{k}"), message)
        coefficients = self._numbers(element, "polycoef", 5, "0 1 0 0 0")
        if any(coefficients[2:]):
            message = "polycoef: expected a linear function, the last three numbers being 0"
            raise ModelError.at(element.attribute_location("polycoef"), message)
        follower = joints[names[0]]
        offset, ratio = (expression(number.number(str(x))) for x in coefficients[:2])
        mimic = Mimic(names[1], ratio, offset)
        if follower.mimic not in (None, mimic):
            message = f"joint '{follower.name}' follows joint '{follower.mimic.leader}' otherwise"
            raise ModelError.at(element.location, message)
        followed = replace(follower, mimic=mimic)
        changed = tuple(followed if j is follower else j for j in self.found.joints)
        self.found = replace(self.found, joints=changed)

    def _body(self, element: Element, key: str) -> _Place:
        name = element.attributes.get(key, "world")
        return self._link(name, element, key), _HERE

    def _link(self, name: str, element: Element, key: str) -> str:
        if name in self.at_zero:
            return name
        if name == "world":
            return self.base
        message = f"the robot has no link '{name}'{nearest(name, self.at_zero)}"
        raise ModelError.at(element.attribute_location(key), message)

    def _site(self, element: Element, key: str) -> _Place:
        name = element.attributes[key]
        if name not in self.sites:
            message = f"there is no site '{name}'{nearest(name, self.sites)}"
            raise ModelError.at(element.attribute_location(key), message)
        body, site = self.sites[name]
        link = self._link(body.attributes.get("name", "world"), site, "name")
        turned = [
            word for word in ("euler", "axisangle", "xyaxes", "zaxis") if word in site.attributes
        ]
        if turned and element.tag == "weld":
            message = f"{turned[0]} of a site is not read; write quat"
            raise ModelError.at(site.attribute_location(turned[0]), message)
        rotation = self._rotation(self._numbers(site, "quat", 4, "1 0 0 0"), site, "quat")
        return link, Pose(rotation, self._vector(site, "pos"))

    def _pose(self, element: Element, key: str, turned: list[Decimal]) -> Pose:
        place = self._numbers(element, key, 7, "")[:3]
        translation = Vector(*(expression(number.number(str(x))) for x in place))
        return Pose(self._rotation(turned, element, key), translation)

    def _rotation(self, wxyz: list[Decimal], element: Element, key: str) -> Matrix3:
        if not any(wxyz):
            self._fail(element, key, "expected a quaternion, found zeros")
        return quaternion.rotation([*wxyz[1:], wxyz[0]]).map(expression)

    def _vector(self, element: Element, key: str) -> Vector:
        entries = self._numbers(element, key, 3, "0 0 0")
        return Vector(*(expression(number.number(str(x))) for x in entries))

    def _numbers(self, element: Element, key: str, count: int, default: str) -> list[Decimal]:
        """Numbers of an attribute; of fewer than `count` polynomial coefficients the rest is 0."""
        words = element.attributes.get(key, default).split()
        try:
            found = [Decimal(word) for word in words]
        except InvalidOperation:
            found = []
        if key == "polycoef":
            found += [Decimal()] * (count - len(found))
        if len(found) != count or not all(x.is_finite() and abs(x) < 10**9 for x in found):
            self._fail(element, key, f"expected {count} numbers, found '{' '.join(words)}'")
        return found

    def _fail(self, element: Element, key: str, message: str) -> NoReturn:
        raise ModelError([Problem(f"{key}: {message}", element.attribute_location(key))])
