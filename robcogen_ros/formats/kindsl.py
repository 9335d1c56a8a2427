"""Reads the Kinematics-DSL (M. Frigerio, The Kinematics-DSL manual, 2017)."""

from __future__ import annotations

from dataclasses import dataclass

from robcogen_ros.errors import ModelError, Problem
from robcogen_ros.formats import kindsl_syntax as syntax
from robcogen_ros.formats.kindsl_names import LINK_FRAME_PREFIX
from robcogen_ros.formats.kindsl_syntax import Node, child, children, token
from robcogen_ros.formats.kindsl_values import Values
from robcogen_ros.formats.source import Source
from robcogen_ros.model.description import (
    Description,
    FrameDescription,
    Inertial,
    JointDescription,
    LinkDescription,
)
from robcogen_ros.model.expression import ZERO, Expression
from robcogen_ros.model.names import nearest
from robcogen_ros.model.spatial import Pose, Symmetric3

_MOMENTS = ("Ix", "Ixy", "Ixz", "Iy", "Iyz", "Iz")


def read(source: Source) -> Description:
    """The robot that a Kinematics-DSL document describes.

    Raises:
        ModelError: If the text is not in the language, or names what it does not define; all
            findings of the latter kind at once.
    """
    return _Reader(source, syntax.parse(source)).description()


@dataclass(frozen=True, slots=True)
class _Child:
    """One entry `link via joint` of the link `parent`."""

    parent: str
    link: str
    joint: str
    node: Node


class _Reader:
    """Turns a parse tree into a description."""

    def __init__(self, source: Source, document: Node) -> None:
        self.source = source
        self.document = document
        self.base = child(document, "base")
        self.values = Values(source)
        self.problems = self.values.problems
        self.links = self._by_name(children(document, "link"), "link")
        self.joints = self._by_name(children(document, "joint"), "joint")
        self.ids = {name: self._id(node) for name, node in self.links.items()}

    def description(self) -> Description:
        """The whole document, links and joints in the order of the link ids."""
        ordered = sorted(self.links, key=lambda name: self.ids[name])
        nodes = [self.base, *(self.links[name] for name in ordered)]
        links = tuple(self._link(node) for node in nodes)
        frames = [frame for node in nodes for frame in self._custom_frames(node)]
        joints = self._joints(nodes)
        frames = [*self._joint_frames(joints, frames), *frames]
        self._check_ids(joints)
        findings = sorted(dict.fromkeys(self.problems), key=_place)
        errors = [problem for problem in findings if problem.severity == "error"]
        if errors:
            raise ModelError(errors)
        return Description(
            name=syntax.name(self.document),
            links=links,
            joints=joints,
            frames=tuple(frames),
            floating_base=token(self.base, "FLOATING") is not None,
            link_frame_prefix=LINK_FRAME_PREFIX,
            parameters=tuple(self.values.parameters.values()),
            location=syntax.location(self.source, self.document),
            files=self.source.files,
            warnings=tuple(findings),
        )

    def _complain(self, node: Node, message: str, severity: str = "error") -> None:
        location = syntax.location(self.source, node)
        self.problems.append(Problem(message, location, severity))

    def _by_name(self, nodes: list[Node], what: str) -> dict[str, Node]:
        found: dict[str, Node] = {}
        taken = {syntax.name(self.base)} if what == "link" else set()
        for node in nodes:
            name = syntax.name(node)
            if name in taken:
                self._complain(node, f"there is a second {what} named '{name}'")
            taken.add(name)
            found.setdefault(name, node)
        return found

    def _id(self, node: Node) -> int:
        text = token(node, "NUMBER") or "0"
        if not text.isdecimal() or int(text) == 0:
            message = f"the id of link '{syntax.name(node)}' must be 1, 2, 3, ..., not '{text}'"
            self._complain(node, message)
            return 0
        return int(text)

    def _link(self, node: Node) -> LinkDescription:
        location = syntax.location(self.source, node)
        return LinkDescription(syntax.name(node), self._inertial(node), location)

    def _inertial(self, link: Node) -> Inertial:
        """Moments are about the frame they are given in; products are minus the tensor's."""
        node = child(link, "inertia")
        value = self.values.value
        moments: dict[str, Expression] = {}
        for moment in children(node, "moment"):
            name = token(moment, "MOMENT") or ""
            if name in moments:
                self._complain(moment, f"{name} is given twice")
            moments[name] = value(child(moment, "value"), "inertia")
        missing = [name for name in _MOMENTS if name not in moments]
        if missing:
            lacking = f"the inertia of link '{syntax.name(link)}' lacks {', '.join(missing)}"
            self._complain(node, lacking)
        xx, xy, xz, yy, yz, zz = (moments.get(name, ZERO) for name in _MOMENTS)
        frame, pose = self._inertia_frame(link, node)
        return Inertial(
            mass=value(child(child(node, "mass"), "value"), "inertia"),
            center=self.values.vector(child(child(node, "com"), "vector"), "inertia"),
            tensor=Symmetric3(xx, -xy, -xz, yy, -yz, zz),
            about_center=False,
            pose=pose,
            frame=frame,
            location=syntax.location(self.source, node),
        )

    def _inertia_frame(self, link: Node, inertia: Node) -> tuple[str | None, Pose]:
        """The frame that inertia is given in: a custom one of the link, or the link's own."""
        references = children(inertia, "reference")
        if not references:
            return None, Pose()
        name = syntax.name(references[0])
        poses = {frame.name: frame.pose for frame in self._custom_frames(link)}
        if name not in poses:
            where = f"frame '{name}' is not among the frames of link '{syntax.name(link)}'"
            self._complain(references[0], where + nearest(name, poses))
        return name, poses.get(name, Pose())

    def _custom_frames(self, link: Node) -> list[FrameDescription]:
        return [
            FrameDescription(
                syntax.name(node),
                syntax.name(link),
                self.values.pose(child(node, "pose")),
                syntax.location(self.source, node),
            )
            for group in children(link, "frames")
            for node in children(group, "frame")
        ]

    def _joints(self, links: list[Node]) -> tuple[JointDescription, ...]:
        """Joints in the order of the links they move."""
        entries = [
            _entry(syntax.name(link), node)
            for link in links
            for node in children(child(link, "children"), "child")
        ]
        known = [entry for entry in entries if self._resolves(entry)]
        self._check_use(known)
        known.sort(key=lambda entry: self.ids.get(entry.link, 0))
        return tuple(self._joint(entry) for entry in known)

    def _joint_frames(
        self, joints: tuple[JointDescription, ...], frames: list[FrameDescription]
    ) -> list[FrameDescription]:
        """The joints' frames on the predecessors, as far as nothing else has their names.

        A custom frame may say the same again; only custom frames can be an inertia's `ref_frame`.
        """
        poses = {frame.name: (frame.link, frame.pose) for frame in frames}
        links = {*self.links, syntax.name(self.base)}
        result = []
        for joint in joints:
            name = LINK_FRAME_PREFIX + joint.name
            other = "a custom frame" if poses.get(name) else f"the frame of link '{joint.name}'"
            if joint.name not in links and name not in poses:
                result.append(FrameDescription(name, joint.parent, joint.pose, joint.location))
            elif joint.name in links or poses[name] != (joint.parent, joint.pose):
                message = (
                    f"'{name}' names {other}, so the frame of joint '{joint.name}' has no name"
                )
                self._complain(self.joints[joint.name], message, "warning")
        return result

    def _resolves(self, entry: _Child) -> bool:
        links = {*self.links, syntax.name(self.base)}
        for what, name, known in (
            ("link", entry.link, links),
            ("joint", entry.joint, set(self.joints)),
        ):
            if name not in known:
                self._complain(entry.node, f"{what} '{name}' is not defined" + nearest(name, known))
        return entry.link in links and entry.joint in self.joints

    def _check_use(self, entries: list[_Child]) -> None:
        moved: dict[str, str] = {}
        for entry in entries:
            if entry.joint in moved:
                message = f"joint '{entry.joint}' moves link '{moved[entry.joint]}' already"
                self._complain(entry.node, message)
            moved.setdefault(entry.joint, entry.link)
        for name, node in self.joints.items():
            if name not in moved:
                self._complain(node, f"joint '{name}' moves no link", "warning")

    def _joint(self, entry: _Child) -> JointDescription:
        node = self.joints[entry.joint]
        return JointDescription(
            name=entry.joint,
            kind="revolute" if token(node, "R_JOINT") else "prismatic",
            parent=entry.parent,
            child=entry.link,
            pose=self.values.pose(child(node, "pose")),
            location=syntax.location(self.source, node),
        )

    def _check_ids(self, joints: tuple[JointDescription, ...]) -> None:
        """Ids give the order of q; say so wherever the document suggests another."""
        seen: dict[int, str] = {}
        for name, node in self.links.items():
            number = self.ids[name]
            if number and number in seen:
                self._complain(node, f"link '{seen[number]}' has the id {number} too")
            seen.setdefault(number, name)
        self._check_order([joint.name for joint in joints])
        for joint in joints:
            joint_id = token(self.joints[joint.name], "NUMBER")
            if joint_id and joint_id != str(self.ids.get(joint.child)):
                message = f"the id of joint '{joint.name}' is ignored: it is not its link's"
                self._complain(self.joints[joint.name], message, "warning")

    def _check_order(self, names: list[str]) -> None:
        written = [name for name in self.joints if name in names]
        if written != names or list(self.ids.values()) != sorted(self.ids.values()):
            message = (
                "links or joints are not written in the order of the link ids, which is that of "
                f"the joint positions: {', '.join(names)}"
            )
            self._complain(self.document, message, "warning")


def _place(problem: Problem) -> tuple[int, int]:
    assert problem.location is not None
    return problem.location.line, problem.location.column


def _entry(parent: str, node: Node) -> _Child:
    link, joint = (syntax.own_name(part) for part in children(node, "name"))
    return _Child(parent, link, joint, node)
