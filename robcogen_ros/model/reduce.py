"""From a description as written to the kinematic tree.

Fixed and locked joints are lumped away with their frames kept, joint axes are laid on z, mimic
joints become linear functions of the coordinates they follow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.axis import rotation_onto
from robcogen_ros.model.description import Description, JointDescription, Mimic
from robcogen_ros.model.expression import ZERO, Expression, expression
from robcogen_ros.model.names import nearest
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
from robcogen_ros.model.select import select
from robcogen_ros.model.spatial import Pose, RotationZ, SpatialInertia, Vector, rotation_z
from robcogen_ros.model.terms import TERMS, JointTerms

_MOVING = ("revolute", "continuous", "prismatic")
_ZERO_INERTIA = SpatialInertia().map(expression)
_IDENTITY = Pose().map(expression)


def reduce(
    description: Description,
    *,
    floating_base: bool | None = None,
    root: str | None = None,
    tips: Sequence[str] = (),
    lock: Mapping[str, float] | None = None,
    terms: Collection[str] = (),
    parameters: Sequence[str] = (),
    payload: str | None = None,
) -> Robot:
    """The kinematic tree of a description that `model.check` found sound.

    Args:
        description: What the file says.
        floating_base: Whether the base moves freely; None leaves it to the file.
        root: Link to start from instead of the file's root; what is not below it is left out.
        tips: Links to end at; branches that lead to none of them are left out.
        lock: Positions [rad or m] of joints that are to be fixed.
        terms: What of the joints becomes part of the dynamics: names in `model.terms.TERMS`.
        parameters: Quantities that become parameters, named as in `model.parametrise`.
        payload: Frame that carries a body of open inertia, see `model.payload`.

    Raises:
        RobcogenError: If an argument names what the description has not.
    """
    opened = parametrise(description, parameters)
    chosen = select(_locked(opened, lock or {}), root, tips)
    refuse_unused(chosen, parameters)
    if floating_base is not None:
        chosen = replace(chosen, floating_base=floating_base)
    robot = with_terms(_Reduction(chosen).robot(), terms)
    return robot if payload is None else with_payload(robot, payload)


def with_terms(robot: Robot, names: Collection[str]) -> Robot:
    """The robot with terms of its joints in its dynamics.

    Raises:
        RobcogenError: If there is no such term.
    """
    for name in names:
        if name not in TERMS:
            known = ", ".join(TERMS)
            raise RobcogenError(f"there is no joint term '{name}'; there are {known}")
    values = {
        name: tuple(expression(getattr(coordinate, name)) for coordinate in robot.coordinates)
        for name in TERMS
        if name in names
    }
    return replace(robot, terms=JointTerms(**values))


def _locked(description: Description, lock: Mapping[str, float]) -> Description:
    """The description with joints fixed at given positions, and so their followers."""
    names = {joint.name: joint for joint in description.joints}
    for name in lock:
        if name not in names:
            known = nearest(name, names)
            raise RobcogenError(f"cannot lock joint '{name}': there is no such joint{known}")
        if names[name].kind not in _MOVING:
            raise RobcogenError(f"cannot lock joint '{name}': it is {names[name].kind}")
    if not lock:
        return description
    positions = {name: expression(float(value)) for name, value in lock.items()}
    joints = tuple(_locked_joint(joint, names, positions) for joint in description.joints)
    return replace(description, joints=joints)


def _locked_joint(
    joint: JointDescription, names: Mapping[str, JointDescription], positions: dict[str, Expression]
) -> JointDescription:
    position = positions.get(joint.name)
    if position is None and joint.mimic is not None:
        leader, multiplier, offset = _resolved(joint, names)
        if leader.name in positions:
            position = multiplier * positions[leader.name] + offset
    if position is None:
        return joint
    onto = Pose(rotation_onto(joint.axis).map(expression), _IDENTITY.translation)
    moved = joint.pose @ onto @ _moved_along_z(joint, position) @ onto.inverse()
    return replace(joint, kind="fixed", pose=moved, mimic=None)


def _moved_along_z(joint: JointDescription, position: Expression) -> Pose:
    if joint.kind == "prismatic":
        return Pose(_IDENTITY.rotation, Vector(ZERO, ZERO, position))
    rotation = rotation_z(position)
    assert isinstance(rotation, RotationZ)
    return Pose(rotation.map(expression), _IDENTITY.translation)


_Followed = tuple[JointDescription, Expression, Expression]


def _resolved(
    joint: JointDescription,
    names: Mapping[str, JointDescription],
    known: dict[str, _Followed] | None = None,
) -> _Followed:
    """The joint at the end of a chain of mimics, and the multiplier and offset up to it.

    Args:
        joint: The joint at its beginning.
        names: All joints by name.
        known: What was found before, and is found now, by name.
    """
    known = {} if known is None else known
    chain = [joint]
    while chain[-1].mimic is not None and chain[-1].name not in known:
        chain.append(names[chain[-1].mimic.leader])
    for follower in reversed(chain):
        if follower.name in known:
            continue
        if follower.mimic is None:
            known[follower.name] = (follower, expression(1), ZERO)
            continue
        leader, multiplier, offset = known[follower.mimic.leader]
        mimic: Mimic = follower.mimic
        known[follower.name] = (
            leader,
            multiplier * mimic.multiplier,
            mimic.multiplier * offset + mimic.offset,
        )
    return known[joint.name]


@dataclass
class _Reduction:
    """The walk from the root outwards that builds links, joints and frames."""

    description: Description
    links: list[Link] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    places: dict[str, tuple[int, Pose]] = field(default_factory=dict)
    """Number of the body that each of the file's links belongs to, and its pose on it."""
    followed: dict[str, _Followed] = field(default_factory=dict)
    """What each joint follows in the end, and how."""

    def robot(self) -> Robot:
        description = self.description
        self._number_coordinates()
        self._walk()
        attachments = tuple(
            Attachment(joint.name, joint.parent, joint.child, joint.kind == "fixed")
            for joint in description.joints
        )
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
        self.by_name = {joint.name: joint for joint in self.description.joints}
        self.inertias = {
            link.name: link.inertial.spatial().map(expression) if link.inertial else _ZERO_INERTIA
            for link in self.description.links
        }
        free = [
            joint
            for joint in self.description.joints
            if joint.kind in _MOVING and joint.mimic is None
        ]
        self.coordinate_of = {joint.name: index for index, joint in enumerate(free)}
        felt = self._felt()
        self.coordinates = tuple(
            Coordinate(
                joint.name,
                joint.limits,
                joint.kind == "continuous",
                joint.kind == "prismatic",
                *felt[joint.name],
            )
            for joint in free
        )

    def _felt(self) -> dict[str, tuple[float, float, float]]:
        """Damping, friction and armature of joints, with those of the joints that follow them."""
        felt = {joint.name: (0.0, 0.0, 0.0) for joint in self.description.joints}
        for joint in self.description.joints:
            if not (joint.damping or joint.friction or joint.armature):
                continue
            leader, multiplier, _ = _resolved(joint, self.by_name, self.followed)
            if multiplier.is_constant:
                ratio = abs(float(multiplier))
                damping, friction, armature = felt[leader.name]
                felt[leader.name] = (
                    damping + ratio * ratio * joint.damping,
                    friction + ratio * joint.friction,
                    armature + ratio * ratio * joint.armature,
                )
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
        if joint.kind in _MOVING:
            leader, multiplier, offset = _resolved(joint, self.by_name, self.followed)
            if leader.kind in _MOVING and not multiplier.structurally_zero:
                self._move(joint, body, pose, leader.name, multiplier, offset)
                return
            pose = self._held(joint, pose, offset)
        self._lump(joint.child, body, pose)

    def _move(
        self,
        joint: JointDescription,
        body: int,
        pose: Pose,
        leader: str,
        multiplier: Expression,
        offset: Expression,
    ) -> None:
        onto = Pose(rotation_onto(joint.axis).map(expression), _IDENTITY.translation)
        successor = len(self.links)
        self.joints.append(
            Joint(
                joint.name,
                joint.kind == "prismatic",
                body,
                successor,
                pose @ onto,
                self.coordinate_of[leader],
                multiplier,
                offset,
            )
        )
        self._start_body(joint.child, onto.inverse())

    def _held(self, joint: JointDescription, pose: Pose, position: Expression) -> Pose:
        """The pose of a joint that follows one which does not move."""
        onto = Pose(rotation_onto(joint.axis).map(expression), _IDENTITY.translation)
        return pose @ onto @ _moved_along_z(joint, position) @ onto.inverse()

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
