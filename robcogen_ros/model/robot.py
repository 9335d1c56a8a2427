"""The kinematic tree: rigid bodies joined by joints about or along z.

Frames follow Featherstone 2008, chapter 4, and the Kinematics-DSL: a joint frame is fixed on the
predecessor with z on the joint axis, and a link frame coincides with it at q = 0. A link frame of
the file (any axis) is kept as a `Frame` and as `Link.frame`. Bodies are numbered so that parents
come before children; the public order of coordinates and links is kept apart from that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from robcogen_ros.errors import Location, RobcogenError
from robcogen_ros.model.closures.closure import DEPENDENT, Closure, Loop
from robcogen_ros.model.contacts import Contact, parsed
from robcogen_ros.model.description import Limits
from robcogen_ros.model.drive import Drive
from robcogen_ros.model.joint_kinds import REVOLUTE, JointKind
from robcogen_ros.model.names import FrameNames
from robcogen_ros.model.scalars.expression import Parameter
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.sparse_pattern import DynamicsPatterns, dynamics_patterns
from robcogen_ros.model.spatial import Pose, SpatialInertia, Symmetric3, Vector
from robcogen_ros.model.terms import FELT, JointTerms, LinearSpring


@dataclass(frozen=True, slots=True)
class Coordinate:
    """An independent joint position, one entry of q.

    Attributes:
        name: Name of the joint whose position it is.
        limits: Limits of that joint, as they are meant.
        continuous: Whether the position has no end (an angle, taken modulo a turn).
        kind: Kind of that joint, which tells the unit.
        damping: Viscous friction [N m s/rad or N s/m].
        friction: Dry friction [N m or N].
        armature: Inertia of the rotor as it is felt at the joint [kg m^2 or kg].
        stiffness: Of springs that pull it to its rest [N m/rad or N/m].
        rest: Position at which they do not [rad or m].
    """

    name: str
    limits: Limits = Limits()
    continuous: bool = False
    kind: JointKind = REVOLUTE
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0


@dataclass(frozen=True, slots=True)
class Joint:
    """A moving joint.

    Attributes:
        name: Its name.
        kind: How it moves its successor, about or along z of its frame.
        predecessor: Number of the link it is fixed on.
        successor: Number of the link it moves.
        pose: Pose predecessor_X_joint of the joint frame.
        coordinate: Index into q of the position it follows.
        multiplier: Its position is `multiplier * q[coordinate] + offset`; `DEPENDENT` where it
            depends on coordinates through a loop.
        offset: See multiplier [rad or m].
        shares: Of a joint that does: each of these coordinates, the first being `coordinate`, and
            the joint's rate per unit rate of it; `DEPENDENT` where that differs between positions
            and the robot is at none.
        turn: Cosine and sine of its position, where that is no linear function of the coordinates
            and the robot is at a position.
        position: That itself, if it is known and not its cosine and sine [rad or m].
        armature: Rotor inertia of a joint that depends so, where it is part of the dynamics.
        damping: Viscous friction of one, likewise [N m s/rad or N s/m].
        stiffness: Of the spring of one, likewise [N m/rad or N/m].
        rest: Position at which that does not pull, less the offset [rad or m].
        drive: What moves it.
    """

    name: str
    kind: JointKind
    predecessor: int
    successor: int
    pose: Pose
    coordinate: int
    multiplier: Scalar = 1
    offset: Scalar = 0
    shares: tuple[tuple[int, Scalar], ...] = ()
    turn: tuple[Scalar, Scalar] | None = None
    position: Scalar | None = None
    armature: Scalar = 0
    damping: Scalar = 0
    stiffness: Scalar = 0
    rest: Scalar = 0
    drive: Drive = Drive()

    @property
    def is_dependent(self) -> bool:
        """True if its position follows from a loop."""
        return bool(self.shares)

    @property
    def factor(self) -> Scalar:
        """The multiplier; 1 where its position follows from a loop."""
        return 1 if self.shares else self.multiplier

    @property
    def is_open(self) -> bool:
        """True if its position follows from a loop, and the robot is at no position."""
        return any(rate is DEPENDENT for _, rate in self.shares)

    @property
    def rates(self) -> tuple[tuple[int, Scalar], ...]:
        """Each coordinate that moves it, and its rate per unit rate of that."""
        return self.shares or ((self.coordinate, self.multiplier),)


@dataclass(frozen=True, slots=True)
class Link:
    """A rigid body.

    Attributes:
        name: Name of the file's link that its supporting joint moves; of the root for the base.
        inertia: Inertia about the link frame's origin, of all that is fixed on it.
        frame: Pose link_X_public of the file's own frame for this link.
    """

    name: str
    inertia: SpatialInertia
    frame: Pose


@dataclass(frozen=True, slots=True)
class Frame:
    """A named frame fixed on a link: pose link_X_frame.

    Attributes:
        name: Its public name.
        link: Number of the link it is fixed on.
        pose: Pose link_X_frame.
        of_link: Name of the file's link whose own frame it is; None for custom frames.
    """

    name: str
    link: int
    pose: Pose
    of_link: str | None = None


@dataclass(frozen=True, slots=True)
class Attachment:
    """Place of a link of the file on another, for the tree of transforms on /tf.

    Attributes:
        joint: Name of the joint.
        parent: The link it is on.
        child: The link it carries.
        fixed: Whether it cannot move.
        pose: Pose parent_X_child where the joint is at zero.
        axis: Direction of the axis in the child's frame, of any length.
        kind: How it moves the child; it does not matter where it is fixed.
    """

    joint: str
    parent: str
    child: str
    fixed: bool
    pose: Pose
    axis: Vector
    kind: JointKind = REVOLUTE


Gravity = tuple[float, float, float]

FREE_FALL = 9.81
"""Standard acceleration of free fall [m/s^2]."""
STANDARD_GRAVITY: Gravity = (0.0, 0.0, -FREE_FALL)
"""Acceleration of free fall in a root that stands upright [m/s^2]."""

PAYLOAD = "payload"
"""Name of the body that a frame carries, and beginning of the names of its parameters."""


@dataclass(frozen=True, slots=True)
class OpenBody:
    """A body whose inertia depends on parameters.

    Attributes:
        name: Name of the file's link, or `payload`.
        mass: Mass [kg].
        tensor: Rotational inertia about the center of mass [kg m^2], in any orientation.
        parameters: Names of the parameters that mass and tensor depend on.
    """

    name: str
    mass: Scalar
    tensor: Symmetric3
    parameters: tuple[str, ...] = ()

    @property
    def described(self) -> str:
        """The name, with the links it depends on where the name does not tell."""
        if self.name == PAYLOAD:
            return f"the {PAYLOAD}"
        others = [name for name in self.parameters if not name.startswith(f"{self.name}.")]
        return f"link '{self.name}'" + (f" (of {', '.join(others)})" if others else "")


@dataclass(frozen=True)
class Robot:
    """A kinematic tree with n coordinates.

    Attributes:
        name: The robot's name.
        links: Rigid bodies, base first, parents before children.
        joints: `joints[i]` moves `links[i + 1]`.
        coordinates: The entries of q, in public order.
        link_order: Numbers of the links in public order, base first.
        frames: Named frames, in the order of the file.
        attachments: The file's own tree of links, lumped ones too.
        floating_base: Whether the base moves freely.
        parameters: Named parameters in its quantities.
        terms: What joints and springs add to the rigid-body dynamics.
        springs: Springs between frames, whether they are part of that or not.
        bodies: Bodies whose inertia depends on parameters.
        contacts: Frames that may touch something.
        closures: Loops from which the positions of joints follow, each after those it needs.
        held: Loops of a spanning tree, which forces are to hold closed.
        gravity: Acceleration of free fall in the base frame where callers give none [m/s^2]; of a
            floating base they always do.
        actuated: Names of the joints that motors move; none where these are all coordinates.
        location: Where its file declares it.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    coordinates: tuple[Coordinate, ...]
    link_order: tuple[int, ...]
    frames: tuple[Frame, ...]
    attachments: tuple[Attachment, ...] = ()
    floating_base: bool = False
    parameters: tuple[Parameter, ...] = ()
    terms: JointTerms = JointTerms()
    springs: tuple[LinearSpring, ...] = ()
    bodies: tuple[OpenBody, ...] = ()
    contacts: tuple[Contact, ...] = ()
    closures: tuple[Closure, ...] = ()
    held: tuple[Loop, ...] = ()
    gravity: Gravity = STANDARD_GRAVITY
    actuated: tuple[str, ...] = ()
    location: Location | None = field(default=None, compare=False)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Hash of all its numbers, kept because robots are asked for it again and again."""
        return hash(tuple(getattr(self, f.name) for f in fields(self) if f.compare))

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return len(self.coordinates)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the coordinates, in the order of q."""
        return tuple(coordinate.name for coordinate in self.coordinates)

    @property
    def link_names(self) -> tuple[str, ...]:
        """Names of the links in public order, base first."""
        return tuple(self.links[i].name for i in self.link_order)

    @property
    def frame_names(self) -> tuple[str, ...]:
        """Names of the frames."""
        return tuple(frame.name for frame in self.frames)

    @property
    def has_mimic(self) -> bool:
        """True if several joints follow one coordinate."""
        return len(self.joints) > self.n or self.has_loops

    @property
    def has_loops(self) -> bool:
        """True if joints depend on coordinates through loops, by more than mimicking one."""
        return any(joint.shares for joint in self.joints)

    @property
    def further_rates(self) -> tuple[tuple[int, int, Scalar], ...]:
        """Number of each joint that follows several coordinates, with each but the first.

        And its rate per unit rate of that.
        """
        return tuple((i, *each) for i, j in enumerate(self.joints) for each in j.rates[1:])

    @property
    def parents_first(self) -> bool:
        """True if all coordinates come after those of the joints that carry theirs."""
        coordinate = {0: -1} | {joint.successor: joint.coordinate for joint in self.joints}
        return all(coordinate[joint.predecessor] < joint.coordinate for joint in self.joints)

    @cached_property
    def _frame_names(self) -> FrameNames:
        return FrameNames(self.name, ((frame.name, frame.of_link) for frame in self.frames))

    @property
    def link_frames(self) -> dict[str, int]:
        """Index of the frame of each link of the file, by the link's name."""
        frames = enumerate(self.frames)
        return {frame.of_link: i for i, frame in frames if frame.of_link is not None}

    def frame_index(self, name: str) -> int:
        """Index of a frame; a link answers to its name and to `fr_` before it.

        Raises:
            RobcogenError: If there is no such frame.
        """
        return self._frame_names.index(name)

    def with_contacts(self, texts: Iterable[str]) -> Robot:
        """The robot with contacts, as `contacts.parsed` takes them.

        Raises:
            RobcogenError: If one is wrong, or its frame cannot move.
        """
        contacts = parsed(texts, self.frame_index)
        for contact in contacts:
            if not self.floating_base and self.frames[contact.frame].link == 0:
                message = f"contact '{contact.name}': the frame is on the base, which is fixed"
                raise RobcogenError(message)
        return replace(self, contacts=contacts)

    def support(self, link: int) -> tuple[int, ...]:
        """Indices of the joints between the base and a link, from the base outwards."""
        path = []
        while link:
            path.append(link - 1)
            link = self.joints[link - 1].predecessor
        return tuple(reversed(path))

    def between(self, first: int, second: int) -> tuple[int, ...]:
        """Indices of the joints that move one frame against another, ascending."""
        above = (set(self.support(self.frames[k].link)) for k in (first, second))
        return tuple(sorted(set.symmetric_difference(*above)))

    @cached_property
    def patterns(self) -> DynamicsPatterns:
        """Patterns of the matrices of the dynamics, coordinates of a floating base first."""
        coordinates = [[k for k, _ in joint.rates] for joint in self.joints]
        supports = [self.support(joint.successor) for joint in self.joints]
        pulled = [self.between(*line.frames) for line in self.terms.lines]
        return dynamics_patterns(coordinates, supports, self.n, self.floating_base, pulled)

    def map(self, lift: Callable[[Scalar], Any]) -> Robot:
        """Returns this robot with its quantities over another scalar."""
        return replace(
            self,
            links=tuple(
                replace(
                    link,
                    inertia=link.inertia.map(lift),
                    frame=link.frame.map(lift),
                )
                for link in self.links
            ),
            joints=tuple(
                replace(
                    joint,
                    kind=joint.kind.map(lift),
                    pose=joint.pose.map(lift),
                    multiplier=_lifted(joint.multiplier, lift),
                    shares=tuple((k, _lifted(rate, lift)) for k, rate in joint.shares),
                    offset=lift(joint.offset),
                    drive=joint.drive.map(lift),
                    **{name: lift(x) for name in FELT if (x := getattr(joint, name))},
                )
                for joint in self.joints
            ),
            frames=tuple(replace(frame, pose=frame.pose.map(lift)) for frame in self.frames),
            terms=self.terms.map(lift),
            closures=tuple(closure.map(lift) for closure in self.closures),
            bodies=tuple(
                replace(body, mass=lift(body.mass), tensor=body.tensor.map(lift))
                for body in self.bodies
            ),
        )


def _lifted(rate: Scalar, lift: Callable[[Scalar], Any]) -> Scalar:
    return rate if rate is DEPENDENT else lift(rate)
