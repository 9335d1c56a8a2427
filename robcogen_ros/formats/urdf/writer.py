"""Writes robots as URDF.

Numbers have all digits of a double. Joint axes lie on z of their frames, inertia is about the
center of mass. Custom frames become links without inertia, on fixed joints. Parameters are at
their defaults, for URDF has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from xml.sax.saxutils import quoteattr

import yaml

from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.kindsl.form import aligned, custom_frames
from robcogen_ros.formats.kindsl.names import LINK_FRAME_PREFIX
from robcogen_ros.formats.kindsl.numbers import euler_angles
from robcogen_ros.formats.written import about_center, constant, free_name, number, numbers
from robcogen_ros.model.description import (
    ENDLESS,
    Description,
    FrameDescription,
    JointDescription,
    LinkDescription,
    LoopsDescription,
)
from robcogen_ros.model.spatial import IDENTITY, Matrix3, Pose, Vector

_ALONE = "a URDF without --write-loops FILE"
_BASE_SUFFIX = "_world"
_constant = constant("URDF")


def write(description: Description) -> str:
    """The URDF of a robot, in the order of its links and joints.

    Raises:
        RobcogenError: If a parameter has no default, or a joint cannot be written.
    """
    description.refuse_closures(_ALONE)
    description.refuse_springs(_ALONE)
    return "\n".join([*_Writer(aligned(description)).lines(), ""])


def write_apart(description: Description, independent: Sequence[str]) -> tuple[str, str]:
    """The URDF of the tree of a robot, and the YAML of its loops and springs.

    Args:
        description: The robot, its loops as they are written.
        independent: The joints of loops that are coordinates.

    Raises:
        RobcogenError: If there are neither loops nor springs, or as `write`.
    """
    loops = description.loops or LoopsDescription(())
    if not (loops.loops or description.springs):
        raise RobcogenError(f"robot '{description.name}' has no loops or springs to write apart")
    replace(description, loops=None).refuse_closures("a URDF")
    writer = _Writer(aligned(description))
    found: dict[str, object] = {
        "loops": {
            each.name: {"frames": writer.ends(each.frames), "fixed": each.fixed}
            for each in loops.loops
        },
        "independent": [*independent],
        "position": {name: float(position) for name, position, _ in loops.positions},
        "springs": {
            each.name: {
                "frames": writer.ends(each.frames),
                "stiffness": float(_constant(each.stiffness)),
                "length": float(_constant(each.length)),
            }
            for each in description.springs
        },
    }
    given = {key: value for key, value in found.items() if value}
    apart = yaml.safe_dump(given, sort_keys=False, default_flow_style=None, allow_unicode=True)
    return "\n".join([*writer.lines(), ""]), apart


def _with_frames_apart(robot: Description) -> Description:
    """The robot with links called fr_<link> where a custom frame has the name of the link.

    That frame becomes a link, which keeps the name: it is where the name says it is.
    """
    frames = {frame.name for frame in custom_frames(robot)}
    taken = frames | {link.name for link in robot.links}
    names = {link.name: link.name for link in robot.links}
    for name in names.keys() & frames:
        names[name] = f"{LINK_FRAME_PREFIX}{name}"
        while names[name] in taken:
            names[name] += "_"
    return replace(
        robot,
        links=tuple(replace(link, name=names[link.name]) for link in robot.links),
        joints=tuple(
            replace(joint, parent=names[joint.parent], child=names[joint.child])
            for joint in robot.joints
        ),
        frames=tuple(replace(frame, link=names[frame.link]) for frame in robot.frames),
    )


class _Writer:
    """Makes the lines of a document."""

    def __init__(self, description: Description) -> None:
        self.robot = robot = _with_frames_apart(description)
        self.links = {link.name for link in robot.links}
        self.joints = {joint.name for joint in robot.joints}
        self.frames = list(custom_frames(robot))
        own = {frame.name for frame in self.frames}
        originals = zip(description.links, robot.links, strict=True)
        self._links = {f"{LINK_FRAME_PREFIX}{old.name}": new.name for old, new in originals}
        closing = robot.loops.loops if robot.loops else ()
        pairs = *(x.frames for x in closing), *(x.frames for x in robot.springs)
        ends = {name for pair in pairs for name in pair}
        self.frames += [f for f in robot.frames if f.name in ends - own]
        self._own = {frame.name for frame in self.frames}

    def ends(self, frames: Sequence[str]) -> list[str]:
        """Returns the names that the frames of a loop or spring have in the document."""
        return [x if x in self._own else self._links.get(x, x) for x in frames]

    def lines(self) -> Iterator[str]:
        yield '<?xml version="1.0"?>'
        yield f"<robot name={quoteattr(self.robot.name)}>"
        if self.robot.floating_base:
            yield from self._floating()
        for link in self.robot.links:
            yield from _link(link)
        for joint in self.robot.joints:
            yield from _joint(joint)
        for frame in self.frames:
            yield from self._frame(frame)
        yield "</robot>"

    def _floating(self) -> Iterator[str]:
        """A massless root that carries the floating joint."""
        moved = {joint.child for joint in self.robot.joints}
        base = next(link.name for link in self.robot.links if link.name not in moved)
        root = free_name(base + _BASE_SUFFIX, self.links)
        yield f"  <link name={quoteattr(root)}/>"
        joint = free_name(f"{base}_floating", self.joints)
        yield f'  <joint name={quoteattr(joint)} type="floating">'
        yield f"    <parent link={quoteattr(root)}/>"
        yield f"    <child link={quoteattr(base)}/>"
        yield "  </joint>"

    def _frame(self, frame: FrameDescription) -> Iterator[str]:
        name = free_name(frame.name, self.links)
        joint = free_name(f"{name}_fixed", self.joints)
        yield f"  <link name={quoteattr(name)}/>"
        yield f'  <joint name={quoteattr(joint)} type="fixed">'
        yield f"    {_origin(frame.pose)}"
        yield f"    <parent link={quoteattr(frame.link)}/>"
        yield f"    <child link={quoteattr(name)}/>"
        yield "  </joint>"


def _link(link: LinkDescription) -> Iterator[str]:
    if link.inertial is None:
        yield f"  <link name={quoteattr(link.name)}/>"
        return
    mass, center, tensor = about_center(link.inertial.spatial().map(_constant))
    names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    entries = [f'{name}="{number(entry)}"' for name, entry in zip(names, tensor, strict=True)]
    yield f"  <link name={quoteattr(link.name)}>"
    yield "    <inertial>"
    yield f"      {_origin(Pose(IDENTITY, center))}"
    yield f'      <mass value="{number(mass)}"/>'
    yield f"      <inertia {' '.join(entries)}/>"
    yield "    </inertial>"
    yield "  </link>"


def _joint(joint: JointDescription) -> Iterator[str]:
    if joint.kind in ("floating", "planar"):
        raise RobcogenError(f"joint '{joint.name}' is {joint.kind}, which cannot be written")
    limits = joint.limits
    endless = joint.kind == "revolute" and limits.lower is None and limits.upper is None
    kind = "continuous" if endless else joint.kind
    yield f'  <joint name={quoteattr(joint.name)} type="{kind}">'
    yield f"    {_origin(joint.pose)}"
    yield f"    <parent link={quoteattr(joint.parent)}/>"
    yield f"    <child link={quoteattr(joint.child)}/>"
    if kind != "fixed":
        pitch = "" if joint.pitch.structurally_zero else number(_constant(joint.pitch))
        screw = f' screw_thread_pitch="{pitch}"' if pitch else ""
        yield f'    <axis xyz="0 0 1"{screw}/>'
        yield from _movement(joint, kind)
    yield "  </joint>"


def _movement(joint: JointDescription, kind: str) -> Iterator[str]:
    """Limits, friction and mimic; URDF wants a number where there is no limit."""
    limits = joint.limits
    given = {"effort": limits.effort, "velocity": limits.velocity}
    if kind != "continuous":
        lower = -ENDLESS if limits.lower is None else limits.lower
        given = {"lower": lower, "upper": limits.upper} | given
    if kind != "continuous" or any(limit is not None for limit in given.values()):
        values = (ENDLESS if limit is None else limit for limit in given.values())
        texts = (f'{name}="{number(value)}"' for name, value in zip(given, values, strict=True))
        yield f"    <limit {' '.join(texts)}/>"
    dynamics = {"damping": joint.damping, "friction": joint.friction}
    more = {
        "armature": joint.armature,
        "spring_stiffness": joint.stiffness,
        "spring_reference": joint.rest if joint.stiffness else 0.0,
    }
    if any(dynamics.values()) or any(more.values()):
        dynamics |= {name: value for name, value in more.items() if value}
        texts = (f'{name}="{number(value)}"' for name, value in dynamics.items())
        yield f"    <dynamics {' '.join(texts)}/>"
    if joint.mimic is not None:
        follows = joint.mimic.multiplier, joint.mimic.offset
        multiplier, offset = (number(_constant(value)) for value in follows)
        leader = quoteattr(joint.mimic.leader)
        yield f'    <mimic joint={leader} multiplier="{multiplier}" offset="{offset}"/>'


def _origin(pose: Pose) -> str:
    at = pose.map(_constant)
    xyz, rpy = numbers(at.translation), numbers(_fixed_angles(at.rotation))
    return f'<origin xyz="{xyz}" rpy="{rpy}"/>'


def _fixed_angles(rotation: Matrix3) -> Vector:
    """Roll, pitch, yaw: R = Rz(y) Ry(p) Rx(r) is the transpose of Rx(-r) Ry(-p) Rz(-y)."""
    return Vector(*(-angle for angle in euler_angles(rotation.transposed())))
