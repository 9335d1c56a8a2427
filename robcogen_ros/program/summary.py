"""Facts of a robot that callers need beside its functions, as plain data."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from robcogen_ros.model.contacts import Contact, parsed
from robcogen_ros.model.joint_kinds import PRISMATIC, REVOLUTE, JointKind
from robcogen_ros.model.names import FrameNames
from robcogen_ros.model.quaternions import quaternions
from robcogen_ros.model.robot import STANDARD_GRAVITY, Attachment, Coordinate, Gravity, Robot
from robcogen_ros.program.library import Library
from robcogen_ros.progress import each


@dataclass(frozen=True)
class FrameSummary:
    """A frame: its name, the number of the link it is fixed on, the file's link it belongs to."""

    name: str
    link: int
    of_link: str | None


@dataclass(frozen=True)
class JointSummary:
    """A joint: follows `multiplier * q[coordinate] + offset`, unless it is dependent.

    Of a joint that depends on the coordinate through a loop, the axis that `kinematics` gives is
    the motion per unit rate of the coordinate; of the joint's `more` coordinates there are columns
    after those of all joints, in the order of these. `gear` is how far its motor turns as it moves
    by one, the limits are those at the joint.
    """

    name: str
    coordinate: int
    multiplier: float
    offset: float
    prismatic: bool
    pitch: float = 0.0
    dependent: bool = False
    more: tuple[int, ...] = ()
    gear: float = 1.0
    velocity_limit: float | None = None
    effort_limit: float | None = None


@dataclass(frozen=True)
class OriginSummary:
    """Place of a joint of the file on its parent link, parameters at their defaults.

    Attributes:
        position: Position of its origin [m].
        quaternion: Rotation parent_R_joint as x, y, z, w.
        axis: Direction of the axis in its own frame, of length 1; 0 of a fixed joint.
        prismatic: Whether it only slides.
        pitch: How far it slides as it turns, of a helical joint [m/rad].
    """

    position: tuple[float, ...]
    quaternion: tuple[float, ...]
    axis: tuple[float, ...]
    prismatic: bool
    pitch: float = 0.0

    @property
    def turns(self) -> bool:
        """True if it turns, and slides in proportion if it has a pitch."""
        return not self.prismatic


@dataclass(frozen=True)
class CoordinateSummary:
    """An entry of q; limits are None where the file gives none."""

    name: str
    lower: float | None
    upper: float | None
    velocity: float | None
    effort: float | None
    continuous: bool
    prismatic: bool
    damping: float
    friction: float
    armature: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0

    @property
    def kind(self) -> JointKind:
        """A kind of joint of these units."""
        return PRISMATIC if self.prismatic else REVOLUTE


@dataclass(frozen=True)
class ParameterSummary:
    """A parameter: name, group, default (None where the file gives none)."""

    name: str
    group: str
    default: float | None


@dataclass(frozen=True)
class BodySummary:
    """A body whose inertia depends on parameters: what it is called, and on which."""

    described: str
    parameters: tuple[str, ...]


@dataclass(frozen=True)
class ArgumentSummary:
    """An input or output of a function; a vector has no columns, a scalar no rows either.

    A matrix is given by rows, other columns are vectors of which each is given.
    """

    name: str
    rows: int
    columns: int | None
    optional: bool
    scalar: bool = False
    matrix: bool = False


@dataclass(frozen=True)
class FunctionSummary:
    """A function: its arguments, and the operations that its usual call does."""

    name: str
    inputs: tuple[ArgumentSummary, ...]
    outputs: tuple[ArgumentSummary, ...]
    operations: dict[str, int]


@dataclass(frozen=True)
class Summary:
    """A robot's names and numbers.

    Attributes:
        name: The robot's name.
        floating_base: Whether the base moves freely.
        coordinates: Entries of q.
        link_names: Links in public order, base first.
        joints: Joints by number: `joints[i]` moves link i + 1.
        supports: For each link by number, the joints between the base and it.
        frames: Named frames.
        attachments: For each joint of the file: joint, parent link, child link, whether fixed.
        origins: Where each of these joints is; None where a parameter without a default tells.
        parameters: Named parameters.
        functions: Functions.
        unavailable: Functions that this robot cannot have, and why.
        terms: What of the joints is part of the dynamics.
        bodies: Bodies whose inertia depends on parameters.
        gravity: What a fixed base's functions take where it is left out [m/s^2].
        contacts: Frames that may touch something; written as what was asked for, and the rows.
        actuated: Joints that motors move; none where these are all coordinates.
    """

    name: str
    floating_base: bool
    coordinates: tuple[CoordinateSummary, ...]
    link_names: tuple[str, ...]
    joints: tuple[JointSummary, ...]
    supports: tuple[tuple[int, ...], ...]
    frames: tuple[FrameSummary, ...]
    attachments: tuple[tuple[str, str, str, bool], ...]
    origins: tuple[OriginSummary | None, ...]
    parameters: tuple[ParameterSummary, ...]
    functions: tuple[FunctionSummary, ...]
    unavailable: dict[str, str] = field(default_factory=dict)
    terms: tuple[str, ...] = ()
    bodies: tuple[BodySummary, ...] = ()
    gravity: Gravity = STANDARD_GRAVITY
    contacts: tuple[Contact, ...] = ()
    actuated: tuple[str, ...] = ()
    pulled: tuple[tuple[int, ...], ...] = ()

    def to_json(self) -> str:
        """Returns a text that is the same for equal robots."""
        contacts = [(contact.name, len(contact.rows)) for contact in self.contacts]
        data = asdict(self, dict_factory=_without_defaults) | {"contacts": contacts}
        return json.dumps(data, ensure_ascii=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Summary:
        """Returns the summary of which `to_json` made the text."""
        data: dict[str, Any] = json.loads(text)
        functions = [
            {
                **f,
                "inputs": tuple(ArgumentSummary(**a) for a in f["inputs"]),
                "outputs": tuple(ArgumentSummary(**a) for a in f["outputs"]),
            }
            for f in data["functions"]
        ]
        frames = tuple(FrameSummary(**f) for f in data["frames"])
        names = FrameNames(data["name"], ((f.name, f.of_link) for f in frames))
        return cls(
            name=data["name"],
            floating_base=data["floating_base"],
            coordinates=tuple(CoordinateSummary(**c) for c in data["coordinates"]),
            link_names=tuple(data["link_names"]),
            joints=tuple(map(_read_joint, data["joints"])),
            supports=tuple(tuple(s) for s in data["supports"]),
            frames=frames,
            attachments=tuple((j, p, c, f) for j, p, c, f in data["attachments"]),
            origins=tuple(map(_read_origin, data["origins"])),
            parameters=tuple(ParameterSummary(**p) for p in data["parameters"]),
            functions=tuple(FunctionSummary(**f) for f in functions),
            unavailable=data["unavailable"],
            terms=tuple(data["terms"]),
            bodies=tuple(
                BodySummary(b["described"], tuple(b["parameters"])) for b in data["bodies"]
            ),
            gravity=tuple(data["gravity"]),
            contacts=parsed((name for name, _ in data["contacts"]), names.index),
            actuated=tuple(data.get("actuated", ())),
            pulled=tuple(tuple(joints) for joints in data.get("pulled", ())),
        )


_DEFAULTS: dict[str, Any] = {
    "matrix": False,
    "pitch": 0.0,
    "dependent": False,
    "more": (),
    "gear": 1.0,
    "velocity_limit": None,
    "effort_limit": None,
    "actuated": (),
    "pulled": (),
}
"""Values that texts leave out."""


def _without_defaults(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {
        name: value for name, value in pairs if name not in _DEFAULTS or value != _DEFAULTS[name]
    }


def summarise(library: Library, counted: bool = True) -> Summary:
    """The summary of a robot and its functions, with operations counted if that is wanted."""
    return replace(
        summary_of(library.robot),
        functions=tuple(
            _function(library, name, counted)
            for name in each(library.names, "counting operations", "functions")
        ),
        unavailable=library.requested.unavailable,
    )


def summary_of(robot: Robot) -> Summary:
    """The summary of a robot without functions."""
    return Summary(
        name=robot.name,
        floating_base=robot.floating_base,
        coordinates=tuple(_coordinate(c) for c in robot.coordinates),
        link_names=robot.link_names,
        joints=_joints(robot),
        supports=tuple(robot.support(i) for i in range(len(robot.links))),
        frames=tuple(FrameSummary(f.name, f.link, f.of_link) for f in robot.frames),
        attachments=tuple((a.joint, a.parent, a.child, a.fixed) for a in robot.attachments),
        origins=_origins(robot.attachments),
        parameters=tuple(
            ParameterSummary(p.name, p.group, None if p.default is None else float(p.default))
            for p in robot.parameters
        ),
        functions=(),
        terms=robot.terms.names,
        bodies=tuple(BodySummary(b.described, b.parameters) for b in robot.bodies),
        gravity=robot.gravity,
        contacts=robot.contacts,
        actuated=robot.actuated,
        pulled=tuple(robot.between(*line.frames) for line in robot.terms.lines),
    )


def _coordinate(c: Coordinate) -> CoordinateSummary:
    limits = c.limits
    return CoordinateSummary(
        c.name,
        limits.lower,
        limits.upper,
        limits.velocity,
        limits.effort,
        c.continuous,
        c.kind.is_length,
        c.damping,
        c.friction,
        c.armature,
        c.stiffness,
        c.rest,
    )


def _origins(attachments: Sequence[Attachment]) -> tuple[OriginSummary | None, ...]:
    numbers = [_numbers(attachment) for attachment in attachments]
    rotations = [each[0] for each in numbers if each is not None]
    turns = iter(quaternions(np.array(rotations).reshape(-1, 3, 3)).tolist())
    found: list[OriginSummary | None] = []
    for attachment, known in zip(attachments, numbers, strict=True):
        if known is None:
            found.append(None)
            continue
        _, position, axis = known
        length = 0.0 if attachment.fixed else math.hypot(*axis)
        direction = tuple(entry / length if length else 0.0 for entry in axis)
        quaternion = tuple(next(turns))
        found.append(OriginSummary(position, quaternion, direction, *_sliding(attachment.kind)))
    return tuple(found)


def _numbers(
    attachment: Attachment,
) -> tuple[list[list[float]], tuple[float, ...], tuple[float, ...]] | None:
    """Rotation, position and axis of a joint; None where a parameter has no default."""
    pose = attachment.pose
    try:
        rotation = [[float(entry) for entry in row] for row in pose.rotation]
        _sliding(attachment.kind)
        return rotation, tuple(map(float, pose.translation)), tuple(map(float, attachment.axis))
    except ValueError:
        return None


def _read_joint(data: dict[str, Any]) -> JointSummary:
    return JointSummary(**{**data, "more": tuple(data.get("more", ()))})


def _read_origin(data: dict[str, Any] | None) -> OriginSummary | None:
    if data is None:
        return None
    return OriginSummary(
        tuple(data["position"]),
        tuple(data["quaternion"]),
        tuple(data["axis"]),
        data["prismatic"],
        data.get("pitch", 0.0),
    )


def _sliding(kind: JointKind) -> tuple[bool, float]:
    """Returns True if a joint only slides, and the pitch of one that turns and slides."""
    return not kind.turns, float(kind.travel(1)) if kind.turns else 0.0


def _joints(robot: Robot) -> tuple[JointSummary, ...]:
    return tuple(
        JointSummary(
            j.name,
            j.coordinate,
            float(j.factor),
            float(j.offset),
            *_sliding(j.kind),
            dependent=j.is_dependent,
            more=tuple(k for k, _ in j.shares[1:]),
            gear=float(j.drive.gear),
            velocity_limit=j.drive.velocity,
            effort_limit=j.drive.effort,
        )
        for j in robot.joints
    )


def _function(library: Library, name: str, counted: bool) -> FunctionSummary:
    function = library.function(name)
    inputs, outputs = (
        tuple(
            ArgumentSummary(a.name, a.rows, a.columns, a.optional, a.scalar, a.matrix)
            for a in arguments
        )
        for arguments in (function.inputs, function.outputs)
    )
    operations = library.operations(name) if counted else {}
    return FunctionSummary(name, inputs, outputs, operations)
