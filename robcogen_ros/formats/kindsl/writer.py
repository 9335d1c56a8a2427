"""Writes robots in the Kinematics-DSL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from robcogen_ros.errors import Problem, RobcogenError
from robcogen_ros.formats.kindsl.form import aligned, custom_frames
from robcogen_ros.formats.kindsl.names import LINK_FRAME_PREFIX, Names, quoted
from robcogen_ros.formats.kindsl.numbers import Terms, decimal
from robcogen_ros.model.description import (
    Description,
    FrameDescription,
    Inertial,
    JointDescription,
    LinkDescription,
    LoopsDescription,
    SpringDescription,
)
from robcogen_ros.model.joint_kinds import REVOLUTE
from robcogen_ros.model.names import listed
from robcogen_ros.model.scalars.expression import ONE, ZERO
from robcogen_ros.model.spatial import Pose

_INDENT = "    "
_WORDS = {
    "revolute": ("r_joint", ""),
    "continuous": ("r_joint", " continuous"),
    "prismatic": ("p_joint", ""),
    "fixed": ("fixed_joint", ""),
}
_HEAD = "// SI units and radians; inertia is about the frame's origin, and Ixy is the sum of m x y."


def write(description: Description) -> str:
    """The document that describes a robot, in the order of its joints.

    Raises:
        RobcogenError: If the robot has what the language cannot say.
    """
    if not description.loops:
        description.refuse_closures("a Kinematics-DSL document")
    return "\n".join([*_Writer(aligned(description)).lines(), ""])


def renamed(text: str) -> tuple[Problem, ...]:
    """The note that tells the names in a document that are others than the robot's, if any."""
    names = re.findall("^// (.*) in the original$", text, re.MULTILINE)
    message = f"names that the language cannot say are others: {listed(names)}"
    return (Problem(message, None, "note"),) * bool(names)


class _Writer:
    """Makes the lines of a document."""

    def __init__(self, robot: Description) -> None:
        self.robot = robot
        self.terms = Terms()
        moved = {joint.child for joint in robot.joints}
        self.base = next(link for link in robot.links if link.name not in moved)
        self.numbers = {joint.child: number for number, joint in enumerate(robot.joints, 1)}
        self.below: dict[str, list[JointDescription]] = {}
        for joint in robot.joints:
            self.below.setdefault(joint.parent, []).append(joint)
        self.custom: dict[str, list[FrameDescription]] = {}
        for frame in custom_frames(robot):
            self.custom.setdefault(frame.link, []).append(frame)
        self.robots = Names([robot.name])
        self.joints = Names(joint.name for joint in robot.joints)
        self.links = _link_names(robot)
        self.springs = Names(x.name for x in robot.springs)
        self.loops = Names(x.name for x in (robot.loops.loops if robot.loops else ()))

    def lines(self) -> Iterator[str]:
        yield _HEAD
        yield from self._renamed()
        yield f"Robot {self.robots[self.robot.name]} {{"
        links = {link.name: link for link in self.robot.links}
        yield from _indented(self._link(self.base))
        yield ""
        for joint in self.robot.joints:
            yield from _indented(self._link(links[joint.child]))
            yield ""
        for joint in self.robot.joints:
            yield from _indented(self._joint(joint))
            yield ""
        for spring in self.robot.springs:
            yield from _indented(self._line(spring))
            yield ""
        if self.robot.loops:
            yield from _indented(self._loops(self.robot.loops))
            yield ""
        yield "}"

    def _loops(self, closing: LoopsDescription) -> Iterator[str]:
        """Yields the loops, the joints that are independent, and the positions that close them."""
        for loop in closing.loops:
            yield f"loop {self.loops[loop.name]} {{"
            yield from self._ends(loop.frames)
            yield f"{_INDENT}fixed = {loop.fixed}"
            yield "}"
        if closing.independent:
            names = " ".join(self.joints[name] for name, _ in closing.independent)
            yield f"independent {{ {names} }}"
        if closing.positions:
            yield "position {"
            for name, position, _ in closing.positions:
                yield f"{_INDENT}{self.joints[name]} = {decimal(position)}"
            yield "}"

    def _line(self, spring: SpringDescription) -> Iterator[str]:
        """A spring between frames."""
        yield f"spring {self.springs[spring.name]} {{"
        yield from self._ends(spring.frames)
        yield f"{_INDENT}stiffness = {decimal(spring.stiffness)}  // [N/m]"
        yield f"{_INDENT}length = {decimal(spring.length)}  // [m]"
        yield "}"

    def _ends(self, frames: tuple[str, str]) -> Iterator[str]:
        for word, frame in zip(("predecessor", "successor"), frames, strict=True):
            yield f"{_INDENT}{word} = {self._frame(frame)}"

    def _frame(self, name: str) -> str:
        """A frame as it is written, that of a link by the link."""
        custom = {frame.name for frames in self.custom.values() for frame in frames}
        if name in custom:
            return self.links[name]
        is_link = any(link.name == name for link in self.robot.links)
        link = self.links[name if is_link else name.removeprefix(LINK_FRAME_PREFIX)]
        return LINK_FRAME_PREFIX + link.removeprefix("^")

    def _renamed(self) -> Iterator[str]:
        """Yields comments with the original names, for those that the language cannot say."""
        links = {link.name for link in self.robot.links}
        for what, names in (("robot", self.robots), ("", self.links), ("joint", self.joints)):
            for name, text in names.changed():
                kind = what or ("link" if name in links else "frame")
                yield f"// {kind} {text} is {quoted(name)} in the original"

    def _link(self, link: LinkDescription) -> Iterator[str]:
        name = self.links[link.name]
        if link is self.base:
            yield f"RobotBase {name}{' floating' if self.robot.floating_base else ''} {{"
        else:
            yield f"{'' if link.inertial else 'virtual '}link {name} {{"
            yield f"{_INDENT}id = {self.numbers[link.name]}"
        if link.inertial:
            yield from _indented(self._inertia(link.inertial))
        yield from _indented(self._children(self.below.get(link.name, [])))
        yield from _indented(self._frames(self.custom.get(link.name, [])))
        yield "}"

    def _inertia(self, inertia: Inertial) -> Iterator[str]:
        """Products are minus the tensor's entries."""
        value, t = self.terms.value, inertia.tensor
        yield "inertia_params {"
        yield f"{_INDENT}mass = {value(inertia.mass)}"
        yield f"{_INDENT}CoM = {self.terms.vector(inertia.center)}"
        yield f"{_INDENT}Ix = {value(t.xx)}  Iy = {value(t.yy)}  Iz = {value(t.zz)}"
        yield f"{_INDENT}Ixy = {value(-t.xy)}  Ixz = {value(-t.xz)}  Iyz = {value(-t.yz)}"
        if inertia.frame:
            yield f"{_INDENT}ref_frame = {self.links[inertia.frame]}"
        yield "}"

    def _children(self, joints: list[JointDescription]) -> Iterator[str]:
        if not joints:
            yield "children {}"
            return
        yield "children {"
        for joint in joints:
            yield f"{_INDENT}{self.links[joint.child]} via {self.joints[joint.name]}"
        yield "}"

    def _frames(self, frames: list[FrameDescription]) -> Iterator[str]:
        if not frames:
            return
        yield "frames {"
        for frame in frames:
            yield f"{_INDENT}{self.links[frame.name]} {{"
            yield from _indented(_indented(self._pose(frame.pose)))
            yield f"{_INDENT}}}"
        yield "}"

    def _joint(self, joint: JointDescription) -> Iterator[str]:
        if joint.kind not in _WORDS:
            raise RobcogenError(
                f"joint '{joint.name}' is {joint.kind}, which the Kinematics-DSL has not"
            )
        word, tail = _WORDS[joint.kind]
        yield f"{word} {self.joints[joint.name]}{tail} {{"
        yield f"{_INDENT}ref_frame {{"
        yield from _indented(_indented(self._pose(joint.pose)))
        yield f"{_INDENT}}}"
        if joint.kind != "fixed":
            yield from _indented(_limits(joint))
            yield from _indented(_friction(joint))
            yield from _indented(_armature(joint))
            yield from _indented(_spring(joint))
            if joint.pitch != ZERO:
                pitch = self.terms.value(joint.pitch)
                yield f"{_INDENT}screw_thread_pitch = {pitch}  // [m per turn]"
            yield from _indented(self._mimic(joint))
        yield "}"

    def _mimic(self, joint: JointDescription) -> Iterator[str]:
        if joint.mimic is None:
            return
        yield "mimic {"
        yield f"{_INDENT}joint = {self.joints[joint.mimic.leader]}"
        if joint.mimic.multiplier != ONE:
            yield f"{_INDENT}multiplier = {self.terms.value(joint.mimic.multiplier)}"
        if joint.mimic.offset != ZERO:
            yield f"{_INDENT}offset = {self.terms.value(joint.mimic.offset)}"
        yield "}"

    def _pose(self, pose: Pose) -> Iterator[str]:
        yield f"translation = {self.terms.vector(pose.translation)}"
        yield f"rotation = {self.terms.rotation(pose.rotation)}"


def _link_names(robot: Description) -> Names:
    """Returns the texts of links and custom frames; a frame may have the name of a link."""
    frames = [frame.name for frame in custom_frames(robot)]
    links = Names(link.name for link in robot.links)
    own = {LINK_FRAME_PREFIX + links[link.name].removeprefix("^") for link in robot.links}
    only_links = {link.name for link in robot.links}.difference(frames)
    return Names([*(link.name for link in robot.links), *frames], reserved=own - only_links)


def _limits(joint: JointDescription) -> Iterator[str]:
    kind = joint.motion or REVOLUTE
    length, force = kind.unit, kind.effort_unit
    limits = joint.limits
    yield from _block(
        "limits",
        (
            ("lower", limits.lower, length),
            ("upper", limits.upper, length),
            ("velocity", limits.velocity, f"{length}/s"),
            ("effort", limits.effort, force),
        ),
    )


def _friction(joint: JointDescription) -> Iterator[str]:
    kind = joint.motion or REVOLUTE
    length, force = kind.unit, kind.effort_unit
    yield from _block(
        "friction",
        (
            ("viscous", joint.damping or None, f"{force} s/{length}"),
            ("dry", joint.friction or None, force),
        ),
    )


def _armature(joint: JointDescription) -> Iterator[str]:
    if joint.armature:
        unit = (joint.motion or REVOLUTE).inertia_unit
        yield f"armature = {decimal(joint.armature)}  // [{unit}]"


def _spring(joint: JointDescription) -> Iterator[str]:
    kind = joint.motion or REVOLUTE
    stiffness = joint.stiffness or None, f"{kind.effort_unit}/{kind.unit}"
    rest = joint.rest if joint.stiffness and joint.rest else None, kind.unit
    yield from _block("spring", (("stiffness", *stiffness), ("rest", *rest)))


def _block(word: str, settings: Iterable[tuple[str, float | None, str]]) -> Iterator[str]:
    """A block of constants, each with its unit; none if all are missing."""
    given = [(name, decimal(value), unit) for name, value, unit in settings if value is not None]
    if not given:
        return
    yield f"{word} {{"
    for name, value, unit in given:
        yield f"{_INDENT}{name} = {value}  // [{unit}]"
    yield "}"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"{_INDENT}{line}" if line else line for line in lines)
