"""Joints of an MJCF: none, one or several between a body and the one that carries it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from robcogen_ros.errors import Problem
from robcogen_ros.formats.mjcf.classes import Item
from robcogen_ros.formats.mjcf.poses import HERE, Poses, unit
from robcogen_ros.formats.mjcf.tree import Body, Placed
from robcogen_ros.formats.mjcf.values import Values
from robcogen_ros.formats.urdf.many_axes import with_single_axes
from robcogen_ros.model.axis import rotation_onto
from robcogen_ros.model.description import JointDescription, JointType, Limits, LinkDescription
from robcogen_ros.model.names import free_name
from robcogen_ros.model.scalars.expression import Expression, expression
from robcogen_ros.model.scalars.operation import is_zero
from robcogen_ros.model.spatial import IDENTITY, Pose, Vector, rotation_z

_TYPES = ("hinge", "slide", "ball", "free")
_WAYS, _MOST_WAYS = {"ball": 3, "free": 6}, 6
"""Degrees of freedom of joints that have not one, and how many MuJoCo gives a body."""
_SPRINGS = ("stiffness", "springdamper")


@dataclass(slots=True)
class Joints:
    """Reads the joints of bodies.

    Attributes:
        values: Reads numbers.
        poses: Reads poses.
        taken: Names of links and joints.
        links: Links without mass between the joints of a body.
        joints: The joints.
        at_reference: Positions of joints where the bodies are as written [rad or m], if not 0.
        ranges: The ranges of hinges in degrees.
    """

    values: Values
    poses: Poses
    taken: set[str]
    links: list[LinkDescription] = field(default_factory=list)
    joints: list[JointDescription] = field(default_factory=list)
    at_reference: dict[str, Expression] = field(default_factory=dict)
    ranges: list[tuple[Item, float]] = field(default_factory=list)

    def add(self, body: Body, link: str, parent: str) -> None:
        """Adds what moves a body, and the links between its joints."""
        moved, place, chain = body.pose, HERE.translation, list[JointDescription]()
        written = body.all("joint", "freejoint")
        ways = [_WAYS.get(part.item.attributes.get("type", ""), 1) for part in written]
        if sum(ways) > _MOST_WAYS:
            message = f"a body has at most {_MOST_WAYS} degrees of freedom, found {sum(ways)}"
            advice = "put a body between"
            self.values.problems.append(Problem(f"{message}; {advice}", written[-1].item.location))
        for number, part in enumerate(written, 1):
            stem = f"{link}_joint{number if len(written) > 1 else ''}"
            joint, anchor = self._joint(part, place, stem)
            pose = moved @ Pose(IDENTITY, anchor - place).map(expression) @ joint.pose
            chain.append(replace(joint, pose=pose))
            moved, place = HERE, anchor
        back = -place
        if not chain or not all(map(is_zero, back)):
            name = free_name(f"{link}_fixed", self.taken)
            pose = moved @ Pose(IDENTITY, back).map(expression)
            location = body.item.location
            chain.append(JointDescription(name, "fixed", "", "", pose, location=location))
        self._connect(chain, parent, link)

    def _connect(self, chain: Sequence[JointDescription], parent: str, link: str) -> None:
        """Adds joints that follow one another, with links without mass between them."""
        for joint in chain[:-1]:
            between = free_name(f"{joint.name}_link", self.taken)
            self.links.append(LinkDescription(between, location=joint.location))
            self._add(replace(joint, parent=parent, child=between))
            parent = between
        self._add(replace(chain[-1], parent=parent, child=link))

    def _add(self, joint: JointDescription) -> None:
        if joint.kind != "floating":
            self.joints.append(joint)
            return
        ball = LinkDescription(joint.child, location=joint.location)
        links, joints, _ = with_single_axes([ball], [joint], {joint.name: "spherical"})
        self.links += links[:-1]
        self.joints += joints

    def _joint(self, part: Placed, place: Vector, stem: str) -> tuple[JointDescription, Vector]:
        """A joint in the frame of its body, and the place that it leaves where it is.

        Args:
            part: Its element.
            place: Where the joint before it is, in the body's frame.
            stem: Its name if it has none.
        """
        item, values = part.item, self.values
        name = item.attributes.get("name", "")
        name = name or free_name(stem, self.taken)
        self.taken.add(name)
        kind = "free" if item.tag == "freejoint" else values.word(item, "type", _TYPES, "hinge")
        if kind == "free":
            message = (
                "a free joint is only possible of a body of the world: move the body there, or "
                "leave the joint out, so that what carries the body holds it"
            )
            values.problems.append(Problem(message, item.location))
        axis = values.vector(item, "axis", "0 0 1")
        if all(map(is_zero, axis)):
            values.fail(item, "axis", "the axis has no direction")
            axis = Vector(0, 0, 1).map(expression)
        turned = part.frame.rotation.apply(axis).map(expression)
        pos = part.frame.point(values.vector(item, "pos")).map(expression)
        anchor = place if kind == "slide" else _anchor(pos, place, turned, kind)
        if kind == "ball":
            return self._ball(item, name), anchor
        reference = self._position(item, "ref", kind, part, values.one(item, "ref"))
        if not is_zero(reference):
            self.at_reference[name] = reference
        limited = self._limits(item, kind, part)
        moves: JointType = "prismatic" if kind == "slide" else "revolute"
        if kind == "hinge" and limited.lower is None and limited.upper is None:
            moves = "continuous"
        rest = values.one(item, "springref")
        joint = JointDescription(
            name=name,
            kind=moves,
            parent="",
            child="",
            pose=_moved_back(turned, reference, kind),
            axis=turned,
            limits=limited,
            damping=self._linear(item, "damping"),
            friction=float(values.one(item, "frictionloss")),
            armature=float(values.one(item, "armature")),
            stiffness=self._linear(item, "stiffness"),
            rest=float(self._position(item, "springref", kind, part, rest)),
            location=item.location,
        )
        if any(values.numbers(item, "springdamper", 2, "0 0")):
            message = f"springdamper of joint '{name}' is left out: write stiffness and damping"
            values.warn(item, "springdamper", message)
        return joint, anchor

    def _ball(self, item: Item, name: str) -> JointDescription:
        """A joint that is to become three."""
        message = (
            f"joint '{name}' is a ball: it is three joints, '{name}_yaw' about z, '{name}_pitch' "
            f"about the new y and '{name}_roll' about the new x, singular where '{name}_pitch' is "
            "a quarter turn"
        )
        self.values.problems.append(Problem(message, item.location, "note"))
        for key in ("damping", "armature", "frictionloss", *_SPRINGS, "range"):
            given = self.values.some(item, key, 3)
            unlimited = key == "range" and item.attributes.get("limited", "auto") == "false"
            if any(given) and not unlimited:
                message = f"{key} of ball joint '{name}' is left out: its coordinates are angles"
                self.values.warn(item, key, f"{message} about three axes, one after another")
        return JointDescription(name, "floating", "", "", HERE, location=item.location)

    def _linear(self, item: Item, key: str) -> float:
        """A coefficient; those of higher powers are to be zero."""
        first, *higher = self.values.some(item, key, 3, "0")
        if any(higher):
            self.values.fail(item, key, "expected one number, of what is linear")
        return float(first)

    def _position(
        self, item: Item, key: str, kind: str, part: Placed, written: Decimal
    ) -> Expression:
        """A position of a joint [rad or m]."""
        if kind == "slide":
            return expression(written)
        return self.poses.angle(written, item, key, part.settings)

    def _limits(self, item: Item, kind: str, part: Placed) -> Limits:
        values = self.values
        limited = values.word(item, "limited", ("true", "false", "auto"), "auto")
        if "range" in item.attributes and limited == "auto" and not part.settings.autolimits:
            message = "limited is expected with it, for compiler autolimits is false"
            values.fail(item, "range", message)
        if limited == "true" and "range" not in item.attributes:
            values.fail(item, "limited", "range is expected with it, found none")
            limited = "false"
        low, high = values.numbers(item, "range", 2, "0 0")
        found = Limits(effort=self._effort(item), location=item.attribute_location("range"))
        if limited == "false" or (limited == "auto" and low == high):
            return found
        if low >= high:
            values.fail(item, "range", f"expected the lower limit first, found {low} and {high}")
            return found
        if kind == "hinge":
            self._doubt(item, max(abs(float(low)), abs(float(high))), part.settings.degrees)
        unit = math.pi / 180 if kind == "hinge" and part.settings.degrees else 1.0
        return replace(found, lower=float(low) * unit, upper=float(high) * unit)

    def _doubt(self, item: Item, largest: float, degrees: bool) -> None:
        """Takes note of ranges that may be in another unit."""
        if degrees:
            self.ranges.append((item, largest))
        else:
            self.poses.doubt(item, "range", largest)

    def doubts(self) -> None:
        """Tells of a document in degrees whose ranges all look like radians."""
        if len(self.ranges) > 1 and max(size for _, size in self.ranges) < 2 * 3.1416:
            item, _ = self.ranges[0]
            message = (
                "no hinge of the file may turn by as much as 6.3 degrees: are its ranges in "
                'radians? then write <compiler angle="radian"/>'
            )
            self.values.warn(item, "range", message)

    def _effort(self, item: Item) -> float | None:
        """The limit that actuators together have at a joint."""
        if item.attributes.get("actuatorfrclimited", "auto") == "false":
            return None
        if "actuatorfrcrange" not in item.attributes:
            return None
        low, high = self.values.numbers(item, "actuatorfrcrange", 2, "-1 1")
        if low == high:
            return None
        if -low != high:
            message = f"actuatorfrcrange is not symmetric: the limit is {min(-low, high)}"
            self.values.warn(item, "actuatorfrcrange", message)
        return float(min(-low, high))


def _anchor(pos: Vector, place: Vector, axis: Vector, kind: str) -> Vector:
    """Returns a point on a joint's axis: the body's origin or the one before it if they are."""
    if kind == "hinge":
        for other in (HERE.translation, place):
            if all(map(is_zero, (pos - other).cross(axis))):
                return other.map(expression)
    return pos


def _moved_back(axis: Vector, reference: Expression, kind: str) -> Pose:
    """The pose of a joint at zero in that at its reference, where the body is written."""
    if is_zero(reference):
        return HERE
    if kind == "slide":
        return replace(HERE, translation=(unit(axis) * -reference).map(expression))
    R = rotation_onto(axis)
    return Pose(R @ rotation_z(-reference) @ R.transposed(), HERE.translation).map(expression)
