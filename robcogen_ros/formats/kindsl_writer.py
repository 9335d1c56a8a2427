"""Writes a kinematic tree in the Kinematics-DSL.

The tree's link frames are the language's: z on the joint axis. Where the file that the tree was
read from has other ones, they are kept as custom frames, under the names of their links.
"""

from __future__ import annotations

from collections.abc import Iterator

from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats import kindsl_numbers
from robcogen_ros.formats.kindsl_names import LINK_FRAME_PREFIX, Names
from robcogen_ros.model.operation import Scalar, is_zero
from robcogen_ros.model.robot import Frame, Joint, Link, Robot
from robcogen_ros.model.spatial import IDENTITY, Pose, SpatialInertia, Vector

_INDENT = "    "


def write(robot: Robot) -> str:
    """The document that describes a robot.

    Inertia is written about the link frames, with what is fixed on a link made part of it. Joint
    limits and friction have no place in the language.

    Raises:
        RobcogenError: If the robot has mimic joints or expressions that the language cannot say.
    """
    followers = [joint.name for joint in robot.joints if not _leads(robot, joint)]
    if followers:
        raise RobcogenError(
            f"the Kinematics-DSL has no mimic joints ({', '.join(followers)}); lock them, or "
            "make them independent"
        )
    return "\n".join([*_Writer(robot).lines(), ""])


def _leads(robot: Robot, joint: Joint) -> bool:
    return robot.coordinates[joint.coordinate].name == joint.name


class _Writer:
    """Makes the lines of a document."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.links = Names(link.name for link in robot.links)
        self.joints = Names(joint.name for joint in robot.joints)
        self.ids = {number: id for id, number in enumerate(robot.link_order)}
        self.frames = Names(self._frame_name(frame) for frame in robot.frames)

    def lines(self) -> Iterator[str]:
        yield from self._renamed()
        yield f"Robot {Names([self.robot.name])[self.robot.name]} {{"
        for number in self.robot.link_order:
            yield from _indented(self._link(number))
            yield ""
        joints = sorted(self.robot.joints, key=lambda joint: self.ids[joint.successor])
        for joint in joints:
            yield from _indented(self._joint(joint))
            yield ""
        yield "}"

    def _renamed(self) -> Iterator[str]:
        for what, names in (("link", self.links), ("joint", self.joints), ("frame", self.frames)):
            for name, written in names.changed():
                yield f"// {what} {written} is '{name}' in the original"

    def _link(self, number: int) -> Iterator[str]:
        link = self.robot.links[number]
        floating = " floating" if self.robot.floating_base else ""
        word, tail = ("link", "") if number else ("RobotBase", floating)
        yield f"{word} {self.links[link.name]}{tail} {{"
        if number:
            yield f"{_INDENT}id = {self.ids[number]}"
        yield from _indented(_inertia(link))
        yield from _indented(self._children(number))
        yield from _indented(self._frames(number))
        yield "}"

    def _children(self, number: int) -> Iterator[str]:
        below = [joint for joint in self.robot.joints if joint.predecessor == number]
        if not below:
            yield "children {}"
            return
        yield "children {"
        for joint in sorted(below, key=lambda joint: self.ids[joint.successor]):
            child = self.links[self.robot.links[joint.successor].name]
            yield f"{_INDENT}{child} via {self.joints[joint.name]}"
        yield "}"

    def _frames(self, number: int) -> Iterator[str]:
        frames = [frame for frame in self.robot.frames if self._needed(frame, number)]
        if not frames:
            return
        yield "frames {"
        for frame in frames:
            yield f"{_INDENT}{self.frames[self._frame_name(frame)]} {{"
            yield from _indented(_indented(_pose(frame.pose)))
            yield f"{_INDENT}}}"
        yield "}"

    def _needed(self, frame: Frame, number: int) -> bool:
        """Whether a link has a frame that the language does not give it anyway."""
        link = self.robot.links[number]
        if frame.link != number:
            return False
        if frame.of_link is not None:
            return frame.of_link != link.name or not _is_identity(frame.pose)
        return not any(
            frame.name == LINK_FRAME_PREFIX + joint.name
            and (number, frame.pose) == (joint.predecessor, joint.pose)
            for joint in self.robot.joints
        )

    def _frame_name(self, frame: Frame) -> str:
        return frame.of_link or frame.name

    def _joint(self, joint: Joint) -> Iterator[str]:
        word = "p_joint" if joint.prismatic else "r_joint"
        yield f"{word} {self.joints[joint.name]} {{"
        yield f"{_INDENT}ref_frame {{"
        yield from _indented(_indented(_pose(joint.pose)))
        yield f"{_INDENT}}}"
        yield "}"


def _inertia(link: Link) -> Iterator[str]:
    """Moments about the link frame; products are minus the tensor's entries."""
    inertia, value = link.inertia, kindsl_numbers.value
    t = inertia.tensor
    yield "inertia_params {"
    yield f"{_INDENT}mass = {value(inertia.mass)}"
    yield f"{_INDENT}CoM = {kindsl_numbers.vector(_center(inertia))}"
    yield f"{_INDENT}Ix = {value(t.xx)}  Iy = {value(t.yy)}  Iz = {value(t.zz)}"
    yield f"{_INDENT}Ixy = {value(-t.xy)}  Ixz = {value(-t.xz)}  Iyz = {value(-t.yz)}"
    yield "}"


def _center(inertia: SpatialInertia) -> Vector:
    if all(map(is_zero, inertia.moment)):
        return Vector()
    if is_zero(inertia.mass):
        raise RobcogenError("a first moment of mass without mass cannot be written")
    return Vector(*(component / inertia.mass for component in inertia.moment))


def _pose(pose: Pose) -> Iterator[str]:
    yield f"translation = {kindsl_numbers.vector(pose.translation)}"
    yield f"rotation = {kindsl_numbers.rotation(pose.rotation)}"


def _is_identity(pose: Pose) -> bool:
    def same(entry: Scalar, unit: int) -> bool:
        return is_zero(entry - unit)

    rows = zip(pose.rotation, IDENTITY, strict=True)
    turned = all(same(*entry) for row in rows for entry in zip(*row, strict=True))
    return turned and all(map(is_zero, pose.translation))


def _indented(lines: Iterator[str]) -> Iterator[str]:
    return (f"{_INDENT}{line}" if line else line for line in lines)
