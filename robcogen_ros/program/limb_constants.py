"""The constants of limbs of equal shape, each beside those of the other limbs.

An algorithm that runs on them takes the same operations for each limb, whatever is zero for some.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from robcogen_ros.algorithms.limbs import Limbs
from robcogen_ros.model.operation import Scalar, is_zero
from robcogen_ros.model.robot import Joint, Link, Robot
from robcogen_ros.program.graph import Node


def with_limb_constants(robot: Robot, groups: Sequence[Limbs]) -> Robot:
    """A robot over nodes, the constants of its limbs told apart from plain ones.

    Args:
        robot: The robot; the constants of its limbs are literals.
        groups: Its limbs of equal shape.
    """
    links, joints = list(robot.links), list(robot.joints)
    terms = {name: list(getattr(robot.terms, name)) for name in robot.terms.names}
    for number, group in enumerate(groups):
        for places in zip(*group.links, strict=True):
            alike = [(links[i], joints[i - 1]) for i in places]
            for (link, joint), i in zip(_alike(number, alike), places, strict=True):
                links[i], joints[i - 1] = link, joint
            for values in terms.values():
                at = [robot.joints[i - 1].coordinate for i in places]
                for i, value in zip(at, _limb_nodes(number, [values[i] for i in at]), strict=True):
                    values[i] = value
    return replace(
        robot,
        links=tuple(links),
        joints=tuple(joints),
        terms=replace(robot.terms, **{name: tuple(values) for name, values in terms.items()}),
    )


def _alike(group: int, bodies: Sequence[tuple[Link, Joint]]) -> Iterator[tuple[Link, Joint]]:
    """Links and their joints, one of each limb, their constants beside each other's."""
    rows = [_numbers(body) for body in bodies]
    columns = [_limb_nodes(group, column) for column in zip(*rows, strict=True)]
    for limb, body in enumerate(bodies):
        yield _mapped(body, partial(_next, iter([column[limb] for column in columns])))


def _next(values: Iterator[Node], _: Scalar) -> Node:
    return next(values)


def _numbers(body: tuple[Link, Joint]) -> list[Node]:
    found: list[Node] = []
    _mapped(body, found.append)
    return found


def _mapped(body: tuple[Link, Joint], lift: Callable[[Scalar], Any]) -> tuple[Link, Joint]:
    """A link and its joint, each number lifted, always in the same order."""
    link, joint = body
    inertia, frame = link.inertia.map(lift), link.frame.map(lift)
    pose = joint.pose.map(lift)
    multiplier, offset = lift(joint.multiplier), lift(joint.offset)
    pole = 0 if is_zero(joint.pole) else lift(joint.pole)
    return (
        replace(link, inertia=inertia, frame=frame),
        replace(joint, pose=pose, multiplier=multiplier, offset=offset, pole=pole),
    )


def _limb_nodes(group: int, nodes: Sequence[Node]) -> list[Node]:
    """A constant of each limb."""
    values = tuple(node.literal for node in nodes if node.literal is not None)
    assert len(values) == len(nodes), "constants of limbs are numbers"
    return [node.graph.limb_constant(group, values, limb) for limb, node in enumerate(nodes)]
