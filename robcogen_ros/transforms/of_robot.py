"""The motions between a robot's frames, as its Kinematics-DSL document implies them.

Each joint frame is placed on its link, the link beyond it turns about, or slides along, z, and
every other frame is placed on its link. Links are in the frames that the file gives them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Frame, Joint, Robot
from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.expression import ONE, Expression, Parameter, expression
from robcogen_ros.model.scalars.operation import ADD, DIVIDE, MULTIPLY, NEGATE, SUBTRACT, Scalar
from robcogen_ros.model.spatial import Pose, Vector
from robcogen_ros.transforms.amount import Amount, Symbol
from robcogen_ros.transforms.angles import angles
from robcogen_ros.transforms.document import Group, Motions, Relation
from robcogen_ros.transforms.network import Network
from robcogen_ros.transforms.steps import Step, Steps

VARIABLE_PREFIX = "q_"
"""Prefix of the name of a joint: the variable that is its position."""


def motions(robot: Robot) -> Motions:
    """The document of the Motion-DSL that says where a robot's frames are.

    Raises:
        RobcogenError: If a frame is placed in a way that the language cannot say.
    """
    names = _Names(robot)
    relations = [
        relation for joint in robot.joints for relation in _relations_across(robot, joint, names)
    ]
    for frame in robot.frames:
        if frame.name in names.extra:
            link = robot.links[frame.link]
            pose = link.frame.inverse() @ frame.pose
            relations.append(
                Relation(names.links[frame.link], frame.name, _placed(frame.name, pose))
            )
    frames = dict.fromkeys([names.links[0], *(f for r in relations for f in (r.left, r.right))])
    return Motions(robot.name, tuple(frames), tuple(relations), "local", _groups(robot.parameters))


def between(robot: Robot, to: int, frm: int) -> Steps:
    """The factors of the transform to_X_frm between two frames, found through a robot's motions.

    Args:
        robot: The robot.
        to: Index of the frame that is mapped to.
        frm: Index of the frame that is mapped from.

    Raises:
        RobcogenError: If a frame is placed in a way that the language cannot say.
    """
    network, names = _network(robot)
    return network.sequence(names[to], names[frm])


@lru_cache(maxsize=2)
def _network(robot: Robot) -> tuple[Network, tuple[str, ...]]:
    """The graph of a robot's motions, and the name in it of each of the robot's frames."""
    names = _Names(robot)
    return Network(motions(robot)), tuple(names.of(frame) for frame in robot.frames)


class _Names:
    """Names of the frames of links and joints: their own, unless a joint's is taken.

    Attributes:
        links: By number of the link.
        joints: By name of the joint.
        extra: Names of the robot's other frames.
    """

    def __init__(self, robot: Robot) -> None:
        self.links = [link.name for link in robot.links]
        default = {f"fr_{joint.name}": joint for joint in robot.joints}
        own = {f.name for f in robot.frames if f.of_link in self.links}
        self.extra = [
            f.name
            for f in robot.frames
            if f.name not in own and not _is_joint_frame(f.link, f.pose, default.get(f.name))
        ]
        taken = {*self.links, *self.extra}
        self.joints: dict[str, str] = {}
        for joint in robot.joints:
            name = joint.name
            while name in taken:
                name = f"joint_{name}"
            taken.add(name)
            self.joints[joint.name] = name

    def of(self, frame: Frame) -> str:
        """The name of one of the robot's frames."""
        if frame.name in self.extra:
            return frame.name
        of_joint = frame.of_link is None and self.joints.get(frame.name.removeprefix("fr_"))
        return of_joint or self.links[frame.link]


def _is_joint_frame(link: int, pose: Pose, joint: Joint | None) -> bool:
    return joint is not None and (link, pose) == (joint.predecessor, joint.pose)


def _relations_across(robot: Robot, joint: Joint, names: _Names) -> Iterator[Relation]:
    """The joint's frame on its link, and the link beyond the joint in that frame."""
    before, after = robot.links[joint.predecessor], robot.links[joint.successor]
    name = names.joints[joint.name]
    placed = _placed(name, before.frame.inverse() @ joint.pose)
    yield Relation(names.links[joint.predecessor], name, placed)
    moved = (*_moved(robot, joint), *_placed(after.name, after.frame))
    yield Relation(name, names.links[joint.successor], moved)


def _moved(robot: Robot, joint: Joint) -> Iterator[Step]:
    if joint.is_dependent:
        raise RobcogenError(f"joint '{joint.name}' follows others through a loop")
    coordinate = robot.coordinates[joint.coordinate]
    kind, along = joint.kind, expression(joint.kind.travel(1))
    parts = [(True, ONE)] * kind.turns + [(False, along)] * kind.slides
    variable = Symbol(VARIABLE_PREFIX + coordinate.name)
    for turns, ratio in parts:
        for part in _amounts(joint.name, expression(joint.offset) * ratio, turns):
            yield Step(turns, 2, part)
        for factor in _amounts(joint.name, expression(joint.multiplier * ratio), turns):
            if factor.symbol is not None:
                message = f"joint '{joint.name}' follows another by a factor that is open"
                raise RobcogenError(message)
            yield Step(turns, 2, Amount(factor.numerator, variable, factor.divisor))


def _placed(name: str, pose: Pose) -> Steps:
    """Shifts along x, y, z, then turns about x, the new y, the new z; those that move anything."""
    try:
        turned = angles(pose.rotation)
    except ValueError as error:
        raise RobcogenError(f"frame '{name}' cannot be written as motions: {error}") from error
    steps = _shifts(name, pose.translation)
    for axis, angle in enumerate(turned):
        amounts = [angle.constant] if angle.constant.numerator else []
        if angle.open is not None:
            amounts += _amounts(name, angle.open, True)
        steps += [Step(True, axis, amount) for amount in amounts]
    return tuple(steps)


def _shifts(name: str, translation: Vector) -> list[Step]:
    return [
        Step(False, axis, amount)
        for axis, entry in enumerate(translation)
        for amount in _amounts(name, expression(entry), False)
    ]


def _amounts(name: str, term: Expression, turns: bool) -> list[Amount]:
    """A sum of angles or lengths as the amounts of its terms; none for zero."""
    if term.value is not None:
        return [Amount(term.value)] if term.value else []
    if term.parameter is not None:
        return [Amount(number.ONE, _symbol(term.parameter, turns))]
    operands = term.operands
    if term.operation in (ADD, SUBTRACT):
        first, second = (_amounts(name, operand, turns) for operand in operands)
        return [*first, *(second if term.operation is ADD else [-amount for amount in second])]
    if term.operation is NEGATE:
        return [-amount for amount in _amounts(name, operands[0], turns)]
    scaled = _scaled(name, term, turns)
    if scaled is None:
        what = ", ".join(parameter.name for parameter in term.parameters())
        raise RobcogenError(f"frame '{name}' is placed by an expression of {what} that is no sum")
    return scaled


def _scaled(name: str, term: Expression, turns: bool) -> list[Amount] | None:
    """A product with, or quotient by, a number."""
    first, last = term.operands[0], term.operands[-1]
    if term.operation is DIVIDE and last.value is not None:
        return [_times(a, number.ONE, last.value) for a in _amounts(name, first, turns)]
    if term.operation is MULTIPLY:
        for factor, other in ((first, last), (last, first)):
            if factor.value is not None:
                amounts = _amounts(name, other, turns)
                return [_times(a, factor.value, number.ONE) for a in amounts]
    return None


def _times(amount: Amount, factor: Scalar, divisor: Scalar) -> Amount:
    numerator = number.multiply(amount.numerator, factor)
    return Amount(numerator, amount.symbol, number.multiply(amount.divisor, divisor))


def _symbol(parameter: Parameter, turns: bool) -> Symbol:
    group = "angles" if turns else "lengths"
    return Symbol(_identifier(parameter), "parameter", group, parameter.default)


def _identifier(parameter: Parameter) -> str:
    """Returns a parameter's name with underscores for the dots that names of quantities have."""
    return parameter.name.replace(".", "_")


def _groups(parameters: Iterable[Parameter]) -> tuple[Group, ...]:
    """The parameters that place frames, by group."""
    groups: dict[str, list[str]] = {}
    for parameter in parameters:
        if parameter.group != "inertia":
            groups.setdefault(parameter.group, []).append(_identifier(parameter))
    return tuple(Group(name, tuple(members)) for name, members in groups.items())
