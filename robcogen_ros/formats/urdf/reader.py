"""Reads URDF (wiki.ros.org/urdf/XML): values by `urdf_parser_py`, positions by our own XML."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

from robcogen_ros.errors import Location, ModelError, Problem
from robcogen_ros.formats import located_xml
from robcogen_ros.formats.angles import rounding
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.urdf import loops as urdf_loops
from robcogen_ros.formats.urdf import odd as urdf_odd
from robcogen_ros.formats.urdf import plus as urdf_plus
from robcogen_ros.formats.urdf import rotors as urdf_rotors
from robcogen_ros.formats.urdf import schema as urdf_schema
from robcogen_ros.formats.urdf.many_axes import with_single_axes
from robcogen_ros.formats.urdf.origin import Origins
from robcogen_ros.formats.urdf.shapes import shapes
from robcogen_ros.model.closures.loops import Tree
from robcogen_ros.model.description import (
    Description,
    Inertial,
    JointDescription,
    Limits,
    LinkDescription,
    Mimic,
)
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.model.scalars.number import number
from robcogen_ros.model.scalars.operation import is_zero
from robcogen_ros.model.spatial import Symmetric3, Vector

_MOST_PARTS, _MOST_MOVING = 20_000, 2500
"""Links and joints in a file, and joints of these that are not fixed."""


def read(source: Source, snap_angles: float | None = None, cut_loops: bool = False) -> Description:
    """The robot that a URDF text describes; `snap_angles` and `cut_loops` as in `describe`.

    Raises:
        ModelError: If the text is not XML or not URDF; all findings at once.
    """
    return describe(located_xml.parse(source), snap_angles, cut_loops)


def describe(
    root: Element, snap_angles: float | None = None, cut_loops: bool = False
) -> Description:
    """The robot that a parsed URDF describes.

    Args:
        root: Its root element.
        snap_angles: How near angles are taken for multiples of pi/2 [rad]; None: what a file
            rounds, see `angles`.
        cut_loops: Whether what closes a loop is left out; if not, it is an error.

    Raises:
        ModelError: If it is not URDF; all findings at once.
    """
    if root.tag != "robot":
        raise ModelError.at(root.location, f"expected <robot>, found <{root.tag}>: not a URDF")
    _refuse_many(root)
    problems: list[Problem] = []
    distilled = urdf_schema.distill(root, problems)
    origins = Origins.of(root, snap_angles, problems)
    seen = tuple(shapes(root, origins.as_written(), problems))
    findings = tuple(_once_a_kind(problems))
    if any(problem.severity == "error" for problem in findings):
        raise ModelError(problem for problem in findings if problem.severity == "error")
    robot = _parsed(distilled, root.location)
    links = [_link(*pair, origins) for pair in zip(robot.links, root.all("link"), strict=True)]
    rotors, gears = urdf_rotors.armatures(root), urdf_rotors.gears(root)
    joints = [
        _joint(*pair, origins, rotors, gears)
        for pair in zip(robot.joints, root.all("joint"), strict=True)
    ]
    tree = Tree(joints, cut_loops)
    loops = (urdf_plus.left_open if cut_loops else urdf_plus.closing)(root, tree.joints, origins)
    urdf_loops.close_loops(root, tree, loops.unread)
    links, joints, floating = _without_dummy_root(*_depth_first(links, loops.joints))
    links, joints, odd = with_single_axes(links, joints)
    findings = (*findings, *tree.problems, *urdf_odd.findings(root), *odd, *origins.angles.note())
    if any(problem.severity == "error" for problem in findings):
        raise ModelError(findings)
    return Description(
        name=robot.name.strip(),
        links=tuple(links),
        joints=tuple(joints),
        frames=tuple(loops.frames),
        loops=loops.loops,
        closures=tuple(loops.couplings),
        linked=tuple(coupling.loops[0].name for coupling in loops.couplings),
        motors=urdf_rotors.motors(root, [j.name for j in joints if j.motion and not j.mimic]),
        shapes=seen,
        floating_base=floating,
        location=root.location,
        files=root.source.files,
        warnings=findings,
    )


def _refuse_many(root: Element) -> None:
    """Refuses a file with more parts than can be worked with."""
    joints = root.all("joint")
    moving = sum(joint.attributes.get("type") != "fixed" for joint in joints)
    for count, most, what in (
        (len(joints) + len(root.all("link")), _MOST_PARTS, "links and joints"),
        (moving, _MOST_MOVING, "joints that are not fixed"),
    ):
        if count > most:
            message = f"{count} {what}; no more than {most} can be worked with"
            raise ModelError.at(root.location, message)


def _once_a_kind(problems: list[Problem]) -> Iterator[Problem]:
    """Each error at each place, each warning where it is true first, and how often it is."""
    times = Counter(problem.message for problem in problems)
    seen: set[object] = set()
    for problem in problems:
        if problem.severity == "error":
            yield problem
        elif problem.message not in seen:
            seen.add(problem.message)
            more = times[problem.message] - 1
            note = f" (and {more} more times)" if more > 1 else " (and once more)" if more else ""
            yield replace(problem, message=problem.message + note)


def _parsed(distilled: ElementTree.Element, location: Location) -> Any:
    """Returns the robot that urdf_parser_py makes of the XML; collects its complaints."""
    from urdf_parser_py import urdf
    from urdf_parser_py.xml_reflection import core

    complaints: list[str] = []
    print_complaint, core.on_error = core.on_error, complaints.append
    try:
        robot = urdf.URDF.from_xml_string(ElementTree.tostring(distilled))
    except Exception as error:  # urdf_parser_py raises whatever comes
        raise ModelError.at(location, f"urdf_parser_py: {error}") from error
    finally:
        core.on_error = print_complaint
    if complaints:
        raise ModelError(Problem(f"urdf_parser_py: {text}", location) for text in complaints)
    return robot


def _link(link: Any, element: Element, origins: Origins) -> LinkDescription:
    inertial = element.first("inertial")
    return LinkDescription(
        link.name,
        _inertial(link.inertial, inertial, origins) if inertial else None,
        element.location,
    )


def _inertial(inertial: Any, element: Element, origins: Origins) -> Inertial:
    """Mass and inertia about the center of mass, which is the inertial frame's origin."""
    tensor = inertial.inertia
    moments = (tensor.ixx, tensor.ixy, tensor.ixz, tensor.iyy, tensor.iyz, tensor.izz)
    return Inertial(
        mass=expression(inertial.mass),
        center=Vector().map(expression),
        tensor=Symmetric3(*(expression(moment) for moment in moments)),
        about_center=True,
        pose=origins.pose(element.first("origin")),
        location=element.location,
    )


def _joint(
    joint: Any,
    element: Element,
    origins: Origins,
    rotors: Mapping[str, float],
    gears: Mapping[str, float],
) -> JointDescription:
    axis = joint.axis if joint.axis is not None else (1.0, 0.0, 0.0)
    written = None if joint.type in urdf_schema.WITHOUT_AXIS else element.first("axis")
    pitch = float(written.attributes.get("screw_thread_pitch", 0.0)) if written else 0.0
    return JointDescription(
        name=joint.name,
        kind=joint.type,
        parent=joint.parent,
        child=joint.child,
        pose=origins.pose(element.first("origin")),
        axis=_direction(axis),
        limits=_limits(joint, element),
        mimic=_mimic(joint.mimic),
        damping=joint.dynamics.damping if joint.dynamics else 0.0,
        friction=joint.dynamics.friction if joint.dynamics else 0.0,
        gear=gears.get(joint.name, 1.0),
        armature=_beside_damping(element, "armature", rotors.get(joint.name, 0.0)),
        stiffness=_beside_damping(element, "spring_stiffness"),
        rest=_beside_damping(element, "spring_reference"),
        pitch=expression(pitch),
        location=element.location,
    )


def _direction(written: Sequence[float]) -> Vector:
    """An axis, without what only rounding keeps from zero."""
    entries = [number(entry) for entry in written]
    scale = max(map(abs, entries))
    return Vector(*(e if abs(e) > rounding(e) * scale else 0 for e in entries)).map(expression)


def _beside_damping(element: Element, key: str, default: float = 0.0) -> float:
    """Returns a number that simulators write beside damping and friction; else the default."""
    dynamics = element.first("dynamics")
    return float(dynamics.attributes.get(key, default)) if dynamics else default


def _limits(joint: Any, element: Element) -> Limits:
    """Limits as written; a continuous joint has none of position whatever is written."""
    limit, written = joint.limit, element.first("limit")
    if limit is None or written is None:
        return Limits()
    turns = joint.type == "continuous"
    return Limits(
        lower=None if turns else limit.lower,
        upper=None if turns else limit.upper,
        velocity=limit.velocity,
        effort=limit.effort,
        location=written.location,
    )


def _mimic(mimic: Any) -> Mimic | None:
    if mimic is None:
        return None
    return Mimic(mimic.joint, expression(mimic.multiplier), expression(mimic.offset))


def _depth_first(
    links: list[LinkDescription], joints: list[JointDescription]
) -> tuple[list[LinkDescription], list[JointDescription]]:
    """Links and joints depth first from the root, children in document order.

    What no root reaches follows in document order, for the checks to complain about.
    """
    below = defaultdict(list)
    for joint in joints:
        below[joint.parent].append(joint)
    children = {joint.child for joint in joints}
    pending: list[JointDescription] = []
    visited: list[JointDescription] = []
    names: dict[str, None] = {}
    for link in links:
        if link.name in children:
            continue
        names[link.name] = None
        pending.extend(reversed(below[link.name]))
        while pending:
            joint = pending.pop()
            visited.append(joint)
            if joint.child not in names:
                names[joint.child] = None
                pending.extend(reversed(below[joint.child]))
    place = {name: index for index, name in enumerate(names)}
    seen = {id(joint) for joint in visited}
    rest = [joint for joint in joints if id(joint) not in seen]
    return sorted(links, key=lambda link: place.get(link.name, len(place))), visited + rest


def _without_dummy_root(
    links: list[LinkDescription], joints: list[JointDescription]
) -> tuple[list[LinkDescription], list[JointDescription], bool]:
    """Returns links and joints without a massless root of a floating joint, and if there is one."""
    if not joints or joints[0].kind != "floating":
        return links, joints, False
    root, free = links[0], joints[0]
    alone = sum(joint.parent == root.name for joint in joints) == 1
    if root.name != free.parent or not _is_massless(root) or not alone:
        return links, joints, False
    return links[1:], joints[1:], True


def _is_massless(link: LinkDescription) -> bool:
    inertial = link.inertial
    return inertial is None or all(map(is_zero, (inertial.mass, *inertial.tensor)))
