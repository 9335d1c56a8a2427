"""Reduction of a description as written to the kinematic tree.

Fixed and locked joints are lumped away with their frames kept, joint axes are laid on z, mimic
joints become linear functions of the coordinates they follow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from robcogen_ros.errors import ModelError, Problem, RobcogenError
from robcogen_ros.model.attached import told
from robcogen_ros.model.axis import rotation_onto
from robcogen_ros.model.closures.closure import DEPENDENT, FIXED, Closure, Curve, Follower, Loop
from robcogen_ros.model.closures.curves import with_curves
from robcogen_ros.model.description import (
    ClosureDescription,
    Description,
    JointDescription,
    Mimic,
    SpringDescription,
)
from robcogen_ros.model.drive import Drive
from robcogen_ros.model.gravity import gravity_in_root
from robcogen_ros.model.joint_kinds import REVOLUTE, JointKind
from robcogen_ros.model.lock import lock_positions
from robcogen_ros.model.mimicry import followings, with_followings
from robcogen_ros.model.motors import actuated
from robcogen_ros.model.names import FrameNames
from robcogen_ros.model.options import ModelOptions
from robcogen_ros.model.parametrise import parametrise, refuse_unused
from robcogen_ros.model.payload import with_payload
from robcogen_ros.model.robot import (
    Attachment,
    Coordinate,
    Frame,
    Joint,
    Link,
    OpenBody,
    Robot,
)
from robcogen_ros.model.scalars.expression import ZERO, Expression, expression
from robcogen_ros.model.scalars.number import number as number_of
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.select import select
from robcogen_ros.model.spatial import Pose, SpatialInertia
from robcogen_ros.model.terms import FELT, QUANTITIES, TERMS, JointTerms, LinearSpring

_CUT = "the chosen part of the robot has not both of its ends"
_ZERO_INERTIA = SpatialInertia().map(expression)
_IDENTITY = Pose().map(expression)

_Shares = tuple[tuple[int, Scalar], ...]
"""Coordinates that move a joint, by its rates."""


def reduce(description: Description, **options: Any) -> Robot:
    """The kinematic tree of a description; options are fields of `ModelOptions`, errors too."""
    return reduction(description, ModelOptions(**options))[0]


def reduction(description: Description, options: ModelOptions) -> tuple[Robot, list[Problem]]:
    """The kinematic tree of a description that `model.check` found sound, and what is odd about it.

    Raises:
        RobcogenError: If an option names what the description has not, or is no such value.
        ModelError: If the root is turned against that of the file, and gravity is not given.
    """
    if description.loops:
        raise RobcogenError("robots with loops are not possible here yet")
    opened = parametrise(description, options.parameters)
    whole = with_followings(opened, followings(opened, lock_positions(opened, options.lock)))
    whole = with_curves(whole)
    _refuse_with_loops(opened, options)
    chosen, cut = select(whole, options.root, options.tips, options.keep_attached)
    refuse_unused(chosen, options.parameters)
    floating = description.floating_base
    if options.floating_base is not None:
        floating = options.floating_base
    fall, odd = gravity_in_root(whole, options.root, options.gravity, floating)
    tree = _Reduction(replace(chosen, floating_base=floating)).robot()
    robot = with_terms(replace(tree, gravity=fall), options.terms)
    if options.payload is not None:
        robot = with_payload(robot, options.payload)
    all_named = description.linked or options.actuated or not description.has_others
    motors = description.motors if all_named else ()
    robot, of_motors = actuated(robot.with_contacts(options.contacts), motors)
    left = [spring for spring in description.springs if spring not in chosen.springs]
    odd += [Problem(f"spring '{x.name}' is left out: {_CUT}", x.location, "warning") for x in left]
    return robot, [*odd, *of_motors, *told(whole, cut, floating)]


def tree_of(description: Description) -> Robot:
    """The tree of a description, as if nothing closed its loops; errors as of `reduction`."""
    whole = with_followings(description, followings(description, {}))
    linear = tuple(closure for closure in whole.closures if not closure.curve)
    return _Reduction(replace(whole, loops=None, closures=linear)).robot()


def _refuse_with_loops(description: Description, options: ModelOptions) -> None:
    """Refuse what cannot be combined with loops yet.

    Raises:
        RobcogenError: If there is any of it; a ModelError where the file has the place.
    """
    names = {name for closure in description.closures for name in closure.dependent}
    names |= {j.name for j in description.joints if j.mimic and j.mimic.leader in names}
    for joint in description.joints:
        if joint.name in names and joint.friction and "friction" in options.terms:
            what = "its dry friction cannot be part of the dynamics"
            raise ModelError.at(joint.location, f"joint '{joint.name}' follows others: {what}")
    for closure in description.closures:
        for name in () if closure.curve else (*closure.coordinates, *closure.dependent):
            if name in (options.lock or {}):
                what = f"it is in coupling '{closure.loops[0].name}' of several joints"
                raise RobcogenError(f"cannot lock joint '{name}': {what}")


def with_terms(robot: Robot, names: Collection[str]) -> Robot:
    """The robot with terms of its joints in its dynamics.

    Raises:
        RobcogenError: If there is no such term.
    """
    for name in names:
        if name not in TERMS:
            known = ", ".join(TERMS)
            raise RobcogenError(f"there is no joint term '{name}'; there are {known}")
    wanted = [quantity for name in TERMS if name in names for quantity in QUANTITIES[name]]
    values = {
        name: tuple(expression(getattr(coordinate, name)) for coordinate in robot.coordinates)
        for name in wanted
    }
    without: dict[str, Any] = dict.fromkeys(set(FELT).difference(wanted), 0)
    joints = tuple(replace(joint, **without) for joint in robot.joints)
    lines = robot.springs if "springs" in names else ()
    return replace(robot, terms=JointTerms(**values, lines=lines), joints=joints)


def _attachment(joint: JointDescription) -> Attachment:
    names = joint.name, joint.parent, joint.child
    motion = joint.motion or REVOLUTE
    return Attachment(*names, joint.motion is None, joint.pose, joint.axis, motion)


def _drive(joint: JointDescription) -> Drive:
    limits = joint.limits.meant()
    rotor = expression(joint.armature) if joint.armature else 0
    return Drive(expression(joint.gear), rotor, limits.velocity, limits.effort)


def _felt_at(joint: JointDescription, offset: Expression) -> dict[str, Any]:
    """Returns the terms of a joint that depends on coordinates; its rest is less an offset."""
    found = {name: expression(x) if (x := getattr(joint, name)) else 0 for name in FELT}
    return found | {"rest": expression(joint.rest) - offset} if joint.stiffness else found


def _add_felt(felt: dict[str, float], joint: JointDescription, mimic: Mimic) -> None:
    """Adds what a joint has to what is felt at the one that it follows."""
    ratio, before = float(mimic.multiplier), felt.get("stiffness", 0.0)
    square = ratio * ratio
    shares = ("damping", square), ("friction", abs(ratio)), ("armature", square)
    for name, share in (*shares, ("stiffness", square)):
        felt[name] = felt.get(name, 0.0) + share * getattr(joint, name)
    if joint.stiffness:
        share = before / felt["stiffness"]
        own = (joint.rest - float(mimic.offset)) / ratio
        felt["rest"] = share * felt.get("rest", 0.0) + (1 - share) * own


def _followed(mimic: Mimic, shares: _Shares, offset: Expression) -> tuple[_Shares, Expression]:
    """Returns the coordinates that move a joint that follows a dependent one, and its offset."""
    if any(rate is DEPENDENT for _, rate in shares):
        return shares, ZERO
    own = tuple((k, mimic.multiplier * rate) for k, rate in shares)
    return own, mimic.multiplier * offset + mimic.offset


@dataclass
class _Reduction:
    """The walk from the root outwards that builds links, joints and frames."""

    description: Description
    links: list[Link] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    places: dict[str, tuple[int, Pose]] = field(default_factory=dict)
    """Number of the body that each of the file's links belongs to, and its pose on it."""

    def robot(self) -> Robot:
        description = self.description
        self._number_coordinates()
        self._walk()
        attachments = tuple(map(_attachment, description.joints))
        names = FrameNames(description.name, ((f.name, f.of_link) for f in self._frames()))
        return Robot(
            name=description.name,
            links=tuple(self.links),
            joints=tuple(self.joints),
            coordinates=self.coordinates,
            link_order=self._link_order(),
            frames=self._frames(),
            attachments=attachments,
            floating_base=description.floating_base,
            parameters=description.parameters,
            bodies=tuple(self._bodies()),
            springs=tuple(self._spring(x, names) for x in description.springs),
            closures=tuple(
                self._closure(c, names)
                for c in description.closures
                if c.dependent and not c.linear
            ),
            held=tuple(
                loop
                for c in description.closures
                if not c.dependent
                for loop in self._closure(c, names).loops
            ),
            location=description.location,
        )

    def _spring(self, found: SpringDescription, names: FrameNames) -> LinearSpring:
        first, second = map(names.index, found.frames)
        stiffness, length = map(expression, (found.stiffness, found.length))
        return LinearSpring(found.name, (first, second), stiffness, length)

    def _closure(self, found: ClosureDescription, names: FrameNames) -> Closure:
        """Returns the closure of a loop, with numbers for names."""
        numbers = {joint.name: k for k, joint in enumerate(self.joints)} | {"": -1}
        curve = Curve(found.loops[0].name, numbers[found.leader], found.curve)
        return Closure(
            tuple(
                Loop(loop.name, (names.index(first), names.index(second)), FIXED[loop.fixed], rows)
                for loop, rows in zip(found.loops, found.rows, strict=not found.curve)
                for first, second in (loop.frames,)
            ),
            tuple(numbers[name] for name in found.dependent),
            tuple(numbers[name] for name in found.corners),
            found.signs,
            tuple(expression(number_of(x)) for x in found.start),
            found.steps,
            found.closed_at,
            tuple(tuple(numbers[name] for name in rod) for rod in found.rods),
            found.near and found.near.map(lambda x: expression(number_of(x))),
            tuple(self.coordinate_of[name] for name in found.coordinates),
            tuple(
                Follower(numbers[j.name], numbers[m.leader], m.multiplier, m.offset)
                for j in self.description.joints
                if (m := j.mimic) and m.leader in found.dependent
            ),
            curve if found.curve else None,
        )

    def _bodies(self) -> Iterator[OpenBody]:
        """Links whose mass or rotational inertia depends on parameters."""
        for link in self.description.links:
            inertial = link.inertial
            if inertial is None:
                continue
            mass, tensor = expression(inertial.mass), inertial.central_tensor().map(expression)
            found = (p.name for entry in (mass, *tensor) for p in entry.parameters())
            parameters = tuple(dict.fromkeys(found))
            if parameters:
                yield OpenBody(link.name, mass, tensor, parameters)

    def _number_coordinates(self) -> None:
        self.inertias = {
            link.name: link.inertial.spatial().map(expression) if link.inertial else _ZERO_INERTIA
            for link in self.description.links
        }
        follows = {n: c for c in self.description.closures for n in c.dependent}
        free = [
            joint
            for joint in self.description.joints
            if joint.motion and joint.mimic is None and joint.name not in follows
        ]
        self.coordinate_of = {joint.name: index for index, joint in enumerate(free)}
        self.dependent = {
            name: self._shares(closure, closure.dependent.index(name))
            for name, closure in follows.items()
        }
        for joint in self.description.joints:
            if (mimic := joint.mimic) and mimic.leader in follows:
                self.dependent[joint.name] = _followed(mimic, *self.dependent[mimic.leader])
        felt = self._felt()
        self.coordinates = tuple(
            Coordinate(
                joint.name,
                joint.limits.meant(),
                joint.kind == "continuous" and joint.pitch.structurally_zero,
                joint.motion or REVOLUTE,
                **felt[joint.name],
            )
            for joint in free
        )

    def _shares(self, closure: ClosureDescription, number: int) -> tuple[_Shares, Expression]:
        """Returns the coordinates that move a dependent joint, by their rates, and its offset."""
        numbers = [self.coordinate_of[name] for name in closure.coordinates]
        if not closure.linear:
            return tuple((k, DEPENDENT) for k in sorted(numbers)), ZERO
        ratios, offset = closure.linear[number]
        shares = sorted(
            (k, expression(number_of(x))) for k, x in zip(numbers, ratios, strict=True) if x
        )
        return tuple(shares), expression(number_of(offset))

    def _felt(self) -> dict[str, dict[str, float]]:
        """Returns the terms of joints besides inertia, those of joints that follow added."""
        felt = {joint.name: dict[str, float]() for joint in self.description.joints}
        for joint in self.description.joints:
            mimic = joint.mimic or Mimic(joint.name)
            if joint.name not in self.dependent and mimic.multiplier.is_constant:
                _add_felt(felt[mimic.leader], joint, mimic)
        return felt

    def _walk(self) -> None:
        children: dict[str, list[JointDescription]] = {}
        for joint in self.description.joints:
            children.setdefault(joint.parent, []).append(joint)
        moved = {joint.child for joint in self.description.joints}
        root = next(link.name for link in self.description.links if link.name not in moved)
        self._start_body(root, _IDENTITY)
        pending = list(reversed(children.get(root, [])))
        while pending:
            joint = pending.pop()
            self._attach(joint)
            pending.extend(reversed(children.get(joint.child, [])))

    def _attach(self, joint: JointDescription) -> None:
        body, place = self.places[joint.parent]
        pose = place @ joint.pose.map(expression)
        if joint.motion:
            self._move(joint, joint.motion, body, pose)
        else:
            self._lump(joint.child, body, pose)

    def _move(self, joint: JointDescription, kind: JointKind, body: int, pose: Pose) -> None:
        shares, turned = self.dependent.get(joint.name, ((), ZERO))
        mimic = joint.mimic or Mimic(joint.name)
        onto = Pose(rotation_onto(joint.axis).map(expression), _IDENTITY.translation)
        successor = len(self.links)
        self.joints.append(
            Joint(
                joint.name,
                kind,
                body,
                successor,
                pose @ onto,
                shares[0][0] if shares else self.coordinate_of[mimic.leader],
                DEPENDENT if shares else mimic.multiplier,
                turned if shares else mimic.offset,
                shares,
                drive=_drive(joint),
                **(_felt_at(joint, turned) if shares else {}),
            )
        )
        self._start_body(joint.child, onto.inverse())

    def _start_body(self, link: str, frame: Pose) -> None:
        self.places[link] = (len(self.links), frame)
        self.links.append(Link(link, frame.inertia(self.inertias[link]), frame))

    def _lump(self, link: str, body: int, pose: Pose) -> None:
        self.places[link] = (body, pose)
        if self.inertias[link] is not _ZERO_INERTIA:
            whole = self.links[body].inertia + pose.inertia(self.inertias[link])
            self.links[body] = replace(self.links[body], inertia=whole)

    def _link_order(self) -> tuple[int, ...]:
        successor = {joint.name: joint.successor for joint in self.joints}
        moved = [successor[j.name] for j in self.description.joints if j.name in successor]
        return (0, *moved)

    def _frames(self) -> tuple[Frame, ...]:
        prefix = self.description.link_frame_prefix
        frames = [
            Frame(prefix + link.name, *self.places[link.name], of_link=link.name)
            for link in self.description.links
        ]
        for frame in self.description.frames:
            body, place = self.places[frame.link]
            frames.append(Frame(frame.name, body, place @ frame.pose.map(expression)))
        return tuple(frames)
