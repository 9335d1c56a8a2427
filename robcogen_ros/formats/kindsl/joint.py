"""Joints of the Kinematics-DSL."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from robcogen_ros.formats import syntax_tree as syntax
from robcogen_ros.formats.kindsl.limbs import Attachment, Part
from robcogen_ros.formats.kindsl.quantities import Place
from robcogen_ros.formats.kindsl.values import Values
from robcogen_ros.formats.syntax_tree import Node, child, children, token
from robcogen_ros.model.description import JointDescription, JointType, Limits, Mimic
from robcogen_ros.model.scalars.expression import ONE, ZERO, Expression

Complain = Callable[..., None]


def joint(
    entry: Attachment,
    joints: Mapping[str, Part],
    values: Values,
    complain: Complain,
) -> JointDescription:
    """The joint that an entry of a `children` block names.

    Args:
        entry: What the joint carries, and on what it hangs.
        joints: All joints as written: this one, and those it may follow.
        values: Evaluates values.
        complain: Takes findings.
    """
    part = joints[entry.joint]
    reader = _Reader(part, values, complain)
    friction = reader.settings("friction", "rub", "RUB")
    spring = reader.settings("spring", "pull", "PULL")
    return JointDescription(
        name=entry.joint,
        kind=reader.kind(),
        parent=entry.parent,
        child=entry.link,
        pose=values.pose(child(part.node, "pose"), part.scope.arguments),
        limits=reader.limits(),
        mimic=reader.mimic(joints),
        damping=reader.constant(friction, "viscous") or 0.0,
        friction=reader.constant(friction, "dry") or 0.0,
        armature=reader.armature(),
        stiffness=reader.constant(spring, "stiffness") or 0.0,
        rest=reader.constant(spring, "rest") or 0.0,
        pitch=reader.pitch(),
        location=syntax.location(values.source, part.node),
    )


class _Reader:
    """Reads what a joint may have."""

    def __init__(self, part: Part, values: Values, complain: Complain) -> None:
        self.part = part
        self.values = values
        self.complain = complain

    def kind(self) -> JointType:
        """Returns the type of the joint: what it lets move."""
        node = self.part.node
        if token(node, "R_JOINT"):
            return "continuous" if token(node, "CONTINUOUS") else "revolute"
        if token(node, "CONTINUOUS"):
            self.complain(node, f"joint '{self.part.name}' cannot be continuous: it does not turn")
        if token(node, "P_JOINT"):
            return "prismatic"
        for block in ("limits", "friction", "armature", "spring", "mimic"):
            for found in children(node, block):
                message = f"joint '{self.part.name}' is fixed: it has no {block}"
                self.complain(found, message)
        return "fixed"

    def settings(self, block: str, rule: str, kind: str) -> dict[str, Node]:
        """The values in a block, by what they are the values of."""
        blocks = children(self.part.node, block)
        for again in blocks[1:]:
            self.complain(again, f"joint '{self.part.name}' has {block} already")
        found: dict[str, Node] = {}
        for node in children(blocks[0], rule) if blocks else []:
            name = token(node, kind) or ""
            if name in found:
                self.complain(node, f"{name} is given twice")
            found[name] = child(node, "value")
        return found

    def constant(self, settings: Mapping[str, Node], name: str) -> float | None:
        """A value without parameters."""
        if name not in settings:
            return None
        return self.values.constant(settings[name], self.part.scope.arguments)

    def armature(self) -> float:
        """The inertia of the rotor, as it is felt at the joint."""
        blocks = children(self.part.node, "armature")
        for again in blocks[1:]:
            self.complain(again, f"joint '{self.part.name}' has armature already")
        if not blocks:
            return 0.0
        return self.constant({"armature": child(blocks[0], "value")}, "armature") or 0.0

    def pitch(self) -> Expression:
        """Returns the distance that it slides in one turn [m]."""
        blocks = children(self.part.node, "pitch")
        for again in blocks[1:]:
            self.complain(again, f"joint '{self.part.name}' has screw_thread_pitch already")
        if not blocks:
            return ZERO
        node = child(blocks[0], "value")
        return self.values.value(node, Place.LENGTH, self.part.scope.arguments)

    def limits(self) -> Limits:
        """The limits, as far as they are given."""
        settings = self.settings("limits", "limit", "LIMIT")
        blocks = children(self.part.node, "limits")
        lower, upper, velocity, effort = (
            self.constant(settings, name) for name in ("lower", "upper", "velocity", "effort")
        )
        place = syntax.location(self.values.source, (blocks or [self.part.node])[0])
        limits = Limits(lower, upper, velocity, effort, place)
        if token(self.part.node, "CONTINUOUS") and (limits.lower, limits.upper) != (None, None):
            message = f"joint '{self.part.name}' is continuous: it has no lower or upper limit"
            self.complain(child(self.part.node, "limits"), message)
        return limits

    def mimic(self, joints: Mapping[str, Part]) -> Mimic | None:
        """The joint that this one follows, and how."""
        settings = self.settings("mimic", "ratio", "RATIO")
        blocks = children(self.part.node, "mimic")
        if not blocks:
            return None
        slides = token(self.part.node, "P_JOINT")
        multiplier, offset = (
            self.values.value(settings[name], place, self.part.scope.arguments)
            if name in settings
            else default
            for name, place, default in (
                ("multiplier", Place.RATIO_OF_LENGTHS if slides else Place.RATIO_OF_ANGLES, ONE),
                ("offset", Place.LENGTH if slides else Place.ANGLE, ZERO),
            )
        )
        leader = self.part.scope.known_name(syntax.name(blocks[0]), joints)
        if leader not in joints:
            message = f"joint '{self.part.name}' mimics joint '{leader}', which is not defined"
            self.complain(blocks[0], message + self.values.hints.nearest(leader, joints))
        return Mimic(leader, multiplier, offset)
