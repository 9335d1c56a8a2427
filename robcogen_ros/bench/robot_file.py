"""Robots as the other libraries read them: a plain list of bodies, or MuJoCo's own format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.formats.bodies import depth_first
from robcogen_ros.model.robot import Frame, Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import SpatialInertia

Array = NDArray[np.float64]

_ROUNDING = 1e-30
_END = -1


def obstacle(robot: Robot) -> str:
    """Returns why other libraries cannot be given this robot; empty if they can."""
    if robot.parameters:
        return "it has parameters"
    if robot.terms.names:
        return f"its dynamics have {', '.join(robot.terms.names)}"
    mimics = any(_follows(robot, joint) for joint in robot.joints if not joint.is_open)
    if mimics or any(closure.followers for closure in robot.closures):
        return "joints of it follow others"
    if any(joint.kind.turns and joint.kind.slides for joint in robot.joints):
        return "joints of it are helical"
    loops = [loop for closure in robot.closures for loop in closure.loops]
    if any(min(loop.rows) < 3 and len(loop.fixed) < 6 for loop in loops):
        return "loops of it leave an axis that turns"
    if any(len(contact.rows) < 3 for contact in robot.contacts):
        return "contacts of it are single axes"
    return ""


def _follows(robot: Robot, joint: Joint) -> bool:
    other = robot.coordinates[joint.coordinate].name != joint.name
    return other or float(joint.multiplier) != 1 or float(joint.offset) != 0


def bodies(robot: Robot) -> str:
    """Gravity, then the bodies, base first: kind, axis, number of the parent, pose, inertia.

    Then contacts: C, rows, number of the body, pose; loops: L, rows, numbers of the bodies, poses.

    Our joints are all about z. Here each is about the axis with which its frame is turned least
    against that of its parent, as robots are described: other libraries are fastest with these.
    """
    number, turned = {0: 0}, {0: np.eye(3)}
    base = "F" if robot.floating_base else "B"
    at_base = [0.0, 0.0, 0.0, *np.eye(3).flat]
    lines = [_numbers(robot.gravity)]
    lines += [f"{base} 0 0 {_numbers([*at_base, *_inertia(robot.links[0].inertia)])}"]
    for index in depth_first(robot):
        joint = robot.joints[index]
        number[joint.successor] = len(number)
        before = turned[joint.predecessor]
        rotation = before @ np.array([[*row] for row in joint.pose.rotation], dtype=float)
        turn = max(_TURNS, key=lambda turn: np.trace(rotation @ turn.T))
        turned[joint.successor] = turn
        position = before @ np.array([*joint.pose.translation], dtype=float)
        pose = [*position, *(rotation @ turn.T).flat]
        kind = "R" if joint.kind.turns else "P"
        inertia = _turned(turn, _inertia(robot.links[joint.successor].inertia))
        parent = number[joint.predecessor]
        lines.append(f"{kind} {np.argmax(turn[:, 2])} {parent} {_numbers([*pose, *inertia])}")

    def place(frame: Frame) -> str:
        turn = turned[frame.link]
        rotation = turn @ np.array([[*row] for row in frame.pose.rotation], dtype=float)
        position = turn @ np.array([*frame.pose.translation], dtype=float)
        return _numbers([*position, *rotation.flat])

    for contact in robot.contacts:
        frame = robot.frames[contact.frame]
        lines.append(f"C {len(contact.rows)} {number[frame.link]} {place(frame)}")
    for loop in (loop for closure in robot.closures for loop in closure.loops):
        rows = 3 if min(loop.rows) >= 3 else 6
        first, second = (robot.frames[k] for k in loop.frames)
        ends = f"{number[first.link]} {number[second.link]}"
        lines.append(f"L {rows} {ends} {place(first)} {place(second)}")
    return "\n".join(lines) + "\n"


def _turns() -> Iterator[Array]:
    """Rotations that turn z onto an axis, and each axis onto another or its opposite."""
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=2):
            turn = np.eye(3)[:, order] * np.array([*signs, 1.0])
            if np.linalg.det(turn) > 0:
                yield turn


_TURNS = sorted(_turns(), key=lambda turn: -np.trace(turn))


def _turned(turn: Array, inertia: list[float]) -> list[float]:
    """Mass, center of mass and tensor in a frame that is turned."""
    mass, x, y, z, xx, xy, yy, xz, yz, zz = inertia
    tensor = turn @ [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]] @ turn.T
    rows, columns = (0, 0, 1, 0, 1, 2), (0, 1, 1, 2, 2, 2)
    return [mass, *(turn @ [x, y, z]), *tensor[rows, columns]]


def mjcf(robot: Robot) -> str:
    """The robot in MuJoCo's format, links as they are: none is given a least mass."""
    below: dict[int, list[int]] = {}
    for index in depth_first(robot):
        below.setdefault(robot.joints[index].predecessor, []).append(index)
    lines = [
        "<mujoco>",
        '<compiler angle="radian" balanceinertia="false" boundmass="0" boundinertia="0"/>',
        f'<option gravity="{_numbers(robot.gravity)}"/>',
        "<worldbody>",
    ]
    if robot.floating_base:
        lines += ["<body>", "<freejoint/>", _inertial(robot.links[0].inertia)]
    pending = below.get(0, [])[::-1]
    while pending:
        index = pending.pop()
        if index == _END:
            lines.append("</body>")
            continue
        joint = robot.joints[index]
        columns = list(zip(*joint.pose.rotation, strict=True))
        lines += [
            f'<body pos="{_numbers(joint.pose.translation)}" '
            f'xyaxes="{_numbers([*columns[0], *columns[1]])}">',
            f'<joint type="{"hinge" if joint.kind.turns else "slide"}" axis="0 0 1"/>',
            _inertial(robot.links[joint.successor].inertia),
        ]
        pending += [_END, *below.get(joint.successor, [])[::-1]]
    closing = ["</body>"] if robot.floating_base else []
    return "\n".join([*lines, *closing, "</worldbody>", "</mujoco>"]) + "\n"


def _inertial(inertia: SpatialInertia) -> str:
    mass, x, y, z, xx, xy, yy, xz, yz, zz = _inertia(inertia)
    tensor = _numbers([xx, yy, zz, xy, xz, yz])
    return f'<inertial pos="{_numbers([x, y, z])}" mass="{mass!r}" fullinertia="{tensor}"/>'


def _inertia(inertia: SpatialInertia) -> list[float]:
    """Mass, center of mass, and the tensor about it: xx xy yy xz yz zz."""
    mass = float(inertia.mass)
    m = [float(x) for x in inertia.moment]
    c = [x / mass if mass else 0.0 for x in m]
    xx, xy, xz, yy, yz, zz = (float(x) for x in inertia.tensor)
    tensor = [
        xx - c[1] * m[1] - c[2] * m[2],
        xy + c[0] * m[1],
        yy - c[0] * m[0] - c[2] * m[2],
        xz + c[0] * m[2],
        yz + c[1] * m[2],
        zz - c[0] * m[0] - c[1] * m[1],
    ]
    rounding = 1e-14 * max(xx, yy, zz)
    return [mass, *c, *(x if abs(x) > rounding else 0.0 for x in tensor)]


def _numbers(values: Iterable[Scalar]) -> str:
    """Numbers, where what only rounding kept from zero is zero: so that none has to pay for it."""
    numbers = (float(value) for value in values)
    return " ".join(repr(x if abs(x) > _ROUNDING else 0.0) for x in numbers)
