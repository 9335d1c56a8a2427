"""Robots as the other libraries read them: a plain list of bodies, or MuJoCo's own format."""

from __future__ import annotations

from collections.abc import Iterable

from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import SpatialInertia

_ROUNDING = 1e-30
_END = -1


def obstacle(robot: Robot) -> str:
    """Why other libraries cannot be given this robot; empty if they can."""
    if robot.parameters:
        return "it has parameters"
    if robot.terms.names:
        return f"its dynamics have {', '.join(robot.terms.names)}"
    if robot.has_mimic or any(_follows(joint) for joint in robot.joints):
        return "joints of it follow others"
    return ""


def _follows(joint: Joint) -> bool:
    return float(joint.multiplier) != 1 or float(joint.offset) != 0


def depth_first(robot: Robot) -> list[int]:
    """Indices of the joints so that each subtree is in one piece, which Pinocchio needs."""
    below: dict[int, list[int]] = {}
    for index, joint in enumerate(robot.joints):
        below.setdefault(joint.predecessor, []).append(index)
    order: list[int] = []
    pending = below.get(0, [])[::-1]
    while pending:
        index = pending.pop()
        order.append(index)
        pending.extend(below.get(robot.joints[index].successor, [])[::-1])
    return order


def bodies(robot: Robot) -> str:
    """A line a body, base first: kind, number of the parent, pose of the joint, inertia."""
    number = {0: 0}
    base = "F" if robot.floating_base else "B"
    lines = [f"{base} 0 0 0 0 1 0 0 0 1 0 0 0 1 {_numbers(_inertia(robot.links[0].inertia))}"]
    for index in depth_first(robot):
        joint = robot.joints[index]
        number[joint.successor] = len(number)
        pose = [*joint.pose.translation, *(x for row in joint.pose.rotation for x in row)]
        kind = "P" if joint.prismatic else "R"
        inertia = _inertia(robot.links[joint.successor].inertia)
        lines.append(f"{kind} {number[joint.predecessor]} {_numbers([*pose, *inertia])}")
    return "\n".join(lines) + "\n"


def mjcf(robot: Robot) -> str:
    """The robot in MuJoCo's format, links as they are: none is given a least mass."""
    below: dict[int, list[int]] = {}
    for index in depth_first(robot):
        below.setdefault(robot.joints[index].predecessor, []).append(index)
    lines = [
        "<mujoco>",
        '<compiler angle="radian" balanceinertia="false" boundmass="0" boundinertia="0"/>',
        '<option gravity="0 0 -9.81"/>',
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
            f'<joint type="{"slide" if joint.prismatic else "hinge"}" axis="0 0 1"/>',
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
