"""Writes robots as SDF 1.9, which Gazebo reads.

Each link has the frame of its link in the file. Links that are fixed on it are part of it, where
they are and custom frames become frames. Joints follow none, and rotors have no inertia: SDF 1.9
has neither.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import Problem
from robcogen_ros.formats.bodies import Body, Movement, bodies
from robcogen_ros.formats.meshes.named import Meshes
from robcogen_ros.formats.simulated_inertia import Inertia, given_inertias
from robcogen_ros.formats.written import constant, defaults, free_name, number, numbers
from robcogen_ros.model.description import Description, ShapeDescription
from robcogen_ros.model.names import listed
from robcogen_ros.model.quaternions import matrix as pose_matrix
from robcogen_ros.model.quaternions import quaternions
from robcogen_ros.model.robot import STANDARD_GRAVITY, Robot

Array = NDArray[np.float64]

_WORLD = "world"
_FIELDS = {
    "box": ("size",),
    "sphere": ("radius",),
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
}


def write(
    robot: Robot,
    description: Description,
    *,
    package_paths: Mapping[str, str] | None = None,
    output: Path | None = None,
    balance_inertia: bool = False,
) -> tuple[str, list[Problem], dict[Path, str]]:
    """The SDF of a robot, and what is to be said about it; no meshes are made for it.

    Args:
        robot: The robot.
        description: What its file says of its joints and shapes.
        package_paths: Directories of packages that hold meshes.
        output: The file that the text is written to; meshes beside it are named from there.
        balance_inertia: Whether moments of inertia that no body has are replaced by their mean.

    Raises:
        ModelError: If SDF takes a body's inertia in no form; all such bodies at once.
        RobcogenError: If a parameter has no default.
    """
    plain = robot.map(constant("SDF"))
    folder = output and output.parent
    meshes = Meshes("Gazebo", (".stl", ".obj", ".dae"), package_paths or {}, folder)
    writer = _Writer(plain, bodies(plain, description), meshes)
    text, told = writer.text(description.shapes, balance_inertia), defaults("SDF", robot.parameters)
    return text, [*told, *writer.problems, *meshes.problems()], {}


class _Writer:
    """Makes the elements of a document."""

    def __init__(self, robot: Robot, parts: Sequence[Body], meshes: Meshes) -> None:
        self.robot = robot
        self.bodies = parts
        self.meshes = meshes
        self.problems: list[Problem] = []
        self.taken = {_WORLD}
        self.renamed: list[str] = []
        self.links = [self._name("link", body.name) for body in parts]
        moving = [body.movement for body in parts if body.movement]
        self.joints = {movement.name: self._name("joint", movement.name) for movement in moving}

    def text(self, shapes: Sequence[ShapeDescription], balance: bool) -> str:
        root = Element("sdf", version="1.9")
        model = SubElement(root, "model", name=self.robot.name)
        inertias, odd = given_inertias("SDF", self.bodies, self.robot.floating_base, balance)
        self.problems += odd
        elements = [self._link(model, *each) for each in enumerate(inertias)]
        if not self.robot.floating_base:
            joint = SubElement(model, "joint", name=self._name("joint", "fixed"), type="fixed")
            _texts(joint, parent=_WORLD, child=self.links[0])
        for body in self.bodies:
            if body.movement:
                self._joint(model, body, body.movement)
        for body, link in zip(self.bodies, self.links, strict=True):
            for name, pose in body.frames:
                frame = SubElement(model, "frame", name=self._name("frame", name), attached_to=link)
                _place(frame, pose_matrix(pose))
        self._shapes(elements, shapes)
        self._tell()
        indent(root)
        return tostring(root, encoding="unicode").replace(" />", "/>") + "\n"

    def _name(self, what: str, name: str) -> str:
        """A name that SDF can have, once in the model."""
        text = name.replace("::", "_")
        text = f"_{text}_" if text.startswith("__") and text.endswith("__") else text
        text = free_name(text.strip("_") if text.startswith("__") else text, self.taken)
        if text != name:
            self.renamed.append(f"{what} '{name}' as '{text}'")
        return text

    def _link(self, model: Element, place: int, given: Inertia | None) -> Element:
        body = self.bodies[place]
        link = SubElement(model, "link", name=self.links[place])
        parent = None if body.parent is None else self.links[body.parent]
        _place(link, pose_matrix(body.pose), parent)
        if given:
            link.append(_inertial(given))
        return link

    def _joint(self, model: Element, body: Body, movement: Movement) -> None:
        limits = movement.limits
        endless = not movement.kind.slides and (limits.lower, limits.upper) == (None, None)
        name, turn = movement.kind.name, 2 * math.pi
        kind = "screw" if name == "helical" else "continuous" if endless else name
        joint = SubElement(model, "joint", name=self.joints[movement.name], type=kind)
        assert body.parent is not None
        _texts(joint, parent=self.links[body.parent], child=self.links[self.bodies.index(body)])
        if kind == "screw":
            _texts(joint, screw_thread_pitch=number(float(movement.kind.travel(turn))))
        axis = SubElement(joint, "axis")
        _texts(axis, xyz=numbers(movement.axis))
        given = {name: getattr(limits, name) for name in ("lower", "upper", "effort", "velocity")}
        limit = {name: number(value) for name, value in given.items() if value is not None}
        _texts(SubElement(axis, "limit"), **limit)
        terms = {"damping": movement.damping, "friction": movement.friction}
        if movement.stiffness:
            terms |= {"spring_reference": movement.rest, "spring_stiffness": movement.stiffness}
        if any(terms.values()):
            texts = {name: number(value) for name, value in terms.items()}
            _texts(SubElement(axis, "dynamics"), **texts)

    def _shapes(self, elements: Sequence[Element], shapes: Iterable[ShapeDescription]) -> None:
        place = {
            link: (element, pose_matrix(pose))
            for body, element in zip(self.bodies, elements, strict=True)
            for link, pose in body.links.items()
        }
        taken: set[str] = set()
        for shape in shapes:
            geometry = self._geometry(shape) if shape.link in place else None
            if geometry is not None:
                element, link = place[shape.link]
                tag = "visual" if shape.visual else "collision"
                name = free_name(f"{shape.link}_{tag}".replace("::", "_"), taken)
                part = SubElement(element, tag, name=name)
                _place(part, link @ pose_matrix(shape.pose))
                part.append(geometry)
                if shape.visual and shape.color:
                    color = numbers(shape.color)
                    _texts(SubElement(part, "material"), ambient=color, diffuse=color)

    def _geometry(self, shape: ShapeDescription) -> Element | None:
        """The form of a shape; None if it is left out."""
        element = Element("geometry")
        form = SubElement(element, shape.form)
        if shape.form == "mesh":
            path = self.meshes.path(shape)
            if path is None:
                return None
            _texts(form, uri=f"file://{path}" if path.startswith("/") else path)
            _texts(form, scale=numbers(shape.sizes))
            return element
        if min(shape.sizes) <= 0:
            message = f"a {shape.form} of size {numbers(shape.sizes)} is left out: SDF has none"
            self.problems.append(Problem(message, shape.location, "warning"))
            return None
        names = _FIELDS[shape.form]
        sizes = [numbers(shape.sizes)] if len(names) == 1 else [*map(number, shape.sizes)]
        _texts(form, **dict(zip(names, sizes, strict=True)))
        return element

    def _tell(self) -> None:
        """Adds warnings of what of the robot SDF cannot say."""
        moving = [body.movement for body in self.bodies if body.movement]
        followers = [f"'{m.name}' ('{m.leader}')" for m in moving if m.leader]
        if followers:
            message = f"SDF 1.9 has no mimic: these joints follow none there: {listed(followers)}"
            self.problems.append(Problem(message, None, "warning"))
        rotors = [f"'{m.name}'" for m in moving if m.armature]
        if rotors:
            message = f"SDF has no armature: rotors of these joints are left out: {listed(rotors)}"
            self.problems.append(Problem(message, None, "warning"))
        springs = [f"'{spring.name}'" for spring in self.robot.springs]
        if springs:
            message = f"SDF has no springs between frames: left out are {listed(springs)}"
            self.problems.append(Problem(message, None, "warning"))
        if self.robot.gravity != STANDARD_GRAVITY and not self.robot.floating_base:
            message = "an SDF model has no gravity of its own: set it in the world"
            self.problems.append(Problem(message, None, "warning"))
        if self.renamed:
            message = (
                f"names that SDF cannot have, or not twice, are others: {listed(self.renamed)}"
            )
            self.problems.append(Problem(message, None, "note"))


def _texts(element: Element, **texts: str) -> None:
    for tag, text in texts.items():
        SubElement(element, tag).text = text


def _inertial(given: Inertia) -> Element:
    element = Element("inertial")
    if any(given.center):
        _texts(element, pose=numbers((*given.center, 0, 0, 0)))
    _texts(element, mass=number(given.mass))
    (xx, xy, xz), (_, yy, yz), (*_, zz) = given.tensor
    entries = {"ixx": xx, "ixy": xy, "ixz": xz, "iyy": yy, "iyz": yz, "izz": zz}
    tensor = SubElement(element, "inertia")
    _texts(tensor, **{name: number(entry) for name, entry in entries.items()})
    return element


def _place(element: Element, pose: Array, relative_to: str | None = None) -> None:
    quaternion = quaternions(pose[None, :3, :3])[0]
    turned = abs(quaternion[3]) != 1
    if relative_to is None and not turned and not pose[:3, 3].any():
        return
    place = SubElement(element, "pose")
    if relative_to is not None:
        place.set("relative_to", relative_to)
    if turned:
        place.set("rotation_format", "quat_xyzw")
    place.text = numbers((*pose[:3, 3], *(quaternion if turned else (0, 0, 0))))
