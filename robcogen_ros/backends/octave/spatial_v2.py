"""A robot as data: the model structure of Featherstone's spatial_v2, for Octave and MATLAB.

A floating base is six joints with massless bodies between them, as spatial_v2's own floatbase()
makes them: the base is body 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from robcogen_ros.algorithms.functions.function import Argument, Function, Results, Values
from robcogen_ros.backends.octave.text import LANGUAGE, quoted
from robcogen_ros.backends.robot_scripts import parameter_fields
from robcogen_ros.backends.script import Script, rows, script
from robcogen_ros.backends.variables import PARAMETERS
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import MotionVector, Pose, SpatialInertia
from robcogen_ros.program.trace import trace

_BASE_JOINTS = ("Px", "Py", "Pz", "Rx", "Ry", "Rz")

NAMES = frozenset({"model"})
"""Names that no variable of the function may have."""


@dataclass(frozen=True, slots=True)
class Body:
    """A body of the structure.

    Attributes:
        joint: Quoted name of the joint that moves it.
        link: Quoted name of its link; empty for the massless bodies below a floating base.
        type: Type of the joint.
        parent: Number of the body it is joined to.
        transform: Rows of the motion transform from the parent to the joint's frame.
        inertia: Rows of its spatial inertia.
    """

    joint: str
    link: str
    type: str
    parent: int
    transform: list[list[str]]
    inertia: list[list[str]]


@dataclass(frozen=True, slots=True)
class Model:
    """Texts of a structure for the template.

    Attributes:
        body: Lines that compute what depends on parameters.
        reads: Lines that take what is needed from the parameters.
        bodies: The bodies.
        frames: Quoted name, number of the body, and rows of the motion transform of each frame.
        coordinates: Number of independent joint positions.
        places: Row, column and text of each entry of G but zeros.
        offsets: Number and text of each entry of q0 but zeros.
    """

    body: Script
    reads: tuple[str, ...]
    bodies: tuple[Body, ...]
    frames: tuple[tuple[str, int, list[list[str]]], ...]
    coordinates: int
    places: tuple[tuple[int, int, str], ...]
    offsets: tuple[tuple[int, str], ...]


def spatial_v2_model(robot: Robot) -> Model:
    """The structure of a robot."""
    fields = [field.name for field in parameter_fields(robot, LANGUAGE)]
    labels = {(PARAMETERS, i): name for i, name in enumerate(fields)}
    names = tuple(parameter.name for parameter in robot.parameters)
    body = script(trace(_function(robot), robot), LANGUAGE, names, labels, NAMES)
    first = len(_base(robot))
    return Model(
        body,
        tuple(f"{read.variable} = parameters.{fields[read.index]}" for read in body.reads),
        tuple(_bodies(robot, lambda name: rows(body.entries[name], 6))),
        tuple(
            (quoted(frame.name), frame.link + first, rows(body.entries[f"frame_{k}"], 6))
            for k, frame in enumerate(robot.frames)
        ),
        first + robot.n,
        (
            *((k, k, "1") for k in range(first)),
            *(
                (k + first, joint.coordinate + first, body.entries["multiplier"][k])
                for k, joint in enumerate(robot.joints)
            ),
        ),
        tuple(
            (k + first, body.entries["offset"][k])
            for k in range(len(robot.joints))
            if body.entries["offset"][k] != "0.0"
        ),
    )


def _base(robot: Robot) -> tuple[str, ...]:
    """Types of the joints that a floating base hangs on."""
    return _BASE_JOINTS if robot.floating_base else ()


def _bodies(robot: Robot, matrix: Callable[[str], list[list[str]]]) -> Iterator[Body]:
    """Bodies in spatial_v2's order; the base of a fixed robot is no body."""
    first = len(_base(robot))
    identity = [["1" if i == j else "0" for j in range(6)] for i in range(6)]
    for k, kind in enumerate(_base(robot)):
        last = k == first - 1
        inertia = matrix("inertia_0") if last else [["0"] * 6] * 6
        name = quoted(robot.links[0].name) if last else "''"
        yield Body(f"'base_{kind}'", name, quoted(kind), k, identity, inertia)
    for joint in robot.joints:
        i = joint.successor
        yield Body(
            quoted(joint.name),
            quoted(robot.links[i].name),
            _type(joint),
            joint.predecessor + first,
            matrix(f"tree_{i}"),
            matrix(f"inertia_{i}"),
        )


def _type(joint: Joint) -> str:
    """Returns the name of a joint's kind in spatial_v2."""
    if not (joint.kind.turns and joint.kind.slides):
        return "'Rz'" if joint.kind.turns else "'Pz'"
    pitch = joint.kind.travel(1)
    if not pitch.is_constant:
        raise RobcogenError(f"joint '{joint.name}' has an open pitch, which spatial_v2 cannot have")
    return f"struct('code', 'H', 'pars', struct('pitch', {float(pitch)!r}))"


def _function(robot: Robot) -> Function:
    """The matrices of the structure, which depend on the robot's parameters alone."""
    joints = len(robot.joints)
    matrices = [
        *(f"tree_{joint.successor}" for joint in robot.joints),
        *(f"inertia_{i}" for i in range(len(robot.links))),
        *(f"frame_{k}" for k in range(len(robot.frames))),
    ]
    outputs = (
        *(Argument(name, 6, 6) for name in matrices),
        Argument("multiplier", joints),
        Argument("offset", joints),
    )
    return Function("spatial_v2", "Model structure", (), outputs, _compute)


def _compute(robot: Robot, _: Values) -> Results:
    return {
        **{f"tree_{joint.successor}": _transform(joint.pose) for joint in robot.joints},
        **{f"inertia_{i}": _inertia(link.inertia) for i, link in enumerate(robot.links)},
        **{f"frame_{k}": _transform(frame.pose) for k, frame in enumerate(robot.frames)},
        "multiplier": [joint.multiplier for joint in robot.joints],
        "offset": [joint.offset for joint in robot.joints],
    }


def _transform(pose: Pose) -> list[Scalar]:
    """The matrix B_X_A of motion vectors for a pose A_X_B, column-major."""
    return _columns(pose.motion_back(unit) for unit in _units())


def _inertia(inertia: SpatialInertia) -> list[Scalar]:
    """The matrix of a spatial inertia, column-major."""
    return _columns(inertia.apply(unit) for unit in _units())


def _columns(vectors: Iterable[Iterable[Scalar]]) -> list[Scalar]:
    return [entry for vector in vectors for entry in vector]


def _units() -> list[MotionVector]:
    """The unit motion vectors."""
    return [MotionVector.of([int(i == k) for i in range(6)]) for k in range(6)]
