"""Description of a robot as its file writes it: links, joints and frames, nothing reduced yet.

Readers in `formats/` make a `Description`; `model.reduce.reduce()` turns it into a `Robot`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from robcogen_ros.errors import Location, ModelError, Problem
from robcogen_ros.model.closures.starts import Start
from robcogen_ros.model.joint_kinds import KINDS, Helical, JointKind
from robcogen_ros.model.scalars.expression import ONE, PI, ZERO, Expression, Parameter
from robcogen_ros.model.spatial import Pose, SpatialInertia, Symmetric3, Vector

JointType = Literal["revolute", "continuous", "prismatic", "fixed", "floating", "planar"]
Form = Literal["box", "sphere", "cylinder", "capsule", "mesh"]


ENDLESS = 1e16
"""Limits from here on are none: what Gazebo writes where there is none."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a joint; None where the file gives none, or one that is `ENDLESS`.

    Attributes:
        lower: Least position [rad or m].
        upper: Greatest position [rad or m].
        velocity: Greatest speed [rad/s or m/s].
        effort: Greatest force [N m or N].
        location: Where they are written.
    """

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None
    location: Location | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Takes away limits that no joint can reach."""
        for name, sign in (("lower", -1), ("upper", 1), ("velocity", 1), ("effort", 1)):
            limit = getattr(self, name)
            if limit is not None and sign * limit >= ENDLESS:
                object.__setattr__(self, name, None)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Limits that are zero only because URDF wants a number there."""
        without_range = ("range",) if self.lower == 0 == self.upper else ()
        zeros = (name for name in ("velocity", "effort") if getattr(self, name) == 0)
        return (*without_range, *zeros)

    @property
    def swapped(self) -> bool:
        """True if the lower limit is above the upper one."""
        return self.lower is not None and self.upper is not None and self.lower > self.upper

    def meant(self) -> Limits:
        """The limits that a robot has: without those that are unknown, or swapped."""
        ranged = not (self.swapped or "range" in self.unknown)
        return Limits(
            self.lower if ranged else None,
            self.upper if ranged else None,
            self.velocity or None,
            self.effort or None,
        )


@dataclass(frozen=True, slots=True)
class Mimic:
    """A joint that follows another: position = multiplier * leader's position + offset."""

    leader: str
    multiplier: Expression = ONE
    offset: Expression = ZERO


@dataclass(frozen=True, slots=True)
class Inertial:
    """Inertia as a file gives it: in a pose on the link.

    Attributes:
        mass: Mass [kg].
        center: Center of mass in the inertial frame [m].
        tensor: Rotational inertia [kg m^2], tensor entries, in the inertial frame's orientation.
        about_center: Whether the tensor is about the center of mass (URDF) or about the origin of
            the inertial frame (Kinematics-DSL).
        pose: Pose link_X_inertial of the inertial frame in the link frame.
        frame: Name of the custom frame that `pose` stands for, if the file names one.
        location: Where it is written.
    """

    mass: Expression
    center: Vector
    tensor: Symmetric3
    about_center: bool
    pose: Pose = field(default_factory=Pose)
    frame: str | None = None
    location: Location | None = None

    def central_tensor(self) -> Symmetric3:
        """The tensor about the center of mass, in the inertial frame's orientation."""
        if self.about_center:
            return self.tensor
        about_origin = SpatialInertia.about_center(self.mass, self.center, Symmetric3())
        return self.tensor - about_origin.tensor

    def spatial(self) -> SpatialInertia:
        """The inertia about the link frame's origin, in its coordinates."""
        if self.about_center:
            inertia = SpatialInertia.about_center(self.mass, self.center, self.tensor)
        else:
            inertia = SpatialInertia(self.mass, self.center * self.mass, self.tensor)
        return self.pose.inertia(inertia)


@dataclass(frozen=True, slots=True)
class LinkDescription:
    """A link as written; `inertial` is None where the file gives none (massless)."""

    name: str
    inertial: Inertial | None = None
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class JointDescription:
    """A joint as written.

    Attributes:
        name: Its name.
        kind: What it lets move; a revolute or continuous joint with a pitch is helical.
        parent: Name of the predecessor link.
        child: Name of the successor link.
        pose: Pose parent_X_joint of the joint frame in the parent link frame; the child link frame
            coincides with the joint frame when the joint is at zero.
        axis: Direction of the axis in the joint frame; its length does not matter.
        limits: Limits.
        mimic: The joint it follows, if any.
        damping: Viscous friction [N m s/rad or N s/m].
        friction: Dry friction [N m or N].
        armature: Inertia of the rotor as it is felt at the joint [kg m^2 or kg].
        gear: How far its motor turns as it moves by one; negative where the motor turns the other
            way.
        stiffness: Of the spring that pulls it to its rest [N m/rad or N/m].
        rest: Position at which that does not [rad or m].
        pitch: How far it slides along its axis as it turns about it [m per turn].
        location: Where it is written.
    """

    name: str
    kind: JointType
    parent: str
    child: str
    pose: Pose = field(default_factory=Pose)
    axis: Vector = Vector(0, 0, 1)
    limits: Limits = Limits()
    mimic: Mimic | None = None
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    gear: float = 1.0
    stiffness: float = 0.0
    rest: float = 0.0
    pitch: Expression = ZERO
    location: Location | None = None

    @property
    def motion(self) -> JointKind | None:
        """Kind of its motion; None unless it has one coordinate."""
        kind = KINDS.get(self.kind)
        return kind if self.pitch.structurally_zero else kind and Helical(self.pitch / (2 * PI))


@dataclass(frozen=True, slots=True)
class FrameDescription:
    """A named frame, fixed on a link: pose link_X_frame."""

    name: str
    link: str
    pose: Pose = field(default_factory=Pose)
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class LoopDescription:
    """Loop of links: two frames, and the parts of their relative motion that it takes away.

    Attributes:
        name: Its name.
        frames: Names of the two frames.
        fixed: What stays together: a word of `closures.FIXED`.
        location: Where it is written.
    """

    name: str
    frames: tuple[str, str]
    fixed: str
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class LoopsDescription:
    """Loops of a robot.

    Attributes:
        loops: The loops.
        independent: Names of the joints that are to be coordinates, those that matter most first,
            and where they are written.
        actuated: Whether these are the motors, of which some may depend on others.
        positions: Positions of joints [rad or m] near which loops are closed, by name; zero for
            others. With the places where they are written.
        location: Where they are written.
    """

    loops: tuple[LoopDescription, ...]
    independent: tuple[tuple[str, Location], ...] = ()
    actuated: bool = False
    positions: tuple[tuple[str, float, Location | None], ...] = ()
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class ClosureDescription:
    """Positions of joints that follow from loops; `closures.Closure` by names.

    Attributes:
        loops: The loops.
        rows: For each of them the rows of the Jacobian between its frames that count.
        coordinates: The joints that the others follow.
        dependent: Names of these.
        corners: Names of the three joints at the corners of the triangle; empty for the loop.
        signs: On which side the triangle lies, see `closures.Closure`.
        start: Where the dependent joints are as the loops are written, closed [rad or m].
        steps: How many steps of Newton's method; none where there are corners.
        closed_at: See `closures.Closure`.
        near: See `closures.Closure`, of the coordinates in their order here.
        rods: Of each loop that holds a rod, the names of the joints in which it hangs.
        linear: For each dependent joint its ratio to each coordinate and its offset, where it is a
            linear function of them; there are no corners then.
        curve: Coefficients of the polynomial, from the lowest power on, by which the one dependent
            joint follows `leader`; `loops` has its name and place then.
        leader: See curve.
    """

    loops: tuple[LoopDescription, ...]
    rows: tuple[tuple[int, ...], ...]
    coordinates: tuple[str, ...]
    dependent: tuple[str, ...]
    corners: tuple[str, ...] = ()
    signs: tuple[int, ...] = ()
    start: tuple[float, ...] = ()
    steps: int = 0
    closed_at: float = 0.0
    rods: tuple[tuple[str, ...], ...] = ()
    linear: tuple[tuple[tuple[float, ...], float], ...] = ()
    near: Start | None = None
    curve: tuple[Expression, ...] = ()
    leader: str = ""


@dataclass(frozen=True, slots=True)
class SpringDescription:
    """A spring along the line between the origins of two frames.

    Attributes:
        name: Its name.
        frames: Names of the frames.
        stiffness: How much harder it pulls the longer it is [N/m].
        length: Its length where it does not pull [m].
        location: Where it is written.
    """

    name: str
    frames: tuple[str, str]
    stiffness: float
    length: float = 0.0
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class ShapeDescription:
    """A shape of a link.

    Attributes:
        link: The link's name.
        visual: Whether it is there to be seen; if not, to collide.
        form: What it is.
        sizes: Edges of a box, radius and length of the others [m], factors of a mesh.
        pose: Pose link_X_shape.
        mesh: The file of a mesh, as it is written.
        color: Red, green, blue, opacity, 0 to 1; None where none is given.
        files: The file that it stands in, absolute, from where a mesh is named; may be empty.
        location: Where its form is written.
    """

    link: str
    visual: bool
    form: Form
    sizes: tuple[float, ...]
    pose: Pose = field(default_factory=Pose)
    mesh: str = ""
    color: tuple[float, ...] | None = None
    files: tuple[str, ...] = ()
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Description:
    """A robot as written.

    Attributes:
        name: The robot's name.
        links: Links in the order that decides `link_names`; which one is the root is seen from
            the joints.
        joints: Joints in the order that decides `joint_names`.
        frames: Custom frames, and joint frames where the format names them.
        shapes: What of the links is to be seen, or collides.
        floating_base: Whether the root link moves freely.
        link_frame_prefix: What the format puts before a link's name to name its frame: "" in
            URDF, "fr_" in the Kinematics-DSL.
        parameters: All named parameters, in the order of the file.
        location: Where the robot is declared.
        files: Every file that was read, for dependency tracking; the main one first.
        warnings: What the reader found odd but could work with.
        loops: What closes loops of links, as written; None where nothing does, or where it is
            known what follows.
        closures: What follows: joints whose positions are no linear functions of another.
        linked: Names of the loops of which that is known.
        motors: Names of the joints that motors move, as far as the file says.
        has_others: Whether a tree has joints that motors move beside these; a linkage has none.
        springs: Springs between frames.
    """

    name: str
    links: tuple[LinkDescription, ...]
    joints: tuple[JointDescription, ...]
    frames: tuple[FrameDescription, ...] = ()
    shapes: tuple[ShapeDescription, ...] = ()
    floating_base: bool = False
    link_frame_prefix: str = ""
    parameters: tuple[Parameter, ...] = ()
    location: Location | None = None
    files: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = ()
    loops: LoopsDescription | None = None
    closures: tuple[ClosureDescription, ...] = ()
    linked: tuple[str, ...] = ()
    motors: tuple[str, ...] = ()
    has_others: bool = True
    springs: tuple[SpringDescription, ...] = ()

    @property
    def named_frames(self) -> list[tuple[str, str, str | None]]:
        """All frames: name, link that has it, and the link whose own frame it is, if any."""
        own = [(self.link_frame_prefix + x.name, x.name, x.name) for x in self.links]
        return [*own, *((frame.name, frame.link, None) for frame in self.frames)]

    def refuse_springs(self, target: str) -> None:
        """Refuse springs between frames.

        Args:
            target: What cannot have them, with its article.

        Raises:
            ModelError: If there are any, with the place of the first.
        """
        for spring in self.springs:
            message = f"spring '{spring.name}' is between two frames, which {target} cannot have"
            raise ModelError.at(spring.location, message)

    def refuse_closures(self, target: str) -> None:
        """Refuse loops by which joints follow others by more than a factor.

        Args:
            target: What cannot have them, with its article.

        Raises:
            ModelError: If there are any, with the place of the first.
        """
        loops = self.loops.loops if self.loops else [x for c in self.closures for x in c.loops]
        for loop in loops:
            message = f"loop '{loop.name}' makes joints follow others by more than a factor, which "
            raise ModelError.at(loop.location, f"{message}{target} cannot have yet")
