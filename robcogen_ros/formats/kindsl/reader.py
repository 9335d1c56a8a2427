"""Reads the Kinematics-DSL (M. Frigerio, The Kinematics-DSL manual, 2017), both its versions.

What is beyond them is described in docs/kinematics_dsl.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from robcogen_ros.errors import Location, ModelError, Problem
from robcogen_ros.formats import syntax_tree as syntax
from robcogen_ros.formats.kindsl import joint as kindsl_joint
from robcogen_ros.formats.kindsl import order as kindsl_order
from robcogen_ros.formats.kindsl.limbs import Assembly, Attachment, Part
from robcogen_ros.formats.kindsl.names import LINK_FRAME_PREFIX
from robcogen_ros.formats.kindsl.quantities import Place
from robcogen_ros.formats.kindsl.syntax import GRAMMAR, refuse_names
from robcogen_ros.formats.kindsl.values import Values
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.syntax_tree import Node, child, children, token
from robcogen_ros.model.checks.inertia import check_inertia
from robcogen_ros.model.closures.closure import FIXED
from robcogen_ros.model.closures.loops import Tree
from robcogen_ros.model.description import (
    Description,
    FrameDescription,
    Inertial,
    JointDescription,
    LinkDescription,
    LoopDescription,
    LoopsDescription,
    SpringDescription,
)
from robcogen_ros.model.scalars.expression import ZERO, Expression
from robcogen_ros.model.spatial import Pose, Symmetric3

_MOMENTS = ("Ix", "Ixy", "Ixz", "Iy", "Iyz", "Iz")
_LONGEST_TEXT = 2_000_000
"""Characters; robots with a thousand links take fewer."""


def read(source: Source, cut_loops: bool = False, snap_angles: float | None = None) -> Description:
    """The robot that a Kinematics-DSL document describes; arguments as in `formats.load.load`.

    Raises:
        ModelError: If the text is not in the language, or names what it does not define; all
            findings of the latter kind at once.
    """
    if len(source.text) > _LONGEST_TEXT:
        raise ModelError.at(source.whole, "the file is larger than the model of any robot")
    document = GRAMMAR.parse(source)
    refuse_names(source, document)
    return _Reader(source, document, cut_loops, snap_angles).description()


class _Reader:
    """Turns a parse tree into a description."""

    def __init__(
        self, source: Source, document: Node, cut_loops: bool, snap_angles: float | None
    ) -> None:
        self.source = source
        self.document = document
        self.cut_loops = cut_loops
        self.assembly = Assembly(source, document)
        self.base = self.assembly.base
        self.values = Values(source, document, snap_angles)
        self.problems = self.values.problems
        self.problems.extend(self.assembly.problems)
        self.links = self._by_name(self.assembly.links, "link")
        self.joints = self._by_name(self.assembly.joints, "joint")
        self.hint = self.assembly.hints.nearest
        self.misread: set[str] = set()
        self.ids = kindsl_order.ids(self.links, self._complain)

    def description(self) -> Description:
        """The whole document, links and joints in the order of the link ids."""
        ordered = sorted(self.links, key=lambda name: self.ids[name])
        parts = [self.base, *(self.links[name] for name in ordered)]
        links = tuple(self._link(part) for part in parts)
        frames = [frame for part in parts for frame in self._custom_frames(part)]
        joints = self._joints()
        frames = [*self._joint_frames(joints, frames), *frames]
        ends = {LINK_FRAME_PREFIX + link for link in (*self.links, self.base.name)}
        ends |= {frame.name for frame in frames}
        loops, springs = self._loops(ends), self._springs(ends)
        kindsl_order.check(self.document, self.links, self.joints, self.ids, joints, self._complain)
        self.problems.extend(self.values.quantities.problems())
        findings = tuple(sorted(dict.fromkeys(self.problems), key=_place))
        if any(problem.severity == "error" for problem in findings):
            raise ModelError(sorted([*findings, *self._inertia_findings(links)], key=_place))
        return Description(
            name=syntax.name(self.document),
            links=links,
            joints=joints,
            frames=tuple(frames),
            floating_base=token(self.base.node, "FLOATING") is not None,
            link_frame_prefix=LINK_FRAME_PREFIX,
            parameters=self.values.parameters,
            location=syntax.location(self.source, self.document),
            files=self.source.files,
            loops=loops,
            springs=springs,
            warnings=(*findings, *self.values.angles.note()),
        )

    def _springs(self, known: Collection[str]) -> tuple[SpringDescription, ...]:
        """The springs between frames."""
        found: dict[str, SpringDescription] = {}
        for node in children(self.document, "line"):
            own, *words = children(node, "name")
            name, (first, second) = syntax.own_name(own), self._ends(words, known)
            if name in found:
                self._complain(own, f"there is a second spring named '{name}'")
            numbers: dict[str, float] = {}
            for each in children(node, "stretch"):
                what = token(each, "STRETCH") or ""
                if what in numbers:
                    self._complain(each, f"{what} is given twice")
                numbers[what] = self.values.constant(child(each, "value"), {})
            if "stiffness" not in numbers:
                self._complain(own, f"spring '{name}' has no stiffness")
            where = syntax.location(self.source, node)
            stiffness, length = (numbers.get(what, 0.0) for what in ("stiffness", "length"))
            found[name] = SpringDescription(name, (first, second), stiffness, length, where)
        return tuple(found.values())

    def _ends(self, words: Sequence[Node], known: Collection[str]) -> tuple[str, str]:
        """The frames at the ends of a loop or a spring."""
        first, second = map(syntax.own_name, words)
        for frame, end in zip((first, second), words, strict=True):
            if frame not in known:
                self._complain(end, f"there is no frame '{frame}'{self.hint(frame, known)}")
        return first, second

    def _loops(self, known: Collection[str]) -> LoopsDescription | None:
        """Returns the loops of the document; None where there are none."""
        found: dict[str, LoopDescription] = {}
        for node in children(self.document, "loop"):
            own, *words = children(node, "name")
            name, (first, second) = syntax.own_name(own), self._ends(words[:2], known)
            fixed = syntax.own_name(words[2])
            if fixed not in FIXED:
                message = f"expected one of {', '.join(FIXED)}, found '{fixed}'"
                self._complain(words[2], message)
            elif name in found:
                self._complain(own, f"there is a second loop named '{name}'")
            else:
                where = syntax.location(self.source, node)
                found[name] = LoopDescription(name, (first, second), fixed, where)
        independent, position = (self._of_joints(rule) for rule in ("independent", "position"))
        at = [
            (name, float((token(node, "SIGN") or "") + (token(node, "NUMBER") or "")), place)
            for name, node, place in position
        ]
        given = [(name, place) for name, _, place in independent]
        for _, _, place in (*independent, *position) if not found else ():
            self.problems.append(Problem("there are no loops that move joints", place))
        whole = syntax.location(self.source, self.document)
        closing = LoopsDescription(tuple(found.values()), tuple(given), False, tuple(at), whole)
        return closing if found else None

    def _of_joints(self, rule: str) -> list[tuple[str, Node, Location]]:
        """Joints that blocks of a kind name, with what says so and its place."""
        found: dict[str, tuple[str, Node, Location]] = {}
        for block in children(self.document, rule):
            for node in children(block, "name", "at"):
                named = node if node.data == "name" else child(node, "name")
                name, place = syntax.own_name(named), syntax.location(self.source, named)
                if name not in self.joints:
                    message = f"joint '{name}' is not defined" + self.hint(name, self.joints)
                    self._complain(named, message)
                elif name in found:
                    self._complain(named, f"joint '{name}' is there twice")
                else:
                    found[name] = name, node, place
        return list(found.values())

    def _complain(self, node: Node, message: str, severity: str = "error") -> None:
        location = syntax.location(self.source, node)
        self.problems.append(Problem(message, location, severity))

    def _by_name(self, parts: list[Part], what: str) -> dict[str, Part]:
        found: dict[str, Part] = {}
        taken = {self.base.name} if what == "link" else set()
        for part in parts:
            if part.name in taken:
                self._complain(part.node, f"there is a second {what} named '{part.name}'")
            taken.add(part.name)
            found.setdefault(part.name, part)
        return found

    def _link(self, part: Part) -> LinkDescription:
        location = syntax.location(self.source, part.node)
        inertia = children(part.node, "inertia")
        if inertia and token(part.node, "VIRTUAL"):
            message = f"link '{part.name}' is virtual, yet has an inertia; leave out one of the two"
            self._complain(inertia[0], message)
        if not inertia:
            return LinkDescription(part.name, None, location)
        if not children(inertia[0], "mass"):
            message = f"the inertia of link '{part.name}' is empty: the link counts as massless"
            self._complain(inertia[0], message, "warning")
            return LinkDescription(part.name, None, location)
        known = len(self.problems)
        inertial = self._inertial(part, inertia[0])
        if len(self.problems) > known:
            self.misread.add(part.name)
        return LinkDescription(part.name, inertial, location)

    def _inertial(self, part: Part, node: Node) -> Inertial:
        """Moments are about the frame they are given in; products are minus the tensor's."""
        arguments = part.scope.arguments
        moments: dict[str, Expression] = {}
        for moment in children(node, "moment"):
            name = token(moment, "MOMENT") or ""
            if name in moments:
                self._complain(moment, f"{name} is given twice")
            moments[name] = self.values.value(child(moment, "value"), Place.INERTIA, arguments)
        missing = [name for name in _MOMENTS if name not in moments]
        if missing:
            lacking = f"the inertia of link '{part.name}' lacks {', '.join(missing)}"
            self._complain(node, lacking)
        xx, xy, xz, yy, yz, zz = (moments.get(name, ZERO) for name in _MOMENTS)
        frame, pose = self._inertia_frame(part, node)
        mass, center = child(child(node, "mass"), "value"), child(child(node, "com"), "vector")
        return Inertial(
            mass=self.values.value(mass, Place.INERTIA, arguments),
            center=self.values.vector(center, Place.CENTER, arguments),
            tensor=Symmetric3(xx, -xy, -xz, yy, -yz, zz),
            about_center=False,
            pose=pose,
            frame=frame,
            location=syntax.location(self.source, node),
        )

    def _inertia_frame(self, part: Part, inertia: Node) -> tuple[str | None, Pose]:
        """The frame that inertia is given in: a custom one of the link, or the link's own."""
        references = children(inertia, "reference")
        if not references:
            return None, Pose()
        own = syntax.name(references[0])
        if own == LINK_FRAME_PREFIX + syntax.name(part.node):
            return None, Pose()
        name = part.scope.frame_name(own)
        poses = {frame.name: frame.pose for frame in self._custom_frames(part)}
        if name not in poses:
            where = f"frame '{name}' is not among the frames of link '{part.name}'"
            self._complain(references[0], where + self.hint(name, poses))
        return name, poses.get(name, Pose())

    def _inertia_findings(self, links: tuple[LinkDescription, ...]) -> Iterator[Problem]:
        """Yields problems of inertias that were read, in a document that has other faults."""
        read = tuple(link for link in links if link.name not in self.misread)
        return check_inertia(Description("", read, ()), reducible=False, accept=False)

    def _custom_frames(self, part: Part) -> list[FrameDescription]:
        return [
            FrameDescription(
                part.scope.frame_name(syntax.name(node)),
                part.name,
                self.values.pose(child(node, "pose"), part.scope.arguments),
                syntax.location(self.source, node),
            )
            for group in children(part.node, "frames")
            for node in children(group, "frame")
        ]

    def _joints(self) -> tuple[JointDescription, ...]:
        """Joints in the order of the links they move."""
        links = {*self.links, self.base.name}
        known = [entry for entry in self.assembly.attachments if self._resolves(entry, links)]
        self._check_use(known)
        known.sort(key=lambda entry: self.ids.get(entry.link, 0))
        written = (
            kindsl_joint.joint(entry, self.joints, self.values, self._complain) for entry in known
        )
        tree = Tree(written, self.cut_loops)
        if not any(problem.severity == "error" for problem in self.problems):
            self.problems.extend(tree.problems)
        joints = tuple(tree.joints)
        if len(known) == len(self.assembly.attachments):
            self._check_unused({entry.joint for entry in known})
            self._check_leaders(joints)
        return joints

    def _check_leaders(self, joints: tuple[JointDescription, ...]) -> None:
        used = {joint.name for joint in joints}
        for joint in joints:
            leader = joint.mimic.leader if joint.mimic else joint.name
            if leader in self.joints and leader not in used:
                message = f"joint '{joint.name}' mimics joint '{leader}', which moves no link"
                self._complain(self.joints[joint.name].node, message)

    def _joint_frames(
        self, joints: tuple[JointDescription, ...], frames: list[FrameDescription]
    ) -> list[FrameDescription]:
        """The joints' frames on the predecessors, as far as nothing else has their names.

        A custom frame may say the same again; only custom frames can be an inertia's `ref_frame`.
        """
        poses = {frame.name: (frame.link, frame.pose) for frame in frames}
        links = {*self.links, self.base.name}
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
                self._complain(self.joints[joint.name].node, message, "warning")
        return result

    def _resolves(self, entry: Attachment, links: Collection[str]) -> bool:
        for what, name, known in (("link", entry.link, links), ("joint", entry.joint, self.joints)):
            if name not in known:
                self._complain(
                    entry.node, f"{what} '{name}' is not defined" + self.hint(name, known)
                )
        return entry.link in links and entry.joint in self.joints

    def _check_use(self, entries: list[Attachment]) -> None:
        moved: dict[str, str] = {}
        for entry in entries:
            if entry.joint in moved:
                message = f"joint '{entry.joint}' moves link '{moved[entry.joint]}' already"
                self._complain(entry.node, message)
            moved.setdefault(entry.joint, entry.link)

    def _check_unused(self, used: Collection[str]) -> None:
        for name, part in self.joints.items():
            if name not in used:
                self._complain(part.node, f"joint '{name}' moves no link", "warning")


def _place(problem: Problem) -> tuple[int, int]:
    assert problem.location is not None
    return problem.location.line, problem.location.column
