"""Writes robots as MJCF, MuJoCo's format, so that MuJoCo computes with what is written.

Each body has the frame of its link in the file. Links that are fixed on it are part of it, where
they are and custom frames become sites. Joints that follow others are held by equality constraints,
loops by such of sites: of an axis, two points on it.
Shapes of the robot touch others, not one another: MuJoCo takes the convex hulls of meshes, which
overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import Problem, RobcogenError
from robcogen_ros.formats.bodies import Body, Movement, bodies
from robcogen_ros.formats.meshes.named import Meshes
from robcogen_ros.formats.meshes.obj import ObjMeshes
from robcogen_ros.formats.simulated_inertia import Inertia, given_inertias
from robcogen_ros.formats.written import constant, defaults, free_name, number, numbers
from robcogen_ros.model.description import (
    ENDLESS,
    ClosureDescription,
    Description,
    Limits,
    LoopDescription,
    LoopsDescription,
    ShapeDescription,
)
from robcogen_ros.model.joint_kinds import JointKind
from robcogen_ros.model.names import listed
from robcogen_ros.model.quaternions import matrix as pose_matrix
from robcogen_ros.model.quaternions import quaternions
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.model.spatial import Pose, Vector
from robcogen_ros.model.terms import LinearSpring

Array = NDArray[np.float64]

_WORLD = "world"
_HERE = Pose().map(expression)
_ALONG = {"x": Vector(0.1, 0, 0), "y": Vector(0, 0.1, 0), "z": Vector(0, 0, 0.1)}
"""Way from one point on an axis to the other [m]."""
_COMPILER = {
    "angle": "radian",
    "autolimits": "true",
    "balanceinertia": "false",
    "boundmass": "0",
    "boundinertia": "0",
    "inertiafromgeom": "false",
    "fusestatic": "false",
}
_UNTURNED = "1 0 0 0"


def write(
    robot: Robot,
    description: Description,
    *,
    package_paths: Mapping[str, str] | None = None,
    output: Path | None = None,
    balance_inertia: bool = False,
) -> tuple[str, list[Problem], dict[Path, str]]:
    """The MJCF of a robot, what is to be said about it, and the meshes that are made for it.

    Args:
        robot: The robot.
        description: What its file says of its joints and shapes.
        package_paths: Directories of packages that hold meshes.
        output: The file that the text is written to; meshes beside it are named from there.
        balance_inertia: Whether moments of inertia that no body has are replaced by their mean.

    Raises:
        ModelError: If MuJoCo takes a body's inertia in no form; all such bodies at once.
        RobcogenError: If a parameter has no default.
    """
    plain = robot.map(constant("MJCF"))
    meshes = ObjMeshes(description.shapes, package_paths or {}, output)
    loops = description.loops or LoopsDescription(())
    curves = [closure for closure in description.closures if closure.curve]
    writer = _Writer(plain, bodies(plain, description), meshes, loops, curves)
    text, told = (
        writer.text(description.shapes, balance_inertia),
        defaults("MJCF", robot.parameters),
    )
    return text, [*told, *writer.problems, *meshes.problems()], meshes.made


class _Writer:
    """Makes the elements of a document."""

    def __init__(
        self,
        robot: Robot,
        parts: Sequence[Body],
        meshes: Meshes,
        loops: LoopsDescription,
        curves: Sequence[ClosureDescription],
    ) -> None:
        self.robot = robot
        self.loops, self.curves = loops, curves
        self.ends: dict[tuple[str, str], list[str]] = {}
        self.pulled: dict[str, str] = {}
        self.bodies = parts
        self.meshes = meshes
        self.problems: list[Problem] = []
        self.sites: set[str] = set()
        self.assets: dict[tuple[str, str], str] = {}
        self.asset_names: set[str] = set()

    def text(self, shapes: Sequence[ShapeDescription], balance: bool) -> str:
        root = Element("mujoco", model=self.robot.name)
        SubElement(root, "compiler", _COMPILER)
        SubElement(root, "option", gravity=numbers(self.robot.gravity))
        self._defaults(root, shapes)
        assets = Element("asset")
        world = SubElement(root, "worldbody")
        inertias, odd = given_inertias("MuJoCo", self.bodies, self.robot.floating_base, balance)
        self.problems += odd
        elements = self._tree(world, inertias)
        self._shapes(elements, assets, shapes)
        if len(assets):
            root.insert(list(root).index(world), assets)
        self._equalities(root)
        self._tendons(root)
        self._keyframe(root)
        self._tell()
        indent(root)
        return tostring(root, encoding="unicode").replace(" />", "/>") + "\n"

    def _tell(self) -> None:
        """Adds notes on what of the robot MuJoCo has no word for."""
        moving = [body.movement for body in self.bodies if body.movement]
        limited = [m.name for m in moving if _limits(m).velocity is not None]
        if limited:
            message = f"MuJoCo has no limits of velocity: left out are those of {listed(limited)}"
            self.problems.append(Problem(message, None, "note"))

    def _defaults(self, root: Element, shapes: Sequence[ShapeDescription]) -> None:
        defaults = SubElement(root, "default")
        SubElement(defaults, "site", group="4")
        if shapes:
            visual = SubElement(defaults, "default", {"class": "visual"})
            SubElement(visual, "geom", group="2", contype="0", conaffinity="0")
            collision = SubElement(defaults, "default", {"class": "collision"})
            SubElement(collision, "geom", group="3", contype="0")

    def _tree(self, world: Element, inertias: Sequence[Inertia | None]) -> list[Element]:
        """The element of each body."""
        elements: list[Element] = []
        for body, given in zip(self.bodies, inertias, strict=True):
            elements.append(self._body(world, elements, body, given))
        return elements

    def _body(
        self, world: Element, before: Sequence[Element], body: Body, given: Inertia | None
    ) -> Element:
        if body.parent is None and body.name == _WORLD and not self.robot.floating_base:
            element = world
            if given:
                message = f"{float(given.mass):g} kg that are fixed to the world are left out"
                self.problems.append(Problem(message, body.location, "note"))
        else:
            parent = world if body.parent is None else before[body.parent]
            element = SubElement(parent, "body", {"name": self._name(body), **_placed(body.pose)})
            if body.movement:
                _joint(element, body.movement)
            elif self.robot.floating_base:
                joints = {part.movement.name for part in self.bodies if part.movement}
                SubElement(element, "freejoint", name=free_name(f"{body.name}_floating", joints))
            if given:
                element.append(_inertial(given))
        pulled = {name for line in self.robot.springs for name in self._ends(line)}
        own = body.name in pulled or any(body.name in loop.frames for loop in self.loops.loops)
        for name, pose in ((body.name, _HERE), *body.frames) if own else body.frames:
            site = free_name(name, self.sites)
            SubElement(element, "site", {"name": site, **_placed(pose)})
            if name in pulled:
                self.pulled[name] = site
            for loop in self.loops.loops:
                if name in loop.frames:
                    self._end(element, loop, (name, site), pose)
        return element

    def _end(
        self, element: Element, loop: LoopDescription, frame: tuple[str, str], pose: Pose
    ) -> None:
        """Takes note of the site of a loop's end; of an axis, writes another one on it."""
        name, site = frame
        sites = self.ends.setdefault((loop.name, name), [site])
        if (axis := loop.fixed.removeprefix("axis_")) in _ALONG:
            place = replace(pose, translation=pose.point(_ALONG[axis].map(expression)))
            sites.append(free_name(f"{site}_along", self.sites))
            SubElement(element, "site", {"name": sites[1], **_placed(place)})

    def _name(self, body: Body) -> str:
        if body.name != _WORLD:
            return body.name
        name = free_name(_WORLD, {_WORLD, *(other.name for other in self.bodies)})
        message = f"link '{_WORLD}' is written as '{name}', for MuJoCo calls its world so"
        self.problems.append(Problem(message, body.location, "note"))
        return name

    def _shapes(
        self, elements: Sequence[Element], assets: Element, shapes: Iterable[ShapeDescription]
    ) -> None:
        place = {
            link: (element, pose_matrix(pose))
            for body, element in zip(self.bodies, elements, strict=True)
            for link, pose in body.links.items()
        }
        for shape in shapes:
            if shape.link in place:
                element, link = place[shape.link]
                given = self._geom(assets, shape)
                if given:
                    geom = Element("geom", {"class": "visual" if shape.visual else "collision"})
                    geom.attrib |= {**given, **_placed_matrix(link @ pose_matrix(shape.pose))}
                    if shape.visual and shape.color:
                        geom.set("rgba", numbers(shape.color))
                    element.insert(_before_bodies(element), geom)

    def _geom(self, assets: Element, shape: ShapeDescription) -> dict[str, str] | None:
        """Type and size of a shape; None if it is left out."""
        sizes = shape.sizes
        if shape.form == "mesh":
            path = self.meshes.path(shape)
            mesh = self._mesh(assets, path, sizes) if path else None
            return {"type": "mesh", "mesh": mesh} if mesh else None
        if min(sizes) <= 0:
            message = f"a {shape.form} of size {numbers(sizes)} is left out: MuJoCo takes none"
            self.problems.append(Problem(message, shape.location, "warning"))
            return None
        if shape.form == "box":
            sizes = tuple(edge / 2 for edge in sizes)
        elif len(sizes) == 2:
            sizes = sizes[0], sizes[1] / 2
        return {"type": shape.form, "size": numbers(sizes)}

    def _mesh(self, assets: Element, path: str, scale: tuple[float, ...]) -> str:
        written = numbers(scale)
        name = self.assets.get((path, written))
        if name is None:
            name = free_name(Path(path).stem, self.asset_names)
            self.assets[path, written] = name
            mesh = SubElement(assets, "mesh", name=name, file=path)
            if written != "1 1 1":
                mesh.set("scale", written)
        return name

    def _equalities(self, root: Element) -> None:
        found = [e for body in self.bodies if body.movement for e in _equality(body.movement)]
        found += [_polynomial(closure) for closure in self.curves]
        for loop in self.loops.loops:
            ends = (self.ends[loop.name, frame] for frame in loop.frames)
            for k, (first, second) in enumerate(zip(*ends, strict=True)):
                tag = "weld" if loop.fixed == "all" else "connect"
                name = f"{loop.name}_axis" if k else loop.name
                found.append(Element(tag, name=name, site1=first, site2=second))
        if found:
            SubElement(root, "equality").extend(found)

    def _tendons(self, root: Element) -> None:
        """The springs between frames."""
        tendons = SubElement(root, "tendon") if self.robot.springs else root
        for line in self.robot.springs:
            sizes = {
                "stiffness": number(float(line.stiffness)),
                "springlength": number(float(line.length)),
            }
            spring = SubElement(tendons, "spatial", {"name": line.name, **sizes})
            for name in self._ends(line):
                SubElement(spring, "site", site=self.pulled[name])

    def _ends(self, line: LinearSpring) -> list[str]:
        """Returns the names that bodies give to the frames at the ends of a spring."""
        frames = (self.robot.frames[k] for k in line.frames)
        return [frame.of_link or frame.name for frame in frames]

    def _keyframe(self, root: Element) -> None:
        """Positions that agree with the equalities, where zero does not."""
        moves = [body.movement for body in self.bodies if body.movement]
        at = {m.name: _held_position(m) or 0.0 for m in moves}
        at |= {name: x for name, x, _ in self.loops.positions if name in at}
        for _ in range(len(self.curves) + 1):  # one may lead the next
            for m in moves:
                if m.leader:
                    at[m.name] = at[m.leader] * float(m.multiplier) + float(m.offset)
            for closure in self.curves:
                powers = [float(x) for x in closure.curve]
                at[closure.dependent[0]] = float(np.polyval(powers[::-1], at[closure.leader]))
        q = [at[m.name] for m in moves]
        if any(q):
            free = [0, 0, 0, 1, 0, 0, 0] if self.robot.floating_base else []
            keyframe = SubElement(root, "keyframe")
            SubElement(keyframe, "key", name="start", qpos=numbers([*free, *q]))


def mujoco_type(kind: JointKind) -> str:
    """The type of a kind of joint in MuJoCo."""
    if kind.turns and kind.slides:
        return kind.name
    return "hinge" if kind.turns else "slide"


def _joint(element: Element, movement: Movement) -> None:
    if movement.kind.turns and movement.kind.slides:
        raise RobcogenError(
            f"joint '{movement.name}' is helical, which MuJoCo has not: SDF has (robcogen urdf2sdf)"
        )
    joint = SubElement(element, "joint", name=movement.name)
    joint.set("type", mujoco_type(movement.kind))
    joint.set("axis", numbers(movement.axis))
    limits = _limits(movement)
    if (limits.lower, limits.upper) != (None, None) and _held_position(movement) is None:
        lower = -ENDLESS if limits.lower is None else limits.lower
        upper = ENDLESS if limits.upper is None else limits.upper
        joint.set("range", numbers((lower, upper)))
    if limits.effort is not None:
        joint.set("actuatorfrcrange", numbers((-limits.effort, limits.effort)))
    given = {
        "damping": movement.damping,
        "frictionloss": movement.friction,
        "armature": movement.armature,
        "stiffness": movement.stiffness,
        "springref": movement.rest if movement.stiffness else 0.0,
    }
    for name, value in given.items():
        if value:
            joint.set(name, number(value))


def _limits(movement: Movement) -> Limits:
    return Limits() if movement.leader else movement.limits


def _held_position(movement: Movement) -> float | None:
    """Returns the position at which limits hold a joint still; None if they do not."""
    limits = _limits(movement)
    return limits.lower if limits.lower == limits.upper else None


def _equality(movement: Movement) -> Iterable[Element]:
    held = _held_position(movement)
    if movement.leader is not None:
        factors = numbers((movement.offset, movement.multiplier, 0, 0, 0))
        given = {"joint1": movement.name, "joint2": movement.leader, "polycoef": factors}
        yield Element("joint", given)
    elif held is not None:
        yield Element("joint", joint1=movement.name, polycoef=numbers((held, 0, 0, 0, 0)))


def _polynomial(closure: ClosureDescription) -> Element:
    """Returns the equality by which a joint follows another by a polynomial."""
    powers = [*map(float, closure.curve), 0, 0, 0][:5]
    given = {"joint1": closure.dependent[0], "joint2": closure.leader, "polycoef": numbers(powers)}
    return Element("joint", given)


def _inertial(given: Inertia) -> Element:
    (xx, xy, xz), (_, yy, yz), (*_, zz) = given.tensor
    element = Element("inertial", pos=numbers(given.center), mass=number(given.mass))
    if any((xy, xz, yz)):
        element.set("fullinertia", numbers((xx, yy, zz, xy, xz, yz)))
    else:
        element.set("diaginertia", numbers((xx, yy, zz)))
    return element


def _placed(pose: Pose) -> dict[str, str]:
    return _placed_matrix(pose_matrix(pose))


def _placed_matrix(pose: Array) -> dict[str, str]:
    x, y, z, w = quaternions(pose[None, :3, :3])[0]
    found = {"pos": numbers(pose[:3, 3]), "quat": numbers((w, x, y, z))}
    plain = {"pos": "0 0 0", "quat": _UNTURNED}
    return {name: text for name, text in found.items() if text != plain[name]}


def _before_bodies(element: Element) -> int:
    tags = [child.tag for child in element]
    return tags.index("body") if "body" in tags else len(tags)
